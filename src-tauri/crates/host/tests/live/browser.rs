//! A browser whose connection a server hands over.

use crate::support::{Live, SOON};
use bc_core::session::PauseReason;
use bc_host::{
    Activity, SocketHandoff,
    frame::{self, Frame},
    protocol::{self, Hello, PROTOCOL_VERSION, StopKind, Welcome},
};
use bc_process::{
    screen::Screen,
    size::Size,
    socket::{self, Stream},
};
use bc_testkit::wait_for;
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::fd::AsFd,
};
use tungstenite::{
    Message, WebSocket,
    protocol::{
        Role,
        frame::{
            Frame as Sent,
            coding::{Data, OpCode},
        },
    },
};

/// More screenfuls than any client's queue holds.
const LONG: usize = 110;

/// The limit of undrawn bytes on the way to a browser.
const WINDOW: u64 = 1 << 20;

/// A browser with its own terminal screen, and the server that accepted it.
struct Browser {
    socket: WebSocket<TcpStream>,
    server: Stream,
    screen: Screen,
    /// The offset of its next bytes.
    offset: u64,
    /// Whether it acknowledges drawn bytes.
    acknowledges: bool,
}

impl Browser {
    fn of(live: &Live) -> Browser {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.set_read_timeout(Some(SOON)).unwrap();
        let (handed, _) = listener.accept().unwrap();
        // Non-blocking, as a server has it.
        handed.set_nonblocking(true).unwrap();
        let server = SocketHandoff::connect(&live.spec.socket).unwrap().give(handed.as_fd(), b"").unwrap();
        server.set_read_timeout(Some(SOON)).unwrap();
        let socket = WebSocket::from_raw_socket(client, Role::Client, None);
        Browser { socket, server, screen: Screen::new(Size::new(24, 80)), offset: 0, acknowledges: true }
    }

    fn drawing(live: &Live) -> Browser {
        let mut browser = Browser::of(live);
        browser.say(r#"{"type":"resize","cols":80,"rows":24}"#);
        browser
    }

    fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    fn keys(&mut self, bytes: &[u8]) {
        self.socket.send(Message::binary(bytes.to_vec())).unwrap();
    }

    fn acknowledge(&mut self) {
        self.say(&format!(r#"{{"type":"ack","offset":{}}}"#, self.offset));
    }

    /// The next message; terminal output is drawn.
    fn next(&mut self) -> Message {
        let message = self.socket.read().unwrap();
        match &message {
            Message::Text(text) if text.contains("screen") => self.screen = Screen::new(Size::new(24, 80)),
            Message::Binary(frame) => {
                assert_eq!(frame[..8], self.offset.to_le_bytes());
                self.screen.feed(&frame[8..]);
                self.offset += frame.len() as u64 - 8;
                if self.acknowledges {
                    self.acknowledge();
                }
            }
            _ => {}
        }
        message
    }

    /// Draws until the screen shows this text.
    fn until(&mut self, text: &str) {
        while !self.screen.text().contains(text) {
            let message = self.next();
            assert!(!message.is_close(), "no {text:?} in {}", self.screen.text());
        }
    }

    /// Reads to the end: the text messages and the close code.
    fn end(mut self) -> (Vec<String>, u16) {
        let mut texts = Vec::new();
        loop {
            match self.next() {
                Message::Text(text) => texts.push(text.to_string()),
                Message::Close(frame) => {
                    // The close frame is answered, then the server's own connection ends.
                    while self.socket.read().is_ok() {}
                    assert_eq!(self.server.read(&mut [0]).unwrap(), 0);
                    return (texts, frame.unwrap().code.into());
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_browser_draws_and_types_directly_at_the_host() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    let mut browser = Browser::drawing(&live);
    assert_eq!(browser.next(), Message::text(r#"{"type":"screen","cols":80,"rows":24}"#));
    browser.until("❯");
    browser.keys(b"typed");
    browser.until("❯\u{a0}typed");
    browser.socket.send(Message::Ping("are you there".into())).unwrap();
    while !browser.next().is_pong() {}
    // The last attached client sets the size.
    browser.say(r#"{"type":"resize","cols":90,"rows":30}"#);
    while browser.next() != Message::text(r#"{"type":"screen","cols":90,"rows":30}"#) {}
    assert_eq!((live.status().size, live.status().attached), (Size::new(30, 90), 1));
    // The browser goes: the server's connection ends, and the session continues.
    let Browser { mut socket, mut server, .. } = browser;
    socket.close(None).unwrap();
    while socket.read().is_ok() {}
    assert_eq!(server.read(&mut [0]).unwrap(), 0);
    assert_eq!(live.status().attached, 0);
    live.until_shown("❯\u{a0}typed");
}

#[test]
fn a_hidden_browser_gets_no_output_types_nothing_and_starts_with_a_screen_when_shown() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    let mut browser = Browser::drawing(&live);
    browser.until("❯");
    browser.say(r#"{"type":"visible","visible":false}"#);
    browser.keys(b"lost");
    wait_for("no client at the terminal", SOON, || (live.status().attached == 0).then_some(()));
    live.client().send("meanwhile").unwrap();
    live.until_recorded("Reply to: meanwhile");
    browser.say(r#"{"type":"visible","visible":true}"#);
    // Output that was sent before it was hidden may arrive; then a screen follows.
    while browser.next() != Message::text(r#"{"type":"screen","cols":80,"rows":24}"#) {}
    browser.until("Reply to: meanwhile");
    assert!(!browser.screen.text().contains("lost"));
}

#[test]
fn a_browser_is_notified_of_the_end_of_the_program_and_of_the_server() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    let (mut first, mut second) = (Browser::drawing(&live), Browser::drawing(&live));
    first.until("❯");
    second.until("❯");
    first.server.shutdown(Shutdown::Write).unwrap();
    while !matches!(first.socket.read().unwrap(), Message::Close(Some(frame)) if u16::from(frame.code) == 1001)
    {
    }
    // Its token is void: its keys are ignored, and it is disconnected if it stays.
    let mut raw = first.socket.get_ref();
    let mut typed = Vec::new();
    let mut keys = Sent::message("void", OpCode::Data(Data::Binary), true);
    keys.header_mut().mask = Some([1, 2, 3, 4]);
    keys.format(&mut typed).unwrap();
    while raw.write_all(&typed).is_ok() {}
    assert_eq!(first.server.read(&mut [0]).unwrap(), 0);
    assert!(!live.client().screen().unwrap().contains("void"));
    assert_eq!(live.status().attached, 1);
    live.client().stop(StopKind::Pause(PauseReason::User)).unwrap();
    let (texts, code) = second.end();
    assert_eq!((texts.last().map(String::as_str), code), (Some(r#"{"type":"ended"}"#), 1000));
    live.until_ended();
}

#[test]
fn a_browser_that_draws_nothing_gets_at_most_the_window_and_then_a_fresh_screen() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    let mut still = Browser::drawing(&live);
    still.acknowledges = false;
    let last = format!("Reply to: fill {}", LONG - 1);
    for round in 0..LONG {
        live.client().send(&format!("fill {round}")).unwrap();
        live.until_recorded(&format!("Reply to: fill {round}"));
    }
    // Nothing more may arrive. It draws everything, acknowledges it and gets a fresh screen.
    let mut another = Browser::drawing(&live);
    another.until(&last);
    while still.offset + (64 << 10) <= WINDOW {
        still.next();
    }
    assert!(still.offset <= WINDOW && !still.screen.text().contains(&last));
    still.acknowledges = true;
    still.acknowledge();
    while still.next() != Message::text(r#"{"type":"screen","cols":80,"rows":24}"#) {}
    still.until(&last);
}

#[test]
fn a_browser_that_sends_invalid_messages_is_disconnected_and_no_other_client() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    let mut good = Browser::drawing(&live);
    for bad in ["", "{", r#"{"type":"nothing"}"#, r#"{"type":"resize","cols":-1,"rows":1}"#] {
        let mut browser = Browser::drawing(&live);
        browser.say(bad);
        while browser.socket.read().is_ok() {}
    }
    let mut large = Browser::drawing(&live);
    // The host may close the connection before the message is complete.
    let _ = large.socket.send(Message::binary(vec![b'x'; 2 << 20]));
    while large.socket.read().is_ok() {}
    // A server that hands over no connection.
    let mut none = socket::connect(&live.spec.socket).unwrap();
    let hello = Hello { version: PROTOCOL_VERSION, role: protocol::Role::Browser };
    frame::write(&mut none, &Frame::control(&hello)).unwrap();
    frame::write(&mut none, &Frame::input(b"")).unwrap();
    assert!(frame::read(&mut none).unwrap().unwrap().json::<Welcome>().is_ok());
    // A connection that is closed with unread bytes is reset.
    assert!(!none.read(&mut [0]).is_ok_and(|read| read > 0));
    good.keys(b"here");
    good.until("❯\u{a0}here");
}

#[test]
fn the_end_of_a_session_reaches_hidden_and_blocked_browsers() {
    let live = Live::new().started();
    live.until(Activity::Idle);
    // A browser that never had a size, a hidden one, and one that stopped drawing.
    let never = Browser::of(&live);
    let mut hidden = Browser::drawing(&live);
    hidden.until("❯");
    hidden.say(r#"{"type":"visible","visible":false}"#);
    let mut still = Browser::drawing(&live);
    still.acknowledges = false;
    for round in 0..40 {
        live.client().send(&format!("fill {round}")).unwrap();
        live.until_recorded(&format!("Reply to: fill {round}"));
    }
    // A ping is still answered.
    still.socket.send(Message::Ping("are you there".into())).unwrap();
    while !still.next().is_pong() {}
    let ending = std::thread::spawn({
        let mut client = live.client();
        move || client.stop(StopKind::Pause(PauseReason::User)).map(drop)
    });
    for browser in [never, hidden, still] {
        let (texts, code) = browser.end();
        assert_eq!((texts.last().map(String::as_str), code), (Some(r#"{"type":"ended"}"#), 1000));
    }
    ending.join().unwrap().unwrap();
    live.until_ended();
}
