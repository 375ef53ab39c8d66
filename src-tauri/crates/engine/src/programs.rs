//! The programs of ours that sessions need beside the one that is running.

use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// Where our own programs are: hosts and hook relays are always the small command-line program, also
/// when a window is the engine.
#[derive(Debug, Clone)]
pub struct Programs {
    /// `beads-console`.
    pub console: PathBuf,
    /// `beads-console-sim`, the simulated agent; may be missing.
    pub sim: PathBuf,
}

impl Programs {
    /// Those in the folder of the running program.
    pub fn beside_current_exe() -> Result<Programs, ApiError> {
        let exe = std::env::current_exe().map_err(|e| {
            ApiError::new(ErrorCode::Internal, format!("this program cannot find its own file: {e}"))
        })?;
        let folder = exe.parent().unwrap_or(Path::new(".")).to_owned();
        let named = |stem: &str| folder.join(stem).with_extension(std::env::consts::EXE_EXTENSION);
        Ok(Programs { console: named("beads-console"), sim: named("beads-console-sim") })
    }
}
