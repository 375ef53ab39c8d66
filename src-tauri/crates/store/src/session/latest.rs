//! The end of `messages.jsonl`, for whoever wants to know what happened last and not all that did.

use super::SessionDir;
use bc_core::message::{Message, in_line};
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
};

/// How much of the end is read at first, and at most: a message may be megabytes long, and then nobody knows
/// it here.
const FIRST: u64 = 16 << 10;
const MOST: u64 = 1 << 20;

impl SessionDir {
    /// The message that was written last, new or grown; `None` where there is none, where it is longer than
    /// a megabyte, or where the file cannot be read.
    pub fn latest_message(&self) -> Option<Message> {
        let mut file = File::open(self.messages_path()).ok()?;
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

/// The last whole message in these bytes, which begin a line only where `from_start`.
fn last_in(bytes: &[u8], from_start: bool) -> Option<Message> {
    let begun = if from_start { 0 } else { bytes.iter().position(|byte| *byte == b'\n')? + 1 };
    let lines = bytes[begun..].split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty());
    lines.filter_map(|line| in_line::<Message>(line).0.pop()).map(|(_, message)| message).next()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, message, scribble};

    #[test]
    fn the_last_line_that_is_whole_is_the_latest() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.latest_message(), None);
        let said = [message(1, "one"), message(2, &"ä".repeat(30_000)), message(3, "three")];
        let (writer, _) = lock.message_writer().unwrap();
        writer.append_all(&said).unwrap();
        assert_eq!(lock.latest_message().as_ref(), Some(&said[2]));
        writer.append(&said[1]).unwrap();
        assert_eq!(lock.latest_message().as_ref(), Some(&said[1]), "it is longer than the first look");
        drop(writer);
        let mut torn = crate::file::read(&lock.messages_path()).unwrap().unwrap();
        torn.extend(b"{\"id\":");
        scribble(&lock.messages_path(), &torn);
        assert_eq!(lock.latest_message().as_ref(), Some(&said[1]));
    }
}
