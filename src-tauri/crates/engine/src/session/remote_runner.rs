//! Builds the command line and environment of sessions whose program runs elsewhere, through a runner. The
//! host, its files and its terminal stay on this machine.

use crate::{context::Project, settings};
use bc_core::{
    fleet::{LOCAL_RUNNER, Runner, RunnerCall},
    session::Meta,
};
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

/// The local command line with which the runner starts the session's program.
pub(super) fn command_line(
    runner: &Runner,
    meta: &Meta,
    program: &Path,
    args: &[String],
    cwd: &Path,
    env: &[(String, Option<String>)],
    socket: &Path,
) -> Vec<String> {
    let text = |path: &Path| path.display().to_string();
    let session = meta.id.to_string();
    let mut env: Vec<(String, String)> =
        env.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
    env.push(("BEADS_CONSOLE_SESSION".to_owned(), session.clone()));
    env.push(("TERM".to_owned(), "xterm-256color".to_owned()));
    runner.command_line(&RunnerCall {
        program: &text(program),
        args,
        cwd: &text(cwd),
        env: &env,
        session: &session,
        agent: meta.agent_id.as_ref().map_or("", |name| name.as_str()),
        socket: &text(socket),
    })
}
