//! A terminal's WebSocket, used as the UI does: frames are processed in order and then acknowledged.

use crate::error::BenchError;
use bc_bench::output::Flood;
use std::{
    net::TcpStream,
    time::{Duration, Instant},
};
use tungstenite::{Bytes, Message, WebSocket};

/// The number of bytes after which the UI acknowledges.
const STEP: u64 = 32 << 10;
/// A frame smaller than this, in bytes, shows that no more data was waiting in the server.
const SMALL: usize = 4 << 10;

/// A client of one open terminal of a server.
pub(crate) struct Watching {
    socket: WebSocket<TcpStream>,
    /// The name for error messages.
    name: String,
    drawn: u64,
    acked: u64,
}

impl Watching {
    /// Sends a size, reads until the output contains `first_output`, and waits for the echo of a key. From then on,
    /// only requested output arrives.
    pub(crate) fn begin(
        socket: WebSocket<TcpStream>,
        name: &str,
        first_output: &str,
    ) -> Result<Watching, BenchError> {
        let mut watching = Watching { socket, name: name.to_owned(), drawn: 0, acked: 0 };
        watching.send_text(r#"{"type":"resize","cols":80,"rows":24}"#)?;
        let mut seen = Vec::new();
        loop {
            let frame = watching.frame()?;
            watching.acknowledge(&frame)?;
            seen.extend_from_slice(&frame);
            if String::from_utf8_lossy(&seen).contains(first_output) {
                break;
            }
        }
        watching.echo(b'!')?;
        Ok(watching)
    }

    fn send_text(&mut self, text: &str) -> Result<(), BenchError> {
        self.socket.send(Message::text(text)).map_err(BenchError::socket(&self.name))
    }

    fn frame(&mut self) -> Result<Bytes, BenchError> {
        loop {
            match self.socket.read().map_err(BenchError::socket(&self.name))? {
                Message::Binary(frame) if frame.len() >= 8 => {
                    return Ok(frame.slice(8..));
                }
                Message::Close(_) => {
                    return Err(BenchError::unexpected_output(&*self.name, "closed the terminal"));
                }
                _ => {}
            }
        }
    }

    /// Counts the bytes as drawn. Acknowledges as the UI does: after each step, and when no more data is
    /// waiting.
    fn acknowledge(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.drawn += bytes.len() as u64;
        if self.drawn - self.acked >= STEP || bytes.len() < SMALL {
            self.acked = self.drawn;
            self.send_text(&format!(r#"{{"type":"ack","offset":{}}}"#, self.acked))?;
        }
        Ok(())
    }

    /// Types a key and returns the time until its echo.
    pub(crate) fn echo(&mut self, key: u8) -> Result<Duration, BenchError> {
        let typed = Instant::now();
        self.socket.send(Message::binary(vec![key])).map_err(BenchError::socket(&self.name))?;
        loop {
            let echo = self.frame()?;
            let took = typed.elapsed();
            self.acknowledge(&echo)?;
            if echo.contains(&key) {
                return Ok(took);
            }
        }
    }

    /// Requests a flood, reads all of it and returns the time this took. A wrong byte is an error.
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
            self.acknowledge(&frame)?;
        }
        Ok(asked.elapsed())
    }
}
