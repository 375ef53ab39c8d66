//! Projects on other volumes: a Mac volume, which ignores the case and Unicode normalization of names; an
//! NTFS volume, which refuses some names; and a network drive.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::{
    console::{Console, need_sim},
    serve::{RunningServer, enter, rpc},
};
use bc_testkit::{Sandbox, Volume};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// A project in a folder `Work/Gro\u{308}ße` of the volume.
fn project_on(volume: &Volume) -> Console {
    Console::in_sandbox(Sandbox::with_project(&volume.path().join("Work/Gro\u{308}ße"))).with_beads()
}

fn in_folder(console: &Console, folder: &Path, line: &[&str]) -> Value {
    let project = folder.to_str().unwrap();
    console.json(&[line, &["--project", project]].concat())
}

#[test]
#[ignore = "mounts a file system"]
fn a_project_that_is_opened_under_two_spellings_is_one_project() {
    let test = "a_project_that_is_opened_under_two_spellings_is_one_project";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::mac(test)) else { return };
    let console = project_on(&volume);
    let bead = console.bead("One", &[]);
    let other = volume.path().join("WORK/gr\u{f6}ße");
    let id = console.start(&["--bead", &bead, "--simulated", "--worktree", "--prompt", "hello"]);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    let sessions = in_folder(&console, &other, &["session", "list"])["sessions"].clone();
    assert_eq!(sessions[0]["id"], json!(id), "{sessions:#}");
    let second = in_folder(&console, &other, &["session", "start", "--simulated", "--prompt", "hello"]);
    assert_eq!(Path::new(second["session"]["cwd"].as_str().unwrap()), console.sandbox.project());

    let serving = RunningServer::start(&console);
    let page = enter(serving.line["url"].as_str().unwrap()).unwrap();
    let opened = rpc(&page, "app.open_project", json!({ "path": other }));
    let open = rpc(&page, "app.projects", json!({}));
    assert_eq!(open["projects"].as_array().unwrap().len(), 1, "{open:#}");
    assert_eq!(Path::new(opened["root"].as_str().unwrap()), console.sandbox.project());
}

#[test]
#[ignore = "mounts a file system"]
fn branches_that_differ_by_case_only_are_never_mixed_up_on_a_mac() {
    let test = "branches_that_differ_by_case_only_are_never_mixed_up_on_a_mac";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::mac(test)) else { return };
    let console = project_on(&volume);
    let id = console.start(&["--simulated", "--worktree", "--branch", "feat/One", "--prompt", "hello"]);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    for options in [&["--worktree"][..], &["--no-worktree"], &[]] {
        let line = [&["session", "start", "--simulated", "--branch", "FEAT/one"], options].concat();
        let message = console.fails(&line, "branch_exists", 4);
        assert!(message.contains("feat/One"), "{message}");
    }
    let other = console.start(&["--simulated", "--worktree", "--branch", "feat/two", "--prompt", "hello"]);
    console.wait_message("an answer", &other, |m| m["role"] == "assistant");
    let (one, two) = (console.show(&id)["cwd"].clone(), console.show(&other)["cwd"].clone());
    assert_ne!(one, two);
    fs::write(Path::new(one.as_str().unwrap()).join("README.md"), "# Changed\n").unwrap();
    let changes = console.json(&["session", "changes", &id]);
    assert_eq!(changes["files"].as_array().unwrap().len(), 1, "{changes:#}");
    for id in [&id, &other] {
        console.ok(&["session", "end", id]);
    }
}

#[test]
#[ignore = "mounts a file system"]
fn beads_and_sessions_with_titles_that_differ_by_case_only_are_kept_apart_on_a_mac() {
    let test = "beads_and_sessions_with_titles_that_differ_by_case_only_are_kept_apart_on_a_mac";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::mac(test)) else { return };
    let console = project_on(&volume);
    let beads = ["Fix It", "fix it"].map(|title| console.bead(title, &[]));
    let ids =
        beads.map(|bead| console.start(&["--bead", &bead, "--simulated", "--worktree", "--prompt", "hello"]));
    for id in &ids {
        console.wait_message("an answer", id, |m| m["role"] == "assistant");
    }
    let [one, two] = [&ids[0], &ids[1]].map(|id| console.show(id));
    assert!(one["branch"] != two["branch"] && one["cwd"] != two["cwd"], "{one:#}\n{two:#}");
    // Exports of sessions do not overwrite each other if the titles differ only by case.
    let adhoc = ["Same Title", "same title"]
        .map(|title| console.start(&["--simulated", "--title", title, "--prompt", "hello"]));
    for id in &adhoc {
        console.wait_message("an answer", id, |m| m["role"] == "assistant");
    }
    let folder = volume.path().join("exports");
    fs::create_dir(&folder).unwrap();
    let to = folder.to_str().unwrap();
    console.ok(&["session", "export", &adhoc[0], &adhoc[1], "--output", to]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    for id in ids.iter().chain(&adhoc) {
        console.ok(&["session", "pause", id]);
    }
    let resumed = console.json(&["session", "resume", &ids[0]]);
    assert_eq!(resumed["session"]["branch"], one["branch"]);
}

#[test]
#[ignore = "mounts a file system"]
fn everything_that_a_session_writes_is_accepted_by_ntfs() {
    let test = "everything_that_a_session_writes_is_accepted_by_ntfs";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::ntfs(test)) else { return };
    let refused = fs::create_dir(volume.path().join("con"));
    assert!(refused.is_err(), "the volume does not apply the rules of Windows");
    let console = project_on(&volume);
    for title in ["con", "AUX: what? <b>*</b> | \"x\"", "trailing dots..."] {
        let bead = console.bead(title, &[]);
        let id = console.start(&["--bead", &bead, "--simulated", "--worktree", "--prompt", "hello"]);
        console.wait_message("an answer", &id, |m| m["role"] == "assistant");
        console.ok(&["session", "pause", &id]);
        console.ok(&["session", "resume", &id]);
        console.wait_idle(&id);
        console.ok(&["session", "end", &id]);
    }
    let folder = volume.path().join("exports");
    fs::create_dir(&folder).unwrap();
    console.ok(&["session", "export", "--all", "--output", folder.to_str().unwrap()]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

/// The check of `doctor` with this name.
fn check(console: &Console, name: &str) -> Value {
    let report: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).cloned().unwrap_or_default()
}

#[test]
#[ignore = "mounts a file system"]
fn a_session_works_on_a_network_drive_and_doctor_names_it() {
    let test = "a_session_works_on_a_network_drive_and_doctor_names_it";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::network(test)) else { return };
    let console = project_on(&volume);
    let volume = check(&console, "volume");
    assert_eq!(volume["state"], "warning", "{volume:#}");
    let found = volume["found"].as_str().unwrap();
    assert!(found.contains("network drive (fuse.sshfs); its locks work on this machine"), "{found}");
    let bead = console.bead("One", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--worktree", "--prompt", "hello"]);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    console.ok(&["session", "pause", &id]);
    console.ok(&["session", "resume", &id]);
    console.wait_idle(&id);
    let tree = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    fs::write(Path::new(&tree).join("README.md"), "# Changed\n").unwrap();
    let changes = console.json(&["session", "changes", &id]);
    assert_eq!(changes["files"].as_array().unwrap().len(), 1, "{changes:#}");
    console.ok(&["session", "end", &id]);
}

#[test]
#[ignore = "mounts a file system"]
fn two_files_of_a_repository_that_differ_by_case_only_do_not_stop_a_session_on_a_mac() {
    let test = "two_files_of_a_repository_that_differ_by_case_only_do_not_stop_a_session_on_a_mac";
    let (Some(_), Some(volume)) = (need_sim(test), Volume::mac(test)) else { return };
    let console = project_on(&volume);
    // Both files are committed, as on Linux. Git on a Mac can write only one of them.
    let upper = console.sandbox.git(["hash-object", "-w", "README.md"]);
    fs::write(console.sandbox.root().join("other"), "# Another\n").unwrap();
    let other = console.sandbox.root().join("other");
    let lower = console.sandbox.git(["hash-object", "-w", other.to_str().unwrap()]);
    assert_ne!(upper, lower);
    console.sandbox.git([
        "-c",
        "core.ignorecase=false",
        "update-index",
        "--add",
        "--cacheinfo",
        "100644",
        &lower,
        "readme.md",
    ]);
    console.sandbox.git(["commit", "-qm", "two names"]);
    assert_eq!(
        console.sandbox.git(["ls-files"]).lines().filter(|f| f.eq_ignore_ascii_case("readme.md")).count(),
        2
    );
    let id = console.start(&["--simulated", "--worktree", "--branch", "feat/one", "--prompt", "hello"]);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    let tree = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    fs::write(Path::new(&tree).join("new.txt"), "x\n").unwrap();
    let changes = console.json(&["session", "changes", &id]);
    let files = changes["files"].as_array().unwrap();
    assert!(files.iter().any(|file| file["path"] == "new.txt"), "{changes:#}");
    console.ok(&["session", "commit", &id, "-m", "new", "new.txt"]);
    console.ok(&["session", "end", &id]);
    let files = console.sandbox.git(["ls-tree", "-r", "--name-only", "feat/one"]);
    for name in ["README.md", "readme.md", "new.txt"] {
        assert!(files.lines().any(|file| file == name), "{files}");
    }
}
