//! A program that prints whatever is typed, and ends at Ctrl+D, behind a connection that can be waited for
//! without a thread, as those to hosts of sessions are.

use bc_bridge::{TerminalFrame, TerminalPipe};
use bc_process::socket::{self, Stream};
use std::{
    io::{self, Read, Write},
    os::fd::{AsFd, BorrowedFd},
    sync::Mutex,
    thread,
};

pub(crate) struct Mirror {
    size: (u16, u16),
    stream: Stream,
    /// How much was read, once the screen was.
    read: Mutex<Option<u64>>,
}

impl Mirror {
    pub(crate) fn new(size: (u16, u16)) -> Mirror {
        let (stream, mut theirs) = Stream::pair().unwrap();
        thread::spawn(move || {
            let mut typed = vec![0; 64 << 10];
            while let Ok(n @ 1..) = theirs.read(&mut typed) {
                if typed[..n].contains(&4) || theirs.write_all(&typed[..n]).is_err() {
                    break;
                }
            }
        });
        // The first screen is there from the beginning; for the rest the connection is waited for.
        Mirror { size, stream, read: Mutex::default() }
    }
}

impl TerminalPipe for Mirror {
    fn read(&self) -> io::Result<TerminalFrame> {
        panic!("it is read without a thread")
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        Some(self.stream.as_fd())
    }

    fn read_now(&self) -> io::Result<Option<TerminalFrame>> {
        let mut read = self.read.lock().unwrap();
        let Some(offset) = *read else {
            *read = Some(0);
            return Ok(Some(TerminalFrame::Screen { offset: 0, size: self.size, bytes: Vec::new() }));
        };
        let mut bytes = vec![0; 64 << 10];
        let Some(length) = socket::read_now(&self.stream, &mut bytes)? else { return Ok(None) };
        bytes.truncate(length);
        *read = Some(offset + length as u64);
        Ok(Some(if length == 0 { TerminalFrame::Ended } else { TerminalFrame::Output { offset, bytes } }))
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.stream).write_all(bytes)
    }

    fn resize(&self, _size: (u16, u16)) -> io::Result<()> {
        Ok(())
    }

    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        // One that is closed already is what was wanted.
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}
