//! Memories: labels, rows, keys, ranking, duplicates and rendering.

use super::*;
use crate::{
    Extra, Timestamp,
    message::{Message, Role},
    text::units,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

fn at(text: &str) -> Timestamp {
    Timestamp::parse_from_rfc3339(text).unwrap()
}

fn row(new: NewMemory) -> Map<String, Value> {
    let new = new.checked().unwrap();
    let id = memory_id("tp", new.key());
    to_row(&id, &new, "session_20260101_120000", "main", "ann", "2026-01-01T12:00:00Z")
}

#[test]
fn the_hint_for_a_long_memory_is_a_command_for_a_shell() {
    let (memory, text) = (entry("api: style", "x"), "word ".repeat(300));
    let primed = primed([(&memory, text.as_str())], BUDGET);
    assert!(primed.text.contains("(whole: `beads-console recall -- 'api: style'`)"), "{}", primed.text);
}

fn entry(key: &str, text: &str) -> MemoryEntry {
    let new = NewMemory { key: Some(key.to_owned()), ..NewMemory::learned("ann", text) };
    from_row(&row(new)).unwrap()
}

#[test]
fn the_tables_match_the_contract() {
    let priorities: Vec<u8> = (1..=10).map(|n| priority_of(Some(n))).collect();
    assert_eq!(priorities, [4, 3, 3, 2, 2, 2, 1, 1, 0, 0]);
    assert_eq!(priority_of(None), 2);
    assert_eq!([0, 1, 2, 3, 4].map(importance_of), [9, 7, 5, 3, 1]);
    let types = MemoryType::ALL.map(|kind| (kind.as_str(), issue_type_of(kind)));
    assert_eq!(
        types,
        [
            ("conversation", "task"),
            ("decision", "feature"),
            ("pattern", "chore"),
            ("context", "task"),
            ("learning", "chore"),
            ("artifact", "task")
        ]
    );
    let back = ["task", "feature", "chore", "bug", "epic", "spike"].map(|word| type_of_issue(word).as_str());
    assert_eq!(back, ["context", "decision", "learning", "conversation", "artifact", "context"]);
}

#[test]
fn labels_are_built_in_order_and_read_in_any() {
    let tags = vec!["api: v2".to_owned(), "\"q\"".to_owned()];
    let mut labels = build_labels("s:1", "arch", MemoryType::Decision, &tags);
    assert_eq!(labels, ["session:s:1", "agent:arch", "memory:decision", "api: v2", "\"q\""]);
    labels.sort();
    let parsed = parse_labels(&labels);
    assert_eq!(parsed.session_id.as_deref(), Some("s:1"));
    assert_eq!((parsed.agent_id.as_deref(), parsed.memory_type.as_deref()), (Some("arch"), Some("decision")));
    assert_eq!(parsed.custom_tags, ["\"q\"", "api: v2"]);
}

#[test]
fn a_memory_survives_a_round_trip_through_its_row() {
    let metadata: Extra =
        serde_json::from_value(json!({"pr": 7, "beads_status": "forged", "memory_key": "forged"})).unwrap();
    let new = NewMemory {
        key: Some("api: style".into()),
        title: Some("API\nDesign".into()),
        memory_type: Some(MemoryType::Pattern),
        tags: Some(vec!["api-design".into(), "api-design".into()]),
        importance: Some(8),
        bead: OnBead::Bead("BC-1".parse().unwrap()),
        metadata,
        ..NewMemory::learned("architect", "Chose \"REST\":\nbecause…")
    };
    let row = row(new);
    assert_eq!(
        (&row["status"], &row["assignee"], &row["priority"]),
        (&json!("pinned"), &json!("architect"), &json!(1))
    );
    let memory = from_row(&row).unwrap();
    assert_eq!((memory.key.as_str(), memory.title.as_str()), ("api: style", "API Design"));
    assert_eq!(memory.session_id.as_deref(), Some("session_20260101_120000"));
    assert_eq!((memory.memory_type, memory.importance), (MemoryType::Pattern, 8));
    assert_eq!((memory.tags.as_slice(), memory.content.as_ref()), (&["api-design".to_owned()][..], None));
    assert_eq!(content_of(&row), "Chose \"REST\":\nbecause…");
    assert_eq!(memory.bead_id.as_ref().map(|id| id.as_str()), Some("BC-1"));
    let metadata = Value::Object(memory.metadata.clone());
    let expected = json!({"pr": 7, "workstream": "main", "beads_issue_id": memory.id, "beads_priority": 1, "beads_status": "pinned"});
    assert_eq!(metadata, expected);
    assert_eq!((memory.created_at, memory.expires_at), (Some(at("2026-01-01T12:00:00Z")), None));
    assert_eq!(memory.accessed_at, memory.updated_at);
}

#[test]
fn a_manually_edited_row_is_a_memory_with_the_edits() {
    let mut edited = row(NewMemory { importance: Some(8), ..NewMemory::learned("ann", "text") });
    edited.insert("priority".into(), json!("P4"));
    edited.insert("status".into(), json!("open"));
    edited.insert("labels".into(), json!(["memory:nonsense", "agent:bob", 7, "new"]));
    edited.insert("description".into(), json!("another"));
    edited.insert("issue_type".into(), json!("feature"));
    let memory = from_row(&edited).unwrap();
    assert_eq!((memory.importance, memory.memory_type), (1, MemoryType::Decision));
    assert_eq!((memory.agent_id.as_deref(), memory.session_id), (Some("bob"), None));
    assert_eq!((memory.tags, memory.excerpt), (vec!["new".to_owned()], "another".to_owned()));
    for (key, value) in
        [("metadata", json!("junk")), ("dependencies", json!([1, {"id": 7}])), ("title", json!(null))]
    {
        edited.insert(key.into(), value);
        assert!(from_row(&edited).is_some(), "{key}");
    }
    edited.insert("labels".into(), json!(["memory:learning"]));
    assert!(from_row(&edited).is_none(), "a label that a user uses makes no memory");
}

#[test]
fn the_parent_is_a_blocker_or_the_origin() {
    let mut linked = row(NewMemory::learned("ann", "text"));
    linked.insert(
        "dependencies".into(),
        json!([
            {"depends_on_id": "tp-1", "type": "related"},
            {"id": "tp-2", "dependency_type": "discovered-from"},
            {"depends_on_id": "tp-3", "type": "tracks"},
        ]),
    );
    let memory = from_row(&linked).unwrap();
    assert_eq!(memory.parent_id.as_ref().map(|id| id.as_str()), Some("tp-2"));
    assert_eq!(memory.links.len(), 2);
}

#[test]
fn keys_are_words_and_unique_per_text() {
    assert_eq!(derived_key("Always run tests with -race flag"), "always-run-tests-with-race-flag");
    let long = "the quick brown fox jumps over the lazy dog";
    let (a, b) = (derived_key(long), derived_key(&format!("{long} twice")));
    assert!(a.starts_with("the-quick-brown-fox-jumps-over-the-lazy-") && a != b, "{a} {b}");
    assert!(derived_key("日本語").starts_with("memory-") && derived_key("日本語") != derived_key("中文"));
    assert_ne!(derived_key("größe"), derived_key("gr e"));
    assert_eq!(memory_id("tp", "k"), memory_id("tp", "k"));
    assert!(memory_id("not a prefix", "k").as_str().starts_with("mem-"));
    assert_eq!(title_of("\n## Heading\nmore"), "Heading");
    assert_eq!(session_name(at("2026-01-19T16:03:09+01:00")), "session_20260119_160309");
}

#[test]
fn invalid_memories_are_refused_with_the_field() {
    let field = |change: fn(&mut NewMemory)| {
        let mut new = NewMemory::learned("ann", "text");
        change(&mut new);
        new.checked().unwrap_err().field
    };
    assert_eq!(field(|new| new.content = " \n".into()), "text");
    assert_eq!(field(|new| new.content = "a\0b".into()), "text");
    assert_eq!(field(|new| new.content = "x".repeat(CONTENT_MAX + 1)), "text");
    assert_eq!(field(|new| new.importance = Some(11)), "importance");
    assert_eq!(field(|new| new.key = Some("-k".into())), "key");
    assert_eq!(field(|new| new.key = Some("a\nb".into())), "key");
    assert_eq!(field(|new| new.agent_id = "\n".into()), "agent");
    assert_eq!(field(|new| new.tags = Some(vec!["a,b".into()])), "tag");
    assert_eq!(field(|new| new.tags = Some(vec!["agent:bob".into()])), "tag");
}

#[test]
fn replacing_a_text_keeps_the_other_fields() {
    let old = from_row(&row(NewMemory {
        tags: Some(vec!["t".into()]),
        importance: Some(9),
        memory_type: Some(MemoryType::Decision),
        metadata: serde_json::from_value(json!({"pr": 7})).unwrap(),
        ..NewMemory::learned("ann", "text")
    }))
    .unwrap();
    let new = NewMemory { importance: Some(2), ..NewMemory::learned("bob", "new") }.over(&old);
    assert_eq!((new.agent_id.as_str(), new.importance), ("ann", Some(2)));
    assert_eq!((new.memory_type, new.tags), (Some(MemoryType::Decision), Some(vec!["t".to_owned()])));
    assert_eq!(new.metadata["pr"], 7);
}

#[test]
fn metadata_in_the_notes_keeps_their_other_text() {
    let metadata: Extra = serde_json::from_value(json!({"k": "```\n\"x\"", "memory_key": "a"})).unwrap();
    let notes = fenced("a user's note", &metadata);
    assert_eq!(unfenced(&notes), Some(metadata.clone()));
    let mut other = metadata.clone();
    other.insert("k".into(), json!(1));
    let again = fenced(&format!("{notes}\nand another"), &other);
    assert_eq!(unfenced(&again), Some(other));
    assert!(again.starts_with("a user's note\n\n```") && again.ends_with("\n\nand another"), "{again}");
    assert_eq!(unfenced("no `\u{200b}``beads-console-memory` here"), None);
    let mut row = row(NewMemory { key: Some("a".into()), ..NewMemory::learned("ann", "text") });
    row.remove("metadata");
    row.insert("notes".into(), json!(notes));
    assert_eq!(from_row(&row).unwrap().key, "a");
}

#[test]
fn memories_are_ranked_by_relation_importance_and_relevance() {
    let near = |bead: Option<&str>, importance: u8, text: &str| {
        let new = NewMemory {
            bead: OnBead::known(bead.map(|id| id.parse().unwrap())),
            importance: Some(importance),
            ..NewMemory::learned("ann", text)
        };
        from_row(&row(new)).unwrap()
    };
    let focus = Focus {
        bead: Some("BC-1".parse().unwrap()),
        epic: vec!["BC-2".parse().unwrap()],
        text: "Login validation with regular expressions".into(),
    };
    let now = at("2026-01-02T12:00:00Z");
    let order = |memories: &[MemoryEntry]| -> Vec<String> {
        rank(memories, &focus, now).into_iter().map(|place| memories[place].title.clone()).collect()
    };
    let scopes = [
        near(Some("BC-9"), 5, "elsewhere"),
        near(None, 5, "project"),
        near(Some("BC-2"), 5, "epic"),
        near(Some("BC-1"), 5, "bead"),
    ];
    assert_eq!(order(&scopes), ["bead", "epic", "project", "elsewhere"]);
    assert_eq!(order(&[near(None, 5, "other"), near(None, 5, "login validation")])[0], "login validation");
    assert_eq!(order(&[near(None, 4, "some"), near(None, 10, "most")])[0], "most");
    let mut old = near(None, 5, "old");
    old.updated_at = Some(at("2025-01-01T00:00:00Z"));
    old.accessed_at = old.updated_at;
    assert_eq!(order(&[old, near(None, 5, "young")])[0], "young");
    assert_eq!(scope(&scopes[2], &focus), Scope::Epic);
}

#[test]
fn duplicate_memories_are_found_and_merged() {
    let texts = [
        "The flag -race finds data races in the tests of the server, always use it there",
        "Something else entirely about the build of the front end",
        "the flag -race finds data races in the tests of the server; always use it there!",
    ];
    let entries: Vec<MemoryEntry> =
        texts.iter().enumerate().map(|(n, text)| entry(&format!("k{n}"), text)).collect();
    let all: Vec<_> = entries.iter().zip(texts).collect();
    assert_eq!(duplicates(&all), [vec![0, 2]]);
    let mut first = entry("a", "x");
    first.tags = vec!["one".into()];
    first.links = vec![MemoryLink { id: "tp-9".parse().unwrap(), kind: Relation::Related }];
    let mut second = entry("b", "x");
    (second.tags, second.importance) = (vec!["one".into(), "two".into()], 9);
    second.links = vec![MemoryLink { id: first.id.clone(), kind: Relation::Blocks }];
    let one =
        merged(&[(&first, "line one\nline two"), (&second, "line two\nline three"), (&second, "line one")]);
    assert_eq!(one.content, "line one\nline two\n\nline three");
    assert_eq!(
        (one.tags, one.importance, one.links),
        (vec!["one".to_owned(), "two".to_owned()], 9, first.links)
    );
}

#[test]
fn proposals_are_sentences_that_state_a_finding() {
    let message = |id: &str, role, text: &str| Message::new(id, role, text, at("2026-01-01T00:00:00Z"));
    let messages = [
        message("u", Role::User, "Note: the user's own words are no proposal of the agent."),
        message(
            "a",
            Role::Assistant,
            "I ran it. The root cause is a missing lock around the cache. Done.\n```\nnote: code is not looked at here\n```",
        ),
        message(
            "b",
            Role::Assistant,
            "- Decision: we keep the old format for another release.\nshort note: x",
        ),
    ];
    let found = proposals(&messages, &HashSet::new());
    let texts: Vec<&str> = found.iter().map(|proposal| proposal.content.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Decision: we keep the old format for another release.",
            "The root cause is a missing lock around the cache."
        ]
    );
    assert_eq!((found[0].memory_type, found[0].message_id.as_str()), (MemoryType::Decision, "b"));
    let known = found.iter().map(|proposal| proposal.key.clone()).collect();
    assert!(proposals(&messages, &known).is_empty());
}

#[test]
fn a_markdown_file_becomes_one_memory_per_item() {
    let text = "# Project memory\n\nIntro words\nof two lines.\n\n## Testing\n- run `x`\n  with care\n- run y\n\n```sh\nmake test\n```\n\n## Empty\n";
    let items = from_markdown(text);
    let seen: Vec<(Option<&str>, &str)> =
        items.iter().map(|item| (item.section.as_deref(), item.text.as_str())).collect();
    assert_eq!(
        seen,
        [
            (Some("Project memory"), "Intro words\nof two lines."),
            (Some("Testing"), "run `x`\nwith care"),
            (Some("Testing"), "run y\n\n```sh\nmake test\n```"),
        ]
    );
    assert!(from_markdown("").is_empty() && from_markdown("# only\n## headings").is_empty());
}

proptest! {
    #[test]
    fn every_text_survives_a_round_trip(text in "\\PC*[\n\"':\\\\a-z]+\\PC*", importance in 1u8..=10) {
        let new = NewMemory { importance: Some(importance), ..NewMemory::learned("ann", text.clone()) };
        let row = row(new);
        let written = serde_json::to_string(&row).unwrap();
        prop_assert!(!written.contains('\n'));
        let read: Map<String, Value> = serde_json::from_str(&written).unwrap();
        let memory = from_row(&read).unwrap();
        prop_assert_eq!(content_of(&read), text.as_str());
        prop_assert_eq!(memory.importance, importance);
        prop_assert!(!memory.key.is_empty() && !memory.title.is_empty());
    }

    #[test]
    fn labels_keep_every_value(session in "[^,]{1,20}", agent in "[^,]{1,20}", tags in prop::collection::vec("[^,]{1,12}", 0..4)) {
        prop_assume!(tags.iter().all(|tag| check_tag(tag).is_ok_and(|checked| checked == *tag)));
        for kind in MemoryType::ALL {
            let mut labels = build_labels(&session, &agent, kind, &tags);
            labels.reverse();
            let mut parsed = parse_labels(&labels);
            parsed.custom_tags.reverse();
            prop_assert_eq!(parsed.session_id.as_deref(), Some(session.as_str()));
            prop_assert_eq!(parsed.agent_id.as_deref(), Some(agent.as_str()));
            prop_assert_eq!(parsed.memory_type.as_deref(), Some(kind.as_str()));
            prop_assert_eq!(&parsed.custom_tags, &tags);
        }
    }

    #[test]
    fn an_importance_and_its_priority_agree(importance in 1u8..=10) {
        let priority = priority_of(Some(importance));
        prop_assert!(priority <= 4 && importance_of(priority).abs_diff(importance) <= 1);
    }

    #[test]
    fn memories_stay_within_their_budget(texts in prop::collection::vec("[a-zé🙂\n]{1,1200}", 0..12), budget in 0usize..6_000) {
        let entries: Vec<MemoryEntry> = texts.iter().enumerate().map(|(n, _)| entry(&format!("k{n}"), "x")).collect();
        let primed = primed(entries.iter().zip(texts.iter().map(String::as_str)), budget);
        prop_assert!(units(&primed.text) <= budget);
        prop_assert_eq!(primed.keys.len() + primed.left_out, texts.len());
        prop_assert_eq!(primed.text.is_empty(), primed.keys.is_empty());
    }

    #[test]
    fn the_order_does_not_depend_on_the_input_order(importances in prop::collection::vec(1u8..=10, 1..8)) {
        let mut entries: Vec<MemoryEntry> = importances.iter().enumerate().map(|(n, importance)| MemoryEntry { importance: *importance, ..entry(&format!("k{n}"), "x") }).collect();
        let keys = |entries: &[MemoryEntry]| -> Vec<String> {
            rank(entries, &Focus::default(), at("2026-02-01T00:00:00Z")).into_iter().map(|place| entries[place].key.clone()).collect()
        };
        let forward = keys(&entries);
        entries.reverse();
        prop_assert_eq!(forward, keys(&entries));
    }

    #[test]
    fn no_text_breaks_the_fence(value in any::<String>(), notes in "[a-z`\n ]{0,40}") {
        let metadata: Extra = serde_json::from_value(json!({"memory_key": value})).unwrap();
        prop_assert_eq!(unfenced(&fenced(&notes, &metadata)), Some(metadata));
    }
}
