//! A conversation, readable in a terminal. The document that leaves the program is the export's.

use super::{Looks, Tone, figures, indented, moment};
use bc_core::{
    message::{Message, MessageKind, Role, ToolCall},
    text::{cut, one_line, plain},
};

/// Every message with its tool calls, a line each.
pub(crate) fn conversation(messages: &[Message], looks: &Looks) -> String {
    if messages.is_empty() {
        return "Nothing was said yet.\n".to_owned();
    }
    let texts: Vec<String> = messages.iter().map(|message| one(message, looks)).collect();
    texts.join("\n")
}

fn one(message: &Message, looks: &Looks) -> String {
    let mut heading = vec![looks.paint(Tone::Strong, who(message))];
    if let Some(subagent) = &message.subagent {
        heading.push(one_line(subagent));
    }
    heading.push(looks.paint(Tone::Faint, &moment(looks, &message.timestamp)));
    if let Some(tokens) = message.tokens {
        heading.push(looks.paint(Tone::Faint, &format!("{} tokens", figures::count(tokens))));
    }
    let mut text = format!("{}\n", heading.join(" · "));
    let content = plain(&message.content);
    if !content.trim().is_empty() {
        text.push_str(&format!("{}\n", indented(content.trim(), "  ")));
    }
    for call in message.tool_calls.iter().flatten() {
        text.push_str(&tool(call, looks));
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
        (None, Role::User) => "you",
        (None, Role::Assistant) => "claude",
        (None, Role::System) => "system",
    }
}

/// `▸ Bash  cargo test  1.2 s`; a failure shows what the tool said.
fn tool(call: &ToolCall, looks: &Looks) -> String {
    let mut parts = vec![looks.paint(Tone::Strong, &one_line(&call.tool))];
    let subject = call.subject();
    if !subject.is_empty() {
        parts.push(cut(&subject, 120));
    }
    parts.extend(call.duration_ms.map(|ms| looks.paint(Tone::Faint, &figures::short_duration(ms))));
    match (&call.output, call.is_error) {
        (None, _) => parts.push(looks.paint(Tone::Faint, "no answer")),
        (Some(_), true) => parts.push(looks.paint(Tone::Bad, "failed")),
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
    use crate::fake;
    use expect_test::expect;

    #[test]
    fn a_conversation_shows_who_spoke_and_what_was_done() {
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
        .assert_eq(&conversation(&fake::messages(), &fake::LOOKS));
    }
}
