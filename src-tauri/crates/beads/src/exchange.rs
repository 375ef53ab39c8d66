//! Exports and imports whole beads for backups, and synchronizes bd with its own remote.
//!
//! An import never replaces a newer bead in the tracker: bd's own import ensures this, the import into the
//! embedded store skips older rows, and the import into br takes only missing comments from them.

use crate::{
    Direction, Environment, Layout, LeftOut, TrackerError, TrackerRemote, classic,
    cli::{Cli, exchange_bd as bd, exchange_br as br, missing},
    detect::locate,
    environment::absolute,
    jsonl::{Place, maps},
    place::jsonl_file,
};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};

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
    let path = jsonl_file(&beads.path);
    let rows = match beads.layout {
        Layout::Dolt => match Cli::find("bd", &root, &beads.path, environment) {
            Some(cli) => bd::rows(&cli),
            None if path.is_file() => maps(&path),
            None => Err(missing("bd", &beads.path)),
        },
        Layout::ClassicBd => classic::Database::maps(&beads.path).or_else(|_| maps(&path)),
        Layout::Br | Layout::Jsonl => maps(&path),
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
/// Returns [`TrackerError::NoBeads`] if the project has no beads, [`TrackerError::ReadOnly`] if they belong
/// to a classic bd, and [`TrackerError::ProgramMissing`] without the tracker's program. Other errors come
/// from the import itself.
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
        Layout::Dolt => bd::import(&Cli::required("bd", &root, &beads.path, environment)?, rows, texts)
            .map(|()| Vec::new()),
        Layout::Br => br::import(&Cli::required("br", &root, &beads.path, environment)?, rows),
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
    br::unfit(&Cli::required("br", &root, &beads.path, environment)?, rows)
}

/// The tracker's own remotes; `None` if the tracker is not bd, or if bd is not installed.
pub fn tracker_remotes(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<Vec<TrackerRemote>>, TrackerError> {
    bd_of(project_root, environment)?.map(|cli| bd::remotes(&cli)).transpose()
}

/// Pushes the beads of bd to its remote, or pulls them. Returns bd's output on one line. Fails with
/// [`TrackerError::ReadOnly`] if the tracker is not bd, or if bd is not installed.
pub fn tracker_sync(
    project_root: &Path,
    environment: &Environment,
    direction: Direction,
) -> Result<String, TrackerError> {
    match bd_of(project_root, environment)? {
        Some(cli) => bd::sync(&cli, direction),
        None => Err(TrackerError::ReadOnly { why: "only bd has its own remote".to_owned() }),
    }
}

/// The bd program for a project's Dolt tracker. `None` for any other layout, including classic bd, or if bd is
/// not installed.
fn bd_of(project_root: &Path, environment: &Environment) -> Result<Option<Cli>, TrackerError> {
    let root = absolute(project_root);
    let beads = locate(&root, environment)?.filter(|beads| beads.layout == Layout::Dolt);
    Ok(beads.and_then(|beads| Cli::find("bd", &root, &beads.path, environment)))
}

#[cfg(test)]
mod tests;
