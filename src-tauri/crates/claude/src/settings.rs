//! The settings that claude is started with: our hooks, as commands that reach the session's host.

use crate::paths::ClaudeHome;
use serde_json::{Map, Value, json};
use std::path::Path;

/// How long a permission request may wait for a person, in seconds: a day.
const PERMISSION_TIMEOUT: u32 = 86_400;
/// How long any other hook may take, in seconds.
const TIMEOUT: u32 = 30;

/// The events that the host wants to hear of, SessionStart aside.
const EVENTS: [&str; 15] = [
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "PermissionDenied",
    "Notification",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "MessageDisplay",
    "SessionEnd",
];

/// The `--settings` of a session: hooks that run `<console> hook EVENT`, one SessionStart entry for each
/// piece of context (at least one), and a status line that tells the host of cost and context. `home` is
/// where the user's own status line is looked up, so that it still shows.
pub fn for_session(console: &Path, pieces: usize, home: Option<&ClaudeHome>) -> Value {
    let program = quoted(&console.to_string_lossy());
    let entry = |event: &str, index: Option<usize>, timeout: u32| {
        let index = index.map(|i| format!(" {i}")).unwrap_or_default();
        let command = format!("{program} hook {event}{index}");
        json!({"hooks": [{"type": "command", "command": command, "timeout": timeout}]})
    };
    let starts: Vec<Value> =
        (0..pieces.max(1)).map(|index| entry("SessionStart", Some(index), TIMEOUT)).collect();
    let mut hooks = Map::new();
    hooks.insert("SessionStart".to_owned(), starts.into());
    for event in EVENTS {
        let timeout = if event == "PermissionRequest" { PERMISSION_TIMEOUT } else { TIMEOUT };
        hooks.insert(event.to_owned(), json!([entry(event, None, timeout)]));
    }
    let mut settings = json!({"hooks": hooks});
    if home.and_then(own_status_line).is_none() {
        settings["statusLine"] = json!({"type": "command", "command": format!("{program} hook StatusLine")});
    }
    settings
}

/// The user's own status line, which is left in its place.
fn own_status_line(home: &ClaudeHome) -> Option<Value> {
    let text = bc_store::file::read(&home.folder.join("settings.json")).ok()??;
    let settings: Value = serde_json::from_slice(&text).ok()?;
    settings.get("statusLine").filter(|line| line.is_object()).cloned()
}

/// A word of a command line for the shell that claude runs hooks with.
#[cfg(not(windows))]
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A word of a command line for the shell that claude runs hooks with.
#[cfg(windows)]
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', ""))
}
