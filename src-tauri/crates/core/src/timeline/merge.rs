//! Merges several records by time. Entries of one record keep their order, even if the clock was set back in
//! between.

use super::{TimelineEvent, TimelineEventKind};
use crate::Timestamp;
use std::collections::VecDeque;

pub(super) struct Entry {
    pub(super) at: Timestamp,
    /// The message's id, if the entry is a message.
    pub(super) message: Option<String>,
    /// The id of the related message, if the entry is not a message itself.
    pub(super) about: Option<String>,
    /// The entry's events, each with its own time.
    pub(super) events: Vec<(Timestamp, TimelineEventKind, String)>,
}

/// A record's entries, each with the latest time up to that entry.
struct Source(VecDeque<(Timestamp, Entry)>);

impl Source {
    fn new(entries: Vec<Entry>) -> Source {
        let mut latest: Option<Timestamp> = None;
        let mut timed = VecDeque::with_capacity(entries.len());
        for entry in entries {
            let at = latest.map_or(entry.at, |latest| latest.max(entry.at));
            latest = Some(at);
            timed.push_back((at, entry));
        }
        Source(timed)
    }

    fn next_at(&self) -> Option<Timestamp> {
        self.0.front().map(|(at, _)| *at)
    }
}

/// Merges all records by time. At equal times, an earlier record's events come first.
pub(super) fn merge(records: Vec<Vec<Entry>>) -> Vec<TimelineEvent> {
    let mut sources: Vec<Source> = records.into_iter().map(Source::new).collect();
    let mut events: Vec<TimelineEvent> = Vec::new();
    let mut last_message: Option<String> = None;
    // The indexes of the starts that wait for their message.
    let mut starts: Vec<usize> = Vec::new();
    while let Some(entry) = take_next(&mut sources) {
        if let Some(id) = &entry.message {
            starts.drain(..).for_each(|at| events[at].message = Some(id.clone()));
            last_message = Some(id.clone());
        }
        for (at, kind, label) in entry.events {
            let begins = matches!(kind, TimelineEventKind::Start | TimelineEventKind::Resume);
            if begins {
                starts.push(events.len());
            }
            let message = entry
                .message
                .clone()
                .or(entry.about.clone())
                .or_else(|| last_message.clone().filter(|_| !begins));
            events.push(TimelineEvent { at, kind, label, message });
        }
    }
    events
}

fn take_next(sources: &mut [Source]) -> Option<Entry> {
    let first = sources.iter().enumerate().filter_map(|(n, source)| Some((source.next_at()?, n))).min()?;
    sources[first.1].0.pop_front().map(|(_, entry)| entry)
}

impl Entry {
    pub(super) fn event(at: Timestamp, kind: TimelineEventKind, label: String) -> Entry {
        Entry { at, message: None, about: None, events: vec![(at, kind, label)] }
    }
}
