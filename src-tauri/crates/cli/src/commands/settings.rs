//! `settings`: shows and changes the settings of the user or of a project.

use super::Context;
use crate::{
    args::{Setting, SettingsArgs},
    failure::Failure,
    io::Io,
    output::settings::{self, fields},
};
use bc_wire::{
    ApiError, ErrorCode,
    app::{Settings, SettingsChange},
    project::Nothing,
    session::NeedKind,
    settings::ProjectSettingsChange,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The value that resets a setting.
const DEFAULT: &str = "default";

/// Shows the settings in force in the project, or changes the project's own settings.
pub(super) fn of_project(args: &SettingsArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let shown = match (args.key, args.value.as_deref()) {
        (Some(key), Some(value)) => context.api.project_set_settings(project_change(key, value)?)?,
        _ => context.api.project_settings(Nothing {})?,
    };
    let key = args.key.map(Setting::name);
    if key.as_ref().is_some_and(|key| !fields(&shown.in_force).contains_key(key)) {
        return Err(Failure::usage("not a project setting; omit --project-only"));
    }
    context.print(&shown, |shown, style| settings::of_project(shown, key.as_deref(), style))
}

/// Shows or changes the user's settings. `keep` saves a change and returns the new settings.
pub(crate) fn of_user(
    args: &SettingsArgs,
    before: Settings,
    keep: impl FnOnce(SettingsChange) -> Result<Settings, ApiError>,
    json: bool,
    io: &mut dyn Io,
) -> Result<(), Failure> {
    let name = args.key.map(Setting::name);
    if name.as_ref().is_some_and(|name| !fields(&before).contains_key(name)) {
        return Err(Failure::usage("a project setting; add --project-only"));
    }
    let now = match (args.key, args.value.as_deref()) {
        (Some(key), Some(value)) => {
            let name = key.name();
            let value = match (key, value) {
                (_, DEFAULT) => fields(&Settings::default()).remove(&name).unwrap_or_default(),
                // These settings are text: for example, `off` is a log level, not a switch.
                (Setting::LogLevel | Setting::Editor | Setting::UpdateSource, text) => text.into(),
                (Setting::Notify, list) => kinds(list)?,
                (_, value) => typed(value),
            };
            keep(read(&name, json!({ &name: value }))?)?
        }
        _ => before,
    };
    super::context::print(&now, json, io, |now, style| settings::of_user(now, name.as_deref(), style))
}

/// Parses `all`, `none` or a list of notification kinds, separated by commas.
fn kinds(list: &str) -> Result<Value, Failure> {
    let chosen: Vec<&str> = match list {
        "all" => NeedKind::ALL.iter().map(|kind| kind.as_str()).collect(),
        "none" | "" => Vec::new(),
        list => list.split(',').map(str::trim).collect(),
    };
    let unknown = chosen.iter().find(|name| NeedKind::ALL.iter().all(|kind| kind.as_str() != **name));
    match unknown {
        Some(name) => {
            let known = NeedKind::ALL.map(NeedKind::as_str).join(", ");
            Err(Failure::usage(format!(
                "{name:?} is no kind of notification; give all, none, or some of {known}"
            )))
        }
        None => Ok(chosen.into()),
    }
}

fn project_change(key: Setting, value: &str) -> Result<ProjectSettingsChange, Failure> {
    let name = key.name();
    let change = match value {
        DEFAULT => json!({ "unset": [name] }),
        value => json!({ "set": { &name: typed(value) } }),
    };
    read(&name, change)
}

/// Converts `on`/`yes`/`true` and `off`/`no`/`false` to booleans and digits to a number. The rest is text.
fn typed(value: &str) -> Value {
    match value {
        "on" | "yes" | "true" => true.into(),
        "off" | "no" | "false" => false.into(),
        value => value.parse::<u32>().map_or_else(|_| value.into(), Value::from),
    }
}

fn read<T: DeserializeOwned>(key: &str, change: Value) -> Result<T, Failure> {
    serde_json::from_value(change).map_err(|e| {
        let error = ApiError::new(ErrorCode::Usage, format!("invalid value for {key}: {e}"));
        error
            .hint("give on or off, a number, or dark, light or system for the theme; `default` resets the setting")
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::{FakeProject, FakeUser};

    fn shown() -> Value {
        json!({
            "own": {"inactivity_minutes": 5},
            "in_force": {"single_active": false, "inactivity_minutes": 5, "comment_commits": true,
                "comment_files": true, "checkpoint_comments": true, "remind_after_turns": 8, "backup_at_end": true,
                "backup_push": false, "backup_transcripts": false, "reviews": true}
        })
    }

    #[test]
    fn project_setting_can_be_set_and_reset() {
        let fake =
            FakeProject::new().answers("project.set_settings", shown()).answers("project.settings", shown());
        for (value, sent) in [
            ("0", json!({"set": {"inactivity_minutes": 0}})),
            ("default", json!({"unset": ["inactivity_minutes"]})),
        ] {
            let ran =
                fake.run(&["settings", "--project-only", "inactivity_minutes", value], FakeUser::away());
            assert_eq!((ran.code, ran.out.as_str()), (0, "5\n"), "{}", ran.err);
            let params: ProjectSettingsChange = serde_json::from_value(ran.calls[0].1.clone()).unwrap();
            assert_eq!(params, serde_json::from_value(sent).unwrap());
        }
        let ran = fake.run(&["settings", "--project-only", "reviews", "maybe"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (2, 0), "{}", ran.err);
        let ran = fake.run(&["settings", "--project-only", "theme"], FakeUser::away());
        assert_eq!(ran.code, 2, "{}", ran.err);
    }

    fn set_of_user(key: Setting, value: &str) -> Result<Option<Settings>, u8> {
        let args = SettingsArgs { project_only: false, key: Some(key), value: Some(value.to_owned()) };
        let mut kept = None;
        let before = Settings { inactivity_minutes: 3, ..Settings::default() };
        let keep = |change: SettingsChange| {
            let settings = before.clone().with(change);
            kept = Some(settings.clone());
            Ok(settings)
        };
        let done = of_user(&args, before.clone(), keep, true, &mut FakeUser::away());
        done.map(|()| kept)
            .map_err(|failure| crate::usage::conclude(Err(failure), true, &mut FakeUser::away()))
    }

    #[test]
    fn user_setting_is_saved_and_others_stay() {
        let kept = set_of_user(Setting::EnterSends, "off").unwrap().unwrap();
        assert_eq!((kept.enter_sends, kept.inactivity_minutes), (false, 3));
        let some = set_of_user(Setting::Notify, "turn, question").unwrap().unwrap();
        assert_eq!(some.notify, [NeedKind::Question, NeedKind::Turn]);
        assert!(set_of_user(Setting::Notify, "none").unwrap().unwrap().notify.is_empty());
        assert_eq!(set_of_user(Setting::InactivityMinutes, "default").unwrap().unwrap(), Settings::default());
        for (key, value) in [
            (Setting::Theme, "blue"),
            (Setting::EnterSends, "5"),
            (Setting::InactivityMinutes, "-1"),
            (Setting::Reviews, "on"),
            (Setting::Notify, "turn,nothing"),
        ] {
            assert_eq!(set_of_user(key, value), Err(2), "{key:?} {value}");
        }
    }
}
