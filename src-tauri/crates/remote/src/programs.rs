//! The command-line programs on this machine.

use std::{io, path::PathBuf};

/// The name of this program. A place that is set to another program gets no copy.
pub(crate) const OWN_NAME: &str = "beads-console";

/// The path of `beads-console`. In the window's process, `beads-console` is beside the running program.
pub(crate) fn console() -> io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    Ok(running.with_file_name(OWN_NAME).with_extension(std::env::consts::EXE_EXTENSION))
}
