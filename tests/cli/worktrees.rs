//! Worktrees: copied files, the setup command, disk usage, removal and restoration.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::console::{Console, need_sim};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Starts a session in a worktree on this branch, and returns its id.
fn started(console: &Console, branch: &str) -> String {
    let id = console.start(&["--simulated", "--worktree", "--branch", branch, "--prompt", ""]);
    console.wait_idle(&id);
    id
}

fn paused(console: &Console, branch: &str) -> String {
    let id = started(console, branch);
    console.ok(&["session", "pause", &id]);
    id
}

fn cwd(console: &Console, id: &str) -> PathBuf {
    PathBuf::from(console.show(id)["cwd"].as_str().unwrap())
}

fn set(console: &Console, words: &[&str]) {
    console.ok(&[&["fleet", "settings"], words].concat());
}

fn trees(console: &Console) -> Vec<Value> {
    console.json(&["worktree", "list"])["worktrees"].as_array().unwrap().clone()
}

fn sessions(console: &Console) -> usize {
    console.json(&["session", "list"])["sessions"].as_array().unwrap().len()
}

#[test]
fn worktree_is_set_up_before_the_agent_starts() {
    if need_sim("worktree_is_set_up_before_the_agent_starts").is_none() {
        return;
    }
    let console = Console::new();
    let project = console.sandbox.project().to_owned();
    console.sandbox.write(".gitignore", ".env\nnode_modules\nready\n");
    console.sandbox.git(["add", ".gitignore"]);
    console.sandbox.git(["commit", "-qm", "ignore"]);
    console.sandbox.write(".env", "SECRET=1\n");
    console.sandbox.write("node_modules/a/index.js", "1\n");
    console.sandbox.write("notes.txt", "mine\n");
    set(&console, &["worktree_copy", ".env", "notes.txt", "missing"]);
    set(&console, &["worktree_link", "node_modules"]);
    set(&console, &["worktree_setup", "sh", "-c", "pwd > ready; echo done"]);
    set(&console, &["worktree_dir", "../elsewhere"]);
    let shown =
        console.json(&["session", "start", "--simulated", "--worktree", "--branch", "x", "--prompt", ""]);
    let warnings = shown["warnings"].to_string();
    assert!(warnings.contains("notes.txt is not ignored") && warnings.contains("missing"), "{warnings}");
    let id = shown["session"]["id"].as_str().unwrap().to_owned();
    let folder = cwd(&console, &id);
    assert_eq!(folder, project.parent().unwrap().join("elsewhere/x"));
    assert_eq!(fs::read_to_string(folder.join(".env")).unwrap(), "SECRET=1\n");
    assert_eq!(fs::read_link(folder.join("node_modules")).unwrap(), project.join("node_modules"));
    assert_eq!(fs::read_to_string(folder.join("ready")).unwrap().trim(), folder.to_str().unwrap());
    console.fails(&["worktree", "remove", "x", "--yes"], "session_state", 4);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    // An unchanged copy is not counted as a loss.
    assert_eq!(trees(&console)[0]["clean"], true, "{:?}", trees(&console));
    fs::write(folder.join(".env"), "SECRET=2\n").unwrap();
    assert_eq!(console.json(&["worktree", "show", "x"])["untracked"], json!([".env"]));
    fs::write(folder.join(".env"), "SECRET=1\n").unwrap();
    let tree = folder.to_str().unwrap();
    console.sandbox.git(["worktree", "lock", tree]);
    console.fails(&["worktree", "remove", "x"], "git_failed", 1);
    assert!(folder.join(".env").is_file(), "a refused removal removed the copied files");
    console.sandbox.git(["worktree", "unlock", tree]);
    console.ok(&["worktree", "remove", "x"]);
    assert!(!folder.exists() && project.join("node_modules/a/index.js").is_file());
    console.ok(&["session", "resume", &id]);
    assert!(
        folder.join("ready").is_file() && folder.join(".env").is_file(),
        "the worktree was not restored completely"
    );
}

#[test]
fn failed_setup_reports_its_output_and_is_cleaned_up() {
    if need_sim("failed_setup_reports_its_output_and_is_cleaned_up").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Login", &[]);
    set(&console, &["worktree_setup", "sh", "-c", "echo no network here; sleep 600 & exit 3"]);
    let line = ["session", "start", "--simulated", "--worktree", "--bead", &bead];
    let message = console.fails(&line, "setup_failed", 1);
    assert!(
        message.contains("no network here") && message.contains("exit code 3") && message.contains(".log"),
        "{message}"
    );
    assert_eq!((trees(&console).len(), sessions(&console)), (0, 0));
    assert_eq!(console.sandbox.git(["branch", "--list", "feat/*"]).trim(), "");
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "open");
    set(&console, &["worktree_setup", "/no/such/program"]);
    console.fails(&line, "setup_failed", 1);
    set(&console, &["worktree_setup", "default"]);
    console.ok(&line);
}

#[test]
fn setup_killed_midway_is_completed_at_next_use() {
    if need_sim("setup_killed_midway_is_completed_at_next_use").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.write(".gitignore", ".env\nready\nbegan\n");
    console.sandbox.git(["add", ".gitignore"]);
    console.sandbox.git(["commit", "-qm", "ignore"]);
    console.sandbox.write(".env", "1\n");
    let go = console.sandbox.project().join("../go");
    let wait = format!("echo > began; until [ -e '{}' ]; do :; done; echo > ready", go.display());
    set(&console, &["worktree_copy", ".env"]);
    set(&console, &["worktree_setup", "sh", "-c", &wait]);
    let line = ["session", "start", "--simulated", "--worktree", "--branch", "x", "--prompt", ""];
    let mut starting = console.command(&line).spawn().unwrap();
    let tree = console.sandbox.project().parent().unwrap().join("project-worktrees/x");
    wait_for("the setup", Duration::from_secs(60), || tree.join("began").exists().then_some(()));
    // The folder belongs to the session even before an agent works in it.
    console.fails(&["worktree", "remove", "x", "--yes"], "session_state", 4);
    starting.kill().unwrap();
    starting.wait().unwrap();
    fs::remove_file(tree.join(".env")).unwrap();
    // A program that is killed during a copy leaves this file behind.
    fs::write(tree.join(".beads-console-half-.env"), "").unwrap();
    fs::write(&go, "").unwrap();
    wait_for("the end of the setup in the background", Duration::from_secs(60), || {
        tree.join("ready").exists().then_some(())
    });
    fs::remove_file(tree.join("ready")).unwrap();
    let id = started(&console, "x");
    assert_eq!(cwd(&console, &id), tree);
    assert!(tree.join("ready").exists() && tree.join(".env").exists(), "the setup was not completed");
    assert!(!tree.join(".beads-console-half-.env").exists(), "a partial copy was left");
}

#[cfg(unix)]
#[test]
fn setup_killed_before_its_start_is_completed_at_next_use() {
    if need_sim("setup_killed_before_its_start_is_completed_at_next_use").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.write(".gitignore", ".env\nready\n");
    console.sandbox.git(["add", ".gitignore"]);
    console.sandbox.git(["commit", "-qm", "ignore"]);
    console.sandbox.write(".env", "1\n");
    set(&console, &["worktree_copy", ".env"]);
    set(&console, &["worktree_setup", "sh", "-c", "echo > ready"]);
    // This `git` script kills its parent process after the first `worktree add`.
    let mark = console.sandbox.project().join("../kill");
    let script = format!(
        "PATH=${{PATH#*:}}\ngit \"$@\" || exit\ncase \"$*\" in *'worktree add'*) rm '{0}' 2>/dev/null && kill -9 $PPID ;; esac\n:",
        mark.display()
    );
    console.sandbox.script("git", &script);
    fs::write(&mark, "").unwrap();
    let line = ["session", "start", "--simulated", "--worktree", "--branch", "x", "--prompt", ""];
    let ended = console.command(&line).output().unwrap();
    assert!(!mark.exists() && ended.status.code().is_none(), "{ended:?}");
    let tree = console.sandbox.project().parent().unwrap().join("project-worktrees/x");
    assert!(
        tree.join(".git").is_file() && !tree.join(".env").exists(),
        "the process was killed at another step"
    );
    let id = started(&console, "x");
    assert_eq!(cwd(&console, &id), tree);
    assert!(tree.join("ready").exists() && tree.join(".env").exists(), "the setup was not completed");
    let markers = fs::read_dir(console.sandbox.project().join(".git/beads-console-making")).unwrap().count();
    assert_eq!(markers, 0, "the completed setup is still marked as unfinished");
}

#[test]
fn repository_setup_script_runs_only_as_allowed() {
    if need_sim("repository_setup_script_runs_only_as_allowed").is_none() {
        return;
    }
    let console = Console::new();
    let script = |text: &str| {
        console.sandbox.write("tools/setup.sh", text);
        console.sandbox.git(["add", "tools/setup.sh"]);
        console.sandbox.git(["commit", "-qm", "script"]);
    };
    script("touch first\n");
    set(&console, &["worktree_setup", "sh", "tools/setup.sh"]);
    assert_eq!(console.json(&["worktree", "setup"])["state"], "allowed");
    let id = started(&console, "one");
    assert!(cwd(&console, &id).join("first").is_file());
    script("touch stolen\n");
    let line = ["session", "start", "--simulated", "--worktree", "--branch", "two", "--prompt", ""];
    let message = console.fails(&line, "confirmation_needed", 4);
    assert!(message.contains("tools/setup.sh"), "{message}");
    assert_eq!(trees(&console).len(), 1);
    let setup = console.json(&["worktree", "setup"]);
    let change = setup["change"].as_str().unwrap();
    assert!(setup["state"] == "asks" && change.contains("+touch stolen"), "{setup}");
    assert_eq!(console.json(&["worktree", "setup", "--allow"])["state"], "allowed");
    console.ok(&line);
    // The earlier version of the script, on the branch `old`, stays allowed.
    console.sandbox.git(["branch", "old", "one"]);
    console.ok(&["session", "start", "--simulated", "--worktree", "--branch", "old", "--prompt", ""]);
}

#[test]
fn removal_shows_losses_and_needs_consent_to_exactly_these() {
    if need_sim("removal_shows_losses_and_needs_consent_to_exactly_these").is_none() {
        return;
    }
    let console = Console::new();
    let id = paused(&console, "x");
    let folder = cwd(&console, &id);
    fs::write(folder.join("-rf\nnew"), "work\n").unwrap();
    let message = console.fails(&["worktree", "remove", "x"], "confirmation_needed", 4);
    assert!(message.contains("1 untracked file or folder"), "{message}");
    let shown = console.json(&["worktree", "show", folder.to_str().unwrap()]);
    assert_eq!((&shown["clean"], &shown["untracked"]), (&json!(false), &json!(["-rf\nnew"])));
    let entry = &trees(&console)[0];
    assert_eq!((&entry["session"]["id"], &entry["untracked"]), (&json!(id), &json!(1)));
    assert!(entry["bytes"].as_u64().unwrap() > 0);
    assert!(folder.join("-rf\nnew").is_file());
    console.ok(&["worktree", "remove", "x", "--yes"]);
    assert!(!folder.exists());
    assert!(console.sandbox.git(["branch", "--list", "x"]).contains('x'), "the branch was removed");
    console.fails(&["worktree", "remove", "x"], "worktree_not_found", 3);
    let main = console.sandbox.project().to_str().unwrap();
    console.fails(&["worktree", "remove", main], "worktree_not_found", 3);
    console.fails(&["worktree", "show", "--", "-x"], "worktree_not_found", 3);
}

#[test]
fn moved_or_missing_worktree_is_restored_for_its_session() {
    if need_sim("moved_or_missing_worktree_is_restored_for_its_session").is_none() {
        return;
    }
    let console = Console::new();
    let (one, two) = (paused(&console, "one"), paused(&console, "two"));
    let (first, second) = (cwd(&console, &one), cwd(&console, &two));
    let moved = first.with_file_name("moved");
    fs::write(first.join("notes"), "mine\n").unwrap();
    fs::rename(&first, &moved).unwrap();
    fs::remove_dir_all(&second).unwrap();
    let states: Vec<Value> = trees(&console).iter().map(|tree| tree["state"].clone()).collect();
    assert_eq!(states, [json!("moved"), json!("gone")]);
    console.fails(&["worktree", "remove", "one", "--yes"], "file_refused", 4);
    let restored = console.json(&["worktree", "restore", &one]);
    assert_eq!(restored["path"], moved.to_str().unwrap(), "{restored}");
    assert!(restored["action"].as_str().unwrap().contains("was moved to"), "{restored}");
    assert_eq!(fs::read_to_string(moved.join("notes")).unwrap(), "mine\n");
    console.ok(&["worktree", "restore", &two]);
    assert!(second.join(".git").is_file());
    assert_eq!(console.json(&["worktree", "restore", &two])["action"], Value::Null);
    console.ok(&["session", "resume", &one]);
    assert_eq!(cwd(&console, &one), moved);
    console.fails(&["worktree", "restore", &one], "session_state", 4);
    // A worktree that is no longer registered in git can be recreated.
    fs::remove_dir_all(&second).unwrap();
    console.sandbox.git(["worktree", "prune"]);
    console.ok(&["worktree", "restore", &two]);
    assert!(cwd(&console, &two).join(".git").exists());
}

#[test]
fn new_branch_starts_from_the_configured_base() {
    if need_sim("new_branch_starts_from_the_configured_base").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.git(["branch", "base"]);
    let base = console.sandbox.git(["rev-parse", "base"]);
    console.sandbox.write("later", "1\n");
    console.sandbox.git(["add", "later"]);
    console.sandbox.git(["commit", "-qm", "later"]);
    set(&console, &["worktree_base", "base"]);
    let id = started(&console, "x");
    assert_eq!(console.sandbox.git(["rev-parse", "x"]), base);
    let shown = console.show(&id);
    assert_eq!((&shown["base_branch"], &shown["base_commit"]), (&json!("base"), &json!(base.trim())));
    set(&console, &["worktree_base", "no-such-branch"]);
    let line = ["session", "start", "--simulated", "--worktree", "--branch", "y", "--prompt", ""];
    console.fails(&line, "git_failed", 1);
    assert_eq!(sessions(&console), 1);
}

#[test]
fn a_folder_that_would_lose_work_is_refused() {
    let console = Console::new();
    let main = console.sandbox.project().to_owned();
    let inside = main.join(".git/trees");
    for folder in [".git/trees", "inside", ".", "~/trees", "", inside.to_str().unwrap(), "../project/.git"] {
        console.fails(&["fleet", "settings", "worktree_dir", folder], "usage", 2);
    }
    console.sandbox.write(".gitignore", "trees/\n");
    set(&console, &["worktree_dir", "trees"]);
    for list in ["worktree_copy", "worktree_link"] {
        for name in ["../x", "/etc/passwd", ".git/hooks", ".", "a/../../b", ".beads"] {
            console.fails(&["fleet", "settings", list, &format!("[{name:?}]")], "usage", 2);
        }
    }
    if !Path::new("/var/tmp").is_dir() || main.starts_with("/tmp") {
        // The worktrees of a repository in a temporary folder may be in a temporary folder as well.
        set(&console, &["worktree_dir", "/tmp"]);
    }
}

#[test]
#[cfg(unix)]
fn links_outside_the_project_or_worktree_are_not_followed() {
    if need_sim("links_outside_the_project_or_worktree_are_not_followed").is_none() {
        return;
    }
    let console = Console::new();
    let outside = console.sandbox.root().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret"), "theirs\n").unwrap();
    let project = console.sandbox.project();
    std::os::unix::fs::symlink(&outside, project.join("out")).unwrap();
    std::os::unix::fs::symlink(&outside, project.join("config")).unwrap();
    console.sandbox.git(["add", "config"]);
    console.sandbox.git(["commit", "-qm", "a link"]);
    fs::remove_file(project.join("config")).unwrap();
    console.sandbox.write("config/.env", "1\n");
    console.sandbox.write("many/a", "1\n");
    std::os::unix::fs::symlink("/etc", project.join("many/etc")).unwrap();
    set(&console, &["worktree_copy", "out", "out/secret", "config/.env", "many"]);
    let id = started(&console, "x");
    let folder = cwd(&console, &id);
    assert!(folder.join("out").symlink_metadata().is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "a file was written outside the worktree");
    assert!(
        folder.join("many/etc").symlink_metadata().unwrap().is_symlink(),
        "the link was not copied as a link"
    );
}

#[test]
fn a_committed_copy_does_not_prevent_removal() {
    if need_sim("a_committed_copy_does_not_prevent_removal").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.write("notes.txt", "mine\n");
    set(&console, &["worktree_copy", "notes.txt"]);
    let id = paused(&console, "x");
    let folder = cwd(&console, &id);
    let tree = folder.to_str().unwrap();
    console.sandbox.git(["-C", tree, "add", "notes.txt"]);
    console.sandbox.git(["-C", tree, "commit", "-qm", "notes"]);
    assert_eq!(trees(&console)[0]["clean"], true, "{:?}", trees(&console));
    console.ok(&["worktree", "remove", "x"]);
    assert!(!folder.exists());
    console.sandbox.git(["cat-file", "-e", "x:notes.txt"]);
}
