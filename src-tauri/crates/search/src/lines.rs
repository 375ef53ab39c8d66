//! The indexed text of one message.

use crate::{
    message_fields::{MessageText, ToolText},
    words::segmented,
};

use serde_json::Value;

/// The maximum number of indexed bytes of a message's own text.
const OWN_TEXT_MAX: usize = 256 << 10;
/// The maximum number of indexed bytes of a tool call's input, and of its output.
const TOOL_TEXT_MAX: usize = 16 << 10;

/// The message's own text, for the index.
pub(crate) fn own_text(message: &MessageText) -> String {
    segmented(beginning(&message.content, OWN_TEXT_MAX)).into_owned()
}

/// The inputs and outputs of the message's tool calls, for the index.
pub(crate) fn tool_texts(message: &MessageText) -> String {
    let calls = message.tool_calls.iter().flatten();
    calls.map(|call| segmented(&tool(call)).into_owned()).collect::<Vec<_>>().join("\n")
}

pub(crate) fn tool(call: &ToolText) -> String {
    let mut text = call.tool.clone();
    call.input.values().for_each(|value| strings(value, &mut text));
    let mut text = beginning(&text, TOOL_TEXT_MAX).to_owned();
    if let Some(output) = &call.output {
        text.push('\n');
        text.push_str(beginning(output, TOOL_TEXT_MAX));
    }
    text
}

fn strings(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push('\n');
            out.push_str(text);
        }
        Value::Array(values) => values.iter().for_each(|value| strings(value, out)),
        Value::Object(fields) => fields.values().for_each(|value| strings(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
