//! Writes the record to disk: messages before they are published, syncs and `meta.json` when the recorder is
//! idle. Retries failed writes.

use super::flush_due::{FlushDue, no_later};
use super::record::{ACTIVITY, FLUSHING, INJECTIONS, PARTIALS, RECOVERY, SessionRecord, WRITING};
use bc_store::StoreError;
use std::time::{Duration, Instant};

/// How long changed counts, and the fact that a conversation has a prompt, may exist only in memory. Counts
/// change with every message. After a kill, both can be restored from claude's transcript.
const COUNTS_WITHIN: Duration = Duration::from_millis(250);

/// How long a due flush may be delayed by other work.
const OVERDUE_AFTER: Duration = Duration::from_millis(100);

/// How long the shown part of a reply may exist only in memory.
const PARTIALS_WITHIN: Duration = Duration::from_millis(500);

/// The delay before a failed write is retried.
const RETRY: Duration = Duration::from_secs(1);

impl SessionRecord {
    /// Appends messages to their file, which makes them visible to readers.
    pub(super) fn append_messages(&mut self) {
        // A failed write is retried at its due time.
        if self.troubles[WRITING].is_none() {
            let _ = self.write();
        }
        if self.meta != self.saved {
            self.due.meta.get_or_insert_with(|| Instant::now() + COUNTS_WITHIN);
        }
        if self.partials.is_changed() {
            self.flush_partials_soon();
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
            if let Some(partial) = &message.replaces {
                self.ids.remove(partial);
            }
            self.ids.insert(message.id.clone());
            self.recorded.push(message);
        }
        self.meta.message_count = self.ids.len() as u64;
        no_later(&mut self.due.messages, now);
        Ok(())
    }

    /// Schedules saving `meta.json` and activity lines as soon as the recorder is idle.
    pub(super) fn flush_soon(&mut self) {
        let now = Instant::now();
        if self.meta != self.saved {
            no_later(&mut self.due.meta, now);
        }
        self.flush_activity_soon();
    }

    /// Schedules saving activity lines as soon as the recorder is idle.
    pub(super) fn flush_activity_soon(&mut self) {
        if self.activity_log.is_waiting() {
            no_later(&mut self.due.activity, Instant::now());
        }
    }

    /// Schedules saving the shown parts of replies.
    pub(super) fn flush_partials_soon(&mut self) {
        self.due.partials.get_or_insert_with(|| Instant::now() + PARTIALS_WITHIN);
    }

    /// Saves the shown parts of unrecorded replies.
    pub(super) fn flush_partials(&mut self) {
        self.due.partials = None;
        if !self.partials.is_changed() {
            return;
        }
        let written = self.partials.write(self.lock.dir());
        self.due.partials = written.is_err().then(|| Instant::now() + RETRY);
        self.troubles[PARTIALS] = written.err().map(|error| error.to_string());
    }

    /// When the next flush is due.
    pub(super) fn flush_at(&self) -> Option<Instant> {
        let FlushDue { messages, meta, activity, partials, context } = self.due;
        [messages, meta, activity, partials, context].into_iter().flatten().min()
    }

    pub(super) fn is_overdue(&self, now: Instant) -> bool {
        self.flush_at().is_some_and(|at| now > at + OVERDUE_AFTER)
    }

    /// Writes everything that is due.
    pub(super) fn flush(&mut self, now: Instant) {
        let is_due = |due: Option<Instant>| due.is_some_and(|at| at <= now);
        if is_due(self.due.messages) || is_due(self.due.meta) {
            let saved = if is_due(self.due.meta) { self.save_all() } else { self.sync() };
            if saved.is_err() {
                [self.due.messages, self.due.meta] = [Some(now + RETRY); 2];
            }
            self.troubles[FLUSHING] = saved.err().map(|error| error.to_string());
        }
        if is_due(self.due.activity) {
            let written = self.activity_log.write(&self.lock);
            self.due.activity = written.is_err().then_some(now + RETRY);
            self.troubles[ACTIVITY] = written.err().map(|error| error.to_string());
        }
        if is_due(self.due.partials) {
            self.flush_partials();
        }
        if is_due(self.due.context) {
            self.write_context_log();
        }
    }

    /// Writes injections and recovery stores.
    pub(super) fn write_context_log(&mut self) {
        let injections = self.injection_log.write_injections(&self.lock);
        let stores = self.injection_log.write_stores(&self.lock);
        let failed = injections.is_err() || stores.is_err();
        self.due.context = failed.then(|| Instant::now() + RETRY);
        self.troubles[INJECTIONS] = injections.err().map(|error| error.to_string());
        self.troubles[RECOVERY] = stores.err().map(|error| error.to_string());
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.write()?;
        self.writer.sync()?;
        self.due.messages = None;
        Ok(())
    }

    /// Saves messages and then `meta.json`, so that counts are never saved before the counted messages.
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
