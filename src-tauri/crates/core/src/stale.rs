//! Detects beads that have been without activity for too long.

use crate::{
    Timestamp,
    bead::{Bead, BeadStatus},
};
use chrono::Duration;

/// How serious a lack of activity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// In progress for 2 hours, or in review for 24 hours.
    Warning,
    /// In progress for 8 hours, or in review for 72 hours.
    Critical,
}

/// The time of a bead's last activity: its last change (or else its creation) or its live session's last
/// activity, whichever is later. `None` if neither is known.
pub fn since(bead: &Bead, session: Option<&Timestamp>) -> Option<Timestamp> {
    bead.updated_at.or(bead.created_at).max(session.copied())
}

/// How stale a bead in progress or in review is; `None` if it is not stale, or in another status. `session`
/// is the time of the live session's last activity.
pub fn level(bead: &Bead, session: Option<&Timestamp>, now: Timestamp) -> Option<Level> {
    let (warning, critical) = match bead.status {
        BeadStatus::InProgress => (2, 8),
        BeadStatus::InReview => (24, 72),
        _ => return None,
    };
    let idle = now - since(bead, session)?;
    if idle >= Duration::hours(critical) {
        Some(Level::Critical)
    } else if idle >= Duration::hours(warning) {
        Some(Level::Warning)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn levels(status: &str) -> Vec<Option<Level>> {
        let now = Timestamp::parse_from_rfc3339("2026-02-10T12:00:00Z").unwrap();
        let level_after = |minutes: i64| {
            let at = (now - Duration::minutes(minutes)).to_rfc3339();
            let bead: Bead = serde_json::from_value(json!({"id": "a", "title": "a", "status": status,
                "priority": 2, "issue_type": "task", "updated_at": at}))
            .unwrap();
            level(&bead, None, now)
        };
        [119, 120, 479, 480, 1439, 1440, 4319, 4320].map(level_after).into()
    }

    #[test]
    fn a_bead_becomes_stale_by_its_status() {
        use Level::{Critical, Warning};
        let (w, c) = (Some(Warning), Some(Critical));
        assert_eq!(levels("in_progress"), [None, w, w, c, c, c, c, c]);
        assert_eq!(levels("in_review"), [None, None, None, None, None, w, w, c]);
        assert_eq!(levels("open"), [None; 8]);
    }

    #[test]
    fn a_live_session_counts_as_activity() {
        let now = Timestamp::parse_from_rfc3339("2026-02-10T12:00:00Z").unwrap();
        let bead: Bead = serde_json::from_value(json!({"id": "a", "title": "a", "status": "in_progress",
            "priority": 2, "issue_type": "task", "updated_at": "2026-02-01T00:00:00Z"}))
        .unwrap();
        assert_eq!(level(&bead, None, now), Some(Level::Critical));
        assert_eq!(level(&bead, Some(&now), now), None);
        assert_eq!(since(&bead, Some(&now)), Some(now));
    }
}
