//! Computes the state of a bead in a convoy from the tracker, the hooks and the merge queue, and whether the
//! bead is stranded. The bead's closing or deletion in the tracker takes precedence.

use super::{HookStatus, MergeStatus, WorkStatus};
use crate::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::collections::BTreeSet;

/// The state of a bead in its convoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConvoyBeadState {
    /// Part of the target branch.
    Merged,
    /// Closed or completed, and not merged by the merge queue.
    Done,
    /// In review in the tracker, or completed by its agent and not closed yet.
    InReview,
    /// Completed, but not mergeable without the user's decision.
    Conflicted,
    InProgress,
    /// On a hook, not started.
    Hooked,
    Ready,
    Blocked,
    /// Deferred, pinned, or marked as blocked in the tracker.
    Deferred,
    /// Deleted, or neither in the tracker nor a work item of the fleet.
    Missing,
}

impl ConvoyBeadState {
    /// Whether no agent has to work on the bead any more, which counts as progress.
    pub fn needs_no_agent(self) -> bool {
        matches!(self, ConvoyBeadState::Merged | ConvoyBeadState::Done | ConvoyBeadState::InReview)
    }
}

/// The fleet's facts about a bead, which the tracker does not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FleetFacts {
    pub work: Option<WorkStatus>,
    pub hook: HookStatus,
    pub merge: Option<MergeStatus>,
    /// Whether the bead has a live or resumable session.
    pub attended: bool,
}

/// Computes the state of a bead in its convoy. `bead` is `None` if the tracker does not have it.
pub fn convoy_bead_state(bead: Option<&Bead>, known: FleetFacts) -> ConvoyBeadState {
    let merged = known.merge == Some(MergeStatus::Merged) || known.work == Some(WorkStatus::Merged);
    let conflicted = known.merge == Some(MergeStatus::Conflicted);
    let status = bead.map(|bead| &bead.status);
    match (status, known.hook) {
        (None, _) if merged => ConvoyBeadState::Merged,
        (None, HookStatus::Pending) => ConvoyBeadState::Hooked,
        (None, HookStatus::Active) => ConvoyBeadState::InProgress,
        // Work outside any tracker.
        (None, _) => match known.work {
            Some(work) if work.is_over() => ConvoyBeadState::Done,
            Some(_) => ConvoyBeadState::Ready,
            None => ConvoyBeadState::Missing,
        },
        (Some(BeadStatus::Tombstone), _) => ConvoyBeadState::Missing,
        (Some(BeadStatus::Closed), _) => match merged {
            true => ConvoyBeadState::Merged,
            false => ConvoyBeadState::Done,
        },
        (Some(_), _) if conflicted => ConvoyBeadState::Conflicted,
        (Some(BeadStatus::InReview), _) => ConvoyBeadState::InReview,
        (Some(_), HookStatus::Pending) => ConvoyBeadState::Hooked,
        (Some(_), HookStatus::Active) => ConvoyBeadState::InProgress,
        // The agent completed the bead, but the tracker is not updated yet.
        (Some(BeadStatus::Open | BeadStatus::InProgress), _)
            if known.work.is_some_and(WorkStatus::is_over) =>
        {
            ConvoyBeadState::InReview
        }
        (Some(BeadStatus::InProgress), _) => ConvoyBeadState::InProgress,
        (Some(BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Pinned), _) => {
            ConvoyBeadState::Deferred
        }
        (Some(_), _) => match bead.is_some_and(|bead| bead.ready || bead.blocked_by.is_empty()) {
            true => ConvoyBeadState::Ready,
            false => ConvoyBeadState::Blocked,
        },
    }
}

/// Why a bead cannot progress without the user; `None` if it can progress, or if no work remains.
///
/// `find` looks up a bead in the tracker; `held` returns why a bead is held back.
pub fn stranded<'a>(
    bead: &BeadId,
    state: ConvoyBeadState,
    known: FleetFacts,
    find: &impl Fn(&BeadId) -> Option<&'a Bead>,
    held: &impl Fn(&BeadId) -> Option<String>,
) -> Option<String> {
    let found = find(bead);
    match state {
        ConvoyBeadState::Merged
        | ConvoyBeadState::Done
        | ConvoyBeadState::InReview
        | ConvoyBeadState::Hooked => None,
        ConvoyBeadState::Missing => Some("the tracker does not have it".to_owned()),
        ConvoyBeadState::Conflicted => Some("it cannot be merged as it is".to_owned()),
        ConvoyBeadState::InProgress if known.attended || known.hook != HookStatus::Empty => None,
        ConvoyBeadState::InProgress => {
            let who = found.and_then(|bead| bead.assignee.as_deref()).unwrap_or("another user");
            Some(format!("{who} has it, and no session works on it"))
        }
        ConvoyBeadState::Deferred => {
            let word = found.map_or("put off", |bead| bead.status.as_str());
            Some(format!("it is {word} in the tracker"))
        }
        ConvoyBeadState::Ready => match held(bead) {
            Some(why) => Some(why),
            None => found
                .filter(|bead| !bead.ready)
                .and_then(|bead| bead.assignee.as_deref())
                .map(|by| format!("it is assigned to {by}")),
        },
        ConvoyBeadState::Blocked => blocked_forever(bead, find),
    }
}

/// Why a bead's blockers cannot be finished: a cycle through the bead, or a direct or indirect blocker that
/// is missing, deferred, pinned or marked as blocked. `None` if no such reason is found.
fn blocked_forever<'a>(bead: &BeadId, find: &impl Fn(&BeadId) -> Option<&'a Bead>) -> Option<String> {
    // Breadth first, because the user can resolve the nearest reason.
    let mut seen: BTreeSet<&BeadId> = BTreeSet::new();
    let mut next: Vec<&BeadId> = find(bead)?.blocked_by.iter().collect();
    while !next.is_empty() {
        let mut after = Vec::new();
        for id in next {
            if id == bead {
                return Some("it waits for itself: its dependencies form a cycle".to_owned());
            }
            if !seen.insert(id) {
                continue;
            }
            let Some(other) = find(id) else {
                return Some(format!("it waits for {id}, which the tracker does not have"));
            };
            if matches!(other.status, BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Pinned) {
                return Some(format!("it waits for {id}, which is {}", other.status.as_str()));
            }
            after.extend(&other.blocked_by);
        }
        next = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bead(id: &str, status: BeadStatus, waits_for: &[&str]) -> Bead {
        let json = serde_json::json!({
            "id": id, "title": id, "status": status, "priority": 2, "issue_type": "task",
            "blocked_by": waits_for, "ready": status == BeadStatus::Open && waits_for.is_empty(),
        });
        serde_json::from_value(json).unwrap()
    }

    fn why(beads: &[Bead], id: &str, known: FleetFacts) -> Option<String> {
        let id: BeadId = id.parse().unwrap();
        let find = |id: &BeadId| beads.iter().find(|bead| bead.id == *id);
        stranded(&id, convoy_bead_state(find(&id), known), known, &find, &|_| None)
    }

    #[test]
    fn the_tracker_takes_precedence_over_the_record() {
        let open = bead("BC-1", BeadStatus::Open, &[]);
        let closed = bead("BC-1", BeadStatus::Closed, &[]);
        let known = |work, hook, merge| FleetFacts { work: Some(work), hook, merge, attended: false };
        let active = known(WorkStatus::InProgress, HookStatus::Active, None);
        assert_eq!(convoy_bead_state(Some(&closed), active), ConvoyBeadState::Done);
        let merged = known(WorkStatus::Merged, HookStatus::Empty, Some(MergeStatus::Merged));
        assert_eq!(convoy_bead_state(Some(&closed), merged), ConvoyBeadState::Merged);
        let conflicted = known(WorkStatus::Done, HookStatus::Empty, Some(MergeStatus::Conflicted));
        assert_eq!(convoy_bead_state(Some(&open), conflicted), ConvoyBeadState::Conflicted);
        assert_eq!(convoy_bead_state(Some(&open), FleetFacts::default()), ConvoyBeadState::Ready);
        let done = known(WorkStatus::Done, HookStatus::Empty, None);
        assert_eq!(convoy_bead_state(Some(&open), done), ConvoyBeadState::InReview);
        assert_eq!(convoy_bead_state(Some(&open), active), ConvoyBeadState::InProgress);
        assert_eq!(convoy_bead_state(None, FleetFacts::default()), ConvoyBeadState::Missing);
    }

    #[test]
    fn work_that_cannot_progress_is_stranded_with_the_reason() {
        let beads = [
            bead("BC-1", BeadStatus::Open, &["BC-2"]),
            bead("BC-2", BeadStatus::Open, &["BC-3"]),
            bead("BC-3", BeadStatus::Deferred, &[]),
            bead("BC-4", BeadStatus::Open, &["BC-5"]),
            bead("BC-5", BeadStatus::Open, &["BC-4"]),
            bead("BC-6", BeadStatus::Open, &["BC-7"]),
            bead("BC-7", BeadStatus::InProgress, &[]),
            bead("BC-8", BeadStatus::Open, &[]),
        ];
        let alone = FleetFacts::default();
        let of = |id: &str| why(&beads, id, alone);
        assert_eq!(of("BC-1").unwrap(), "it waits for BC-3, which is deferred");
        assert_eq!(of("BC-3").unwrap(), "it is deferred in the tracker");
        assert!(of("BC-4").unwrap().contains("cycle"));
        assert_eq!(of("BC-6"), None, "its blocker may be in progress");
        assert_eq!(of("BC-7").unwrap(), "another user has it, and no session works on it");
        assert_eq!(why(&beads, "BC-7", FleetFacts { attended: true, ..alone }), None);
        assert_eq!(of("BC-8"), None);
        assert_eq!(of("BC-9").unwrap(), "the tracker does not have it");
    }
}
