//! Tests the automatic and the manual cleanup of sessions.

use super::*;
use crate::fixture::Fixture;

fn ids(sessions: &[SessionView]) -> Vec<SessionId> {
    sessions.iter().map(|session| session.meta.id).collect()
}

fn delete(fixture: &Fixture, params: DeleteManyParams) -> (Vec<SessionId>, Vec<ErrorCode>) {
    let deleted = delete_many(&fixture.ctx, &params).unwrap();
    (ids(&deleted.sessions), deleted.refused.iter().map(|refused| refused.error.code).collect())
}

#[test]
fn a_draft_older_than_a_day_is_closed_when_the_project_is_opened() {
    let fixture = Fixture::new();
    let (old, new) = (fixture.draft(1, 25), fixture.draft(2, 23));
    let fixture = fixture.reopened();
    let closed = fixture.meta(old);
    assert_eq!((closed.status, closed.close_reason), (Status::Closed, Some(CloseReason::Abandoned)));
    assert_eq!(fixture.meta(new).status, Status::Draft);
}

#[test]
fn the_next_sweep_is_due_with_the_earliest_expiry() {
    let fixture = Fixture::new();
    assert_eq!(sweep(&fixture.ctx, &fixture.ctx.session_lock(), now()).next, None);
    let draft = fixture.draft(1, 20);
    let created = fixture.meta(draft).created_at;
    assert_eq!(
        sweep(&fixture.ctx, &fixture.ctx.session_lock(), now()).next,
        Some(created + Duration::hours(24))
    );
    let swept = sweep(&fixture.ctx, &fixture.ctx.session_lock(), created + Duration::hours(24));
    assert_eq!((swept.closed, swept.next), (vec![draft], None));
}

#[test]
fn a_draft_that_is_being_started_is_left_alone() {
    let fixture = Fixture::new();
    let draft = fixture.draft(1, 30);
    let held = fixture.session_lock(draft);
    assert!(sweep(&fixture.ctx, &fixture.ctx.session_lock(), now()).closed.is_empty());
    drop(held);
    assert_eq!(sweep(&fixture.ctx, &fixture.ctx.session_lock(), now()).closed, [draft]);
}

#[test]
fn a_session_is_removed_after_seven_days_in_the_trash_folder() {
    let fixture = Fixture::new();
    let id = fixture.closed(1, 2);
    super::delete(&fixture.ctx, id).unwrap();
    let trashed = trash(&fixture.ctx).unwrap().sessions;
    assert_eq!((trashed.len(), trashed[0].meta.id), (1, id));
    let due = trashed[0].removed_at;
    assert_eq!(due, trashed[0].deleted_at + Duration::days(7));
    for day in 0..7 {
        let looked = sweep(&fixture.ctx, &fixture.ctx.session_lock(), due - Duration::days(6 - day));
        assert!(looked.removed.is_empty() && looked.next.is_some(), "{day}: {looked:?}");
    }
    assert_eq!(sweep(&fixture.ctx, &fixture.ctx.session_lock(), due + Duration::days(1)).removed, [id]);
    assert!(trash(&fixture.ctx).unwrap().sessions.is_empty());
    assert_eq!(restore(&fixture.ctx, id).unwrap_err().code, ErrorCode::SessionNotFound);
}

#[test]
fn a_clock_that_jumps_by_years_empties_no_trash_folder() {
    let fixture = Fixture::new();
    let id = fixture.closed(1, 2);
    super::delete(&fixture.ctx, id).unwrap();
    let century = Duration::days(36_525);
    for hours in [0, 1, 30, 60] {
        assert_eq!(
            sweep(&fixture.ctx, &fixture.ctx.session_lock(), now() + century + Duration::hours(hours))
                .removed,
            []
        );
    }
    assert_eq!(sweep(&fixture.ctx, &fixture.ctx.session_lock(), now()).removed, []);
    assert_eq!(restore(&fixture.ctx, id).unwrap().meta.id, id);
}

#[test]
fn only_sessions_paused_for_over_a_week_are_stale_the_longest_first() {
    let fixture = Fixture::new();
    let week = 7 * 24;
    let (old, older) = (fixture.paused(1, week + 1), fixture.paused(2, week + 50));
    fixture.paused(3, week - 1);
    fixture.closed(4, week * 2);
    let found = stale(&fixture.ctx).unwrap();
    assert_eq!((ids(&found.sessions), found.days), (vec![older, old], 7));
    assert_eq!(ids(&cleanup(&fixture.ctx).unwrap().stale.sessions), [older, old]);
    assert_eq!(fixture.meta(old).status, Status::Paused, "only the user closes a paused session");
}

#[test]
fn closed_sessions_are_deleted_by_name_and_others_are_refused() {
    let fixture = Fixture::new();
    let (closed, paused) = (fixture.closed(1, 1), fixture.paused(2, 1));
    let unknown = SessionId(uuid::Uuid::from_u128(9));
    let params = DeleteManyParams { ids: vec![closed, paused, unknown, closed], ..Default::default() };
    assert_eq!(
        delete(&fixture, DeleteManyParams { dry_run: true, ..params.clone() }).0,
        [closed],
        "a dry run deletes nothing"
    );
    assert_eq!(
        delete(&fixture, params),
        (vec![closed], vec![ErrorCode::SessionState, ErrorCode::SessionNotFound])
    );
    assert_eq!(trash(&fixture.ctx).unwrap().sessions.len(), 1);
    assert_eq!(restore(&fixture.ctx, closed).unwrap().meta.id, closed);
}

#[test]
fn a_date_range_selects_sessions_closed_in_it() {
    let fixture = Fixture::new();
    let [new, middle, old] = [(1, 10), (2, 20), (3, 30)].map(|(n, hours)| fixture.closed(n, hours));
    fixture.paused(4, 20);
    let at = |hours| Some(now() - Duration::hours(hours));
    let range = |before, after| DeleteManyParams { before, after, dry_run: true, ..Default::default() };
    assert_eq!(delete(&fixture, range(at(15), None)).0, [old, middle]);
    assert_eq!(delete(&fixture, range(at(15), at(25))).0, [middle]);
    assert_eq!(delete(&fixture, range(None, at(25))).0, [middle, new]);
    let named = DeleteManyParams { ids: vec![old, new], ..range(at(15), None) };
    assert_eq!(delete(&fixture, named).0, [old]);
    let nothing = delete_many(&fixture.ctx, &DeleteManyParams::default()).unwrap_err();
    assert_eq!(nothing.code, ErrorCode::Usage);
}
