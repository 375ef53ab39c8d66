//! What the index keeps of one message.

use crate::{
    spoken::{Spoken, SpokenCall},
    words::segmented,
};

use serde_json::Value;

/// So many bytes of a message's own text are searched.
const SAID: usize = 256 << 10;
/// So many bytes of what a tool was given, and as many of what it answered.
const TOOL: usize = 16 << 10;

/// What was said, for the index.
pub(crate) fn said(message: &Spoken) -> String {
    segmented(beginning(&message.content, SAID)).into_owned()
}

/// What its tools were given and answered, for the index.
pub(crate) fn tools(message: &Spoken) -> String {
    let calls = message.tool_calls.iter().flatten();
    calls.map(|call| segmented(&tool(call)).into_owned()).collect::<Vec<_>>().join("\n")
}

/// One tool call as text.
pub(crate) fn tool(call: &SpokenCall) -> String {
    let mut text = call.tool.clone();
    call.input.values().for_each(|value| strings(value, &mut text));
    let mut text = beginning(&text, TOOL).to_owned();
    if let Some(output) = &call.output {
        text.push('\n');
        text.push_str(beginning(output, TOOL));
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
