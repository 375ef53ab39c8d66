//! A session's automatic comments on its bead. Existing comments on commits and files are recognized, so that
//! each is made only once.

use crate::{
    ids::SessionId,
    text::{cut, one_line},
};
use std::collections::BTreeSet;

/// The prefix of a checkpoint comment.
pub const CHECKPOINT: &str = "checkpoint:";
/// The prefix of a reviewer's request for changes.
pub const CHANGES_REQUESTED: &str = "Changes requested:";
/// The prefix of a comment on a commit.
const COMMIT: &str = "commit:";
/// The number of hash digits in a comment.
const HASH: usize = 10;
/// The minimum number of digits that identify a commit.
const HASH_MIN: usize = 7;
/// The maximum length of a commit's subject or of the agent's last text, in characters.
const WORDS_MAX: usize = 200;
/// The maximum number of files in a [`files_comment`].
const FILES_MAX: usize = 40;
/// The maximum number of files in a checkpoint comment, which should fit on one line of the trail.
const FILES_FEW: usize = 3;

/// The comment on a commit: `commit: <hash> <subject>`.
pub fn commit_comment(hash: &str, subject: &str) -> String {
    let short: String = hash.chars().take(HASH).collect();
    format!("{COMMIT} {short} {}", cut(&one_line(subject), WORDS_MAX)).trim_end().to_owned()
}

/// Whether a comment is about this commit, by any author and with a hash of at least 7 digits.
pub fn is_comment_on_commit(text: &str, hash: &str) -> bool {
    let named = text.trim_start().strip_prefix(COMMIT).and_then(|rest| rest.split_whitespace().next());
    named.is_some_and(|named| {
        named.len() >= HASH_MIN
            && hash.get(..named.len()).is_some_and(|head| head.eq_ignore_ascii_case(named))
    })
}

/// The comment with the files that a session edited for its bead, made when the bead is finished.
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

/// A session's progress since its last comment.
#[derive(Debug, Clone, Copy)]
pub struct Checkpoint<'a> {
    /// The number of completed turns.
    pub turns: u64,
    /// Files edited for the bead.
    pub files: &'a BTreeSet<String>,
    /// The number of uncommitted files.
    pub uncommitted: usize,
    pub last: &'a str,
}

/// The automatic comment before a compaction: one line with the state of the work, which claude may forget.
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

/// The reminder after some turns without a commit or a comment. `comment` is the command that comments on the
/// bead.
pub fn reminder(bead: &str, turns: u64, comment: &str) -> String {
    format!(
        "A reminder from Beads Console, not a message of the user: {turns} turns have gone by on {bead} without a \
         commit or a comment. When you reach a good point, commit your work, or note where you stand with \
         `{comment}`, so that nothing is lost if this conversation is compacted. There is no need to mention this."
    )
}
