//! Finds the latest message by reading only the end of `messages.jsonl`.

use super::SessionDir;
use crate::repository;
use bc_core::message::{Message, in_line};
use std::io::{Read, Seek, SeekFrom};

/// The number of bytes that are first read from the end of the file.
const FIRST: u64 = 16 << 10;
/// The maximum number of bytes that are read from the end of the file. A longer message is not found.
const MOST: u64 = 1 << 20;

impl SessionDir {
    /// Returns the most recently written message, whether it was new or extended. Returns `None` if the file
    /// has no message, if the message is longer than a megabyte, or if the file cannot be read.
    pub fn latest_message(&self) -> Option<Message> {
        let mut file = repository::open(&self.messages_path()).ok()?;
        let len = file.metadata().ok()?.len();
        let mut size = FIRST;
        loop {
            let from = len.saturating_sub(size);
            file.seek(SeekFrom::Start(from)).ok()?;
            let mut bytes = Vec::new();
            (&mut file).take(len - from).read_to_end(&mut bytes).ok()?;
            if let Some(message) = last_in(&bytes, from == 0) {
                return Some(message);
            }
            if from == 0 || size >= MOST {
                return None;
            }
            size *= 4;
        }
    }
}

/// Returns the last complete message in these bytes. If `from_start` is false, the bytes can start in the
/// middle of a line.
fn last_in(bytes: &[u8], from_start: bool) -> Option<Message> {
    let begun = if from_start { 0 } else { bytes.iter().position(|byte| *byte == b'\n')? + 1 };
    let lines = bytes[begun..].split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty());
    lines.filter_map(|line| in_line::<Message>(line).0.pop()).map(|(_, message)| message).next()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, message, scribble};

    #[test]
    fn the_last_complete_line_is_the_latest() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.latest_message(), None);
        let said = [message(1, "one"), message(2, &"ä".repeat(30_000)), message(3, "three")];
        let (writer, _) = lock.message_writer().unwrap();
        writer.append_all(&said).unwrap();
        assert_eq!(lock.latest_message().as_ref(), Some(&said[2]));
        writer.append(&said[1]).unwrap();
        assert_eq!(lock.latest_message().as_ref(), Some(&said[1]), "longer than the first read");
        drop(writer);
        let mut torn = crate::file::read(&lock.messages_path()).unwrap().unwrap();
        torn.extend(b"{\"id\":");
        scribble(&lock.messages_path(), &torn);
        assert_eq!(lock.latest_message().as_ref(), Some(&said[1]));
    }
}
