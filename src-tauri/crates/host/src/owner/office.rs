//! Who is the owner just now. A thread of its own is, for what comes by the bounded channel and for what is
//! due; a client's thread is for the moment of what its client says, so that a key is on its way to the
//! program without another thread's waking up, and the scribe's for the moment of what it tells, so that a
//! message is on its way to the clients as soon as it is in its file.
//!
//! Invariant: one at a time; what one client says is taken in its order, and so is what the scribe tells.

use super::{Input, Owner, Word};
use crate::{client_out::ClientOut, frame::Kind, reading::Reading, scribe::News, server::ClientId};
use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// How long clients have in the end to take what they were told.
const DRAINED: Duration = Duration::from_secs(2);

/// The longest input that is a key, in bytes; whatever is longer was pasted.
const KEY: usize = 32;

/// The owner, for one thread at a time.
pub(crate) struct Office {
    owner: Mutex<Seat>,
    inbox: SyncSender<Input>,
    reading: Arc<Reading>,
}

struct Seat {
    owner: Owner,
    /// Until when the owner's own thread sleeps if nothing comes by the channel.
    sleeps: Option<Instant>,
}

/// Wakes the owner's thread when another one fails as the owner: the host ends with it.
struct Failing<'a>(&'a SyncSender<Input>);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // A full inbox wakes it as well.
            let _ = self.0.try_send(Input::Due);
        }
    }
}

impl Office {
    pub(crate) fn new(owner: Owner, reading: Arc<Reading>) -> Office {
        let inbox = owner.inbox.clone();
        Office { owner: Mutex::new(Seat { owner, sleeps: None }), inbox, reading }
    }

    /// Takes in what a client says, in its own thread; false once the host ends.
    pub(crate) fn hear(&self, id: ClientId, word: Word) -> bool {
        let is_key =
            matches!(&word, Word::Frame(frame) if frame.kind == Kind::Input && frame.payload.len() <= KEY);
        let goes_on = self.be_owner(|owner| owner.hear(id, word));
        if is_key && goes_on {
            self.reading.look_for_answer();
        }
        goes_on
    }

    /// Takes in what the scribe tells, in its thread; false once the host ends.
    pub(crate) fn learn(&self, news: News) -> bool {
        self.be_owner(|owner| owner.on_news(news))
    }

    fn be_owner(&self, step: impl FnOnce(&mut Owner)) -> bool {
        let failing = Failing(&self.inbox);
        let Ok(mut seat) = self.owner.lock() else { return false };
        if seat.owner.stopping.is_done() {
            return false;
        }
        seat.owner.step(step);
        let done = seat.owner.stopping.is_done();
        let due = seat.owner.next_deadline();
        let earlier = due.is_some_and(|at| seat.sleeps.is_none_or(|until| at < until));
        if earlier {
            seat.sleeps = due;
        }
        drop(seat);
        drop(failing);
        if earlier || done {
            // A full inbox wakes it as well.
            let _ = self.inbox.try_send(Input::Due);
        }
        !done
    }

    /// Runs until the session is paused or closed.
    pub(crate) fn run(&self, inbox: &Receiver<Input>) {
        while !self.seat().owner.stopping.is_done() {
            let input = match self.due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match input {
                Ok(input) => self.seat().owner.step(|owner| owner.take(input)),
                Err(RecvTimeoutError::Timeout) => self.seat().owner.step(|_| ()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let outs: Vec<ClientOut> = self.seat().owner.outs().cloned().collect();
        outs.iter().for_each(ClientOut::close);
        let deadline = Instant::now() + DRAINED;
        let slow: Vec<&ClientOut> = outs.iter().filter(|out| !out.drained(deadline)).collect();
        // Who cannot be given all that was printed hears that it has ended.
        slow.iter().for_each(|out| out.hide());
        let deadline = Instant::now() + DRAINED / 4;
        for out in slow {
            // Who does not answer to that is cut.
            let _ = out.drained(deadline);
        }
    }

    /// When something is due next, until when the owner's own thread sleeps.
    fn due(&self) -> Option<Instant> {
        let mut seat = self.seat();
        seat.sleeps = seat.owner.next_deadline();
        seat.sleeps
    }

    fn seat(&self) -> MutexGuard<'_, Seat> {
        self.owner.lock().expect("a thread that failed as the owner has said why")
    }
}
