//! Parses dates as users write them.

use bc_core::Timestamp;
use bc_wire::{ApiError, ErrorCode};
use chrono::{Local, NaiveDate, NaiveTime, TimeZone};

/// Parses an RFC 3339 time, or a day, which means midnight of that day in this machine's time zone.
pub(super) fn moment(field: &'static str, text: &str) -> Result<Timestamp, ApiError> {
    let text = text.trim();
    if let Ok(at) = Timestamp::parse_from_rfc3339(text) {
        return Ok(at);
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|day| day.and_time(NaiveTime::MIN));
    // On a day when the clocks change, midnight may not exist, but noon always does.
    let at = day.and_then(|day| {
        let noon = day + chrono::Duration::hours(12);
        Local.from_local_datetime(&day).earliest().or_else(|| Local.from_local_datetime(&noon).earliest())
    });
    at.map(|at| at.fixed_offset()).ok_or_else(|| {
        let why = format!("invalid {field} {text:?}; use YYYY-MM-DD, or a time such as 2026-11-24T18:00:00Z");
        ApiError::new(ErrorCode::Usage, why)
    })
}
