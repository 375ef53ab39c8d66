//! How what is recorded gets to the disk: messages into their file before anybody is told of them, the
//! syncs and `meta.json` when nothing else is to be done, and all of it again where it failed.

use super::record::{INJECTIONS, KEEPING, REMEMBERING, Record, SEEING, WRITING};
use bc_store::StoreError;
use std::time::{Duration, Instant};

/// How long what claude's transcript says as well, counts that change with every message and that there was a prompt, may
/// stand in memory only. What a kill takes of it is found again there.
const COUNTS: Duration = Duration::from_millis(250);

/// How long something that is due may give way to what is to be told.
const LATE: Duration = Duration::from_millis(100);

/// After something failed.
const RETRY: Duration = Duration::from_secs(1);

/// When the disk is to be given what; `None` where it has it.
#[derive(Debug, Default)]
pub(super) struct Due {
    messages: Option<Instant>,
    meta: Option<Instant>,
    seen: Option<Instant>,
    /// What the agent was told and what is remembered, where that failed.
    told: Option<Instant>,
}

fn no_later(due: &mut Option<Instant>, at: Instant) {
    *due = Some(due.map_or(at, |due| due.min(at)));
}

impl Record {
    /// Puts messages into their file, where everybody sees them.
    pub(super) fn put_down(&mut self) {
        // What could not be written is tried again when that is due.
        if self.troubles[WRITING].is_none() {
            let _ = self.write();
        }
        if self.meta != self.saved {
            self.due.meta.get_or_insert_with(|| Instant::now() + COUNTS);
        }
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let written = self.writer.write_all(&self.unwritten);
        self.troubles[WRITING] = written.as_ref().err().map(ToString::to_string);
        let now = Instant::now();
        if written.is_err() {
            self.due.messages = Some(now + RETRY);
            return written;
        }
        for message in self.unwritten.drain(..) {
            self.ids.insert(message.id.clone());
            self.recorded.push(message);
        }
        self.meta.message_count = self.ids.len() as u64;
        no_later(&mut self.due.messages, now);
        Ok(())
    }

    /// What changed is more than counts: it is kept as soon as there is time.
    pub(super) fn keep_soon(&mut self) {
        let now = Instant::now();
        if self.meta != self.saved {
            no_later(&mut self.due.meta, now);
        }
        self.keep_seen_soon();
    }

    /// The same of what is seen of claude, alone.
    pub(super) fn keep_seen_soon(&mut self) {
        if self.seen.is_waiting() {
            no_later(&mut self.due.seen, Instant::now());
        }
    }

    /// When there is something to keep.
    pub(super) fn keep_at(&self) -> Option<Instant> {
        let Due { messages, meta, seen, told } = self.due;
        [messages, meta, seen, told].into_iter().flatten().min()
    }

    /// Whether something waits to be kept for longer than it should.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.keep_at().is_some_and(|at| now > at + LATE)
    }

    /// Brings to disk what is due.
    pub(super) fn keep(&mut self, now: Instant) {
        let is_due = |due: Option<Instant>| due.is_some_and(|at| at <= now);
        if is_due(self.due.messages) || is_due(self.due.meta) {
            let kept = if is_due(self.due.meta) { self.save_all() } else { self.sync() };
            if kept.is_err() {
                [self.due.messages, self.due.meta] = [Some(now + RETRY); 2];
            }
            self.troubles[KEEPING] = kept.err().map(|error| error.to_string());
        }
        if is_due(self.due.seen) {
            let written = self.seen.write(&self.lock);
            self.due.seen = written.is_err().then_some(now + RETRY);
            self.troubles[SEEING] = written.err().map(|error| error.to_string());
        }
        if is_due(self.due.told) {
            self.put_told();
        }
    }

    /// Writes what the agent was told and what is remembered.
    pub(super) fn put_told(&mut self) {
        let injections = self.told.write_injections(&self.lock);
        let stores = self.told.write_stores(&self.lock);
        let failed = injections.is_err() || stores.is_err();
        self.due.told = failed.then(|| Instant::now() + RETRY);
        self.troubles[INJECTIONS] = injections.err().map(|error| error.to_string());
        self.troubles[REMEMBERING] = stores.err().map(|error| error.to_string());
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.write()?;
        self.writer.sync()?;
        self.due.messages = None;
        Ok(())
    }

    /// Brings everything to disk; what is counted only after what it was counted of.
    pub(super) fn save_all(&mut self) -> Result<(), StoreError> {
        self.sync()?;
        if self.meta != self.saved {
            self.lock.save_meta(&self.meta)?;
            self.saved = self.meta.clone();
        }
        self.due.meta = None;
        Ok(())
    }
}
