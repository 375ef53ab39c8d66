//! The next action for an agent with work, based on its hook, its session and the tracker, as a pure
//! function.
//!
//! Invariants: unfinished work is never dropped silently; it stays on a hook, becomes free, or is held back
//! with a reason. A session that died is resumed automatically once; after that, its work is reassigned.

use super::{HookStatus, Tries, WorkStatus};
use crate::bead::BeadStatus;

/// The maximum number of automatic resumes of a session that died.
const RESUMES: u32 = 1;
/// The number of agents that may fail on a bead before it is held back.
const AGENTS: u32 = 3;

/// The state of the session for an agent's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionCase {
    None,
    Live {
        /// Whether claude is at its prompt with nothing pending.
        at_prompt: bool,
    },
    Died,
    /// The session is paused: by the user, after idle time, because another session was started, or because
    /// claude exited without an error.
    Paused,
    Closed,
}

/// The state of the bead that an agent works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeadCase {
    /// Workable: open, in progress, or in a custom status.
    Workable,
    InReview,
    Closed,
    /// Blocked by the user, deferred, or pinned.
    Away,
    /// The bead was deleted, or is not in the tracker.
    Unknown,
}

impl BeadCase {
    /// Converts a bead's status in the tracker. `None` means that the bead is not in the tracker.
    pub fn of(status: Option<&BeadStatus>) -> BeadCase {
        match status {
            Some(BeadStatus::Open | BeadStatus::InProgress | BeadStatus::Other(_)) => BeadCase::Workable,
            Some(BeadStatus::InReview) => BeadCase::InReview,
            Some(BeadStatus::Closed) => BeadCase::Closed,
            Some(BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Pinned) => BeadCase::Away,
            Some(BeadStatus::Tombstone) | None => BeadCase::Unknown,
        }
    }

    /// Converts the status of a work item that has no bead in a tracker.
    pub fn of_own(status: WorkStatus) -> BeadCase {
        match status.is_over() {
            true => BeadCase::Closed,
            false => BeadCase::Workable,
        }
    }
}

/// The state of an agent with work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    pub hook: HookStatus,
    /// Whether the agent's record names the session.
    pub recorded: bool,
    pub session: SessionCase,
    pub bead: BeadCase,
    pub paused: bool,
    /// Whether work starts automatically.
    pub auto: bool,
    /// Whether the agent's session runs at a place that is being drained.
    pub draining: bool,
}

/// The action that reconcile takes for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Nothing,
    Start,
    /// Record the existing session and activate the hook.
    Attach,
    /// The work is done: queue its branch for the merge unless a review comes first, complete and clear the
    /// hook, and close a paused session.
    Finish,
    /// The work is done and claude waits at its prompt: close the session, then act as for `Finish`.
    End,
    /// Resume the session that died.
    Resume,
    /// Close the session and free the bead for another agent.
    Reassign {
        /// Why the bead is also held back; `None` if it is not held back.
        held: Option<String>,
    },
    /// Close the session and free the bead, without counting it as a failure of the agent.
    Release {
        /// Why the bead is held back; `None` if it is not held back.
        held: Option<String>,
    },
    /// The work was finished before a session started: clear the hook.
    Clear,
}

/// The next action for an agent in this state.
pub fn next(case: Case, tries: &Tries) -> Next {
    use SessionCase as S;
    match (case.hook, case.bead, case.session) {
        (HookStatus::Empty, ..) => Next::Nothing,
        // The agent completed its hook during claude's turn; claude finishes its output first.
        (HookStatus::Completed, _, S::Live { at_prompt: true }) if case.recorded => Next::End,
        (HookStatus::Completed, _, S::Live { at_prompt: false }) => Next::Nothing,
        // This program was stopped before it cleared the completed hook. Other programs clear their own
        // hooks.
        (HookStatus::Completed, ..) if case.recorded => Next::Finish,
        (HookStatus::Completed, ..) => Next::Nothing,

        (_, BeadCase::Closed, S::Live { at_prompt: true }) => Next::End,
        (_, BeadCase::Closed | BeadCase::InReview, S::Live { .. }) => attached(case),
        (HookStatus::Pending, BeadCase::Closed | BeadCase::InReview, S::None) => Next::Clear,
        // The tracker shows that the work is done, even if there is no session, as for an agent of another
        // program.
        (HookStatus::Active | HookStatus::Pending, BeadCase::Closed | BeadCase::InReview, _) => Next::Finish,

        // A hook without a session belongs to another program, or has not started.
        (HookStatus::Active, _, S::None) => Next::Nothing,
        (HookStatus::Pending, BeadCase::Workable, S::None) if case.auto && !case.paused => Next::Start,
        (HookStatus::Pending, _, S::None) => Next::Nothing,

        // Work leaves a drained place between turns. This is not the agent's fault and does not count as a
        // failure.
        (HookStatus::Active, BeadCase::Workable, S::Live { at_prompt: true } | S::Died)
            if case.draining && !case.paused =>
        {
            Next::Release { held: None }
        }
        (_, _, S::Live { .. }) => attached(case),
        (_, _, S::Paused) => Next::Nothing,
        (_, BeadCase::Workable, S::Died) => died(case, tries),
        (_, _, S::Died) => Next::Release { held: None },
        (_, BeadCase::Workable, S::Closed) => {
            Next::Release { held: Some("its session was ended before the work was done".to_owned()) }
        }
        (_, _, S::Closed) => Next::Release { held: None },
    }
}

fn attached(case: Case) -> Next {
    match case.hook == HookStatus::Pending || !case.recorded {
        true => Next::Attach,
        false => Next::Nothing,
    }
}

fn died(case: Case, tries: &Tries) -> Next {
    if case.paused {
        return Next::Nothing;
    }
    if tries.resumed < RESUMES {
        return Next::Resume;
    }
    let failed = tries.handed_on + 1;
    let held = (failed >= AGENTS).then(|| format!("the sessions of {failed} agents on it died"));
    Next::Reassign { held }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: SessionCase = SessionCase::Live { at_prompt: false };

    fn case(hook: HookStatus, bead: BeadCase, session: SessionCase) -> Case {
        Case { hook, recorded: true, session, bead, paused: false, auto: true, draining: false }
    }

    fn becomes(case: Case) -> Next {
        next(case, &Tries::default())
    }

    #[test]
    fn work_is_started_attached_and_finished() {
        use HookStatus::{Active, Pending};
        let pending = case(Pending, BeadCase::Workable, SessionCase::None);
        assert_eq!(becomes(pending), Next::Start);
        assert_eq!(becomes(Case { auto: false, ..pending }), Next::Nothing);
        assert_eq!(becomes(Case { paused: true, ..pending }), Next::Nothing);
        assert_eq!(becomes(case(Pending, BeadCase::Workable, LIVE)), Next::Attach);
        assert_eq!(becomes(case(Active, BeadCase::Workable, LIVE)), Next::Nothing);
        let unrecorded = Case { recorded: false, ..case(Active, BeadCase::Workable, LIVE) };
        assert_eq!(becomes(unrecorded), Next::Attach);
        for over in [BeadCase::Closed, BeadCase::InReview] {
            for session in [SessionCase::Closed, SessionCase::Died, SessionCase::Paused] {
                assert_eq!(becomes(case(Active, over, session)), Next::Finish);
            }
        }
        let waits = SessionCase::Live { at_prompt: true };
        assert_eq!(becomes(case(Active, BeadCase::Closed, waits)), Next::End);
        assert_eq!(becomes(case(Active, BeadCase::InReview, waits)), Next::Nothing, "its host ends it");
        assert_eq!(becomes(case(Pending, BeadCase::Closed, SessionCase::None)), Next::Clear);
    }

    #[test]
    fn work_reported_done_ends_with_claudes_turn() {
        for hook in [HookStatus::Active, HookStatus::Completed] {
            let done = |at_prompt| {
                becomes(case(hook, BeadCase::of_own(WorkStatus::Done), SessionCase::Live { at_prompt }))
            };
            assert_eq!((done(false), done(true)), (Next::Nothing, Next::End), "{hook:?}");
        }
        let died = case(HookStatus::Active, BeadCase::of_own(WorkStatus::InProgress), SessionCase::Died);
        assert_eq!(becomes(died), Next::Resume);
    }

    #[test]
    fn a_session_that_died_is_resumed_once_then_reassigned_until_held_back() {
        let died = case(HookStatus::Active, BeadCase::Workable, SessionCase::Died);
        let after = |resumed, handed_on| next(died, &Tries { resumed, handed_on, ..Tries::default() });
        assert_eq!(after(0, 0), Next::Resume);
        assert_eq!(after(1, 0), Next::Reassign { held: None });
        assert_eq!(after(0, 2), Next::Resume);
        assert!(matches!(after(1, 2), Next::Reassign { held: Some(_) }));
        assert_eq!(becomes(Case { paused: true, ..died }), Next::Nothing);
    }

    #[test]
    fn work_leaves_a_drained_place_between_turns() {
        let draining =
            |session| Case { draining: true, ..case(HookStatus::Active, BeadCase::Workable, session) };
        assert_eq!(becomes(draining(LIVE)), Next::Nothing, "the turn is not cut off");
        for session in [SessionCase::Live { at_prompt: true }, SessionCase::Died] {
            assert_eq!(becomes(draining(session)), Next::Release { held: None });
        }
        assert_eq!(becomes(draining(SessionCase::Paused)), Next::Nothing);
        assert_eq!(becomes(Case { paused: true, ..draining(SessionCase::Died) }), Next::Nothing);
    }

    #[test]
    fn work_paused_by_a_user_or_owned_by_another_program_is_unchanged() {
        use HookStatus::{Active, Completed, Empty};
        assert_eq!(becomes(case(Active, BeadCase::Workable, SessionCase::Paused)), Next::Nothing);
        assert_eq!(becomes(case(Active, BeadCase::Workable, SessionCase::None)), Next::Nothing);
        assert_eq!(becomes(case(Empty, BeadCase::Closed, SessionCase::Closed)), Next::Nothing);
        let theirs = case(Completed, BeadCase::Unknown, SessionCase::None);
        assert_eq!(becomes(Case { recorded: false, ..theirs }), Next::Nothing);
        assert_eq!(becomes(theirs), Next::Finish);
    }

    #[test]
    fn work_ended_unfinished_is_released_and_held_back() {
        let ended = becomes(case(HookStatus::Active, BeadCase::Workable, SessionCase::Closed));
        assert!(matches!(ended, Next::Release { held: Some(_) }), "{ended:?}");
        let put_off = becomes(case(HookStatus::Active, BeadCase::Away, SessionCase::Closed));
        assert_eq!(put_off, Next::Release { held: None });
    }
}
