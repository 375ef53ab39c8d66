//! Attaching and detaching terminals.

use crate::support::{Live, TIMEOUT, exe};
use bc_host::{
    Activity, connect_terminal,
    frame::{self, Frame},
    protocol::{Call, FreshScreen, Hello, HostStatus, Outcome, Reply, Request, Role, View, Welcome},
};
use bc_process::{
    pty::{self, PtyCommand},
    screen::Screen,
    size::Size,
    socket::{self, Stream},
};
use bc_testkit::wait_for;
use std::io::{Read, Write};

/// A client with its own terminal screen.
pub(crate) struct Terminal {
    stream: Stream,
    screen: Screen,
    requests: u64,
}

impl Terminal {
    pub(crate) fn attach(live: &Live) -> Terminal {
        Terminal::sized(live, live.spec.size)
    }

    fn sized(live: &Live, size: Size) -> Terminal {
        let stream = connect_terminal(&live.spec.socket, size, View::Whole).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        Terminal { stream, screen: Screen::new(size), requests: 0 }
    }

    pub(crate) fn keys(&mut self, bytes: &[u8]) {
        frame::write(&mut self.stream, &Frame::input(bytes)).unwrap();
    }

    /// The host's status after all earlier keys have been handled.
    pub(crate) fn request_status(&mut self) -> HostStatus {
        self.requests += 1;
        let request = Request { request: self.requests, call: Call::Status };
        frame::write(&mut self.stream, &Frame::control(&request)).unwrap();
        loop {
            let frame = frame::read(&mut self.stream).unwrap().unwrap();
            if let Ok(Reply { outcome: Outcome::Ok(value), .. }) = frame.json() {
                return serde_json::from_value(value).unwrap();
            }
            self.draw(&frame);
        }
    }

    fn draw(&mut self, frame: &Frame) {
        if let Ok(fresh) = frame.json::<FreshScreen>() {
            self.screen = Screen::new(fresh.fresh_screen);
        } else if let Some((_, bytes)) = frame.as_output() {
            self.screen.feed(bytes);
        }
    }

    /// Draws output until the screen shows this text.
    fn wait_text(&mut self, text: &str) -> String {
        loop {
            let shown = self.screen.text();
            if shown.contains(text) {
                return shown;
            }
            let frame = frame::read(&mut self.stream)
                .unwrap_or_else(|e| panic!("{e}: no {text:?} in {shown}"))
                .unwrap();
            self.draw(&frame);
        }
    }
}

#[test]
fn attaching_again_shows_the_same_screen() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("hello").unwrap();
    live.wait_activity(Activity::Idle);
    let mut first = Terminal::attach(&live);
    // The reply is complete when the prompt appears below it. Until then, another line may arrive.
    let whole = format!("Reply to: hello\n{}\n❯", "─".repeat(80));
    let shown = first.wait_text(&whole);
    drop(first);
    let mut second = Terminal::attach(&live);
    assert_eq!(second.wait_text(&whole), shown);
    second.keys(b"typed");
    second.wait_text("❯\u{a0}typed");
}

#[test]
fn two_terminals_show_the_same_screen_and_the_last_one_typed_into_sets_the_size() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let mut large = Terminal::sized(&live, Size::new(40, 120));
    let mut small = Terminal::sized(&live, Size::new(20, 60));
    assert_eq!(small.request_status().size, Size::new(20, 60));
    large.keys(b"x");
    assert_eq!(large.request_status().size, Size::new(40, 120));
    small.wait_text("❯\u{a0}x");
    large.wait_text("❯\u{a0}x");
    assert_eq!(live.status().attached, 2);
}

#[test]
fn a_terminal_that_does_not_read_blocks_no_other_client() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let mut idle = Terminal::attach(&live);
    // Several megabytes of output, while this terminal reads nothing.
    for round in 0..25 {
        live.client().send(&format!("fill {round}")).unwrap();
        live.wait_recorded(&format!("Reply to: fill {round}"));
    }
    // Once the terminal reads, it gets a fresh screen.
    idle.wait_text("Reply to: fill 24");
}

#[test]
fn another_version_is_rejected_and_invalid_clients_are_disconnected() {
    let live = Live::new().started();
    let mut stream = socket::connect(&live.spec.socket).unwrap();
    frame::write(&mut stream, &Frame::control(&Hello { version: 99, role: Role::Control })).unwrap();
    let welcome = frame::read(&mut stream).unwrap().unwrap();
    assert_eq!(welcome.json::<Welcome>().unwrap(), Welcome::OtherVersion { version: 1 });
    assert_eq!(frame::read(&mut stream).unwrap(), None);

    let mut stream = socket::connect(&live.spec.socket).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty());
    live.status();
}

#[test]
fn the_program_attaches_detaches_by_its_key_and_restores_the_terminal() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("hello").unwrap();
    live.wait_recorded("Reply to: hello");
    let script = format!("stty -a; '{}' attach '{}'; stty -a", exe().display(), live.spec.socket.display());
    let started = pty::start(&PtyCommand {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        cwd: live.path().into(),
        env: vec![("TERM".into(), Some("xterm-256color".into()))],
        size: Size::new(30, 90),
    })
    .unwrap();
    let (mut reader, mut writer) = (started.reader, started.writer);
    let mut output = Vec::new();
    let mut read_until = |wanted: &str| {
        let mut chunk = [0; 4096];
        while !String::from_utf8_lossy(&output).contains(wanted) {
            let n = reader.read(&mut chunk).unwrap();
            assert!(n > 0, "the program ended early: {}", String::from_utf8_lossy(&output));
            output.extend_from_slice(&chunk[..n]);
        }
    };
    read_until("Reply to: hello");
    wait_for("the terminal's size", TIMEOUT, || (live.status().size == Size::new(30, 90)).then_some(()));
    started.pty.resize(Size::new(31, 91)).unwrap();
    wait_for("the new size", TIMEOUT, || (live.status().size == Size::new(31, 91)).then_some(()));
    writer.write_all(b"abc").unwrap();
    read_until("abc");
    writer.write_all(b"\x1d").unwrap();
    read_until("Detached");
    while let Ok(n @ 1..) = reader.read(&mut [0; 4096]) {
        let _ = n;
    }
    started.child.wait().unwrap();
    assert_eq!(live.status().attached, 0);
    live.wait_shown("abc");
}
