//! The events at which claude calls a hook.

use serde_json::{Map, Value};

/// The names of the supported events. They include the status line, because claude calls it like a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventName {
    SessionStart,
    UserPromptSubmit,
    PreToolUse,
    PostToolUse,
    PostToolUseFailure,
    PermissionRequest,
    Notification,
    Stop,
    StopFailure,
    SubagentStart,
    SubagentStop,
    PreCompact,
    PostCompact,
    SessionEnd,
    MessageDisplay,
    StatusLine,
}

impl EventName {
    /// The events for which hooks are registered: all except the status line.
    pub const HOOKED: [EventName; 15] = [
        EventName::SessionStart,
        EventName::UserPromptSubmit,
        EventName::PreToolUse,
        EventName::PostToolUse,
        EventName::PostToolUseFailure,
        EventName::PermissionRequest,
        EventName::Notification,
        EventName::Stop,
        EventName::StopFailure,
        EventName::SubagentStart,
        EventName::SubagentStop,
        EventName::PreCompact,
        EventName::PostCompact,
        EventName::SessionEnd,
        EventName::MessageDisplay,
    ];

    /// Claude's name for the event.
    pub fn as_str(self) -> &'static str {
        match self {
            EventName::SessionStart => "SessionStart",
            EventName::UserPromptSubmit => "UserPromptSubmit",
            EventName::PreToolUse => "PreToolUse",
            EventName::PostToolUse => "PostToolUse",
            EventName::PostToolUseFailure => "PostToolUseFailure",
            EventName::PermissionRequest => "PermissionRequest",
            EventName::Notification => "Notification",
            EventName::Stop => "Stop",
            EventName::StopFailure => "StopFailure",
            EventName::SubagentStart => "SubagentStart",
            EventName::SubagentStop => "SubagentStop",
            EventName::PreCompact => "PreCompact",
            EventName::PostCompact => "PostCompact",
            EventName::SessionEnd => "SessionEnd",
            EventName::MessageDisplay => "MessageDisplay",
            EventName::StatusLine => "StatusLine",
        }
    }

    /// Parses claude's name for an event; `None` if it is unknown.
    pub fn parse(name: &str) -> Option<EventName> {
        EventName::HOOKED.into_iter().chain([EventName::StatusLine]).find(|event| event.as_str() == name)
    }
}

/// An event in claude, with the data of the hook's input.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A conversation starts, resumes or was compacted; claude waits for the answer before its next request.
    SessionStart {
        /// `startup`, `resume`, `clear` or `compact`.
        source: String,
    },
    /// A prompt was submitted, or queued while claude is working. The hook is not called for `!` commands and
    /// most slash commands.
    UserPromptSubmit {
        prompt: String,
    },
    /// A tool is about to run or to ask for permission.
    PreToolUse(ToolUse),
    PostToolUse {
        tool: ToolUse,
        response: Value,
        /// The tool's duration, excluding the wait for permission.
        duration_ms: Option<u64>,
    },
    PostToolUseFailure {
        tool: ToolUse,
        error: String,
        is_interrupt: bool,
        /// The tool's duration, excluding the wait for permission.
        duration_ms: Option<u64>,
    },
    /// Claude shows a dialog, which the hook may answer in place of the user. The input has no id of the tool
    /// call, so it must be matched with the preceding [`Event::PreToolUse`].
    PermissionRequest {
        /// The tool call, without an id.
        tool: ToolUse,
        /// Changes to claude's permissions that it suggests, such as rules to store.
        suggestions: Vec<Value>,
    },
    Notification {
        /// The kind, such as `permission_prompt`, or `idle_prompt` 60 seconds after the end of a turn.
        kind: String,
    },
    /// A turn ended. A queued prompt may start the next turn immediately, without a new UserPromptSubmit.
    /// Claude does not call this hook if the user interrupted the turn.
    Stop {
        /// The model's last text.
        last_message: String,
        /// The number of running background tasks: commands, subagents and claude's own timers. 0 if the
        /// version does not report them.
        background: usize,
    },
    /// A turn ended because the API failed.
    StopFailure {
        /// The kind of failure, such as `authentication_failed` or `rate_limit`.
        error: String,
        /// Claude's message about the failure, for the user.
        message: String,
    },
    SubagentStart {
        agent_type: String,
    },
    SubagentStop {
        transcript_path: Option<String>,
    },
    /// The conversation is about to be compacted.
    PreCompact {
        /// `manual` or `auto`.
        trigger: String,
    },
    PostCompact {
        summary: String,
    },
    /// The conversation ends. Claude may continue with another conversation.
    SessionEnd {
        /// The reason, such as `clear`, `prompt_input_exit`, `logout` or `other`.
        reason: String,
    },
    /// Claude displays another piece of the reply's text.
    MessageDisplay {
        /// The message's id, which differs from its id in the transcript.
        message_id: String,
        /// The index of the piece, from 0.
        index: u64,
        /// Whether it is the message's last piece.
        is_final: bool,
        delta: String,
    },
    StatusLine(StatusLine),
    /// An event that this program does not support.
    Unknown {
        name: String,
    },
}

/// A tool call in the input of a hook.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolUse {
    /// The tool's name, such as `Bash` or `Write`.
    pub name: String,
    pub input: Map<String, Value>,
    /// The API's id of this call; `None` in a permission request.
    pub id: Option<String>,
}

/// The input of the status line. Each value is `None` if claude does not report it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatusLine {
    /// The cost of this conversation in US dollars.
    pub cost_usd: Option<f64>,
    /// Tokens in the context, input and output.
    pub context_tokens: Option<u64>,
    /// The size of the context window, in tokens.
    pub context_size: Option<u64>,
    /// The model's display name, or its id if claude reports no name.
    pub model: Option<String>,
}

impl Event {
    pub(super) fn decode(name: &str, raw: &Map<String, Value>) -> Event {
        let text = |key: &str| raw.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| raw.get(key).and_then(Value::as_u64);
        let flag = |key: &str| raw.get(key).and_then(Value::as_bool).unwrap_or(false);
        let list = |key: &str| raw.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(event) = EventName::parse(name) else { return Event::Unknown { name: name.to_owned() } };
        match event {
            EventName::SessionStart => Event::SessionStart { source: text("source") },
            EventName::UserPromptSubmit => Event::UserPromptSubmit { prompt: text("prompt") },
            EventName::PreToolUse => Event::PreToolUse(tool(raw)),
            EventName::PostToolUse => Event::PostToolUse {
                tool: tool(raw),
                response: raw.get("tool_response").cloned().unwrap_or(Value::Null),
                duration_ms: number("duration_ms"),
            },
            EventName::PostToolUseFailure => Event::PostToolUseFailure {
                tool: tool(raw),
                error: text("error"),
                is_interrupt: flag("is_interrupt"),
                duration_ms: number("duration_ms"),
            },
            EventName::PermissionRequest => {
                Event::PermissionRequest { tool: tool(raw), suggestions: list("permission_suggestions") }
            }
            EventName::Notification => Event::Notification { kind: text("notification_type") },
            EventName::Stop => Event::Stop {
                last_message: text("last_assistant_message"),
                background: list("background_tasks").len() + list("session_crons").len(),
            },
            EventName::StopFailure => {
                Event::StopFailure { error: text("error"), message: text("last_assistant_message") }
            }
            EventName::SubagentStart => Event::SubagentStart { agent_type: text("agent_type") },
            EventName::SubagentStop => Event::SubagentStop {
                transcript_path: Some(text("agent_transcript_path")).filter(|path| !path.is_empty()),
            },
            EventName::PreCompact => Event::PreCompact { trigger: text("trigger") },
            EventName::PostCompact => Event::PostCompact { summary: text("compact_summary") },
            EventName::SessionEnd => Event::SessionEnd { reason: text("reason") },
            EventName::MessageDisplay => Event::MessageDisplay {
                message_id: text("message_id"),
                index: number("index").unwrap_or(0),
                is_final: flag("final"),
                delta: text("delta"),
            },
            EventName::StatusLine => Event::StatusLine(status_line(raw)),
        }
    }
}

fn tool(raw: &Map<String, Value>) -> ToolUse {
    let text = |key: &str| raw.get(key).and_then(Value::as_str).map(str::to_owned);
    ToolUse {
        name: text("tool_name").unwrap_or_default(),
        input: raw.get("tool_input").and_then(Value::as_object).cloned().unwrap_or_default(),
        id: text("tool_use_id"),
    }
}

fn status_line(raw: &Map<String, Value>) -> StatusLine {
    let at = |path: [&str; 2]| raw.get(path[0]).and_then(|part| part.get(path[1]));
    let number = |path| at(path).and_then(Value::as_u64);
    let (read, written) =
        (number(["context_window", "total_input_tokens"]), number(["context_window", "total_output_tokens"]));
    StatusLine {
        cost_usd: at(["cost", "total_cost_usd"]).and_then(Value::as_f64),
        context_tokens: read.map(|read| read.saturating_add(written.unwrap_or(0))),
        context_size: number(["context_window", "context_window_size"]),
        model: at(["model", "display_name"])
            .or_else(|| at(["model", "id"]))
            .and_then(Value::as_str)
            .map(str::to_owned),
    }
}
