//! `doctor`, `init`, and damaged or unusual projects.

#[cfg(unix)]
use crate::console::need_sim;
use crate::console::{Console, RunOutput};
#[cfg(unix)]
use bc_testkit::wait_for;
use bc_testkit::{AWKWARD_NAMES, Sandbox};
use serde_json::Value;
#[cfg(unix)]
use std::{fs, path::Path, time::Duration};

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().expect("a report has checks");
    checks
        .iter()
        .find(|check| check["name"] == name)
        .unwrap_or_else(|| panic!("no check of {name}: {report:#}"))
}

fn report(console: &Console) -> (RunOutput, Value) {
    let ran = console.run(&["doctor", "--json"]);
    let report = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    (ran, report)
}

#[test]
fn doctor_works_without_git_without_beads_and_without_claude() {
    let console = Console::in_sandbox(Sandbox::without_git("empty"));
    let (ran, report) = report(&console);
    assert_eq!((ran.code, &report["ok"]), (Some(1), &Value::Bool(false)), "{report:#}");
    let claude = check(&report, "claude");
    assert_eq!(claude["state"], "problem");
    assert!(claude["hint"].as_str().is_some_and(|hint| hint.contains("claude")), "{claude:#}");
    let text = console.run(&["doctor"]);
    assert!(text.out.contains("problem") && text.err.is_empty(), "{text:?}");
    assert!(!console.sandbox.project().join(".beads").exists(), "doctor changed something");
}

#[test]
fn init_creates_beads_once() {
    let console = Console::in_sandbox(Sandbox::new());
    let info = console.json(&["init", "--prefix", "APP"]);
    assert_eq!((&info["tracker"]["kind"], &info["branch"]), (&"embedded".into(), &"main".into()), "{info:#}");
    assert!(console.bead("First", &[]).starts_with("APP-"));
    let again = console.run(&["init", "--json"]);
    assert_eq!(again.code, Some(4), "{again:?}");
    assert_eq!(console.json(&["bead", "list"])["beads"].as_array().unwrap().len(), 1);
}

#[test]
fn a_folder_without_beads_has_a_hint_to_create_them() {
    let console = Console::in_sandbox(Sandbox::new());
    for line in [
        &["bead", "list"][..],
        &["bead", "create", "x"],
        &["session", "list"],
        &["session", "start"],
        &["agent", "list"],
    ] {
        let message = console.fails(line, "no_beads", 3);
        assert!(message.contains("beads-console init"), "{line:?}: {message}");
    }
    assert!(!console.sandbox.project().join(".beads").exists());
}

#[test]
fn a_missing_project_folder_is_named() {
    let console = Console::in_sandbox(Sandbox::new());
    let message = console.fails(&["--project", "no/such folder", "bead", "list"], "project_not_found", 3);
    assert!(message.contains("no/such folder"), "{message}");
    console.sandbox.write("file", "");
    console.fails(&["--project", "file", "bead", "list"], "project_not_found", 3);
}

#[test]
fn a_project_is_found_from_a_folder_inside_it_and_from_elsewhere() {
    let console = Console::new();
    let id = console.bead("First", &[]);
    console.sandbox.write("src/deep/x.rs", "");
    let from = |dir: &str| console.json(&["--project", dir, "bead", "list"])["beads"][0]["id"].clone();
    assert_eq!(from("src/deep"), id.as_str());
    let mut command = console.command(&["bead", "list", "--json", "--project"]);
    command.arg(console.sandbox.project()).current_dir(console.sandbox.home());
    let ran = crate::console::finish(command, Vec::new());
    assert!(ran.out.contains(&id), "{ran:?}");
}

#[test]
fn awkward_folder_names_work() {
    for name in AWKWARD_NAMES {
        let console = Console::in_sandbox(Sandbox::named(name)).with_beads();
        let id = console.bead("First", &[]);
        assert_eq!(console.json(&["bead", "ready"])["beads"][0]["id"], id.as_str(), "{name}");
        let mut command = console.command(&["bead", "show", &id, "--json", "--project"]);
        command.arg(name).current_dir(console.sandbox.project().parent().unwrap());
        let ran = crate::console::finish(command, Vec::new());
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
    }
}

#[test]
fn a_worktree_belongs_to_its_main_tree() {
    let console = Console::new();
    let id = console.bead("First", &[]);
    console.sandbox.git(["worktree", "add", "-q", "../beside", "-b", "other"]);
    let list = console.json(&["--project", "../beside", "bead", "list"]);
    assert_eq!(list["beads"][0]["id"], id.as_str());
    assert!(!console.sandbox.project().join("../beside/.beads").exists());
}

/// Runs the program as a user who is subject to file permissions. If the tests run as root, this is a
/// different user.
#[cfg(unix)]
fn run_unprivileged(console: &Console, line: &[&str]) -> RunOutput {
    use std::os::unix::process::CommandExt;
    let mut command = console.command(line);
    if own_uid(console) == 0 {
        // The program is copied, because only root may have access to the folder with the built program.
        let program = console.sandbox.bin().join("beads-console");
        if !program.exists() {
            fs::copy(crate::console::program(), &program).unwrap();
            let sim = crate::console::program().with_file_name("beads-console-sim");
            if sim.exists() {
                fs::copy(sim, program.with_file_name("beads-console-sim")).unwrap();
            }
            change_owner(&console.sandbox.root());
        }
        command = console.sandbox.command(&program);
        command.args(line).uid(UNPRIVILEGED).gid(UNPRIVILEGED);
    }
    crate::console::finish(command, Vec::new())
}

/// The user id of this process, read from the owner of a new folder.
#[cfg(unix)]
fn own_uid(console: &Console) -> u32 {
    let probe = console.sandbox.root().join("probe");
    let _ = fs::remove_dir(&probe);
    fs::create_dir(&probe).unwrap();
    std::os::unix::fs::MetadataExt::uid(&fs::metadata(probe).unwrap())
}

#[cfg(unix)]
const UNPRIVILEGED: u32 = 65534;

#[cfg(unix)]
fn change_owner(path: &Path) {
    std::os::unix::fs::lchown(path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap();
    let inside = fs::symlink_metadata(path).unwrap().is_dir().then(|| fs::read_dir(path).unwrap());
    inside.into_iter().flatten().for_each(|entry| change_owner(&entry.unwrap().path()));
}

#[test]
#[cfg(unix)]
fn a_read_only_project_is_readable_and_reports_failed_writes() {
    use std::os::unix::fs::PermissionsExt;
    let console = Console::new();
    let id = console.bead("First", &[]);
    let beads = console.sandbox.project().join(".beads");
    let day = "2026-01-19T10:00:00-06:00";
    let meta = serde_json::json!({
        "id": "00000000-0000-4000-8000-000000000001", "project_id": "proj-1", "status": "closed", "title": "Kept",
        "created_at": day, "closed_at": day
    });
    console
        .sandbox
        .write(".beads/sessions/00000000-0000-4000-8000-000000000001/meta.json", &meta.to_string());
    let set_mode = |mode| {
        for dir in [beads.join("sessions"), beads.clone()] {
            fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set_mode(0o555);
    let list = run_unprivileged(&console, &["bead", "list", "--json"]);
    assert!(list.code == Some(0) && list.out.contains(&id), "{list:?}");
    assert_eq!(run_unprivileged(&console, &["session", "list"]).code, Some(0));
    let refused = run_unprivileged(&console, &["bead", "create", "x", "--json"]);
    let message = refused.refused("create", "read_only", 1);
    assert!(message.contains(".beads"), "{message}");
    run_unprivileged(&console, &["session", "start", "--simulated", "--json"]).refused(
        "start",
        "read_only",
        1,
    );
    let session = "00000000-0000-4000-8000-000000000001";
    console.sandbox.write("locked/inside", "");
    let folder = console.sandbox.project().join("locked");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let export = ["session", "export", session, "-o", "locked/out.md", "--json"];
    let refused = run_unprivileged(&console, &export);
    let message = refused.refused("export", "read_only", 1);
    assert!(message.contains("out.md"), "{message}");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(
        run_unprivileged(&console, &["session", "export", session]).out.contains("Kept"),
        "the closed session cannot be exported"
    );
    set_mode(0o755);
}

#[test]
#[cfg(unix)]
fn a_live_session_survives_the_loss_of_write_permission() {
    use std::os::unix::fs::PermissionsExt;
    if need_sim("a_live_session_survives_the_loss_of_write_permission").is_none() {
        return;
    }
    let console = Console::new();
    let json = |line: &[&str]| -> Value {
        let ran = run_unprivileged(&console, &[line, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{line:?}: {ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    };
    let started =
        json(&["session", "start", "--simulated", "--prompt", "first [[ask]] [[say:answered meanwhile]]"]);
    let id = started["session"]["id"].as_str().unwrap().to_owned();
    let show = |what: &str, condition: &dyn Fn(&Value) -> bool| {
        wait_for(what, Duration::from_secs(120), || {
            Some(json(&["session", "show", &id])).filter(|s| condition(s))
        })
    };
    let asks = show("a permission request", &|s| s["live"]["permissions"][0]["id"].is_string());
    let folder = console.sandbox.project().join(".beads/sessions").join(&id);
    let set_mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o500);
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap();
    json(&["session", "permission", &id, request, "--allow"]);
    let broken = show("a problem", &|s| s["live"]["troubles"][0].is_string());
    let trouble = broken["live"]["troubles"][0].as_str().unwrap();
    assert!(trouble.contains(&id) && trouble.contains("ermission"), "{trouble}");
    let pause = run_unprivileged(&console, &["session", "pause", &id, "--json"]);
    assert_ne!(pause.code, Some(0), "the pause succeeded although it could not be recorded: {pause:?}");
    set_mode(0o700);
    let messages = json(&["session", "transcript", &id])["messages"].as_array().unwrap().clone();
    assert!(messages.iter().any(|m| m["content"].as_str().unwrap().starts_with("first")), "{messages:#?}");
    // The agent was killed during the pause, so the session is marked as interrupted.
    let paused = show("an interrupted session", &|s| s["status"] == "paused");
    assert_eq!(paused["pause_reason"], "interrupted");
    let resumed = json(&["session", "resume", &id]);
    assert_eq!(resumed["session"]["status"], "active");
    json(&["session", "end", &id]);
    let messages_at_end = json(&["session", "transcript", &id])["messages"].clone();
    let meanwhile =
        messages_at_end.as_array().unwrap().iter().filter(|m| m["content"] == "answered meanwhile").count();
    assert_eq!(meanwhile, 1, "{messages_at_end:#}");
}
