//! The times at which the files of a session are due to be written.

use std::time::Instant;

/// When each file is due to be written; `None` if it is up to date.
#[derive(Debug, Default)]
pub(super) struct FlushDue {
    pub(super) messages: Option<Instant>,
    pub(super) meta: Option<Instant>,
    pub(super) activity: Option<Instant>,
    pub(super) partials: Option<Instant>,
    /// Injections and recovery stores whose writing failed.
    pub(super) context: Option<Instant>,
}

/// Makes a file due at this time at the latest.
pub(super) fn no_later(due: &mut Option<Instant>, at: Instant) {
    *due = Some(due.map_or(at, |due| due.min(at)));
}
