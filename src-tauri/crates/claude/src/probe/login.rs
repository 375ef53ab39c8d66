//! Whether claude has an account to work with.

use crate::paths::Env;
use serde_json::Value;
use std::path::Path;

/// What `claude auth status` says; `None` where it says nothing that we understand. A key in the
/// environment counts: whether claude may use it is asked in its own terminal.
pub(super) fn logged_in(path: &Path, env: &Env, cwd: &Path) -> Option<bool> {
    if env.get("ANTHROPIC_API_KEY").is_some() {
        return Some(true);
    }
    let program = super::program(path, env).args(["auth", "status"]);
    let program = if cwd.is_dir() { program.cwd(cwd) } else { program };
    // The exit code says the same and less surely: 1 is also what an unknown command ends with.
    let done = program.run().ok()?;
    let status: Value = serde_json::from_slice(&done.stdout).ok()?;
    status.get("loggedIn")?.as_bool()
}
