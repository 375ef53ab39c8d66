//! Tests the fleet's state with one writer, with many writers, with another program, and after a crash.

use super::*;
use bc_core::{
    Timestamp,
    fleet::*,
    ids::{BeadId, FleetAgentId},
};
use proptest::prelude::*;
use std::{fs, path::Path, thread};

fn now() -> Timestamp {
    "2026-01-19T10:00:00Z".parse().unwrap()
}

struct Place {
    _folder: tempfile::TempDir,
    state: State,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path().join(".chipset/state"), now);
    Place { state, _folder: folder }
}

fn polecat(state: &State) -> FleetAgentId {
    state.create_agent(AgentRole::Polecat, "my-rig").unwrap().id
}

fn work(state: &State) -> BeadId {
    state.create_work_item("Fix auth bug", "JWT expiry not handled", Priority::P1).unwrap().bead_id
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_convoy_progresses_with_its_work() {
    let Place { state, _folder } = place();
    let (agent, bead, other) = (polecat(&state), work(&state), work(&state));
    let convoy = state.create_convoy("Sprint 1", vec![bead.clone(), other.clone(), bead.clone()]).unwrap();
    assert_eq!((convoy.bead_ids.len(), convoy.progress), (2, 0.0));

    let hook = state.set_hook(&agent, &bead).unwrap();
    assert_eq!((hook.status, hook.bead()), (HookStatus::Pending, Some(&bead)));
    let item = state.work_item(&bead).unwrap().unwrap();
    assert_eq!((item.status, item.assignee), (WorkStatus::Hooked, Some(agent.clone())));
    state.activate_hook(&agent).unwrap();
    assert_eq!(state.work_item(&bead).unwrap().unwrap().status, WorkStatus::InProgress);
    let done = state.complete_hook(&agent).unwrap();
    assert_eq!((done.status, done.work_item), (HookStatus::Completed, None));
    assert_eq!(state.work_item(&bead).unwrap().unwrap().status, WorkStatus::Done);
    assert_eq!(state.update_convoy_progress(&convoy.id).unwrap().progress, 0.5);
    assert_eq!(state.clear_hook(&agent).unwrap().status, HookStatus::Empty);
    assert_eq!(state.work_item(&bead).unwrap().unwrap().status, WorkStatus::Done, "the work stays done");
    state.set_hook(&agent, &other).unwrap();

    let told: Vec<_> =
        state.events(Some(&convoy.id)).unwrap().iter().map(|event| event.what().unwrap()).collect();
    assert!(
        matches!(
            told.as_slice(),
            [
                FleetEventKind::ConvoyCreated { .. },
                FleetEventKind::HookSet { .. },
                FleetEventKind::HookActivated { .. },
                FleetEventKind::HookCompleted { .. },
                FleetEventKind::ConvoyProgress { .. },
                FleetEventKind::HookSet { .. },
            ]
        ),
        "{told:?}"
    );
    assert_eq!(state.take_warnings(), Vec::<String>::new());
}

#[test]
fn a_second_assignment_is_refused_with_the_current_one() {
    let Place { state, _folder } = place();
    let (one, two, bead, other) = (polecat(&state), polecat(&state), work(&state), work(&state));
    state.set_hook(&one, &bead).unwrap();
    let refused = state.set_hook(&one, &other).unwrap_err().to_string();
    assert_eq!(refused, format!("{one} has {bead} on its hook"));
    let refused = state.set_hook(&two, &bead).unwrap_err().to_string();
    assert_eq!(refused, format!("{bead} is on the hook of {one}"));
    state.update_agent_status(&two, AgentStatus::Terminated).unwrap();
    assert!(matches!(state.set_hook(&two, &other), Err(FleetError::Refused(HookRefused::Terminated { .. }))));
    let gone: BeadId = "bead-gone".parse().unwrap();
    assert!(matches!(state.set_hook(&two, &gone), Err(FleetError::Refused(_) | FleetError::NoWork(_))));
    state.update_work_status(&other, WorkStatus::Merged).unwrap();
    state.clear_hook(&one).unwrap();
    assert!(matches!(state.set_hook(&one, &other), Err(FleetError::Refused(HookRefused::Over { .. }))));
    assert_eq!(state.work_item(&bead).unwrap().unwrap().status, WorkStatus::Open, "the work is free again");
}

#[test]
fn missing_files_are_none_and_corrupt_ones_stay_with_a_warning() {
    let Place { state, _folder } = place();
    let unknown: FleetAgentId = "polecat-unknown".parse().unwrap();
    assert_eq!(state.agent(&unknown).unwrap(), None);
    assert_eq!(state.agents(None, None).unwrap(), Vec::new());
    assert!(!state.dir().exists(), "reading creates nothing");
    assert!(matches!(state.clear_hook(&unknown), Err(FleetError::NoAgent(_))));

    let (agent, bead) = (polecat(&state), work(&state));
    state.set_hook(&agent, &bead).unwrap();
    let hook = state.dir().join(format!("hooks/{agent}.json"));
    fs::write(&hook, "{\"agentId\": \"pole").unwrap();
    assert_eq!(state.hook(&agent).unwrap(), None);
    assert_eq!(state.take_warnings().len(), 1);
    assert!(matches!(state.activate_hook(&agent), Err(FleetError::Corrupt { .. })));
    assert_eq!(fs::read_to_string(&hook).unwrap(), "{\"agentId\": \"pole");
    assert_eq!(state.clear_hook(&agent).unwrap().status, HookStatus::Empty);
    let kept = state.dir().join(format!("hooks/{agent}.json.corrupt-0"));
    assert_eq!(fs::read_to_string(kept).unwrap(), "{\"agentId\": \"pole");
    assert_eq!(state.work_item(&bead).unwrap().unwrap().status, WorkStatus::Open);
}

#[test]
fn foreign_files_are_kept_and_leftovers_removed() {
    let Place { state, _folder } = place();
    let agents = state.dir().join("agents");
    fs::create_dir_all(&agents).unwrap();
    let theirs = r#"{"hookId":"hook-polecat-alpha","id":"polecat-alpha","rig":"r","role":"polecat","status":"idle","zeal":3}"#;
    fs::write(agents.join("polecat-alpha.json"), theirs).unwrap();
    fs::write(agents.join(".polecat-alpha.json.tmp"), "{").unwrap();
    fs::write(agents.join("notes.txt"), "not ours").unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    fs::File::options()
        .write(true)
        .open(agents.join(".polecat-alpha.json.tmp"))
        .unwrap()
        .set_modified(old)
        .unwrap();
    fs::write(agents.join(".being-written.json.tmp"), "{").unwrap();

    let state = State::at(state.dir().to_owned(), now);
    assert_eq!(files(&agents), [".being-written.json.tmp", "notes.txt", "polecat-alpha.json"]);
    let alpha: FleetAgentId = "polecat-alpha".parse().unwrap();
    state.update_agent_status(&alpha, AgentStatus::Stalled).unwrap();
    let text = fs::read_to_string(agents.join("polecat-alpha.json")).unwrap();
    assert!(
        text.contains("\"zeal\": 3") && text.contains("\"status\": \"stalled\"") && text.ends_with("}\n")
    );
    assert_eq!(state.agents(Some(AgentRole::Polecat), Some("r")).unwrap().len(), 1);
    assert_eq!(state.agents(Some(AgentRole::Mayor), None).unwrap().len(), 0);
}

#[test]
fn concurrent_programs_assign_each_bead_once() {
    let Place { state, _folder } = place();
    let agents: Vec<_> = (0..8).map(|_| polecat(&state)).collect();
    let beads: Vec<_> = (0..3).map(|_| work(&state)).collect();
    thread::scope(|scope| {
        for agent in &agents {
            let (dir, beads) = (state.dir().to_owned(), &beads);
            // Open the state again, as a separate process would.
            scope.spawn(move || {
                let state = State::at(dir, now);
                beads.iter().any(|bead| state.set_hook(agent, bead).is_ok())
            });
        }
    });
    let hooks = state.hooks().unwrap();
    for bead in &beads {
        assert_eq!(hooks.iter().filter(|hook| hook.holds(bead)).count(), 1, "{bead}");
    }
    assert_eq!(hooks.iter().filter(|hook| hook.work_item.is_some()).count(), 3);
}

#[test]
fn changes_of_a_program_without_locking_are_not_overwritten() {
    let Place { state, _folder } = place();
    let agent = polecat(&state);
    let path = state.dir().join(format!("agents/{agent}.json"));
    let mut theirs = Some(());
    let changed = state.change(files::Kind::Agents, agent.as_str(), |seen: Option<AgentIdentity>| {
        let seen = seen.unwrap();
        // The other program writes once, between this program's read and write.
        if theirs.take().is_some() {
            let other = AgentIdentity { rig: "moved".into(), ..seen.clone() };
            fs::write(&path, file_text(&other)).unwrap();
        }
        Ok(AgentIdentity { status: AgentStatus::Stalled, ..seen })
    });
    let changed = changed.unwrap();
    assert_eq!((changed.rig.as_str(), changed.status), ("moved", AgentStatus::Stalled));
    assert_eq!(state.agent(&agent).unwrap(), Some(changed));
}

/// An agent in the model.
#[derive(Debug, Clone, Default)]
struct Held {
    bead: Option<usize>,
    status: HookStatus,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_files_match_the_model(steps in prop::collection::vec((0u8..4, 0usize..3, 0usize..3), 1..30)) {
        let Place { state, _folder } = place();
        let agents: Vec<_> = (0..3).map(|_| polecat(&state)).collect();
        let beads: Vec<_> = (0..3).map(|_| work(&state)).collect();
        let mut model = vec![Held::default(); 3];
        let mut over = [false; 3];
        for (step, a, b) in steps {
            let free = !over[b] && model.iter().all(|held| held.bead != Some(b));
            let (allowed, done) = match step {
                0 => {
                    let allowed = free && model[a].status == HookStatus::Empty;
                    if allowed { model[a] = Held { bead: Some(b), status: HookStatus::Pending }; }
                    (allowed, state.set_hook(&agents[a], &beads[b]).is_ok())
                }
                1 => {
                    let allowed = model[a].status == HookStatus::Pending;
                    if allowed { model[a].status = HookStatus::Active; }
                    (allowed, state.activate_hook(&agents[a]).is_ok())
                }
                2 => {
                    let allowed = model[a].status == HookStatus::Active;
                    if allowed {
                        over[model[a].bead.take().unwrap()] = true;
                        model[a].status = HookStatus::Completed;
                    }
                    (allowed, state.complete_hook(&agents[a]).is_ok())
                }
                _ => {
                    model[a] = Held::default();
                    (true, state.clear_hook(&agents[a]).is_ok())
                }
            };
            prop_assert_eq!(allowed, done);
        }
        for (b, bead) in beads.iter().enumerate() {
            let item = state.work_item(bead).unwrap().unwrap();
            let holder = model.iter().position(|held| held.bead == Some(b));
            let expected = match holder {
                _ if over[b] => WorkStatus::Done,
                Some(a) if model[a].status == HookStatus::Active => WorkStatus::InProgress,
                Some(_) => WorkStatus::Hooked,
                None => WorkStatus::Open,
            };
            prop_assert_eq!(item.status, expected);
            let written: WorkItem = serde_json::from_slice(&fs::read(state.dir().join(format!("work/{bead}.json"))).unwrap()).unwrap();
            prop_assert_eq!(written, item);
        }
    }
}

#[test]
fn a_file_with_another_files_id_is_skipped_with_a_warning() {
    let Place { state, _folder } = place();
    let agent = polecat(&state);
    let folder = state.dir().join("agents");
    let copy = folder.join("polecat-0000000001.json");
    std::fs::copy(folder.join(format!("{agent}.json")), &copy).unwrap();
    assert_eq!(state.agents(None, None).unwrap().iter().map(|known| &known.id).collect::<Vec<_>>(), [&agent]);
    let warnings = state.take_warnings();
    assert!(
        matches!(warnings.as_slice(), [one] if one.contains("polecat-0000000001") && one.contains(agent.as_str())),
        "{warnings:?}"
    );
    assert_eq!(state.agent(&"polecat-0000000001".parse().unwrap()).unwrap(), None);
    assert!(copy.exists(), "the copy was removed");
}

#[test]
fn a_log_is_rotated_and_read_across_files() {
    let Place { state, _folder } = place();
    let log = state.dir().join("events/system.jsonl");
    let older = log.with_extension("jsonl.1");
    let first = polecat(&state);
    let line = std::fs::read(&log).unwrap();
    let many = usize::try_from(events::FULL).unwrap() / line.len() + 1;
    std::fs::write(&log, line.repeat(many)).unwrap();
    let told = |state: &State| state.events(None).unwrap().len();
    assert_eq!(told(&state), many);
    let second = polecat(&state);
    assert_eq!((told(&state), std::fs::read(&older).unwrap().len()), (many + 1, line.len() * many));
    let all = state.events(None).unwrap();
    let made = |agent: &FleetAgentId| FleetEventKind::AgentCreated { agent: agent.clone() };
    assert_eq!((all[0].what(), all[many].what()), (Some(made(&first)), Some(made(&second))));
    // If the log is full again, the oldest events are dropped, and only two files are kept.
    std::fs::write(&log, line.repeat(many)).unwrap();
    polecat(&state);
    assert_eq!(told(&state), many + 1);
    let logs = std::fs::read_dir(state.dir().join("events")).unwrap().count();
    assert_eq!(logs, 2);
}
