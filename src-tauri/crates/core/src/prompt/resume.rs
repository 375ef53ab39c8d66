//! The prompt of a resumed session: exactly the specification's template.

use super::safe_argument;
use crate::{
    Timestamp,
    bead::BeadStatus,
    message::{Message, Role},
    text::{cut, one_line},
};

/// The maximum length of a line's value, in characters.
const VALUE_MAX: usize = 500;
/// The maximum number of listed files or changes.
const ITEMS_MAX: usize = 50;
/// The maximum length of a message's summary, in characters.
const SUMMARY_MAX: usize = 300;

/// The known facts of a paused session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResumeFacts {
    /// The linked bead, if any.
    pub bead: Option<ResumeBead>,
    pub objective: Option<String>,
    /// The result of [`last_message_summary`].
    pub last_message_summary: Option<String>,
    /// Files read or written.
    pub files_touched: Vec<String>,
    /// When the session was paused; `None` if unknown.
    pub paused_at: Option<Timestamp>,
    /// Changes outside the session since the pause, one line each; `None` if changes were not checked.
    pub external_changes: Option<Vec<String>>,
}

/// The linked bead as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct ResumeBead {
    /// The bead's title, or its id if the tracker is not available.
    pub title: String,
    /// The bead's status; `None` if unknown.
    pub status: Option<BeadStatus>,
}

/// The resume prompt, a safe argument. Every line is always present: an unknown value is `unknown`, and an
/// empty value is `none`.
pub fn resume(facts: &ResumeFacts) -> String {
    let bead = facts.bead.as_ref().map_or_else(
        || "none".to_owned(),
        |bead| {
            let status = bead.status.as_ref().map_or("unknown", BeadStatus::as_str);
            format!("{} ({})", value(&bead.title, "unknown"), value(status, "unknown"))
        },
    );
    let objective = value(facts.objective.as_deref().unwrap_or_default(), "none");
    let last_message = value(facts.last_message_summary.as_deref().unwrap_or_default(), "none");
    let files = list(&facts.files_touched, ", ");
    let paused_at = facts.paused_at.map_or_else(|| "unknown".to_owned(), |at| at.to_rfc3339());
    let changes =
        facts.external_changes.as_ref().map_or_else(|| "unknown".to_owned(), |items| list(items, "; "));
    safe_argument(&format!(
        "You are resuming a paused session.\n\
         \n\
         Session Context:\n\
         - Bead: {bead}\n\
         - Objective: {objective}\n\
         - Last message: {last_message}\n\
         - Files touched: {files}\n\
         - Paused at: {paused_at}\n\
         - Changes since pause: {changes}\n\
         \n\
         Please acknowledge and continue from where we left off."
    ))
}

/// The last message of the user or the agent in the main conversation with its author, on one line; `none`
/// without messages. For a message without text, the names of its tools are used.
pub fn last_message_summary(messages: &[Message]) -> String {
    let spoken = |message: &&Message| {
        message.subagent.is_none()
            && message.kind.is_none()
            && message.role != Role::System
            && !text_of(message).is_empty()
    };
    messages.iter().rev().find(spoken).map_or_else(
        || "none".to_owned(),
        |message| format!("{}: {}", message.role.as_str(), cut(&text_of(message), SUMMARY_MAX)),
    )
}

/// The message's text on one line, or the names of its tools.
fn text_of(message: &Message) -> String {
    let text = one_line(&message.content);
    let tools = message.tool_calls.as_deref().unwrap_or_default();
    if !text.is_empty() || tools.is_empty() {
        return text;
    }
    let names: Vec<_> = tools.iter().map(|call| one_line(&call.tool)).collect();
    format!("(called {})", names.join(", "))
}

/// A value on one line of limited length, or the placeholder for a missing value.
fn value(text: &str, absent: &str) -> String {
    let line = one_line(text);
    if line.is_empty() { absent.to_owned() } else { cut(&line, VALUE_MAX) }
}

fn list(items: &[String], separator: &str) -> String {
    let mut shown: Vec<_> = items.iter().take(ITEMS_MAX).map(|item| value(item, "unknown")).collect();
    if items.len() > ITEMS_MAX {
        shown.push(format!("and {} more", items.len() - ITEMS_MAX));
    }
    if shown.is_empty() { "none".to_owned() } else { shown.join(separator) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Extra,
        message::{MessageKind, ToolCall},
        prompt::ARGUMENT_MAX,
    };
    use expect_test::expect;
    use proptest::prelude::*;

    fn at() -> Timestamp {
        Timestamp::parse_from_rfc3339("2026-01-19T12:30:00-06:00").unwrap()
    }

    #[test]
    fn the_prompt_matches_the_specifications_template() {
        let facts = ResumeFacts {
            bead: Some(ResumeBead { title: "Implement login".into(), status: Some(BeadStatus::InProgress) }),
            objective: Some("Validate\npasswords".into()),
            last_message_summary: Some("assistant: The tests pass.".into()),
            files_touched: vec!["src/login.rs".into(), "src/main.rs".into()],
            paused_at: Some(at()),
            external_changes: Some(vec!["src/main.rs was modified".into(), "2 commits on main".into()]),
        };
        expect![[r#"
            You are resuming a paused session.

            Session Context:
            - Bead: Implement login (in_progress)
            - Objective: Validate passwords
            - Last message: assistant: The tests pass.
            - Files touched: src/login.rs, src/main.rs
            - Paused at: 2026-01-19T12:30:00-06:00
            - Changes since pause: src/main.rs was modified; 2 commits on main

            Please acknowledge and continue from where we left off."#]]
        .assert_eq(&resume(&facts));
    }

    #[test]
    fn unknown_facts_keep_their_lines() {
        expect![[r#"
            You are resuming a paused session.

            Session Context:
            - Bead: none
            - Objective: none
            - Last message: none
            - Files touched: none
            - Paused at: unknown
            - Changes since pause: unknown

            Please acknowledge and continue from where we left off."#]]
        .assert_eq(&resume(&ResumeFacts::default()));
        let looked = ResumeFacts {
            bead: Some(ResumeBead { title: "BC-1".into(), status: None }),
            external_changes: Some(vec![]),
            ..ResumeFacts::default()
        };
        let prompt = resume(&looked);
        assert!(
            prompt.contains("- Bead: BC-1 (unknown)\n") && prompt.contains("- Changes since pause: none\n")
        );
    }

    #[test]
    fn a_long_list_of_files_is_cut_with_a_count() {
        let files_touched = (0..60).map(|n| format!("f{n}")).collect();
        let prompt = resume(&ResumeFacts { files_touched, ..ResumeFacts::default() });
        assert!(prompt.contains(", f49, and 10 more\n"), "{prompt}");
    }

    #[test]
    fn the_summary_is_the_last_message_of_the_main_conversation() {
        let message = |role, text: &str| Message::new("id", role, text, at());
        let mut from_subagent = message(Role::Assistant, "sub");
        from_subagent.subagent = Some("agent-1".into());
        let mut error = message(Role::Assistant, "API Error");
        error.kind = Some(MessageKind::ApiError);
        let messages = [
            message(Role::User, "go"),
            message(Role::Assistant, "The\n\u{1b}[1mtests pass."),
            from_subagent,
            error,
        ];
        assert_eq!(last_message_summary(&messages), "assistant: The tests pass.");
        assert_eq!(last_message_summary(&messages[..1]), "user: go");
        assert_eq!(last_message_summary(&[]), "none");
    }

    #[test]
    fn a_message_with_only_tool_calls_is_summarized_by_their_names() {
        let mut message = Message::new("id", Role::Assistant, "", at());
        let call = |tool: &str| ToolCall {
            tool: tool.into(),
            input: Extra::new(),
            output: None,
            duration_ms: None,
            id: None,
            is_error: false,
            details: None,
            extra: Extra::new(),
        };
        message.tool_calls = Some(vec![call("Bash"), call("Edit")]);
        assert_eq!(last_message_summary(&[message]), "assistant: (called Bash, Edit)");
    }

    proptest! {
        #[test]
        fn the_template_has_eleven_lines_for_any_values(
            title in any::<String>(), objective in any::<Option<String>>(), last in any::<Option<String>>(),
            files in prop::collection::vec(any::<String>(), 0..80), changes in any::<Option<Vec<String>>>(),
        ) {
            let facts = ResumeFacts {
                bead: Some(ResumeBead { title, status: None }),
                objective,
                last_message_summary: last,
                files_touched: files,
                paused_at: None,
                external_changes: changes,
            };
            let prompt = resume(&facts);
            prop_assert!(prompt.len() <= ARGUMENT_MAX);
            prop_assert_eq!(prompt.lines().count(), 11);
        }
    }
}
