//! The shared state of the link's threads: the place's last status, the subscribers, and whether the place is
//! reachable.

use super::connection::PlaceSender;
use crate::{protocol::ToPlace, spec::LinkSpec};
use bc_core::Timestamp;
use bc_host::{
    frame::{self, Frame},
    protocol::{Event, Happening, HostStatus, Outcome, Reply},
};
use bc_process::socket::Stream;
use serde_json::Value;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The time limit for sending an event to a subscriber. A subscriber that exceeds it is dropped.
const SUBSCRIBER_WITHIN: Duration = Duration::from_secs(2);

/// How long an exiting link waits for unanswered client requests.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

pub(super) struct Shared {
    pub(super) spec: Arc<LinkSpec>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    status: Option<HostStatus>,
    /// The number of received [`FromPlace::Alive`](crate::protocol::FromPlace::Alive) messages. The place sends
    /// one after each requested status, and also if its host reports nothing for some seconds.
    alive_count: u64,
    sender: Option<PlaceSender>,
    /// Since when, and why, the place has been unreachable. `None` if the place is reachable, or if the link
    /// has not tried to connect yet.
    unreachable: Option<(Timestamp, String)>,
    troubles: Vec<String>,
    subscribers: Vec<Stream>,
    /// The number of the last published event.
    seq: u64,
    /// The number of client requests without an answer.
    pending_requests: usize,
    stopped: bool,
    /// Whether the user has removed the place.
    given_up: bool,
    finished: bool,
}

impl Shared {
    pub(super) fn new(spec: Arc<LinkSpec>) -> Arc<Shared> {
        Arc::new(Shared { spec, state: Mutex::default(), changed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while the condition holds, for at most this duration.
    fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, State>,
        within: Duration,
        condition: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout_while(state, within, |state| condition(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    pub(super) fn connected(&self, sender: PlaceSender) {
        let mut state = self.lock();
        state.sender = Some(sender);
        let was_unreachable = state.unreachable.take().is_some();
        if was_unreachable {
            announce_status_change(&mut state);
        }
        self.changed.notify_all();
    }

    pub(super) fn disconnected(&self) {
        self.lock().sender = None;
        self.changed.notify_all();
    }

    pub(super) fn unreachable(&self, why: &str) {
        let mut state = self.lock();
        state.sender = None;
        let since = state.unreachable.as_ref().map(|(since, _)| *since);
        let is_new = since.is_none();
        state.unreachable =
            Some((since.unwrap_or_else(|| chrono::Local::now().fixed_offset()), why.to_owned()));
        if is_new {
            announce_status_change(&mut state);
        }
        self.changed.notify_all();
    }

    /// Waits for this duration, or until the link is stopped.
    pub(super) fn wait_before_retry(&self, wait: Duration) {
        drop(self.wait_while(self.lock(), wait, |state| !state.stopped));
    }

    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        // The place's answer ends the wait of `Link::follow` for the next message.
        if let Some(sender) = state.sender.take() {
            let _ = sender.send(&ToPlace::Status);
        }
        self.changed.notify_all();
    }

    pub(super) fn give_up(&self) {
        self.lock().given_up = true;
        self.stop();
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.lock().given_up
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Marks the link as finished, because all data was copied or this process is exiting. Waits until the
    /// clients have their answers, for at most [`ANSWERED_WITHIN`].
    pub(super) fn finish(&self) {
        let mut state = self.lock();
        state.finished = true;
        state.subscribers.clear();
        self.changed.notify_all();
        drop(self.wait_while(state, ANSWERED_WITHIN, |state| state.pending_requests > 0));
    }

    /// Counts a client's request as pending until [`Shared::end_request`].
    pub(super) fn begin_request(&self) {
        self.lock().pending_requests += 1;
    }

    pub(super) fn end_request(&self) {
        self.lock().pending_requests -= 1;
        self.changed.notify_all();
    }

    /// Waits until the link is finished, for at most this duration. If the session has ended, its end is then
    /// recorded on this machine.
    pub(super) fn wait_finished(&self, within: Duration) {
        drop(self.wait_while(self.lock(), within, |state| !state.finished));
    }

    /// Sends a message to the place if the link is connected.
    pub(super) fn send(&self, message: &ToPlace) {
        let sender = self.lock().sender.clone();
        if let Some(sender) = sender
            && let Err(error) = sender.send(message)
        {
            tracing::warn!(%error, "a message could not be sent to the place");
        }
    }

    pub(super) fn set_status(&self, status: HostStatus) {
        self.lock().status = Some(status);
        self.changed.notify_all();
    }

    pub(super) fn count_alive(&self) {
        self.lock().alive_count += 1;
        self.changed.notify_all();
    }

    /// Requests a new status from the place and waits for it, for at most this duration.
    pub(super) fn refresh_status(&self, within: Duration) {
        let state = self.lock();
        let Some(sender) = state.sender.clone() else { return };
        let before = state.alive_count;
        drop(state);
        if sender.send(&ToPlace::Status).is_ok() {
            let waits = |state: &State| state.alive_count == before && state.sender.is_some();
            drop(self.wait_while(self.lock(), within, waits));
        }
    }

    /// The last status, combined with the link's own state. Waits up to `within` for the first status.
    pub(super) fn status(&self, within: Duration) -> Option<HostStatus> {
        let is_unknown = |state: &State| state.status.is_none() && state.unreachable.is_none();
        let state = self.wait_while(self.lock(), within, is_unknown);
        let mut status = state.status.clone()?;
        status.unreachable_since = state.unreachable.as_ref().map(|(since, _)| *since);
        status.troubles.extend(state.troubles.iter().cloned());
        if let Some((_, why)) = &state.unreachable {
            status.hold = Some(why.clone());
        }
        Some(status)
    }

    /// The reason that the place is unreachable; `None` if it is reachable, or if the link has not tried to connect
    /// yet.
    pub(super) fn unreachable_reason(&self) -> Option<String> {
        self.lock().unreachable.as_ref().map(|(_, why)| why.clone())
    }

    pub(super) fn add_trouble(&self, trouble: &str) {
        let mut state = self.lock();
        if !state.troubles.iter().any(|known| known == trouble) {
            state.troubles.push(trouble.to_owned());
        }
    }

    /// Answers a subscription request with the number of the last event, and adds the subscriber. If the answer
    /// cannot be sent, the subscriber is not added.
    pub(super) fn subscribe(&self, mut stream: Stream, request: u64) {
        let mut state = self.lock();
        let reply = Frame::control(&Reply { reply: request, outcome: Outcome::Ok(state.seq.into()) });
        if stream.set_write_timeout(Some(SUBSCRIBER_WITHIN)).is_ok()
            && frame::write(&mut stream, &reply).is_ok()
        {
            state.subscribers.push(stream);
        }
    }

    /// Sends an event of the place's host to all subscribers. Returns whether claude has become idle, because
    /// it may have made commits.
    pub(super) fn publish(&self, event: &Value) -> bool {
        let mut state = self.lock();
        let Ok(known) = serde_json::from_value::<Event>(event.clone()) else { return false };
        let became_idle = matches!(known.what, Happening::Activity { activity: bc_host::Activity::Idle });
        state.seq = known.seq;
        send(&mut state, &Frame::control(event));
        became_idle
    }
}

/// Notifies subscribers of a changed status. Subscribers interpret the repeated event number as missed events, and
/// therefore reload all data.
fn announce_status_change(state: &mut State) {
    let activity = state.status.as_ref().map_or(bc_host::Activity::Unknown, |status| status.activity);
    let event = Event { seq: state.seq, what: Happening::Activity { activity } };
    send(state, &Frame::control(&event));
}

fn send(state: &mut State, frame: &Frame) {
    state.subscribers.retain_mut(|stream| frame::write(stream, frame).is_ok());
}
