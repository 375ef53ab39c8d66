//! Parses only the required fields of a `messages.jsonl` line, because parsing every field takes several
//! times as long.

use bc_core::{Extra, Timestamp, message::Role};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use std::collections::HashMap;

/// A message's text and its tool calls.
#[derive(Deserialize)]
pub(crate) struct MessageText {
    pub(crate) id: String,
    pub(crate) role: Role,
    pub(crate) content: String,
    pub(crate) timestamp: Timestamp,
    #[serde(default)]
    pub(crate) tool_calls: Option<Vec<ToolText>>,
}

/// The input and output of a tool call.
#[derive(Deserialize)]
pub(crate) struct ToolText {
    pub(crate) tool: String,
    pub(crate) input: Extra,
    #[serde(default)]
    pub(crate) output: Option<String>,
}

/// The fields of a message that metrics need, without its text.
#[derive(Deserialize)]
pub(crate) struct Figures {
    pub(crate) id: String,
    #[serde(rename = "role")]
    _role: Role,
    #[serde(rename = "content")]
    _content: String,
    pub(crate) timestamp: Timestamp,
    #[serde(default)]
    pub(crate) tool_calls: Option<Vec<CallFigures>>,
    #[serde(default)]
    pub(crate) tokens: Option<u64>,
    #[serde(default)]
    pub(crate) latency_ms: Option<u64>,
    #[serde(default)]
    kind: Option<Value>,
}

impl Figures {
    /// Whether the message itself reports a failure.
    pub(crate) fn failed(&self) -> bool {
        self.kind.as_ref().and_then(Value::as_str) == Some("api_error")
    }
}

/// The fields of a tool call that metrics need.
#[derive(Deserialize)]
pub(crate) struct CallFigures {
    pub(crate) tool: String,
    #[serde(rename = "input")]
    _input: HashMap<String, IgnoredAny>,
    #[serde(rename = "output", default)]
    _output: Option<String>,
    #[serde(default)]
    pub(crate) is_error: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::{Message, MessageKind};

    #[test]
    fn only_message_lines_have_figures() {
        let whole = r#"{"id":"a","role":"assistant","content":"x","timestamp":"2026-01-19T10:00:00-06:00","tool_calls":[{"tool":"Bash","input":{"command":"ls"},"output":"no","is_error":true}],"tokens":7,"latency_ms":9,"kind":"api_error","later":[1]}"#;
        let figures: Figures = serde_json::from_str(whole).unwrap();
        let call = &figures.tool_calls.as_ref().unwrap()[0];
        assert_eq!((figures.id.as_str(), figures.tokens, figures.latency_ms), ("a", Some(7), Some(9)));
        assert_eq!((call.tool.as_str(), call.is_error, figures.failed()), ("Bash", true, true));
        for (part, other) in [
            (r#""id":"a","#, ""),
            (r#""role":"assistant""#, r#""role":"robot""#),
            (r#""content":"x""#, r#""content":1"#),
            (r#""content":"x""#, r#""content":null"#),
            ("2026-01-19T10", "once"),
            (r#"{"command":"ls"}"#, "[]"),
            (r#""output":"no""#, r#""output":[]"#),
            (r#""tokens":7"#, r#""tokens":-7"#),
            (r#""tokens":7"#, r#""tokens":null"#),
            ("api_error", "of a later version"),
            (r#""api_error""#, "5"),
            (r#""api_error""#, "null"),
        ] {
            let line = whole.replace(part, other);
            assert_ne!(line, whole);
            let message = serde_json::from_str::<Message>(&line).ok();
            let figures = serde_json::from_str::<Figures>(&line).ok();
            assert_eq!(message.is_some(), figures.is_some(), "{line}");
            assert!(message.is_none() || serde_json::from_str::<MessageText>(&line).is_ok(), "{line}");
            let failed = message.map(|message| message.kind == Some(MessageKind::ApiError));
            assert_eq!(failed, figures.map(|figures| figures.failed()), "{line}");
        }
    }
}
