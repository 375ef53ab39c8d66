//! Determines the model's response to a request.

use super::{AFTER_TOOLS, BEFORE_TOOLS, REPLY, SUMMARY};
use serde_json::{Value, json};

/// One response of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    Say(String),
    Call(String, Vec<ToolUse>),
    /// The model slowly says this number of words.
    Slow(u32),
    /// The model never answers.
    Hang,
    /// The model says one word and then stalls.
    Stall,
    /// The request fails with this status.
    Fail(u16),
    /// The first requests with this prompt fail with this status, up to this number. Later requests succeed.
    FailTimes(u16, u32),
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// The tool's name, such as `Bash` or `Write`.
    pub name: String,
    pub input: Value,
}

impl ToolUse {
    /// Creates a call without an id, which the response adds.
    pub fn new(name: &str, input: Value) -> Self {
        ToolUse { name: name.to_owned(), input }
    }
}

/// The last input of a conversation.
pub(super) enum Asked {
    Results,
    Prompt(String),
    /// A request for a summary of the conversation.
    Summary,
}

/// Returns the last input that the model must answer. Claude puts its reminders into messages with the role
/// `system`, or into separate text blocks before the user's text.
pub(super) fn asked(body: &Value) -> Asked {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(last) = messages.iter().rev().find(|m| m["role"] == "user") else {
        return Asked::Prompt(String::new());
    };
    let blocks = match &last["content"] {
        Value::String(text) => return prompt(text, body),
        Value::Array(blocks) => blocks.as_slice(),
        _ => &[],
    };
    let is_from_user = |text: &&str| !text.trim_start().starts_with("<system-reminder>");
    let text = blocks.iter().rev().filter_map(|block| block["text"].as_str()).find(is_from_user);
    match text {
        Some(text) => prompt(text, body),
        None if blocks.iter().any(|block| block["type"] == "tool_result") => Asked::Results,
        None => Asked::Prompt(String::new()),
    }
}

fn prompt(text: &str, body: &Value) -> Asked {
    if text.contains("Your task is to create a detailed summary") {
        return Asked::Summary;
    }
    let plan_file = text.contains(PLAN_FILE).then(|| plan_file(body)).flatten();
    Asked::Prompt(plan_file.map_or_else(|| text.to_owned(), |file| text.replace(PLAN_FILE, &file)))
}

/// The placeholder in a prompt for the path of the plan file.
const PLAN_FILE: &str = "PLAN_FILE";

/// The path of the plan file, from claude's latest reminder of plan mode.
fn plan_file(body: &Value) -> Option<String> {
    let text = body["messages"].to_string();
    let at = text.rfind("/plans/")?;
    let start = text[..at].rfind(|c: char| c.is_whitespace() || "`\"'(".contains(c))? + 1;
    let end = at + text[at..].find(".md")? + ".md".len();
    Some(text[start..end].to_owned())
}

/// Returns the response to the last input. The response to a prompt is determined by its markers.
pub(super) fn turn_for(asked: &Asked) -> Turn {
    let text = match asked {
        Asked::Results => return Turn::Say(AFTER_TOOLS.to_owned()),
        Asked::Summary => {
            return Turn::Say(format!("<analysis>All of it.</analysis>\n<summary>{SUMMARY}</summary>"));
        }
        Asked::Prompt(text) => text,
    };
    let mut calls = Vec::new();
    let mut say = None;
    for marker in markers(text) {
        let mut parts = marker.splitn(2, ':');
        let (name, rest) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        match name {
            "say" => say = Some(rest.to_owned()),
            "slow" => return Turn::Slow(rest.parse().unwrap_or(10)),
            "hang" => return Turn::Hang,
            "stall" => return Turn::Stall,
            "status" => return failing(rest),
            _ => calls.extend(tool(name, rest)),
        }
    }
    match (calls.is_empty(), say) {
        (false, say) => Turn::Call(say.unwrap_or_else(|| BEFORE_TOOLS.to_owned()), calls),
        (true, Some(text)) => Turn::Say(text),
        (true, None) => Turn::Say(format!("{REPLY}{}", text.trim())),
    }
}

fn failing(rest: &str) -> Turn {
    let mut parts = rest.splitn(2, ':');
    let code = parts.next().and_then(|code| code.parse().ok()).unwrap_or(500);
    match parts.next().and_then(|times| times.parse().ok()) {
        Some(times) => Turn::FailTimes(code, times),
        None => Turn::Fail(code),
    }
}

fn tool(name: &str, rest: &str) -> Option<ToolUse> {
    let mut parts = rest.splitn(3, ':');
    let mut next = || parts.next().unwrap_or("");
    Some(match name {
        "bash" => ToolUse::new("Bash", json!({"command": rest, "description": "A scripted command"})),
        "read" => ToolUse::new("Read", json!({"file_path": rest})),
        "agent" => ToolUse::new(
            "Agent",
            json!({"description": "A scripted task", "prompt": for_subagent(rest), "subagent_type": "general-purpose"}),
        ),
        "write" => {
            let (path, text) = rest.split_once(':').unwrap_or((rest, ""));
            ToolUse::new("Write", json!({"file_path": path, "content": text}))
        }
        "tool" => {
            let (name, input) = rest.split_once(':').unwrap_or((rest, "{}"));
            ToolUse::new(name, serde_json::from_str(input).unwrap_or_else(|_| json!({})))
        }
        "edit" => {
            let (path, old, new) = (next(), next(), next());
            ToolUse::new("Edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        }
        _ => return None,
    })
}

/// Restores the markers in a subagent's prompt. They are written as `{{…}}`, because `]]` would close the
/// outer marker.
fn for_subagent(prompt: &str) -> String {
    prompt.replace("{{", "[[").replace("}}", "]]")
}

/// The strings between `[[` and `]]`, in order.
fn markers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("[[") {
        let Some(length) = rest[start + 2..].find("]]") else { break };
        found.push(&rest[start + 2..start + 2 + length]);
        rest = &rest[start + 2 + length + 2..];
    }
    found
}
