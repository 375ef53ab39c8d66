//! Whether claude is logged in.

use super::{launcher::Launcher, program::program};
use crate::paths::Env;
use serde_json::Value;
use std::path::Path;

/// Whether `claude auth status` reports a login; `None` if the command cannot run or its output is not
/// understood. An API key in the environment counts as a login, because claude asks in its own terminal
/// whether to use the key.
pub(super) fn logged_in(launcher: &Launcher, env: &Env, cwd: &Path) -> Option<bool> {
    if env.get("ANTHROPIC_API_KEY").is_some() {
        return Some(true);
    }
    let program = program(launcher, env).args(["auth", "status"]);
    let program = if cwd.is_dir() { program.cwd(cwd) } else { program };
    // The output decides, because an unknown command has the same exit code 1 as a missing login.
    let done = program.run().ok()?;
    let status: Value = serde_json::from_slice(&done.stdout).ok()?;
    status.get("loggedIn")?.as_bool()
}
