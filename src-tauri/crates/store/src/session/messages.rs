//! `messages.jsonl`: one message per line, append-only. If several lines have the same id, the last one takes
//! precedence. Torn and unrecognized lines are reported and do not affect other lines.

use super::{
    Problem, StoreError,
    lines::{append_lines, encode_lines, read_lines},
};
use crate::file::{Appender, Tail};
use bc_core::message::{Message, MessageLog};
use std::path::Path;

/// The content of `messages.jsonl`.
#[derive(Debug, Default)]
pub struct Transcript {
    /// One message per id, at the position of its first line, with the content of its last line.
    pub messages: Vec<Message>,
    /// Skipped lines. While the host runs, a torn last line may be a line that the host is still writing.
    pub problems: Vec<Problem>,
}

/// Appends messages. Threads share one writer, so that concurrent writes share one sync.
#[derive(Debug)]
pub struct MessageWriter {
    appender: Appender,
}

impl MessageWriter {
    /// Appends a message. The message is on disk when this function returns. On an error, no part of it is
    /// kept if the disk still works.
    pub fn append(&self, message: &Message) -> Result<(), StoreError> {
        self.append_all(std::slice::from_ref(message))
    }

    /// Appends messages in order. On an error, none of them is appended.
    pub fn append_all(&self, messages: &[Message]) -> Result<(), StoreError> {
        append_lines(&self.appender, messages)
    }

    /// Writes messages to the file in order, without waiting for the disk. On an error, none of them is
    /// written. Readers see the messages immediately, and the messages survive a kill of this process. A
    /// power cut before the next [`MessageWriter::sync`] can lose them.
    pub fn write_all(&self, messages: &[Message]) -> Result<(), StoreError> {
        Ok(self.appender.write(&encode_lines(self.appender.path(), messages)?)?)
    }

    /// Returns once all written messages are on disk. On an error, they remain in the file, and the next call
    /// retries.
    pub fn sync(&self) -> Result<(), StoreError> {
        Ok(self.appender.sync()?)
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
    let mut log = MessageLog::default();
    let problems = read_lines(path, |message| {
        log.push(message);
    })?;
    Ok(Transcript { messages: log.into_messages(), problems })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, id, message, scribble};
    use super::*;
    use proptest::prelude::*;

    fn lines(messages: &[Message]) -> Vec<u8> {
        messages
            .iter()
            .flat_map(|m| format!("{}\n", serde_json::to_string(m).unwrap()).into_bytes())
            .collect()
    }

    fn foreign_lines(transcript: &Transcript) -> Vec<u64> {
        let line = |problem: &Problem| match problem {
            Problem::ForeignLine { line, .. } => *line,
            other => panic!("{other:?}"),
        };
        transcript.problems.iter().map(line).collect()
    }

    #[test]
    fn a_later_line_with_the_same_id_replaces_the_earlier_one() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let (writer, problems) = lock.message_writer().unwrap();
        assert!(problems.is_empty());
        writer.append(&message(1, "calls a tool")).unwrap();
        writer.append_all(&[message(2, "other"), message(1, "with its output")]).unwrap();
        writer.append_all(&[]).unwrap();
        let read = lock.transcript().unwrap();
        assert_eq!(read.messages, [message(1, "with its output"), message(2, "other")]);
        assert!(read.problems.is_empty());
        assert_eq!(
            fixture.text(&format!("{}/messages.jsonl", id(1))).lines().count(),
            3,
            "the file is append-only"
        );
    }

    #[test]
    fn a_file_cut_at_any_byte_loses_no_intact_line_and_can_be_appended() {
        let said = [message(1, "größer"), message(2, "two\nlines"), message(3, "漢字 \u{1b}[0m")];
        let whole = lines(&said);
        let ends: Vec<_> = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at).collect();
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let (path, torn) = (lock.messages_path(), lock.path().join("messages.jsonl.torn"));
        for len in 0..=whole.len() {
            scribble(&path, &whole[..len]);
            // A line is intact once its closing brace is written; only the newline may be missing.
            let intact = ends.iter().filter(|&&end| end <= len).count();
            let is_torn = len > 0 && whole[len - 1] != b'\n' && !ends.contains(&len);

            let read = lock.transcript().unwrap();
            assert_eq!(read.messages, said[..intact], "cut at {len}");
            assert_eq!(read.problems.len(), usize::from(is_torn), "cut at {len}: {:?}", read.problems);

            let (writer, problems) = lock.message_writer().unwrap();
            assert_eq!(problems.len(), usize::from(is_torn), "cut at {len}: {problems:?}");
            writer.append(&message(9, "after")).unwrap();
            let read = lock.transcript().unwrap();
            assert_eq!(read.messages[..intact], said[..intact], "cut at {len}");
            assert_eq!((read.messages.len(), read.messages.last()), (intact + 1, Some(&message(9, "after"))));
            assert!(read.problems.is_empty(), "cut at {len}: {:?}", read.problems);

            let aside = crate::file::read(&torn).unwrap();
            let tail = &whole[ends[..intact].last().map_or(0, |end| end + 1).min(len)..len];
            assert_eq!(aside.is_some(), is_torn, "cut at {len}");
            if let Some(aside) = aside {
                assert_eq!(aside, [tail, b"\n"].concat(), "cut at {len}");
                crate::file::remove(&torn).unwrap();
            }
        }
    }

    #[test]
    fn foreign_lines_are_counted_and_skipped() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let mut content = b"<<<<<<< HEAD\n".to_vec();
        content.extend(lines(&[message(1, "one")]));
        content.extend(b"{\"type\":\"other\"}\n\n\xff\xfe\nnull\n");
        content.extend(lines(&[message(2, "two")]));
        scribble(&lock.messages_path(), &content);
        let read = lock.transcript().unwrap();
        assert_eq!(read.messages, [message(1, "one"), message(2, "two")]);
        assert_eq!(foreign_lines(&read), [1, 3, 5, 6]);
        lock.message_writer().unwrap();
        assert_eq!(crate::file::read(&lock.messages_path()).unwrap(), Some(content), "a line was changed");
    }

    #[test]
    fn no_file_means_no_messages() {
        let fixture = Fixture::new();
        let read = fixture.store.session(id(5)).transcript().unwrap();
        assert!(read.messages.is_empty() && read.problems.is_empty());
    }

    #[test]
    fn a_message_of_ten_megabytes_is_read() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let long = message(1, &"ä".repeat(5 << 20));
        lock.message_writer().unwrap().0.append_all(&[long.clone(), message(2, "short")]).unwrap();
        assert_eq!(lock.transcript().unwrap().messages, [long, message(2, "short")]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
        #[test]
        fn any_message_survives_a_round_trip(contents in prop::collection::vec((0u8..5, any::<String>()), 0..12)) {
            let fixture = Fixture::new();
            let lock = fixture.create(1);
            let said: Vec<_> = contents.iter().map(|(n, content)| message(*n, content)).collect();
            lock.message_writer().unwrap().0.append_all(&said).unwrap();
            let read = lock.transcript().unwrap();
            prop_assert!(read.problems.is_empty());
            prop_assert_eq!(read.messages, bc_core::message::fold(said));
        }
    }
}
