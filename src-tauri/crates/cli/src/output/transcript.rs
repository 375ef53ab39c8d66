//! A conversation as text for a terminal. `session export` has its own formats.

use super::{Style, Tone, indented, moment, units};
use bc_core::{
    message::{Message, MessageKind, Role, ToolCall},
    text::{cut, one_line, plain},
};

/// The maximum number of characters of a message's thinking that are printed.
const THINKING_MAX: usize = 500;

/// Every message. A tool call takes one line; a failed one also shows its output.
pub(crate) fn conversation(messages: &[Message], style: &Style) -> String {
    if messages.is_empty() {
        return "No messages yet.\n".to_owned();
    }
    let texts: Vec<String> = messages.iter().map(|message| one(message, style)).collect();
    texts.join("\n")
}

fn one(message: &Message, style: &Style) -> String {
    let mut heading = vec![style.paint(Tone::Strong, who(message))];
    if let Some(subagent) = &message.subagent {
        heading.push(one_line(subagent));
    }
    heading.push(style.paint(Tone::Faint, &moment(style, &message.timestamp)));
    if let Some(tokens) = message.tokens {
        heading.push(style.paint(Tone::Faint, &format!("{} tokens", units::count(tokens))));
    }
    if message.partial {
        heading.push(style.paint(Tone::Attention, "incomplete"));
    }
    let mut text = format!("{}\n", heading.join(" · "));
    if let Some(thinking) = &message.thinking {
        let thinking = cut(plain(thinking).trim(), THINKING_MAX);
        text.push_str(&format!("{}\n", indented(&format!("(thinking) {thinking}"), "  ")));
    }
    let content = plain(&message.content);
    if !content.trim().is_empty() {
        text.push_str(&format!("{}\n", indented(content.trim(), "  ")));
    }
    for call in message.tool_calls.iter().flatten() {
        text.push_str(&tool(call, style));
    }
    text
}

fn who(message: &Message) -> &'static str {
    match (message.kind, message.role) {
        (Some(MessageKind::Compaction), _) => "compacted",
        (Some(MessageKind::CompactionSummary), _) => "summary",
        (Some(MessageKind::ApiError), _) => "API error",
        (Some(MessageKind::Interrupted), _) => "interrupted",
        (Some(MessageKind::LocalCommand), _) => "command",
        (Some(MessageKind::Attachment), _) => "attachment",
        (Some(MessageKind::EarlierSummary), _) => "earlier summary",
        (None, Role::User) => "you",
        (None, Role::Assistant) => "claude",
        (None, Role::System) => "system",
    }
}

/// `▸ Bash  cargo test  1.2 s`; a failed call shows the tool's output.
fn tool(call: &ToolCall, style: &Style) -> String {
    let mut parts = vec![style.paint(Tone::Strong, &one_line(&call.tool))];
    let subject = call.subject();
    if !subject.is_empty() {
        parts.push(cut(&subject, 120));
    }
    parts.extend(call.duration_ms.map(|ms| style.paint(Tone::Faint, &units::short_duration(ms))));
    match (&call.output, call.is_error) {
        (None, _) => parts.push(style.paint(Tone::Faint, "no answer")),
        (Some(_), true) => parts.push(style.paint(Tone::Bad, "failed")),
        (Some(_), false) => {}
    }
    let mut text = format!("  ▸ {}\n", parts.join("  "));
    if let (Some(output), true) = (&call.output, call.is_error) {
        text.push_str(&format!("{}\n", indented(&cut(plain(output).trim(), 500), "      ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles;
    use expect_test::expect;

    #[test]
    fn conversation_shows_authors_and_tool_calls() {
        expect![[r#"
            you · 2026-01-19 16:00
              Work on BC-001.

            claude · 2026-01-19 16:00 · 1.2k tokens
              I look at the tests.

              Then I fix them.
              ▸ Bash  cargo test -q  1.2 s
              ▸ Edit  src/login.rs  30 ms  failed
                  no such file
              ▸ Task  {"goal":"x"}  no answer
        "#]]
        .assert_eq(&conversation(&test_doubles::messages(), &test_doubles::PLAIN));
    }
}
