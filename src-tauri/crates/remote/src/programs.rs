//! The command-line program on this machine.

use crate::access::OWN_NAME;
use std::{io, path::PathBuf};

/// The path of `beads-console`. In the window's process, this is the program beside the running one.
pub(crate) fn console() -> io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    Ok(running.with_file_name(OWN_NAME).with_extension(std::env::consts::EXE_EXTENSION))
}
