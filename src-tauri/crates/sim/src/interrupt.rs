//! Passes the user's Esc to a working or waiting turn.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Whether the running turn should end.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    requested: Mutex<bool>,
    changed: Condvar,
}

impl Interrupt {
    pub(crate) fn request(&self) {
        *self.lock() = true;
        self.changed.notify_all();
    }

    /// Clears the flag for a new turn.
    pub(crate) fn reset(&self) {
        *self.lock() = false;
    }

    pub(crate) fn requested(&self) -> bool {
        *self.lock()
    }

    /// Wakes a waiting turn, so that it checks its condition.
    pub(crate) fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Waits until an interrupt is requested, `done` returns true, or the time has passed. Returns whether an
    /// interrupt was requested.
    pub(crate) fn wait(&self, longest: Duration, done: impl Fn() -> bool) -> bool {
        let waits = |requested: &mut bool| !*requested && !done();
        let waited = self.changed.wait_timeout_while(self.lock(), longest, waits);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        // A bool is always consistent, so a poisoned lock is still usable.
        self.requested.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Arc, thread};

    #[test]
    fn a_waiting_turn_is_woken_by_the_request() {
        let interrupt = Arc::new(Interrupt::default());
        let other = Arc::clone(&interrupt);
        let waiting = thread::spawn(move || other.wait(Duration::from_secs(600), || false));
        interrupt.request();
        assert!(waiting.join().unwrap());
        interrupt.reset();
        assert!(!interrupt.requested());
        assert!(!interrupt.wait(Duration::from_secs(600), || true));
        assert!(!interrupt.wait(Duration::ZERO, || false));
    }
}
