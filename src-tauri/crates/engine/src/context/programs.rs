//! The paths of this product's own programs.

use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// The programs that the engine starts. Hosts and relays always run the command-line program, even if the window's
/// process is the engine.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The command-line program, `beads-console`.
    pub console: PathBuf,
    /// `beads-console-sim`, the simulated agent; can be missing.
    pub sim: PathBuf,
}

impl Programs {
    /// The programs in the folder of the running executable.
    pub fn beside_current_exe() -> Result<Programs, ApiError> {
        let exe = std::env::current_exe().map_err(|e| {
            ApiError::new(ErrorCode::Internal, format!("the path of the running program is unknown: {e}"))
        })?;
        let folder = exe.parent().unwrap_or(Path::new(".")).to_owned();
        let named = |stem: &str| folder.join(stem).with_extension(std::env::consts::EXE_EXTENSION);
        Ok(Programs { console: named("beads-console"), sim: named("beads-console-sim") })
    }
}
