//! The settings of a claude process: this program's hooks and status line.
//!
//! The settings are passed on the command line and are added to the user's own. None of claude's files are
//! changed.

use crate::{hooks::EventName, paths::Places, shell_quote, version::Version};
use serde_json::{Value, json};
use std::path::Path;

/// The time limit for a permission request, in seconds: 24 hours, so that a request can wait for the user
/// overnight.
const PERMISSION_TIMEOUT: u32 = 86_400;
/// The time limit in seconds for a PreToolUse hook, which waits until the user's lifecycle hooks have run.
const TOOL_TIMEOUT: u32 = 600;
/// The time limit for other hooks, in seconds. It is longer than the relay's own wait for an answer, even on
/// a machine under load.
const USUAL_TIMEOUT: u32 = 30;

/// The command that claude runs as its hooks: this program, with the event's name as an argument.
#[derive(Debug, Clone)]
pub struct Relay<'a> {
    /// The absolute path of `beads-console`.
    pub program: &'a Path,
    /// Arguments before the event's name, `["hook"]`.
    pub args: &'a [&'a str],
}

impl Relay<'_> {
    /// The shell command line for an event. If an event has several hooks, `index` identifies the hook.
    pub fn command(&self, event: EventName, index: Option<usize>) -> String {
        let mut words = vec![shell_quote(&self.program.to_string_lossy())];
        words.extend(self.args.iter().map(|arg| shell_quote(arg)));
        words.push(event.as_str().to_owned());
        words.extend(index.map(|index| index.to_string()));
        words.join(" ")
    }
}

/// The value of `--settings` for this version of claude. It contains only hook events that the version
/// supports, because versions before 2.1.152 stop with a dialog about unknown events. `pieces` is the number
/// of SessionStart hooks, at least one. Each of them returns one share of the context, because claude
/// truncates long contexts. `status_line` is the user's own status line (see [`user_status_line`]), which
/// still determines the displayed text.
pub fn settings(relay: &Relay<'_>, version: Version, pieces: usize, status_line: Option<&Value>) -> Value {
    let mut hooks = serde_json::Map::new();
    for event in EventName::HOOKED.into_iter().filter(|event| version.knows(*event)) {
        let timeout = match event {
            EventName::PermissionRequest => PERMISSION_TIMEOUT,
            EventName::PreToolUse => TOOL_TIMEOUT,
            _ => USUAL_TIMEOUT,
        };
        let hook =
            |index| json!({"type": "command", "command": relay.command(event, index), "timeout": timeout});
        let entries: Vec<Value> = match event {
            EventName::SessionStart => {
                (0..pieces.max(1)).map(|piece| json!({"hooks": [hook(Some(piece))]})).collect()
            }
            _ => vec![json!({"hooks": [hook(None)]})],
        };
        hooks.insert(event.as_str().to_owned(), Value::Array(entries));
    }
    json!({"hooks": hooks, "statusLine": chained(&relay.command(EventName::StatusLine, None), status_line)})
}

/// The user's own status line, from their settings. A project's status line is not used, because it would run
/// before the user has trusted the project.
pub fn user_status_line(places: &Places) -> Option<Value> {
    let text = crate::foreign_files::settings(&places.user_settings(), false)?;
    let settings: Value = serde_json::from_str(&text).ok()?;
    let line = settings.get("statusLine")?;
    (line["type"] == "command" && line["command"].is_string()).then(|| line.clone())
}

/// The status line that runs this program's command, without output, and then the user's command with the
/// same input, in the shell that claude uses for status lines.
fn chained(ours: &str, own: Option<&Value>) -> Value {
    let Some((own, command)) = own.and_then(|own| Some((own, own["command"].as_str()?))) else {
        return json!({"type": "command", "command": ours});
    };
    let mut line = own.clone();
    let both = format!(
        "input=$(cat); printf '%s' \"$input\" | {ours} >/dev/null 2>&1; printf '%s' \"$input\" | (\n{command}\n)"
    );
    line["command"] = Value::String(both);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relay<'a>(program: &'a str) -> Relay<'a> {
        Relay { program: Path::new(program), args: &["hook"] }
    }

    #[test]
    fn every_event_is_relayed_and_only_permission_requests_have_a_long_timeout() {
        let settings = settings(&relay("/opt/beads console/it's"), Version::NEWEST, 3, None);
        let hooks = settings["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), EventName::HOOKED.len());
        assert_eq!(hooks["SessionStart"].as_array().unwrap().len(), 3);
        assert_eq!(
            hooks["SessionStart"][2]["hooks"][0]["command"],
            r"'/opt/beads console/it'\''s' hook SessionStart 2"
        );
        assert_eq!(hooks["Stop"][0]["hooks"][0]["timeout"], USUAL_TIMEOUT);
        assert_eq!(hooks["PermissionRequest"][0]["hooks"][0]["timeout"], PERMISSION_TIMEOUT);
        assert!(!hooks.contains_key("StatusLine"));
        assert_eq!(settings["statusLine"]["command"], r"'/opt/beads console/it'\''s' hook StatusLine");
    }

    #[test]
    fn settings_contain_only_hook_events_that_the_version_knows() {
        let events = |version| {
            let settings = settings(&relay("/opt/beads-console"), version, 1, None);
            settings["hooks"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        let all = EventName::HOOKED.len();
        for (patch, display) in [(150, false), (152, true), (330, true)] {
            let events = events(Version::new(2, 1, patch));
            assert_eq!(events.contains(&"MessageDisplay".to_owned()), display, "2.1.{patch}");
            assert_eq!(events.len(), if display { all } else { all - 1 });
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_users_status_line_is_still_shown() {
        let dir = tempfile::tempdir().unwrap();
        let seen = dir.path().join("seen");
        let ours = format!("tee {} ", shell_quote(&seen.to_string_lossy()));
        let own = json!({"type": "command", "command": "sed s/a/b/ # mine", "padding": 2});
        let line = chained(&ours, Some(&own));
        assert_eq!(line["padding"], 2);
        let command = line["command"].as_str().unwrap();
        let done =
            bc_process::run::Program::new("/bin/sh").args(["-c", command]).stdin("{\"a\":1}").run().unwrap();
        assert_eq!(done.out(), "{\"b\":1}");
        assert_eq!(std::fs::read_to_string(seen).unwrap(), "{\"a\":1}");
    }

    #[test]
    #[allow(clippy::disallowed_methods)] // The test writes the file as an editor does.
    fn only_a_valid_status_line_in_the_users_settings_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let env: crate::paths::Env = [("CLAUDE_CONFIG_DIR", dir.path())].into_iter().collect();
        let places = Places::of(&env).unwrap();
        assert_eq!(user_status_line(&places), None);
        let check = |text: &str, expect: bool| {
            std::fs::write(places.user_settings(), text).unwrap();
            assert_eq!(user_status_line(&places).is_some(), expect, "{text}");
        };
        check("\u{feff}{\"statusLine\":{\"type\":\"command\",\"command\":\"x\"}}", true);
        check("{\"statusLine\":{\"type\":\"command\"}}", false);
        check("{broken", false);
    }
}
