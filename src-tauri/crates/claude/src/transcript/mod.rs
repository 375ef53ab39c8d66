//! Claude's transcript: lines of JSON become messages, tokens and files touched.
//!
//! One [`Message`] per `message.id`, at the first line's place, although claude writes a line for every
//! content block; a tool's result is put into the call that it answers. Whatever cannot be read is
//! counted, never a crash and never a loss of what was known: an unknown type is
//! [`Change::Unknown`], a broken line [`Change::Malformed`].
//!
//! Not in here: which file to read and when ([`Follower`] reads one; the session host decides), and
//! the writing of what was decoded.
//!
//! Invariants: feeding the same bytes twice changes nothing; how the bytes are cut into chunks changes
//! nothing but how changes are grouped; memory is bounded by one line and the messages still open, plus
//! a few bytes for every line seen.

mod assistant;
mod blocks;
mod entry;
mod follower;
mod known;
mod pasted;
mod scan;
mod split;
mod state;
mod touched;
mod user;

pub use follower::{Appended, Follower, ReadError};
pub use pasted::as_pasted;
pub use touched::{Folder, edited_path};

use bc_core::{message::Message, session::TokenSplit};
use split::{Line, Splitter};
use state::State;
use std::path::Path;

/// Whether a transcript has anything said in it: claude refuses to go on with one that has not.
pub fn has_conversation(path: &Path) -> bool {
    let mut follower = Follower::new(path);
    let mut decoder = Decoder::new("");
    while let Ok(read) = follower.poll() {
        if decoder.feed(&read.bytes).iter().any(|change| matches!(change, Change::Message(_))) {
            return true;
        }
        if !read.more {
            break;
        }
    }
    false
}

/// What a piece of transcript means for the session.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A message is new or has grown: the one with its id is replaced by it.
    Message(Message),
    /// A file was read or written, relative to the working folder where it is in it. Once per path.
    FileTouched(String),
    /// Tokens that were not counted before; each `message.id` is counted once.
    Usage(TokenSplit),
    /// US dollars that this conversation has cost until now, as claude counts them.
    Cost(f64),
    /// The conversation got a name.
    Title {
        /// The name.
        text: String,
        /// Whether the person gave it (`/rename`), else claude made it up.
        by_person: bool,
    },
    /// The conversation was compacted; the boundary and the summary come as messages too.
    Compacted {
        /// `manual` or `auto`, where claude says.
        trigger: Option<String>,
        /// Tokens of the context before it, where claude says.
        tokens_before: Option<u64>,
    },
    /// A turn is over.
    TurnEnded {
        /// How long it took.
        duration_ms: u64,
    },
    /// A line of a type that this build does not know; counted and skipped.
    Unknown {
        /// Its type, `system/…` and `attachment/…` with the subtype.
        kind: String,
    },
    /// A line that is no JSON object or lacks what its type needs; counted and skipped.
    Malformed {
        /// Its length.
        bytes: u64,
    },
}

/// Decodes one transcript file, the main conversation's or a subagent's.
#[derive(Debug)]
pub struct Decoder {
    lines: Splitter,
    state: State,
}

impl Decoder {
    /// A decoder for the transcript of a claude that runs in `cwd` (absolute).
    pub fn new(cwd: impl AsRef<Path>) -> Self {
        Decoder { lines: Splitter::new(), state: State::new(cwd.as_ref(), None) }
    }

    /// A decoder for the file of a subagent (`subagents/agent-<id>.jsonl`): every message carries its id.
    pub fn for_subagent(cwd: impl AsRef<Path>, agent: impl Into<String>) -> Self {
        Decoder { lines: Splitter::new(), state: State::new(cwd.as_ref(), Some(agent.into())) }
    }

    /// Makes known what was recorded before a restart, oldest first: none of it is counted or shown
    /// again when the file is read from its beginning, and late tool results still find their call.
    pub fn prime(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.state.known.prime(message);
        }
    }

    /// The same for later messages whose tokens were not counted: they are, when the file tells of them.
    pub fn prime_uncounted(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.state.known.add(message, true);
        }
    }

    /// Decodes more of the file, in chunks of any size. An incomplete last line waits for the next
    /// chunk. Several changes of one message within a chunk come as one.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Change> {
        let Decoder { lines, state } = self;
        lines.push(bytes, |line| match line {
            Line::Whole(line) => state.line(line),
            Line::TooLong => state.too_long(),
        });
        state.take_changes()
    }

    /// Tells how long a tool ran, in milliseconds: between the lines of a call and of its result is also
    /// the wait for a permission.
    pub fn ran(&mut self, tool_use: &str, duration_ms: u64) -> Vec<Change> {
        self.state.ran(tool_use, duration_ms);
        self.state.take_changes()
    }

    /// Drops an incomplete last line: the file was replaced and is read again from its beginning.
    pub fn restarted(&mut self) {
        self.lines.forget();
    }
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
