//! Drives sessions through their state machine on real files, and compares them with a simple model. After
//! any sequence of events, including crashes, the files must agree with the model.

use super::{fixture::*, *};
use bc_core::{
    message::Message,
    session::{CloseReason, Event, Meta, PauseReason, Status},
};
use proptest::prelude::*;
use std::{cell::Cell, collections::BTreeMap};

const SESSIONS: u8 = 3;

#[derive(Debug, Clone)]
enum Step {
    Create,
    Happens(Event),
    /// The host dies. Its last heartbeat was this many minutes earlier.
    Dies(i64),
    Says(u8),
    /// The writer is killed in the middle of a line.
    TornLine,
    Delete,
    Restore,
    /// Permanently removes sessions that were deleted at least this many minutes ago.
    Purge(i64),
    /// Another program opens the store.
    Reopen,
}

#[derive(Debug, Clone, PartialEq)]
struct Known {
    status: Status,
    pause: Option<PauseReason>,
    close: Option<CloseReason>,
    /// The times at which the session was activated and deactivated.
    active: Vec<(i64, Option<i64>)>,
    said: Vec<Message>,
    deleted: Option<i64>,
}

impl Known {
    fn new() -> Known {
        Known { status: Status::Draft, pause: None, close: None, active: vec![], said: vec![], deleted: None }
    }

    /// Applies an event according to the specification's table, independently of the program's
    /// implementation. Returns whether the event is accepted.
    fn happens(&mut self, event: Event, now: i64, ends: i64) -> bool {
        let may = match event {
            Event::Start => self.status == Status::Draft,
            Event::Resume => self.status == Status::Paused,
            Event::Pause(_) => self.status == Status::Active,
            Event::Close(_) => self.status != Status::Closed,
        };
        if !may {
            return false;
        }
        if self.status == Status::Active {
            let open = self.active.last_mut().expect("the session is active");
            open.1 = Some(ends.max(open.0));
        }
        (self.pause, self.close) = (None, None);
        match event {
            Event::Start | Event::Resume => {
                self.status = Status::Active;
                self.active.push((now, None));
            }
            Event::Pause(why) => (self.status, self.pause) = (Status::Paused, Some(why)),
            Event::Close(why) => (self.status, self.close) = (Status::Closed, Some(why)),
        }
        true
    }

    fn check(&self, meta: &Meta) {
        assert_eq!(
            (meta.status, meta.pause_reason, meta.close_reason),
            (self.status, self.pause, self.close)
        );
        let active: Vec<_> = meta.active_intervals.iter().map(|i| (i.start, i.end)).collect();
        let known: Vec<_> = self.active.iter().map(|(start, end)| (at(*start), end.map(at))).collect();
        assert_eq!(active, known);
        let ended: i64 = self.active.iter().filter_map(|(start, end)| Some(end.as_ref()? - start)).sum();
        assert_eq!(meta.total_duration_ms.unwrap_or(0), ended.unsigned_abs() * 60_000);
    }
}

struct Play {
    fixture: Fixture,
    known: BTreeMap<u8, Known>,
    now: i64,
}

impl Play {
    fn step(&mut self, n: u8, step: &Step) {
        self.now += 1;
        let (store, now) = (self.fixture.store.clone(), self.now);
        let exists = self.known.get(&n).is_some_and(|known| known.deleted.is_none());
        match step {
            Step::Create => {
                let made = store.create(&meta(n));
                assert_eq!(made.is_ok(), !exists, "{made:?}");
                // Deleting a session replaces an older one with the same id in the trash; the model keeps
                // only one per id.
                if made.is_ok() {
                    self.known.insert(n, Known::new());
                }
            }
            Step::Happens(event) => self.change(n, *event, None),
            Step::Dies(ago) => self.change(n, Event::Pause(PauseReason::Interrupted), Some(now - ago)),
            Step::Says(what) if exists => {
                let message = message(*what, &format!("said at {now}"));
                let lock = store.session(id(n)).try_lock().unwrap().unwrap();
                lock.message_writer().unwrap().0.append(&message).unwrap();
                let said = &mut self.known.get_mut(&n).unwrap().said;
                *said = bc_core::message::fold(said.drain(..).chain([message]));
            }
            Step::TornLine if exists => {
                let path = store.session(id(n)).messages_path();
                let whole = crate::file::read(&path).unwrap().unwrap();
                scribble(&path, [&whole[..], b"{\"id\":\"msg_7\",\"ro"].concat());
            }
            Step::Delete => {
                assert_eq!(store.delete(id(n), at(now)).is_ok(), exists);
                if exists {
                    self.known.get_mut(&n).unwrap().deleted = Some(now);
                }
            }
            Step::Restore => {
                let in_bin = self.known.get(&n).is_some_and(|known| known.deleted.is_some());
                let restored = store.restore(id(n)).is_ok();
                assert_eq!(restored, in_bin);
                if restored {
                    self.known.get_mut(&n).unwrap().deleted = None;
                }
            }
            Step::Purge(ago) => {
                store.purge(at(now - ago)).unwrap();
                self.known.retain(|_, known| known.deleted.is_none_or(|deleted| deleted >= now - ago));
            }
            Step::Reopen => self.fixture.store = SessionStore::open(self.fixture.folder.path()).unwrap(),
            Step::Says(_) | Step::TornLine => {}
        }
    }

    fn change(&mut self, n: u8, event: Event, last_alive: Option<i64>) {
        let Some(known) = self.known.get_mut(&n).filter(|known| known.deleted.is_none()) else { return };
        let lock = self.fixture.store.session(id(n)).try_lock().unwrap().unwrap();
        let mut meta = lock.meta().unwrap();
        let before = meta.clone();
        let result = match last_alive {
            None => meta.transition(event, at(self.now)),
            Some(last) => meta.interrupt(Some(at(last)), at(self.now)),
        };
        let ends = last_alive.unwrap_or(self.now);
        assert_eq!(result.is_ok(), known.happens(event, self.now, ends), "{event:?} in {:?}", before.status);
        if result.is_err() {
            assert_eq!(meta, before);
        }
        lock.save_meta(&meta).unwrap();
    }

    /// Asserts that the files on disk agree with the model.
    fn check(&self) {
        let store = &self.fixture.store;
        let (index, listing) = store.sync_index().unwrap();
        assert!(listing.problems.is_empty(), "{:?}", listing.problems);
        let live: Vec<_> = self.known.iter().filter(|(_, known)| known.deleted.is_none()).collect();
        assert_eq!(listing.sessions.len(), live.len());
        for (n, known) in live {
            let session = store.session(id(*n));
            known.check(&session.meta().unwrap());
            assert_eq!(session.transcript().unwrap().messages, known.said);
            let entry = index.sessions.iter().find(|entry| entry.id == id(*n)).unwrap();
            assert_eq!(entry.status, known.status);
        }
        let (bin, problems) = store.trashed().unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        for (n, known) in self.known.iter().filter(|(_, known)| known.deleted.is_some()) {
            let trashed = bin.iter().find(|trashed| trashed.meta.id == id(*n)).unwrap();
            assert_eq!(Some(trashed.deleted_at), known.deleted.map(at));
            known.check(&trashed.meta);
        }
    }
}

fn any_step() -> impl Strategy<Value = Step> {
    let pause = prop::sample::select(vec![PauseReason::User, PauseReason::Inactivity, PauseReason::Exited]);
    let close = prop::sample::select(vec![CloseReason::User, CloseReason::InReview, CloseReason::Abandoned]);
    prop_oneof![
        3 => Just(Step::Create),
        4 => Just(Step::Happens(Event::Start)),
        4 => Just(Step::Happens(Event::Resume)),
        4 => pause.prop_map(|why| Step::Happens(Event::Pause(why))),
        2 => close.prop_map(|why| Step::Happens(Event::Close(why))),
        2 => (0i64..40).prop_map(Step::Dies),
        4 => (0u8..6).prop_map(Step::Says),
        1 => Just(Step::TornLine),
        1 => Just(Step::Delete),
        1 => Just(Step::Restore),
        1 => (0i64..60).prop_map(Step::Purge),
        1 => Just(Step::Reopen),
    ]
}

fn play(steps: &[(u8, Step)]) {
    let mut play = Play { fixture: Fixture::in_memory(), known: BTreeMap::new(), now: 100 };
    for (n, step) in steps {
        play.step(*n, step);
        play.check();
    }
}

fn games(cases: u32) {
    let steps = prop::collection::vec((1..=SESSIONS, any_step()), 1..60);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let played = Cell::new(0);
    let result = runner.run(&steps, |steps| {
        played.set(played.get() + steps.len());
        play(&steps);
        Ok(())
    });
    result.unwrap();
    let played = played.get();
    println!("COUNTED sessions against their model: {cases} games, {played} steps");
}

#[test]
fn sessions_on_disk_match_their_model() {
    games(40);
}

#[test]
#[ignore = "takes minutes"]
fn sessions_on_disk_match_their_model_ten_thousand_times() {
    games(10_000);
}
