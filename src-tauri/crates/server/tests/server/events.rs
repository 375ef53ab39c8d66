//! The event stream: new, reconnected and stalled clients, gaps, and invalid requests.

use crate::client::{Running, UninterruptedStream, close_code, next_text, running};
use bc_wire::event::{Event, EventEnvelope};
use tungstenite::WebSocket;

fn publish(server: &Running, count: usize) {
    for _ in 0..count {
        server.backend.ring.publish(None, Event::BeadsChanged {});
    }
}

fn next(socket: &mut WebSocket<UninterruptedStream>) -> (u64, bool) {
    let envelope: EventEnvelope = serde_json::from_str(&next_text(socket)).unwrap();
    (envelope.seq, envelope.event == Event::Resync {})
}

#[test]
fn a_reconnected_client_continues_without_gaps_or_duplicates() {
    let server = running();
    publish(&server, 2);
    let mut socket = server.socket("/events?since=0");
    assert_eq!([next(&mut socket), next(&mut socket)], [(1, false), (2, false)]);
    drop(socket);
    publish(&server, 2);
    let mut socket = server.socket("/events?since=2");
    publish(&server, 1);
    assert_eq!(
        [next(&mut socket), next(&mut socket), next(&mut socket)],
        [(3, false), (4, false), (5, false)]
    );
}

#[test]
fn a_new_client_receives_later_events() {
    let server = running();
    publish(&server, 2);
    let mut socket = server.socket("/events");
    publish(&server, 1);
    assert_eq!(next(&mut socket), (3, false));
}

#[test]
fn an_unrecoverable_gap_is_reported() {
    let server = running();
    publish(&server, 150);
    let mut socket = server.socket("/events?since=3");
    assert_eq!(next(&mut socket), (150, true));
    publish(&server, 1);
    assert_eq!(next(&mut socket), (151, false));
    assert_eq!(next(&mut server.socket("/events?since=999999")), (151, true));
}

#[test]
fn a_stalled_client_blocks_no_other() {
    let server = running();
    let _idle = server.socket("/events");
    let mut socket = server.socket("/events");
    for seq in 1..=5000 {
        publish(&server, 1);
        assert_eq!(next(&mut socket), (seq, false));
    }
}

#[test]
fn an_invalid_request_is_refused() {
    let server = running();
    for since in ["x", "-1", "1.5", "99999999999999999999999"] {
        let refused = server.socket_with(&format!("/events?since={since}"), &server.own_socket());
        assert_eq!(refused.err(), Some(400), "{since}");
    }
    let plain = server.ask("GET", "/events", &server.own(), "");
    assert!(matches!(plain.status, 400 | 426), "{}", plain.status);
}

#[test]
fn the_end_of_the_application_is_reported() {
    let server = running();
    let mut socket = server.socket("/events");
    server.backend.ring.end();
    assert_eq!(close_code(&mut socket), 1001);
}
