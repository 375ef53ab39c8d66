//! A terminal's WebSocket as the UI follows it: frames in order, each acknowledged when it was taken.

use crate::error::BenchError;
use bc_bench::output::Flood;
use std::{
    net::TcpStream,
    time::{Duration, Instant},
};
use tungstenite::{Bytes, Message, WebSocket};

/// The UI acknowledges after so many bytes.
const STEP: u64 = 32 << 10;
/// A frame of less comes when nothing more was waiting.
const SMALL: usize = 4 << 10;

/// A terminal that is followed.
pub(crate) struct Watching {
    socket: WebSocket<TcpStream>,
    /// For messages.
    name: String,
    drawn: u64,
    acked: u64,
}

impl Watching {
    /// Says a size and takes the first screen and what the program says when it begins, in the screen or
    /// after it, to the echo of a key: nothing but what is asked for comes from then on.
    pub(crate) fn begin(
        socket: WebSocket<TcpStream>,
        name: &str,
        begins: &str,
    ) -> Result<Watching, BenchError> {
        let mut watching = Watching { socket, name: name.to_owned(), drawn: 0, acked: 0 };
        watching.say(r#"{"type":"resize","cols":80,"rows":24}"#)?;
        let mut seen = Vec::new();
        loop {
            let frame = watching.frame()?;
            watching.took(&frame)?;
            seen.extend_from_slice(&frame);
            if String::from_utf8_lossy(&seen).contains(begins) {
                break;
            }
        }
        watching.echo(b'!')?;
        Ok(watching)
    }

    fn say(&mut self, text: &str) -> Result<(), BenchError> {
        self.socket.send(Message::text(text)).map_err(BenchError::socket(&self.name))
    }

    /// The next frame's bytes.
    fn frame(&mut self) -> Result<Bytes, BenchError> {
        loop {
            match self.socket.read().map_err(BenchError::socket(&self.name))? {
                Message::Binary(frame) if frame.len() >= 8 => {
                    return Ok(frame.slice(8..));
                }
                Message::Close(_) => {
                    return Err(BenchError::said(&*self.name, "closed the terminal"));
                }
                _ => {}
            }
        }
    }

    /// Acknowledges it as the UI does: after a step, and when nothing more is waiting to be drawn.
    fn took(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.drawn += bytes.len() as u64;
        if self.drawn - self.acked >= STEP || bytes.len() < SMALL {
            self.acked = self.drawn;
            self.say(&format!(r#"{{"type":"ack","offset":{}}}"#, self.acked))?;
        }
        Ok(())
    }

    /// Types a key and waits for its echo.
    pub(crate) fn echo(&mut self, key: u8) -> Result<Duration, BenchError> {
        let typed = Instant::now();
        self.socket.send(Message::binary(vec![key])).map_err(BenchError::socket(&self.name))?;
        loop {
            let echo = self.frame()?;
            let took = typed.elapsed();
            self.took(&echo)?;
            if echo.contains(&key) {
                return Ok(took);
            }
        }
    }

    /// Asks for a flood and takes it to its end; how long that took. Every byte is looked at.
    pub(crate) fn flood(&mut self, flood: &Flood) -> Result<Duration, BenchError> {
        let asked = Instant::now();
        self.socket.send(Message::binary(flood.request())).map_err(BenchError::socket(&self.name))?;
        let mut taken = 0;
        while taken < flood.length() {
            let frame = self.frame()?;
            if !flood.is_at(taken, &frame) {
                return Err(BenchError::WrongBytes { what: self.name.clone(), offset: taken });
            }
            taken += frame.len() as u64;
            self.took(&frame)?;
        }
        Ok(asked.elapsed())
    }
}
