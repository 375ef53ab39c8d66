//! Exports all of bd's beads, imports beads into bd, and uses bd's own remote.
//!
//! Undocumented behaviour: an import refuses unknown statuses and types, one at a time. A fresh clone has a
//! configuration but no database. `dolt push` answers in plain text, even if JSON is requested.

use super::{
    call::{CallError, Cli, Request, Turn},
    verify::{ask, explain},
};
use crate::{Direction, TrackerError, TrackerRemote, json};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, time::Duration};

/// The time limit for slow commands: a bootstrap, an import of ten thousand beads, a push or pull.
const LONG: Duration = Duration::from_secs(300);

/// The maximum number of unknown statuses and types that an import adds to bd's configuration.
const ADDED_MAX: usize = 40;

/// Every row of bd, without the memories of `bd remember`.
pub(crate) fn rows(cli: &Cli) -> Result<Vec<Map<String, Value>>, TrackerError> {
    let request = Request::new("export", ["export", "--all"]);
    let done = cli.turn().answer(&request).map_err(|error| explain(error, "bd", "export", None))?;
    let mut rows = Vec::new();
    for line in done.stdout.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let row: Map<String, Value> = serde_json::from_slice(line)
            .map_err(|_| cli.unreadable("export", &String::from_utf8_lossy(line)))?;
        if matches!(row.get("_type").and_then(Value::as_str), None | Some("issue")) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Imports rows, and memories of `bd remember`, into bd. Newer local rows are kept.
pub(crate) fn import(
    cli: &Cli,
    rows: &[Map<String, Value>],
    texts: &BTreeMap<String, String>,
) -> Result<(), TrackerError> {
    let cli = cli.patient(LONG);
    let turn = cli.turn();
    let rows = rows.iter().map(|row| Value::Object(row.clone()));
    let texts = texts.iter().map(|(key, text)| json!({"_type": "memory", "key": key, "value": text}));
    let lines: String = rows.chain(texts).map(|line| format!("{line}\n")).collect();
    // Bootstrap before the import: an import creates a partial database, which bootstrap would take for a
    // complete one.
    let listed = ask(&turn, &Request::new("list", ["list", "--limit=1", "--json"]), None);
    if matches!(listed, Err(TrackerError::DatabaseMissing { .. })) {
        let bootstrap = Request::new("bootstrap", ["bootstrap", "--yes"]);
        turn.answer(&bootstrap).map_err(|error| explain(error, "bd", "bootstrap", None))?;
    }
    let import = Request::new("import", ["import", "-", "--json"]).stdin(&lines);
    for _ in 0..ADDED_MAX {
        let refusal = match turn.ask(&import) {
            Ok(_) => return Ok(()),
            Err(CallError::Refused(refusal)) => refusal,
            Err(error) => return Err(explain(error, "bd", "import", None)),
        };
        let message = refusal.message.clone();
        let named = |mark: &str| message.split_once(mark).and_then(|(_, rest)| first_word(rest));
        if let Some(state) = named("invalid status: ") {
            let kind = if state == "in_review" { ":wip" } else { "" };
            add_to_config(&turn, "status.custom", &format!("{state}{kind}"))?;
        } else if let Some(kind) = named("invalid issue type: ") {
            add_to_config(&turn, "types.custom", &kind)?;
        } else {
            return Err(explain(CallError::Refused(refusal), "bd", "import", None));
        }
    }
    let said = format!("the backup has at least {ADDED_MAX} states and types that bd does not know");
    Err(TrackerError::Failed { program: "bd", operation: "import", said })
}

/// The first word of the text, if it can be added to bd's configuration.
fn first_word(text: &str) -> Option<String> {
    let is_part = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    let word: String = text.chars().take_while(is_part).collect();
    word.starts_with(|c: char| c.is_ascii_lowercase()).then_some(word)
}

/// Adds a word to a list in bd's configuration.
fn add_to_config(turn: &Turn<'_>, key: &'static str, word: &str) -> Result<(), TrackerError> {
    let known = ask(turn, &Request::new("config get", ["config", "get", key, "--json"]), None)?;
    let known = json::unwrapped(known);
    let known = known.get("value").and_then(Value::as_str).unwrap_or_default().trim_end_matches(',');
    let all = if known.is_empty() { word.to_owned() } else { format!("{known},{word}") };
    ask(turn, &Request::new("config set", ["config", "set", key, &all, "--json"]), None).map(drop)
}

pub(crate) fn remotes(cli: &Cli) -> Result<Vec<TrackerRemote>, TrackerError> {
    let request = Request::new("dolt remote list", ["dolt", "remote", "list", "--json"]);
    let value = match ask(&cli.turn(), &request, None) {
        Ok(value) => json::unwrapped(value),
        Err(TrackerError::DatabaseMissing { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let items = value.as_array().into_iter().flatten();
    Ok(items
        .filter_map(|item| Some(TrackerRemote { name: text(item, "name")?, url: text(item, "url")? }))
        .collect())
}

/// Pushes or pulls. Returns bd's output on one line.
pub(crate) fn sync(cli: &Cli, direction: Direction) -> Result<String, TrackerError> {
    let cli = cli.patient(LONG);
    let request = match direction {
        // Without the flag, bd would adopt git's remote as its own.
        Direction::Push => Request::new("dolt push", ["dolt", "push", "--no-adopt"]),
        Direction::Pull => Request::new("dolt pull", ["dolt", "pull"]),
    };
    let done = cli.turn().answer(&request).map_err(|error| explain(error, "bd", request.operation, None))?;
    let out = done.out();
    let said = match out.contains("No remote is configured") {
        true => "bd has no remote: add one with `bd dolt remote add origin URL`".to_owned(),
        false => out,
    };
    Ok(bc_core::text::cut(&bc_core::text::one_line(said.trim()), 300))
}
