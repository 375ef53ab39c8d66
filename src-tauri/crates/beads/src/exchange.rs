//! Whole beads, with all their fields: out of a tracker for a backup, and into it from one. And the tracker's
//! own remote, where it has such a thing.
//!
//! Going in, a bead that is newer in the tracker stays as it is: bd's own import sees to that, and so does the
//! embedded store's.

use crate::{
    Environment, Layout, TrackerError,
    cli::{Cli, INSTALL_BD, exchange_bd as bd},
    detect::{absolute, locate, program},
    jsonl::{Place, maps},
    place::jsonl_file,
};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};

/// All that a tracker has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Everything {
    /// Beads, deleted ones too where the tracker keeps them, and whatever else it keeps as beads.
    pub rows: Vec<Map<String, Value>>,
    /// Whether the tracker has nothing yet, not even a database: a fresh clone.
    pub fresh: bool,
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
                (Layout::Dolt, false) => return Err(missing("bd", beads.path)),
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
/// texts (`bd remember`) come along. A bd without a database on this machine makes one first.
///
/// # Errors
/// [`TrackerError::ReadOnly`] where the tracker's program is not here, or has no way to take beads in with
/// their ids.
pub fn take_in(
    project_root: &Path,
    environment: &Environment,
    rows: &[Map<String, Value>],
    texts: &BTreeMap<String, String>,
) -> Result<(), TrackerError> {
    if rows.is_empty() && texts.is_empty() {
        return Ok(());
    }
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else { return Err(TrackerError::NoBeads { root }) };
    match beads.layout {
        Layout::Jsonl => Place { beads_dir: beads.path }.take_in(rows),
        Layout::Dolt => match bd_of(&root, environment)? {
            Some(cli) => bd::take_in(&cli, rows, texts),
            None => Err(missing("bd", beads.path)),
        },
        Layout::Br | Layout::ClassicBd => Err(TrackerError::ReadOnly {
            why: "this tracker's program cannot take beads in with their ids and times; give it the rows of \
                  beads.jsonl on the branch by hand"
                .to_owned(),
        }),
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

fn missing(program: &'static str, beads_dir: std::path::PathBuf) -> TrackerError {
    TrackerError::ProgramMissing { program, beads_dir, install: INSTALL_BD }
}

#[cfg(test)]
mod tests;
