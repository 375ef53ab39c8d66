//! A minimal HTTP client with a persistent connection, like a browser's.

use crate::error::BenchError;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
};

/// A connection to a server on this machine.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(port: u16) -> Result<Connection, BenchError> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(BenchError::io("connecting"))?;
        stream.set_nodelay(true).map_err(BenchError::io("connecting"))?;
        Ok(Connection { stream: BufReader::new(stream), port })
    }

    /// Sends a request as the server's page does, and waits for the answer.
    pub(crate) fn request(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<Answer, BenchError> {
        if self.is_closed() {
            *self = Connection::open(self.port)?;
        }
        let (port, length) = (self.port, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).map_err(BenchError::io("sending a request"))?;
        self.answer().map_err(BenchError::io(format!("the answer to {method} {path}")))
    }

    /// Whether the server has closed the connection, as it does when a connection is idle for long.
    fn is_closed(&self) -> bool {
        let stream = self.stream.get_ref();
        let peeked = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
        stream.set_nonblocking(false).is_err() || matches!(peeked, Ok(0))
    }

    fn answer(&mut self) -> std::io::Result<Answer> {
        let (mut status, mut length) = (0, 0);
        for n in 0.. {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let line = line.trim_end();
            if n == 0 {
                status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
            }
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(": ") else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body })
    }
}
