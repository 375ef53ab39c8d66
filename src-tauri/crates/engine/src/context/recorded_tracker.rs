//! A tracker that records this program's changes of beads in the audit log, except comments and renewed
//! claims.

use super::audit_log::{AuditLine, AuditLog};
use bc_beads::{
    Actor, Capabilities, Close, CustomStatus, Dependency, FieldChanges, ListFilter, Listing, NewBead, Part,
    PartialListing, Tracker, TrackerError, TrackerEvent, TrackerInfo, TrackerKind,
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use std::{path::PathBuf, sync::Arc};

/// A tracker and the audit log. Every method is forwarded, even those with a default implementation, because the
/// tracker's own implementation is faster.
pub(crate) struct RecordedTracker {
    tracker: Arc<dyn Tracker>,
    log: AuditLog,
}

impl RecordedTracker {
    pub(crate) fn new(tracker: Arc<dyn Tracker>, log: AuditLog) -> RecordedTracker {
        RecordedTracker { tracker, log }
    }

    /// Records a successful change, and returns its result.
    fn recorded<T>(
        &self,
        done: Result<T, TrackerError>,
        lines: impl FnOnce(&T) -> Vec<AuditLine>,
    ) -> Result<T, TrackerError> {
        let done = done?;
        let lines = lines(&done);
        if !lines.is_empty() {
            self.log.record(&lines);
        }
        Ok(done)
    }
}

fn line(id: &BeadId, actor: &Actor, kind: &str) -> AuditLine {
    AuditLine::new(id, actor, kind)
}

fn status(id: &BeadId, actor: &Actor, status: &BeadStatus) -> AuditLine {
    line(id, actor, "status").to(status.as_str())
}

fn fields(id: &BeadId, changes: &FieldChanges, actor: &Actor) -> Vec<AuditLine> {
    let mut lines: Vec<AuditLine> = changes.status.iter().map(|to| status(id, actor, to)).collect();
    let mut add = |field: &str, to: Option<String>| {
        lines.extend(to.map(|to| line(id, actor, "field").field(field).to(&to)));
    };
    let time = |at: &Option<Timestamp>| at.map(|at| at.to_rfc3339()).unwrap_or_default();
    add("title", changes.title.clone());
    add("description", changes.description.clone());
    add("design", changes.design.clone());
    add("acceptance_criteria", changes.acceptance_criteria.clone());
    add("notes", changes.notes.clone());
    add("priority", changes.priority.map(|priority| priority.to_string()));
    add("issue_type", changes.issue_type.clone());
    add("assignee", changes.assignee.clone().map(Option::unwrap_or_default));
    add("parent", changes.parent.as_ref().map(|id| id.as_ref().map(BeadId::to_string).unwrap_or_default()));
    add("due", changes.due.as_ref().map(time));
    add("defer", changes.defer.as_ref().map(time));
    let minutes = |minutes: Option<u32>| minutes.map(|minutes| minutes.to_string()).unwrap_or_default();
    add("estimated_minutes", changes.estimated_minutes.map(minutes));
    add("external_ref", changes.external_ref.clone().map(Option::unwrap_or_default));
    lines.extend(changes.add_labels.iter().map(|label| line(id, actor, "field").field("labels").to(label)));
    lines.extend(
        changes.remove_labels.iter().map(|label| line(id, actor, "field").field("labels").from(label)),
    );
    lines
}

impl Tracker for RecordedTracker {
    fn kind(&self) -> TrackerKind {
        self.tracker.kind()
    }
    fn describe(&self) -> TrackerInfo {
        self.tracker.describe()
    }
    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        self.tracker.list(filter)
    }
    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError> {
        self.tracker.list_part(filter, part)
    }
    fn content(&self) -> u64 {
        self.tracker.content()
    }
    fn ready(&self) -> Result<Vec<Bead>, TrackerError> {
        self.tracker.ready()
    }
    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<Bead>, TrackerError> {
        self.tracker.in_progress(assignee)
    }
    fn blocked(&self) -> Result<Vec<Bead>, TrackerError> {
        self.tracker.blocked()
    }
    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        self.tracker.show(id)
    }
    fn show_all(&self, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
        self.tracker.show_all(ids)
    }
    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        self.tracker.texts(found)
    }
    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        self.tracker.dependencies()
    }
    fn needs_custom_status(&self) -> Result<bool, TrackerError> {
        self.tracker.needs_custom_status()
    }
    fn capabilities(&self) -> Result<Capabilities, TrackerError> {
        self.tracker.capabilities()
    }
    fn events(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        self.tracker.events(id)
    }
    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError> {
        self.tracker.project_id()
    }
    fn watch_paths(&self) -> Vec<PathBuf> {
        self.tracker.watch_paths()
    }
    fn change_mark(&self) -> Result<Option<String>, TrackerError> {
        self.tracker.change_mark()
    }
    fn watch_mark(&self) -> Result<Option<String>, TrackerError> {
        self.tracker.watch_mark()
    }
    fn renew_claim(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        self.tracker.renew_claim(id, actor)
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError> {
        let made = |made: &BeadDetail| vec![line(&made.bead.id, actor, "created").to(&new.title)];
        self.recorded(self.tracker.create(new, actor), made)
    }
    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        self.recorded(self.tracker.claim(id, actor), |_| vec![line(id, actor, "claimed")])
    }
    fn claim_all(&self, claims: &[(BeadId, Actor)]) -> Option<Vec<Result<(), TrackerError>>> {
        let done = self.tracker.claim_all(claims)?;
        let claimed = claims.iter().zip(&done).filter(|(_, done)| done.is_ok());
        let lines: Vec<AuditLine> = claimed.map(|((id, actor), _)| line(id, actor, "claimed")).collect();
        self.log.record(&lines);
        Some(done)
    }
    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Result<Bead, TrackerError> {
        self.recorded(self.tracker.unclaim(id, actor, before), |_| vec![line(id, actor, "released")])
    }
    fn set_status(&self, id: &BeadId, to: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        self.recorded(self.tracker.set_status(id, to, actor), |_| vec![status(id, actor, to)])
    }
    fn submit(&self, id: &BeadId, custom: CustomStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        let submitted = |_: &Bead| vec![status(id, actor, &BeadStatus::InReview)];
        self.recorded(self.tracker.submit(id, custom, actor), submitted)
    }
    fn close(&self, id: &BeadId, close: &Close, actor: &Actor) -> Result<Bead, TrackerError> {
        let closed = |_: &Bead| match close.reason.as_str() {
            "" => vec![line(id, actor, "closed")],
            reason => vec![line(id, actor, "closed").to(reason)],
        };
        self.recorded(self.tracker.close(id, close, actor), closed)
    }
    fn reopen(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        self.recorded(self.tracker.reopen(id, actor), |_| vec![line(id, actor, "reopened")])
    }
    fn delete(&self, id: &BeadId, actor: &Actor) -> Result<bool, TrackerError> {
        self.recorded(self.tracker.delete(id, actor), |_| vec![line(id, actor, "deleted")])
    }
    fn undelete(&self, id: &BeadId, actor: &Actor) -> Result<BeadDetail, TrackerError> {
        self.recorded(self.tracker.undelete(id, actor), |_| vec![line(id, actor, "restored")])
    }
    fn add_comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, TrackerError> {
        // Not recorded: the bead itself keeps its comments with author and time.
        self.tracker.add_comment(id, text, actor)
    }
    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        let noted = |(): &()| vec![line(id, actor, "field").field("notes").to(text)];
        self.recorded(self.tracker.set_notes(id, text, actor), noted)
    }
    fn append_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        let noted = |(): &()| vec![line(id, actor, "field").field("notes").to(text)];
        self.recorded(self.tracker.append_notes(id, text, actor), noted)
    }
    fn update(
        &self,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<BeadDetail, TrackerError> {
        let updated = self.tracker.update(id, changes, expected, actor);
        self.recorded(updated, |_| fields(id, changes, actor))
    }
    fn add_dependency(
        &self,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        let added = |(): &()| vec![line(id, actor, "dependency").field(kind).to(on.as_str())];
        self.recorded(self.tracker.add_dependency(id, on, kind, actor), added)
    }
    fn remove_dependency(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let removed = |(): &()| vec![line(id, actor, "dependency").from(on.as_str())];
        self.recorded(self.tracker.remove_dependency(id, on, actor), removed)
    }
}
