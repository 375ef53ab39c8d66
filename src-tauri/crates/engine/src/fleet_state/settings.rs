//! Checks and saves the fleet's settings.

use crate::{context::Context, places, settings, worktrees};
use bc_core::fleet::{FleetSettings, LOCAL_RUNNER};
use bc_wire::{ApiError, ErrorCode};

/// Checks and replaces the settings, and returns them. A changed worktree setup counts as allowed, because the user
/// wrote it.
pub(crate) fn set_settings(ctx: &Context, wanted: &FleetSettings) -> Result<FleetSettings, ApiError> {
    check(wanted)?;
    worktrees::check(&ctx.project, wanted)?;
    let before = settings::fleet(&ctx.project);
    let sessions = ctx.session_lock();
    settings::save_fleet(&ctx.project, &sessions, wanted)?;
    if wanted.worktree_setup != before.worktree_setup && !wanted.worktree_setup.is_empty() {
        worktrees::allow_current(ctx, &sessions, &wanted.worktree_setup)?;
    }
    Ok(settings::fleet(&ctx.project))
}

fn check(wanted: &FleetSettings) -> Result<(), ApiError> {
    let usage = |text: &str| Err(ApiError::new(ErrorCode::Usage, text));
    if wanted.state_dir.trim().is_empty() {
        return usage("the folder of the fleet's state must not be empty");
    }
    if wanted.cost_per_day_usd.is_some_and(|limit| !limit.is_finite() || limit < 0.0) {
        return usage("the daily cost limit must be at least 0");
    }
    if wanted.runners.contains_key(LOCAL_RUNNER) {
        return usage("`local` is reserved for this machine");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if let Some(name) = wanted.runners.keys().find(|name| name.is_empty() || !name.chars().all(plain)) {
        return usage(&format!("a runner's name may contain only letters, digits, - and _, not {name:?}"));
    }
    if wanted.runner != LOCAL_RUNNER && !wanted.runners.contains_key(&wanted.runner) {
        return usage(&format!("unknown runner {:?}", wanted.runner));
    }
    let known = places::list().places;
    for name in &wanted.places {
        if name != LOCAL_RUNNER && known.iter().all(|place| place.name != *name) {
            return Err(ApiError::new(ErrorCode::PlaceNotFound, format!("unknown place {name:?}"))
                .hint("add it first: `beads-console places add`; `local` is this machine"));
        }
    }
    if wanted.runner != LOCAL_RUNNER && !wanted.places.is_empty() {
        return usage("agents run at places or with a runner, not both");
    }
    for (name, runner) in &wanted.runners {
        runner.check().or_else(|bad| usage(&format!("invalid runner {name:?}: {bad}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::fleet::Runner;

    #[test]
    fn a_runner_without_a_command_is_refused() {
        let runner = |command: &[&str]| Runner {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            ..Runner::default()
        };
        let with = |runner| FleetSettings {
            runners: [("far".to_owned(), runner)].into(),
            runner: "far".to_owned(),
            ..FleetSettings::default()
        };
        assert!(check(&with(runner(&["ssh", "far", "{program}", "{args}"]))).is_ok());
        assert!(check(&with(runner(&["ssh", "far"]))).is_err());
        assert!(check(&with(runner(&[]))).is_err());
        let unknown = FleetSettings { runner: "far".to_owned(), ..FleetSettings::default() };
        assert!(check(&unknown).is_err());
    }
}
