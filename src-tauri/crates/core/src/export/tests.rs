//! Tests of the whole document: its content, and its structure, which no message can change.

use super::*;
use crate::{
    Extra, Timestamp,
    ids::SessionId,
    message::{Message, MessageKind, Role, ToolCall},
    session::{Draft, Event, PauseReason},
};
use expect_test::expect_file;
use proptest::prelude::*;
use pulldown_cmark::{Event as Md, HeadingLevel, Parser, Tag, TagEnd};

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
    meta.transition(Event::Resume, at(90)).unwrap();
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

fn conversation() -> Vec<Message> {
    let mut answer = Message::new("m2", Role::Assistant, "# Done\n\n```rust\nlet v: Vec<u8>;", at(3));
    let old = "fn a() {\n    1\n}\n";
    answer.tool_calls = Some(vec![
        call("Read", serde_json::json!({"file_path": "/w/p/src/main.rs", "limit": 20}), Some("x")),
        call(
            "Bash",
            serde_json::json!({"command": "cargo test", "description": "Run the tests"}),
            Some("\u{1b}[32mok\u{1b}[0m\n```\n"),
        ),
        call(
            "Edit",
            serde_json::json!({"file_path": "/w/p/src/login.rs", "old_string": old, "new_string": "fn a() {\n    2\n}\n"}),
            Some(""),
        ),
        call(
            "Write",
            serde_json::json!({"file_path": "/w/p/new.rs", "content": "// ```\n".repeat(20)}),
            None,
        ),
    ]);
    let mut note = Message::new("m3", Role::System, "compacted", at(4));
    note.kind = Some(MessageKind::Compaction);
    let mut part = Message::new("m5", Role::Assistant, "I look <i>there</i>.", at(92));
    part.subagent = Some("explorer".into());
    let go = "Go <b>on</b> with *this*\n\nand `that`";
    vec![
        Message::new("m1", Role::User, go, at(2)),
        answer,
        note,
        Message::new("m4", Role::User, "Now the rest", at(91)),
        part,
    ]
}

fn commits() -> Vec<CommitLine> {
    let commit = |hash: &str, subject: &str| CommitLine {
        hash: hash.repeat(5),
        subject: subject.into(),
        author: "Ann".into(),
        at: None,
    };
    vec![commit("1e81ae81", "Check *passwords* <first>"), commit("99999999", "")]
}

fn exported(meta: &Meta, messages: &[Message], tool_output: bool, of: fn(&Document<'_>) -> String) -> String {
    let (commits, roots) = (commits(), ["/w".to_owned(), "/w/p".to_owned()]);
    let changed = ["src/generated.rs".to_owned()];
    let (commits, changed) = (&commits[..], &changed[..]);
    of(&Document { meta, messages, commits, changed, roots: &roots, now: at(600), tool_output })
}

#[test]
fn the_markdown_reads_like_a_document() {
    let text = exported(&meta(), &conversation(), true, markdown);
    expect_file!["expected.md"].assert_eq(&text);
}

#[test]
fn the_html_has_the_same_content_and_nothing_active() {
    let text = exported(&meta(), &conversation(), true, html);
    let body = text.split_once("</style>").unwrap().1;
    expect_file!["expected.html"].assert_eq(body);
}

#[test]
fn tool_output_can_be_omitted() {
    let document = exported(&meta(), &conversation(), false, markdown);
    assert!(document.contains("\n\nOutput of 2 lines left out.\n\n"), "{document}");
    assert!(!document.contains("[32m"));
}

#[test]
fn an_empty_session_is_a_valid_document() {
    let draft = Draft::new(SessionId(uuid::Uuid::from_u128(7)), "proj-1".parse().unwrap(), at(0));
    let meta = Meta::draft(draft);
    let document = exported(&meta, &[], true, markdown);
    assert!(document.starts_with("---\ntitle: \"Session 00000000\"\n"), "{document}");
    assert!(document.ends_with("## Conversation\n\nNo messages.\n"), "{document}");
    assert!(exported(&meta, &[], true, html).ends_with("<p>No messages.</p>\n</body>\n</html>\n"));
}

#[test]
fn the_json_matches_the_specification() {
    let (meta, messages) = (meta(), conversation());
    let document = SessionDocument { meta: &meta, context_pack: None, commit_list: &[] };
    let lines: Vec<String> = messages.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    let text = document.to_json(&lines).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("    {\"id\"")).count(), messages.len());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let empty: serde_json::Value = serde_json::from_str(&document.to_json(&[]).unwrap()).unwrap();
    assert_eq!((&empty["messages"], &empty["bead_id"]), (&serde_json::json!([]), &json["bead_id"]));
    assert_eq!(json["bead_id"], "BC-001");
    assert_eq!(json["messages"][1]["tool_calls"][0]["tool"], "Read");
    assert_eq!(serde_json::from_value::<Meta>(json).unwrap().objective, meta.objective);
}

/// The headings above level 4 outside quotes, and the HTML of the document.
fn structure(document: &str) -> (Vec<(HeadingLevel, String)>, Vec<String>) {
    let (_, body) = document[4..].split_once("\n---\n").unwrap();
    let (mut headings, mut html, mut quotes) = (vec![], vec![], 0);
    let mut heading: Option<(HeadingLevel, String)> = None;
    for event in Parser::new(body) {
        match event {
            Md::Start(Tag::BlockQuote(_)) => quotes += 1,
            Md::End(TagEnd::BlockQuote(_)) => quotes -= 1,
            Md::Start(Tag::Heading { level, .. }) if quotes == 0 && level < HeadingLevel::H4 => {
                heading = Some((level, String::new()));
            }
            Md::End(TagEnd::Heading(_)) => headings.extend(heading.take()),
            Md::Text(text) | Md::Code(text) => {
                if let Some((_, words)) = &mut heading {
                    words.push_str(&text);
                }
            }
            Md::Html(text) | Md::InlineHtml(text) => html.push(text.to_string()),
            _ => {}
        }
    }
    (headings, html)
}

const NASTY: &str = "([ -~]|\n|\t|\u{1b}\\[2J|`{3,5}|~~~|<!--|<div>|</blockquote>|</details>|# |---|===|\\| a \\||\\[x\\]: y|\
    \\[a\\]\\(javascript:b\\)|<img src=x onerror=y>|\"|'|ä){0,40}";

fn hostile(texts: &[(String, String, String)]) -> Vec<Message> {
    let one = |(content, argument, output): &(String, String, String)| {
        let mut message = Message::new(content.clone(), Role::Assistant, content.clone(), at(2));
        let input = serde_json::json!({ argument.clone(): argument, "n": [argument] });
        let edit = serde_json::json!({"file_path": argument, "old_string": output, "new_string": content});
        message.tool_calls =
            Some(vec![call(content, input, Some(output)), call("Edit", edit, Some(content))]);
        message.subagent = Some(output.clone());
        let prompt = Message::new("p", Role::User, format!("x{argument}"), at(2));
        [prompt, message]
    };
    texts.iter().flat_map(one).collect()
}

proptest! {
    #[test]
    fn texts_cannot_change_the_structure_of_the_markdown(
        title in NASTY, objective in NASTY, texts in prop::collection::vec((NASTY, NASTY, NASTY), 1..4), file in NASTY,
    ) {
        let mut meta = meta();
        meta.files_touched = vec![format!("f{file}")];
        let read = "Files read";
        (meta.title, meta.objective) = (Some(title), Some(objective.clone()));
        let messages = hostile(&texts);
        let document = exported(&meta, &messages, true, markdown);
        let (headings, html) = structure(&document);
        let mut expect = vec![(HeadingLevel::H1, None)];
        if !objective.trim().is_empty() {
            expect.push((HeadingLevel::H2, Some("Objective")));
        }
        expect.extend(["Changed files", read, "Commits", "Conversation"].map(|words| (HeadingLevel::H2, Some(words))));
        expect.extend(texts.iter().map(|_| (HeadingLevel::H3, None)));
        prop_assert_eq!(headings.len(), expect.len(), "{}", document);
        for ((level, words), (expect_level, expect_words)) in headings.iter().zip(&expect) {
            prop_assert_eq!(level, expect_level, "{}", document);
            prop_assert!(expect_words.is_none_or(|expect| expect == words), "{}", document);
        }
        let ours = |text: &String| {
            ["<details>", "</details>", "<summary>", "</summary>"].iter().any(|tag| text.trim().starts_with(tag))
        };
        prop_assert!(html.iter().all(ours), "{:?}", html);
        prop_assert!(!document.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
    }

    #[test]
    fn texts_cannot_add_elements_or_addresses_to_the_html(
        title in NASTY, texts in prop::collection::vec((NASTY, NASTY, NASTY), 1..4),
    ) {
        let mut meta = meta();
        meta.title = Some(title);
        let document = exported(&meta, &hostile(&texts), true, html);
        let body = document.split_once("</style>").unwrap().1;
        for tag in body.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            prop_assert!(ELEMENTS.contains(&name.as_str()), "{}", tag);
            prop_assert!(name == "a" || !tag.contains("href"), "{}", tag);
            if let Some((_, address)) = tag.split_once("href=\"") {
                prop_assert!(!address.to_lowercase().starts_with("javascript"), "{}", tag);
            }
            let attributes = tag.split_once(' ').map_or("", |(_, rest)| rest);
            prop_assert!(["", "class=", "rel=", "start=", "/"].iter().any(|known| match *known {
                "" => attributes.is_empty(),
                known => attributes.starts_with(known),
            }), "{}", tag);
        }
    }
}

const ELEMENTS: &[&str] = &[
    "head",
    "body",
    "header",
    "html",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "div",
    "dl",
    "dt",
    "dd",
    "ul",
    "ol",
    "li",
    "code",
    "pre",
    "ins",
    "del",
    "details",
    "summary",
    "section",
    "span",
    "b",
    "a",
    "em",
    "strong",
    "s",
    "blockquote",
    "table",
    "tr",
    "th",
    "td",
    "br",
    "hr",
];

#[test]
fn a_long_conversation_is_rendered_in_parts_without_a_seam() {
    let meta = meta();
    let prompt = |n: i64| Message::new(format!("m{n}"), Role::User, format!("Prompt {n}"), at(n));
    let messages: Vec<Message> = (0..3_000).map(prompt).collect();
    let document = exported(&meta, &messages, true, markdown);
    let headings: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(headings.len(), messages.len());
    assert!(headings.iter().enumerate().all(|(n, text)| *text == format!("Prompt {n}")));
    assert_eq!(document.matches("*Paused from").count(), 1);
}
