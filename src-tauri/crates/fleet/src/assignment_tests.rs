//! Tests that combined writes have the same result as separate writes.

use super::*;
use bc_core::{
    Timestamp,
    fleet::*,
    ids::{BeadId, FleetAgentId, SessionId},
};
use std::{collections::BTreeMap, fs, path::PathBuf};

fn now() -> Timestamp {
    "2026-01-19T10:00:00Z".parse().unwrap()
}

struct Places {
    _folder: tempfile::TempDir,
    together: State,
    single: State,
    agents: Vec<FleetAgentId>,
}

/// Creates two equal states with agents, work items and a convoy.
fn places(agents: usize) -> Places {
    let folder = tempfile::tempdir().unwrap();
    let together = State::at(folder.path().join("together"), now);
    let agents = (0..agents).map(|_| together.create_agent(AgentRole::Polecat, "rig").unwrap().id).collect();
    together.put_work_item(&bead(1), "Old", "", Priority::P1).unwrap();
    together.put_work_item(&bead(2), "Done once", "", Priority::P1).unwrap();
    together.update_work_status(&bead(2), WorkStatus::Done).unwrap();
    together.create_convoy("Sprint", vec![bead(2), bead(3)]).unwrap();
    let to = folder.path().join("single");
    for (name, text) in contents(&together) {
        fs::create_dir_all(to.join(&name).parent().unwrap()).unwrap();
        fs::write(to.join(name), text).unwrap();
    }
    let single = State::at(to, now);
    Places { together, single, agents, _folder: folder }
}

fn bead(n: u32) -> BeadId {
    format!("BC-{n}").parse().unwrap()
}

fn contents(state: &State) -> BTreeMap<PathBuf, String> {
    let folders = fs::read_dir(state.dir()).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.strip_prefix(state.dir()).unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Returns the files of a state for comparison, without the random event ids.
fn compared(state: &State) -> BTreeMap<PathBuf, String> {
    let without_ids = |text: String| {
        let lines = text.lines().map(|line| match serde_json::from_str::<serde_json::Value>(line) {
            Ok(mut event) if event.get("category").is_some() => {
                event["id"] = "".into();
                event.to_string()
            }
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    contents(state).into_iter().map(|(name, text)| (name, without_ids(text))).collect()
}

fn given(agent: &FleetAgentId, n: u32, tracked: bool) -> Assignment {
    let texts = Texts { title: format!("Bead {n}"), description: "x".into(), priority: Priority::P2 };
    Assignment { agent: agent.clone(), bead: bead(n), texts: tracked.then_some(texts) }
}

fn single(state: &State, given: &Assignment) -> Result<HookState, String> {
    if let Some(Texts { title, description, priority }) = &given.texts {
        let item = state.put_work_item(&given.bead, title, description, *priority).unwrap();
        if item.status.is_over() {
            state.update_work_status(&given.bead, WorkStatus::Open).unwrap();
        }
    }
    state.set_hook(&given.agent, &given.bead).map_err(|error| error.to_string())
}

fn assign_all(state: &State, given: &[Assignment]) -> Vec<Result<HookState, String>> {
    let outcomes = state.assign_all(given).unwrap();
    outcomes.into_iter().map(|outcome| outcome.map_err(|error| error.to_string())).collect()
}

#[test]
fn batch_assignments_equal_single_ones() {
    let Places { together, single: alone, agents, _folder } = places(4);
    // A work item of the fleet, completed work, work in a convoy, and new work.
    let all: Vec<Assignment> = (1..=4).map(|n| given(&agents[n as usize - 1], n, n > 1)).collect();
    let one_by_one: Vec<_> = all.iter().map(|given| single(&alone, given)).collect();
    assert_eq!(assign_all(&together, &all), one_by_one);
    assert!(one_by_one.iter().all(Result::is_ok), "{one_by_one:?}");
    assert_eq!(compared(&together), compared(&alone));

    for (n, agent) in agents.iter().enumerate() {
        let session = SessionId(uuid::Uuid::from_u128(n as u128));
        together.begin_work(agent, session).unwrap();
        alone.set_agent_session(agent, Some(session)).unwrap();
        alone.activate_hook(agent).unwrap();
        // The second call writes nothing.
        together.begin_work(agent, session).unwrap();
    }
    assert_eq!(compared(&together), compared(&alone));
    assert_eq!(together.work_item(&bead(3)).unwrap().unwrap().status, WorkStatus::InProgress);
}

#[test]
fn a_refused_assignment_does_not_affect_others() {
    let Places { together, agents, _folder, .. } = places(5);
    together.update_agent_status(&agents[1], AgentStatus::Terminated).unwrap();
    together.set_hook(&agents[2], &bead(1)).unwrap();
    let unknown = "polecat-unknown".parse().unwrap();
    let all = [
        given(&agents[0], 3, true),
        given(&agents[1], 4, true),
        given(&agents[2], 5, true),
        given(&agents[3], 1, false),
        given(&agents[4], 6, false),
        given(&unknown, 7, true),
    ];
    let outcomes = assign_all(&together, &all);
    let done: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
    assert_eq!(done, [true, false, false, false, false, false], "{outcomes:?}");
    assert_eq!(outcomes[2], Err(format!("{} has BC-1 on its hook", agents[2])));
    assert_eq!(outcomes[3], Err(format!("BC-1 is on the hook of {}", agents[2])));
    assert_eq!(together.work_items().unwrap().len(), 3, "a refused assignment creates no item");
}

#[test]
fn the_first_of_two_equal_assignments_wins() {
    let Places { together, agents, _folder, .. } = places(2);
    let same = [given(&agents[0], 3, true), given(&agents[1], 3, true), given(&agents[0], 4, true)];
    let done: Vec<bool> = assign_all(&together, &same).iter().map(Result::is_ok).collect();
    assert_eq!(done, [true, false, false]);
}

#[test]
fn concurrent_changes_of_another_program_are_not_overwritten() {
    let Places { together, agents, _folder, .. } = places(1);
    let plan = together
        .plan(files::Kind::Agents, agents[0].as_str(), |agent: Option<AgentIdentity>| {
            Ok(AgentIdentity { status: AgentStatus::Stalled, ..agent.unwrap() })
        })
        .unwrap();
    together.update_agent_status(&agents[0], AgentStatus::Terminated).unwrap();
    assert!(!together.write_all(&[plan.write.as_ref().unwrap()]).unwrap());
    assert_eq!(together.agent(&agents[0]).unwrap().unwrap().status, AgentStatus::Terminated);
}

#[test]
fn a_copied_work_item_file_belongs_to_no_agent() {
    let Places { together, agents, _folder, .. } = places(2);
    let work = together.dir().join("work");
    fs::copy(work.join("BC-1.json"), work.join("BC-9.json")).unwrap();
    let outcomes = assign_all(&together, &[given(&agents[0], 9, true), given(&agents[1], 1, true)]);
    let refused = outcomes[0].as_ref().unwrap_err();
    assert!(refused.contains("BC-9.json"), "{refused}");
    assert_eq!(outcomes[1].as_ref().unwrap().bead(), Some(&bead(1)));
    assert_eq!(together.hook(&agents[0]).unwrap(), None);
}
