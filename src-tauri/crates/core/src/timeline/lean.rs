//! Reduces records to the parts that a timeline shows, so that they can stay in memory while the timeline is
//! open. A conversation can have megabytes of tool output, but a timeline shows only the first words of a few
//! messages.

use super::events::SHORT;
use crate::{
    Extra,
    hooks::HookRun,
    message::{Message, ToolCall},
    recovery::Injection,
    text::head,
};
use serde_json::json;

/// Reduces a message to the parts that a timeline needs.
pub fn lean_message(message: Message) -> Message {
    let Message { content, tool_calls, .. } = message;
    let tool_calls = tool_calls.map(|calls| calls.into_iter().map(lean_call).collect());
    Message { content: cut(content), tool_calls, images: None, extra: Extra::new(), ..message }
}

fn lean_call(call: ToolCall) -> ToolCall {
    let mut input = Extra::new();
    let mut tool = String::new();
    if call.is_error {
        let subject = cut(call.subject());
        if !subject.is_empty() {
            input.insert("command".to_owned(), json!(subject));
        }
        tool = call.tool;
    }
    ToolCall { tool, input, output: None, id: None, details: None, extra: Extra::new(), ..call }
}

/// Removes the text of an injection.
pub fn lean_injection(injection: Injection) -> Injection {
    Injection { text: String::new(), extra: Extra::new(), ..injection }
}

/// Removes the output of a hook's run.
pub fn lean_run(run: HookRun) -> HookRun {
    HookRun { stdout: String::new(), stderr: String::new(), extra: Extra::new(), ..run }
}

fn cut(text: String) -> String {
    match text.len() > SHORT {
        true => head(&text, SHORT).to_owned(),
        false => text,
    }
}
