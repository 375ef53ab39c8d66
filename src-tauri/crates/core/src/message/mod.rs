//! Messages as `messages.jsonl` keeps them: the specification's fields, to the letter, and a few of
//! ours beside them.

mod line;
mod log;

pub use line::in_line;
pub use log::{MessageLog, fold};

use crate::{Extra, Timestamp, newer, text::one_line};
use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or a program on the person's behalf.
    User,
    /// The model.
    Assistant,
    /// The program: a compaction, an error, a note of ours.
    System,
}

impl Role {
    /// The word for it, as in every file.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
        }
    }
}

/// One message. One per `message.id` of the API, at the first one's place; a line with an id seen
/// before replaces the earlier line when the file is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Message {
    /// The API's `message.id` for the assistant, the transcript line's uuid otherwise.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// The text; blocks of one message are joined by an empty line.
    pub content: String,
    /// When the first part of it was written.
    pub timestamp: Timestamp,
    /// Tools that the message called, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// Input + cache creation + output tokens of the request that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub tokens: Option<u64>,
    /// Milliseconds from what the model was answering to the first part of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub latency_ms: Option<u64>,
    /// The subagent that wrote it; absent for the main conversation. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// What a system message or a special one is. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<MessageKind>)]
    pub kind: Option<MessageKind>,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Message {
    /// A message of plain talk.
    pub fn new(
        id: impl Into<String>,
        role: Role,
        content: impl Into<String>,
        timestamp: Timestamp,
    ) -> Message {
        Message {
            id: id.into(),
            role,
            content: content.into(),
            timestamp,
            tool_calls: None,
            tokens: None,
            latency_ms: None,
            subagent: None,
            kind: None,
            extra: Extra::new(),
        }
    }
}

/// What makes a message other than plain talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// The conversation was compacted here.
    Compaction,
    /// The summary that the conversation goes on from.
    CompactionSummary,
    /// The API failed; the content is what claude said about it.
    ApiError,
    /// The person interrupted the turn.
    Interrupted,
    /// A slash command or its output, run inside claude and not sent to the model.
    LocalCommand,
}

impl ToolCall {
    /// What the tool works on, on one line: see [`tool_subject`].
    pub fn subject(&self) -> String {
        tool_subject(&self.input)
    }
}

/// What a tool with this input works on, on one line: the command, the path, the pattern; else the input
/// as it is.
pub fn tool_subject(input: &Extra) -> String {
    let known = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description"];
    match known.iter().find_map(|key| input.get(*key)?.as_str()) {
        Some(value) => one_line(value),
        None if input.is_empty() => String::new(),
        None => one_line(&serde_json::Value::Object(input.clone()).to_string()),
    }
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ToolCall {
    /// `Read`, `Write`, `Bash` …
    pub tool: String,
    /// The tool's input as the model gave it.
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub input: Extra,
    /// What the tool answered; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Milliseconds; absent while it runs or where claude does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub duration_ms: Option<u64>,
    /// The API's `tool_use` id. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the tool failed or was refused. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Fields of other versions.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}
