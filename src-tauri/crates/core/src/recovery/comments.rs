//! What a session writes on its bead by itself, and how it is known again: a comment is made once,
//! whoever looks how often.

use crate::{
    ids::SessionId,
    text::{cut, one_line},
};
use std::collections::BTreeSet;

/// What an automatic checkpoint begins with.
pub const CHECKPOINT: &str = "checkpoint:";
/// What a comment on a commit begins with.
const COMMIT: &str = "commit:";
/// How much of a hash is written.
const HASH: usize = 10;
/// The fewest digits that still name a commit.
const HASH_MIN: usize = 7;
/// The longest subject or last word, in characters.
const WORDS_MAX: usize = 200;
/// How many files a comment on closing names.
const FILES_MAX: usize = 40;
/// How many files a checkpoint names: all of it should fit on a line of the trail.
const FILES_FEW: usize = 3;

/// `commit: <hash> <subject>`.
pub fn commit_comment(hash: &str, subject: &str) -> String {
    let short: String = hash.chars().take(HASH).collect();
    format!("{COMMIT} {short} {}", cut(&one_line(subject), WORDS_MAX)).trim_end().to_owned()
}

/// Whether a comment tells of that commit, whoever wrote it and however short its hash is.
pub fn is_comment_on_commit(text: &str, hash: &str) -> bool {
    let named = text.trim_start().strip_prefix(COMMIT).and_then(|rest| rest.split_whitespace().next());
    named.is_some_and(|named| {
        named.len() >= HASH_MIN
            && hash.get(..named.len()).is_some_and(|head| head.eq_ignore_ascii_case(named))
    })
}

/// The files that a session edited for its bead, for the moment it is done.
pub fn files_comment(session: SessionId, files: &BTreeSet<String>) -> String {
    let count = match files.len() {
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    };
    format!("{} {count}: {}", files_mark(session), listed(files, FILES_MAX))
}

/// Whether a comment is a session's [`files_comment`].
pub fn is_files_comment(text: &str, session: SessionId) -> bool {
    text.starts_with(&files_mark(session))
}

fn files_mark(session: SessionId) -> String {
    format!("files edited in session {}:", session.short())
}

/// What happened since the last comment.
#[derive(Debug, Clone, Copy)]
pub struct Checkpoint<'a> {
    /// Turns that ended since.
    pub turns: u64,
    /// Files edited for the bead.
    pub files: &'a BTreeSet<String>,
    /// How many files are not committed.
    pub uncommitted: usize,
    /// The last thing that the agent said.
    pub last: &'a str,
}

/// The automatic comment before a compaction: what will be forgotten, on one line.
pub fn checkpoint_comment(since: Checkpoint<'_>) -> String {
    let turns = if since.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", since.turns) };
    let mut text = format!("{CHECKPOINT} before a compaction, {turns} since the last comment");
    if !since.files.is_empty() {
        text = format!("{text}; edited {}", listed(since.files, FILES_FEW));
    }
    if since.uncommitted > 0 {
        text = format!("{text}; {} not committed", since.uncommitted);
    }
    let last = cut(&one_line(since.last), WORDS_MAX);
    if last.is_empty() { text } else { format!("{text}; last said: {last}") }
}

fn listed(files: &BTreeSet<String>, most: usize) -> String {
    let shown: Vec<String> = files.iter().take(most).map(|file| one_line(file)).collect();
    match files.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The gentle word after some turns without a commit or a comment.
pub fn reminder(bead: &str, turns: u64, comment: &str) -> String {
    format!(
        "A reminder from Beads Console, not a message of the user: {turns} turns have gone by on {bead} without a \
         commit or a comment. When you reach a good point, commit your work, or note where you stand with \
         `{comment}`, so that nothing is lost if this conversation is compacted. There is no need to mention this."
    )
}
