//! Whether claude is logged in.

use super::{launcher::Launcher, program::program};
use crate::paths::Env;
use serde_json::Value;
use std::path::Path;

/// The answer of `claude auth status`; `None` if it is not understood. A key in the environment counts:
/// claude asks in its own terminal whether to use it.
pub(super) fn logged_in(launcher: &Launcher, env: &Env, cwd: &Path) -> Option<bool> {
    if env.get("ANTHROPIC_API_KEY").is_some() {
        return Some(true);
    }
    let program = program(launcher, env).args(["auth", "status"]);
    let program = if cwd.is_dir() { program.cwd(cwd) } else { program };
    // The exit code is less reliable: unknown commands also end with 1.
    let done = program.run().ok()?;
    let status: Value = serde_json::from_slice(&done.stdout).ok()?;
    status.get("loggedIn")?.as_bool()
}
