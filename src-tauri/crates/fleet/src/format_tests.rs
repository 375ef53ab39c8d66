//! Tests interoperability with another program that uses the same file format: the state reflects that
//! program's changes and preserves its data.

use super::*;
use bc_core::{Timestamp, fleet::*, ids::*};
use std::fs;

fn now() -> Timestamp {
    "2026-01-19T11:00:00+01:00".parse().unwrap()
}

struct Theirs {
    _folder: tempfile::TempDir,
    state: State,
}

impl Theirs {
    fn new() -> Theirs {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path().join(".chipset/state"), now);
        Theirs { state, _folder: folder }
    }

    /// Writes an entity as the other program does, with an additional unknown field.
    fn writes(&self, path: &str, mut entity: serde_json::Value) {
        entity["theirOwn"] = serde_json::json!({"b": 1, "a": [2]});
        let path = self.state.dir().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{}\n", serde_json::to_string_pretty(&entity).unwrap())).unwrap();
    }

    fn agent(&self, id: &str) -> FleetAgentId {
        let entity = serde_json::json!({
            "id": id, "role": "polecat", "rig": "my-rig", "hookId": format!("hook-{id}"), "status": "idle"
        });
        self.writes(&format!("agents/{id}.json"), entity);
        id.parse().unwrap()
    }

    fn item(bead: &str, status: &str, hook: &str, assignee: Option<&str>) -> serde_json::Value {
        let mut item = serde_json::json!({
            "beadId": bead, "title": "Fix auth bug", "description": "JWT expiry not handled",
            "status": status, "hookStatus": hook, "priority": "P1"
        });
        if let Some(agent) = assignee {
            item["assignee"] = agent.into();
        }
        item
    }

    fn work(&self, bead: &str, status: &str, hook: &str, assignee: Option<&str>) -> BeadId {
        self.writes(&format!("work/{bead}.json"), Self::item(bead, status, hook, assignee));
        bead.parse().unwrap()
    }

    fn hook(&self, agent: &str, status: &str, item: Option<serde_json::Value>) {
        let mut hook = serde_json::json!({
            "agentId": agent, "status": status, "lastActivity": "2026-01-19T10:00:00.000Z"
        });
        if let Some(item) = item {
            hook["workItem"] = item;
        }
        self.writes(&format!("hooks/{agent}.json"), hook);
    }

    fn status(&self, bead: &BeadId) -> WorkStatus {
        self.state.work_item(bead).unwrap().unwrap().status
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.state.dir().join(path)).unwrap()
    }
}

#[test]
fn work_completed_by_another_program_is_done_in_every_format() {
    let theirs = Theirs::new();
    for agent in ["polecat-a", "polecat-b", "polecat-c"] {
        theirs.agent(agent);
    }
    // The hook is completed and still has the work; the work item's own file is unchanged.
    let on_hook = theirs.work("bead-a", "open", "empty", None);
    theirs.hook("polecat-a", "completed", Some(Theirs::item("bead-a", "open", "empty", None)));
    // The hook no longer has the work. In the specification, a hook has work only while it is pending or
    // active.
    let off_hook = theirs.work("bead-b", "in_progress", "active", Some("polecat-b"));
    theirs.hook("polecat-b", "completed", None);
    // The hook's file was removed after completion.
    let removed = theirs.work("bead-c", "in_progress", "completed", Some("polecat-c"));
    // Neither work of other agents nor work without an agent is affected.
    let other = theirs.work("bead-d", "in_progress", "active", Some("polecat-z"));
    let open = theirs.work("bead-e", "open", "empty", None);

    for bead in [&on_hook, &off_hook, &removed] {
        assert_eq!(theirs.status(bead), WorkStatus::Done, "{bead}");
    }
    assert_eq!((theirs.status(&other), theirs.status(&open)), (WorkStatus::Open, WorkStatus::Open));
    let convoy = theirs.state.create_convoy("Sprint 1", vec![on_hook, off_hook, removed, open]).unwrap();
    assert_eq!(convoy.progress.to_bits(), 0.75_f64.to_bits());
}

#[test]
fn completed_work_stays_completed_without_its_hook() {
    let theirs = Theirs::new();
    let (one, two) = (theirs.agent("polecat-a"), theirs.agent("polecat-b"));
    let first = theirs.work("bead-a", "open", "empty", None);
    theirs.hook("polecat-a", "completed", Some(Theirs::item("bead-a", "open", "empty", None)));
    let second = theirs.work("bead-b", "in_progress", "active", Some("polecat-b"));
    theirs.hook("polecat-b", "completed", None);
    let mut done = theirs.state.record_completed().unwrap();
    done.sort();
    assert_eq!(done, [first.clone(), second.clone()]);
    assert_eq!(theirs.state.record_completed().unwrap(), Vec::new(), "once");
    fs::remove_file(theirs.state.dir().join("hooks/polecat-a.json")).unwrap();
    theirs.state.clear_hook(&two).unwrap();
    assert_eq!((theirs.status(&first), theirs.status(&second)), (WorkStatus::Done, WorkStatus::Done));
    assert!(theirs.text("work/bead-a.json").contains("theirOwn"), "unknown fields are kept");
    // `clear_hook` records the completion even if `record_completed` was not called first.
    let third = theirs.work("bead-c", "open", "empty", None);
    theirs.hook("polecat-a", "completed", Some(Theirs::item("bead-c", "in_progress", "active", None)));
    theirs.state.clear_hook(&one).unwrap();
    assert_eq!(theirs.status(&third), WorkStatus::Done);
}

#[test]
fn reopened_or_reassigned_work_is_not_done() {
    let theirs = Theirs::new();
    let (one, two) = (theirs.agent("polecat-a"), theirs.agent("polecat-b"));
    let bead = theirs.work("bead-a", "in_progress", "active", Some("polecat-a"));
    theirs.hook("polecat-a", "completed", Some(Theirs::item("bead-a", "in_progress", "active", None)));
    theirs.state.record_completed().unwrap();
    theirs.state.update_work_status(&bead, WorkStatus::Open).unwrap();
    assert_eq!(theirs.status(&bead), WorkStatus::Open);
    assert_eq!(theirs.state.hook(&one).unwrap().unwrap().status, HookStatus::Empty);
    theirs.state.set_hook(&two, &bead).unwrap();
    theirs.state.clear_hook(&two).unwrap();
    assert_eq!(theirs.status(&bead), WorkStatus::Open);

    // The tracker's bead is open again, so the work is assigned to another agent.
    theirs.hook("polecat-a", "completed", Some(Theirs::item("bead-a", "done", "completed", None)));
    let texts = Texts { title: "Again".into(), description: String::new(), priority: Priority::P2 };
    let given = Assignment { agent: two.clone(), bead: bead.clone(), texts: Some(texts) };
    theirs.state.assign_all(&[given]).unwrap().pop().unwrap().unwrap();
    theirs.state.clear_hook(&two).unwrap();
    assert_eq!(theirs.status(&bead), WorkStatus::Open);
}

#[test]
fn an_abandoned_item_is_not_completed_with_the_agents_next_work() {
    let theirs = Theirs::new();
    let agent = theirs.state.create_agent(AgentRole::Polecat, "r").unwrap().id;
    let work = |title| theirs.state.create_work_item(title, "", Priority::P2).unwrap().bead_id;
    let (first, second) = (work("First"), work("Second"));
    theirs.state.set_hook(&agent, &first).unwrap();
    theirs.state.activate_hook(&agent).unwrap();
    theirs.state.clear_hook(&agent).unwrap();
    theirs.state.set_hook(&agent, &second).unwrap();
    theirs.state.activate_hook(&agent).unwrap();
    theirs.state.complete_hook(&agent).unwrap();
    assert_eq!((theirs.status(&first), theirs.status(&second)), (WorkStatus::Open, WorkStatus::Done));
}

#[test]
fn sessions_of_other_programs_are_unchanged() {
    let theirs = Theirs::new();
    for session in ["sess-42", "../../etc/passwd", "", "0B0E9A5C-6A4E-4B3F-9D8B-2F1F0A6D7C11"] {
        let entity = serde_json::json!({
            "id": "polecat-a", "role": "polecat", "rig": "my-rig", "hookId": "hook-polecat-a",
            "status": "active", "sessionId": session
        });
        theirs.writes("agents/polecat-a.json", entity);
        let id: FleetAgentId = "polecat-a".parse().unwrap();
        let agent = theirs.state.agent(&id).unwrap().expect("the agent can be read");
        assert_eq!(agent.own_session(), None, "{session:?} is not one of our sessions");
        assert_eq!(theirs.state.take_warnings(), Vec::<String>::new());
        theirs.state.update_agent_status(&id, AgentStatus::Stalled).unwrap();
        let text = theirs.text("agents/polecat-a.json");
        assert!(text.contains(&format!("\"sessionId\": {}", serde_json::json!(session))), "{text}");
        assert!(text.contains("theirOwn"), "{text}");
    }
    let ours = SessionId(uuid::Uuid::new_v4());
    let id: FleetAgentId = "polecat-a".parse().unwrap();
    theirs.state.set_agent_session(&id, Some(ours)).unwrap();
    assert_eq!(theirs.state.agent(&id).unwrap().unwrap().own_session(), Some(ours));
}

#[test]
fn integers_are_written_as_in_javascript() {
    let theirs = Theirs::new();
    let bead = theirs.work("bead-a", "open", "empty", None);
    let convoy = theirs.state.create_convoy("Sprint 1", vec![bead.clone()]).unwrap();
    let path = format!("convoys/{}.json", convoy.id);
    assert!(theirs.text(&path).contains("\"progress\": 0\n"), "{}", theirs.text(&path));
    theirs.state.update_work_status(&bead, WorkStatus::Merged).unwrap();
    theirs.state.update_convoy_progress(&convoy.id).unwrap();
    assert!(theirs.text(&path).contains("\"progress\": 1\n"), "{}", theirs.text(&path));
    // A fraction is written as a decimal.
    theirs.state.put_convoy_progress(&convoy.id, 0.5).unwrap();
    assert!(theirs.text(&path).contains("\"progress\": 0.5\n"), "{}", theirs.text(&path));
}

#[test]
fn logs_are_written_in_one_format_and_read_in_three_formats() {
    let theirs = Theirs::new();
    let (agent, bead) = (theirs.agent("polecat-a"), theirs.work("bead-a", "open", "empty", None));
    let convoy = theirs.state.create_convoy("Sprint 1", vec![bead.clone()]).unwrap();
    theirs.state.set_hook(&agent, &bead).unwrap();
    let path = format!("events/{}.jsonl", convoy.id);
    let written: Vec<serde_json::Value> =
        theirs.text(&path).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let event = &written[1];
    assert_eq!((&event["category"], &event["severity"]), (&"routing".into(), &"info".into()));
    assert_eq!((&event["agentId"], &event["convoyId"]), (&"polecat-a".into(), &convoy.id.as_str().into()));
    assert_eq!(event["timestamp"], "2026-01-19T10:00:00.000Z", "in UTC, for comparison as text");
    assert_eq!(event["details"]["event"], "hook_set");
    assert!(event["id"].as_str().unwrap().parse::<SessionId>().is_ok() && event["message"].is_string());
    let keys: Vec<&String> = event.as_object().unwrap().keys().collect();
    assert!(keys.is_sorted(), "{keys:?}");

    let mut text = concat!(
        r#"{"at":"2026-01-18T10:00:00Z","event":"hook_set","agent":"polecat-a","bead":"bead-a"}"#,
        "\n",
    )
    .to_owned();
    text += &theirs.text(&path);
    text += concat!(
        r#"{"agentId":"witness-1","category":"communication","convoyId":"c","details":{},"#,
        r#""id":"x","message":"Nudge sent","severity":"warn","timestamp":"2026-01-19T12:00:00.000Z"}"#,
        "\nnot an event\n",
    );
    fs::write(theirs.state.dir().join(&path), text).unwrap();
    let events = theirs.state.events(Some(&convoy.id)).unwrap();
    let messages: Vec<&str> = events.iter().map(|event| event.message.as_str()).collect();
    let expected =
        ["bead-a assigned to polecat-a", "Convoy created", "bead-a assigned to polecat-a", "Nudge sent"];
    assert_eq!(messages, expected);
    assert_eq!(theirs.state.take_warnings().len(), 1, "an invalid line causes a warning");
}

#[test]
fn display_names_are_unique_and_stored_beside_the_format() {
    let theirs = Theirs::new();
    let foreign = theirs.agent("polecat-alpha");
    let one = theirs.state.create_agent(AgentRole::Polecat, "r").unwrap();
    let two = theirs.state.create_agent(AgentRole::Polecat, "r").unwrap();
    let crew = theirs.state.create_agent(AgentRole::Crew, "r").unwrap();
    let name = |agent: &AgentIdentity| theirs.state.agent_names().unwrap().of(agent);
    assert_eq!([&one, &two, &crew].map(name), ["Agent 1", "Agent 2", "Crew 1"]);
    let foreign = theirs.state.agent(&foreign).unwrap().unwrap();
    assert_eq!(name(&foreign), "Agent alpha");
    let before = theirs.text(&format!("agents/{}.json", one.id));
    theirs.state.rename_agent(&one.id, "  Ann the builder ").unwrap();
    assert_eq!(name(&one), "Ann the builder");
    assert_eq!(theirs.text(&format!("agents/{}.json", one.id)), before, "the shared file is unchanged");
    for (taken, by) in [("ann THE builder", &one.id), ("Agent 2", &two.id)] {
        let refused = theirs.state.rename_agent(&foreign.id, taken).unwrap_err();
        assert!(matches!(&refused, FleetError::NameTaken { agent, .. } if agent == by), "{refused}");
    }
    for bad in ["", "  ", "two\nlines", "\u{1b}[31mred", &"x".repeat(81)] {
        assert!(matches!(theirs.state.rename_agent(&one.id, bad), Err(FleetError::Text { .. })), "{bad:?}");
    }
    let unknown: FleetAgentId = "polecat-unknown".parse().unwrap();
    assert!(matches!(theirs.state.rename_agent(&unknown, "New"), Err(FleetError::NoAgent(_))));
    assert_eq!(
        name(&theirs.state.create_agent(AgentRole::Polecat, "r").unwrap()),
        "Agent 1",
        "the name is free again"
    );
}
