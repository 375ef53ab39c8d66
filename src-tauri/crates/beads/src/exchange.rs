//! Exports and imports whole beads for backups, and synchronizes bd with its own remote.
//!
//! An import never replaces a newer bead in the tracker: bd's own import ensures this, the import into the
//! embedded store skips older rows, and the import into br takes only missing comments from them.

use crate::{
    Direction, Environment, Layout, LeftOut, TrackerError, TrackerRemote, classic,
    cli::{Cli, INSTALL_BD, INSTALL_BR, exchange_bd as bd, exchange_br as br},
    detect::locate,
    environment::{absolute, program},
    jsonl::{Place, maps},
    place::jsonl_file,
};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The full content of a tracker.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Everything {
    /// Beads, including deleted ones if the tracker keeps them, and other rows that are stored as beads.
    pub rows: Vec<Map<String, Value>>,
    /// Whether the tracker has no data yet, for example in a fresh clone.
    pub fresh: bool,
}

/// The full content of a project's tracker; empty if it has no beads.
pub fn everything(project_root: &Path, environment: &Environment) -> Result<Everything, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else {
        return Ok(Everything { fresh: true, ..Everything::default() });
    };
    let rows = match (beads.layout, bd_of(&root, environment)?) {
        (Layout::Dolt, Some(cli)) => bd::rows(&cli),
        // All other trackers, and Dolt without bd, are read from files: a classic bd's database, or else the
        // JSONL file.
        _ => {
            let path = jsonl_file(&beads.path);
            if beads.layout == Layout::ClassicBd
                && let Ok(rows) = classic::Database::maps(&beads.path)
            {
                return Ok(Everything { rows, fresh: false });
            }
            match (beads.layout, path.is_file()) {
                (Layout::Dolt, false) => return Err(missing("bd", beads.path, INSTALL_BD)),
                _ => maps(&path),
            }
        }
    };
    match rows {
        Ok(rows) => Ok(Everything { rows, fresh: false }),
        Err(TrackerError::DatabaseMissing { .. }) => Ok(Everything { fresh: true, ..Everything::default() }),
        Err(error) => Err(error),
    }
}

/// Imports rows that are new to the project's tracker or newer than its own. Into bd, also imports the
/// memories of `bd remember`. A bd without a local database creates one first. Returns the beads that the
/// tracker cannot store.
///
/// # Errors
///
/// [`TrackerError::ReadOnly`] if the tracker cannot import beads with their ids.
pub fn import(
    project_root: &Path,
    environment: &Environment,
    rows: &[Map<String, Value>],
    texts: &BTreeMap<String, String>,
) -> Result<Vec<LeftOut>, TrackerError> {
    if rows.is_empty() && texts.is_empty() {
        return Ok(Vec::new());
    }
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else { return Err(TrackerError::NoBeads { root }) };
    match beads.layout {
        Layout::Jsonl => Place { beads_dir: beads.path }.import(rows).map(|()| Vec::new()),
        Layout::Dolt => match bd_of(&root, environment)? {
            Some(cli) => bd::import(&cli, rows, texts).map(|()| Vec::new()),
            None => Err(missing("bd", beads.path, INSTALL_BD)),
        },
        Layout::Br => match program("br", environment.br.as_ref(), environment) {
            Some(found) => br::import(&Cli::new("br", found, &root, &beads.path, environment), rows),
            None => Err(missing("br", beads.path, INSTALL_BR)),
        },
        Layout::ClassicBd => Err(TrackerError::ReadOnly {
            why: "they belong to a bd before 0.58; take the project to a later one first (bd, \
                  docs/getting-started/upgrading.md), then restore again"
                .to_owned(),
        }),
    }
}

/// The beads that [`import`] would leave out. Changes nothing.
pub fn unfit(
    project_root: &Path,
    environment: &Environment,
    rows: &[Map<String, Value>],
) -> Result<Vec<LeftOut>, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)?.filter(|beads| beads.layout == Layout::Br) else {
        return Ok(Vec::new());
    };
    match program("br", environment.br.as_ref(), environment) {
        Some(found) => br::unfit(&Cli::new("br", found, &root, &beads.path, environment), rows),
        None => Err(missing("br", beads.path, INSTALL_BR)),
    }
}

/// The tracker's own remotes; `None` if the tracker is not bd, or if bd is not installed.
pub fn tracker_remotes(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<Vec<TrackerRemote>>, TrackerError> {
    match bd_of(&absolute(project_root), environment)? {
        Some(cli) => bd::remotes(&cli).map(Some),
        None => Ok(None),
    }
}

/// Pushes the beads of bd to its remote, or pulls them. Returns bd's output on one line. Fails with
/// [`TrackerError::ReadOnly`] if the tracker is not bd, or if bd is not installed.
pub fn tracker_sync(
    project_root: &Path,
    environment: &Environment,
    direction: Direction,
) -> Result<String, TrackerError> {
    let root = absolute(project_root);
    match bd_of(&root, environment)? {
        Some(cli) => bd::sync(&cli, direction),
        None => Err(TrackerError::ReadOnly { why: "only bd has its own remote".to_owned() }),
    }
}

/// The bd program for a project's Dolt tracker. `None` for any other layout, including classic bd, or if bd is
/// not installed.
fn bd_of(root: &Path, environment: &Environment) -> Result<Option<Cli>, TrackerError> {
    let beads = locate(root, environment)?.filter(|beads| beads.layout == Layout::Dolt);
    let found = beads.zip(program("bd", environment.bd.as_ref(), environment));
    Ok(found.map(|(beads, program)| Cli::new("bd", program, root, &beads.path, environment)))
}

fn missing(program: &'static str, beads_dir: PathBuf, install: &'static str) -> TrackerError {
    TrackerError::ProgramMissing { program, beads_dir, install }
}

#[cfg(test)]
mod tests;
