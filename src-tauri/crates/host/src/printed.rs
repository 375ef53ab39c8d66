//! What the program printed: handed on at once to whoever is attached, and kept until the screen is wanted.
//!
//! The thread that reads the terminal does both, so that no other has to wake up between the program and a
//! client. The owner draws the screen from what is kept, in large pieces: of a flood most is scrolled away
//! before anybody looks. When too much is kept the program has to wait, as in any terminal.
//!
//! Invariant: everybody who is attached gets every byte after the screen that they were given, in order.

use crate::{client_out::ClientOut, frame::Output, server::ClientId};
use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

/// How much is kept before the owner is to draw it, in bytes.
const MUCH: usize = 256 << 10;

/// So little is what a program answers to a key.
const ANSWER: usize = 1 << 10;

/// How much may be kept, in bytes.
const KEPT_MAX: usize = 1 << 20;

#[derive(Default)]
struct State {
    attached: BTreeMap<ClientId, ClientOut>,
    /// What is to be drawn.
    kept: Vec<u8>,
    /// How much was printed in all.
    end: u64,
    /// When something was printed that nobody asked for yet.
    last: Option<Instant>,
    /// The owner knows that something is kept, and that it is much.
    told: (bool, bool),
}

/// Whether the owner has to be told of what was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tell {
    /// At once: it is much.
    Now,
    /// Once there is time for it.
    Soon,
    /// It was, or will be.
    Nothing,
}

/// Between the terminal's reader and the owner.
#[derive(Default)]
pub(crate) struct Printed {
    state: Mutex<State>,
    taken: Condvar,
}

impl Printed {
    /// Hands on what was read and keeps it, once there is room for it; whether the owner has to be told.
    pub(crate) fn add(&self, read: &mut Output) -> Tell {
        let length = read.bytes().len();
        let full = |state: &mut State| !state.kept.is_empty() && state.kept.len() + length > KEPT_MAX;
        let mut state = self.taken.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        let mut lagging = Vec::new();
        let is_answer = length <= ANSWER && !state.attached.is_empty();
        if !state.attached.is_empty() {
            let frame = read.encoded(state.end);
            lagging.extend(state.attached.values().filter(|out| out.output(frame)).cloned());
        }
        state.kept.extend_from_slice(read.bytes());
        state.end += length as u64;
        state.last = Some(Instant::now());
        let is_much = state.kept.len() >= MUCH;
        let tell = match state.told {
            (_, false) if is_much => Tell::Now,
            (false, _) => Tell::Soon,
            _ => Tell::Nothing,
        };
        state.told = (true, is_much);
        drop(state);
        if is_answer {
            // Whoever waits for it goes first.
            thread::yield_now();
        }
        lagging.iter().for_each(ClientOut::catch_up);
        tell
    }

    /// Everything that is kept.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.taken(&mut self.lock())
    }

    fn taken(&self, state: &mut State) -> Vec<u8> {
        let much = state.kept.len() >= MUCH;
        if much {
            self.taken.notify_all();
        }
        state.told = (false, false);
        // As much comes again in a flood; at rest nothing is held.
        std::mem::replace(&mut state.kept, Vec::with_capacity(if much { 2 * MUCH } else { 0 }))
    }

    /// Whether so much is kept that it should be drawn.
    pub(crate) fn is_much(&self) -> bool {
        self.lock().kept.len() >= MUCH
    }

    /// When something was printed since this was asked before.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.lock().last.take()
    }

    /// Gives a client a screen, and from then on what is printed. `screen` is given what is still to be
    /// drawn; nothing is handed on meanwhile.
    pub(crate) fn attach(&self, id: ClientId, out: &ClientOut, screen: impl FnOnce(Vec<u8>)) {
        let mut state = self.lock();
        let kept = self.taken(&mut state);
        screen(kept);
        state.attached.insert(id, out.clone());
    }

    /// A client gets nothing more.
    pub(crate) fn detach(&self, id: ClientId) {
        self.lock().attached.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Bytes are only ever added or taken as a whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn output(bytes: &[u8]) -> Output {
        let mut output = Output::with_room(bytes.len());
        output.fill(|room| (&mut &bytes[..]).read(room)).unwrap();
        output
    }

    #[test]
    fn what_is_printed_is_kept_in_order_and_the_owner_is_told_once_and_once_more_of_much() {
        let printed = Printed::default();
        assert_eq!(printed.add(&mut output(b"a")), Tell::Soon);
        assert_eq!(printed.add(&mut output(b"bc")), Tell::Nothing);
        assert_eq!(printed.take(), b"abc");
        assert_eq!(printed.add(&mut output(b"d")), Tell::Soon);
        assert_eq!(printed.add(&mut output(&vec![b'e'; MUCH])), Tell::Now);
        assert!(printed.is_much());
        assert_eq!(printed.add(&mut output(b"f")), Tell::Nothing);
        assert_eq!(printed.take().len(), MUCH + 2);
        assert!(printed.last().is_some() && printed.last().is_none());
    }

    #[test]
    fn a_program_that_prints_more_than_may_be_kept_has_to_wait_and_nothing_is_lost() {
        let printed = Printed::default();
        let mut taken = Vec::new();
        std::thread::scope(|scope| {
            let adding = scope.spawn(|| {
                (0..200u8).for_each(|n| {
                    let _ = printed.add(&mut output(&[n; 16 << 10]));
                })
            });
            while !adding.is_finished() {
                let more = printed.take();
                assert!(more.len() <= KEPT_MAX);
                taken.extend(more);
            }
        });
        taken.extend(printed.take());
        assert_eq!(taken, (0..200u8).flat_map(|n| [n; 16 << 10]).collect::<Vec<_>>());
    }
}
