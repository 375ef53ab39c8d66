//! Ranks ready beads by priority, by the number of beads that they unblock, and by age. Beads that were just
//! unblocked come first.

use crate::{Timestamp, bead::Bead, bead_graph::Waiting, ids::BeadId};
use std::collections::HashSet;

/// The inputs of a rank besides the bead itself.
#[derive(Debug)]
pub struct Ranking<'a> {
    /// Counts the beads that wait for a given bead.
    pub waiting: &'a Waiting<'a>,
    /// A bead that was just closed, and the beads that waited for it.
    pub after: Option<(&'a BeadId, HashSet<BeadId>)>,
    pub now: Timestamp,
}

/// A bead's rank among the ready beads.
#[derive(Debug, Clone, PartialEq)]
pub struct Rank {
    /// Higher is better.
    pub score: f64,
    /// Short reasons, the most important first.
    pub reasons: Vec<String>,
}

/// The points for a bead that was unblocked by the last closed bead, or whose parent was, so that it precedes
/// all others.
const JUST_UNBLOCKED: f64 = 1000.0;
/// The points for one step of priority.
const PRIORITY: f64 = 10.0;
/// The points for one waiting bead; at most ten are counted.
const WAITING: f64 = 3.0;
const MOST_WAITING: u32 = 10;
/// The points for one day of age; at most sixty days are counted. A month counts less than a step of
/// priority.
const DAY: f64 = 0.25;
const MOST_DAYS: i64 = 60;

impl Ranking<'_> {
    /// The rank of a ready bead.
    pub fn rank(&self, bead: &Bead) -> Rank {
        let mut reasons = Vec::new();
        let mut score = f64::from(4 - bead.priority.min(4)) * PRIORITY;
        if let Some((closed, unblocked)) = &self.after
            && (unblocked.contains(&bead.id) || bead.parent.as_ref().is_some_and(|up| unblocked.contains(up)))
        {
            score += JUST_UNBLOCKED;
            reasons.push(format!("unblocked by {closed}"));
        }
        reasons.push(format!("P{}", bead.priority));
        let waiting = self.waiting.count(&bead.id);
        if waiting > 0 {
            score += f64::from(waiting.min(MOST_WAITING)) * WAITING;
            reasons.push(format!("unblocks {waiting}"));
        }
        let days = bead.created_at.map_or(0, |created| (self.now - created).num_days().max(0));
        if days > 0 {
            let counted = i32::try_from(days.min(MOST_DAYS)).unwrap_or_default();
            score += f64::from(counted) * DAY;
            reasons.push(format!("open for {days} {}", if days == 1 { "day" } else { "days" }));
        }
        Rank { score, reasons }
    }

    /// The ready beads with their ranks, best first. Beads with equal scores keep their order.
    pub fn ranked(&self, ready: Vec<Bead>) -> Vec<(Bead, Rank)> {
        let mut ranked: Vec<(Bead, Rank)> =
            ready.into_iter().map(|bead| (bead.clone(), self.rank(&bead))).collect();
        ranked.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn bead(id: &str, more: Value) -> Bead {
        let mut whole = json!({"id": id, "title": id, "status": "open", "priority": 2, "issue_type": "task", "ready": true});
        whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(whole).unwrap()
    }

    fn ranked(beads: &[Bead], after: Option<&str>) -> Vec<(String, Vec<String>)> {
        let waiting = Waiting::new(beads);
        let closed: BeadId = "done".parse().unwrap();
        let after = after.map(|id| (&closed, [id.parse().unwrap()].into()));
        let now = Timestamp::parse_from_rfc3339("2026-02-10T12:00:00Z").unwrap();
        let ranking = Ranking { waiting: &waiting, after, now };
        let ready = beads.iter().filter(|bead| bead.ready).cloned().collect();
        ranking.ranked(ready).into_iter().map(|(bead, rank)| (bead.id.to_string(), rank.reasons)).collect()
    }

    #[test]
    fn priority_unblocked_beads_and_age_decide_with_reasons() {
        let beads = [
            bead("plain", json!({})),
            bead("old", json!({"created_at": "2026-02-01T12:00:00Z"})),
            bead("key", json!({"unblocks": ["w1", "w2"]})),
            bead("urgent", json!({"priority": 0})),
            bead("w1", json!({"ready": false})),
            bead("w2", json!({"ready": false})),
            bead("child", json!({"priority": 4, "parent": "up"})),
        ];
        let order = ranked(&beads, None);
        let ids: Vec<&str> = order.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["urgent", "key", "old", "plain", "child"]);
        assert_eq!(order[1].1, ["P2", "unblocks 2"]);
        assert_eq!(order[2].1, ["P2", "open for 9 days"]);
        assert_eq!(ranked(&beads, Some("plain"))[0].1, ["unblocked by done", "P2"]);
        assert_eq!(ranked(&beads, Some("up"))[0].0, "child", "a child of an unblocked parent comes first");
    }

    #[test]
    fn a_month_of_age_is_less_than_a_step_of_priority() {
        let beads =
            [bead("old", json!({"created_at": "2026-01-12T12:00:00Z"})), bead("new", json!({"priority": 1}))];
        assert_eq!(ranked(&beads, None)[0].0, "new");
    }
}
