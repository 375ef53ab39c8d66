//! What is seen of claude, on its way to `activity.jsonl`: written after the messages, which nobody has to
//! wait for, and kept until it can be.

use bc_core::timeline::ActivityLine;
use bc_store::{SessionLock, StoreError, session::ActivityWriter};

#[derive(Default)]
pub(super) struct Seen {
    writer: Option<ActivityWriter>,
    waiting: Vec<ActivityLine>,
}

impl Seen {
    pub(super) fn add(&mut self, line: ActivityLine) {
        self.waiting.push(line);
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(super) fn write(&mut self, lock: &SessionLock) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => lock.activity_writer()?,
        };
        let written = writer.append(&self.waiting);
        self.writer = Some(writer);
        written?;
        self.waiting.clear();
        Ok(())
    }
}
