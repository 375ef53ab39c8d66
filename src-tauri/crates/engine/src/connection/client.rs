//! The client side of the engine's socket.

use super::server::WAIT_FOR_END;
use bc_process::socket::{self, Stream};
use bc_wire::{
    ApiError, ErrorCode,
    envelope::{Hello, PROTOCOL, Reply, Request},
};
use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

/// A connection to the engine in another process.
pub(crate) struct Client {
    reader: BufReader<Stream>,
    writer: Stream,
    next_id: u64,
    /// Whether the engine can record the person of a request; older versions record only the user.
    knows_people: bool,
}

/// The engine's answer: the method's JSON result, or its error.
pub(crate) type Answered = Result<serde_json::Value, ApiError>;

/// The point at which a call lost its connection.
pub(crate) enum Lost {
    /// Lost before the engine acknowledged the request, so a retry is safe.
    BeforeAck,
    /// Lost after the acknowledgement, so the request may have taken effect.
    AfterAck,
}

impl Client {
    /// Connects, and checks the engine's protocol version in its greeting.
    pub(crate) fn connect(path: &Path) -> io::Result<Client> {
        let writer = socket::connect(path)?;
        let mut reader = BufReader::new(writer.try_clone()?);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let hello: Hello = serde_json::from_str(&line)?;
        if hello.protocol != PROTOCOL {
            return Err(io::Error::other(format!("the engine speaks protocol {}", hello.protocol)));
        }
        Ok(Client { reader, writer, next_id: 1, knows_people: hello.people })
    }

    /// The stream, whose shutdown ends [`Client::wait_until_closed`].
    pub(crate) fn stream(&self) -> io::Result<Stream> {
        self.writer.try_clone()
    }

    /// Waits until the engine ends. An older engine rejects the method at once, so this also waits until the
    /// connection closes.
    pub(crate) fn wait_until_closed(mut self) {
        let _ = self.call(None, WAIT_FOR_END, &serde_json::Value::Null);
        let _ = io::copy(&mut self.reader, &mut io::sink());
    }

    /// Sends a request from the user or from a person, and waits for its answer.
    pub(crate) fn call(
        &mut self,
        person: Option<&str>,
        method: &str,
        params: &serde_json::Value,
    ) -> Result<Answered, Lost> {
        if person.is_some() && !self.knows_people {
            // An older engine would record the user instead of the person.
            let text = "the project is open in an older version of this program, which knows only one user";
            let error = ApiError::new(ErrorCode::EngineUnreachable, text);
            return Ok(Err(error.hint("end the older program")));
        }
        let id = self.next_id;
        self.next_id += 1;
        let request = Request {
            id,
            method: method.to_owned(),
            params: params.clone(),
            person: person.map(str::to_owned),
        };
        let mut line = serde_json::to_vec(&request).expect("a request is JSON");
        line.push(b'\n');
        self.writer.write_all(&line).map_err(|_| Lost::BeforeAck)?;
        let mut acked = false;
        loop {
            let lost = || if acked { Lost::AfterAck } else { Lost::BeforeAck };
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(n) if n > 0 => {}
                _ => return Err(lost()),
            }
            match serde_json::from_str(&line) {
                Ok(Reply::Ack { id: of }) if of == id => acked = true,
                Ok(Reply::Result { id: of, result }) if of == id => return Ok(Ok(result)),
                Ok(Reply::Error { id: of, error }) if of == id => return Ok(Err(error)),
                Ok(_) => {}
                Err(_) => return Err(lost()),
            }
        }
    }
}
