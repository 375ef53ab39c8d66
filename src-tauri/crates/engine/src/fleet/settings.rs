//! The user's fleet settings: a part of the project's own settings.

use crate::{engine::Engine, project::Project, project_settings, worktrees};
use bc_core::fleet::{FleetSettings, LOCAL_RUNNER};
use bc_wire::{ApiError, ErrorCode};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The name of the part.
const PART: &str = "fleet";

/// The settings. A field that cannot be read gets its default; other fields are unaffected.
pub(crate) fn settings(project: &Project) -> FleetSettings {
    match project_settings::part(project, PART) {
        Some(Value::Object(fields)) => readable(fields),
        _ => FleetSettings::default(),
    }
}

/// Replaces the settings.
pub(crate) fn set_settings(engine: &Engine, wanted: &FleetSettings) -> Result<FleetSettings, ApiError> {
    check(wanted)?;
    worktrees::check(&engine.project, wanted)?;
    let before = settings(&engine.project);
    let _sessions = engine.session_lock();
    let value = serde_json::to_value(wanted).expect("settings have string keys");
    project_settings::keep_part(&engine.project, PART, value)?;
    if wanted.worktree_setup != before.worktree_setup && !wanted.worktree_setup.is_empty() {
        worktrees::allow_as_it_is(engine, &wanted.worktree_setup)?;
    }
    Ok(settings(&engine.project))
}

fn readable(mut fields: Map<String, Value>) -> FleetSettings {
    // Usually all fields are readable.
    if let Ok(all) = FleetSettings::deserialize(&fields) {
        return all;
    }
    fields.retain(|key, value| {
        let alone = Value::Object([(key.clone(), value.clone())].into_iter().collect());
        serde_json::from_value::<FleetSettings>(alone).is_ok()
    });
    serde_json::from_value(Value::Object(fields)).unwrap_or_default()
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
    for (name, runner) in &wanted.runners {
        runner.check().or_else(|bad| usage(&format!("invalid runner {name:?}: {bad}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::fleet::Runner;
    use serde_json::json;

    #[test]
    fn a_field_that_cannot_be_read_costs_no_other() {
        let Value::Object(fields) = json!({"max_agents": "many", "auto_dispatch": true, "later": 1}) else {
            unreachable!()
        };
        let read = readable(fields);
        assert_eq!(read, FleetSettings { auto_dispatch: true, ..FleetSettings::default() });
    }

    #[test]
    fn a_runner_that_runs_nothing_is_refused() {
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
