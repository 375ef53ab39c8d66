//! Builds the command line and environment of sessions whose program runs elsewhere, through a runner. The
//! host, its files and its terminal stay on this machine.

use crate::{context::Project, settings};
use bc_core::fleet::{LOCAL_RUNNER, Runner, RunnerCall};
use bc_wire::{ApiError, ErrorCode};
use std::path::Path;

/// The runner with this name; `None` if the program runs on this machine.
pub(crate) fn runner(project: &Project, name: Option<&str>) -> Result<Option<Runner>, ApiError> {
    let Some(name) = name.filter(|name| *name != LOCAL_RUNNER) else { return Ok(None) };
    let mut runners = settings::fleet(project).runners;
    let known: Vec<String> = runners.keys().cloned().collect();
    let runner = runners.remove(name).ok_or_else(|| {
        let text = format!("unknown runner {name:?}");
        let hint = match known.is_empty() {
            true => "add one: `beads-console fleet settings runners.NAME …`".to_owned(),
            false => format!("available: {}", known.join(", ")),
        };
        ApiError::new(ErrorCode::Usage, text).hint(hint)
    })?;
    // Check again, because a user may have edited the settings file.
    runner
        .check()
        .map_err(|bad| ApiError::new(ErrorCode::Usage, format!("invalid runner {name:?}: {bad}")))?;
    Ok(Some(runner))
}

/// The program that a runner starts elsewhere, with its arguments, its environment, and the session's names
/// and socket.
pub(super) struct RemoteEnv<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [String],
    pub(super) cwd: &'a Path,
    pub(super) env: &'a [(String, Option<String>)],
    pub(super) session: &'a str,
    pub(super) agent: &'a str,
    pub(super) socket: &'a Path,
}

/// The local command line with which the runner starts the program.
pub(super) fn command_line(runner: &Runner, remote: &RemoteEnv<'_>) -> Vec<String> {
    let text = |path: &Path| path.display().to_string();
    let mut env: Vec<(String, String)> =
        remote.env.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
    env.push(("BEADS_CONSOLE_SESSION".to_owned(), remote.session.to_owned()));
    env.push(("TERM".to_owned(), "xterm-256color".to_owned()));
    runner.command_line(&RunnerCall {
        program: &text(remote.program),
        args: remote.args,
        cwd: &text(remote.cwd),
        env: &env,
        session: remote.session,
        agent: remote.agent,
        socket: &text(remote.socket),
    })
}
