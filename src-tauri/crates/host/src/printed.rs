//! What the program printed and the owner has not looked at yet. It gathers while the owner is busy, so
//! that a flood comes in large pieces; when too much waits the program has to, as in any terminal.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How much may wait, in bytes.
const WAITING_MAX: usize = 256 << 10;

/// The bytes between the terminal's reader and the owner.
#[derive(Default)]
pub(crate) struct Printed {
    bytes: Mutex<Vec<u8>>,
    taken: Condvar,
}

impl Printed {
    /// Adds what was read, once there is room for it; whether the owner has to be told, because nothing
    /// waited before.
    pub(crate) fn add(&self, read: &[u8]) -> bool {
        let full = |bytes: &mut Vec<u8>| !bytes.is_empty() && bytes.len() + read.len() > WAITING_MAX;
        let mut bytes = self.taken.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(read);
        bytes.len() == read.len()
    }

    /// Everything that waits.
    pub(crate) fn take(&self) -> Vec<u8> {
        let taken = std::mem::take(&mut *self.lock());
        self.taken.notify_all();
        taken
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        // Bytes are only ever added or taken as a whole.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_gathers_in_order_and_the_owner_is_told_once() {
        let printed = Printed::default();
        assert!(printed.add(b"a"));
        assert!(!printed.add(b"bc"));
        assert_eq!(printed.take(), b"abc");
        assert!(printed.add(b"d"));
    }

    #[test]
    fn a_program_that_prints_more_than_may_wait_has_to_wait_and_nothing_is_lost() {
        let printed = Printed::default();
        let mut taken = Vec::new();
        std::thread::scope(|scope| {
            let adding = scope.spawn(|| {
                (0..200u8).for_each(|n| {
                    let _ = printed.add(&[n; 4096]);
                })
            });
            while !adding.is_finished() {
                let more = printed.take();
                assert!(more.len() <= WAITING_MAX);
                taken.extend(more);
            }
        });
        taken.extend(printed.take());
        assert_eq!(taken, (0..200u8).flat_map(|n| [n; 4096]).collect::<Vec<_>>());
    }
}
