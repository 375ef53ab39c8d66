//! Moments, spans and counts in words.

use super::Looks;
use bc_core::{Timestamp, session::human_duration};

/// `2026-01-19 10:00` where the reader is.
pub(crate) fn moment(looks: &Looks, at: &Timestamp) -> String {
    const FORMAT: &str = "%Y-%m-%d %H:%M";
    match looks.zone {
        Some(zone) => at.with_timezone(&zone).format(FORMAT).to_string(),
        None => at.with_timezone(&chrono::Local).format(FORMAT).to_string(),
    }
}

/// `950`, `12.3k`, `4.5M`.
pub(crate) fn count(n: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", n / unit, n % unit / (unit / 10));
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => tenths(1_000) + "k",
        _ => tenths(1_000_000) + "M",
    }
}

/// How long a tool took.
pub(crate) fn short_duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => human_duration(ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_counts_are_short() {
        assert_eq!([0, 950, 12_345, 4_560_000].map(count), ["0", "950", "12.3k", "4.5M"]);
        assert_eq!([7, 1_234, 61_000].map(short_duration), ["7 ms", "1.2 s", "1m"]);
    }

    #[test]
    fn a_moment_is_shown_where_the_reader_is() {
        let zone = chrono::FixedOffset::west_opt(6 * 3600);
        let at = Timestamp::parse_from_rfc3339("2026-01-19T16:00:00Z").unwrap();
        assert_eq!(moment(&Looks { zone, ..Looks::default() }, &at), "2026-01-19 10:00");
    }
}
