//! Tests of the recovery stores and of the automatic comments.

use crate::{ids::BeadId, recovery::*};
use std::collections::BTreeSet;

fn bead(id: &str) -> BeadId {
    id.parse().unwrap()
}

fn set(files: &[&str]) -> BTreeSet<String> {
    files.iter().map(|&file| file.to_owned()).collect()
}

#[test]
fn a_claim_sets_the_bead_and_a_close_clears_all_three_stores() {
    let mut stores = Stores::default();
    stores.claim(&bead("a-1"));
    assert_eq!(stores.current_bead, Some(bead("a-1")));
    assert_eq!(stores.edited_files[&bead("a-1")], BTreeSet::new());
    stores.edited("src/a.rs");
    stores.turn_over();
    assert_eq!(stores.release(&bead("a-1")), set(&["src/a.rs"]));
    assert_eq!(stores, Stores::default());
}

#[test]
fn a_repeated_claim_keeps_the_state_and_another_bead_resets_it() {
    let mut stores = Stores::default();
    stores.claim(&bead("a-1"));
    stores.edited("x");
    stores.turn_over();
    stores.claim(&bead("a-1"));
    assert_eq!((stores.files(&bead("a-1")), stores.turns_since()), (set(&["x"]), 1));
    stores.claim(&bead("a-2"));
    stores.edited("y");
    assert_eq!((stores.files(&bead("a-1")), stores.files(&bead("a-2"))), (set(&["x"]), set(&["y"])));
    assert_eq!(stores.turns_since(), 0);
    assert_eq!(stores.release(&bead("a-1")), set(&["x"]), "an earlier bead can be closed too");
    assert_eq!(stores.current_bead, Some(bead("a-2")));
}

#[test]
fn without_a_bead_no_edited_files_are_recorded() {
    let mut stores = Stores::default();
    assert!(!stores.edited("x"));
    assert!(stores.edited_files.is_empty() && !stores.has_news());
}

#[test]
fn edits_and_turns_are_news_until_a_checkpoint() {
    let mut stores = Stores::default();
    stores.claim(&bead("a-1"));
    assert!(!stores.has_news());
    assert!(stores.edited("x") && !stores.edited("x"));
    assert!(stores.has_news());
    stores.record_progress();
    assert!(!stores.has_news());
    assert!(stores.edited("x"), "a repeated edit counts again");
    stores.record_progress();
    stores.turn_over();
    assert!(stores.has_news());
}

#[test]
fn a_reminder_is_due_after_a_number_of_turns_and_again_after_as_many() {
    let mut stores = Stores::default();
    for _ in 0..20 {
        stores.turn_over();
    }
    assert!(!stores.reminder_due(8), "without a bead there is nothing to comment on");
    stores.claim(&bead("a-1"));
    let mut given = Vec::new();
    for turn in 1..=30 {
        stores.turn_over();
        if turn == 12 {
            stores.record_progress();
        }
        if stores.reminder_due(8) {
            stores.reminded();
            given.push(turn);
        }
        assert!(!stores.reminder_due(0));
    }
    assert_eq!(given, [8, 20, 28]);
}

#[test]
fn stores_survive_a_round_trip_with_unknown_fields() {
    let text = r#"{"version":7,"current_bead":"a-1","edited_files":{"a-1":["x"]},"checkpoint":{"last_checkpoint_turn":3,"turn_index":5},"later":true}"#;
    let stores: Stores = serde_json::from_str(text).unwrap();
    assert_eq!((stores.turns_since(), stores.files(&bead("a-1"))), (2, set(&["x"])));
    let again = serde_json::to_value(&stores).unwrap();
    assert_eq!((&again["later"], &again["version"]), (&true.into(), &7.into()));
    assert_eq!(serde_json::from_value::<Stores>(again).unwrap(), stores);
}

#[test]
fn commits_are_recorded_once_and_limited() {
    let mut stores = Stores::default();
    for n in 0..600 {
        stores.commented_on(&format!("{n:040x}"));
        stores.commented_on(&format!("{n:040x}"));
    }
    assert_eq!((stores.commits.len(), stores.commits[499].clone()), (500, format!("{:040x}", 599)));
}

#[test]
fn a_commit_is_commented_on_the_bead_that_was_current_at_the_commit() {
    let mut stores = Stores::default();
    assert!(!stores.committed("aaa", "without a bead"));
    stores.claim(&bead("a-1"));
    assert!(stores.committed("aaa", "one") && !stores.committed("aaa", "one"));
    stores.apply(Change::Released(bead("a-1")));
    stores.apply(Change::Claimed(bead("a-2")));
    assert_eq!(
        stores.uncommented,
        [MadeCommit { hash: "aaa".into(), subject: "one".into(), bead: bead("a-1") }]
    );
    stores.apply(Change::CommentedOn("aaa".into()));
    assert!(stores.uncommented.is_empty() && !stores.committed("aaa", "one"));
    let again: Change =
        serde_json::from_value(serde_json::to_value(Change::ProgressRecorded).unwrap()).unwrap();
    assert_eq!(again, Change::ProgressRecorded);
}

#[test]
fn a_commit_is_recognized_by_its_comment_of_any_author() {
    let hash = "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334";
    let text = commit_comment(hash, "feat: add tokenizer\u{1b}[2J");
    assert_eq!(text, "commit: a1b2c3d4e5 feat: add tokenizer");
    assert!(is_comment_on_commit(&text, hash));
    assert!(is_comment_on_commit("commit: A1B2C3D by hand", hash));
    for other in
        ["commit: a1b2c3", "commit: a1b2c3e feat", "commit:", "about commit: a1b2c3d", "commit: ß1b2c3d"]
    {
        assert!(!is_comment_on_commit(other, hash), "{other}");
    }
    assert_eq!(commit_comment(hash, ""), "commit: a1b2c3d4e5");
    assert!(commit_comment(hash, &"x".repeat(900)).chars().count() < 230);
}

#[test]
fn file_comments_are_recognized() {
    let session = "1a2b3c4d-0000-4000-8000-000000000000".parse().unwrap();
    let text = files_comment(session, &set(&["b.rs", "a.rs"]));
    assert_eq!(text, "files edited in session 1a2b3c4d: 2 files: a.rs, b.rs");
    let other = "2a2b3c4d-0000-4000-8000-000000000000".parse().unwrap();
    assert!(is_files_comment(&text, session) && !is_files_comment(&text, other));
    let many: BTreeSet<String> = (0..50).map(|n| format!("{n:02}")).collect();
    assert!(files_comment(session, &many).ends_with("39 and 10 more"));
}

#[test]
fn a_checkpoint_describes_the_unsaved_work() {
    let files = set(&["a.rs", "b.rs", "c.rs", "d.rs"]);
    let since = Checkpoint { turns: 3, files: &files, uncommitted: 2, last: "The parser\nworks." };
    assert_eq!(
        checkpoint_comment(since),
        "checkpoint: before a compaction, 3 turns since the last comment; edited a.rs, b.rs, c.rs and 1 more; \
         2 not committed; last said: The parser works."
    );
    let bare = Checkpoint { turns: 1, files: &set(&[]), uncommitted: 0, last: "" };
    assert_eq!(checkpoint_comment(bare), "checkpoint: before a compaction, 1 turn since the last comment");
}

#[test]
fn a_session_start_has_its_reason() {
    for (source, reason) in [
        ("startup", Reason::Start),
        ("resume", Reason::Resume),
        ("compact", Reason::Compaction),
        ("clear", Reason::Clear),
        ("something new", Reason::Start),
    ] {
        assert_eq!(Reason::of_start(source), reason);
    }
}

#[test]
fn an_injection_is_read_back_with_its_unknown_fields() {
    let made = Injection::new(super::noon(), Reason::Clear, "recovery", "größe".into());
    assert_eq!(made.bytes, 7);
    let mut value = serde_json::to_value(&made).unwrap();
    value["later"] = 1.into();
    let read: Injection = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), value);
}
