//! The paths of this project's programs at a place.

use std::path::PathBuf;

/// The path of the simulated agent next to this program, whether or not the file exists.
pub(super) fn simulated_agent() -> Result<PathBuf, String> {
    Ok(own_program()?.with_file_name("beads-console-sim").with_extension(std::env::consts::EXE_EXTENSION))
}

pub(super) fn own_program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the path of the running program is unknown: {error}"))
}
