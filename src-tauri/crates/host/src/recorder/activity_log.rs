//! Queued lines for `activity.jsonl`. They are written after the messages and kept until the write succeeds.

use bc_core::timeline::ActivityLine;
use bc_store::{SessionLock, StoreError, session::ActivityWriter};

#[derive(Default)]
pub(super) struct ActivityLog {
    writer: Option<ActivityWriter>,
    waiting: Vec<ActivityLine>,
}

impl ActivityLog {
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
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(lock.activity_writer()?),
        };
        writer.append(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}
