//! The fleet's state: `fleet agent`, `work`, `hook`, `convoy` and `queue`, used by one process, by several at
//! the same time, and together with another program.

use crate::console::Console;
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::PathBuf, thread};

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

fn polecat(console: &Console) -> String {
    text(&console.json(&["fleet", "agent", "create", "polecat", "--rig", "r"]), "/agent/id").to_owned()
}

fn bead(console: &Console, title: &str) -> String {
    console.bead(title, &["--priority", "1"])
}

fn state(console: &Console, path: &str) -> PathBuf {
    console.sandbox.project().join(".chipset/state").join(path)
}

#[test]
fn a_bead_is_assigned_and_completed_and_its_convoy_is_updated() {
    let console = Console::new();
    let (agent, bead) = (polecat(&console), bead(&console, "Fix auth bug"));
    let convoy = text(&console.json(&["fleet", "convoy", "create", "Sprint 1", &bead, &bead]), "/convoy/id")
        .to_owned();
    assert_eq!(text(&console.json(&["fleet", "hook", "set", &agent, &bead]), "/hook/status"), "pending");
    let written = fs::read_to_string(state(&console, &format!("work/{bead}.json"))).unwrap();
    let expected = format!(
        "{{\n  \"assignee\": \"{agent}\",\n  \"beadId\": \"{bead}\",\n  \"description\": \"\",\n  \
         \"hookStatus\": \"pending\",\n  \"priority\": \"P1\",\n  \"status\": \"hooked\",\n  \"title\": \"Fix auth bug\"\n}}\n"
    );
    assert_eq!(written, expected);
    console.ok(&["fleet", "hook", "activate", &agent]);
    console.ok(&["fleet", "hook", "complete", &agent]);
    assert_eq!(console.json(&["fleet", "convoy", "progress", &convoy])["convoy"]["progress"], 1.0);
    assert_eq!(text(&console.json(&["fleet", "hook", "clear", &agent]), "/hook/status"), "empty");
    assert!(state(&console, &format!("hooks/{agent}.json")).exists(), "an empty hook keeps its file");
    let list = console.ok(&["fleet", "work", "list"]);
    assert!(list.contains("done") && list.contains("Fix auth bug"), "{list}");
    let shown = console.json(&["fleet", "agent", "show", &agent]);
    assert_eq!(
        (text(&shown, "/agent/status"), text(&shown, "/agent/hookId")),
        ("idle", format!("hook-{agent}").as_str())
    );
}

#[test]
fn invalid_fleet_commands_give_a_reason_and_change_nothing() {
    let console = Console::new();
    let (agent, other, one, two) =
        (polecat(&console), polecat(&console), bead(&console, "One"), bead(&console, "Two"));
    console.ok(&["fleet", "hook", "set", &agent, &one]);
    let before = fs::read(state(&console, &format!("hooks/{agent}.json"))).unwrap();
    console.fails(&["fleet", "hook", "set", &agent, &two], "hook_state", 4);
    console.fails(&["fleet", "hook", "set", &other, &one], "hook_state", 4);
    console.fails(&["fleet", "hook", "set", &other, "BC-404"], "bead_not_found", 3);
    console.fails(&["fleet", "hook", "set", "polecat-missing", &two], "agent_not_found", 3);
    console.fails(&["fleet", "convoy", "progress", "convoy-nothing"], "convoy_not_found", 3);
    console.ok(&["bead", "close", &two]);
    console.fails(&["fleet", "hook", "set", &other, &two], "bead_state", 4);
    for path in ["../../etc/passwd", "a/b", "-rf", ".hidden"] {
        console.fails(&["fleet", "agent", "show", "--", path], "usage", 2);
    }
    assert_eq!(fs::read(state(&console, &format!("hooks/{agent}.json"))).unwrap(), before);
    assert_eq!(console.json(&["fleet", "agent", "show", "polecat-missing"])["agent"], Value::Null);
}

#[test]
fn concurrent_programs_dispatch_each_bead_once() {
    let console = Console::new();
    let beads: Vec<String> = (0..3).map(|n| bead(&console, &format!("Bead {n}"))).collect();
    let agents: Vec<String> = (0..6).map(|_| polecat(&console)).collect();
    thread::scope(|scope| {
        for agent in &agents {
            scope.spawn(|| {
                for bead in &beads {
                    // Each bead goes to one agent; all other assignments are refused.
                    console.run(&["fleet", "hook", "set", agent, bead]);
                }
            });
        }
    });
    let hooks = console.json(&["fleet", "agent", "list"])["hooks"].as_array().unwrap().clone();
    let held: Vec<&str> = hooks.iter().map(|hook| text(hook, "/workItem/beadId")).collect();
    let distinct: BTreeSet<&str> = held.iter().copied().collect();
    assert_eq!((held.len(), distinct.len()), (3, 3), "{held:?}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the test plays the other program")]
fn foreign_files_are_read_and_broken_ones_unchanged() {
    let console = Console::new();
    fs::create_dir_all(state(&console, "agents")).unwrap();
    let alpha = r#"{"hookId":"hook-polecat-alpha","id":"polecat-alpha","rig":"r","role":"polecat","status":"idle","zeal":3}"#;
    fs::write(state(&console, "agents/polecat-alpha.json"), alpha).unwrap();
    fs::write(state(&console, "agents/polecat-beta.json"), "{\"id\":").unwrap();
    let agents = console.json(&["fleet", "agent", "list", "--role", "polecat"]);
    assert_eq!(agents["agents"].as_array().unwrap().len(), 1);
    assert_eq!(agents["warnings"].as_array().unwrap().len(), 1, "{agents}");
    console.ok(&["fleet", "agent", "status", "polecat-alpha", "terminated"]);
    let written = fs::read_to_string(state(&console, "agents/polecat-alpha.json")).unwrap();
    assert!(written.contains("\"zeal\": 3") && written.contains("\"terminated\""), "{written}");
    console.fails(&["fleet", "agent", "status", "polecat-beta", "idle"], "file_refused", 4);
    assert_eq!(fs::read_to_string(state(&console, "agents/polecat-beta.json")).unwrap(), "{\"id\":");
}

#[test]
fn fleet_settings_come_from_the_user_and_never_from_a_repository() {
    let console = Console::new();
    console.sandbox.write(".beads-console/fleet.json", "{\"auto_dispatch\":true}");
    assert_eq!(
        console.ok(&["fleet", "settings", "worktree_setup", "npm", "ci", "--no-audit"]),
        "npm ci --no-audit\n"
    );
    assert_eq!(console.ok(&["fleet", "settings", "mode", "acceptEdits"]), "acceptEdits\n");
    console.ok(&["fleet", "settings", "runners.far", "ssh far -- {program} {args}"]);
    assert_eq!(console.ok(&["fleet", "settings", "runner", "far"]), "far\n");
    console.fails(&["fleet", "settings", "runners.far", "default"], "usage", 2);
    console.fails(&["fleet", "settings", "runners.far", "ssh", "far"], "usage", 2);
    console.fails(&["fleet", "settings", "runners.a b", "{program}"], "usage", 2);
    let settings = console.json(&["fleet", "settings"]);
    assert_eq!((&settings["auto_dispatch"], &settings["max_agents"]), (&false.into(), &4.into()));
    assert_eq!(settings["worktree_setup"], serde_json::json!(["npm", "ci", "--no-audit"]));
    assert_eq!(console.ok(&["fleet", "settings", "worktree_setup", "default"]), "\n");
}

#[test]
fn fleet_files_are_not_in_git_status() {
    let console = Console::new();
    let sandbox = &console.sandbox;
    let before = sandbox.git(["status", "--porcelain", "--untracked-files=all"]);
    console.json(&["fleet", "agent", "list"]);
    assert!(!sandbox.project().join(".chipset").exists(), "a read created files");
    let exclude = sandbox.read(".git/info/exclude");
    let agent = polecat(&console);
    let bead = bead(&console, "Fix auth bug");
    console.ok(&["fleet", "hook", "set", &agent, &bead]);
    console.ok(&["fleet", "convoy", "create", "Sprint 1", &bead]);
    let after = sandbox.git(["status", "--porcelain", "--untracked-files=all"]);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let new: Vec<String> = lines(&after).difference(&lines(&before)).cloned().collect();
    assert!(
        new.iter().all(|line| line.contains(".beads/")),
        "files other than the tracker's were created: {new:?}"
    );
    assert_eq!(
        sandbox.read(".git/info/exclude"),
        format!("{exclude}/.chipset/\n"),
        "the line is appended once"
    );

    // If the user's `.gitignore` already covers the files, `.git/info/exclude` stays unchanged.
    let other = Console::new();
    other.sandbox.write(".gitignore", ".chipset\n");
    let exclude = other.sandbox.read(".git/info/exclude");
    polecat(&other);
    assert_eq!(other.sandbox.read(".git/info/exclude"), exclude);
}

#[test]
fn agents_can_be_renamed_and_have_two_roles() {
    let console = Console::new();
    let one = console.json(&["fleet", "agent", "create"]);
    assert_eq!((text(&one, "/agent/role"), text(&one, "/name")), ("polecat", "Agent 1"));
    let id = text(&one, "/agent/id");
    let crew = console.json(&["fleet", "agent", "create", "crew", "--name", "Mira"]);
    assert_eq!((text(&crew, "/agent/role"), text(&crew, "/name")), ("crew", "Mira"));
    assert_eq!(text(&console.json(&["fleet", "agent", "create", "agent"]), "/name"), "Agent 2");
    for role in ["mayor", "witness", "refinery"] {
        console.fails(&["fleet", "agent", "create", role], "usage", 2);
    }
    assert_eq!(text(&console.json(&["fleet", "agent", "rename", id, " Ann "]), "/name"), "Ann");
    let shown = console.ok(&["fleet", "agent", "show", id]);
    assert!(shown.contains("Ann") && shown.contains(id), "{shown}");
    assert!(console.ok(&["fleet", "overview"]).contains("Ann"));
    let message = console.fails(&["fleet", "agent", "rename", id, "mira"], "usage", 2);
    assert!(message.contains(text(&crew, "/agent/id")), "{message}");
    console.fails(&["fleet", "agent", "create", "crew", "--name", "ann"], "usage", 2);
    assert_eq!(console.json(&["fleet", "agent", "list"])["agents"].as_array().unwrap().len(), 3);
    console.fails(&["fleet", "agent", "rename", id, ""], "usage", 2);
    console.fails(&["fleet", "agent", "rename", "polecat-missing", "New"], "agent_not_found", 3);
}
