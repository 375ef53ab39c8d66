//! The settings that a claude of ours is started with: our hooks and the status line.
//!
//! They are given on the command line and add to the person's own; no file of claude's is written.

use crate::{hooks::EventName, paths::Places, shell_quote};
use serde_json::{Value, json};
use std::path::Path;

/// A permission request waits as long as a person may sleep: 24 hours, in seconds.
const PERMISSION_TIMEOUT: u32 = 86_400;
/// A tool's use waits for the person's own hooks, which may take their time. In seconds.
const TOOL_TIMEOUT: u32 = 600;
/// Everything else answers at once; this is for a machine under load. In seconds.
const USUAL_TIMEOUT: u32 = 30;

/// The program that hooks run: ours, told which event it is about.
#[derive(Debug, Clone)]
pub struct Relay<'a> {
    /// The absolute path of `beads-console`.
    pub program: &'a Path,
    /// Arguments before the event's name, `["hook"]`.
    pub args: &'a [&'a str],
}

impl Relay<'_> {
    /// The shell's command line for an event; `index` tells several hooks of one event apart.
    pub fn command(&self, event: EventName, index: Option<usize>) -> String {
        let mut words = vec![shell_quote(&self.program.to_string_lossy())];
        words.extend(self.args.iter().map(|arg| shell_quote(arg)));
        words.push(event.as_str().to_owned());
        words.extend(index.map(|index| index.to_string()));
        words.join(" ")
    }
}

/// What claude's `--settings` gets. `pieces` is how many SessionStart hooks there are, one for each
/// piece of context under 9,500 characters (claude cuts longer ones); at least one. `status_line` is
/// the person's own, see [`user_status_line`]: it still decides what is shown.
pub fn settings(relay: &Relay<'_>, pieces: usize, status_line: Option<&Value>) -> Value {
    let mut hooks = serde_json::Map::new();
    for event in EventName::HOOKED {
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

/// The person's own status line, from their settings. A project's own is not asked for: it would run
/// before the person trusted the project.
pub fn user_status_line(places: &Places) -> Option<Value> {
    let text = std::fs::read_to_string(places.user_settings()).ok()?;
    let settings: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let line = settings.get("statusLine")?;
    (line["type"] == "command" && line["command"].is_string()).then(|| line.clone())
}

/// Ours first, silent, then the person's with the same input. The shell is the one that claude runs
/// status lines with in any case.
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
    fn every_event_is_relayed_and_only_permission_waits_long() {
        let settings = settings(&relay("/opt/beads console/it's"), 3, None);
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

    #[cfg(unix)]
    #[test]
    fn the_persons_own_status_line_still_decides_what_is_shown() {
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
    #[allow(clippy::disallowed_methods)] // The person's file, as an editor writes it.
    fn a_status_line_is_taken_from_the_persons_settings_only_when_it_is_one() {
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
