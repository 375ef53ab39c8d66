//! Injections and recovery stores. They are written immediately, and kept until the write succeeds.

use bc_core::recovery::{Injection, Stores};
use bc_store::{SessionLock, StoreError, session::InjectionWriter};

#[derive(Default)]
pub(super) struct InjectionLog {
    writer: Option<InjectionWriter>,
    injections: Vec<Injection>,
    stores: Option<Stores>,
}

impl InjectionLog {
    pub(super) fn add(&mut self, injection: Injection) {
        self.injections.push(injection);
    }

    /// Replaces the stores to write, because only the latest ones matter.
    pub(super) fn set_stores(&mut self, stores: Stores) {
        self.stores = Some(stores);
    }

    pub(super) fn write_injections(&mut self, lock: &SessionLock) -> Result<(), StoreError> {
        while let Some(injection) = self.injections.first() {
            let writer = match &mut self.writer {
                Some(writer) => writer,
                none => none.insert(lock.injection_writer()?),
            };
            writer.append(injection)?;
            self.injections.remove(0);
        }
        Ok(())
    }

    pub(super) fn write_stores(&mut self, lock: &SessionLock) -> Result<(), StoreError> {
        if let Some(stores) = &self.stores {
            lock.save_recovery(stores)?;
            self.stores = None;
        }
        Ok(())
    }
}
