//! A digest of a lost conversation as text for a new one: the main agent's messages and tool calls in order.
//! Long parts are cut and marked; nothing is summarized or guessed.

use crate::{
    message::{Message, MessageKind, Role, ToolCall, named_subject},
    text::{cut, one_line, plain},
};

/// The maximum length of the digest, in bytes.
const DIGEST_MAX: usize = 32_768;
/// The maximum length of a prompt, in characters.
const PROMPT_MAX: usize = 1_500;
/// The maximum length of an answer, in characters.
const ANSWER_MAX: usize = 900;
/// The maximum length of each of the last messages, in characters. These messages matter most.
const LAST_MAX: usize = 4_000;
/// The number of last messages.
const LAST: usize = 4;
/// The maximum number of listed calls per message.
const CALLS_MAX: usize = 20;
/// The maximum length of a tool's input, in characters.
const INPUT_MAX: usize = 200;
/// The maximum length of a failed tool's output, in characters.
const FAILURE_MAX: usize = 300;

/// Renders the conversation as text of about 32 KiB at most; `None` if it has nothing to show. A longer
/// conversation is cut in the middle, so that the first prompt and the latest messages are kept.
pub fn digest(messages: &[Message]) -> Option<String> {
    let main: Vec<&Message> = messages.iter().filter(|message| message.subagent.is_none()).collect();
    let entries: Vec<String> =
        main.iter().enumerate().filter_map(|(n, message)| entry(message, n + LAST >= main.len())).collect();
    let (first, rest) = entries.split_first()?;
    let mut room = DIGEST_MAX.saturating_sub(INTRODUCTION.len() + first.len() + 200);
    let mut kept = Vec::new();
    for entry in rest.iter().rev() {
        let Some(left) = room.checked_sub(entry.len() + 2) else { break };
        room = left;
        kept.push(entry.as_str());
    }
    let left_out = rest.len() - kept.len();
    let mut parts = vec![INTRODUCTION.to_owned(), first.clone()];
    if left_out > 0 {
        parts.push(format!("[{left_out} more messages are left out here.]"));
    }
    parts.extend(kept.into_iter().rev().map(str::to_owned));
    Some(parts.join("\n\n"))
}

const INTRODUCTION: &str = "The earlier conversation is no longer available, so this is a new one. These are the recorded \
messages and tool calls of the earlier one. Long parts are cut, and the output of successful tools is left out:";

fn entry(message: &Message, last: bool) -> Option<String> {
    let who = match (message.kind, message.role) {
        (Some(MessageKind::CompactionSummary | MessageKind::EarlierSummary), _) => {
            "Summary of the earlier conversation"
        }
        (Some(MessageKind::Interrupted), _) => return Some("[The user interrupted the turn.]".to_owned()),
        (
            Some(
                MessageKind::Compaction
                | MessageKind::ApiError
                | MessageKind::LocalCommand
                | MessageKind::Attachment,
            ),
            _,
        ) => return None,
        (None, Role::User) => "User",
        (None, Role::Assistant) => "You",
        (None, Role::System) => "Note",
    };
    let max = match message.role {
        _ if last || message.kind.is_some() => LAST_MAX,
        Role::User => PROMPT_MAX,
        Role::Assistant | Role::System => ANSWER_MAX,
    };
    let text = cut(plain(&message.content).trim(), max);
    let mut lines: Vec<String> = Vec::new();
    if !text.is_empty() {
        lines.push(format!("{who}: {text}"));
    }
    let calls = message.tool_calls.as_deref().unwrap_or_default();
    lines.extend(calls.iter().take(CALLS_MAX).map(call));
    if calls.len() > CALLS_MAX {
        lines.push(format!("- [{} more calls]", calls.len() - CALLS_MAX));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Formats a call as `- Bash cargo test (failed: Exit code 101 …)`.
fn call(call: &ToolCall) -> String {
    let subject = named_subject(&call.input);
    let subject = subject.map(|text| format!(" {}", cut(&one_line(text), INPUT_MAX))).unwrap_or_default();
    let end = match (&call.output, call.is_error) {
        (Some(output), true) => format!(" (failed: {})", cut(&one_line(output), FAILURE_MAX)),
        (Some(_), false) => String::new(),
        (None, _) => " (not finished)".to_owned(),
    };
    format!("- {}{subject}{end}", one_line(&call.tool))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extra, Timestamp};
    use expect_test::expect;
    use proptest::prelude::*;

    fn message(role: Role, text: &str) -> Message {
        let at = Timestamp::parse_from_rfc3339("2026-01-19T12:30:00-06:00").unwrap();
        Message::new("id", role, text, at)
    }

    fn tool(tool: &str, key: &str, value: &str, output: Option<&str>, is_error: bool) -> ToolCall {
        ToolCall {
            tool: tool.into(),
            input: Extra::from_iter([(key.to_owned(), value.into())]),
            output: output.map(Into::into),
            duration_ms: None,
            id: None,
            is_error,
            details: None,
            extra: Extra::new(),
        }
    }

    #[test]
    fn the_digest_lists_messages_and_actions_in_order() {
        let mut work = message(Role::Assistant, "I look.\u{1b}[2J");
        work.tool_calls = Some(vec![
            tool("Read", "file_path", "src/a.rs", Some("fn a()"), false),
            tool("Bash", "command", "cargo test", Some("Exit code 101\nerror"), true),
            tool("Bash", "command", "sleep 9", None, false),
        ]);
        let mut sub = message(Role::Assistant, "from a subagent");
        sub.subagent = Some("x".into());
        let mut stopped = message(Role::System, "Request interrupted by user");
        stopped.kind = Some(MessageKind::Interrupted);
        let messages =
            [message(Role::User, "Fix the tests."), work, sub, stopped, message(Role::Assistant, "Done.")];
        let text = digest(&messages).unwrap();
        expect![[r#"
            User: Fix the tests.

            You: I look.
            - Read src/a.rs
            - Bash cargo test (failed: Exit code 101 error)
            - Bash sleep 9 (not finished)

            [The user interrupted the turn.]

            You: Done."#]]
        .assert_eq(text.strip_prefix(INTRODUCTION).unwrap().trim_start());
    }

    #[test]
    fn an_empty_conversation_has_no_digest() {
        assert_eq!(digest(&[]), None);
        assert_eq!(digest(&[message(Role::Assistant, "  ")]), None);
    }

    #[test]
    fn the_middle_of_a_long_conversation_is_omitted_with_a_notice() {
        let mut messages = vec![message(Role::User, "the first prompt")];
        messages.extend((0..200).map(|n| message(Role::Assistant, &format!("{n}: {}", "word ".repeat(200)))));
        messages.push(message(Role::Assistant, "the last word"));
        let text = digest(&messages).unwrap();
        assert!(text.contains("User: the first prompt") && text.ends_with("You: the last word"));
        assert!(text.contains("more messages are left out here.]"), "{text}");
    }

    proptest! {
        #[test]
        fn the_digest_stays_within_its_limit(texts in prop::collection::vec(("[ -~]{0,40}", 0usize..3_000), 0..60)) {
            let messages: Vec<_> = texts.iter().enumerate().map(|(n, (text, times))| {
                message(if n % 2 == 0 { Role::User } else { Role::Assistant }, &text.repeat(*times / 10))
            }).collect();
            if let Some(text) = digest(&messages) {
                prop_assert!(text.len() <= DIGEST_MAX, "{}", text.len());
            }
        }
    }
}
