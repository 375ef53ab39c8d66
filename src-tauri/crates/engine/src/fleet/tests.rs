//! The fleet's commands over a project with an empty `.beads`.

use crate::fixture::Fixture;
use bc_core::{
    fleet::{AgentRole, AgentStatus, HookStatus, Priority, WorkStatus},
    ids::{BeadId, FleetAgentId},
};
use bc_wire::{ErrorCode, api::Api, bead::*, fleet::*, project::Nothing};

/// A project with the built-in store, still empty.
fn project() -> Fixture {
    let fixture = Fixture::new();
    bc_store::file::replace(&fixture.engine.project.beads_dir.join("issues.jsonl"), b"").unwrap();
    fixture
}

fn polecat(fixture: &Fixture) -> FleetAgentId {
    let params = FleetAgentCreateParams { role: AgentRole::Polecat, rig: None };
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

    fixture.engine.bead_close(BeadCloseParams { id: bead.clone(), reason: None }).unwrap();
    let work = fixture.engine.fleet_work(FleetWorkRef { bead }).unwrap().work.unwrap();
    assert_eq!(work.status, WorkStatus::Done, "the tracker's word wins");
}

#[test]
fn what_is_closed_or_nowhere_is_no_work_for_an_agent() {
    let fixture = project();
    let (agent, closed) = (polecat(&fixture), bead(&fixture, "Done", 2));
    fixture.engine.bead_close(BeadCloseParams { id: closed.clone(), reason: None }).unwrap();
    let set = |bead: &str| {
        let params = FleetHookParams { agent: agent.clone(), bead: bead.parse().unwrap() };
        fixture.engine.fleet_hook_set(params).unwrap_err().code
    };
    assert_eq!(set(closed.as_str()), ErrorCode::BeadState);
    assert_eq!(set("BC-999"), ErrorCode::BeadNotFound);
    let nobody = FleetHookParams { agent: "polecat-nobody".parse().unwrap(), bead: closed };
    assert_eq!(fixture.engine.fleet_hook_set(nobody).unwrap_err().code, ErrorCode::BeadState);
    assert_eq!(fixture.engine.fleet_work_list(Nothing {}).unwrap().work, Vec::new());
}

#[test]
fn an_agent_is_shown_as_it_is_and_not_as_it_was_written() {
    let fixture = Fixture::new();
    let agent = polecat(&fixture);
    let params = FleetAgentStatusParams { id: agent.clone(), status: AgentStatus::Active };
    fixture.engine.fleet_agent_status(params).unwrap();
    let shown = fixture.engine.fleet_agent(FleetAgentRef { id: agent.clone() }).unwrap().agent.unwrap();
    assert_eq!(shown.status, AgentStatus::Idle, "no session of it lives");
    let params = FleetAgentStatusParams { id: agent, status: AgentStatus::Terminated };
    fixture.engine.fleet_agent_status(params).unwrap();
    let all = fixture.engine.fleet_agents(FleetAgentsParams::default()).unwrap();
    assert_eq!(all.agents[0].status, AgentStatus::Terminated);
}

#[test]
fn a_convoy_is_as_far_as_its_work() {
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
