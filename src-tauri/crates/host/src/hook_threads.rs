//! The threads that run lifecycle hooks, so that the actor never waits for a hook. A run that a client waits
//! for, or that reports a start or an end, has its own thread. All other runs share one thread, in order.

use crate::spec::HookSetup;
use bc_core::{
    Timestamp,
    hooks::{HookEvent, HookRun},
};
use bc_hooks::{Hook, Loaded, Outcome, Payload, Runner};
use bc_store::{SessionLock, StoreError, session::HookRunWriter};
use std::{
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

/// The maximum number of queued runs.
const QUEUE_MAX: usize = 256;

/// The maximum number of open runs in addition to [`QUEUE_MAX`].
const PARALLEL_MAX: usize = 64;

/// A result for the actor.
#[derive(Debug)]
pub(crate) enum HookReply {
    /// The hooks that are used from now on.
    Loaded(Box<Loaded>),
    /// The result of a run.
    Ran {
        ticket: u64,
        event: HookEvent,
        /// The outcome. Its hook runs are on disk, unless `unwritten` is set.
        outcome: Box<Outcome>,
        /// Why a hook run could not be written to disk.
        unwritten: Option<String>,
    },
}

pub(crate) struct HookJob {
    pub(crate) ticket: u64,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) payload: Payload,
    /// Whether this run is the owed report of the session's end. The report counts as delivered before the
    /// hooks run.
    pub(crate) is_end: bool,
}

/// Runs lifecycle hooks. Each accepted job or load gets a [`HookReply`].
pub(crate) trait HookRuns: Send {
    /// Reloads the hooks. If the session has `begun` and has hooks for its start or end, saves that it owes
    /// them a report of its end. Returns whether loading was started.
    fn load(&self, begun: bool) -> bool;

    /// Queues a run after earlier ones. Returns whether it was accepted.
    fn run_in_order(&mut self, job: HookJob) -> bool;

    /// Starts a run immediately. Returns whether it was started.
    fn run_now(&mut self, job: HookJob) -> bool;

    fn on_reply(&mut self);

    fn is_idle(&self) -> bool;
}

/// The threads; see the [module](self).
pub(crate) struct HookThreads {
    runner: Arc<HookRunner>,
    queue: SyncSender<HookJob>,
    /// The number of jobs without a reply.
    open: usize,
}

struct HookRunner {
    executor: Runner,
    setup: HookSetup,
    lock: Arc<SessionLock>,
    reply: Box<dyn Fn(HookReply) + Send + Sync>,
    now: fn() -> Timestamp,
    writer: Mutex<Option<HookRunWriter>>,
}

impl HookThreads {
    /// Starts the thread for queued runs. `program` is our own program; `reply` receives the results.
    pub(crate) fn start(
        setup: HookSetup,
        program: PathBuf,
        lock: Arc<SessionLock>,
        reply: impl Fn(HookReply) + Send + Sync + 'static,
        now: fn() -> Timestamp,
    ) -> io::Result<HookThreads> {
        let session = Some(lock.dir().id().to_string());
        let executor = Runner { program, places: setup.places.clone(), session };
        let runner = Arc::new(HookRunner {
            executor,
            setup,
            lock,
            reply: Box::new(reply),
            now,
            writer: Mutex::default(),
        });
        let (queue, jobs) = sync_channel(QUEUE_MAX);
        let queue_runner = Arc::clone(&runner);
        let run_queue = move || jobs.iter().for_each(|job| queue_runner.run(job));
        thread::Builder::new().name("hooks".into()).spawn(run_queue)?;
        Ok(HookThreads { runner, queue, open: 0 })
    }
}

impl HookRuns for HookThreads {
    // The owed report is saved before any hook runs, so that a recovery of the session can deliver it.
    fn load(&self, begun: bool) -> bool {
        let runner = Arc::clone(&self.runner);
        let read = move || {
            let loaded = bc_hooks::load(&runner.setup.places);
            let boundary_events = [HookEvent::SessionStart, HookEvent::SessionEnd];
            if begun && boundary_events.into_iter().any(|event| !loaded.of(event).is_empty()) {
                // If saving fails, the end hook does not run after a crash.
                let _ = runner.lock.owe_session_end((runner.now)());
            }
            (runner.reply)(HookReply::Loaded(Box::new(loaded)));
        };
        thread::Builder::new().name("hooks-load".into()).spawn(read).is_ok()
    }

    fn run_in_order(&mut self, job: HookJob) -> bool {
        let accepted = self.queue.try_send(job).is_ok();
        self.open += usize::from(accepted);
        accepted
    }

    fn run_now(&mut self, job: HookJob) -> bool {
        if self.open >= PARALLEL_MAX + QUEUE_MAX {
            return false;
        }
        let runner = Arc::clone(&self.runner);
        let started = thread::Builder::new().name("hook".into()).spawn(move || runner.run(job)).is_ok();
        self.open += usize::from(started);
        started
    }

    fn on_reply(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    fn is_idle(&self) -> bool {
        self.open == 0
    }
}

impl HookRunner {
    fn run(&self, job: HookJob) {
        if job.is_end {
            // If saving fails, the end is reported again after a crash.
            let _ = self.lock.session_end_paid();
        }
        let outcome = self.executor.run(&job.hooks, &job.payload, &self.setup.facts, self.now);
        let event = job.payload.event;
        let unwritten = self.write(&outcome.runs).err().map(|error| error.to_string());
        let reply = HookReply::Ran { ticket: job.ticket, event, outcome: Box::new(outcome), unwritten };
        (self.reply)(reply);
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
