//! Opens the pinned beads of a project.

use crate::{
    Environment, Layout, PinnedBeads, TrackerError,
    cli::{Cli, PinnedBd, PinnedBr},
    detect::locate,
    environment::absolute,
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
    let find = |name| Cli::find(name, &root, &beads.path, environment);
    Ok(match beads.layout {
        Layout::Dolt => find("bd").map(|cli| Box::new(PinnedBd { cli }) as Box<dyn PinnedBeads>),
        Layout::Br => find("br").map(|cli| Box::new(PinnedBr { cli }) as Box<dyn PinnedBeads>),
        Layout::Jsonl | Layout::ClassicBd => None,
    })
}
