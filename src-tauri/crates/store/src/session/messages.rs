//! `messages.jsonl`: one message a line, append-only. A line with an id seen before replaces the
//! earlier one when the file is read. Torn and foreign lines are told of and never cost another line.

use super::{Problem, StoreError};
use crate::{
    FileError,
    file::{Appender, Tail},
};
use bc_core::message::{Message, MessageLog};
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

/// What was said.
#[derive(Debug, Default)]
pub struct Transcript {
    /// One message per id, at the first one's place, as the last line says.
    pub messages: Vec<Message>,
    /// Lines that were passed over. A torn last line may just be on its way while the host lives.
    pub problems: Vec<Problem>,
}

/// Appends messages. Share it between threads: what they write at a time is synced once.
#[derive(Debug)]
pub struct MessageWriter {
    appender: Appender,
}

impl MessageWriter {
    /// Appends a message. After it returned the message is on disk; on an error none of it is kept.
    pub fn append(&self, message: &Message) -> Result<(), StoreError> {
        self.append_all(std::slice::from_ref(message))
    }

    /// Appends messages in order, all of them or, on an error, none.
    pub fn append_all(&self, messages: &[Message]) -> Result<(), StoreError> {
        let mut lines = Vec::new();
        for message in messages {
            serde_json::to_writer(&mut lines, message)
                .map_err(|source| StoreError::Encode { path: self.appender.path().into(), source })?;
            lines.push(b'\n');
        }
        Ok(self.appender.append(&lines)?)
    }
}

pub(super) fn open(path: &Path) -> Result<(MessageWriter, Vec<Problem>), StoreError> {
    let (appender, tail) = Appender::open(path)?;
    let problems = match tail {
        Tail::Whole | Tail::Completed => vec![],
        Tail::Torn { aside, bytes } => vec![Problem::SetAside { path: path.into(), aside, bytes }],
    };
    Ok((MessageWriter { appender }, problems))
}

pub(super) fn read(path: &Path) -> Result<Transcript, StoreError> {
    let error = |source| FileError::Read { path: path.into(), source };
    let mut reader = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Transcript::default()),
        Err(source) => return Err(error(source).into()),
    };
    let mut log = MessageLog::default();
    let mut problems = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(error)? == 0 {
            break;
        }
        let whole = bytes.ends_with(b"\n");
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&bytes) {
            Ok(message) => {
                log.push(message);
            }
            Err(source) if whole => problems.push(Problem::ForeignLine { path: path.into(), line, source }),
            Err(_) => problems.push(Problem::TornLine { path: path.into(), bytes: bytes.len() as u64 }),
        }
    }
    Ok(Transcript { messages: log.into_messages(), problems })
}
