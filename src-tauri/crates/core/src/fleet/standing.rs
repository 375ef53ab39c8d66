//! What a bead of a convoy is, by what the tracker, the hooks and the merge queue say; and whether anybody will
//! get it further. The tracker's word wins.

use super::{HookStatus, MergeStatus, WorkStatus};
use crate::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::collections::BTreeSet;

/// What a bead is for its convoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Part of the target branch.
    Merged,
    /// Closed, and merged by no queue of ours.
    Done,
    /// Done by its agent, and not closed yet.
    InReview,
    /// Done, and not to be merged as it is.
    Conflicted,
    /// Somebody is at it.
    InProgress,
    /// On a hook, and not begun.
    Hooked,
    /// To be had.
    Ready,
    /// It waits for others.
    Blocked,
    /// Put off, or said to be blocked by a person.
    PutOff,
    /// The tracker does not have it.
    Missing,
}

impl Standing {
    /// Whether nothing is left to do for an agent: what counts as progress.
    pub fn is_over(self) -> bool {
        matches!(self, Standing::Merged | Standing::Done | Standing::InReview)
    }
}

/// What is known of a bead beside the tracker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// How far its work item says that it is.
    pub work: Option<WorkStatus>,
    /// How the hook is that it hangs on.
    pub hook: HookStatus,
    /// How its merge is.
    pub merge: Option<MergeStatus>,
    /// Whether somebody works on it: a session lives, or can be gone on with.
    pub attended: bool,
}

/// What a bead is.
pub fn standing(bead: Option<&Bead>, known: Known) -> Standing {
    let merged = known.merge == Some(MergeStatus::Merged) || known.work == Some(WorkStatus::Merged);
    let conflicted = known.merge == Some(MergeStatus::Conflicted);
    let status = bead.map(|bead| &bead.status);
    match (status, known.hook) {
        (None, _) if merged => Standing::Merged,
        (None, HookStatus::Pending) => Standing::Hooked,
        (None, HookStatus::Active) => Standing::InProgress,
        // Work that no tracker knows.
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
        // Its agent said so before the tracker knows.
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

/// Why nobody will get a bead further as things are; `None` where somebody will, or nothing is left to do.
///
/// `find` has every bead of the tracker, `held` says why one is handed to nobody.
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
            let who = found.and_then(|bead| bead.assignee.as_deref()).unwrap_or("somebody");
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
                .map(|by| format!("it is {by}'s")),
        },
        Standing::Blocked => waits_for_nothing(bead, find),
    }
}

/// Why what a bead waits for will not come: a circle, or something that is put off or gone.
fn waits_for_nothing<'a>(bead: &BeadId, find: &impl Fn(&BeadId) -> Option<&'a Bead>) -> Option<String> {
    // Breadth first: the reason that is nearest is the one that a person can do something about.
    let mut seen: BTreeSet<&BeadId> = BTreeSet::new();
    let mut next: Vec<&BeadId> = find(bead)?.blocked_by.iter().collect();
    while !next.is_empty() {
        let mut after = Vec::new();
        for id in next {
            if id == bead {
                return Some("it waits for itself: its dependencies go round in a circle".to_owned());
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
    fn the_tracker_wins_over_what_was_written() {
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
    fn what_nobody_gets_further_is_stranded_with_the_reason() {
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
        assert!(of("BC-4").unwrap().contains("circle"));
        assert_eq!(of("BC-6"), None, "somebody may be at what it waits for");
        assert_eq!(of("BC-7").unwrap(), "somebody has it, and no session works on it");
        assert_eq!(why(&beads, "BC-7", Known { attended: true, ..alone }), None);
        assert_eq!(of("BC-8"), None);
        assert_eq!(of("BC-9").unwrap(), "the tracker does not have it");
    }
}
