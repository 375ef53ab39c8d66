//! The connected clients and their event subscriptions.
//!
//! Invariant: events are numbered without gaps, whether or not any client subscribes.

use crate::{
    client_id::ClientId,
    client_out::ClientOut,
    frame::{self, Frame},
    protocol::{Event, Happening, Outcome, Reply, Role},
};
use bc_claude::hooks::Answer;
use bc_core::message::{VIEW_TEXT_MAX, shorten};
use std::collections::BTreeMap;

struct Client {
    role: Role,
    out: ClientOut,
    subscribed: bool,
}

#[derive(Default)]
pub(super) struct Clients {
    connected: BTreeMap<ClientId, Client>,
    events: u64,
}

impl Clients {
    /// Adds a client after its hello.
    pub(super) fn connect(&mut self, id: ClientId, role: Role, out: ClientOut) {
        self.connected.insert(id, Client { role, out, subscribed: false });
    }

    /// Removes a client; it gets no further messages.
    pub(super) fn remove(&mut self, id: ClientId) -> Option<ClientOut> {
        self.connected.remove(&id).map(|client| client.out)
    }

    /// The role of a client, or `None` if it is not connected.
    pub(super) fn role(&self, id: ClientId) -> Option<&Role> {
        self.connected.get(&id).map(|client| &client.role)
    }

    /// Subscribes a client to events and returns the number of the last one.
    pub(super) fn subscribe(&mut self, id: ClientId) -> u64 {
        if let Some(client) = self.connected.get_mut(&id) {
            client.subscribed = true;
        }
        self.events
    }

    /// Whether any client subscribes to events.
    pub(super) fn has_subscribers(&self) -> bool {
        self.connected.values().any(|client| client.subscribed)
    }

    /// The output queues of all clients.
    pub(super) fn outs(&self) -> impl Iterator<Item = &ClientOut> {
        self.connected.values().map(|client| &client.out)
    }

    /// Sends an event to every subscriber. A message that does not fit in a frame is shortened.
    pub(super) fn publish(&mut self, what: Happening) {
        self.events += 1;
        if !self.has_subscribers() {
            return;
        }
        let event = Event { seq: self.events, what };
        let mut frame = Frame::control(&event);
        if let (Happening::Message { message }, true) = (&event.what, frame.payload.len() > frame::MAX) {
            let mut message = message.clone();
            shorten(&mut message, VIEW_TEXT_MAX);
            frame = Frame::control(&Event { what: Happening::Message { message }, ..event });
        }
        for client in self.connected.values().filter(|client| client.subscribed) {
            client.out.control(&frame);
        }
    }

    pub(super) fn reply(&self, id: ClientId, request: u64, outcome: Outcome) {
        if let Some(client) = self.connected.get(&id) {
            client.out.control(&Frame::control(&Reply { reply: request, outcome }));
        }
    }

    /// Sends a hook's answer. `closes`: whether the connection is closed afterwards.
    pub(super) fn answer_hook(&self, id: ClientId, answer: &Answer, closes: bool) {
        if let Some(client) = self.connected.get(&id) {
            client.out.control(&Frame::control(&answer.to_json()));
            if closes {
                client.out.close();
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use bc_core::message::{Message, Role as Author};
    use bc_process::socket::Stream;

    /// A client and the other end of its connection.
    fn client() -> (ClientOut, Stream) {
        let (ours, theirs) = Stream::pair().unwrap();
        (ClientOut::of(&ours, |_, _| unreachable!("nothing has to wait")).unwrap(), theirs)
    }

    fn next_event(stream: &mut Stream) -> Event {
        Event::of(&frame::read(stream).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn subscribers_get_every_event_with_its_number() {
        let (out, mut stream) = client();
        let mut clients = Clients::default();
        clients.connect(1, Role::Control, out);
        clients.publish(Happening::Footer);
        assert!(!clients.has_subscribers());
        assert_eq!(clients.subscribe(1), 1);
        clients.publish(Happening::Footer);
        assert_eq!(next_event(&mut stream), Event { seq: 2, what: Happening::Footer });
    }

    #[test]
    fn a_message_that_exceeds_a_frame_is_shortened() {
        let (out, mut stream) = client();
        let mut clients = Clients::default();
        clients.connect(1, Role::Control, out);
        clients.subscribe(1);
        let at = chrono::DateTime::UNIX_EPOCH.fixed_offset();
        let message = Message::new("m", Author::Assistant, "x".repeat(frame::MAX), at);
        clients.publish(Happening::Message { message: Box::new(message) });
        let Happening::Message { message } = next_event(&mut stream).what else { panic!("no message") };
        assert!(message.content.len() < frame::MAX / 8 && message.left_out.is_some());
    }

    #[test]
    fn a_removed_client_gets_nothing() {
        let (out, _stream) = client();
        let mut clients = Clients::default();
        clients.connect(1, Role::Control, out);
        assert_eq!(clients.outs().count(), 1);
        assert!(clients.remove(1).is_some() && clients.remove(1).is_none());
        assert_eq!((clients.role(1), clients.outs().count()), (None, 0));
    }

    #[test]
    fn a_hooks_connection_is_closed_only_after_its_last_answer() {
        let (out, mut stream) = client();
        let mut clients = Clients::default();
        clients.connect(1, Role::Hook { event: "Stop".into(), index: 0 }, out);
        clients.answer_hook(1, &Answer::Nothing, false);
        assert!(frame::read(&mut stream).unwrap().is_some());
        clients.answer_hook(1, &Answer::Nothing, true);
        assert!(frame::read(&mut stream).unwrap().is_some());
        assert!(frame::read(&mut stream).unwrap().is_none());
    }
}
