//! The times at which the session's files are due to be written.

use std::time::Instant;

/// When each file must be written; `None` if the file is up to date.
#[derive(Debug, Default)]
pub(super) struct FlushDue {
    pub(super) messages: Option<Instant>,
    pub(super) meta: Option<Instant>,
    pub(super) activity: Option<Instant>,
    pub(super) partials: Option<Instant>,
    /// For injections and recovery stores that could not be written.
    pub(super) context: Option<Instant>,
}

/// Makes a file due at this time or earlier.
pub(super) fn no_later(due: &mut Option<Instant>, at: Instant) {
    *due = Some(due.map_or(at, |due| due.min(at)));
}
