//! Tests the ledger with a scripted tracker and git.

use super::{ledger::Ledger, sources::Sources};
use bc_beads::Actor;
use bc_core::{
    Timestamp,
    bead::{BeadComment, BeadDetail},
    ids::{BeadId, SessionId},
    recovery::{Change, Commands, Stores},
};
use bc_wire::{
    ApiError, ErrorCode,
    app::Settings,
    settings::{ProjectSettings, SettingsInForce},
};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};

const ANN: &str = "ann/1a2b3c4d";

/// The settings with every kind of comment on or off.
fn comments(on: bool) -> SettingsInForce {
    let defaults = SettingsInForce::of(&Settings::default(), &ProjectSettings::default());
    SettingsInForce { comment_commits: on, comment_files: on, checkpoint_comments: on, ..defaults }
}

/// The scripted state of the tracker and git; `None` means that the program fails.
struct World {
    in_progress: RefCell<Option<Vec<BeadId>>>,
    beads: RefCell<Option<Vec<BeadDetail>>>,
    uncommitted: RefCell<Option<Vec<String>>>,
    mark: Cell<u32>,
    asked: Cell<u32>,
}

impl World {
    /// A single bead in progress, assigned to the session.
    fn with(bead: Value) -> World {
        let detail: BeadDetail = serde_json::from_value(bead).unwrap();
        World {
            in_progress: RefCell::new(Some(vec![detail.bead.id.clone()])),
            beads: RefCell::new(Some(vec![detail])),
            uncommitted: RefCell::new(Some(vec![])),
            mark: Cell::new(1),
            asked: Cell::new(0),
        }
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut BeadDetail)) {
        let mut beads = self.beads.borrow_mut();
        change(beads.as_mut().unwrap().iter_mut().find(|b| b.bead.id.as_str() == id).unwrap());
        self.mark.set(self.mark.get() + 1);
    }

    /// Changes a bead's status as another program would.
    fn becomes(&self, id: &str, status: &str) {
        self.change(id, |bead| bead.bead.status = status.to_owned().into());
        self.in_progress.borrow_mut().as_mut().unwrap().retain(|other| other.as_str() != id);
    }

    fn comments(&self, id: &str) -> Vec<String> {
        let beads = self.beads.borrow();
        let bead = beads.as_ref().unwrap().iter().find(|b| b.bead.id.as_str() == id).unwrap();
        bead.comments.iter().map(|comment| comment.text.clone()).collect()
    }

    fn ledger(&self, stores: &Stores, settings: SettingsInForce) -> Ledger<'_> {
        Ledger::new(self, session(), Some(ANN), settings, stores.clone())
    }

    fn checked(&self, stores: &Stores) -> Stores {
        let mut ledger = self.ledger(stores, comments(true));
        ledger.check();
        let stores = ledger.stores().clone();
        assert_eq!(ledger.into_changes().1, Vec::<String>::new());
        stores
    }

    /// The renewed block, if one was created, and the warnings.
    fn block(&self, stores: &Stores) -> (Option<String>, Vec<String>) {
        let mut ledger = self.ledger(stores, comments(true));
        ledger.renew_block(noon());
        let (changes, problems) = ledger.into_changes();
        let block = changes.into_iter().find_map(|change| match change {
            Change::Block(text) => Some(text),
            _ => None,
        });
        (block, problems)
    }
}

fn failed() -> ApiError {
    ApiError::new(ErrorCode::TrackerFailed, "the tracker is away")
}

impl Sources for World {
    fn mark(&self) -> Option<String> {
        Some(self.mark.get().to_string())
    }
    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<BeadId>, ApiError> {
        assert_eq!(assignee, Some(ANN));
        self.asked.set(self.asked.get() + 1);
        self.in_progress.borrow().clone().ok_or_else(failed)
    }
    fn show(&self, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
        let beads = self.beads.borrow();
        Ok(beads.as_ref().ok_or_else(failed)?.iter().find(|bead| bead.bead.id == *id).cloned())
    }
    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, ApiError> {
        let comment = BeadComment {
            id: "c".into(),
            author: actor.as_str().into(),
            text: text.into(),
            created_at: None,
        };
        if self.beads.borrow().is_none() {
            return Err(failed());
        }
        self.change(id.as_str(), |bead| bead.comments.push(comment.clone()));
        Ok(comment)
    }
    fn uncommitted(&self) -> Result<Vec<String>, ApiError> {
        self.uncommitted.borrow().clone().ok_or_else(failed)
    }
    fn commands(&self) -> Commands {
        Commands { tracker: "bd".into(), reviews: true }
    }
}

fn session() -> SessionId {
    "1a2b3c4d-0000-4000-8000-000000000000".parse().unwrap()
}

fn noon() -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-02-19T12:00:00Z").unwrap()
}

fn id(text: &str) -> BeadId {
    text.parse().unwrap()
}

fn bead(id: &str) -> Value {
    json!({"id": id, "title": "Fix parser", "status": "in_progress", "priority": 2, "issue_type": "task",
        "assignee": ANN})
}

fn full() -> Value {
    let mut bead = bead("bd-1");
    bead["parent"] = "bd-parent".into();
    bead["links"] =
        json!([{"id": "bd-parent", "title": "Parent", "kind": "parent-child", "direction": "depends_on"}]);
    bead["comments"] =
        json!([{"id": "1", "author": "agent", "text": "Started work", "created_at": "2026-02-19T10:00:00Z"}]);
    bead
}

// The tests of the block cover the specification's cases for `buildRecoveryContext`.

#[test]
fn without_a_bead_in_progress_the_static_prime_text_is_used() {
    let world = World::with(bead("bd-1"));
    world.becomes("bd-1", "open");
    let (block, problems) = world.block(&Stores::default());
    let block = block.unwrap();
    assert!(block.starts_with("# Beads Workflow Context") && !block.contains("Resuming"), "{block}");
    assert!(problems.is_empty());
}

#[test]
fn a_failed_list_yields_no_invented_beads() {
    let world = World::with(bead("bd-1"));
    *world.in_progress.borrow_mut() = None;
    let (block, problems) = world.block(&Stores::default());
    assert!(block.unwrap().ends_with("bead submit <id>"), "the prime text names no bead");
    assert_eq!(problems.len(), 1);
    *world.beads.borrow_mut() = None;
    let mut stores = Stores::default();
    stores.claim(&id("bd-1"));
    let (block, problems) = world.block(&stores);
    assert_eq!((block, problems.len()), (None, 1), "the last block is kept");
    assert!(problems[0].contains("the tracker is away"), "{problems:?}");
}

#[test]
fn the_whole_block_comes_from_the_bead_its_links_and_git() {
    let world = World::with(full());
    *world.uncommitted.borrow_mut() = Some(vec!["src/parser.ts (M)".into()]);
    let (block, _) = world.block(&Stores::default());
    let block = block.unwrap();
    for part in [
        "## Resuming: bd-1 — Fix parser",
        "**Parent:** bd-parent — Parent",
        "- [2h ago] Started work",
        "src/parser.ts (M)",
    ] {
        assert!(block.contains(part), "{part:?} is not in\n{block}");
    }
    assert!(!block.contains("Unblocks"), "{block}");
}

#[test]
fn missing_links_and_a_failing_git_omit_their_parts() {
    let world = World::with(bead("bd-1"));
    *world.uncommitted.borrow_mut() = None;
    let (block, problems) = world.block(&Stores::default());
    let block = block.unwrap();
    assert!(block.contains("Resuming: bd-1") && !block.contains("Parent:") && !block.contains("Uncommitted"));
    assert!(problems.is_empty(), "missing git is not a problem: {problems:?}");
}

#[test]
fn a_claim_sets_the_current_bead_and_an_unchanged_tracker_is_not_queried_again() {
    let world = World::with(bead("bd-1"));
    let stores = world.checked(&Stores::default());
    assert_eq!(stores.current_bead, Some(id("bd-1")));
    assert_eq!(world.asked.get(), 1);
    let stores = world.checked(&stores);
    assert!(world.block(&stores).0.is_some());
    assert_eq!(world.asked.get(), 1);
    world.change("bd-1", |bead| bead.bead.title = "Mend parser".into());
    assert!(world.block(&stores).0.unwrap().contains("Mend parser"));
    assert_eq!(world.asked.get(), 1, "only the current bead is queried");
    world.checked(&stores);
    assert_eq!(world.asked.get(), 2, "the next check still finds the change");
}

#[test]
fn known_facts_are_used_with_fresh_files_while_the_tracker_is_unavailable() {
    let world = World::with(bead("bd-1"));
    let stores = world.checked(&Stores::default());
    *world.in_progress.borrow_mut() = None;
    *world.beads.borrow_mut() = None;
    world.mark.set(9);
    *world.uncommitted.borrow_mut() = Some(vec!["new.rs (?)".into()]);
    let (block, problems) = world.block(&stores);
    assert!(block.unwrap().contains("new.rs (?)"));
    assert_eq!(problems.len(), 1, "a warning about outdated facts");
}

#[test]
fn a_done_bead_is_released_once_with_a_list_of_its_files() {
    for done in ["closed", "in_review"] {
        let world = World::with(bead("bd-1"));
        let mut stores = world.checked(&Stores::default());
        stores.edited("src/a.rs");
        world.becomes("bd-1", done);
        let stores = world.checked(&stores);
        assert_eq!((stores.current_bead.as_ref(), stores.edited_files.len()), (None, 0), "{done}");
        assert_eq!(world.comments("bd-1"), ["files edited in session 1a2b3c4d: 1 file: src/a.rs"]);
        // If the bead is reopened and done again, the comment is not repeated.
        let mut again = stores.clone();
        again.claim(&id("bd-1"));
        again.edited("src/a.rs");
        world.checked(&again);
        assert_eq!(world.comments("bd-1").len(), 1);
    }
}

#[test]
fn a_reassigned_bead_is_released_silently_and_the_users_own_is_kept() {
    let world = World::with(bead("bd-1"));
    let mut stores = world.checked(&Stores::default());
    stores.edited("a.rs");
    world.becomes("bd-1", "in_progress");
    for (assignee, kept) in [(Some("ann"), true), (None, true), (Some("bob/2a2b3c4d"), false)] {
        world.change("bd-1", |bead| bead.bead.assignee = assignee.map(str::to_owned));
        assert_eq!(world.checked(&stores).current_bead.is_some(), kept, "{assignee:?}");
    }
    assert_eq!(world.comments("bd-1"), Vec::<String>::new());
}

#[test]
fn a_bead_that_is_claimed_next_becomes_the_current_one() {
    let world = World::with(bead("bd-1"));
    let stores = world.checked(&Stores::default());
    world.beads.borrow_mut().as_mut().unwrap().push(serde_json::from_value(bead("bd-2")).unwrap());
    *world.in_progress.borrow_mut() = Some(vec![id("bd-2"), id("bd-1")]);
    world.mark.set(5);
    let stores = world.checked(&stores);
    assert_eq!(stores.current_bead, Some(id("bd-2")));
    assert_eq!(stores.known.as_ref().unwrap().facts.as_ref().unwrap().id, id("bd-2"));
    world.becomes("bd-2", "closed");
    assert_eq!(world.checked(&stores).current_bead, Some(id("bd-1")), "the earlier one is still in progress");
}

fn committed(world: &World) -> Stores {
    let mut stores = world.checked(&Stores::default());
    stores.turn_over();
    assert!(stores.committed(&"a1".repeat(20), "feat: a tokenizer"));
    stores
}

#[test]
fn a_commit_gets_its_comment_once_and_counts_as_a_checkpoint() {
    let world = World::with(bead("bd-1"));
    let before = committed(&world);
    let stores = world.checked(&before);
    assert_eq!(world.comments("bd-1"), ["commit: a1a1a1a1a1 feat: a tokenizer"]);
    assert_eq!((stores.uncommented.len(), stores.turns_since()), (0, 0));
    // Simulates a host that died before it received the report: the comment already exists.
    world.checked(&before);
    assert_eq!(world.comments("bd-1").len(), 1);
    let asked = world.asked.get();
    assert!(world.block(&stores).0.unwrap().contains("] commit: a1a1a1a1a1 feat"));
    assert_eq!(world.asked.get(), asked, "our own comment needs no query");
}

#[test]
fn a_commit_whose_comment_fails_waits_for_the_next_check() {
    let world = World::with(bead("bd-1"));
    let stores = committed(&world);
    let beads = world.beads.borrow_mut().take();
    let mut ledger = world.ledger(&stores, comments(true));
    ledger.check();
    assert_eq!(ledger.stores().uncommented.len(), 1);
    let stores = ledger.stores().clone();
    assert!(ledger.into_changes().1[0].contains("a commit's comment could not be added"));
    *world.beads.borrow_mut() = beads;
    world.checked(&stores);
    assert_eq!(world.comments("bd-1").len(), 1);
}

#[test]
fn a_commit_on_a_bead_that_was_closed_meanwhile_is_commented_before_the_files() {
    let world = World::with(bead("bd-1"));
    let mut stores = committed(&world);
    stores.edited("a.rs");
    world.becomes("bd-1", "closed");
    world.checked(&stores);
    let said = world.comments("bd-1");
    assert!(said[0].starts_with("commit: ") && said[1].starts_with("files edited"), "{said:?}");
}

#[test]
fn the_agents_own_comment_is_a_checkpoint_and_other_comments_are_not() {
    let world = World::with(bead("bd-1"));
    let mut stores = world.checked(&Stores::default());
    stores.turn_over();
    let say = |author: &str| {
        let comment =
            BeadComment { id: "x".into(), author: author.into(), text: "x".into(), created_at: None };
        world.change("bd-1", |bead| bead.comments.push(comment));
    };
    say("bob");
    let stores = world.checked(&stores);
    assert_eq!(stores.turns_since(), 1);
    say(ANN);
    assert_eq!(world.checked(&stores).turns_since(), 0);
}

#[test]
fn a_progress_comment_is_added_only_after_news_and_is_in_the_next_block() {
    let world = World::with(bead("bd-1"));
    let mut stores = world.checked(&Stores::default());
    let checkpoint = |stores: &Stores, settings| {
        let mut ledger = world.ledger(stores, settings);
        ledger.add_progress_comment("The parser works.");
        ledger.stores().clone()
    };
    checkpoint(&stores, comments(true));
    assert_eq!(world.comments("bd-1").len(), 0, "there was no news");
    stores.turn_over();
    stores.edited("src/a.rs");
    let stores = checkpoint(&stores, comments(true));
    let said = world.comments("bd-1");
    assert!(said[0].contains("edited src/a.rs; last said: The parser works."), "{said:?}");
    assert!(!stores.has_news());
    let asked = world.asked.get();
    assert!(world.block(&stores).0.unwrap().contains("checkpoint: before a compaction"));
    assert_eq!(world.asked.get(), asked, "without another query of the tracker");
    checkpoint(&stores, comments(true));
    assert_eq!(world.comments("bd-1").len(), 1);
}

#[test]
fn each_comment_can_be_switched_off() {
    let world = World::with(bead("bd-1"));
    let mut stores = committed(&world);
    stores.edited("a.rs");
    let mut ledger = world.ledger(&stores, comments(false));
    ledger.add_progress_comment("x");
    let stores = ledger.stores().clone();
    assert_eq!((stores.uncommented.len(), stores.turns_since()), (0, 0), "a commit resets the count");
    world.becomes("bd-1", "closed");
    let mut ledger = world.ledger(&stores, comments(false));
    ledger.check();
    assert_eq!(ledger.stores().current_bead, None);
    assert_eq!(world.comments("bd-1"), Vec::<String>::new());
}
