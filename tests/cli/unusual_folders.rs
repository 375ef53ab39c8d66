//! Environments that are rare among developers: a PATH with the system's folders only, a long temporary folder,
//! a home with spaces and accents, long project paths, and a synced folder.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::{
    console::{Console, finish, need_sim, program},
    serve::{RunningServer, enter, rpc},
};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{fs, path::Path};

#[test]
fn a_server_with_only_the_systems_folders_finds_claude_where_the_login_shell_does() {
    let mut console = Console::new();
    console
        .sandbox
        .script("claude", "case \"$1\" in --version) echo '2.1.329 (Claude Code)';; *) echo '{}';; esac");
    let profile = format!("echo Welcome; PATH=\"{}:$PATH\"; eval \"$4\"", console.sandbox.bin().display());
    let shell = console.sandbox.script("a-shell", &profile);
    console.sandbox.set("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
    let found = |console: &Console| {
        let serving = RunningServer::start(console);
        let page = enter(serving.line["url"].as_str().unwrap()).unwrap();
        rpc(&page, "app.info", json!({}))["claude"]["state"].clone()
    };
    console.sandbox.set("SHELL", "/bin/false");
    assert_eq!(found(&console), "missing", "a shell that fails adds no folder to the PATH");
    console.sandbox.set("SHELL", shell);
    assert_ne!(found(&console), "missing");
}

/// Asserts that a session starts, records a prompt and can be resumed.
fn check_session(console: &Console, run: &dyn Fn(&[&str]) -> Value) {
    let bead = run(&["bead", "create", "One"])["bead"]["id"].as_str().unwrap().to_owned();
    let id =
        run(&["session", "start", "--bead", &bead, "--simulated", "--worktree", "--prompt", "hello there"]);
    let id = id["session"]["id"].as_str().unwrap();
    console.wait_message("the prompt", id, |m| m["role"] == "user" && m["content"] == "hello there");
    console.wait_message("an answer", id, |m| m["role"] == "assistant");
    console.wait_idle(id);
    run(&["session", "pause", id]);
    run(&["session", "resume", id]);
    console.wait_idle(id);
    run(&["session", "end", id]);
    // Only this check is compared, because `doctor` also reports that claude is missing in the sandbox.
    let report: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
    let sockets = report["checks"].as_array().unwrap();
    assert!(sockets.iter().any(|check| check["name"] == "sockets" && check["state"] == "ok"), "{sockets:#?}");
}

#[test]
fn sessions_work_with_a_temporary_folder_of_90_characters() {
    if need_sim("sessions_work_with_a_temporary_folder_of_90_characters").is_none() {
        return;
    }
    let mut console = Console::new();
    let base = console.sandbox.root();
    let rest = 90 - base.as_os_str().len() - 1;
    let long = base.join("t".repeat(rest));
    fs::create_dir(&long).unwrap();
    assert_eq!(long.as_os_str().len(), 90);
    console.sandbox.unset("XDG_RUNTIME_DIR");
    console.sandbox.set("TMPDIR", &long);
    check_session(&console, &|line| console.json(line));
}

#[test]
fn sessions_work_for_a_user_whose_home_has_spaces_accents_and_an_apostrophe() {
    let Some(sim) = need_sim("sessions_work_for_a_user_whose_home_has_spaces_accents_and_an_apostrophe")
    else {
        return;
    };
    let mut sandbox = Sandbox::new();
    let home = sandbox.root().join("Zoë O'Brien & Söhne \"x\"");
    let folders = [
        ("HOME", ""),
        ("CLAUDE_CONFIG_DIR", ".claude"),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_CACHE_HOME", ".cache"),
        ("TMPDIR", "tmp"),
    ];
    for (variable, folder) in folders {
        fs::create_dir_all(home.join(folder)).unwrap();
        sandbox.set(variable, home.join(folder));
    }
    let console = Console::in_sandbox(sandbox).with_beads();
    // The program's folder also has a name with an apostrophe, because claude's hooks contain its path.
    let installed =
        tempfile::Builder::new().prefix("Zoë O'Brien ").tempdir_in(program().parent().unwrap()).unwrap();
    for from in [program(), &sim] {
        fs::hard_link(from, installed.path().join(from.file_name().unwrap())).unwrap();
    }
    check_session(&console, &|line| {
        let mut command = console.sandbox.command(installed.path().join("beads-console"));
        command.args(line).arg("--json");
        let ran = finish(command, Vec::new());
        assert_eq!(ran.code, Some(0), "{line:?}: {}", ran.err);
        serde_json::from_str(&ran.out).unwrap()
    });
}

#[test]
fn sessions_work_in_paths_of_more_than_260_characters() {
    if need_sim("sessions_work_in_paths_of_more_than_260_characters").is_none() {
        return;
    }
    let deep = [
        "folder-with-a-long-name-".repeat(3),
        "another-one-".repeat(6),
        "third-".repeat(12),
        "project".into(),
    ];
    let console = Console::in_sandbox(Sandbox::named(&deep.join("/"))).with_beads();
    assert!(console.sandbox.project().as_os_str().len() > 230);
    let branch = format!("feat/{}", "long-".repeat(20).trim_end_matches('-'));
    let id = console.start(&["--simulated", "--worktree", "--branch", &branch, "--prompt", "hello"]);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    let tree = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    assert!(tree.len() > 300, "{tree}");
    fs::write(Path::new(&tree).join("new.txt"), "x\n").unwrap();
    let changes = console.json(&["session", "changes", &id]);
    assert!(changes.to_string().contains("new.txt"), "{changes:#}");
}

#[test]
fn doctor_names_the_service_that_syncs_a_projects_folder() {
    let volume = |sandbox: Sandbox| {
        let console = Console::in_sandbox(sandbox);
        let report: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
        report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "volume").cloned()
    };
    assert_eq!(volume(Sandbox::new()), None, "an ordinary folder must not have this check");
    let mut sandbox = Sandbox::named("OneDrive - Company/work");
    let home = sandbox.project().ancestors().nth(2).unwrap().to_owned();
    sandbox.set("HOME", home);
    let found = volume(sandbox).expect("the folder is named");
    assert_eq!(found["state"], "warning");
    assert!(found["found"].as_str().unwrap().contains("is copied to other machines by OneDrive"), "{found}");
}
