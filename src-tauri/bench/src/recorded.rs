//! Generates recorded sessions with messages and tool calls. As in real text, a few words are frequent and
//! most are rare. Each run generates the same text.

use crate::error::BenchError;
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::{Message, Role, ToolCall},
    session::{CloseReason, Draft, Event, Meta},
};
use bc_store::SessionStore;
use chrono::TimeDelta;
use serde_json::json;
use std::{fs, path::Path};
use uuid::Uuid;

const WORDS: usize = 60_000;
const SYLLABLES: &[&str] = &[
    "ba", "con", "di", "fer", "go", "hal", "is", "ju", "ker", "lo", "mar", "ne", "or", "pul", "qua", "ro",
    "set", "tra", "un", "ver", "wil", "xe", "yo", "zan",
];

/// Generates text, which is the same in each run.
pub(crate) struct TextGenerator {
    words: Vec<String>,
    random: u64,
}

impl TextGenerator {
    pub(crate) fn new() -> TextGenerator {
        let word = |mut n: usize| {
            let mut word = String::new();
            while n > 0 {
                word.push_str(SYLLABLES[n % SYLLABLES.len()]);
                n /= SYLLABLES.len();
            }
            word
        };
        TextGenerator { words: (1..=WORDS).map(word).collect(), random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// The word with this rank; rank 0 is the most frequent one.
    pub(crate) fn word(&self, rank: usize) -> &str {
        &self.words[rank]
    }

    /// A pseudo-random number from 0 to 1.
    fn chance(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Text of at least `bytes` bytes, which ends after a whole word.
    pub(crate) fn text(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 16);
        while text.len() < bytes {
            // The frequency of rank n is proportional to 1/n.
            let rank = (WORDS as f64).powf(self.chance()) as usize - 1;
            text.push_str(&self.words[rank.min(WORDS - 1)]);
            text.push(if text.len().is_multiple_of(11) { '\n' } else { ' ' });
        }
        text
    }

    /// A prompt, and an answer with one tool call; together about six kilobytes.
    fn turn(&mut self, n: usize, at: Timestamp) -> [Message; 2] {
        let prompt = Message::new(format!("u{n}"), Role::User, self.text(250), at);
        let mut answer = Message::new(format!("a{n}"), Role::Assistant, self.text(1_500), at);
        let (command, output) = (self.text(120), self.text(4_000));
        let call =
            json!({"tool": "Bash", "input": {"command": command}, "output": output, "duration_ms": 40});
        let call: ToolCall = serde_json::from_value(call).expect("a call has these fields");
        (answer.tool_calls, answer.tokens) = (Some(vec![call]), Some(1_200));
        [prompt, answer]
    }

    /// The lines of a turn in a session's messages.
    pub(crate) fn lines(&mut self, n: usize) -> Vec<u8> {
        let at = Timestamp::parse_from_rfc3339("2026-01-01T08:00:00Z").expect("a moment");
        let mut lines = Vec::with_capacity(8_192);
        self.turn(n, at).iter().for_each(|message| push_line(&mut lines, message));
        lines
    }
}

fn push_line(lines: &mut Vec<u8>, message: &Message) {
    serde_json::to_writer(&mut *lines, message).expect("a message is JSON");
    lines.push(b'\n');
}

/// Writes a closed session with at least this number of bytes of messages. The last message also contains
/// `also`. The files are not synced, because no power cut has to be survived.
#[allow(clippy::disallowed_methods, reason = "thousands of temporary files")]
pub(crate) fn session(
    beads_dir: &Path,
    number: u32,
    bytes: usize,
    generator: &mut TextGenerator,
    also: &str,
) -> Result<SessionId, BenchError> {
    let id = SessionId(Uuid::from_u128(u128::from(number) + 1));
    let first = Timestamp::parse_from_rfc3339("2026-01-01T08:00:00Z").expect("a moment");
    let started = first + TimeDelta::minutes(i64::from(number) * 30);
    let project = "bench".parse().expect("a name");
    let mut meta = Meta::draft(Draft::new(id, project, started));
    meta.title = Some(format!("Session {number}: {}", generator.text(30).trim()));
    let (mut lines, mut count) = (Vec::with_capacity(bytes + 8_192), 0);
    while lines.len() < bytes {
        let mut turn = generator.turn(count, started + TimeDelta::seconds(count as i64));
        if lines.len() + 8_192 > bytes {
            turn[1].content.push_str(also);
        }
        for message in turn {
            push_line(&mut lines, &message);
            count += 1;
        }
    }
    meta.message_count = count as u64;
    let ended = started + TimeDelta::seconds(count as i64);
    for (event, at) in [(Event::Start, started), (Event::Close(CloseReason::User), ended)] {
        let done = meta.transition(event, at);
        done.map_err(|refused| BenchError::unexpected_output("a session", format!("refused {refused:?}")))?;
    }
    let dir = SessionStore::at(beads_dir).session(id);
    let failed = BenchError::io(format!("{}", dir.path().display()));
    let meta = serde_json::to_vec_pretty(&meta).expect("a record is JSON");
    fs::create_dir_all(dir.path())
        .and_then(|()| fs::write(dir.meta_path(), meta))
        .and_then(|()| fs::write(dir.messages_path(), lines))
        .map_err(failed)?;
    Ok(id)
}
