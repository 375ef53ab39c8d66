//! The whole document: its content, and that no message can change its structure.

use super::*;
use crate::{
    ids::SessionId,
    session::{Draft, Event, PauseReason},
};
use expect_test::expect;
use proptest::prelude::*;
use pulldown_cmark::{Event as Md, HeadingLevel, Options, Parser, Tag, TagEnd};

fn at(minutes: i64) -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap() + chrono::Duration::minutes(minutes)
}

fn meta() -> Meta {
    let draft = Draft {
        bead_id: Some("BC-001".parse().unwrap()),
        agent_id: Some("hlstc-executor".parse().unwrap()),
        branch: Some("feat/BC-001-login".parse().unwrap()),
        title: Some("Implement *login*".into()),
        objective: Some("Passwords are checked.\n\n<script>alert(1)</script>".into()),
        ..Draft::new(SessionId(uuid::Uuid::from_u128(7)), "proj-1".parse().unwrap(), at(0))
    };
    let mut meta = Meta::draft(draft);
    meta.transition(Event::Start, at(1)).unwrap();
    meta.transition(Event::Pause(PauseReason::User), at(46)).unwrap();
    meta.total_tokens = Some(12_345);
    meta.cost_usd = Some(0.1234);
    meta.files_touched = vec!["src/login.rs".into(), "odd`name".into()];
    meta.commits = vec!["1e81ae8".into()];
    meta
}

fn call(tool: &str, input: serde_json::Value, output: Option<&str>) -> ToolCall {
    ToolCall {
        tool: tool.into(),
        input: input.as_object().unwrap().clone(),
        output: output.map(Into::into),
        duration_ms: Some(1200),
        id: None,
        is_error: false,
        details: None,
        extra: Extra::new(),
    }
}

fn talk() -> Vec<Message> {
    let mut answer = Message::new("m2", Role::Assistant, "Done:\n\n```rust\nlet v: Vec<u8>;", at(3));
    answer.tool_calls = Some(vec![
        call(
            "Bash",
            serde_json::json!({"command": "cargo test", "timeout": 60}),
            Some("\u{1b}[32mok\u{1b}[0m\n```\n"),
        ),
        call("Write", serde_json::json!({"file_path": "a.rs", "content": "fn a() {\n}\n"}), None),
    ]);
    let mut note = Message::new("m3", Role::System, "compacted", at(4));
    note.kind = Some(MessageKind::Compaction);
    vec![Message::new("m1", Role::User, "Go <b>on</b>", at(2)), answer, note]
}

#[test]
fn the_document_is_readable_without_rendering() {
    expect![[r#"
        # Implement \*login\*

        | Fact          | Value |
        |---------------|-------|
        | Session       | `00000000-0000-0000-0000-000000000007` |
        | Bead          | `BC-001` |
        | Agent         | `hlstc-executor` |
        | Branch        | `feat/BC-001-login` |
        | State         | paused (user) |
        | Created       | 2026-01-19 10:00:00 -06:00 |
        | Started       | 2026-01-19 10:01:00 -06:00 |
        | Paused        | 2026-01-19 10:46:00 -06:00 |
        | Active time   | 45m |
        | Messages      | 3 |
        | Tokens        | 12,345 |
        | Cost          | $0.12 |
        | Files touched | 2 |
        | Commits       | 1 |

        ## Objective

        > Passwords are checked.
        >
        > \<script>alert(1)\</script>

        ## Files touched

        - `src/login.rs`
        - ``odd`name``

        ## Commits

        - `1e81ae8`

        ## Conversation

        ### 1. User · 2026-01-19 10:02:00 -06:00

        > Go \<b>on\</b>

        ### 2. Claude · 2026-01-19 10:03:00 -06:00

        > Done:
        >
        > ```rust
        > let v: Vec<u8>;

        **Tool: Bash** · 1s

        ```text
        command: cargo test
        timeout: 60
        ```

        Output:

        ````text
        ok
        ```
        ````

        **Tool: Write** · 1s

        ```text
        file_path: a.rs
        content:
            fn a() {
            }
        ```

        No output yet.

        ### 3. System · compaction · 2026-01-19 10:04:00 -06:00

        > compacted
    "#]]
    .assert_eq(&markdown(&meta(), &talk(), at(600), MarkdownOptions { tool_output: true }));
}

#[test]
fn tool_output_can_be_omitted() {
    let document = markdown(&meta(), &talk(), at(600), MarkdownOptions { tool_output: false });
    assert!(document.contains("\n\nOutput of 2 lines left out.\n\n"), "{document}");
    assert!(!document.contains("Output:\n"));
}

#[test]
fn an_empty_session_is_a_valid_document() {
    let draft = Draft::new(SessionId(uuid::Uuid::from_u128(7)), "proj-1".parse().unwrap(), at(0));
    let document = markdown(&Meta::draft(draft), &[], at(0), MarkdownOptions { tool_output: true });
    assert!(document.starts_with("# Session 00000000\n"), "{document}");
    assert!(document.ends_with("## Conversation\n\nNothing was said.\n"), "{document}");
}

#[test]
fn the_json_matches_the_specification() {
    let (meta, messages) = (meta(), talk());
    let document = SessionDocument { meta: &meta, context_pack: None };
    let lines: Vec<String> = messages.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    let text = document.to_json(&lines).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("    {\"id\"")).count(), messages.len());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let empty: serde_json::Value = serde_json::from_str(&document.to_json(&[]).unwrap()).unwrap();
    assert_eq!((&empty["messages"], &empty["bead_id"]), (&serde_json::json!([]), &json["bead_id"]));
    assert_eq!(json["bead_id"], "BC-001");
    assert_eq!(json["messages"][1]["tool_calls"][0]["tool"], "Bash");
    assert_eq!(serde_json::from_value::<Meta>(json).unwrap().objective, meta.objective);
}

/// The headings outside quotes, and the numbers of HTML blocks and tables.
fn structure(document: &str) -> (Vec<(HeadingLevel, String)>, usize, usize) {
    let (mut headings, mut html, mut tables, mut quotes) = (vec![], 0, 0, 0);
    let mut heading: Option<(HeadingLevel, String)> = None;
    for event in Parser::new_ext(document, Options::ENABLE_TABLES) {
        match event {
            Md::Start(Tag::BlockQuote(_)) => quotes += 1,
            Md::End(TagEnd::BlockQuote(_)) => quotes -= 1,
            Md::Start(Tag::Heading { level, .. }) if quotes == 0 => heading = Some((level, String::new())),
            Md::End(TagEnd::Heading(_)) => headings.extend(heading.take()),
            Md::Text(text) | Md::Code(text) => {
                if let Some((_, words)) = &mut heading {
                    words.push_str(&text);
                }
            }
            Md::Start(Tag::Table(_)) if quotes == 0 => tables += 1,
            Md::Html(_) | Md::InlineHtml(_) => html += 1,
            _ => {}
        }
    }
    (headings, html, tables)
}

const NASTY: &str =
    "([ -~]|\n|\t|\u{1b}\\[2J|`{3,5}|~~~|<!--|<div>|</blockquote>|# |---|===|\\| a \\||\\[x\\]: y|ä){0,40}";

proptest! {
    #[test]
    fn message_text_cannot_change_the_structure(
        title in NASTY, objective in NASTY, said in prop::collection::vec((NASTY, NASTY, NASTY), 1..4), file in NASTY,
    ) {
        let mut meta = meta();
        (meta.title, meta.objective, meta.files_touched) = (Some(title.clone()), Some(objective.clone()), vec![file]);
        let messages: Vec<_> = said.iter().map(|(content, argument, output)| {
            let mut message = Message::new(content.clone(), Role::Assistant, content.clone(), at(2));
            let argument = serde_json::json!({ argument.clone(): argument, "n": [argument] });
            message.tool_calls = Some(vec![call(content, argument, Some(output))]);
            message.subagent = Some(output.clone());
            message
        }).collect();
        let document = markdown(&meta, &messages, at(9), MarkdownOptions { tool_output: true });
        let (headings, html, tables) = structure(&document);

        let mut expect = vec![(HeadingLevel::H1, None)];
        if !objective.trim().is_empty() {
            expect.push((HeadingLevel::H2, Some("Objective")));
        }
        expect.extend(["Files touched", "Commits", "Conversation"].map(|words| (HeadingLevel::H2, Some(words))));
        expect.extend(messages.iter().map(|_| (HeadingLevel::H3, None)));
        prop_assert_eq!(headings.len(), expect.len(), "{}", document);
        for ((level, words), (expect_level, expect_words)) in headings.iter().zip(&expect) {
            prop_assert_eq!(level, expect_level, "{}", document);
            prop_assert!(expect_words.is_none_or(|expect| expect == words), "{}", document);
        }
        prop_assert_eq!((html, tables), (0, 1), "{}", document);
        prop_assert!(!document.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
    }
}
