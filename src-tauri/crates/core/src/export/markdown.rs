//! The document as Markdown that reads well without rendering.
//!
//! Untrusted text cannot change the document's structure. Prompts are quoted, answers cannot affect the text
//! after them ([`prose`]), and tool input and output are in fences longer than any fence in them.

use super::{
    document::{Block, Fact, Pause, moment, pause_words},
    prose::prose,
    sanitize::{code, escaped, fenced_as, quoted},
    session::Document,
    tool_block::{FOLD, Output, Part, ToolBlock},
};
use crate::{
    message::Message,
    text::{cut, one_line},
};
use std::ops::Range;

/// The maximum length of a heading, in characters.
const HEADING: usize = 100;

/// Renders the session as Markdown.
pub fn markdown(document: &Document<'_>) -> String {
    let files = document.files();
    let mut out = String::from("---\n");
    yaml(&mut out, "title", &document.title());
    for (label, fact) in document.facts(&files) {
        match fact {
            Fact::Text(text) => yaml(&mut out, label, &text),
            Fact::Number(_, number) => out.push_str(&format!("{label}: {number}\n")),
            Fact::Time(at) => out.push_str(&format!("{label}: {}\n", at.to_rfc3339())),
        }
    }
    out.push_str("---");
    part(&mut out, &format!("# {}", escaped(&document.title())));
    if let Some(objective) = document.objective() {
        part(&mut out, "## Objective");
        part(&mut out, &quoted(objective));
    }
    list(&mut out, "Changed files", files.changed.iter().map(|path| code(path)));
    list(&mut out, "Files read", files.read.iter().map(|path| code(path)));
    let commit = |commit: &crate::work::CommitLine| {
        let subject = escaped(&cut(&commit.subject, 200));
        format!("{} {subject}", code(commit.short())).trim_end().to_owned()
    };
    list(&mut out, "Commits", document.commits.iter().map(commit));
    part(&mut out, "## Conversation");
    if document.messages.is_empty() {
        part(&mut out, "No messages.");
    }
    for part in document.rendered(|range, pauses| conversation(document, range, pauses)) {
        out.push_str(&part);
    }
    out.push('\n');
    out
}

fn conversation(document: &Document<'_>, range: Range<usize>, pauses: &[Pause]) -> String {
    let agent = if document.meta.simulated { "Simulated agent" } else { "Claude" };
    let mut out = String::new();
    document.blocks(range, pauses, |block| match block {
        Block::Prompt(message) => prompt(&mut out, message),
        Block::Answer(message) => {
            if let Some(subagent) = &message.subagent {
                let name = escaped(&cut(&one_line(subagent), 80));
                part(&mut out, &format!("*{agent}, subagent {name}, {}*", moment(message.timestamp)));
            }
            part(&mut out, &prose(&message.content));
            if message.partial {
                part(&mut out, "*(incomplete)*");
            }
        }
        Block::Note(message, words) => note(&mut out, message, words),
        Block::Tool(tool) => tool_block(&mut out, &tool),
        Block::Pause(from, to) => part(&mut out, &format!("---\n\n*{}*", pause_words(from, to))),
    });
    out
}

fn part(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str("\n\n");
        out.push_str(text);
    }
}

fn yaml(out: &mut String, label: &str, text: &str) {
    // A JSON string is also a valid YAML string.
    out.push_str(&format!("{label}: {}\n", serde_json::Value::from(one_line(text))));
}

fn list(out: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let lines: Vec<String> = items.map(|item| format!("- {item}")).collect();
    if !lines.is_empty() {
        part(out, &format!("## {heading}"));
        part(out, &lines.join("\n"));
    }
}

fn prompt(out: &mut String, message: &Message) {
    let text = message.content.trim();
    let first = one_line(text.lines().next().unwrap_or_default());
    part(out, &format!("### {}", escaped(&cut(&first, HEADING))));
    let who = message.subagent.as_ref().map_or_else(
        || "User".to_owned(),
        |subagent| format!("To subagent {}", escaped(&cut(&one_line(subagent), 80))),
    );
    part(out, &format!("*{who}, {}*", moment(message.timestamp)));
    if text.lines().count() > 1 || first.chars().count() > HEADING {
        part(out, &quoted(text));
    }
}

fn note(out: &mut String, message: &Message, words: &str) {
    part(out, &format!("*{words}, {}*", moment(message.timestamp)));
    let text = message.content.trim();
    if text.lines().count() > FOLD {
        part(out, &folded(&lines_of("Text", text), &quoted(text)));
    } else if !text.is_empty() {
        part(out, &quoted(text));
    }
}

fn tool_block(out: &mut String, tool: &ToolBlock<'_>) {
    let mut line = format!("**{}**", escaped(&tool.tool));
    if !tool.subject.is_empty() {
        line.push_str(&format!(" {}", code(&tool.subject)));
    }
    line.extend(tool.duration.as_ref().map(|duration| format!(" · {duration}")));
    line.push_str(if tool.failed { " · failed" } else { "" });
    part(out, &line);
    for one in &tool.parts {
        match one {
            Part::Code(text) => fence(out, "text", "Input", text),
            Part::Diff(text) => fence(out, "diff", "Change", text),
        }
    }
    match tool.output {
        Output::Missing => part(out, "No output yet."),
        Output::Empty => part(out, "No output."),
        Output::Text(text) => fence(out, "text", "Output", text),
        Output::LeftOut(lines) => part(out, &format!("Output of {lines} lines left out.")),
    }
}

fn fence(out: &mut String, language: &str, label: &str, text: &str) {
    let fenced = fenced_as(language, text);
    match text.lines().count() > FOLD {
        true => part(out, &folded(&lines_of(label, text), &fenced)),
        false => part(out, &fenced),
    }
}

fn lines_of(label: &str, text: &str) -> String {
    format!("{label}, {} lines", text.lines().count())
}

/// Text that is collapsed at first. `summary` is not escaped, so it must not contain untrusted text.
fn folded(summary: &str, text: &str) -> String {
    format!("<details><summary>{summary}</summary>\n\n{text}\n\n</details>")
}
