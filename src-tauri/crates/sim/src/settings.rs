//! The hooks in the value of `--settings`, in claude's format.

use serde_json::Value;
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

/// Claude's default time limit for a hook.
const TIMEOUT: Duration = Duration::from_secs(600);

#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("{} could not be read: {source}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("invalid JSON: {0}")]
    Json(serde_json::Error),
}

/// One command of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hook {
    matcher: String,
    pub(crate) command: String,
    pub(crate) timeout: Duration,
}

/// The commands of every event, in file order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    hooks: BTreeMap<String, Vec<Hook>>,
}

impl Settings {
    /// Parses the settings. `text` is either the settings themselves or the path of a settings file.
    pub(crate) fn read(text: &str) -> Result<Settings, SettingsError> {
        if text.trim_start().starts_with('{') {
            return Settings::parse(text);
        }
        let path = PathBuf::from(text);
        match std::fs::read_to_string(&path) {
            Ok(text) => Settings::parse(&text),
            Err(source) => Err(SettingsError::Read { path, source }),
        }
    }

    fn parse(text: &str) -> Result<Settings, SettingsError> {
        let value: Value = serde_json::from_str(text).map_err(SettingsError::Json)?;
        let mut settings = Settings::default();
        let events = value.get("hooks").and_then(Value::as_object);
        for (event, groups) in events.into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let matcher = group.get("matcher").and_then(Value::as_str).unwrap_or("").to_owned();
                let entries = group.get("hooks").and_then(Value::as_array);
                let hooks = entries.into_iter().flatten().filter_map(|entry| hook(entry, &matcher));
                settings.hooks.entry(event.clone()).or_default().extend(hooks);
            }
        }
        Ok(settings)
    }

    /// The commands for an event. `subject` is the text that matchers are compared with, such as a tool's
    /// name or a source.
    pub(crate) fn of(&self, event: &str, subject: &str) -> Vec<Hook> {
        let all = self.hooks.get(event).into_iter().flatten();
        all.filter(|hook| matches(&hook.matcher, subject)).cloned().collect()
    }
}

fn hook(entry: &Value, matcher: &str) -> Option<Hook> {
    if entry.get("type").and_then(Value::as_str) != Some("command") {
        return None;
    }
    let command = entry.get("command")?.as_str()?.to_owned();
    let timeout = entry.get("timeout").and_then(Value::as_u64).map_or(TIMEOUT, Duration::from_secs);
    Some(Hook { matcher: matcher.to_owned(), command, timeout })
}

/// Whether a matcher matches. Claude accepts regular expressions; this program supports only names, lists
/// with `|`, and `*`.
fn matches(matcher: &str, subject: &str) -> bool {
    matcher.is_empty() || matcher == "*" || matcher.split('|').any(|name| name.trim() == subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_by_event_and_subject() {
        let settings = Settings::read(
            r#"{"model":"x","hooks":{
                "PreToolUse":[{"matcher":"Write|Edit","hooks":[{"type":"command","command":"a","timeout":5}]},
                              {"hooks":[{"type":"command","command":"b"},{"type":"http","url":"x"}]}]}}"#,
        )
        .unwrap();
        let commands = |event, subject| -> Vec<String> {
            settings.of(event, subject).into_iter().map(|hook| hook.command).collect()
        };
        assert_eq!(commands("PreToolUse", "Edit"), ["a", "b"]);
        assert_eq!(commands("PreToolUse", "Bash"), ["b"]);
        assert_eq!(commands("Stop", ""), Vec::<String>::new());
        assert_eq!(settings.of("PreToolUse", "Write")[0].timeout, Duration::from_secs(5));
    }

    #[test]
    fn settings_that_cannot_be_read_are_refused() {
        assert!(matches!(Settings::read("{broken"), Err(SettingsError::Json(_))));
        assert!(matches!(Settings::read("/nowhere/settings.json"), Err(SettingsError::Read { .. })));
    }
}
