//! Formats a tool call for an export: its subject, its input as text or a diff, and its output.

use super::session::Document;
use crate::{
    Extra,
    message::ToolCall,
    session::human_duration,
    text::{cut, one_line, plain},
};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;

/// Text with more lines than this is folded.
pub(super) const FOLD: usize = 12;
/// If the old and the new text together have more bytes than this, they are not compared line by line.
const COMPARED: usize = 200_000;
/// The input fields that contain a tool's file.
const FILE_KEYS: [&str; 2] = ["file_path", "notebook_path"];

#[derive(Debug)]
pub(super) struct ToolBlock<'a> {
    pub(super) tool: String,
    /// The call's path, pattern, URL, query or description, on one line; empty without any of these.
    pub(super) subject: String,
    pub(super) duration: Option<String>,
    pub(super) failed: bool,
    /// The command, the requested change, or the fields that the subject does not show.
    pub(super) parts: Vec<Part<'a>>,
    pub(super) output: Output<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// A command, or the remaining fields as text.
    Code(std::borrow::Cow<'a, str>),
    /// A diff with a sign before each line.
    Diff(String),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Output<'a> {
    /// The call has no result yet.
    Missing,
    Empty,
    Text(&'a str),
    /// The output is omitted; this is its number of lines.
    LeftOut(usize),
}

impl<'a> ToolBlock<'a> {
    pub(super) fn of(call: &'a ToolCall, document: &Document<'_>) -> ToolBlock<'a> {
        let path = file_of(call);
        let (subject, parts) = match (call.tool.as_str(), path) {
            ("Edit" | "MultiEdit" | "Write" | "NotebookEdit", Some(path)) => {
                (document.relative(path), vec![Part::Diff(difference(&call.input))])
            }
            (_, Some(path)) => (document.relative(path), rest(&call.input, &FILE_KEYS)),
            _ => command_or_input(call, document),
        };
        let output = match &call.output {
            None => Output::Missing,
            Some(output) if output.trim().is_empty() => Output::Empty,
            Some(output) if document.tool_output => Output::Text(output),
            Some(output) => Output::LeftOut(output.lines().count()),
        };
        let parts = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let duration =
            call.duration_ms.map(|ms| if ms < 1000 { format!("{ms} ms") } else { human_duration(ms) });
        let tool = cut(&one_line(&call.tool), 80);
        ToolBlock { tool, subject: cut(&subject, 200), duration, failed: call.is_error, parts, output }
    }
}

/// The path of the file that the call reads or edits, if any.
pub(super) fn file_of(call: &ToolCall) -> Option<&str> {
    FILE_KEYS.iter().find_map(|key| call.input.get(*key)?.as_str())
}

impl Part<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Part::Code(text) => text.trim().is_empty(),
            Part::Diff(text) => text.is_empty(),
        }
    }
}

fn command_or_input<'a>(call: &'a ToolCall, document: &Document<'_>) -> (String, Vec<Part<'a>>) {
    let text = |key: &str| call.input.get(key).and_then(|value| value.as_str());
    if let Some(command) = text("command") {
        return (one_line(text("description").unwrap_or_default()), vec![Part::Code(command.into())]);
    }
    let named =
        ["path", "pattern", "url", "query", "description"].iter().find_map(|key| Some((*key, text(key)?)));
    match named {
        Some((key, value)) => (document.relative(value), rest(&call.input, &[key])),
        None => (String::new(), rest(&call.input, &[])),
    }
}

/// Formats the remaining fields as `key: value` lines. A multi-line string is indented below its key.
fn rest<'a>(input: &Extra, without: &[&str]) -> Vec<Part<'a>> {
    let mut out = String::new();
    for (key, value) in input.iter().filter(|(key, _)| !without.contains(&key.as_str())) {
        let value = value.as_str().map_or_else(|| value.to_string(), plain);
        let value = value.trim_end_matches('\n');
        if value.contains('\n') {
            let lines: Vec<_> = value.lines().map(|line| format!("    {line}")).collect();
            writeln!(out, "{}:\n{}", one_line(key), lines.join("\n"))
                .expect("writing to a String cannot fail");
        } else {
            writeln!(out, "{}: {value}", one_line(key)).expect("writing to a String cannot fail");
        }
    }
    vec![Part::Code(out.into())]
}

/// The change that an editing tool requested, as a diff.
fn difference(input: &Extra) -> String {
    let text = |value: &serde_json::Value, key: &str| {
        value.get(key).and_then(|text| text.as_str()).map(plain).unwrap_or_default()
    };
    let edit = |of: &serde_json::Value| compared(&text(of, "old_string"), &text(of, "new_string"));
    let whole = serde_json::Value::Object(input.clone());
    if let Some(edits) = input.get("edits").and_then(|edits| edits.as_array()) {
        return edits.iter().map(edit).collect::<Vec<_>>().join("\n");
    }
    let added = ["content", "new_source"].iter().find_map(|key| input.get(*key)?.as_str());
    match added {
        Some(added) => compared("", &plain(added)),
        None => edit(&whole),
    }
}

fn compared(old: &str, new: &str) -> String {
    let mut out = String::new();
    let mut line = |tag: ChangeTag, text: &str| {
        writeln!(out, "{tag}{}", text.trim_end_matches('\n')).expect("writing to a String cannot fail");
    };
    if old.is_empty() || new.is_empty() || old.len() + new.len() > COMPARED {
        old.lines().for_each(|text| line(ChangeTag::Delete, text));
        new.lines().for_each(|text| line(ChangeTag::Insert, text));
    } else {
        let changes = TextDiff::from_lines(old, new);
        for change in changes.iter_all_changes() {
            line(change.tag(), change.value());
        }
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}
