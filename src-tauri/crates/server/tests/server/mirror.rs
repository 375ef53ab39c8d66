//! A session that serves its terminal by itself: what is typed is what it prints.

use bc_bridge::TerminalByItself;
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

impl TerminalByItself for Mirror {
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
            // A client that has gone hears nothing.
            let _ = goodbye.write_all(&frame);
        });
        Ok(theirs)
    }
}
