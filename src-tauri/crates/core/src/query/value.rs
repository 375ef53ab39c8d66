//! The values of a query's parts: names, priorities and times.

use super::{comparison::Comparison, words::Value};
use crate::Timestamp;
use chrono::{Days, Duration, NaiveDate, TimeZone};

/// The operand of a field with names: `none`, `any`, or a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// `none`: the field has no value.
    Missing,
    /// `any`: the field has a value.
    Present,
    /// A lower-cased name.
    Is(String),
}

impl Name {
    pub(super) fn of(value: &Value) -> Name {
        match value.text.to_lowercase() {
            text if value.quoted => Name::Is(text),
            text if text == "none" => Name::Missing,
            text if text == "any" => Name::Present,
            text => Name::Is(text),
        }
    }

    pub(super) fn among<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        match self {
            Name::Missing => names.next().is_none(),
            Name::Present => names.next().is_some(),
            Name::Is(name) => names.any(|other| same(other, name)),
        }
    }
}

/// Whether a string equals a lower-cased string, ignoring case. Does not allocate.
pub(super) fn same(text: &str, lower: &str) -> bool {
    if text.is_ascii() || lower.is_ascii() {
        return text.eq_ignore_ascii_case(lower);
    }
    text.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

/// Parses a priority from 0 to 4, such as `1` or `P1`; `None` for other text.
pub(super) fn priority(text: &str) -> Option<u8> {
    let digits = text.strip_prefix(['p', 'P']).unwrap_or(text);
    digits.parse().ok().filter(|priority| *priority <= 4)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// `none`: the bead has no such time.
    Missing,
    /// `any`: the bead has such a time.
    Present,
    /// A duration before or after now, such as `7d`.
    Distance(Duration),
    /// A day, such as `2026-01-31`.
    Day(NaiveDate),
    /// Days from today: `today`, `yesterday`, `tomorrow`.
    Around(i64),
}

/// The maximum duration in days: a century. A longer duration is a mistake.
const MOST_DAYS: i64 = 36_525;

impl Time {
    pub(super) fn of(text: &str) -> Option<Time> {
        match text.to_ascii_lowercase().as_str() {
            "none" => return Some(Time::Missing),
            "any" => return Some(Time::Present),
            "today" => return Some(Time::Around(0)),
            "yesterday" => return Some(Time::Around(-1)),
            "tomorrow" => return Some(Time::Around(1)),
            _ => {}
        }
        if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
            return Some(Time::Day(day));
        }
        let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
        let number: i64 = number.parse().ok()?;
        let unit = match unit {
            "m" => Duration::minutes(1),
            "h" => Duration::hours(1),
            "d" => Duration::days(1),
            "w" => Duration::weeks(1),
            "y" => Duration::days(365),
            _ => return None,
        };
        let number = i32::try_from(number).ok()?;
        let distance = unit.checked_mul(number)?;
        (distance <= Duration::days(MOST_DAYS)).then_some(Time::Distance(distance))
    }

    /// The times that satisfy the comparison. Durations count into the past, or into the future if `ahead` is
    /// set.
    pub(super) fn span(self, how: Comparison, ahead: bool, now: Timestamp) -> Span {
        let today = now.date_naive();
        match self {
            Time::Missing => Span::Missing,
            Time::Present => Span::Between { from: None, until: None },
            Time::Distance(distance) => {
                let at = now.checked_add_signed(if ahead { distance } else { -distance });
                match matches!(how, Comparison::More | Comparison::AtLeast) == ahead {
                    true => Span::Between { from: at, until: None },
                    false => Span::Between { from: None, until: at },
                }
            }
            Time::Day(day) => on_day(Some(day), how, now),
            Time::Around(days) => on_day(today.checked_add_signed(Duration::days(days)), how, now),
        }
    }
}

/// The times on, before or after a day, which lasts from midnight to midnight in the time zone of `now`.
fn on_day(day: Option<NaiveDate>, how: Comparison, now: Timestamp) -> Span {
    let midnight = |day: NaiveDate| now.timezone().from_local_datetime(&day.and_hms_opt(0, 0, 0)?).single();
    let begin = day.and_then(midnight);
    let end = day.and_then(|day| day.checked_add_days(Days::new(1))).and_then(midnight);
    match how {
        Comparison::Equal => Span::Between { from: begin, until: end },
        Comparison::Less => Span::Between { from: None, until: begin },
        Comparison::AtMost => Span::Between { from: None, until: end },
        Comparison::More => Span::Between { from: end, until: None },
        Comparison::AtLeast => Span::Between { from: begin, until: None },
    }
}

/// The accepted times: a missing time, or the times from `from` until just before `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    Missing,
    Between { from: Option<Timestamp>, until: Option<Timestamp> },
}

impl Span {
    pub(super) fn has(&self, at: Option<Timestamp>) -> bool {
        match (self, at) {
            (Span::Missing, at) => at.is_none(),
            (Span::Between { .. }, None) => false,
            (Span::Between { from, until }, Some(at)) => {
                from.is_none_or(|from| at >= from) && until.is_none_or(|until| at < until)
            }
        }
    }
}
