//! Active time as a list of intervals, and the display of durations.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// An interval in which the session was active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Interval {
    /// When the session became active.
    pub start: Timestamp,
    /// When the session stopped being active; `None` while it is active. A crash ends the interval at the
    /// last heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
}

impl Interval {
    /// The length in milliseconds; an open interval counts up to `now`. The length is 0, never negative, if
    /// the clock was set back.
    pub fn ms(&self, now: Timestamp) -> u64 {
        self.end.unwrap_or(now).signed_duration_since(self.start).num_milliseconds().max(0).unsigned_abs()
    }
}

/// A duration for display: `12s` below a minute, then `45m`, `2h`, `2h 5m`. Seconds above a minute are
/// omitted.
pub fn human_duration(ms: u64) -> String {
    let minutes = ms / 60_000;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{}s", ms / 1000),
        (0, minutes) => format!("{minutes}m"),
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h {minutes}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ms: i64) -> Timestamp {
        chrono::DateTime::from_timestamp_millis(ms).unwrap().fixed_offset()
    }

    #[test]
    fn durations_are_human_readable() {
        for (ms, expect) in [
            (0, "0s"),
            (59_999, "59s"),
            (60_000, "1m"),
            (45 * 60_000 + 59_000, "45m"),
            (120 * 60_000, "2h"),
            (125 * 60_000, "2h 5m"),
            (26 * 3_600_000, "26h"),
        ] {
            assert_eq!(human_duration(ms), expect);
        }
    }

    #[test]
    fn a_clock_set_back_counts_as_zero() {
        assert_eq!(Interval { start: at(1000), end: Some(at(400)) }.ms(at(0)), 0);
        assert_eq!(Interval { start: at(1000), end: None }.ms(at(400)), 0);
    }

    proptest! {
        #[test]
        fn closed_intervals_have_their_lengths_at_any_time(times in prop::collection::vec((0i64..1 << 50, 0i64..1 << 50), 0..20)) {
            let intervals: Vec<_> =
                times.iter().map(|&(start, end)| Interval { start: at(start), end: Some(at(end)) }).collect();
            let expect: i64 = times.iter().map(|(start, end)| (end - start).max(0)).sum();
            let total: u64 = intervals.iter().map(|interval| interval.ms(at(0))).sum();
            prop_assert_eq!(total, expect.unsigned_abs());
        }

        #[test]
        fn only_the_open_interval_grows_with_time(start in 0i64..1 << 40, later in 0i64..1 << 40) {
            let closed = Interval { start: at(start), end: Some(at(start + 5)) };
            let open = Interval { start: at(start), end: None };
            let now = at(start + later);
            prop_assert_eq!((closed.ms(now), open.ms(now)), (5, later.unsigned_abs()));
        }
    }
}
