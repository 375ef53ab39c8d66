//! The command-line program on this machine.

use std::{io, path::PathBuf};

/// The name of our program. At a place with another program, nothing is copied.
pub(crate) const OWN_NAME: &str = "beads-console";

/// The path of `beads-console`. In the window's process, this is the program beside the running one.
pub(crate) fn console() -> io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    Ok(running.with_file_name(OWN_NAME).with_extension(std::env::consts::EXE_EXTENSION))
}
