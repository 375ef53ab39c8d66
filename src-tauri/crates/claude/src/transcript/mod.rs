//! Decodes claude's transcript: JSON lines become messages, images, tokens, costs, titles and touched files.
//!
//! All lines with the same `message.id` become one [`Message`] at the position of the first line, because
//! claude writes one line per content block. A tool's result is added to its call. Data that cannot be read
//! is reported, and never causes a crash or a loss of other data: an unknown type as [`Change::Unknown`], a
//! broken line as [`Change::Malformed`].
//!
//! Deliberately elsewhere: which file is read and when ([`Follower`] reads one file; the session host calls
//! it), and how the result is stored.
//!
//! Invariants: bytes that are fed twice add no message, token or file twice. The division into chunks affects
//! only how changes are grouped. The decoder keeps in memory only the current line, the open messages, and a
//! few bytes for each earlier line.

mod assistant;
mod blocks;
mod change;
mod decoded_transcript;
mod details;
mod entry;
mod follower;
mod known_messages;
mod paste_tags;
mod prefix;
mod queue;
mod queued_prompts;
mod scan;
mod split;
mod state;
mod touched_files;
mod user;

pub use change::Change;
pub use decoded_transcript::{Decoded, UNREADABLE};
pub use details::ImageData;
pub use follower::{Appended, Follower, ReadError};
pub use paste_tags::as_pasted;
pub use prefix::{PromptMark, before_prompt};
pub use touched_files::{Folder, edited_path};

use bc_core::message::{Message, MessageKind};
use chrono::TimeDelta;
use split::{Line, Splitter};
use state::State;
use std::path::Path;

/// Whether a transcript contains a conversation. Claude refuses to resume a transcript without a
/// conversation.
pub fn has_conversation(path: &Path) -> bool {
    let mut follower = Follower::new(path);
    let mut decoder = Decoder::new("");
    while let Ok(read) = follower.poll() {
        if decoder.feed(&read.bytes).iter().any(is_conversation) {
            return true;
        }
        if !read.more {
            break;
        }
    }
    false
}

/// Whether a change is a message of the conversation itself, and not an attachment or the summary of an
/// earlier conversation.
fn is_conversation(change: &Change) -> bool {
    let is_extra = |message: &Message| {
        matches!(message.kind, Some(MessageKind::Attachment | MessageKind::EarlierSummary))
    };
    matches!(change, Change::Message(message) if !is_extra(message))
}

/// Decodes one transcript file of a main conversation or of a subagent.
#[derive(Debug)]
pub struct Decoder {
    lines: Splitter,
    state: State,
}

impl Decoder {
    /// A decoder for the transcript of a claude that runs in `cwd`, an absolute path.
    pub fn new(cwd: impl AsRef<Path>) -> Self {
        Decoder { lines: Splitter::default(), state: State::new(cwd.as_ref(), None) }
    }

    /// Like [`Decoder::new`], for a subagent's file `subagents/agent-<id>.jsonl`. Every message gets the
    /// subagent's id.
    pub fn for_subagent(cwd: impl AsRef<Path>, agent: impl Into<String>) -> Self {
        Decoder { lines: Splitter::default(), state: State::new(cwd.as_ref(), Some(agent.into())) }
    }

    /// Corrects the times of a transcript from a machine whose clock is ahead by this much.
    #[must_use]
    pub fn with_clock_ahead(mut self, ahead: TimeDelta) -> Self {
        self.state.clock_ahead = ahead;
        self
    }

    /// Adds messages that were recorded before a restart, oldest first. When the file is read from its
    /// beginning, these messages are neither counted nor shown again, and later tool results still find their
    /// calls.
    pub fn prime(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.state.known.prime(message);
        }
    }

    /// Like [`Decoder::prime`], for messages whose tokens were not counted before the restart. The tokens in
    /// the file are counted.
    pub fn prime_uncounted(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.state.known.add(message, true);
        }
    }

    /// Decodes more of the file, in chunks of any size. An incomplete last line waits for the next chunk.
    /// Several changes of one message in a chunk are combined.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Change> {
        let Decoder { lines, state } = self;
        lines.push(bytes, |line| match line {
            Line::Whole(line) => state.line(line),
            Line::TooLong => state.malformed(),
        });
        state.take_changes()
    }

    /// Decodes a last line without a newline if the line is a complete entry. Call this method when the file
    /// is complete.
    pub fn finish(&mut self) -> Vec<Change> {
        let Decoder { lines, state } = self;
        state.unended(lines.unended());
        state.take_changes()
    }

    /// Sets a tool's duration in milliseconds, from claude's hook. The times in the transcript are less
    /// accurate, because they include the wait for permission.
    pub fn ran(&mut self, tool_use: &str, duration_ms: u64) -> Vec<Change> {
        self.state.ran(tool_use, duration_ms);
        self.state.take_changes()
    }

    /// Drops an incomplete last line, because the file was replaced and is read again from its beginning.
    pub fn restarted(&mut self) {
        self.lines.forget();
    }
}

#[cfg(test)]
mod real;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
