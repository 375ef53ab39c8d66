//! Tests terminals as a client uses them, with `/bin/cat` in a PTY behind a real WebSocket.

use crate::{
    backend::TestBackend,
    client::{SESSION, UninterruptedStream, close_code, next_text, running, running_with},
};
use std::io::Write;
use tungstenite::{Message, WebSocket};

const FLOOD: usize = 200 << 20;
/// A prime number of bytes, so that a chunk at a wrong offset differs from the expected chunk.
const PERIOD: usize = 65_521;

fn path(project: &str) -> String {
    format!("/terminal/{project}/{SESSION}")
}

fn say(socket: &mut WebSocket<UninterruptedStream>, text: &str) {
    socket.send(Message::text(text)).unwrap();
}

fn ack(socket: &mut WebSocket<UninterruptedStream>, offset: usize) {
    say(socket, &format!(r#"{{"type":"ack","offset":{offset}}}"#));
}

fn next_frame(socket: &mut WebSocket<UninterruptedStream>) -> (usize, Vec<u8>) {
    match socket.read().unwrap() {
        Message::Binary(frame) => {
            let offset = u64::from_le_bytes(frame[..8].try_into().unwrap());
            (usize::try_from(offset).unwrap(), frame[8..].to_vec())
        }
        other => panic!("not a frame: {other:?}"),
    }
}

/// Sets the terminal's size and waits for its first screen.
fn open(socket: &mut WebSocket<UninterruptedStream>) {
    say(socket, r#"{"type":"resize","cols":100,"rows":30}"#);
    assert_eq!(next_text(socket), r#"{"type":"screen","cols":100,"rows":30}"#);
    assert_eq!(next_frame(socket), (0, Vec::new()));
}

fn read_until(socket: &mut WebSocket<UninterruptedStream>, wanted: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        let (offset, bytes) = next_frame(socket);
        seen.push_str(&String::from_utf8(bytes).unwrap());
        ack(socket, offset + seen.len());
    }
    seen
}

#[test]
fn input_reaches_the_program_and_output_the_client() {
    let server = running();
    let mut socket = server.socket(&path("cat"));
    open(&mut socket);
    socket.send(Message::binary("größe ☃\r".as_bytes().to_vec())).unwrap();
    assert_eq!(read_until(&mut socket, "☃\r\ngröße ☃\r\n"), "größe ☃\r\ngröße ☃\r\n");
}

#[test]
fn the_end_of_the_program_is_the_last_message() {
    let server = running();
    let mut socket = server.socket(&path("cat"));
    open(&mut socket);
    socket.send(Message::binary(vec![4])).unwrap();
    assert_eq!(next_text(&mut socket), r#"{"type":"ended"}"#);
    assert_eq!(close_code(&mut socket), 1000);
}

#[test]
fn a_hidden_terminal_gets_nothing_and_a_screen_when_shown() {
    let server = running();
    let mut socket = server.socket(&path("cat"));
    open(&mut socket);
    say(&mut socket, r#"{"type":"visible","visible":false}"#);
    socket.send(Message::binary(b"lost\r".to_vec())).unwrap();
    say(&mut socket, r#"{"type":"visible","visible":true}"#);
    assert_eq!(next_text(&mut socket), r#"{"type":"screen","cols":100,"rows":30}"#);
    assert_eq!(next_frame(&mut socket), (0, Vec::new()));
    socket.send(Message::binary(b"kept\r".to_vec())).unwrap();
    assert_eq!(read_until(&mut socket, "kept\r\nkept\r\n"), "kept\r\nkept\r\n");
}

#[test]
fn an_unavailable_terminal_reports_the_reason() {
    let server = running();
    let mut socket = server.socket(&path("nowhere"));
    say(&mut socket, r#"{"type":"resize","cols":80,"rows":24}"#);
    let message: serde_json::Value = serde_json::from_str(&next_text(&mut socket)).unwrap();
    assert_eq!((&message["type"], &message["error"]["code"]), (&"error".into(), &"project_not_found".into()));
    assert_eq!(close_code(&mut socket), 1000);
    let refused = server.socket_with("/terminal/cat/not-a-session", &server.own_socket());
    assert_eq!(refused.err(), Some(400));
}

#[test]
fn only_a_client_with_invalid_messages_is_disconnected() {
    let server = running();
    let mut good = server.socket(&path("cat"));
    open(&mut good);
    for bad in ["", "{", "[]", r#"{"type":"nothing"}"#, r#"{"type":"resize","cols":-1,"rows":1}"#] {
        let mut socket = server.socket(&path("cat"));
        open(&mut socket);
        say(&mut socket, bad);
        while socket.read().is_ok_and(|message| !message.is_close()) {}
    }
    let mut large = server.socket(&path("cat"));
    open(&mut large);
    // An error is ignored, because the server may close the connection before all data was sent.
    let _ = large.send(Message::binary(vec![b'x'; 2 << 20]));
    while large.read().is_ok_and(|message| !message.is_close()) {}
    assert_works(&mut good);
}

fn assert_works(socket: &mut WebSocket<UninterruptedStream>) {
    socket.send(Message::binary(b"here\r".to_vec())).unwrap();
    assert_eq!(read_until(socket, "here\r\nhere\r\n"), "here\r\nhere\r\n");
}

fn pattern() -> Vec<u8> {
    let byte = |n: usize| b'!' + (n % PERIOD).wrapping_mul(2_654_435_761).to_le_bytes()[2] % 94;
    (0..PERIOD + (1 << 20)).map(byte).collect()
}

/// A file filled with the pattern, without line ends, because a terminal would convert them.
fn flood_file(pattern: &[u8], size: usize) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let mut written = 0;
    while written < size {
        let length = (1 << 20).min(size - written);
        file.write_all(&pattern[written % PERIOD..][..length]).unwrap();
        written += length;
    }
    file
}

#[test]
fn two_hundred_megabytes_arrive_completely_and_in_order() {
    let pattern = pattern();
    let file = flood_file(&pattern, FLOOD);
    let server = running_with(TestBackend::with_flood(file.path().to_owned()));
    let mut socket = server.socket(&path("flood"));
    open(&mut socket);
    let mut drawn = 0;
    while drawn < FLOOD {
        let (offset, bytes) = next_frame(&mut socket);
        assert_eq!(offset, drawn);
        assert!(bytes == pattern[drawn % PERIOD..][..bytes.len()], "wrong bytes at {drawn}");
        drawn += bytes.len();
        ack(&mut socket, drawn);
    }
    assert_eq!((drawn, next_text(&mut socket).as_str()), (FLOOD, r#"{"type":"ended"}"#));
}

#[test]
fn a_stalled_client_blocks_neither_its_program_nor_others() {
    let file = flood_file(&pattern(), 32 << 20);
    let server = running_with(TestBackend::with_flood(file.path().to_owned()));
    let mut stalled = server.socket(&path("flood"));
    open(&mut stalled);
    let mut other = server.socket(&path("cat"));
    open(&mut other);
    assert_works(&mut other);
    // The client neither reads nor acknowledges. The program still ends, and the client receives its exit.
    let mut seen = 0;
    loop {
        match stalled.read().unwrap() {
            Message::Binary(frame) => seen += frame.len() - 8,
            Message::Text(text) if text.contains("ended") => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(seen <= 1 << 20, "{seen} bytes were sent without an acknowledgement");
}
