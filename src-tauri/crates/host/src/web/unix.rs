//! The conversation with a browser, in the thread of its connection.

use crate::{
    client_out::ClientOut,
    frame::{self, Frame},
    owner::{Office, Word},
    protocol::{Call, Request, Role, View},
    server::{self, ClientId},
};
use bc_core::terminal::{CLIENT_MESSAGE_MAX, TerminalMessage};
use bc_process::{
    size::Size,
    socket::{self, Stream},
};
use std::{
    io::{self, Read, Write},
    sync::Arc,
    time::{Duration, Instant},
};
use tungstenite::{
    Message, WebSocket,
    protocol::{Role as Side, WebSocketConfig},
};

/// What is read at a time.
const READ: usize = 16 << 10;

/// How long a server may take to hand over what it said it would.
const HANDED_WITHIN: Duration = Duration::from_secs(10);

/// How long a browser has to answer a goodbye.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves the browser whose connection comes by the server's, until one of the two is gone.
pub(crate) fn converse(id: ClientId, server: Stream, office: &Arc<Office>) {
    let Ok((browser, read)) = handed(&server) else { return };
    let Ok(out) = ClientOut::of(&browser, server::writer(id, office)).map(ClientOut::for_browser) else {
        return;
    };
    let limits = WebSocketConfig::default()
        .read_buffer_size(READ)
        .max_message_size(Some(CLIENT_MESSAGE_MAX))
        .max_frame_size(Some(CLIENT_MESSAGE_MAX));
    let connection = Connection { browser, server, out: out.clone(), dismissed: None };
    let mut socket = WebSocket::from_partially_read(connection, read, Side::Server, Some(limits));
    let mut look = Look { id, office, out: &out, size: None, visible: true };
    look.say(Word::Hidden { out: out.clone() });
    loop {
        let message = socket.read();
        // Who was sent away has no more to say than its goodbye.
        let is_heard = socket.get_ref().dismissed.is_none();
        match message {
            Ok(_) if !is_heard => {}
            Ok(Message::Binary(typed)) => look.typed(&typed),
            Ok(Message::Text(text)) => match serde_json::from_str(&text) {
                Ok(said) => look.hear(said),
                Err(_) => break,
            },
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
            Err(_) => break,
        }
    }
    // An owner that is gone needs no word.
    let _ = office.hear(id, Word::Left);
    out.give_up();
}

/// The browser's connection, and what the server has read of it already.
fn handed(server: &Stream) -> io::Result<(Stream, Vec<u8>)> {
    server.set_read_timeout(Some(HANDED_WITHIN))?;
    let mut first = [0; READ];
    let (browser, n) = socket::receive_with(server, &mut first)?.ok_or(io::ErrorKind::InvalidData)?;
    let said = frame::read(&mut (&first[..n]).chain(server)).map_err(io::Error::other)?;
    let read = said.ok_or(io::ErrorKind::UnexpectedEof)?.payload;
    // As the server had it, others may wait for it.
    browser.set_nonblocking(false)?;
    Ok((browser, read))
}

/// What a browser looks at.
struct Look<'a> {
    id: ClientId,
    office: &'a Arc<Office>,
    out: &'a ClientOut,
    size: Option<Size>,
    visible: bool,
}

impl Look<'_> {
    /// The size to attach with: a browser is a terminal once it has one, and while it is seen.
    fn wanted(&self) -> Option<Size> {
        self.size.filter(|_| self.visible)
    }

    fn say(&self, word: Word) {
        // Once the host ends the browser is only heard out.
        let _ = self.office.hear(self.id, word);
    }

    fn typed(&self, bytes: &[u8]) {
        if self.wanted().is_some() {
            self.say(Word::Frame(Frame::input(bytes)));
        }
    }

    fn hear(&mut self, said: TerminalMessage) {
        let before = self.wanted();
        match said {
            TerminalMessage::Ack { offset } => return self.out.drawn(offset),
            // A size of nothing is what a browser measures while it has no place on the screen.
            TerminalMessage::Resize { cols: 0, .. } | TerminalMessage::Resize { rows: 0, .. } => {}
            TerminalMessage::Resize { cols, rows } => self.size = Some(Size::new(rows, cols)),
            TerminalMessage::Visible { visible } => self.visible = visible,
        }
        match (before, self.wanted()) {
            (None, Some(size)) => {
                let role = Role::Attach { size, view: View::Whole };
                self.say(Word::Connected { role, out: self.out.clone() });
            }
            (Some(_), None) => self.say(Word::Hidden { out: self.out.clone() }),
            (Some(old), Some(size)) if old != size => {
                let request = Request { request: 0, call: Call::Resize { size } };
                self.say(Word::Frame(Frame::control(&request)));
            }
            _ => {}
        }
    }
}

/// What the WebSocket is read from; what it says by itself goes the way of everything that the browser is told.
struct Connection {
    browser: Stream,
    server: Stream,
    out: ClientOut,
    /// Until when it is heard out once the server has gone.
    dismissed: Option<Instant>,
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.dismissed.is_none() {
            let (browser, server) = socket::wait_readable_of(&self.browser, &self.server)?;
            if server {
                self.dismissed = Some(Instant::now() + FAREWELL);
                self.out.dismiss();
            } else if browser {
                break;
            }
        }
        if let Some(until) = self.dismissed {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.browser.set_read_timeout(Some(left))?;
        }
        self.browser.read(bytes)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.reply(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
