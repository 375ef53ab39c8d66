//! Whole beads, with all their fields: out of a tracker for a backup, and into it from one. And the tracker's
//! own remote, where it has such a thing.
//!
//! Going in, a bead that is newer in the tracker stays as it is: bd's own import sees to that, br's does where it is given
//! nothing older, and so does the embedded store's.

use crate::{
    Environment, Layout, TrackerError,
    cli::{Cli, INSTALL_BD, INSTALL_BR, exchange_bd as bd, exchange_br as br},
    detect::{absolute, locate, program},
    jsonl::{Place, maps},
    place::jsonl_file,
};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// All that a tracker has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Everything {
    /// Beads, deleted ones too where the tracker keeps them, and whatever else it keeps as beads.
    pub rows: Vec<Map<String, Value>>,
    /// Whether the tracker has nothing yet, not even a database: a fresh clone.
    pub fresh: bool,
}

/// Beads that a tracker did not take in, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Their ids.
    pub ids: Vec<String>,
    /// Why.
    pub why: String,
}

/// A place that a tracker itself sends its beads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerRemote {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub url: String,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the remote.
    Push,
    /// From it.
    Pull,
}

/// All that a project's tracker has; nothing where it has no beads.
pub fn everything(project_root: &Path, environment: &Environment) -> Result<Everything, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else {
        return Ok(Everything { fresh: true, ..Everything::default() });
    };
    let rows = match (beads.layout, bd_of(&root, environment)?) {
        (Layout::Dolt, Some(cli)) => bd::rows(&cli),
        // Where bd is not installed, what it exported is better than nothing.
        _ => {
            let path = jsonl_file(&beads.path);
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

/// Puts rows into the project's tracker: new ones, and those that are later than what it has. With bd its own
/// texts (`bd remember`) come along. A bd without a database on this machine makes one first. What single beads it
/// cannot have is the answer.
///
/// # Errors
/// [`TrackerError::ReadOnly`] where the tracker has no way to take beads in with their ids.
pub fn take_in(
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
        Layout::Jsonl => Place { beads_dir: beads.path }.take_in(rows).map(|()| Vec::new()),
        Layout::Dolt => match bd_of(&root, environment)? {
            Some(cli) => bd::take_in(&cli, rows, texts).map(|()| Vec::new()),
            None => Err(missing("bd", beads.path, INSTALL_BD)),
        },
        Layout::Br => match program("br", environment.br.as_ref(), environment) {
            Some(found) => br::take_in(&Cli::new("br", found, &root, &beads.path, environment), rows),
            None => Err(missing("br", beads.path, INSTALL_BR)),
        },
        Layout::ClassicBd => Err(TrackerError::ReadOnly {
            why: "they belong to a bd before 0.58; take the project to a later one first (bd, \
                  docs/getting-started/upgrading.md), then restore again"
                .to_owned(),
        }),
    }
}

/// Those that [`take_in`] would leave out. Nothing is changed.
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

/// Where the tracker sends its beads by itself; `None` where it is none that can.
pub fn tracker_remotes(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<Vec<TrackerRemote>>, TrackerError> {
    match bd_of(&absolute(project_root), environment)? {
        Some(cli) => bd::remotes(&cli).map(Some),
        None => Ok(None),
    }
}

/// Sends the tracker's beads to its remote, or gets what is there; what its program said.
pub fn tracker_sync(
    project_root: &Path,
    environment: &Environment,
    direction: Direction,
) -> Result<String, TrackerError> {
    let root = absolute(project_root);
    match bd_of(&root, environment)? {
        Some(cli) => bd::sync(&cli, direction),
        None => Err(TrackerError::ReadOnly { why: "only bd has a remote of its own".to_owned() }),
    }
}

/// The bd of a project that is bd's, where it is installed.
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
