//! Opens the pinned beads of a project.

use crate::{
    Environment, Layout, PinnedBeads, TrackerError,
    cli::{self, Cli},
    detect::locate,
    environment::{absolute, program},
};
use std::path::Path;

/// The pinned beads of a project whose tracker is bd or br. `None` for other trackers, or if the program is not
/// installed.
pub fn open_pinned(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<Box<dyn PinnedBeads>>, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else { return Ok(None) };
    let (name, named) = match beads.layout {
        Layout::Dolt => ("bd", environment.bd.as_ref()),
        Layout::Br => ("br", environment.br.as_ref()),
        Layout::Jsonl | Layout::ClassicBd => return Ok(None),
    };
    let Some(program) = program(name, named, environment) else { return Ok(None) };
    let cli = Cli::new(name, program, &root, &beads.path, environment);
    Ok(Some(match beads.layout {
        Layout::Br => Box::new(cli::PinnedBr::new(cli)),
        _ => Box::new(cli::PinnedBd::new(cli)),
    }))
}
