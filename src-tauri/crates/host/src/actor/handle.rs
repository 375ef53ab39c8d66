//! Runs the session's actor on one thread at a time.
//!
//! Three kinds of threads run the actor. Its own thread handles the bounded channel and the deadlines. A
//! client's threads handle that client's messages, so that a key reaches the program without waking another
//! thread. The recorder's thread handles the recorder's events, so that a message reaches the clients as soon
//! as it is in its file.
//!
//! Invariant: only one thread runs the actor at a time. One client's messages are handled in order, and so
//! are the recorder's events.

use super::{
    SessionActor,
    input::{ActorInput, ClientMessage},
};
use crate::{client_id::ClientId, client_out::ClientOut, recorder::RecorderEvent};
use std::{
    sync::{
        Mutex, MutexGuard,
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// The time limit for clients to receive their remaining messages when the host exits.
const DRAIN_WITHIN: Duration = Duration::from_secs(2);

/// The actor behind a lock.
pub(crate) struct ActorHandle {
    actor: Mutex<LockedActor>,
    inbox: SyncSender<ActorInput>,
}

struct LockedActor {
    actor: SessionActor,
    /// When the actor's own thread wakes up if nothing arrives on the channel.
    sleeps_until: Option<Instant>,
}

/// Wakes the actor's own thread when another thread panics in the actor, so that the host exits.
struct WakeOnPanic<'a>(&'a SyncSender<ActorInput>);

impl Drop for WakeOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // A full inbox also wakes the thread.
            let _ = self.0.try_send(ActorInput::Due);
        }
    }
}

impl ActorHandle {
    pub(crate) fn new(actor: SessionActor) -> ActorHandle {
        let inbox = actor.inbox.clone();
        ActorHandle { actor: Mutex::new(LockedActor { actor, sleeps_until: None }), inbox }
    }

    /// Handles a client's message on one of the client's threads. Returns false if the host is ending.
    pub(crate) fn handle_client(&self, id: ClientId, message: ClientMessage) -> bool {
        self.with_actor(|actor| actor.on_client_message(id, message))
    }

    /// Handles a recorder event on the recorder's thread. Returns false if the host is ending.
    pub(crate) fn handle_recorder(&self, event: RecorderEvent) -> bool {
        self.with_actor(|actor| actor.on_recorder_event(event))
    }

    fn with_actor(&self, step: impl FnOnce(&mut SessionActor)) -> bool {
        let wake_on_panic = WakeOnPanic(&self.inbox);
        let Ok(mut locked) = self.actor.lock() else { return false };
        if locked.actor.stopping.is_done() {
            return false;
        }
        locked.actor.step(step);
        let done = locked.actor.stopping.is_done();
        let due = locked.actor.next_deadline();
        let earlier = due.is_some_and(|at| locked.sleeps_until.is_none_or(|until| at < until));
        if earlier {
            locked.sleeps_until = due;
        }
        drop(locked);
        drop(wake_on_panic);
        if earlier || done {
            // A full inbox also wakes the thread.
            let _ = self.inbox.try_send(ActorInput::Due);
        }
        !done
    }

    /// Runs the actor until the session's end is saved or cannot be saved, then sends the clients their
    /// remaining messages.
    pub(crate) fn run(&self, inbox: &Receiver<ActorInput>) {
        while !self.locked().actor.stopping.is_done() {
            let input = match self.due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match input {
                Ok(input) => self.locked().actor.step(|actor| actor.on_input(input)),
                Err(RecvTimeoutError::Timeout) => self.locked().actor.step(|_| ()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let outs: Vec<ClientOut> = self.locked().actor.clients.outs().cloned().collect();
        outs.iter().for_each(ClientOut::close);
        let deadline = Instant::now() + DRAIN_WITHIN;
        let slow: Vec<&ClientOut> = outs.iter().filter(|out| !out.drained(deadline)).collect();
        // A client that cannot receive all output still receives the final messages.
        slow.iter().for_each(|out| out.drop_output());
        let deadline = Instant::now() + DRAIN_WITHIN / 4;
        for out in slow {
            // A client that does not receive the final messages either is disconnected when the host exits.
            let _ = out.drained(deadline);
        }
    }

    /// Returns the next deadline, and notes that the actor's own thread sleeps until then.
    fn due(&self) -> Option<Instant> {
        let mut locked = self.locked();
        locked.sleeps_until = locked.actor.next_deadline();
        locked.sleeps_until
    }

    fn locked(&self) -> MutexGuard<'_, LockedActor> {
        self.actor.lock().expect("a thread that panicked in the actor has reported why")
    }
}
