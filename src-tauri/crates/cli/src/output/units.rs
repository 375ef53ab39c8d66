//! Formats of times, durations and counts.

use super::Style;
use bc_core::{Timestamp, session::human_duration};

/// `2026-01-19 10:00`, in the time zone of the style.
pub(crate) fn moment(style: &Style, at: &Timestamp) -> String {
    const FORMAT: &str = "%Y-%m-%d %H:%M";
    match style.zone {
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

/// `1 bead`, `2 beads`.
pub(crate) fn number_of(n: impl Into<u64>, one: &str, more: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n == 1 { one } else { more })
}

/// The number of results that a limit omitted; empty if all are shown.
pub(crate) fn omitted(shown: usize, total: u32) -> String {
    match u64::from(total).saturating_sub(shown as u64) {
        0 => String::new(),
        n => format!("\n{n} more; use --limit\n"),
    }
}

/// `7 ms`, `1.2 s`, `1m`.
pub(crate) fn short_duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => human_duration(ms),
    }
}

/// A size in bytes with its unit.
pub(crate) fn size(bytes: u64) -> String {
    size_at_least(bytes, true)
}

/// A size in bytes with its unit; a plus sign marks a lower bound, if not every file was counted.
pub(crate) fn size_at_least(bytes: u64, counted: bool) -> String {
    let plus = if counted { "" } else { "+" };
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    match (unit, value) {
        (0, _) => format!("{bytes} B{plus}"),
        (_, value) if value < 9.95 => format!("{value:.1} {}{plus}", units[unit]),
        (_, value) => format!("{value:.0} {}{plus}", units[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_counts_are_abbreviated() {
        assert_eq!([0, 950, 12_345, 4_560_000].map(count), ["0", "950", "12.3k", "4.5M"]);
        assert_eq!([7, 1_234, 61_000].map(short_duration), ["7 ms", "1.2 s", "1m"]);
    }

    #[test]
    fn a_count_of_one_is_singular() {
        assert_eq!([0u32, 1, 2].map(|n| number_of(n, "bead", "beads")), ["0 beads", "1 bead", "2 beads"]);
    }

    #[test]
    fn times_are_shown_in_the_given_zone() {
        let zone = chrono::FixedOffset::west_opt(6 * 3600);
        let at = Timestamp::parse_from_rfc3339("2026-01-19T16:00:00Z").unwrap();
        assert_eq!(moment(&Style { zone, ..Style::default() }, &at), "2026-01-19 10:00");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            [size(0), size(999), size(1000), size(9_960), size(999_600), size(12_345_678)],
            ["0 B", "999 B", "1.0 kB", "10 kB", "1.0 MB", "12 MB"]
        );
        assert_eq!(size_at_least(2_000_000_000, false), "2.0 GB+");
    }
}
