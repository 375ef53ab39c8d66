//! A session host that takes over its terminal and echoes the input.

use bc_bridge::TerminalHandoff;
use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    os::{fd::BorrowedFd, unix::net::UnixStream},
    thread,
};
use tungstenite::{
    Message, WebSocket,
    protocol::{
        CloseFrame, Role,
        frame::{Frame, coding::CloseCode},
    },
};

pub(crate) struct Mirror;

impl TerminalHandoff for Mirror {
    fn serve(self: Box<Self>, client: BorrowedFd<'_>, read: &[u8]) -> io::Result<UnixStream> {
        let client = TcpStream::from(client.try_clone_to_owned()?);
        client.set_nonblocking(false)?;
        let (ours, theirs) = UnixStream::pair()?;
        let (mut beside, mut goodbye) = (ours.try_clone()?, client.try_clone()?);
        let mut socket = WebSocket::from_partially_read(client, read.to_vec(), Role::Server, None);
        thread::spawn(move || {
            while let Ok(message) = socket.read() {
                if let Message::Binary(_) = &message
                    && socket.send(message).is_err()
                {
                    break;
                }
            }
            ours.shutdown(Shutdown::Both)
        });
        thread::spawn(move || {
            let _ = beside.read(&mut [0]);
            let mut frame = Vec::new();
            let close = CloseFrame { code: CloseCode::Away, reason: "".into() };
            Frame::close(Some(close)).format(&mut frame).unwrap();
            // The client may have disconnected already.
            let _ = goodbye.write_all(&frame);
        });
        Ok(theirs)
    }
}
