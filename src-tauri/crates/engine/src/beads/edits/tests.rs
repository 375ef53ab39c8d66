//! Tests edits through the contract, with the embedded store.

use crate::fixture::Fixture;
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::BeadId,
};
use bc_wire::{ErrorCode, api::Api, bead::*, project::Nothing};

fn project() -> Fixture {
    let fixture = Fixture::new();
    bc_store::file::replace(&fixture.ctx.project.beads_dir.join("issues.jsonl"), b"").unwrap();
    fixture
}

fn made(fixture: &Fixture, title: &str) -> BeadId {
    let params = BeadCreateParams { title: title.into(), ..BeadCreateParams::default() };
    fixture.engine.bead_create(params).unwrap().bead.bead.id
}

fn update(fixture: &Fixture, id: &BeadId, change: BeadChange) -> Result<BeadDetail, ErrorCode> {
    let params = BeadUpdateParams { id: id.clone(), change, expected: None, actor: None };
    fixture.engine.bead_update(params).map(|shown| shown.bead).map_err(|error| error.code)
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn dates_are_days_or_moments_and_an_empty_text_clears() {
    let fixture = project();
    let id = made(&fixture, "dated");
    let change = |due: &str| BeadChange { due: text(due), ..BeadChange::default() };
    let due = |due: &str| update(&fixture, &id, change(due)).unwrap().bead.due_at;
    assert_eq!(due("2031-02-03T04:05:06+02:00").unwrap().to_utc().to_string(), "2031-02-03 02:05:06 UTC");
    let day = due("2031-02-03").unwrap().with_timezone(&chrono::Local);
    assert_eq!(day.naive_local().to_string(), "2031-02-03 00:00:00");
    for bad in ["tomorrow", "2031-02-30", "2031-2", "99999-01-01", "+1d"] {
        assert_eq!(update(&fixture, &id, change(bad)), Err(ErrorCode::Usage), "{bad}");
    }
    assert_eq!(due(""), None);
    let all = BeadChange {
        defer: text("2031-01-01"),
        assignee: text("joe"),
        external_ref: text("gh-1"),
        estimated_minutes: Some(5),
        parent: text(made(&fixture, "epic").as_str()),
        ..BeadChange::default()
    };
    let shown = update(&fixture, &id, all).unwrap();
    assert!(shown.bead.defer_until.is_some() && shown.bead.parent.is_some() && !shown.bead.ready);
    assert_eq!((shown.bead.estimated_minutes, shown.external_ref.as_deref()), (Some(5), Some("gh-1")));
    let none = BeadChange {
        defer: text(""),
        assignee: text(" "),
        external_ref: text(""),
        estimated_minutes: Some(0),
        parent: text(""),
        ..BeadChange::default()
    };
    let shown = update(&fixture, &id, none).unwrap();
    let bead = &shown.bead;
    assert_eq!((bead.defer_until, &bead.assignee, &bead.parent), (None, &None, &None));
    assert_eq!((bead.estimated_minutes, shown.external_ref), (None, None));
    let bad = BeadChange { parent: text("--force"), ..BeadChange::default() };
    assert_eq!(update(&fixture, &id, bad), Err(ErrorCode::Usage));
}

#[test]
fn a_new_bead_has_all_fields_of_the_form() {
    let fixture = project();
    let params = BeadCreateParams {
        title: " form ".into(),
        design: "d".into(),
        notes: "n".into(),
        assignee: text("joe"),
        due: text("2031-01-01"),
        defer: text(""),
        estimated_minutes: Some(30),
        external_ref: text("gh-2"),
        ..BeadCreateParams::default()
    };
    let shown = fixture.engine.bead_create(params.clone()).unwrap().bead;
    assert_eq!((shown.bead.title.as_str(), shown.design.as_str(), shown.notes.as_str()), ("form", "d", "n"));
    assert!(shown.bead.due_at.is_some() && shown.bead.defer_until.is_none());
    assert_eq!((shown.bead.estimated_minutes, shown.external_ref.as_deref()), (Some(30), Some("gh-2")));
    let bad = BeadCreateParams { due: text("soon"), ..params };
    assert_eq!(fixture.engine.bead_create(bad).unwrap_err().code, ErrorCode::Usage);
}

#[test]
fn a_stale_form_a_cycle_and_an_unknown_status_have_different_error_codes() {
    let fixture = project();
    let (one, two) = (made(&fixture, "one"), made(&fixture, "two"));
    let opened = fixture.engine.bead_show(BeadRef { id: one.clone() }).unwrap().bead.bead.updated_at;
    let title = |title: &str| BeadChange { title: text(title), ..BeadChange::default() };
    update(&fixture, &one, title("elsewhere")).unwrap();
    let stale = BeadUpdateParams { id: one.clone(), change: title("mine"), expected: opened, actor: None };
    let error = fixture.engine.bead_update(stale).unwrap_err();
    assert_eq!(error.code, ErrorCode::BeadChanged);
    let link = |id: &BeadId, on: &BeadId, kind: Option<&str>| BeadDependencyParams {
        id: id.clone(),
        depends_on: on.clone(),
        kind: kind.map(str::to_owned),
        actor: None,
    };
    let shown = fixture.engine.bead_dep_add(link(&one, &two, None)).unwrap().bead;
    assert_eq!(shown.bead.blocked_by, std::slice::from_ref(&two));
    let error = fixture.engine.bead_dep_add(link(&two, &one, Some("parent-child"))).unwrap_err();
    assert_eq!(error.code, ErrorCode::DependencyCycle);
    assert!(
        error.message.contains(one.as_str()) && error.message.contains(two.as_str()),
        "{}",
        error.message
    );
    let shown = fixture.engine.bead_dep_remove(link(&one, &two, None)).unwrap().bead;
    assert!(shown.links.is_empty());
    let closed = BeadChange { status: Some(BeadStatus::Closed), ..BeadChange::default() };
    assert_eq!(update(&fixture, &one, closed), Err(ErrorCode::Usage));
}

#[test]
fn a_bead_is_deleted_restored_and_reopened_with_a_comment() {
    let fixture = project();
    let id = made(&fixture, "one");
    let params = || BeadDeleteParams { id: id.clone(), actor: None };
    assert!(fixture.engine.bead_delete(params()).unwrap().can_undo);
    let gone = fixture.engine.bead_show(BeadRef { id: id.clone() }).unwrap_err();
    assert_eq!(gone.code, ErrorCode::BeadNotFound);
    assert_eq!(fixture.engine.bead_undelete(params()).unwrap().bead.bead.title, "one");
    fixture.engine.bead_close(BeadCloseParams { id: id.clone(), reason: None, actor: None }).unwrap();
    let reason = |reason: &str| BeadReopenParams { id: id.clone(), reason: text(reason), actor: text("joe") };
    let shown = fixture.engine.bead_reopen(reason("not done")).unwrap().bead;
    assert_eq!(shown.bead.status, BeadStatus::Open);
    assert_eq!((shown.comments[0].text.as_str(), shown.comments[0].author.as_str()), ("not done", "joe"));
    assert_eq!(fixture.engine.bead_reopen(reason("again")).unwrap_err().code, ErrorCode::BeadState);
    let can = fixture.engine.bead_capabilities(Nothing {}).unwrap();
    assert_eq!((can.read_only, can.delete, can.submit_needs_consent), (None, DeleteSupport::Undoable, false));
    assert!(can.types.contains(&"task".to_owned()) && !can.audit.is_empty());
}
