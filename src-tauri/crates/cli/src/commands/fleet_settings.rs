//! `fleet settings`: shows, changes and resets settings.

use super::Context;
use crate::{
    args::FleetSettingsArgs,
    failure::Failure,
    output::{fleet_settings as show, settings::fields},
};
use bc_core::fleet::{FleetSettings, command_words};
use bc_wire::{ApiError, ErrorCode, project::Nothing};
use serde_json::{Map, Value, json};

/// The value that resets a setting.
const DEFAULT: &str = "default";
/// The field that contains the runners by name.
const RUNNERS: &str = "runners";

pub(super) fn run(args: &FleetSettingsArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let before = context.api.fleet_settings(Nothing {})?;
    let key = args.key.as_deref();
    if let Some(key) = key {
        known(key, &before)?;
    }
    let now = match key {
        Some(key) if !args.value.is_empty() => {
            context.api.fleet_set_settings(changed(&before, key, &args.value)?)?
        }
        _ => before,
    };
    context.print(&now, |now, style| match key {
        Some(key) => show::one(now, key),
        None => show::all(now, style),
    })
}

fn known(key: &str, settings: &FleetSettings) -> Result<(), Failure> {
    let fields = fields(settings);
    if fields.contains_key(key) || runner(key).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let text = format!("unknown fleet setting {key:?}");
    Err(ApiError::new(ErrorCode::Usage, text).hint(format!("valid settings: {}", names.join(", "))).into())
}

/// Splits `runners.NAME.probe` into the name and the field; `runners.NAME` means the field `command`.
fn runner(key: &str) -> Option<(&str, &str)> {
    let name = key.strip_prefix(RUNNERS)?.strip_prefix('.')?;
    let (name, field) = name.split_once('.').unwrap_or((name, "command"));
    let known = ["command", "probe", "program", "console"].contains(&field);
    (!name.is_empty() && known).then_some((name, field))
}

fn changed(before: &FleetSettings, key: &str, given: &[String]) -> Result<FleetSettings, Failure> {
    let taken_back = given.len() == 1 && given[0] == DEFAULT;
    let mut all = fields(before);
    if let Some((name, field)) = runner(key) {
        let (none, value) = match field {
            "program" | "console" => (Value::Null, one(given)?.into()),
            _ => (json!([]), list(given)?),
        };
        let runners = all.get_mut(RUNNERS).and_then(Value::as_object_mut);
        let runners = runners.ok_or_else(|| Failure::usage("settings always have runners"))?;
        match taken_back && field == "command" {
            true => drop(runners.remove(name)),
            false => {
                let runner = runners.entry(name).or_insert_with(|| json!({}));
                runner[field] = if taken_back { none } else { value };
            }
        }
        return read(key, all);
    }
    let default = fields(&FleetSettings::default()).remove(key).unwrap_or_default();
    let candidates = match &default {
        _ if taken_back => vec![default],
        Value::Array(_) => vec![list(given)?],
        Value::Object(_) => vec![
            one(given).and_then(|text| serde_json::from_str(text).map_err(|e| cannot_be(key, &e).into()))?,
        ],
        // The text can be a number, a switch or a word. The first value that fits the field's type is used.
        _ => typed(one(given)?),
    };
    let mut refused = None;
    for value in candidates {
        all.insert(key.to_owned(), value);
        match read(key, all.clone()) {
            Ok(settings) => return Ok(settings),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| Failure::usage("missing value")))
}

fn one(given: &[String]) -> Result<&str, Failure> {
    match given {
        [one] => Ok(one),
        _ => Err(Failure::usage("this setting takes one value, not a list")),
    }
}

/// The possible meanings of a value, most likely first.
fn typed(text: &str) -> Vec<Value> {
    let number = text.parse::<u64>().map(Value::from).or_else(|_| text.parse::<f64>().map(Value::from));
    let switch = match text {
        "on" | "yes" | "true" => Some(true.into()),
        "off" | "no" | "false" => Some(false.into()),
        _ => None,
    };
    number.ok().into_iter().chain(switch).chain([text.into()]).collect()
}

/// A list: separate arguments, or a single argument with a JSON array or a line of words.
fn list(given: &[String]) -> Result<Value, Failure> {
    match given {
        [one] if one.trim_start().starts_with('[') => {
            let words: Result<Vec<String>, _> = serde_json::from_str(one);
            words.map(Value::from).map_err(|e| Failure::usage(format!("invalid JSON array of words: {e}")))
        }
        [one] => {
            let words =
                command_words(one).map_err(|e| Failure::usage(format!("invalid command line: {e}")))?;
            Ok(words.into())
        }
        several => Ok(several.into()),
    }
}

fn read(key: &str, fields: Map<String, Value>) -> Result<FleetSettings, Failure> {
    serde_json::from_value(Value::Object(fields)).map_err(|e| cannot_be(key, &e).into())
}

fn cannot_be(key: &str, error: &serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Usage, format!("invalid value for {key}: {error}"))
        .hint("give on or off, a number, a word, or the words of a list; `default` resets the setting")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::{FakeProject, FakeUser};

    /// The settings sent for this command line, or the exit code.
    fn set(before: &FleetSettings, line: &[&str]) -> Result<FleetSettings, u8> {
        let fake = FakeProject::new().answers("fleet.settings", before).answers("fleet.set_settings", before);
        let line: Vec<&str> = ["fleet", "settings"].into_iter().chain(line.iter().copied()).collect();
        let ran = fake.run(&line, FakeUser::away());
        match ran.code {
            0 => Ok(serde_json::from_value(ran.calls[1].1.clone()).unwrap()),
            code => Err(code),
        }
    }

    #[test]
    fn setting_a_value_keeps_other_settings() {
        let before = FleetSettings { max_agents: 7, ..FleetSettings::default() };
        let set = |line: &[&str]| set(&before, line).unwrap();
        let with = |change: fn(&mut FleetSettings)| {
            let mut settings = before.clone();
            change(&mut settings);
            settings
        };
        assert_eq!(set(&["auto_dispatch", "on"]), with(|s| s.auto_dispatch = true));
        assert_eq!(set(&["max_agents", "default"]), FleetSettings::default());
        assert_eq!(set(&["cost_per_day_usd", "12.5"]), with(|s| s.cost_per_day_usd = Some(12.5)));
        assert_eq!(set(&["cost_per_day_usd", "12"]), with(|s| s.cost_per_day_usd = Some(12.0)));
        assert_eq!(set(&["model", "5"]), with(|s| s.model = Some("5".into())));
        let npm = with(|s| s.worktree_setup = vec!["npm".into(), "ci".into(), "--no-audit".into()]);
        for words in
            [&["npm ci --no-audit"][..], &["npm", "ci", "--no-audit"], &[r#"["npm","ci","--no-audit"]"#]]
        {
            assert_eq!(set(&[&["worktree_setup"], words].concat()), npm);
        }
    }

    #[test]
    fn runner_can_be_created_changed_and_removed() {
        let made = set(&FleetSettings::default(), &["runners.far", "ssh far -- {program} {args}"]).unwrap();
        assert_eq!(made.runners["far"].command, ["ssh", "far", "--", "{program}", "{args}"]);
        let probed = set(&made, &["runners.far.probe", "ssh", "far", "true"]).unwrap();
        assert_eq!(
            (&probed.runners["far"].command, probed.runners["far"].probe.len()),
            (&made.runners["far"].command, 3)
        );
        assert_eq!(set(&probed, &["runners.far", "default"]).unwrap(), FleetSettings::default());
        assert_eq!(set(&made, &["runners", r#"{"x":{"command":["{program}"]}}"#]).unwrap().runners.len(), 1);
    }

    #[test]
    fn invalid_values_change_nothing() {
        let before = FleetSettings::default();
        for line in [
            &["max_agents", "many"][..],
            &["max_agents", "-1"],
            &["auto_dispatch", "maybe"],
            &["auto_dispatch", "on", "off"],
            &["nothing", "1"],
            &["worktree_setup", "npm 'ci"],
            &["worktree_setup", "[1]"],
            &["runners", "[]"],
            &["runners.far.colour", "x"],
            &["merge_target", "-x"],
        ] {
            assert_eq!(set(&before, line), Err(2), "{line:?}");
        }
    }
}
