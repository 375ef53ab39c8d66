//! Serves a browser on the thread of its connection.

use crate::{
    actor::{ActorHandle, ClientMessage},
    client_id::ClientId,
    client_out::ClientOut,
    client_writer,
    frame::{self, Frame},
    protocol::{Call, Request, Role, View},
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

/// The limit of one read, in bytes.
const READ: usize = 16 << 10;

/// The time limit for the server to hand over the connection.
const HANDOFF_WITHIN: Duration = Duration::from_secs(10);

/// The time limit for a browser to answer a close frame.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// Serves the browser whose connection the server hands over, until one of the two has disconnected.
pub(crate) fn serve_browser(id: ClientId, server: Stream, actor: &Arc<ActorHandle>) {
    let Ok((browser, read)) = receive_browser(&server) else { return };
    let Ok(out) = ClientOut::of(&browser, client_writer::writer(id, actor)).map(ClientOut::for_browser)
    else {
        return;
    };
    let limits = WebSocketConfig::default()
        .read_buffer_size(READ)
        .max_message_size(Some(CLIENT_MESSAGE_MAX))
        .max_frame_size(Some(CLIENT_MESSAGE_MAX));
    let connection = Connection { browser, server, out: out.clone(), dismissed: None };
    let mut socket = WebSocket::from_partially_read(connection, read, Side::Server, Some(limits));
    let mut view = BrowserView { id, actor, out: &out, size: None, visible: true };
    view.send(ClientMessage::Hidden { out: out.clone() });
    loop {
        let message = socket.read();
        // After a dismissal, only a close frame is accepted.
        let is_open = socket.get_ref().dismissed.is_none();
        match message {
            Ok(_) if !is_open => {}
            Ok(Message::Binary(typed)) => view.typed(&typed),
            Ok(Message::Text(text)) => match serde_json::from_str(&text) {
                Ok(message) => view.on_message(message),
                Err(_) => break,
            },
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
            Err(_) => break,
        }
    }
    // The receiver was dropped.
    let _ = actor.handle_client(id, ClientMessage::Disconnected);
    out.disconnect();
}

/// The browser's connection, and the bytes that the server has already read from it.
fn receive_browser(server: &Stream) -> io::Result<(Stream, Vec<u8>)> {
    server.set_read_timeout(Some(HANDOFF_WITHIN))?;
    let mut first = [0; READ];
    let (browser, n) = socket::receive_descriptor(server, &mut first)?.ok_or(io::ErrorKind::InvalidData)?;
    let first_frame = frame::read(&mut (&first[..n]).chain(server)).map_err(io::Error::other)?;
    let read = first_frame.ok_or(io::ErrorKind::UnexpectedEof)?.payload;
    // The server may have set it to non-blocking.
    browser.set_nonblocking(false)?;
    Ok((browser, read))
}

/// The browser's view of the terminal.
struct BrowserView<'a> {
    id: ClientId,
    actor: &'a Arc<ActorHandle>,
    out: &'a ClientOut,
    size: Option<Size>,
    visible: bool,
}

impl BrowserView<'_> {
    /// The size to attach with: only a visible browser with a size is a terminal.
    fn wanted(&self) -> Option<Size> {
        self.size.filter(|_| self.visible)
    }

    fn send(&self, message: ClientMessage) {
        // Once the host ends, the browser is only read until it closes.
        let _ = self.actor.handle_client(self.id, message);
    }

    fn typed(&self, bytes: &[u8]) {
        if self.wanted().is_some() {
            self.send(ClientMessage::Frame(Frame::input(bytes)));
        }
    }

    fn on_message(&mut self, message: TerminalMessage) {
        let before = self.wanted();
        match message {
            TerminalMessage::Ack { offset } => return self.out.drawn(offset),
            // A browser without a place on the screen measures a size of 0.
            TerminalMessage::Resize { cols: 0, .. } | TerminalMessage::Resize { rows: 0, .. } => {}
            TerminalMessage::Resize { cols, rows } => self.size = Some(Size::new(rows, cols)),
            TerminalMessage::Visible { visible } => self.visible = visible,
        }
        match (before, self.wanted()) {
            (None, Some(size)) => {
                let role = Role::Attach { size, view: View::Whole };
                self.send(ClientMessage::Connected { role, out: self.out.clone() });
            }
            (Some(_), None) => self.send(ClientMessage::Hidden { out: self.out.clone() }),
            (Some(old), Some(size)) if old != size => {
                let request = Request { request: 0, call: Call::Resize { size } };
                self.send(ClientMessage::Frame(Frame::control(&request)));
            }
            _ => {}
        }
    }
}

/// The WebSocket's stream. Replies of its protocol go through the client's output queue.
struct Connection {
    browser: Stream,
    server: Stream,
    out: ClientOut,
    /// How long the browser is still read after the server has ended.
    dismissed: Option<Instant>,
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.dismissed.is_none() {
            let (browser, server) = socket::wait_either_readable(&self.browser, &self.server)?;
            if server {
                self.dismissed = Some(Instant::now() + CLOSE_WITHIN);
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
