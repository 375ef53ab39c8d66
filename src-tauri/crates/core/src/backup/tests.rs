//! Merges and comparisons of records and conversations, saved sessions, and manifests.

use super::*;
use crate::session::{CloseReason, Draft, Event, Meta};
use proptest::prelude::*;
use serde_json::{Value, json};

fn row(value: Value) -> Record {
    value.as_object().unwrap().clone()
}

fn bead(id: &str, at: &str, title: &str) -> Record {
    row(json!({"updated_at": at, "title": title, "id": id}))
}

fn beads(rows: impl IntoIterator<Item = Record>) -> Records {
    Records::of(Kind::Beads, rows)
}

#[test]
fn the_same_rows_always_give_the_same_bytes() {
    let (a, b) = (bead("a-1", "2026-01-01T00:00:00Z", "A"), bead("a-2", "2026-01-01T00:00:00Z", "B"));
    let other_order =
        row(json!({"title": "A", "id": "a-1", "comment_count": 3, "updated_at": "2026-01-01T00:00:00Z"}));
    let text = beads([b.clone(), a]).render();
    assert_eq!(text, beads([other_order, b]).render());
    assert_eq!(Records::parse(Kind::Beads, &text).render(), text);
    assert!(
        text.starts_with(b"{\"id\":\"a-1\",\"title\":\"A\",\"updated_at\""),
        "{}",
        String::from_utf8_lossy(&text)
    );
}

#[test]
fn the_later_state_wins_and_comments_are_united() {
    let comment = |text: &str, at: &str| json!({"id": 1, "author": "ann", "text": text, "created_at": at});
    let mut old = bead("a-1", "2026-01-01T00:00:00Z", "old");
    old.insert(
        "comments".into(),
        json!([comment("one", "2026-01-01T00:00:00.7Z"), comment("two", "2026-01-01T09:00:00Z")]),
    );
    let mut new = bead("a-1", "2026-01-02T00:00:00Z", "new");
    // The same comment with a rounded time.
    new.insert("comments".into(), json!([comment("one", "2026-01-01T00:00:01Z")]));
    for (a, b) in [(&old, &new), (&new, &old)] {
        for tie in [Tie::Newcomer, Tie::Settled] {
            let merged = beads([a.clone()]).with(beads([b.clone()]), tie);
            let merged = merged.get("a-1").unwrap();
            assert_eq!(merged["title"], "new");
            let texts: Vec<_> = merged["comments"].as_array().unwrap().iter().map(|c| &c["text"]).collect();
            assert_eq!(texts, ["one", "two"]);
        }
    }
}

#[test]
fn states_of_the_same_time_unite_labels_and_links() {
    let state = |title: &str, label: &str, on: &str| {
        let mut row = bead("a-1", "2026-01-01T00:00:00Z", title);
        row.insert("labels".into(), json!([label]));
        row.insert(
            "dependencies".into(),
            json!([{"issue_id": "a-1", "depends_on_id": on, "type": "blocks"}]),
        );
        beads([row])
    };
    let merged = state("here", "x", "a-2").with(state("there", "y", "a-3"), Tie::Newcomer);
    let merged = merged.get("a-1").unwrap();
    assert_eq!((&merged["title"], &merged["labels"]), (&json!("there"), &json!(["x", "y"])));
    assert_eq!(merged["dependencies"].as_array().map(Vec::len), Some(2));
}

#[test]
fn unreadable_lines_are_kept() {
    let text = b"{\"id\":\"a-1\"}\n<<<<<<< HEAD\n{\"no\":\"id\"}\n";
    let records = Records::parse(Kind::Beads, text);
    assert_eq!((records.len(), records.render()), (1, text.to_vec()));
}

#[test]
fn memories_are_identified_by_key_not_by_tracker_id() {
    let memory = |id: &str, at: &str, text: &str| {
        row(json!({"id": id, "description": text, "updated_at": at, "status": "pinned",
            "labels": ["agent:a", "memory:learning"], "metadata": {"memory_key": "redis"}}))
    };
    let both = Records::of(
        Kind::Memories,
        [memory("x-1", "2026-01-01T00:00:00Z", "old"), memory("y-9", "2026-01-02T00:00:00Z", "new")],
    );
    assert_eq!((both.len(), &both.get("redis").unwrap()["description"]), (1, &json!("new")));
}

fn at(text: &str) -> crate::Timestamp {
    crate::Timestamp::parse_from_rfc3339(text).unwrap()
}

#[test]
fn running_sessions_are_saved_as_interrupted_and_drafts_are_not_saved() {
    let id = crate::ids::SessionId(uuid::Uuid::from_u128(7));
    let mut meta = Meta::draft(Draft::new(id, "p".parse().unwrap(), at("2026-01-01T10:00:00Z")));
    assert_eq!(session_record(&meta), None);
    meta.transition(Event::Start, at("2026-01-01T10:00:05Z")).unwrap();
    let kept = session_record(&meta).unwrap();
    assert_eq!((&kept["status"], &kept["pause_reason"]), (&json!("paused"), &json!("interrupted")));
    // A restore yields exactly the same record.
    let restored: Meta = serde_json::from_value(Value::Object(kept.clone())).unwrap();
    assert_eq!(session_record(&restored).unwrap(), kept);
    // Work that continued on the first machine is later than the second machine's record.
    let second = Records::of(Kind::Sessions, [kept]);
    meta.message_count = 4;
    let first = Records::of(Kind::Sessions, session_record(&meta));
    for merged in
        [first.clone().with(second.clone(), Tie::Newcomer), second.clone().with(first, Tie::Newcomer)]
    {
        assert_eq!(merged.get(&id.to_string()).unwrap()["message_count"], 4);
    }
    meta.transition(Event::Close(CloseReason::User), at("2026-01-01T11:00:00Z")).unwrap();
    let closed = Records::of(Kind::Sessions, session_record(&meta));
    assert_eq!(closed.with(second, Tie::Newcomer).get(&id.to_string()).unwrap()["status"], "closed");
}

#[test]
fn a_restore_adds_and_updates_and_keeps_newer_records() {
    let backup = beads([
        bead("a-1", "2026-01-02T00:00:00Z", "missing"),
        bead("a-2", "2026-01-02T00:00:00Z", "newer in the backup"),
        bead("a-3", "2026-01-02T00:00:00Z", "older in the backup"),
        bead("a-4", "2026-01-02T00:00:00Z", "same"),
        // A tracker that rounds times has already imported this bead.
        bead("a-5", "2026-01-02T00:00:00.4Z", "rounded"),
        row(json!({"id": "a-6", "status": "tombstone", "updated_at": "2026-01-02T00:00:00Z"})),
    ]);
    let local = beads([
        bead("a-2", "2026-01-01T00:00:00Z", "x"),
        bead("a-3", "2026-01-03T00:00:00Z", "mine"),
        bead("a-4", "2026-01-02T00:00:00Z", "same"),
        bead("a-5", "2026-01-02T00:00:00Z", "rounded"),
        bead("a-9", "2026-01-02T00:00:00Z", "only local"),
    ]);
    let found = changes(&local, &backup);
    let ids =
        |rows: &[Record]| rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!((ids(&found.added), ids(&found.changed)), (vec!["a-1".to_owned()], vec!["a-2".to_owned()]));
    assert_eq!((found.kept, found.same), (vec!["a-3".to_owned()], 2));
    assert_eq!(found.changed[0]["title"], "newer in the backup");
}

#[test]
fn a_conversation_keeps_the_messages_of_both_sides_in_order() {
    let conversation =
        |ids: &[&str]| Conversation::of(ids.iter().map(|id| row(json!({"id": id, "content": "x"}))));
    let ids = |merged: Conversation| {
        let text = String::from_utf8(merged.render()).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
            .concat()
    };
    assert_eq!(ids(conversation(&["a", "b"]).with(conversation(&["a", "b", "c"]))), "abc");
    assert_eq!(ids(conversation(&["a", "b", "c"]).with(conversation(&["a", "d"]))), "abcd");
    assert_eq!(conversation(&["a", "b"]).beyond(&conversation(&["a"])).len(), 1);
    let struck = Conversation::of([row(json!({"id": "a", "content": "[removed]"}))]);
    let whole = conversation(&["a", "b"]).with(struck.clone());
    assert!(
        String::from_utf8(whole.render()).unwrap().starts_with("{\"id\":\"a\",\"content\":\"[removed]\"")
    );
    assert_eq!(Conversation::parse(&struck.render()), struck);
}

#[test]
fn a_manifest_of_a_newer_build_is_refused() {
    let manifest = Manifest::new(1, 2, 3, 0, false);
    assert_eq!(manifest.version, 1, "older builds support it");
    assert_eq!(Manifest::new(1, 2, 3, 1, true).version, 2);
    assert_eq!(Manifest::parse(&manifest.render()).unwrap(), manifest);
    let newer = br#"{"format":"beads-console-backup","version":3,"all":"different"}"#;
    assert!(matches!(Manifest::parse(newer), Err(ManifestError::Newer(3))));
    for foreign in [&b"{}"[..], b"x", br#"{"format":"bd-backup-git-manifest-v1","version":1}"#] {
        assert!(matches!(Manifest::parse(foreign), Err(ManifestError::Foreign)));
    }
}

fn any_bead() -> impl Strategy<Value = Record> {
    (0u8..4, 0u8..4, "[ab]{0,2}", prop::collection::vec("[xyz]", 0..3)).prop_map(
        |(id, second, title, said)| {
            let comments: Vec<Value> = said
                .iter()
                .map(|text| json!({"author": "a", "text": text, "created_at": "2026-01-01T00:00:00Z"}))
                .collect();
            row(json!({"id": format!("a-{id}"), "title": title, "comments": comments,
            "updated_at": format!("2026-01-01T00:00:{:02}Z", second * 5)}))
        },
    )
}

proptest! {
    #[test]
    fn merging_is_symmetric_between_machines(
        a in prop::collection::vec(any_bead(), 0..8),
        b in prop::collection::vec(any_bead(), 0..8),
    ) {
        let (a, b) = (beads(a), beads(b));
        let one = a.clone().with(b.clone(), Tie::Settled);
        prop_assert_eq!(&one.render(), &b.clone().with(a.clone(), Tie::Settled).render());
        prop_assert_eq!(&one.clone().with(b.clone(), Tie::Settled).render(), &one.render());
        // No record or comment is dropped.
        for (key, row) in a.iter().chain(b.iter()) {
            let merged = one.get(key).unwrap();
            for comment in row["comments"].as_array().unwrap() {
                prop_assert!(merged["comments"].as_array().unwrap().iter().any(|c| c["text"] == comment["text"]));
            }
        }
    }
}
