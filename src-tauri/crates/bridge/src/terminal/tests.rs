//! Tests the guarantees of a client's terminal with a scripted session.

use super::{
    FlowLimits, Outgoing, Terminal, TerminalMessage,
    fake::{FakeBackend, eventually},
};
use crate::backend::TerminalFrame;
use std::{sync::Arc, thread, time::Duration};

const SESSION: &str = "6b0e6c0e-0000-4000-8000-000000000001";
const SCREEN: &str = r#"{"type":"screen","cols":80,"rows":24}"#;
const LIMITS: FlowLimits =
    FlowLimits { chunk: 8, window: 16, queue: 16, patience: Duration::from_millis(10) };

fn attach(backend: &Arc<FakeBackend>) -> Terminal {
    let session = SESSION.parse().expect("a UUID");
    Terminal::attach(Arc::clone(backend) as Arc<_>, "p1", session, LIMITS)
}

/// A visible terminal with 80 columns and 24 rows.
fn sized(backend: &Arc<FakeBackend>) -> Terminal {
    let terminal = attach(backend);
    terminal.control(TerminalMessage::Resize { cols: 80, rows: 24 });
    terminal
}

fn show(terminal: &Terminal, visible: bool) {
    terminal.control(TerminalMessage::Visible { visible });
}

fn ack(terminal: &Terminal, offset: u64) {
    terminal.control(TerminalMessage::Ack { offset });
}

fn next(terminal: &Terminal) -> Option<String> {
    terminal.recv().map(|message| match message {
        Outgoing::Text(text) => text,
        Outgoing::Frame(bytes) => {
            let offset = u64::from_le_bytes(bytes[..8].try_into().unwrap());
            format!("{offset}:{}", String::from_utf8_lossy(&bytes[8..]))
        }
    })
}

fn expect(terminal: &Terminal, messages: &[&str]) {
    for message in messages {
        assert_eq!(next(terminal).as_deref(), Some(*message));
    }
}

#[test]
fn a_client_that_sent_its_size_gets_the_screen_then_output() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = attach(&backend);
    terminal.control(TerminalMessage::Resize { cols: 0, rows: 24 });
    terminal.control(TerminalMessage::Resize { cols: 100, rows: 30 });
    pipe.screen(700, "SCREEN");
    expect(&terminal, &[SCREEN, "0:SCREEN"]);
    pipe.output(700, "abc");
    pipe.send(TerminalFrame::Size((90, 20)));
    expect(&terminal, &["6:abc", r#"{"type":"size","cols":90,"rows":20}"#]);
    ack(&terminal, 9);
    eventually("the program's offset is acknowledged", || pipe.acked() == 703);
    assert_eq!(backend.opened(), [(100, 30)]);
}

#[test]
fn input_arrives_in_order_even_while_connecting() {
    let backend = Arc::new(FakeBackend::default());
    let terminal = sized(&backend);
    eventually("a connection is asked for", || backend.opened().len() == 1);
    terminal.input(b"one ");
    terminal.control(TerminalMessage::Resize { cols: 81, rows: 25 });
    let pipe = backend.pipe();
    eventually("it was typed", || pipe.written() == "one ");
    eventually("the latest size was sent", || pipe.sizes() == [(81, 25)]);
    terminal.input(b"two");
    assert_eq!(pipe.written(), "one two");
    terminal.control(TerminalMessage::Resize { cols: 81, rows: 25 });
    assert_eq!(pipe.sizes().len(), 1, "the same size is not sent again");
}

#[test]
fn a_hidden_terminal_is_disconnected_and_starts_again_when_shown() {
    let backend = Arc::new(FakeBackend::default());
    let (before, after) = (backend.pipe(), backend.pipe());
    let terminal = sized(&backend);
    before.screen(0, "ONE");
    expect(&terminal, &[SCREEN, "0:ONE"]);
    show(&terminal, false);
    assert!(before.is_closed());
    terminal.input(b"\r");
    show(&terminal, true);
    after.screen(50, "TWO");
    expect(&terminal, &[SCREEN, "3:TWO"]);
    assert_eq!(before.written() + &after.written(), "");
}

#[test]
fn a_stalled_client_gets_a_fresh_screen_and_does_not_block_the_program() {
    let backend = Arc::new(FakeBackend::default());
    let (first, second) = (backend.pipe(), backend.pipe());
    let terminal = sized(&backend);
    first.screen(0, "");
    for offset in 0..1000 {
        first.output(offset * 8, "01234567");
    }
    expect(&terminal, &[SCREEN, "0:", "0:01234567", "8:01234567"]);
    eventually("all of the output is read though nothing is acknowledged", || first.is_read());
    assert!(!first.is_closed(), "what the user types still arrives");
    terminal.input(b"\x03");
    assert_eq!(first.written(), "\x03");

    ack(&terminal, 8);
    ack(&terminal, 16);
    second.screen(8000, "FRESH");
    second.output(8000, "more");
    expect(&terminal, &[SCREEN, "16:FRESH", "21:more"]);
    assert!(first.is_closed());
}

#[test]
fn a_slow_client_loses_nothing() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = sized(&backend);
    pipe.screen(0, "");
    (0..50).for_each(|n| pipe.output(n * 8, "01234567"));
    expect(&terminal, &[SCREEN, "0:"]);
    for n in 0..50 {
        expect(&terminal, &[&format!("{}:01234567", n * 8)]);
        ack(&terminal, n * 8 + 8);
    }
    assert_eq!(backend.opened().len(), 1);
}

#[test]
fn a_screen_from_the_session_replaces_unsent_output() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = sized(&backend);
    pipe.screen(0, "a screen of sixteen bytes and more");
    pipe.output(0, "old");
    expect(&terminal, &[SCREEN, "0:a screen of sixteen bytes and more"]);
    pipe.screen(10, "NEW");
    pipe.output(10, "x");
    // The window is full, so all of these frames are queued before any of them is sent.
    pipe.send(TerminalFrame::Size((80, 24)));
    eventually("all of it is read", || pipe.is_read());
    ack(&terminal, 34);
    let mut seen: Vec<String> = Vec::new();
    while !seen.iter().any(|message| message.ends_with(":x")) {
        seen.push(next(&terminal).expect("it goes on"));
    }
    assert!(seen.ends_with(&[SCREEN.to_owned(), "34:NEW".to_owned(), "37:x".to_owned()]), "{seen:?}");
}

#[test]
fn a_gap_in_the_output_is_answered_with_a_fresh_screen() {
    let backend = Arc::new(FakeBackend::default());
    let (first, second) = (backend.pipe(), backend.pipe());
    let terminal = sized(&backend);
    first.screen(0, "ONE");
    expect(&terminal, &[SCREEN, "0:ONE"]);
    first.output(5, "lost before this");
    ack(&terminal, 3);
    second.screen(21, "TWO");
    expect(&terminal, &[SCREEN, "3:TWO"]);
}

#[test]
fn the_end_of_the_program_comes_after_its_last_output() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = sized(&backend);
    pipe.screen(0, "");
    pipe.output(0, "bye");
    pipe.send(TerminalFrame::Ended);
    expect(&terminal, &[SCREEN, "0:", "0:bye", r#"{"type":"ended"}"#]);
    show(&terminal, false);
    assert_eq!(next(&terminal), None);
}

#[test]
fn a_session_without_a_terminal_reports_the_reason() {
    let backend = Arc::new(FakeBackend::default());
    backend.refuse("the session is paused");
    let terminal = sized(&backend);
    let error = r#"{"type":"error","error":{"code":"session_state","message":"the session is paused"}}"#;
    expect(&terminal, &[error]);
    assert_eq!(next(&terminal), None);
}

#[test]
fn a_lost_connection_is_not_reported_as_the_programs_exit() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = sized(&backend);
    pipe.screen(0, "ONE");
    expect(&terminal, &[SCREEN, "0:ONE"]);
    pipe.disconnect();
    assert_eq!(next(&terminal), None);
}

#[test]
fn closing_wakes_waiting_threads_and_ends_the_connection() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = Arc::new(sized(&backend));
    pipe.screen(0, "ONE");
    expect(&terminal, &[SCREEN, "0:ONE"]);
    let waiting = {
        let terminal = Arc::clone(&terminal);
        thread::spawn(move || next(&terminal))
    };
    terminal.close();
    assert_eq!(waiting.join().unwrap(), None);
    eventually("the connection is closed", || pipe.is_closed());
}

#[test]
fn dropping_a_terminal_ends_the_connection() {
    let backend = Arc::new(FakeBackend::default());
    let pipe = backend.pipe();
    let terminal = sized(&backend);
    pipe.screen(0, "ONE");
    expect(&terminal, &[SCREEN]);
    drop(terminal);
    eventually("the connection is closed", || pipe.is_closed());
}
