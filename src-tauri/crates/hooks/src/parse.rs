//! Parses a hooks file: `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"./x.sh", …}]}}`.
//!
//! Parsing is lenient: unknown events, invalid entries and values out of range only cause warnings. Only a
//! file that is not a JSON object with `hooks` is an error.

use bc_core::hooks::HookEvent;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, time::Duration};

/// The default time limit for a hook.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum time limit that a file can set.
const TIMEOUT_MAX: Duration = Duration::from_secs(600);
/// The maximum number of hooks for each event in a file.
const ENTRIES_MAX: usize = 50;

/// One hook as written in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub event: HookEvent,
    /// The command for /bin/bash.
    pub bash: Option<String>,
    pub powershell: Option<String>,
    /// The hook's working folder, relative to the file's folder.
    pub cwd: String,
    /// The hook's time limit, at most ten minutes.
    pub timeout: Duration,
    pub env: BTreeMap<String, String>,
    /// Whether the hook runs. The default is `true`.
    pub enabled: bool,
}

/// The content of a hooks file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    pub entries: Vec<Entry>,
    /// Messages for the user about entries that were skipped or corrected.
    pub warnings: Vec<String>,
}

/// Why a file is not a hooks file.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    #[error("it is not UTF-8 text")]
    NotText,
    #[error("it has a comment in line {line}, which JSON does not allow: remove it")]
    Comment {
        /// The first line with a comment.
        line: usize,
    },
    #[error("invalid JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    #[error("it is not a hooks file, which begins with {{\"version\":1,\"hooks\":{{")]
    NotHooks,
}

/// Parses a hooks file. Problems in single entries become warnings in the result.
pub fn parse(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ParseError::NotText)?;
    let text = text.trim_start_matches('\u{feff}');
    let value: Value = serde_json::from_str(text).map_err(|error| broken(text, error))?;
    let Some(hooks) = value.get("hooks").and_then(Value::as_object) else {
        return Err(ParseError::NotHooks);
    };
    let mut parsed = Parsed::default();
    match value.get("version") {
        Some(version) if *version == 1 => {}
        None => parsed.warnings.push("it has no version; it is read as version 1".to_owned()),
        Some(other) => parsed.warnings.push(format!("it has version {other}; it is read as version 1")),
    }
    for (name, entries) in hooks {
        match (HookEvent::parse(name), entries.as_array()) {
            (None, _) => parsed.warnings.push(format!("unknown hook type {name:?}; it is skipped")),
            (Some(event), None) => parsed.warnings.push(format!("{event} is not a list; it is skipped")),
            (Some(event), Some(entries)) => parsed.add(event, entries),
        }
    }
    Ok(parsed)
}

/// The error for invalid JSON. Comments are a common mistake, so they have a separate error.
fn broken(text: &str, error: serde_json::Error) -> ParseError {
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    match line.chars().nth(error.column().saturating_sub(1)) {
        Some('/' | '#') => ParseError::Comment { line: error.line() },
        _ => ParseError::NotJson(error),
    }
}

impl Parsed {
    fn add(&mut self, event: HookEvent, entries: &[Value]) {
        if entries.len() > ENTRIES_MAX {
            self.warnings.push(format!("{event} has more than {ENTRIES_MAX} hooks; the others are skipped"));
        }
        for (n, entry) in entries.iter().enumerate().take(ENTRIES_MAX) {
            let mut notes = Vec::new();
            match entry_of(event, entry, &mut notes) {
                Ok(entry) => self.entries.push(entry),
                Err(reason) => notes.push(format!("{reason}; it is skipped")),
            }
            self.warnings.extend(notes.into_iter().map(|note| format!("{event}, hook {}: {note}", n + 1)));
        }
    }
}

fn entry_of(event: HookEvent, value: &Value, notes: &mut Vec<String>) -> Result<Entry, String> {
    let entry = value.as_object().ok_or("it is not an object")?;
    match entry.get("type").map(|kind| kind.as_str().unwrap_or_default()) {
        Some("command") => {}
        None => return Err("it has no type; use \"command\"".to_owned()),
        Some(other) => return Err(format!("unknown type {other:?}; use \"command\"")),
    }
    let bash = text(entry, "bash")?;
    let powershell = text(entry, "powershell")?;
    if bash.is_none() && powershell.is_none() {
        return Err("it has neither a bash nor a powershell command".to_owned());
    }
    let enabled = match entry.get("enabled") {
        None => true,
        Some(Value::Bool(enabled)) => *enabled,
        Some(_) => return Err("its enabled is not a boolean".to_owned()),
    };
    Ok(Entry {
        event,
        bash,
        powershell,
        cwd: text(entry, "cwd")?.unwrap_or_else(|| ".".to_owned()),
        timeout: timeout(entry.get("timeoutSec"), notes)?,
        env: env(entry.get("env"))?,
        enabled,
    })
}

fn text(entry: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match entry.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.contains('\0') => {
            Err(format!("its {key} contains a NUL character"))
        }
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(format!("its {key} is not text")),
    }
}

fn timeout(value: Option<&Value>, notes: &mut Vec<String>) -> Result<Duration, String> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(TIMEOUT) };
    let seconds =
        value.as_f64().filter(|seconds| *seconds > 0.0).ok_or("its timeoutSec is not a number of seconds")?;
    if seconds > TIMEOUT_MAX.as_secs_f64() {
        notes.push(format!("its timeoutSec exceeds {}; the maximum is used", TIMEOUT_MAX.as_secs()));
        return Ok(TIMEOUT_MAX);
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn env(value: Option<&Value>) -> Result<BTreeMap<String, String>, String> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(BTreeMap::new()) };
    let fields = value.as_object().ok_or("its env is not an object")?;
    let mut env = BTreeMap::new();
    for (name, value) in fields {
        let value = value.as_str().ok_or_else(|| format!("its variable {name:?} is not text"))?;
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(format!("invalid variable {name:?}"));
        }
        env.insert(name.clone(), value.to_owned());
    }
    Ok(env)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(hooks: &str) -> Parsed {
        parse(format!("{{\"version\":1,\"hooks\":{hooks}}}").as_bytes()).unwrap()
    }

    #[test]
    fn the_documented_format_is_read() {
        let text = "\u{feff}{\"version\":1,\"hooks\":{\"sessionStart\":[{\"type\":\"command\",\"bash\":\"./x.sh\",\
                    \"powershell\":\"./x.ps1\",\"cwd\":\"..\",\"timeoutSec\":1.5,\"env\":{\"A\":\"b\"}}]}}";
        let parsed = parse(text.as_bytes()).unwrap();
        assert_eq!(parsed.warnings, [""; 0]);
        let [entry] = parsed.entries.as_slice() else { panic!("{parsed:?}") };
        assert_eq!((entry.event, entry.bash.as_deref()), (HookEvent::SessionStart, Some("./x.sh")));
        assert_eq!((entry.cwd.as_str(), entry.timeout), ("..", Duration::from_millis(1500)));
        assert_eq!(entry.env["A"], "b");
    }

    #[test]
    fn unknown_fields_only_cause_a_warning() {
        let good = r#"{"type":"command","bash":"true"}"#;
        let parsed = entries(&format!(
            r#"{{"onCoffee":[{good}],"preToolUse":[{good},7,{{"type":"http"}},{{"type":"command"}},
               {{"type":"command","bash":3}},{{"type":"command","bash":"x","env":{{"A=B":"c"}}}},
               {{"type":"command","bash":"x","timeoutSec":-1}},{good}],"sessionEnd":{{}}}}"#
        ));
        assert_eq!(parsed.entries.len(), 2);
        assert_eq!(parsed.warnings.len(), 8, "{:#?}", parsed.warnings);
        assert!(parsed.warnings[1].starts_with("preToolUse, hook 2: "), "{:?}", parsed.warnings);
    }

    #[test]
    fn an_excessive_timeout_is_limited_with_a_warning() {
        let parsed = entries(r#"{"sessionEnd":[{"type":"command","bash":"x","timeoutSec":86400}]}"#);
        assert_eq!((parsed.entries[0].timeout, parsed.warnings.len()), (TIMEOUT_MAX, 1));
    }

    /// A field that looks like an include must have no effect.
    #[test]
    fn includes_are_not_followed() {
        let good = r#"{"type":"command","bash":"true"}"#;
        let text = format!(
            r##"{{"version":1,"include":["hooks.json","other.json"],"extends":"hooks.json","$ref":"#",
               "hooks":{{"include":[{{"$ref":"hooks.json"}}],"sessionStart":[{good},{{"$ref":"#/hooks/sessionStart"}}]}}}}"##
        );
        let parsed = parse(text.as_bytes()).unwrap();
        assert_eq!(parsed.entries.len(), 1);
        assert!(!parsed.warnings.is_empty() && parsed.warnings.len() <= 5, "{:#?}", parsed.warnings);
    }

    #[test]
    fn a_comment_is_reported_with_its_line() {
        for text in ["{\n // why\n \"version\":1}", "{\n# why\n}", "{\n /* why */ \"version\":1}"] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(matches!(error, ParseError::Comment { line: 2 }), "{text}: {error}");
        }
    }

    #[test]
    fn an_invalid_hooks_file_is_an_error() {
        let deep = "[".repeat(100_000);
        for text in ["", "[]", "{}", "{\"hooks\":[]}", "nonsense", deep.as_str()] {
            assert!(parse(text.as_bytes()).is_err(), "{}", &text[..text.len().min(20)]);
        }
        assert!(matches!(parse(b"\xff\xfe{}"), Err(ParseError::NotText)));
    }
}
