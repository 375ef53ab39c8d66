//! A session's timeline: time bands and events. It is computed from records and not stored.
//!
//! Clocks can jump and time zones can change. Times are shown as recorded, and events keep the order of their
//! records: a later line stays after an earlier one, regardless of their times.

mod activity;
mod bands;
mod events;
mod lean;
mod merge;
mod model;
#[cfg(test)]
mod tests;

pub use activity::{ACTIVITY_VERSION, ActivityLine, Answered, Doing, Happened};
pub use lean::{lean_injection, lean_message, lean_run};
pub use model::{BandKind, CommitMade, Records, Timeline, TimelineBand, TimelineEvent, TimelineEventKind};

/// A session's timeline from its records.
pub fn timeline(records: Records<'_>) -> Timeline {
    let runs = activity::runs(records.meta, records.activity);
    let bands = bands::bands(records.meta, records.messages, &runs);
    let events = merge::merge(events::sources(&records, &runs));
    Timeline { bands, events, warnings: Vec::new() }
}
