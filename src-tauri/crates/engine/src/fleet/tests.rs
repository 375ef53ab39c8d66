//! Tests of the fleet commands, the assignment of beads, and state files written by other programs.

use super::{attempts, open_sessions, snapshot};
use crate::{fixture::Fixture, fleet_state::state};
use bc_core::{
    fleet::{AgentRole, AgentStatus, DispatchRecord, HookStatus, Priority, WorkStatus},
    ids::{BeadId, FleetAgentId, SessionId},
};
use bc_wire::{ApiError, ErrorCode, api::Api, bead::*, fleet::*, project::Nothing};

/// An empty project with the embedded store.
fn project() -> Fixture {
    let fixture = Fixture::new();
    bc_store::file::replace(&fixture.ctx.project.beads_dir.join("issues.jsonl"), b"").unwrap();
    fixture
}

fn polecat(fixture: &Fixture) -> FleetAgentId {
    let params = FleetAgentCreateParams { role: AgentRole::Polecat, rig: None, name: None };
    fixture.engine.fleet_agent_create(params).unwrap().agent.unwrap().id
}

fn bead(fixture: &Fixture, title: &str, priority: u8) -> BeadId {
    let params =
        BeadCreateParams { title: title.into(), priority: Some(priority), ..BeadCreateParams::default() };
    fixture.engine.bead_create(params).unwrap().bead.bead.id
}

#[test]
fn a_bead_of_the_tracker_becomes_work_when_an_agent_gets_it() {
    let fixture = project();
    let (agent, bead) = (polecat(&fixture), bead(&fixture, "Fix auth bug", 4));
    let params = FleetHookParams { agent: agent.clone(), bead: bead.clone() };
    let hook = fixture.engine.fleet_hook_set(params.clone()).unwrap().hook.unwrap();
    assert_eq!(hook.status, HookStatus::Pending);
    let work = fixture.engine.fleet_work(FleetWorkRef { bead: bead.clone() }).unwrap().work.unwrap();
    assert_eq!((work.title.as_str(), work.priority), ("Fix auth bug", Priority::P3));
    let again = fixture.engine.fleet_hook_set(params).unwrap_err();
    assert_eq!(again.code, ErrorCode::HookState);
    assert!(again.message.contains(bead.as_str()), "{}", again.message);

    fixture.engine.bead_close(BeadCloseParams { id: bead.clone(), reason: None, actor: None }).unwrap();
    let work = fixture.engine.fleet_work(FleetWorkRef { bead }).unwrap().work.unwrap();
    assert_eq!(work.status, WorkStatus::Done, "the tracker's status takes precedence");
}

#[test]
fn a_closed_or_unknown_bead_cannot_be_assigned() {
    let fixture = project();
    let (agent, closed) = (polecat(&fixture), bead(&fixture, "Done", 2));
    fixture.engine.bead_close(BeadCloseParams { id: closed.clone(), reason: None, actor: None }).unwrap();
    let set = |bead: &str| {
        let params = FleetHookParams { agent: agent.clone(), bead: bead.parse().unwrap() };
        fixture.engine.fleet_hook_set(params).unwrap_err().code
    };
    assert_eq!(set(closed.as_str()), ErrorCode::BeadState);
    assert_eq!(set("BC-999"), ErrorCode::BeadNotFound);
    let unknown = FleetHookParams { agent: "polecat-missing".parse().unwrap(), bead: closed };
    assert_eq!(fixture.engine.fleet_hook_set(unknown).unwrap_err().code, ErrorCode::BeadState);
    assert_eq!(fixture.engine.fleet_work_list(Nothing {}).unwrap().work, Vec::new());
}

#[test]
fn an_agent_is_shown_with_its_observed_status_and_not_the_recorded_one() {
    let fixture = Fixture::new();
    let agent = polecat(&fixture);
    let params = FleetAgentStatusParams { id: agent.clone(), status: AgentStatus::Active };
    fixture.engine.fleet_agent_status(params).unwrap();
    let shown = fixture.engine.fleet_agent(FleetAgentRef { id: agent.clone() }).unwrap().agent.unwrap();
    assert_eq!(shown.status, AgentStatus::Idle, "the agent has no live session");
    let params = FleetAgentStatusParams { id: agent, status: AgentStatus::Terminated };
    fixture.engine.fleet_agent_status(params).unwrap();
    let all = fixture.engine.fleet_agents(FleetAgentsParams::default()).unwrap();
    assert_eq!(all.agents[0].status, AgentStatus::Terminated);
}

#[test]
fn a_convoy_shows_the_progress_of_its_work() {
    let fixture = Fixture::new();
    let params =
        FleetWorkCreateParams { title: "One".into(), description: String::new(), priority: Priority::P2 };
    let one = fixture.engine.fleet_work_create(params).unwrap().work.unwrap().bead_id;
    let params = FleetConvoyCreateParams {
        name: "Sprint 1".into(),
        beads: vec![one.clone(), "BC-77".parse().unwrap()],
    };
    let convoy = fixture.engine.fleet_convoy_create(params).unwrap().convoy.unwrap();
    let params = FleetWorkStatusParams { bead: one, status: WorkStatus::Merged };
    fixture.engine.fleet_work_status(params).unwrap();
    let counted = fixture.engine.fleet_convoy_progress(FleetConvoyRef { id: convoy.id }).unwrap();
    assert_eq!(counted.convoy.unwrap().progress, 0.5);
    assert_eq!(counted.events.len(), 3);
    let empty = FleetConvoyCreateParams { name: "Nothing".into(), beads: Vec::new() };
    assert_eq!(fixture.engine.fleet_convoy_create(empty).unwrap_err().code, ErrorCode::Usage);
}

#[test]
fn a_reopened_bead_can_be_assigned_to_an_agent() {
    let fixture = project();
    let (agent, bead) = (polecat(&fixture), bead(&fixture, "Twice", 2));
    let params = FleetHookParams { agent: agent.clone(), bead: bead.clone() };
    let named = FleetAgentRef { id: agent };
    fixture.engine.fleet_hook_set(params.clone()).unwrap();
    fixture.engine.fleet_hook_activate(named.clone()).unwrap();
    fixture.engine.fleet_hook_complete(named.clone()).unwrap();
    fixture.engine.fleet_hook_clear(named).unwrap();
    let hook = fixture.engine.fleet_hook_set(params).unwrap().hook.unwrap();
    assert_eq!(hook.work_item.unwrap().status, WorkStatus::Hooked);
}

#[test]
fn an_agent_that_cannot_be_started_releases_its_work_and_reports_the_reason() {
    // The project is not a repository, and claude may be missing.
    let fixture = project();
    let (agent, bead) = (polecat(&fixture), bead(&fixture, "Work", 2));
    let params = FleetDispatchParams { pairs: Vec::new(), all: true };
    let done = fixture.engine.fleet_dispatch(params).unwrap();
    assert_eq!(done.given, Vec::new());
    assert_eq!((&done.refused[0].agent, &done.refused[0].bead), (&agent, &bead));
    let overview = fixture.engine.fleet_overview(Nothing {}).unwrap();
    assert_eq!(
        (overview.agents[0].hook, overview.agents[0].state),
        (HookStatus::Empty, FleetAgentState::Idle)
    );
    assert_eq!(overview.ready.iter().map(|ready| &ready.bead).collect::<Vec<_>>(), [&bead]);
    let why = overview.dispatch.why_not.unwrap();
    assert!(why.contains("could not be opened"), "{why}");
}

#[test]
fn a_bead_that_is_blocked_again_before_its_start_is_not_held_back() {
    let fixture = project();
    let (agent, waits) = (polecat(&fixture), bead(&fixture, "Late", 2));
    let refused = ApiError::new(ErrorCode::BeadState, "it waits for another".to_owned());
    let held = || {
        open_sessions::record_failure(
            &fixture.ctx,
            &agent,
            &waits,
            &open_sessions::OpenMode::New { place: None },
            &refused,
        );
        let record: DispatchRecord = state(&fixture.ctx).kept(snapshot::DISPATCH).unwrap();
        record.beads.get(&waits).and_then(|tries| tries.held.clone())
    };
    // The bead is ready but was refused, so a retry would also fail.
    assert!(held().unwrap().contains("waits for another"));
    attempts::forget(&state(&fixture.ctx), &waits);
    fixture.engine.bead_close(BeadCloseParams { id: waits.clone(), reason: None, actor: None }).unwrap();
    assert_eq!(held(), None);
}

#[test]
fn a_host_that_cannot_start_suspends_dispatch_here_but_only_avoids_a_place() {
    let fixture = project();
    let (agent, work) = (polecat(&fixture), bead(&fixture, "Work", 2));
    let lost = ApiError::new(ErrorCode::HostUnreachable, "build cannot be reached".to_owned());
    let failed_at = |place: Option<&str>| {
        let mode = open_sessions::OpenMode::New { place: place.map(str::to_owned) };
        open_sessions::record_failure(&fixture.ctx, &agent, &work, &mode, &lost);
        let record: DispatchRecord = state(&fixture.ctx).kept(snapshot::DISPATCH).unwrap();
        (fixture.ctx.fleet.suspension().is_some(), record.avoids("build", crate::context::now()))
    };
    assert_eq!(failed_at(Some("build")), (false, true));
    assert_eq!(failed_at(None), (true, true));
}

#[test]
fn a_resume_at_a_lost_place_does_not_count_as_an_attempt_on_the_bead() {
    let fixture = project();
    let (agent, work) = (polecat(&fixture), bead(&fixture, "Work", 2));
    let session = fixture.draft(1, 0);
    let lock = fixture.session_lock(session);
    let mut meta = lock.meta().unwrap();
    meta.place = Some("build".into());
    lock.save_meta(&meta).unwrap();
    drop(lock);
    let resumed_after = |code: ErrorCode| {
        attempts::note(&state(&fixture.ctx), &work, |tries| tries.resumed = 1);
        let mode = open_sessions::OpenMode::Resume { session, reclaim: false };
        let error = ApiError::new(code, "no".to_owned());
        open_sessions::record_failure(&fixture.ctx, &agent, &work, &mode, &error);
        let record: DispatchRecord = state(&fixture.ctx).kept(snapshot::DISPATCH).unwrap();
        (
            record.beads.get(&work).map_or(0, |tries| tries.resumed),
            record.avoids("build", crate::context::now()),
        )
    };
    assert_eq!(resumed_after(ErrorCode::ClaudeExited), (1, false));
    assert_eq!(resumed_after(ErrorCode::MachineUnreachable), (0, true));
    assert_eq!(resumed_after(ErrorCode::HostUnreachable), (1, true));
}

#[test]
fn impossible_pairs_are_refused_individually() {
    let fixture = project();
    let agent = polecat(&fixture);
    let closed = bead(&fixture, "Done", 2);
    fixture.engine.bead_close(BeadCloseParams { id: closed.clone(), reason: None, actor: None }).unwrap();
    let pairs = [closed.as_str(), "BC-404"]
        .map(|bead| FleetHookParams { agent: agent.clone(), bead: bead.parse().unwrap() });
    let done =
        fixture.engine.fleet_dispatch(FleetDispatchParams { pairs: pairs.to_vec(), all: false }).unwrap();
    let whys: Vec<&str> = done.refused.iter().map(|refused| refused.why.as_str()).collect();
    assert!(whys[0].contains("closed") && whys[1].contains("BC-404"), "{whys:?}");
    assert_eq!(done.given, Vec::new());
}

#[test]
fn a_convoy_takes_ten_thousand_beads_duplicates_and_unknown_ones() {
    let fixture = project();
    let one = bead(&fixture, "One", 2);
    let mut beads: Vec<BeadId> = (0..10_000).map(|n| format!("BC-x{n}").parse().unwrap()).collect();
    beads.extend([one.clone(), one.clone()]);
    let params = FleetConvoyCreateParams { name: "All".into(), beads };
    let id = fixture.engine.fleet_convoy_create(params).unwrap().convoy.unwrap().id;
    let now = fixture.engine.fleet_overview(Nothing {}).unwrap().convoys.remove(0);
    assert_eq!((now.total, now.counts.missing, now.counts.ready), (10_001, 10_000, 1));
    assert_eq!((now.stranded_total, now.stranded.len()), (10_000, 100));
    let gone: Vec<BeadId> = (0..10_000).map(|n| format!("BC-x{n}").parse().unwrap()).collect();
    let params = FleetConvoyBeadsParams { id: id.clone(), beads: gone };
    let left = fixture.engine.fleet_convoy_remove(params).unwrap().convoy.unwrap();
    assert_eq!(left.bead_ids, std::slice::from_ref(&one));
    let last = FleetConvoyBeadsParams { id: id.clone(), beads: vec![one.clone()] };
    assert_eq!(fixture.engine.fleet_convoy_remove(last).unwrap_err().code, ErrorCode::Usage);
    fixture.engine.bead_close(BeadCloseParams { id: one, reason: None, actor: None }).unwrap();
    let counted = fixture.engine.fleet_convoy_progress(FleetConvoyRef { id: id.clone() }).unwrap();
    assert_eq!(counted.convoy.unwrap().progress, 1.0);
    crate::fleet::reconcile(&fixture.ctx).unwrap();
    let closed = |fixture: &Fixture| fixture.engine.fleet_overview(Nothing {}).unwrap().convoys[0].closed_at;
    assert!(closed(&fixture).is_some(), "all work is done");
    let params = FleetConvoyCloseParams { id, reopen: true };
    fixture.engine.fleet_convoy_close(params).unwrap();
    assert_eq!(closed(&fixture), None);
}

#[test]
fn an_unfinished_merge_request_takes_precedence_over_a_merged_one() {
    for [first, second] in [["merged", "conflicted"], ["conflicted", "merged"]] {
        let fixture = project();
        let bead = bead(&fixture, "Again", 2);
        let params = FleetConvoyCreateParams { name: "One".into(), beads: vec![bead.clone()] };
        fixture.engine.fleet_convoy_create(params).unwrap();
        for (name, status) in [("merge-0000000001", first), ("merge-0000000002", second)] {
            let request = serde_json::json!({
                "id": name, "sourceBranch": "work", "targetBranch": "main", "status": status, "beadId": bead,
            });
            let folder = crate::fleet_state::dir(&fixture.ctx.project).join("merge-queue");
            bc_store::file::create_dir(&folder).unwrap();
            bc_store::file::replace(&folder.join(format!("{name}.json")), request.to_string().as_bytes())
                .unwrap();
        }
        let now = fixture.engine.fleet_overview(Nothing {}).unwrap().convoys.remove(0);
        assert_eq!(now.counts.conflicted, 1, "{first}, then {second}: {now:?}");
    }
}

#[test]
fn a_session_that_ended_before_the_assignment_is_ignored() {
    let fixture = project();
    let (agent, bead) = (polecat(&fixture), bead(&fixture, "Twice", 2));
    let session = |n: u128, closed_in: i64| {
        let mut meta = fixture.meta(fixture.closed(n, 2));
        (meta.id, meta.fleet_agent, meta.bead_id) =
            (SessionId(uuid::Uuid::from_u128(n + 100)), Some(agent.clone()), Some(bead.clone()));
        meta.closed_at = Some(crate::context::now() + chrono::Duration::hours(closed_in));
        drop(fixture.ctx.store.create(&meta).unwrap());
        meta.id
    };
    let of_agent = || {
        let snapshot = snapshot::take(&fixture.ctx).unwrap();
        snapshot.session(&snapshot.agents[0]).map(|meta| meta.id)
    };
    session(1, -1);
    fixture.engine.fleet_hook_set(FleetHookParams { agent: agent.clone(), bead: bead.clone() }).unwrap();
    assert_eq!(of_agent(), None, "the session ended before the assignment");
    // A session that ended after the assignment belongs to it.
    let ended = session(2, 1);
    assert_eq!(of_agent(), Some(ended));
}

/// Writes a state file as another program does.
fn theirs(fixture: &Fixture, path: &str, entity: serde_json::Value) {
    let path = crate::fleet_state::dir(&fixture.ctx.project).join(path);
    bc_store::file::create_dir(path.parent().unwrap()).unwrap();
    bc_store::file::replace(&path, entity.to_string().as_bytes()).unwrap();
}

fn ready(fixture: &Fixture) -> Vec<BeadId> {
    let overview = fixture.engine.fleet_overview(Nothing {}).unwrap();
    overview.ready.into_iter().map(|ready| ready.bead).collect()
}

#[test]
fn a_bead_that_another_program_completed_is_not_dispatched_again() {
    let fixture = project();
    let (agent, other) = (polecat(&fixture), polecat(&fixture));
    let (done, open) = (bead(&fixture, "Done elsewhere", 1), bead(&fixture, "Open", 2));
    let item = serde_json::json!({
        "beadId": done, "title": "Done elsewhere", "description": "", "status": "in_progress",
        "assignee": agent, "hookStatus": "active", "priority": "P1",
    });
    theirs(&fixture, &format!("work/{done}.json"), item);
    let hook = serde_json::json!({
        "agentId": agent, "status": "completed", "lastActivity": "2026-01-19T10:00:00.000Z",
    });
    theirs(&fixture, &format!("hooks/{agent}.json"), hook);
    assert_eq!(ready(&fixture), std::slice::from_ref(&open), "the tracker still has the bead as open");
    crate::fleet::reconcile(&fixture.ctx).unwrap();
    // The other program clears the hook.
    bc_store::file::remove(
        &crate::fleet_state::dir(&fixture.ctx.project).join(format!("hooks/{agent}.json")),
    )
    .unwrap();
    let work = fixture.engine.fleet_work(FleetWorkRef { bead: done.clone() }).unwrap().work.unwrap();
    assert_eq!(work.status, WorkStatus::Done);
    assert_eq!(ready(&fixture), std::slice::from_ref(&open));
    let out = fixture.engine.fleet_dispatch(FleetDispatchParams { pairs: Vec::new(), all: true }).unwrap();
    assert!(out.refused.iter().all(|refused| refused.bead == open), "{:?}", out.refused);
    // The user can still assign or reopen the bead.
    let params = FleetHookParams { agent: other.clone(), bead: done.clone() };
    assert_eq!(fixture.engine.fleet_hook_set(params).unwrap().hook.unwrap().status, HookStatus::Pending);
    fixture.engine.fleet_hook_clear(FleetAgentRef { id: other }).unwrap();
    assert!(ready(&fixture).contains(&done));
}

#[test]
fn a_completed_hook_is_shown_with_its_work_and_cleared() {
    let fixture = project();
    let (agent, done) = (polecat(&fixture), bead(&fixture, "Done elsewhere", 1));
    let item = serde_json::json!({
        "beadId": done, "title": "Done elsewhere", "description": "", "status": "open",
        "hookStatus": "empty", "priority": "P1",
    });
    let hook = serde_json::json!({
        "agentId": agent, "status": "completed", "workItem": item, "lastActivity": "2026-01-19T10:00:00.000Z",
    });
    theirs(&fixture, &format!("hooks/{agent}.json"), hook);
    crate::fleet::reconcile(&fixture.ctx).unwrap();
    let now = fixture.engine.fleet_overview(Nothing {}).unwrap().agents.remove(0);
    assert_eq!(
        (now.hook, now.state, now.bead.as_ref()),
        (HookStatus::Completed, FleetAgentState::Idle, Some(&done))
    );
    assert!(now.reason.unwrap().contains("done"));
    let params = FleetRecoverParams { agent: agent.clone(), action: FleetRecovery::Release };
    let now = fixture.engine.fleet_recover(params).unwrap().agent;
    assert_eq!((now.hook, now.bead), (HookStatus::Empty, None));
    let work = fixture.engine.fleet_work(FleetWorkRef { bead: done.clone() }).unwrap().work.unwrap();
    assert_eq!((work.status, ready(&fixture)), (WorkStatus::Done, Vec::new()));
}

#[test]
fn an_agent_in_another_programs_session_is_shown_with_it_and_gets_no_work() {
    let fixture = project();
    bead(&fixture, "Open", 2);
    let agent = serde_json::json!({
        "id": "polecat-alpha", "role": "polecat", "rig": "r", "hookId": "hook-polecat-alpha",
        "status": "active", "sessionId": "../their session",
    });
    theirs(&fixture, "agents/polecat-alpha.json", agent);
    crate::fleet::reconcile(&fixture.ctx).unwrap();
    let overview = fixture.engine.fleet_overview(Nothing {}).unwrap();
    let now = &overview.agents[0];
    assert_eq!(now.identity.session_id.as_ref().unwrap().to_string(), "../their session");
    assert!(now.session_id.is_none() && now.reason.as_ref().unwrap().contains("../their session"), "{now:?}");
    assert_eq!((now.name.as_str(), overview.dispatch.idle), ("Agent alpha", 0));
    let out = fixture.engine.fleet_dispatch(FleetDispatchParams { pairs: Vec::new(), all: true }).unwrap();
    assert_eq!((out.given.len(), out.refused.len()), (0, 0), "the agent is not idle");
}
