//! The messages in `messages.jsonl`: the specification's fields, and a few fields of this program, marked
//! "Ours".

mod details;
mod line;
mod log;
mod shorten;

pub use details::{ImageRef, PatchHunk, ToolDetails};
pub use line::in_line;
pub use log::{MessageLog, fold};
pub use shorten::{VIEW_PAGE_MAX, VIEW_TEXT_MAX, shorten, shorten_page};

use crate::{Extra, Timestamp, newer, text::one_line};
use serde::{Deserialize, Serialize};

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user, or a program on the user's behalf.
    User,
    /// The model.
    Assistant,
    /// A program: a compaction, an error, a note.
    System,
}

impl Role {
    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
        }
    }
}

/// A message. The assistant has one message per `message.id` of the API. When the file is read, a later line
/// with the same id replaces the earlier one and keeps its position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Message {
    /// The API's `message.id` for the assistant, the transcript line's uuid otherwise. A partial message has
    /// an id of this program.
    pub id: String,
    pub role: Role,
    /// The text; a message's blocks are joined by an empty line.
    pub content: String,
    /// The time of the message's first part.
    pub timestamp: Timestamp,
    /// The message's tool calls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The request's input, cache-creation and output tokens in total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub tokens: Option<u64>,
    /// The time from the model's input to the first part of the answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub latency_ms: Option<u64>,
    /// The subagent that wrote the message; `None` for the main conversation. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The kind of a system or special message. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "newer::known")]
    #[specta(type = Option<MessageKind>)]
    pub kind: Option<MessageKind>,
    /// The model's thinking before the answer, if claude keeps it. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// Whether claude exited or started another turn without recording the whole message; the content is the
    /// displayed part. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The partial message that this one replaces. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Images of a prompt or an attachment. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<ImageRef>>,
    /// The number of bytes omitted from long text in a view; absent in the file. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub left_out: Option<u64>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}

impl Message {
    /// Creates a message that has only text.
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
            thinking: None,
            partial: false,
            replaces: None,
            images: None,
            left_out: None,
            extra: Extra::new(),
        }
    }
}

/// The kind of a special message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// The conversation was compacted at this point.
    Compaction,
    /// The summary after a compaction.
    CompactionSummary,
    /// The API failed; the content is claude's message about it.
    ApiError,
    Interrupted,
    /// A slash command or its output, processed by claude without the model.
    LocalCommand,
    /// Content that claude attached to the conversation, such as a mentioned file.
    Attachment,
    /// A summary of an earlier conversation, which older versions of claude wrote into a transcript.
    EarlierSummary,
}

impl ToolCall {
    /// The subject of the call, on one line: see [`tool_subject`].
    pub fn subject(&self) -> String {
        tool_subject(&self.input)
    }
}

/// The subject of a tool call, on one line: its command, path, pattern, URL, query or description, or else
/// the whole input.
pub fn tool_subject(input: &Extra) -> String {
    match named_subject(input) {
        Some(value) => one_line(value),
        None if input.is_empty() => String::new(),
        None => one_line(&serde_json::Value::Object(input.clone()).to_string()),
    }
}

/// The field that best describes a tool call; `None` if the input has no such field.
pub(crate) fn named_subject(input: &Extra) -> Option<&str> {
    let keys = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description"];
    keys.iter().find_map(|key| input.get(*key)?.as_str())
}

/// A tool call, with its output as soon as it has run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ToolCall {
    /// The tool's name: `Read`, `Write`, `Bash` …
    pub tool: String,
    /// The tool's input, as provided by the model.
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub input: Extra,
    /// The tool's output; `None` while the tool runs, or if it never finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The duration in milliseconds; `None` if unknown, as while the tool runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<u32>)]
    pub duration_ms: Option<u64>,
    /// The API's `tool_use` id. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the tool failed or was refused. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Facts about the run. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<ToolDetails>>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    #[specta(skip)]
    pub extra: Extra,
}
