//! Recognizes claude's messages about a usage limit or an overload, and finds when the limit ends.
//!
//! This module is pure. Claude writes the end as a time of day (`resets 3pm`), with a date (`resets Oct 7,
//! 1am`), or in older versions as seconds since 1970 (`limit reached|1755806400`).

use crate::Timestamp;
use chrono::{Datelike, Duration, NaiveDate, NaiveTime, TimeZone};

/// The abbreviations of the months in claude's messages, lower-cased.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether claude's error message reports a limit or an overload.
pub fn is_limit(text: &str) -> bool {
    let text = text.to_lowercase();
    ["limit", "overloaded", "429", "529", "too many requests"].iter().any(|word| text.contains(word))
}

/// When the limit in a message ends. A time of day or date is interpreted in the UTC offset of `at`, the time
/// of the message. `None` if the message contains no valid time, or if its time in seconds has passed.
pub fn reset_time(text: &str, at: Timestamp) -> Option<Timestamp> {
    let lower = text.to_lowercase();
    if let Some(seconds) = lower.rsplit_once('|').and_then(|(_, end)| leading_number(end)) {
        let end = at.timezone().timestamp_opt(i64::from(seconds), 0).single()?;
        return (end > at).then_some(end);
    }
    let (_, after) = lower.split_once("resets")?;
    let words = after.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '·' | '∙'));
    let mut words = words.filter(|word| !word.is_empty() && !matches!(*word, "at" | "on" | "in"));
    let first = words.next()?;
    let month = MONTHS.iter().position(|month| first.starts_with(month));
    let Some(month) = month else {
        let time = time_of_day(first, words.next())?;
        let today = at.date_naive();
        let end = local_time(today, time, at)?;
        return if end > at { Some(end) } else { local_time(today.succ_opt()?, time, at) };
    };
    let day = leading_number(words.next()?)?;
    let next = words.next();
    let time = next.and_then(|word| time_of_day(word, words.next())).unwrap_or(NaiveTime::MIN);
    let date = |year| NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()? + 1, day);
    // Claude's date has no year. A date that passed more than a day ago is in the next year.
    [at.year(), at.year() + 1]
        .into_iter()
        .filter_map(|year| local_time(date(year)?, time, at))
        .find(|end| *end > at - Duration::days(1))
}

fn local_time(date: NaiveDate, time: NaiveTime, at: Timestamp) -> Option<Timestamp> {
    at.timezone().from_local_datetime(&date.and_time(time)).single()
}

/// Parses `3pm`, `3:45am`, `15:00`, or `3` before `pm`; `None` for other text.
fn time_of_day(word: &str, next: Option<&str>) -> Option<NaiveTime> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.');
    let suffix = Some(&word[digits.len()..]).filter(|suffix| !suffix.is_empty()).or(next).unwrap_or_default();
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) => (hour.parse().ok()?, minute.parse().ok()?),
        None => (digits.parse::<u32>().ok()?, 0),
    };
    let hour = match (suffix, hour) {
        ("am", 12) => 0,
        ("pm", hour @ 1..=11) => hour + 12,
        ("am" | "pm", hour @ 1..=12) => hour,
        ("am" | "pm", _) => return None,
        // A number alone is not a time.
        (_, _) if !digits.contains(':') => return None,
        (_, hour) => hour,
    };
    NaiveTime::from_hms_opt(hour, minute, 0)
}

fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<String> {
        let at: Timestamp = "2026-01-19T16:30:00+01:00".parse().unwrap();
        reset_time(text, at).map(|end| end.to_rfc3339())
    }

    #[test]
    fn the_end_of_a_limit_is_read_from_claudes_message() {
        let same = |text: &str, expected: &str| assert_eq!(end(text).as_deref(), Some(expected), "{text}");
        same("5-hour limit reached ∙ resets 7pm", "2026-01-19T19:00:00+01:00");
        same("You've hit your limit · resets 3:45pm (Europe/Berlin)", "2026-01-20T15:45:00+01:00");
        same("Weekly limit reached ∙ resets Jan 22, 1am", "2026-01-22T01:00:00+01:00");
        same("Usage limit reached, resets at 18:05", "2026-01-19T18:05:00+01:00");
        same("limit reached, resets 12am", "2026-01-20T00:00:00+01:00");
        same("Claude AI usage limit reached|1768838400", "2026-01-19T17:00:00+01:00");
        same("Weekly limit reached, resets on Jan 3 at 9 am", "2027-01-03T09:00:00+01:00");
    }

    #[test]
    fn a_message_without_a_time_has_no_end() {
        for text in [
            "429 too many requests",
            "limit reached, resets soon",
            "resets",
            "resets 99pm",
            "resets 5",
            "a|b",
            "",
        ] {
            assert_eq!(end(text), None, "{text}");
        }
        assert!(
            is_limit("529 Overloaded") && is_limit("5-hour limit reached") && !is_limit("Invalid API key")
        );
    }
}
