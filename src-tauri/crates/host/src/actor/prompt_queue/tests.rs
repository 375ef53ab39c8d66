//! The states of a queued prompt, with a real outbox and a drawn screen.

use super::{
    super::test_claude::{DIALOG, Written, claude, show_box, show_dialog},
    *,
};
use bc_core::{
    ids::{ProjectId, SessionId},
    session::{Draft, Meta},
};
use bc_store::SessionStore;
use std::{cell::RefCell, time::Duration};
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(600);

thread_local! {
    /// Runs at the queue's next call to the clock, which is just before it marks a prompt as typed on disk.
    static BEFORE_SAVING: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

fn now() -> Timestamp {
    if let Some(act) = BEFORE_SAVING.take() {
        act();
    }
    chrono::Local::now().fixed_offset()
}

struct Queue {
    _dir: TempDir,
    lock: Arc<SessionLock>,
    queue: PromptQueue,
    claude: ClaudeState,
    written: Written,
    effects: Effects,
}

/// A queue for a session in which claude is at its prompt.
fn queue(opening: Option<&str>) -> Queue {
    let dir = tempfile::tempdir().unwrap();
    let project: ProjectId = "test".parse().unwrap();
    let meta = Meta::draft(Draft::new(SessionId(Uuid::new_v4()), project, now()));
    let lock = Arc::new(SessionStore::open(dir.path()).unwrap().create(&meta).unwrap());
    let (claude, written) = claude();
    let queue = PromptQueue::open(Arc::clone(&lock), opening, now);
    Queue { _dir: dir, lock, queue, claude, written, effects: Effects::default() }
}

impl Queue {
    fn add(&mut self, text: &str) {
        self.queue.add(1, 7, text, Instant::now()).unwrap();
    }

    fn type_next(&mut self) -> String {
        self.queue.type_next(&mut self.claude, Instant::now(), &mut self.effects);
        self.written.take()
    }

    fn shows(&mut self, content: &str) -> String {
        show_box(&self.claude, content);
        self.queue.on_screen_changed(true, &mut self.claude, &mut self.effects);
        self.written.take()
    }

    /// Each prompt on disk, and whether it is marked as typed.
    fn saved(&self) -> Vec<(String, bool)> {
        let items = self.lock.outbox().unwrap().items;
        items.into_iter().map(|item| (item.text.clone(), was_typed(&item))).collect()
    }

    fn delivery(&mut self) -> Delivery {
        self.effects.replies::<Sent>().pop().unwrap().delivery
    }
}

#[test]
fn a_text_is_saved_typed_entered_and_removed_when_claude_confirms_it() {
    let mut queue = queue(None);
    queue.add("fix it");
    assert_eq!(queue.saved(), [("fix it".to_owned(), false)]);
    assert_eq!(queue.type_next(), "\x1b[200~fix it\x1b[201~");
    assert_eq!(queue.saved(), [("fix it".to_owned(), true)]);
    assert_eq!(queue.shows("fix it"), "\r");
    assert_eq!(queue.queue.on_submitted("fix it", &mut queue.claude, &mut queue.effects), "fix it");
    assert_eq!((queue.delivery(), queue.saved()), (Delivery::Sent, vec![]));
}

#[test]
fn a_dialog_gets_neither_a_text_nor_an_enter() {
    let mut queue = queue(None);
    queue.add("fix it");
    show_dialog(&queue.claude);
    assert_eq!(queue.type_next(), "");
    assert_eq!(queue.saved(), [("fix it".to_owned(), false)]);
    show_box(&queue.claude, "");
    assert_ne!(queue.type_next(), "");
    show_dialog(&queue.claude);
    queue.queue.on_screen_changed(true, &mut queue.claude, &mut queue.effects);
    queue.queue.on_deadline(&mut queue.claude, Instant::now() + LONG, &mut queue.effects);
    assert_eq!((queue.written.take().as_str(), queue.delivery()), ("", Delivery::Unconfirmed));
    assert_eq!(queue.saved(), [("fix it".to_owned(), true)]);
    assert_eq!(queue.queue.held()[0].state, HeldState::Unconfirmed);
}

#[test]
fn a_dialog_that_opens_while_the_disk_is_written_gets_no_text() {
    let mut queue = queue(None);
    queue.add("fix it");
    let print = queue.claude.terminal.printer();
    BEFORE_SAVING.set(Some(Box::new(move || print(DIALOG))));
    assert_eq!(queue.type_next(), "");
    assert!(BEFORE_SAVING.take().is_none(), "the text was about to be typed");
    assert_eq!(queue.saved(), [("fix it".to_owned(), false)]);
    show_box(&queue.claude, "");
    assert_ne!(queue.type_next(), "");
}

#[test]
fn a_text_waits_until_typed_keys_are_drawn() {
    let mut queue = queue(None);
    queue.add("fix it");
    queue.claude.on_typed(b"a", Instant::now());
    assert_eq!(queue.type_next(), "", "the box is only empty because claude has not drawn the key yet");
    assert_eq!(queue.saved(), [("fix it".to_owned(), false)]);
}

#[test]
fn a_text_in_doubt_is_typed_again_only_when_the_user_asks() {
    let mut queue = queue(None);
    queue.add("fix it");
    assert_ne!(queue.type_next(), "");
    let id = queue.queue.held()[0].id.clone();
    assert_eq!(queue.queue.retry(&id).unwrap_err().code, RefusedCode::State, "it is being typed");
    queue.queue.on_disturbed(&mut queue.claude, &mut queue.effects);
    assert_eq!((queue.delivery(), queue.queue.has_pending()), (Delivery::Unconfirmed, false));
    let reopened = PromptQueue::open(Arc::clone(&queue.lock), None, now);
    assert!(!reopened.has_pending(), "not after a crash either");
    queue.queue.retry(&id).unwrap();
    assert!(queue.queue.has_pending());
    queue.queue.forget(&id, &mut queue.effects).unwrap();
    assert_eq!(queue.saved(), []);
}

#[test]
fn a_held_text_is_answered_at_once_and_stays_when_the_session_ends() {
    let mut queue = queue(None);
    queue.claude.prompt.apply(Fact::PromptSubmitted);
    queue.add("later");
    queue.queue.answer_held(&queue.claude.prompt, Instant::now(), &mut queue.effects);
    assert_eq!(queue.delivery(), Delivery::Held);
    queue.add("too late");
    queue.queue.refuse_untyped(&mut queue.effects);
    assert_eq!(queue.effects.refusals().len(), 1);
    assert_eq!(queue.saved(), [("later".to_owned(), false)]);
}

#[test]
fn the_opening_prompt_is_saved_as_typed_until_claude_reports_it() {
    let mut queue = queue(Some("begin"));
    assert_eq!(queue.saved(), [("begin".to_owned(), true)]);
    assert!(queue.queue.held().is_empty() && !queue.queue.has_pending());
    queue.queue.on_submitted("begin", &mut queue.claude, &mut queue.effects);
    assert_eq!(queue.saved(), []);
}

#[test]
fn a_returned_prompt_is_saved_and_confirmed_when_the_user_sends_it() {
    let mut queue = queue(None);
    assert!(queue.queue.add_returned("again".to_owned(), &mut queue.effects));
    assert_eq!((queue.queue.held()[0].state, queue.type_next().as_str()), (HeldState::Returned, ""));
    queue.queue.on_submitted("again", &mut queue.claude, &mut queue.effects);
    assert_eq!(queue.saved(), []);
}

#[test]
fn waiting_texts_change_their_wording_and_order_on_disk_before_anything_is_typed() {
    let mut queue = queue(None);
    for text in ["one", "two", "three"] {
        queue.add(text);
    }
    let ids: Vec<String> = queue.queue.held().into_iter().map(|text| text.id).collect();
    let order = |queue: &Queue| queue.saved().into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    queue.queue.move_before(&ids[2], Some(&ids[0]), &mut queue.effects).unwrap();
    assert_eq!(order(&queue), ["three", "one", "two"]);
    queue.queue.move_before(&ids[2], None, &mut queue.effects).unwrap();
    assert_eq!(order(&queue), ["one", "two", "three"]);
    queue.queue.move_before(&ids[0], Some(&ids[0]), &mut queue.effects).unwrap();
    queue.queue.move_first(&ids[1], &mut queue.effects).unwrap();
    queue.queue.edit(&ids[1], "!second\u{7}", &mut queue.effects).unwrap();
    assert_eq!(order(&queue), [" !second", "one", "three"]);
    let refused = queue.queue.edit(&ids[1], "  ", &mut queue.effects).unwrap_err();
    assert_eq!(refused.code, RefusedCode::BadText);
    let refused = queue.queue.move_before(&ids[1], Some("gone"), &mut queue.effects).unwrap_err();
    assert_eq!((refused.code, order(&queue)[0].as_str()), (RefusedCode::NotFound, " !second"));
    assert_eq!(queue.type_next(), "\x1b[200~ !second\x1b[201~");
}

#[test]
fn a_text_that_was_typed_does_not_change_and_nothing_moves_before_it() {
    let mut queue = queue(None);
    queue.add("first");
    queue.add("second");
    let ids: Vec<String> = queue.queue.held().into_iter().map(|text| text.id).collect();
    assert_ne!(queue.type_next(), "");
    for refused in [
        queue.queue.edit(&ids[0], "other", &mut queue.effects),
        queue.queue.move_before(&ids[0], None, &mut queue.effects),
        queue.queue.move_before(&ids[1], Some(&ids[0]), &mut queue.effects),
    ] {
        assert_eq!(refused.unwrap_err().code, RefusedCode::State);
    }
    queue.queue.on_disturbed(&mut queue.claude, &mut queue.effects);
    let refused = queue.queue.edit(&ids[0], "other", &mut queue.effects).unwrap_err();
    assert_eq!((refused.code, queue.saved()[0].0.as_str()), (RefusedCode::State, "first"));
    queue.queue.move_first(&ids[1], &mut queue.effects).unwrap();
}

#[test]
fn attached_images_are_pasted_by_their_paths_and_the_text_follows() {
    let mut queue = queue(None);
    let image = queue.lock.save_attachment("0a1b2c3d-shot.png", b"png").unwrap();
    queue.add(&format!("@{} what is this?", image.display()));
    assert_eq!(queue.type_next(), format!("\x1b[200~{}\x1b[201~", image.display()));
    assert_eq!(queue.shows(&image.display().to_string()), "", "claude has not read the image yet");
    assert_eq!(queue.shows("[Image #1] "), "\x1b[200~what is this?\x1b[201~");
    assert_eq!(queue.shows("[Image #1] what is this?"), "\r");
    let prompt = "[Image #1] what is this?";
    queue.queue.on_submitted(prompt, &mut queue.claude, &mut queue.effects);
    assert_eq!((queue.delivery(), queue.saved()), (Delivery::Sent, vec![]));
}
