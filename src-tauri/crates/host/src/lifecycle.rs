//! The threads that lifecycle hooks run in, so that the owner waits for none: one for each run that
//! somebody waits for, and one, in order, for all those that nobody does.

use crate::{owner::Input, spec::HookSetup};
use bc_core::{
    Timestamp,
    hooks::{HookEvent, HookRun},
    ids::SessionId,
};
use bc_hooks::{Hook, Loaded, Outcome, Payload, Runner};
use bc_store::{SessionLock, StoreError, session::HookRunWriter};
use std::{
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

/// How many runs that nobody waits for may wait themselves.
const WAITING_MAX: usize = 256;

/// How many runs there may be at a time.
const AT_ONCE_MAX: usize = 64;

/// What the owner is told.
#[derive(Debug)]
pub(crate) enum HookWord {
    /// The hooks that may run from now on.
    Loaded(Box<Loaded>),
    /// What came of a run.
    Ran {
        /// The number that it was given.
        ticket: u64,
        /// What for.
        event: HookEvent,
        /// What came of it; each run is on disk.
        outcome: Box<Outcome>,
        /// Why a run is not on disk.
        unwritten: Option<String>,
    },
}

/// What is to be run.
pub(crate) struct Job {
    pub(crate) ticket: u64,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) payload: Payload,
    /// From now on no end is owed to the hooks any more: written down before they run.
    pub(crate) is_end: bool,
}

/// The owner's end.
pub(crate) struct Lifecycle {
    works: Arc<Works>,
    lane: SyncSender<Job>,
    /// Jobs whose word has not come.
    open: usize,
}

struct Works {
    runner: Runner,
    setup: HookSetup,
    lock: Arc<SessionLock>,
    inbox: SyncSender<Input>,
    now: fn() -> Timestamp,
    writer: Mutex<Option<HookRunWriter>>,
}

impl Lifecycle {
    /// Starts the thread of those that nobody waits for. `program` is ours.
    pub(crate) fn start(
        setup: HookSetup,
        program: PathBuf,
        lock: Arc<SessionLock>,
        inbox: SyncSender<Input>,
        now: fn() -> Timestamp,
    ) -> io::Result<Lifecycle> {
        let session: SessionId = lock.dir().id();
        let runner = Runner { program, places: setup.places.clone(), session: Some(session.to_string()) };
        let works = Arc::new(Works { runner, setup, lock, inbox, now, writer: Mutex::default() });
        let (lane, jobs) = sync_channel(WAITING_MAX);
        let own = Arc::clone(&works);
        thread::Builder::new().name("hooks".into()).spawn(move || in_order(&own, &jobs))?;
        Ok(Lifecycle { works, lane, open: 0 })
    }

    /// Reads anew which hooks there are. Those that are told when a run begins or ends are owed the end of one that is
    /// `begun`: that is written down before any of them is told, so that whoever recovers the session knows.
    pub(crate) fn load(&self, begun: bool) -> bool {
        let works = Arc::clone(&self.works);
        let read = move || {
            let loaded = bc_hooks::load(&works.setup.places);
            let told = [HookEvent::SessionStart, HookEvent::SessionEnd];
            if begun && told.into_iter().any(|event| !loaded.of(event).is_empty()) {
                // What cannot be written costs a hook's run after a crash.
                let _ = works.lock.owe_session_end((works.now)());
            }
            // An owner that is gone needs no word.
            let _ = works.inbox.send(Input::Hooks(HookWord::Loaded(Box::new(loaded))));
        };
        thread::Builder::new().name("hooks-load".into()).spawn(read).is_ok()
    }

    /// Runs it after those that were given before; whether it will.
    pub(crate) fn in_turn(&mut self, job: Job) -> bool {
        let taken = self.lane.try_send(job).is_ok();
        self.open += usize::from(taken);
        taken
    }

    /// Runs it now; whether it does.
    pub(crate) fn now(&mut self, job: Job) -> bool {
        if self.open >= AT_ONCE_MAX + WAITING_MAX {
            return false;
        }
        let works = Arc::clone(&self.works);
        let started = thread::Builder::new().name("hook".into()).spawn(move || works.run(job)).is_ok();
        self.open += usize::from(started);
        started
    }

    /// The word of a run has come.
    pub(crate) fn heard(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Whether nothing runs.
    pub(crate) fn is_idle(&self) -> bool {
        self.open == 0
    }
}

fn in_order(works: &Works, jobs: &Receiver<Job>) {
    jobs.iter().for_each(|job| works.run(job));
}

impl Works {
    fn run(&self, job: Job) {
        if job.is_end {
            // What cannot be written has the end told a second time after a crash.
            let _ = self.lock.session_end_paid();
        }
        let outcome = self.runner.run(&job.hooks, &job.payload, &self.setup.facts, self.now);
        let event = job.payload.event;
        let unwritten = self.write(&outcome.runs).err().map(|error| error.to_string());
        let word = HookWord::Ran { ticket: job.ticket, event, outcome: Box::new(outcome), unwritten };
        let _ = self.inbox.send(Input::Hooks(word));
    }

    fn write(&self, runs: &[HookRun]) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        for run in runs {
            if writer.is_none() {
                *writer = Some(self.lock.hook_run_writer()?);
            }
            if let Some(writer) = writer.as_ref() {
                writer.append(run)?;
            }
        }
        Ok(())
    }
}
