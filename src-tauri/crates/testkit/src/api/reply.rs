//! A response in the API's format, either as one JSON message or as server-sent events.

use super::{Turn, USAGE};
use serde_json::{Value, json};

/// The text and tool calls of a response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) blocks: Vec<Value>,
    pub(super) stop_reason: &'static str,
}

impl Reply {
    pub(super) fn new(number: usize, model: &str, turn: &Turn) -> Self {
        let id = format!("msg_scripted{number:05}");
        let text = |text: &str| json!({"type": "text", "text": text});
        let (blocks, stop_reason) = match turn {
            Turn::Call(speech, calls) => {
                let mut blocks = vec![text(speech)];
                blocks.extend(calls.iter().enumerate().map(|(index, call)| {
                    json!({"type": "tool_use", "id": format!("toolu_{id}_{index}"), "name": call.name, "input": call.input})
                }));
                (blocks, "tool_use")
            }
            Turn::Say(speech) => (vec![text(speech)], "end_turn"),
            Turn::Slow(words) => (vec![text(&words_of(*words).concat())], "end_turn"),
            Turn::Hang | Turn::Stall | Turn::Fail(_) | Turn::FailTimes(..) => {
                (vec![text("word0\n")], "end_turn")
            }
        };
        Reply { id, model: model.to_owned(), blocks, stop_reason }
    }

    pub(super) fn message(&self) -> Value {
        let mut message = self.start();
        message["content"] = Value::Array(self.blocks.clone());
        message["stop_reason"] = json!(self.stop_reason);
        message["usage"] = usage(USAGE.output);
        message
    }

    fn start(&self) -> Value {
        json!({"id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage(1)})
    }

    /// The events before the first block's text; [`Reply::piece`] and [`Reply::rest`] follow.
    pub(super) fn opening(&self) -> String {
        let block = json!({"type": "text", "text": ""});
        event(&json!({"type": "message_start", "message": self.start()}))
            + &event(&json!({"type": "ping"}))
            + &event(&json!({"type": "content_block_start", "index": 0, "content_block": block}))
    }

    /// One piece of the first block's text.
    pub(super) fn piece(text: &str) -> String {
        event(
            &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        )
    }

    /// Everything after the first block's text.
    pub(super) fn rest(&self) -> String {
        let mut out = event(&json!({"type": "content_block_stop", "index": 0}));
        for (index, block) in self.blocks.iter().enumerate().skip(1) {
            let mut empty = block.clone();
            empty["input"] = json!({});
            let delta = json!({"type": "input_json_delta", "partial_json": block["input"].to_string()});
            out += &event(&json!({"type": "content_block_start", "index": index, "content_block": empty}));
            out += &event(&json!({"type": "content_block_delta", "index": index, "delta": delta}));
            out += &event(&json!({"type": "content_block_stop", "index": index}));
        }
        let delta = json!({"stop_reason": self.stop_reason, "stop_sequence": null});
        out += &event(&json!({"type": "message_delta", "delta": delta, "usage": usage(USAGE.output)}));
        out + &event(&json!({"type": "message_stop"}))
    }

    pub(super) fn text(&self) -> &str {
        self.blocks.first().and_then(|block| block["text"].as_str()).unwrap_or("")
    }
}

/// The words of a slow response, each on its own line, because claude displays a reply line by line.
pub(super) fn words_of(count: u32) -> Vec<String> {
    (0..count).map(|n| format!("word{n}\n")).collect()
}

/// The body of an error response in the API's format.
pub(super) fn failure(status: u16) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": format!("scripted failure {status}")}})
}

fn usage(output: u64) -> Value {
    json!({"input_tokens": USAGE.input, "cache_creation_input_tokens": USAGE.cache_creation,
        "cache_read_input_tokens": USAGE.cache_read, "output_tokens": output})
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("message"))
}
