//! A session as one document: readable Markdown, or the specification's `Session` as JSON.
//!
//! Messages are quoted, and tools' inputs and outputs are in fences longer than any in them. So neither can
//! break the surrounding document: no control characters, no raw HTML, no open fence that includes the next
//! message.

mod sanitize;

use crate::{
    Extra, Timestamp,
    context_pack::ContextPack,
    message::{Message, MessageKind, Role, ToolCall},
    session::{Meta, human_duration},
    text::{cut, grouped, one_line, plain},
};
use sanitize::{code, escaped, fenced, quoted};
use serde::Serialize;
use std::fmt::Write;

/// Options of the Markdown document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// Whether it contains the tools' outputs, or only their sizes.
    pub tool_output: bool,
}

/// The specification's `Session`: `meta.json` with its messages and its context pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionDocument<'a> {
    /// The session.
    #[serde(flatten)]
    pub meta: &'a Meta,
    /// The context pack, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_pack: Option<&'a ContextPack>,
}

impl SessionDocument<'_> {
    /// Separates two messages.
    pub const BETWEEN: &'static str = ",\n    ";

    /// The document with these messages, each one line of JSON, in parts of messages joined with
    /// [`Self::BETWEEN`]. They are not serialized here: a conversation may have hundreds of megabytes.
    ///
    /// # Errors
    ///
    /// `serde_json`'s, for what has no form in JSON.
    pub fn to_json(&self, messages: &[String]) -> Result<String, serde_json::Error> {
        let head = serde_json::to_string_pretty(self)?;
        let head = head.strip_suffix("\n}").unwrap_or(&head);
        let size: usize = messages.iter().map(|part| part.len() + Self::BETWEEN.len()).sum();
        let mut text = String::with_capacity(head.len() + size + 32);
        text.push_str(head);
        text.push_str(",\n  \"messages\": [");
        for (n, part) in messages.iter().enumerate() {
            text.push_str(if n == 0 { "\n    " } else { Self::BETWEEN });
            text.push_str(part);
        }
        text.push_str(if messages.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        Ok(text)
    }
}

/// The session as Markdown; an open active interval counts up to `now`.
pub fn markdown(meta: &Meta, messages: &[Message], now: Timestamp, options: MarkdownOptions) -> String {
    let title = meta.title.as_deref().map(one_line).filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| format!("Session {}", meta.id.short()));
    let mut parts = vec![format!("# {}", escaped(&cut(&title, 200))), facts(meta, messages, now)];
    if let Some(objective) = meta.objective.as_deref().filter(|text| !text.trim().is_empty()) {
        parts.push("## Objective".into());
        parts.push(quoted(objective));
    }
    for (heading, items) in [("Files touched", &meta.files_touched), ("Commits", &meta.commits)] {
        if !items.is_empty() {
            parts.push(format!("## {heading}"));
            parts.push(items.iter().map(|item| format!("- {}", code(item))).collect::<Vec<_>>().join("\n"));
        }
    }
    parts.push("## Conversation".into());
    if messages.is_empty() {
        parts.push("Nothing was said.".into());
    }
    for (n, message) in messages.iter().enumerate() {
        say(&mut parts, n + 1, message, meta.simulated, options);
    }
    parts.join("\n\n") + "\n"
}

fn facts(meta: &Meta, messages: &[Message], now: Timestamp) -> String {
    let state = match (meta.pause_reason, meta.close_reason) {
        (Some(reason), _) => format!("{} ({})", meta.status, words(reason.as_str())),
        (_, Some(reason)) => format!("{} ({})", meta.status, words(reason.as_str())),
        _ => meta.status.to_string(),
    };
    let name = |id: Option<String>| id.map_or_else(|| "none".to_owned(), |id| code(&id));
    let moment = |at: Option<Timestamp>| at.map(shown);
    let rows = [
        ("Session", Some(code(&meta.id.to_string()))),
        ("Bead", Some(name(meta.bead_id.clone().map(String::from)))),
        ("Agent", Some(name(meta.agent_id.clone().map(String::from)))),
        ("Branch", Some(name(meta.branch.clone().map(String::from)))),
        ("State", Some(state)),
        (
            "Simulated",
            meta.simulated.then(|| "yes: by the built-in simulated agent, not by Claude Code".to_owned()),
        ),
        ("Created", moment(Some(meta.created_at))),
        ("Started", moment(meta.started_at)),
        ("Paused", moment(meta.paused_at)),
        ("Closed", moment(meta.closed_at)),
        ("Active time", Some(human_duration(meta.active_ms(now)))),
        ("Messages", Some(messages.len().to_string())),
        ("Tokens", Some(meta.total_tokens.map_or_else(|| "unknown".to_owned(), grouped))),
        ("Cost", meta.cost_usd.filter(|cost| cost.is_finite()).map(|cost| format!("${cost:.2}"))),
        ("Files touched", Some(meta.files_touched.len().to_string())),
        ("Commits", Some(meta.commits.len().to_string())),
    ];
    let mut table = "| Fact          | Value |\n|---------------|-------|".to_owned();
    for (label, value) in rows {
        if let Some(value) = value {
            write!(table, "\n| {label:<13} | {} |", value.replace('|', "\\|"))
                .expect("a String takes every write");
        }
    }
    table
}

fn say(parts: &mut Vec<String>, n: usize, message: &Message, simulated: bool, options: MarkdownOptions) {
    let mut heading = match message.role {
        Role::User => "User",
        Role::Assistant if simulated => "Simulated agent",
        Role::Assistant => "Claude",
        Role::System => "System",
    }
    .to_owned();
    if let Some(subagent) = &message.subagent {
        write!(heading, " (subagent {})", escaped(&cut(&one_line(subagent), 80)))
            .expect("a String takes every write");
    }
    if let Some(kind) = message.kind {
        write!(heading, " · {}", kind_words(kind)).expect("a String takes every write");
    }
    parts.push(format!("### {n}. {heading} · {}", shown(message.timestamp)));
    if !message.content.trim().is_empty() {
        parts.push(quoted(&message.content));
    }
    for call in message.tool_calls.iter().flatten() {
        use_tool(parts, call, options);
    }
}

fn use_tool(parts: &mut Vec<String>, call: &ToolCall, options: MarkdownOptions) {
    let mut line = format!("**Tool: {}**", escaped(&cut(&one_line(&call.tool), 80)));
    if let Some(ms) = call.duration_ms {
        let shown = if ms < 1000 { format!("{ms} ms") } else { human_duration(ms) };
        write!(line, " · {shown}").expect("a String takes every write");
    }
    if call.is_error {
        line.push_str(" · failed");
    }
    parts.push(line);
    if !call.input.is_empty() {
        parts.push(fenced(&input(&call.input)));
    }
    match &call.output {
        None => parts.push("No output yet.".into()),
        Some(output) if output.trim().is_empty() => parts.push("No output.".into()),
        Some(output) if options.tool_output => parts.extend(["Output:".into(), fenced(output)]),
        Some(output) => parts.push(format!("Output of {} lines left out.", output.lines().count())),
    }
}

/// `key: value` lines; a multi-line text is indented below its key.
fn input(input: &Extra) -> String {
    let mut out = String::new();
    for (key, value) in input {
        let value = value.as_str().map_or_else(|| value.to_string(), plain);
        let value = value.trim_end_matches('\n');
        if value.contains('\n') {
            let lines: Vec<_> = value.lines().map(|line| format!("    {line}")).collect();
            writeln!(out, "{}:\n{}", one_line(key), lines.join("\n")).expect("a String takes every write");
        } else {
            writeln!(out, "{}: {value}", one_line(key)).expect("a String takes every write");
        }
    }
    out
}

fn kind_words(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Compaction => "compaction",
        MessageKind::CompactionSummary => "summary after compaction",
        MessageKind::ApiError => "API error",
        MessageKind::Interrupted => "interrupted",
        MessageKind::LocalCommand => "local command",
        MessageKind::Attachment => "attachment",
        MessageKind::EarlierSummary => "earlier summary",
    }
}

fn words(word: &str) -> String {
    word.replace('_', " ")
}

fn shown(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S %:z").to_string()
}

#[cfg(test)]
mod tests;
