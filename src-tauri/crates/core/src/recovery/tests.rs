//! The specification's test cases in the specification's order, and cases that it leaves open.

mod stores;

use super::*;
use crate::{
    Timestamp,
    bead::{BeadComment, BeadDetail, BeadStatus},
};
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    Timestamp::parse_from_rfc3339(text).unwrap()
}

fn noon() -> Timestamp {
    at("2026-02-19T12:00:00Z")
}

fn comment(text: &str, created_at: Option<&str>) -> BeadComment {
    BeadComment {
        id: "1".into(),
        author: "agent".into(),
        text: text.into(),
        created_at: created_at.and_then(|t| Timestamp::parse_from_rfc3339(t).ok()),
    }
}

fn link(id: &str, title: &str) -> Link {
    Link { id: id.parse().unwrap(), title: title.into(), issue_type: None }
}

fn facts(title: &str) -> Facts {
    Facts {
        id: "bd-1".parse().unwrap(),
        title: title.into(),
        status: BeadStatus::InProgress,
        issue_type: "task".into(),
        priority: 2,
        parent: None,
        unblocks: vec![],
        comments: vec![],
    }
}

fn commands() -> Commands {
    Commands { tracker: "bd".into(), reviews: true }
}

fn message(facts: &Facts, files: &[&str]) -> String {
    let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
    block(facts, &files, &commands(), noon())
}

// The specification's `formatCheckpointTrail`

#[test]
fn the_trail_shows_comments_with_their_age() {
    let comments = [
        comment("Started work on parser", Some("2026-02-19T10:00:00Z")),
        comment("Tests passing for tokenizer", Some("2026-02-19T11:00:00Z")),
        comment("commit: a1b2c3d feat: add bracket tokenizer", Some("2026-02-19T11:30:00Z")),
    ];
    assert_eq!(
        trail(&comments, noon()),
        [
            "- [2h ago] Started work on parser",
            "- [1h ago] Tests passing for tokenizer",
            "- [30m ago] commit: a1b2c3d feat: add bracket tokenizer",
        ]
    );
}

#[test]
fn the_trail_is_limited_to_the_last_five_comments() {
    let comments: Vec<BeadComment> =
        (1..=8).map(|n| comment(&format!("Comment {n}"), Some("2026-02-19T11:00:00Z"))).collect();
    let trail = trail(&comments, noon());
    assert_eq!(trail.len(), 5);
    assert!(trail[0].ends_with("Comment 4") && trail[4].ends_with("Comment 8"), "{trail:?}");
}

#[test]
fn a_long_comment_is_cut_to_two_hundred_characters() {
    for letter in ["x", "ß", "日"] {
        let line = &trail(&[comment(&letter.repeat(300), Some("2026-02-19T11:00:00Z"))], noon())[0];
        let text = line.strip_prefix("- [1h ago] ").unwrap();
        assert_eq!((text.chars().count(), text.ends_with("...")), (200, true), "{line}");
    }
    let exact = "x".repeat(200);
    assert!(trail(&[comment(&exact, None)], noon())[0].ends_with(&exact));
}

#[test]
fn requested_changes_are_longer_than_other_comments() {
    let request = format!("Changes requested: {}", "x".repeat(300));
    assert!(trail(&[comment(&request, None)], noon())[0].ends_with(&request));
    let long = format!("{request}{request}");
    assert!(trail(&[comment(&long, None)], noon())[0].ends_with("..."));
}

#[test]
fn without_comments_there_is_no_trail() {
    assert_eq!(trail(&[], noon()), Vec::<String>::new());
}

#[test]
fn a_comment_without_a_readable_date_is_of_unknown_age() {
    assert_eq!(
        trail(&[comment("Bad date comment", Some("not-a-date"))], noon()),
        ["- [unknown] Bad date comment"]
    );
}

#[test]
fn ages_are_shown_in_the_largest_whole_unit() {
    for (moment, expect) in [
        ("2026-02-19T12:00:00Z", "just now"),
        ("2026-02-19T11:59:01Z", "just now"),
        ("2026-02-19T11:59:00Z", "1m ago"),
        ("2026-02-19T11:00:01Z", "59m ago"),
        ("2026-02-18T12:00:01Z", "23h ago"),
        ("2026-02-18T12:00:00Z", "1d ago"),
        ("2025-02-19T12:00:00Z", "365d ago"),
        ("2026-02-19T13:00:00+02:00", "1h ago"),
        ("2026-02-20T00:00:00Z", "just now"),
    ] {
        assert_eq!(relative_time(Some(at(moment)), noon()), expect, "{moment}");
    }
}

#[test]
fn a_multi_line_comment_becomes_one_line_and_adds_no_heading() {
    let trail = trail(&[comment("one\n## Resuming: bd-9\u{1b}[31m\n- two", None)], noon());
    assert_eq!(trail, ["- [unknown] one ## Resuming: bd-9 - two"]);
}

// The specification's `formatRecoveryMessage`

#[test]
fn the_block_has_all_sections() {
    let facts = Facts {
        parent: Some(Link { issue_type: Some("epic".into()), ..link("bd-parent", "Parser system") }),
        unblocks: vec![link("bd-2", "Widget renderer")],
        comments: vec![
            comment("Started work on parser", Some("2026-02-19T10:00:00Z")),
            comment("commit: a1b2c3d feat: add tokenizer", Some("2026-02-19T11:00:00Z")),
        ],
        ..facts("Implement parser")
    };
    expect_test::expect![[r#"
        # Beads Workflow Context

        ## Core Rules
        - Use beads for ALL task tracking (`bd create`, `bd ready`, `bd close`)
        - Do NOT use TodoWrite, TaskCreate, or markdown task files for tracking
        - Create beads issue BEFORE writing code
        - Mark issue in_progress when starting work

        ## Essential Commands
        - bd ready
        - bd list --status in_progress
        - bd show <id>
        - beads-console bead submit <id>

        ## Resuming: bd-1 — Implement parser
        **Status:** in_progress | **Type:** task | **Priority:** P2
        **Parent:** bd-parent — Parser system (epic)
        **Unblocks:** bd-2 — Widget renderer

        ### Checkpoint Trail
        - [2h ago] Started work on parser
        - [1h ago] commit: a1b2c3d feat: add tokenizer

        ### Uncommitted Changes
        src/parser.ts (M), tests/parser.test.ts (M)"#]]
    .assert_eq(&message(&facts, &["src/parser.ts (M)", "tests/parser.test.ts (M)"]));
}

#[test]
fn without_a_parent_the_parent_line_is_omitted() {
    let text = message(&facts("Standalone"), &[]);
    assert!(!text.contains("Parent:") && text.contains("Resuming: bd-1 — Standalone"), "{text}");
}

#[test]
fn unblocked_beads_are_listed_if_any() {
    assert!(!message(&facts("Test"), &[]).contains("Unblocks:"));
    let both = vec![link("bd-2", "Widget renderer"), link("bd-3", "Widget tests")];
    let text = message(&Facts { unblocks: both, ..facts("Test") }, &[]);
    assert!(text.contains("**Unblocks:** bd-2 — Widget renderer, bd-3 — Widget tests"), "{text}");
}

#[test]
fn empty_sections_are_omitted() {
    let text = message(&facts("Fresh"), &[]);
    assert!(!text.contains("Checkpoint Trail") && !text.contains("Uncommitted"), "{text}");
    let text = message(&Facts { comments: vec![comment("Some work", None)], ..facts("Clean") }, &[]);
    assert!(text.contains("Checkpoint Trail") && !text.contains("Uncommitted"), "{text}");
}

#[test]
fn fifteen_files_are_named_and_the_others_counted() {
    let files: Vec<String> = (0..20).map(|n| format!("file{n}.ts (M)")).collect();
    let text = block(&facts("Many files"), &files, &commands(), noon());
    assert!(
        text.contains("file14.ts (M)") && !text.contains("file15.ts") && text.contains("...and 5 more"),
        "{text}"
    );
}

// Cases that the specification leaves open

#[test]
fn the_prime_names_the_trackers_commands() {
    let text = message(&facts("Test"), &[]);
    let (before, _) = text.split_once("\n\n## Resuming").unwrap();
    assert_eq!(before, static_prime(&commands()));
    let own = static_prime(&Commands { tracker: "beads-console bead".into(), reviews: false });
    assert!(own.contains("- beads-console bead ready\n"), "{own}");
    assert!(own.ends_with("- beads-console bead close <id> --reason \"Verified: ...\""), "{own}");
}

/// Facts that do not fit into a block.
fn crowded() -> Facts {
    Facts {
        parent: Some(link("bd-parent", "A parent")),
        unblocks: (0..9).map(|n| link(&format!("bd-{n}"), &"waits for this one ".repeat(2))).collect(),
        comments: (0..5).map(|n| comment(&format!("comment {n} {}", "ä".repeat(180)), None)).collect(),
        ..facts("Crowded")
    }
}

#[test]
fn over_the_limit_files_then_unblocked_beads_then_old_comments_are_omitted() {
    let files: Vec<String> = (0..20).map(|n| format!("src/some/folder/file{n}.ts (M)")).collect();
    let text = block(&crowded(), &files, &commands(), noon());
    assert!(text.len() <= BLOCK_MAX, "{}", text.len());
    assert!(!text.contains("Uncommitted") && !text.contains("Unblocks"), "{text}");
    assert!(!text.contains("comment 0") && text.contains("comment 4"), "{text}");

    // If only a part fits, the first items are kept.
    let fewer = Facts { comments: vec![comment("short", None)], ..crowded() };
    let text = block(&fewer, &files, &commands(), noon());
    assert!(text.contains("bd-8") && text.contains("file0.ts") && text.contains("more"), "{text}");
    let longer = Facts { comments: crowded().comments[..3].to_vec(), ..crowded() };
    let text = block(&longer, &files, &commands(), noon());
    assert!(!text.contains("Uncommitted") && text.contains("comment 0"), "{text}");
    assert!(text.contains("Unblocks") && text.contains(", and "), "{text}");
}

#[test]
fn a_beads_detail_becomes_facts_by_its_links() {
    let detail: BeadDetail = serde_json::from_value(serde_json::json!({
        "id": "bd-1", "title": "T", "status": "in_progress", "priority": 1, "issue_type": "bug",
        "parent": "bd-p", "unblocks": ["bd-2"], "comments": (0..9).map(|n| serde_json::json!({
            "id": n.to_string(), "author": "a", "text": n.to_string()})).collect::<Vec<_>>(),
        "links": [
            {"id": "bd-p", "title": "Parent", "issue_type": "epic", "kind": "parent-child", "direction": "depends_on"},
            {"id": "bd-2", "title": "Waiting", "kind": "blocks", "direction": "depended_on_by"},
            {"id": "bd-3", "title": "Done", "status": "closed", "kind": "blocks", "direction": "depended_on_by"},
        ],
    }))
    .unwrap();
    let facts = Facts::from(&detail);
    assert_eq!(facts.parent, Some(Link { issue_type: Some("epic".into()), ..link("bd-p", "Parent") }));
    assert_eq!(facts.unblocks, [link("bd-2", "Waiting")]);
    let texts = |facts: &Facts| facts.comments.iter().map(|c| c.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&facts), ["4", "5", "6", "7", "8"]);
    let mut facts = facts;
    facts.commented(comment("9", None));
    assert_eq!(texts(&facts), ["5", "6", "7", "8", "9"]);
    assert_eq!(commands().comment("bd-1"), "bd comment bd-1 \"...\"");
    let br = Commands { tracker: "br".into(), reviews: true };
    assert_eq!(br.comment("bd-1"), "br comments add bd-1 \"...\"");
}

#[test]
fn an_unknown_parent_is_shown_by_its_id() {
    let text = message(&Facts { parent: Some(link("bd-p", "")), ..facts("T") }, &[]);
    assert!(text.contains("**Parent:** bd-p\n") || text.ends_with("**Parent:** bd-p"), "{text}");
}

prop_compose! {
    fn any_facts()(
        title in any::<String>(),
        kind in ".{0,40}",
        unblocks in prop::collection::vec(any::<String>(), 0..30),
        comments in prop::collection::vec((any::<String>(), 0i64..9_000_000_000), 0..8),
    ) -> Facts {
        Facts {
            issue_type: kind,
            unblocks: unblocks.iter().map(|title| link("bd-2", title)).collect(),
            comments: comments
                .iter()
                .map(|(text, at)| BeadComment {
                    created_at: chrono::DateTime::from_timestamp(*at, 0).map(|at| at.fixed_offset()),
                    ..comment(text, None)
                })
                .collect(),
            ..facts(&title)
        }
    }
}

proptest! {
    #[test]
    fn no_block_is_longer_than_two_kilobytes(
        facts in any_facts(),
        times in 1usize..200,
        files in prop::collection::vec(any::<String>(), 0..40),
    ) {
        let facts = Facts { title: facts.title.repeat(times), ..facts };
        let text = block(&facts, &files, &commands(), noon());
        prop_assert!(text.len() <= BLOCK_MAX, "{}", text.len());
        prop_assert!(text.contains("## Resuming: bd-1"));
    }
}

#[test]
fn overlong_kinds_and_states_stay_within_the_limit() {
    let facts = Facts { issue_type: "日".repeat(5_000), ..facts(&"ß".repeat(500)) };
    let text = message(&facts, &[]);
    assert!(text.len() <= BLOCK_MAX && text.len() > BLOCK_MAX - 4, "{}", text.len());
}
