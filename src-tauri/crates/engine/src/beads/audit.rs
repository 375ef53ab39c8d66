//! A bead's audit: who changed the bead, how, when, and in which session.
//!
//! The sources are the tracker's own events, the changes that this program recorded (`context/audit_log.rs`), the
//! bead's own times and comments, and its sessions. A change in several sources is listed once.

use crate::context::{
    Context,
    audit_log::{AuditLine, AuditLog, shortened},
    errors::{file_error, tracker_error},
};
use bc_beads::{TrackerError, TrackerEvent};
use bc_core::{
    Timestamp,
    bead::BeadDetail,
    ids::{BeadId, SessionId},
    session::Meta,
};
use bc_wire::{ApiError, bead::*};
use chrono::Duration;
use std::collections::HashMap;

/// The maximum difference between the times that two sources give for the same change. On a busy machine, a
/// tracker's program can take seconds.
const SAME_CHANGE: Duration = Duration::seconds(30);

pub(crate) fn audit(ctx: &Context, id: &BeadId) -> Result<BeadAudit, ApiError> {
    let tracker = ctx.tracker()?;
    let (recorded, unread) = AuditLog::at(&ctx.project.beads_dir).of_bead(id).map_err(file_error)?;
    let detail = match tracker.show(id) {
        // The bead was deleted, but its recorded changes can still be shown.
        Err(TrackerError::NotFound { .. }) if !recorded.is_empty() => None,
        shown => Some(shown.map_err(tracker_error)?),
    };
    let events = match &detail {
        Some(_) => tracker.events(id).map_err(tracker_error)?,
        None => Vec::new(),
    };
    let has_no_events = events.is_empty();
    let sessions = ctx.metas()?;
    let by_actor: HashMap<&str, SessionId> =
        sessions.iter().filter_map(|meta| Some((meta.actor.as_deref()?, meta.id))).collect();
    let mut history = History { events: Vec::new(), by_actor };
    history.extend(events.into_iter().map(tracker_event));
    history.extend(recorded.into_iter().map(recorded_event));
    history.extend(detail.iter().flat_map(bead_events));
    let own = sessions.iter().filter(|meta| meta.bead_id.as_ref() == Some(id));
    history.extend(own.flat_map(session_events));
    Ok(BeadAudit { id: id.clone(), events: history.in_order(), note: note(has_no_events, unread) })
}

fn note(has_no_events: bool, unread: usize) -> Option<String> {
    let mut notes = Vec::new();
    if has_no_events {
        notes.push("Changes by other programs are not included: the tracker reports none.".to_owned());
    }
    if unread > 0 {
        notes.push(format!("{unread} recorded lines are damaged or of a newer version and were skipped."));
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}

struct History<'a> {
    events: Vec<AuditEvent>,
    by_actor: HashMap<&'a str, SessionId>,
}

impl History<'_> {
    /// Adds the events of one source, except those that an earlier source already reported.
    fn extend(&mut self, source: impl IntoIterator<Item = AuditEvent>) {
        let earlier = self.events.len();
        for mut event in source {
            if self.events[..earlier].iter().any(|known| is_same(known, &event)) {
                continue;
            }
            if event.session.is_none() {
                event.session = self.by_actor.get(event.actor.as_str()).copied();
            }
            self.events.push(event);
        }
    }

    /// The events, oldest first. If the earlier value of a status change is unknown, it is taken from the preceding
    /// event that set the status.
    fn in_order(mut self) -> Vec<AuditEvent> {
        self.events.sort_by_key(|event| event.at);
        let mut status: Option<String> = None;
        for event in &mut self.events {
            status = match event.kind.as_str() {
                "created" | "reopened" | "released" => Some("open".to_owned()),
                "claimed" => Some("in_progress".to_owned()),
                "closed" => Some("closed".to_owned()),
                "status" => {
                    event.from = event.from.take().or(status.take());
                    event.to.clone()
                }
                _ => continue,
            };
        }
        self.events
    }
}

/// Whether two sources report the same change.
fn is_same(known: &AuditEvent, event: &AuditEvent) -> bool {
    let same_values = match (&known.to, &event.to) {
        (Some(one), Some(other)) => one == other || matches!(event.kind.as_str(), "created" | "closed"),
        _ => true,
    };
    let kinds = (known.kind.as_str(), event.kind.as_str());
    let same_kind = kinds.0 == kinds.1
        || match kinds {
            ("status", "closed") => known.to.as_deref() == Some("closed"),
            ("status", "claimed") => known.to.as_deref() == Some("in_progress"),
            ("status", "reopened" | "released") => known.to.as_deref() == Some("open"),
            _ => false,
        };
    let same_actor = known.actor == event.actor || known.actor.is_empty() || event.actor.is_empty();
    let close = (known.at - event.at).abs() <= SAME_CHANGE;
    same_kind && same_actor && close && known.field == event.field && (kinds.0 != kinds.1 || same_values)
}

fn event(at: Timestamp, actor: &str, kind: &str) -> AuditEvent {
    AuditEvent {
        at,
        actor: actor.to_owned(),
        session: None,
        kind: kind.to_owned(),
        field: None,
        from: None,
        to: None,
    }
}

fn tracker_event(reported: TrackerEvent) -> AuditEvent {
    let value = |value: Option<String>| value.map(|value| shortened(&value));
    AuditEvent {
        field: reported.field,
        from: value(reported.from),
        to: value(reported.to),
        ..event(reported.at, &reported.actor, &reported.kind)
    }
}

fn recorded_event(line: AuditLine) -> AuditEvent {
    AuditEvent { field: line.field, from: line.from, to: line.to, ..event(line.at, &line.actor, &line.kind) }
}

/// The events in the bead's own data: its creation, closing and comments.
fn bead_events(detail: &BeadDetail) -> Vec<AuditEvent> {
    let mut events = Vec::new();
    if let Some(at) = detail.bead.created_at {
        events.push(event(at, detail.created_by.as_deref().unwrap_or_default(), "created"));
    }
    let comments = detail.comments.iter().filter_map(|comment| {
        let to = Some(shortened(&comment.text));
        Some(AuditEvent { to, ..event(comment.created_at?, &comment.author, "comment") })
    });
    events.extend(comments);
    if let Some(at) = detail.bead.closed_at {
        let to = detail.close_reason.as_deref().map(shortened);
        events.push(AuditEvent { to, ..event(at, "", "closed") });
    }
    events
}

fn session_events(meta: &Meta) -> Vec<AuditEvent> {
    let actor = meta.actor.as_deref().unwrap_or_default();
    let of = |at: Option<Timestamp>, kind: &str| {
        at.map(|at| AuditEvent { session: Some(meta.id), ..event(at, actor, kind) })
    };
    let ends = of(meta.closed_at, "session_ended");
    of(meta.started_at, "session_started").into_iter().chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_wire::api::Api;

    fn create(fixture: &Fixture) -> BeadId {
        let file = fixture.ctx.project.beads_dir.join("issues.jsonl");
        bc_store::file::replace(&file, b"").unwrap();
        let made = fixture.engine.bead_create(BeadCreateParams { title: "One".into(), ..Default::default() });
        made.unwrap().bead.bead.id
    }

    fn kinds(audit: &BeadAudit) -> Vec<String> {
        let shown = |event: &AuditEvent| {
            let parts = [Some(event.kind.as_str()), event.field.as_deref(), event.from.as_deref()];
            let parts = parts.into_iter().chain([event.to.as_deref()]).flatten();
            parts.collect::<Vec<_>>().join(" ")
        };
        audit.events.iter().map(shown).collect()
    }

    #[test]
    fn every_change_of_a_bead_is_listed_once_with_its_session() {
        let fixture = Fixture::new();
        let id = create(&fixture);
        let session = fixture.paused(7, 1);
        let lock = fixture.session_lock(session);
        let mut meta = lock.meta().unwrap();
        meta.actor = Some("ann/00000000".to_owned());
        lock.save_meta(&meta).unwrap();
        let actor = Some("ann/00000000".to_owned());
        let api = &fixture.engine;
        api.bead_claim(BeadClaimParams { id: id.clone(), actor: actor.clone() }).unwrap();
        let comment = BeadCommentParams { id: id.clone(), text: "half\ndone".into(), actor: actor.clone() };
        api.bead_comment(comment).unwrap();
        let change = BeadSubmitParams {
            id: id.clone(),
            add_status: false,
            without_commit: true,
            log: false,
            actor: actor.clone(),
        };
        api.bead_submit(change).unwrap();
        let close = BeadCloseParams { id: id.clone(), reason: Some("fine".into()), actor };
        api.bead_close(close).unwrap();
        let audit = api.bead_audit(BeadRef { id }).unwrap();
        assert_eq!(
            kinds(&audit),
            ["created One", "claimed", "comment half done", "status in_progress in_review", "closed fine"]
        );
        assert!(audit.events[0].session.is_none());
        assert!(audit.events[1..].iter().all(|event| event.session == Some(session)), "{audit:#?}");
    }

    #[test]
    fn the_same_change_in_two_sources_is_one() {
        let at = |seconds: i64| crate::context::now() + Duration::seconds(seconds);
        let status = |at, to: &str| AuditEvent { to: Some(to.into()), ..event(at, "ann", "status") };
        let mut history = History { events: Vec::new(), by_actor: HashMap::new() };
        history.extend([status(at(0), "in_progress"), status(at(60), "closed")]);
        history.extend([event(at(2), "ann", "claimed"), event(at(300), "ann", "claimed")]);
        history.extend([event(at(61), "", "closed"), event(at(3), "bob", "claimed")]);
        assert_eq!(history.events.len(), 4);
    }
}
