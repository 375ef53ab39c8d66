//! Checks whether a paused session's bead is still in progress and assigned to the session.

use crate::{
    context::{
        Context,
        errors::{chain, tracker_error},
        recorded_actor,
    },
    fleet_state,
};
use bc_beads::{Actor, TrackerError};
use bc_core::{
    bead::{Bead, BeadStatus},
    prompt::ResumeBead,
    session::Meta,
};
use bc_wire::{ApiError, session::*};

#[derive(Default)]
pub(super) struct Checked {
    /// The bead's current state; `None` if the session has no bead in the tracker, or if the state is unknown.
    pub(super) now: Option<BeadNow>,
    /// The decision that the user must make first, if any.
    pub(super) obstacle: Option<Obstacle>,
    /// The reason if the bead's state is unknown.
    pub(super) warning: Option<String>,
    /// The bead's title and status for the resume prompt.
    pub(super) shown: Option<ResumeBead>,
}

/// Checks the session's bead. A failure of the tracker becomes a warning.
pub(super) fn check(ctx: &Context, meta: &Meta) -> Checked {
    let Some(id) = &meta.bead_id else { return Checked::default() };
    let nameless = Some(ResumeBead { title: id.to_string(), status: None });
    let unknown = |why: String| {
        let warning = Some(format!("the status of {id} is unknown: {why}"));
        Checked { warning, shown: nameless.clone(), ..Checked::default() }
    };
    let found = match ctx.tracker().map(|tracker| tracker.show(id)) {
        Ok(Ok(detail)) => detail.bead,
        Ok(Err(TrackerError::NotFound { .. })) => {
            if let Ok(Some(own)) = fleet_state::own_work(ctx, id) {
                let shown = Some(ResumeBead { title: own.title, status: None });
                return Checked { shown, ..Checked::default() };
            }
            let message = format!("bead {id} no longer exists");
            let choices = vec![ResumeChoice::Anyway, ResumeChoice::End];
            let obstacle = Obstacle { kind: ObstacleKind::BeadGone, message, choices };
            return Checked { obstacle: Some(obstacle), shown: nameless, ..Checked::default() };
        }
        Ok(Err(error)) => return unknown(chain(&error)),
        Err(error) => return unknown(error.to_string()),
    };
    Checked {
        obstacle: decision_needed(&found, meta.actor.as_deref(), &ctx.user_actor()),
        shown: Some(ResumeBead { title: found.title.clone(), status: Some(found.status.clone()) }),
        now: Some(BeadNow {
            id: id.clone(),
            title: found.title,
            status: found.status,
            assignee: found.assignee,
        }),
        warning: None,
    }
}

/// The decision that the user must make; `None` if the bead is in progress, and unassigned or assigned to the
/// session or its user.
fn decision_needed(bead: &Bead, actor: Option<&str>, user: &Actor) -> Option<Obstacle> {
    use ResumeChoice::{Anyway, End, Reclaim};
    let id = &bead.id;
    let other = bead.assignee.as_deref().filter(|by| Some(*by) != actor && *by != user.user());
    let foreign = other.filter(|by| !user.is_person(by));
    let status = bead.status.as_str().replace('_', " ");
    let obstacle = |kind, message: String, choices: &[ResumeChoice]| {
        Some(Obstacle { kind, message, choices: choices.to_vec() })
    };
    match (&bead.status, foreign, other) {
        (BeadStatus::Closed, ..) => {
            obstacle(ObstacleKind::BeadClosed, format!("{id} was closed"), &[Anyway, End])
        }
        (_, Some(by), _) => {
            let message = format!("{id} is now claimed by {by}, and {status}");
            obstacle(ObstacleKind::BeadReassigned, message, &[Anyway, End])
        }
        (BeadStatus::InReview, ..) => {
            obstacle(ObstacleKind::BeadInReview, format!("{id} is in review"), &[Anyway, Reclaim, End])
        }
        (BeadStatus::InProgress, _, None) => None,
        (BeadStatus::InProgress, _, Some(by)) => {
            let message = format!("{id} was taken over by {by}, another of your sessions");
            obstacle(ObstacleKind::BeadReassigned, message, &[Reclaim, Anyway, End])
        }
        (BeadStatus::Pinned | BeadStatus::Tombstone, ..) => {
            obstacle(ObstacleKind::BeadMoved, format!("{id} is now {status}"), &[Anyway, End])
        }
        (BeadStatus::Open | BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Other(_), ..) => {
            let message = format!("{id} is now {status}, not in progress");
            obstacle(ObstacleKind::BeadMoved, message, &[Reclaim, Anyway, End])
        }
    }
}

/// Sets the bead to in progress again, assigned to the session.
pub(super) fn reclaim(ctx: &Context, meta: &Meta, bead: &BeadNow) -> Result<(), ApiError> {
    let tracker = ctx.tracker()?;
    let actor = recorded_actor(meta).unwrap_or_else(|| ctx.session_actor(meta.id));
    let mine = bead.assignee.as_deref() == Some(actor.as_str());
    if bead.status == BeadStatus::InProgress && mine {
        return Ok(());
    }
    if bead.status != BeadStatus::Open {
        let holder = bead.assignee.as_deref().and_then(|by| by.parse::<Actor>().ok());
        let by = holder.unwrap_or_else(|| actor.clone());
        tracker.set_status(&bead.id, &BeadStatus::Open, &by).map_err(tracker_error)?;
    }
    tracker.claim(&bead.id, &actor).map(drop).map_err(tracker_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bead(status: BeadStatus, assignee: Option<&str>) -> Bead {
        let bead = serde_json::json!({
            "id": "BC-1", "title": "x", "status": status, "priority": 2, "issue_type": "task",
            "assignee": assignee,
        });
        serde_json::from_value(bead).unwrap()
    }

    fn found(status: BeadStatus, assignee: Option<&str>) -> Option<(ObstacleKind, bool)> {
        let user: Actor = "alice".parse().unwrap();
        let obstacle = decision_needed(&bead(status, assignee), Some("alice/11111111"), &user)?;
        assert!(obstacle.choices.contains(&ResumeChoice::End), "{obstacle:?}");
        assert!(obstacle.choices.contains(&ResumeChoice::Anyway), "{obstacle:?}");
        Some((obstacle.kind, obstacle.choices.contains(&ResumeChoice::Reclaim)))
    }

    #[test]
    fn a_bead_of_the_session_or_its_user_needs_no_decision() {
        for assignee in [Some("alice/11111111"), Some("alice"), None] {
            assert_eq!(found(BeadStatus::InProgress, assignee), None, "{assignee:?}");
        }
    }

    #[test]
    fn every_other_state_of_the_bead_needs_a_decision() {
        use ObstacleKind::*;
        let own = Some("alice/11111111");
        assert_eq!(found(BeadStatus::InProgress, Some("alice/22222222")), Some((BeadReassigned, true)));
        assert_eq!(found(BeadStatus::InProgress, Some("bob")), Some((BeadReassigned, false)));
        assert_eq!(found(BeadStatus::Open, None), Some((BeadMoved, true)));
        assert_eq!(found(BeadStatus::Open, Some("bob")), Some((BeadReassigned, false)));
        assert_eq!(found(BeadStatus::InReview, own), Some((BeadInReview, true)));
        assert_eq!(found(BeadStatus::Closed, own), Some((BeadClosed, false)));
        assert_eq!(found(BeadStatus::Blocked, own), Some((BeadMoved, true)));
        assert_eq!(found(BeadStatus::Pinned, own), Some((BeadMoved, false)));
    }
}
