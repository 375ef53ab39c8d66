//! A project's needs: everything that waits for the user, as listed by the command `session.needs`.
//!
//! May use: `context`, `merge_queue`, `session`.

mod of_session;

use crate::{
    context::{Context, errors::tracker_error},
    merge_queue, session,
};
use bc_beads::ListFilter;
use bc_core::{
    bead::{Bead, BeadStatus},
    fleet::MergeStatus,
    ids::BeadId,
    session::Status,
};
use bc_wire::{ApiError, fleet::FleetQueueRow, session::*};
use of_session::line;
use std::collections::BTreeSet;

pub(crate) fn list(ctx: &Context) -> Result<Needs, ApiError> {
    // Drafts and closed sessions have no needs.
    let open = SessionListParams { status: vec![Status::Active, Status::Paused] };
    let listed = session::list(ctx, &open)?;
    let mut warnings = listed.warnings;
    let mut items: Vec<Need> = Vec::new();
    for view in &listed.sessions {
        items.extend(of_session::needs(view, || ctx.store.session(view.meta.id).latest_message()));
    }
    // A failure to list merges or reviews must not hide the needs of sessions.
    let rows = merge_queue::queue_state(ctx).map(|queue| queue.rows).unwrap_or_else(|error| {
        warnings.push(error.message);
        Vec::new()
    });
    items.extend(rows.iter().filter_map(stopped));
    match in_review(ctx) {
        Ok(beads) => {
            let queued = waiting(&rows);
            items.extend(beads.into_iter().filter(|bead| !queued.contains(&bead.id)).filter_map(review));
        }
        Err(error) => warnings.push(error.message),
    }
    items.sort_by_key(|need| (need.kind, need.since));
    Ok(Needs { items, warnings })
}

/// The need of a stopped merge; `None` if the merge is not stopped or was skipped.
fn stopped(row: &FleetQueueRow) -> Option<Need> {
    let trouble = row.trouble.as_ref().filter(|_| !row.skipped)?;
    Some(Need {
        id: format!("merge:{}:{}", row.id, trouble.at.timestamp_millis()),
        kind: NeedKind::Merge,
        session: row.session,
        bead: Some(row.bead.clone()),
        title: line(&row.title),
        text: line(&trouble.text),
        since: trouble.at,
        until: None,
        request: None,
        merge: Some(row.id.clone()),
    })
}

/// The beads whose merge request is neither merged nor skipped. They do not need a review.
fn waiting(rows: &[FleetQueueRow]) -> BTreeSet<&BeadId> {
    rows.iter().filter(|row| row.status != MergeStatus::Merged && !row.skipped).map(|row| &row.bead).collect()
}

fn in_review(ctx: &Context) -> Result<Vec<Bead>, ApiError> {
    let filter = ListFilter { statuses: vec![BeadStatus::InReview], ..ListFilter::open() };
    Ok(ctx.tracker()?.list(&filter).map_err(tracker_error)?.beads)
}

fn review(bead: Bead) -> Option<Need> {
    Some(Need {
        id: format!("review:{}", bead.id),
        kind: NeedKind::Review,
        session: None,
        title: line(&bead.title),
        text: String::new(),
        since: bead.updated_at.or(bead.created_at)?,
        until: None,
        request: None,
        merge: None,
        bead: Some(bead.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{context::now, fixture::Fixture};
    use bc_core::session::{Event, PauseReason};
    use bc_wire::{api::Api, project::Nothing};

    #[test]
    fn interrupted_sessions_and_beads_in_review_wait_for_the_user_and_others_do_not() {
        let fixture = Fixture::new();
        let interrupted = fixture.session(1, 3, &[Event::Start, Event::Pause(PauseReason::Interrupted)]);
        fixture.paused(2, 2);
        fixture.closed(3, 2);
        fixture.draft(4, 2);
        let bead = |id: &str, status: &str| {
            let at = now().to_rfc3339();
            format!(
                "{{\"id\":\"{id}\",\"title\":\"Title of {id}\",\"status\":\"{status}\",\"updated_at\":\"{at}\"}}\n"
            )
        };
        let text = [bead("done", "in_review"), bead("doing", "in_progress")].concat();
        let file = fixture.ctx.project.beads_dir.join("issues.jsonl");
        bc_store::file::replace(&file, text.as_bytes()).unwrap();
        let needs = fixture.engine.session_needs(Nothing {}).unwrap();
        let found: Vec<(NeedKind, Option<_>, &str)> =
            needs.items.iter().map(|need| (need.kind, need.session, need.title.as_str())).collect();
        let expected = [
            (NeedKind::Error, Some(interrupted), "Untitled session"),
            (NeedKind::Review, None, "Title of done"),
        ];
        assert_eq!((found.as_slice(), needs.warnings), (expected.as_slice(), Vec::<String>::new()));
    }
}
