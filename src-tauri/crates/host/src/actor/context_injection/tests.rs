//! Rounds of hooks, with time as a parameter.

use super::{
    super::{effects::Effect, test_claude::spec},
    *,
};
use crate::background_worker::{BackgroundWorker, Job};
use bc_core::recovery::Stores;
use std::sync::{Arc, mpsc::Receiver};
use uuid::Uuid;

fn now() -> Timestamp {
    chrono::DateTime::UNIX_EPOCH.fixed_offset()
}

struct Session {
    injection: ContextInjection,
    work: BeadWork,
    _jobs: Receiver<Job>,
    effects: Effects,
    started: Instant,
}

/// A session with two hooks: the first gets the recovery block, the second gets the context pack.
fn session() -> Session {
    let piece = |source: &str, text: &str| ContextPiece { source: source.into(), text: text.into() };
    let pieces = vec![piece(RECOVERY_SOURCE, "block"), piece("context pack", "pack")];
    let started = Instant::now();
    let (worker, jobs) = BackgroundWorker::without_thread();
    Session {
        injection: ContextInjection::new(pieces, &[1, 1], ConversationId(Uuid::nil()), started, now),
        work: BeadWork::new(Arc::new(spec()), Some(worker), Stores::default()),
        _jobs: jobs,
        effects: Effects::default(),
        started,
    }
}

impl Session {
    fn at(&self, ms: u64) -> Instant {
        self.started + Duration::from_millis(ms)
    }

    /// Hook 10 + `index` requests its share at `ms`. Returns the answers.
    fn asks(&mut self, index: usize, source: &str, ms: u64) -> Vec<(ClientId, String)> {
        let (now, hook) = (self.at(ms), 10 + index as ClientId);
        self.injection.on_start_hook((hook, index), source, &mut self.work, now, &mut self.effects);
        self.answers()
    }

    fn ends(&mut self, hook: ClientId, ms: u64) -> Vec<(ClientId, String)> {
        let now = self.at(ms);
        self.injection.on_hook_ended(hook, &self.work, now, &mut self.effects);
        self.answers()
    }

    fn waits(&mut self, ms: u64) -> Vec<(ClientId, String)> {
        let now = self.at(ms);
        self.injection.on_deadline(&self.work, now, &mut self.effects);
        self.answers()
    }

    /// The answers since the last call. Checks that each piece was recorded before its answer; `~` marks a
    /// stale piece.
    fn answers(&mut self) -> Vec<(ClientId, String)> {
        let (mut recorded, mut answers) = (String::new(), Vec::new());
        for effect in self.effects.take() {
            match effect {
                Effect::Note(Note::Injected(injection)) => {
                    recorded = format!("{}{}", if injection.stale { "~" } else { "" }, injection.text);
                }
                Effect::AnswerHook { hook, answer: Answer::Context { text, .. }, closes: false } => {
                    assert_eq!(recorded.trim_start_matches('~'), text);
                    answers.push((hook, std::mem::take(&mut recorded)));
                }
                other => panic!("{other:?}"),
            }
        }
        answers
    }
}

fn answer(hook: ClientId, text: &str) -> Vec<(ClientId, String)> {
    vec![(hook, text.to_owned())]
}

#[test]
fn hooks_are_answered_in_order_each_after_the_one_before_it_ended() {
    let mut session = session();
    assert_eq!(session.asks(1, "startup", 0), []);
    assert_eq!(session.asks(0, "startup", 1), answer(10, "block"));
    assert_eq!(session.waits(2), []);
    assert_eq!(session.ends(10, 3), [], "its process may not have ended yet");
    assert_eq!(session.waits(3 + 20), answer(11, "pack"));
    assert_eq!(session.ends(11, 30), []);
    assert_eq!(session.injection.deadline(), None);
}

#[test]
fn a_later_round_waits_for_a_fresh_block() {
    let mut session = session();
    assert_eq!(session.asks(0, "clear", 0), []);
    let now = session.at(100);
    session.injection.on_helper_done((&HelperTask::Block, true), &session.work, now, &mut session.effects);
    assert_eq!(session.answers(), answer(10, "block"));
}

#[test]
fn a_late_block_is_replaced_by_the_last_known_one() {
    let mut session = session();
    assert_eq!(session.asks(0, "clear", 0), []);
    assert_eq!(session.waits(3_999), []);
    assert_eq!(session.waits(4_000), answer(10, "~block"));
    assert_eq!(session.asks(1, "clear", 4_001), []);
    assert_eq!(session.waits(9_000), answer(11, "pack"), "a hook that never ends stops no other one");
}

#[test]
fn a_new_round_releases_the_hooks_of_the_one_before() {
    let mut session = session();
    assert_eq!(session.asks(1, "clear", 0), []);
    let released = session.asks(0, "startup", 10_001);
    assert_eq!(released, answer(11, "pack"));
}

#[test]
fn a_compaction_waits_only_for_a_comment() {
    let mut session = session();
    let now = session.at(0);
    let waits = session.injection.on_compaction(1, &mut session.work, now, &mut session.effects);
    assert!(!waits, "the session has no bead");
}
