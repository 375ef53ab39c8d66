//! Sends program output to all attached clients immediately, and keeps it until the screen is needed.
//!
//! The thread that reads the terminal does both, so no other thread has to wake up between the program and a
//! client. The actor draws the undrawn output onto the screen in large pieces, because most of a flood
//! scrolls away unseen. If too much output is undrawn, the program is blocked, as in any terminal.
//!
//! Invariant: every byte after a client's initial screen is passed to that client's queue, in order.

use crate::{client_id::ClientId, client_out::ClientOut, frame::Output};
use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

/// The amount of undrawn output at which the actor should draw it, in bytes.
const DRAW_AT: usize = 256 << 10;

/// The maximum amount of undrawn output, in bytes.
const UNDRAWN_MAX: usize = 1 << 20;

#[derive(Default)]
struct State {
    attached: BTreeMap<ClientId, ClientOut>,
    /// Output that has not been drawn yet.
    undrawn: Vec<u8>,
    /// The total output in bytes.
    end: u64,
    /// The time of the last output, until it is taken.
    last: Option<Instant>,
    /// Whether the actor was notified of undrawn output, and whether it was notified that there is much of
    /// it.
    notified: (bool, bool),
}

/// Whether the actor must be notified of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notify {
    /// Immediately, because much output is undrawn.
    Now,
    /// Within a moment.
    Soon,
    /// Not needed: the actor was already notified, or will be soon.
    Nothing,
}

/// The output between the terminal's reader and the actor.
#[derive(Default)]
pub(crate) struct OutputFanout {
    state: Mutex<State>,
    drained: Condvar,
}

impl OutputFanout {
    /// Sends and keeps new output. Blocks until there is space for it, and briefly for lagging clients.
    /// Returns whether the actor must be notified.
    pub(crate) fn add(&self, read: &mut Output) -> Notify {
        let length = read.bytes().len();
        let full =
            |state: &mut State| !state.undrawn.is_empty() && state.undrawn.len() + length > UNDRAWN_MAX;
        let mut state = self.drained.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        let mut lagging = Vec::new();
        if !state.attached.is_empty() {
            let frame = read.encoded(state.end);
            lagging.extend(state.attached.values().filter(|out| out.output(frame)).cloned());
        }
        state.undrawn.extend_from_slice(read.bytes());
        state.end += length as u64;
        state.last = Some(Instant::now());
        let is_much = state.undrawn.len() >= DRAW_AT;
        let notify = match state.notified {
            (_, false) if is_much => Notify::Now,
            (false, _) => Notify::Soon,
            _ => Notify::Nothing,
        };
        state.notified = (true, is_much);
        drop(state);
        lagging.iter().for_each(ClientOut::wait_for_lagging);
        notify
    }

    /// Takes all undrawn output.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.take_locked(&mut self.lock())
    }

    fn take_locked(&self, state: &mut State) -> Vec<u8> {
        let much = state.undrawn.len() >= DRAW_AT;
        if much {
            self.drained.notify_all();
        }
        state.notified = (false, false);
        // A flood continues with about the same amount; otherwise no memory is reserved.
        std::mem::replace(&mut state.undrawn, Vec::with_capacity(if much { 2 * DRAW_AT } else { 0 }))
    }

    /// Whether there is enough undrawn output that the actor should draw it.
    pub(crate) fn is_much(&self) -> bool {
        self.lock().undrawn.len() >= DRAW_AT
    }

    /// The time of the latest output; `None` if there was none since the previous call.
    pub(crate) fn take_last_output(&self) -> Option<Instant> {
        self.lock().last.take()
    }

    /// Attaches a client. `screen` gets the undrawn output and sends the initial screen. Meanwhile, no output
    /// is forwarded.
    pub(crate) fn attach(&self, id: ClientId, out: &ClientOut, screen: impl FnOnce(Vec<u8>)) {
        let mut state = self.lock();
        let undrawn = self.take_locked(&mut state);
        screen(undrawn);
        state.attached.insert(id, out.clone());
    }

    pub(crate) fn detach(&self, id: ClientId) {
        self.lock().attached.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is complete, so the data behind a poisoned lock is still valid.
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
    fn output_is_kept_in_order_and_the_actor_is_notified_once_and_again_when_it_is_much() {
        let fanout = OutputFanout::default();
        assert_eq!(fanout.add(&mut output(b"a")), Notify::Soon);
        assert_eq!(fanout.add(&mut output(b"bc")), Notify::Nothing);
        assert_eq!(fanout.take(), b"abc");
        assert_eq!(fanout.add(&mut output(b"d")), Notify::Soon);
        assert_eq!(fanout.add(&mut output(&vec![b'e'; DRAW_AT])), Notify::Now);
        assert!(fanout.is_much());
        assert_eq!(fanout.add(&mut output(b"f")), Notify::Nothing);
        assert_eq!(fanout.take().len(), DRAW_AT + 2);
        assert!(fanout.take_last_output().is_some() && fanout.take_last_output().is_none());
    }

    #[test]
    fn a_program_that_prints_more_than_the_limit_is_blocked_and_nothing_is_lost() {
        let fanout = OutputFanout::default();
        let mut taken = Vec::new();
        std::thread::scope(|scope| {
            let adding = scope.spawn(|| {
                (0..200u8).for_each(|n| {
                    let _ = fanout.add(&mut output(&[n; 16 << 10]));
                })
            });
            while !adding.is_finished() {
                let more = fanout.take();
                assert!(more.len() <= UNDRAWN_MAX);
                taken.extend(more);
            }
        });
        taken.extend(fanout.take());
        assert_eq!(taken, (0..200u8).flat_map(|n| [n; 16 << 10]).collect::<Vec<_>>());
    }
}
