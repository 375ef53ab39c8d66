//! The state of a bead in a convoy, from the tracker, the hooks and the merge queue, and whether it is stranded. The
//! tracker takes precedence.

use super::{HookStatus, MergeStatus, WorkStatus};
use crate::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::collections::BTreeSet;

/// The state of a bead in its convoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Part of the target branch.
    Merged,
    /// Closed, and not merged by this queue.
    Done,
    /// Completed by its agent, and not closed yet.
    InReview,
    /// Completed, and not mergeable as it is.
    Conflicted,
    /// In progress.
    InProgress,
    /// On a hook, not started.
    Hooked,
    /// Ready.
    Ready,
    /// Blocked by other beads.
    Blocked,
    /// Deferred, or marked as blocked by the user.
    PutOff,
    /// Missing in the tracker.
    Missing,
}

impl Standing {
    /// Whether no work is left for an agent, which counts as progress.
    pub fn is_over(self) -> bool {
        matches!(self, Standing::Merged | Standing::Done | Standing::InReview)
    }
}

/// Facts about a bead that the tracker does not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// The status of its work item.
    pub work: Option<WorkStatus>,
    /// The state of its hook.
    pub hook: HookStatus,
    /// The status of its merge.
    pub merge: Option<MergeStatus>,
    /// Whether it has a session that lives or can be resumed.
    pub attended: bool,
}

/// The state of a bead.
pub fn standing(bead: Option<&Bead>, known: Known) -> Standing {
    let merged = known.merge == Some(MergeStatus::Merged) || known.work == Some(WorkStatus::Merged);
    let conflicted = known.merge == Some(MergeStatus::Conflicted);
    let status = bead.map(|bead| &bead.status);
    match (status, known.hook) {
        (None, _) if merged => Standing::Merged,
        (None, HookStatus::Pending) => Standing::Hooked,
        (None, HookStatus::Active) => Standing::InProgress,
        // Work outside any tracker.
        (None, _) => match known.work {
            Some(work) if work.is_over() => Standing::Done,
            Some(_) => Standing::Ready,
            None => Standing::Missing,
        },
        (Some(BeadStatus::Tombstone), _) => Standing::Missing,
        (Some(BeadStatus::Closed), _) => match merged {
            true => Standing::Merged,
            false => Standing::Done,
        },
        (Some(_), _) if conflicted => Standing::Conflicted,
        (Some(BeadStatus::InReview), _) => Standing::InReview,
        (Some(_), HookStatus::Pending) => Standing::Hooked,
        (Some(_), HookStatus::Active) => Standing::InProgress,
        // Its agent completed it before the tracker was updated.
        (Some(BeadStatus::Open | BeadStatus::InProgress), _)
            if known.work.is_some_and(WorkStatus::is_over) =>
        {
            Standing::InReview
        }
        (Some(BeadStatus::InProgress), _) => Standing::InProgress,
        (Some(BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Pinned), _) => Standing::PutOff,
        (Some(_), _) => match bead.is_some_and(|bead| bead.ready || bead.blocked_by.is_empty()) {
            true => Standing::Ready,
            false => Standing::Blocked,
        },
    }
}

/// Why a bead will not progress as things are; `None` if it will, or if no work is left.
///
/// `find` looks up every bead of the tracker; `held` returns why a bead is not assigned.
pub fn stranded<'a>(
    bead: &BeadId,
    standing: Standing,
    known: Known,
    find: &impl Fn(&BeadId) -> Option<&'a Bead>,
    held: &impl Fn(&BeadId) -> Option<String>,
) -> Option<String> {
    let found = find(bead);
    match standing {
        Standing::Merged | Standing::Done | Standing::InReview | Standing::Hooked => None,
        Standing::Missing => Some("the tracker does not have it".to_owned()),
        Standing::Conflicted => Some("it cannot be merged as it is".to_owned()),
        Standing::InProgress if known.attended || known.hook != HookStatus::Empty => None,
        Standing::InProgress => {
            let who = found.and_then(|bead| bead.assignee.as_deref()).unwrap_or("another user");
            Some(format!("{who} has it, and no session works on it"))
        }
        Standing::PutOff => {
            let word = found.map_or("put off", |bead| bead.status.as_str());
            Some(format!("it is {word} in the tracker"))
        }
        Standing::Ready => match held(bead) {
            Some(why) => Some(why),
            None => found
                .filter(|bead| !bead.ready)
                .and_then(|bead| bead.assignee.as_deref())
                .map(|by| format!("it is assigned to {by}")),
        },
        Standing::Blocked => waits_for_nothing(bead, find),
    }
}

/// Why a bead's blockers will not finish: a cycle, or a deferred or missing bead.
fn waits_for_nothing<'a>(bead: &BeadId, find: &impl Fn(&BeadId) -> Option<&'a Bead>) -> Option<String> {
    // Breadth first: the user can do something about the nearest reason.
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

    fn why(beads: &[Bead], id: &str, known: Known) -> Option<String> {
        let id: BeadId = id.parse().unwrap();
        let find = |id: &BeadId| beads.iter().find(|bead| bead.id == *id);
        stranded(&id, standing(find(&id), known), known, &find, &|_| None)
    }

    #[test]
    fn the_tracker_takes_precedence_over_the_record() {
        let open = bead("BC-1", BeadStatus::Open, &[]);
        let closed = bead("BC-1", BeadStatus::Closed, &[]);
        let known = |work, hook, merge| Known { work: Some(work), hook, merge, attended: false };
        let active = known(WorkStatus::InProgress, HookStatus::Active, None);
        assert_eq!(standing(Some(&closed), active), Standing::Done);
        let merged = known(WorkStatus::Merged, HookStatus::Empty, Some(MergeStatus::Merged));
        assert_eq!(standing(Some(&closed), merged), Standing::Merged);
        let conflicted = known(WorkStatus::Done, HookStatus::Empty, Some(MergeStatus::Conflicted));
        assert_eq!(standing(Some(&open), conflicted), Standing::Conflicted);
        assert_eq!(standing(Some(&open), Known::default()), Standing::Ready);
        let done = known(WorkStatus::Done, HookStatus::Empty, None);
        assert_eq!(standing(Some(&open), done), Standing::InReview);
        assert_eq!(standing(Some(&open), active), Standing::InProgress);
        assert_eq!(standing(None, Known::default()), Standing::Missing);
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
        let alone = Known::default();
        let of = |id: &str| why(&beads, id, alone);
        assert_eq!(of("BC-1").unwrap(), "it waits for BC-3, which is deferred");
        assert_eq!(of("BC-3").unwrap(), "it is deferred in the tracker");
        assert!(of("BC-4").unwrap().contains("cycle"));
        assert_eq!(of("BC-6"), None, "its blocker may be in progress");
        assert_eq!(of("BC-7").unwrap(), "another user has it, and no session works on it");
        assert_eq!(why(&beads, "BC-7", Known { attended: true, ..alone }), None);
        assert_eq!(of("BC-8"), None);
        assert_eq!(of("BC-9").unwrap(), "the tracker does not have it");
    }
}
