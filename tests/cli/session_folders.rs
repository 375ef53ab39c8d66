//! The folder of a session: the main tree or a worktree, with or without a new branch. Unusable folders and
//! branches are refused with a reason.

use crate::{
    console::{Console, need_sim},
    serve::RunningServer,
};
use bc_testkit::{AWKWARD_NAMES, Sandbox, wait_for};
use serde_json::{Value, json};
use std::{path::Path, time::Duration};

const TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn a_second_session_gets_a_worktree_beside_the_repository() {
    if need_sim("a_second_session_gets_a_worktree_beside_the_repository").is_none() {
        return;
    }
    let console = Console::new();
    let (one, two) = (console.bead("One", &[]), console.bead("Two", &[]));
    let first = console.start(&["--bead", &one, "--simulated"]);
    let second = console.start(&["--bead", &two, "--simulated"]);
    let (first, second) = (console.show(&first), console.show(&second));
    let project = console.sandbox.project();
    assert_eq!(Path::new(first["cwd"].as_str().unwrap()), project);
    let cwd = Path::new(second["cwd"].as_str().unwrap());
    let beside = cwd.starts_with(project.parent().unwrap()) && !cwd.starts_with(project);
    assert_eq!((&second["worktree"], beside), (&json!(true), true), "{second:#}");
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), first["branch"].as_str().unwrap());
    let branch = console.sandbox.git(["-C", cwd.to_str().unwrap(), "branch", "--show-current"]);
    assert_eq!(branch, second["branch"].as_str().unwrap());
    let from_worktree = console.json(&["--project", cwd.to_str().unwrap(), "session", "list"]);
    assert_eq!(
        from_worktree["sessions"].as_array().unwrap().len(),
        2,
        "the worktree does not belong to the project of the main tree"
    );
    let three = console.bead("Three", &[]);
    let message = console.fails(
        &["session", "start", "--bead", &three, "--simulated", "--no-worktree"],
        "folder_in_use",
        4,
    );
    assert!(message.contains(&first["id"].as_str().unwrap()[..8]), "{message}");
    assert_eq!(
        console.json(&["bead", "show", &three])["bead"]["status"],
        "open",
        "the bead stays claimed after a refused start"
    );
}

#[test]
fn changes_move_to_a_new_branch_and_untracked_files_do_not_count() {
    if need_sim("changes_move_to_a_new_branch_and_untracked_files_do_not_count").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.write("README.md", "# Changed\n");
    console.sandbox.write("notes.txt", "untracked");
    let bead = console.bead("First", &[]);
    let id = console.start(&["--bead", &bead, "--simulated"]);
    assert_eq!(console.show(&id)["worktree"].as_bool(), None, "the session does not work in the main tree");
    assert_eq!(console.sandbox.read("README.md"), "# Changed\n");
    assert_eq!(console.sandbox.git(["diff", "--name-only"]), "README.md");
}

#[test]
fn a_dirty_tree_keeps_its_branch() {
    if need_sim("a_dirty_tree_keeps_its_branch").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.git(["checkout", "-q", "-b", "there"]);
    console.sandbox.write("README.md", "# There\n");
    console.sandbox.git(["commit", "-q", "-a", "-m", "there"]);
    console.sandbox.git(["checkout", "-q", "main"]);
    console.sandbox.write("README.md", "# Changed here\n");
    let message = console.fails(
        &["session", "start", "--simulated", "--branch", "there", "--no-worktree"],
        "dirty_tree",
        4,
    );
    assert!(message.contains("README.md"), "{message}");
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), "main");
    assert_eq!(console.sandbox.read("README.md"), "# Changed here\n");
    assert_eq!(console.json(&["session", "list", "--status", "active"])["sessions"], json!([]));
}

#[test]
fn a_branch_that_git_would_refuse_is_refused() {
    if need_sim("a_branch_that_git_would_refuse_is_refused").is_none() {
        return;
    }
    let console = Console::new();
    for branch in ["with space", "a..b", "x.lock", "/x", "a@{b", "x~1", "HEAD"] {
        let line = ["session", "start", "--simulated", &format!("--branch={branch}")];
        console.fails(&line, "branch_invalid", 2);
    }
    console.fails(&["session", "start", "--simulated", "--branch=-D"], "branch_invalid", 2);
    assert_eq!(console.sandbox.git(["branch", "--format=%(refname:short)"]), "main");
}

#[test]
fn a_default_branch_that_conflicts_with_another_branch_is_refused() {
    if need_sim("a_default_branch_that_conflicts_with_another_branch_is_refused").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.git(["branch", "feat"]);
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead, "--simulated"], "branch_exists", 4);
    assert!(message.contains("feat"), "{message}");
    assert_eq!(
        console.json(&["bead", "show", &bead])["bead"]["status"],
        "open",
        "the bead stays claimed after a refused start"
    );
}

#[test]
fn a_session_needs_a_repository_with_a_commit_for_a_branch() {
    if need_sim("a_session_needs_a_repository_with_a_commit_for_a_branch").is_none() {
        return;
    }
    let console = Console::in_sandbox(Sandbox::without_git("plain")).with_beads();
    let bead = console.bead("First", &[]);
    console.fails(&["session", "start", "--bead", &bead, "--simulated"], "not_a_repository", 4);
    console.sandbox.git(["init", "-q", "-b", "main"]);
    let message =
        console.fails(&["session", "start", "--bead", &bead, "--simulated", "--worktree"], "no_commits", 4);
    assert!(message.contains("commit"), "{message}");
    assert_eq!(
        console.json(&["bead", "show", &bead])["bead"]["status"],
        "open",
        "the bead stays claimed after a refused start"
    );
}

#[test]
fn a_session_runs_in_folders_with_awkward_names() {
    if need_sim("a_session_runs_in_folders_with_awkward_names").is_none() {
        return;
    }
    for name in AWKWARD_NAMES {
        let console = Console::in_sandbox(Sandbox::named(name)).with_beads();
        let bead = console.bead("First", &[]);
        let id = console.start(&["--bead", &bead, "--simulated"]);
        console.wait_message(&format!("an answer in {name}"), &id, |m| m["role"] == "assistant");
        let worktree = console.start(&["--simulated", "--worktree", "--prompt", "hello"]);
        console.wait_message(&format!("an answer beside {name}"), &worktree, |m| m["role"] == "assistant");
        console.ok(&["session", "pause", &id]);
        assert_eq!(console.show(&id)["live"], Value::Null, "{name}");
    }
}

#[test]
fn concurrent_starts_have_separate_beads_branches_and_folders() {
    if need_sim("concurrent_starts_have_separate_beads_branches_and_folders").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("One", &[]);
    let _serving = RunningServer::start(&console);
    let on_bead = ["--bead", bead.as_str()];
    // `feat/a` and `feat-a` would get folders with the same name.
    let of_branch = |name| ["--branch", name];
    let options = [on_bead, on_bead, on_bead, of_branch("feat/a"), of_branch("feat/a"), of_branch("feat-a")];
    let started: Vec<Result<Value, i32>> = std::thread::scope(|scope| {
        let start = |option: [&str; 2]| {
            let ran = console.run(&[
                "session",
                "start",
                "--simulated",
                "--worktree",
                option[0],
                option[1],
                "--json",
            ]);
            match ran.code {
                Some(0) => Ok(serde_json::from_str::<Value>(&ran.out).unwrap()["session"].clone()),
                Some(4) => Err(4),
                _ => panic!("{option:?}: {ran:?}"),
            }
        };
        let threads: Vec<_> = options.iter().map(|option| scope.spawn(move || start(*option))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let successes =
        |range: std::ops::Range<usize>| started[range].iter().filter(|result| result.is_ok()).count();
    assert_eq!((successes(0..3), successes(3..5), successes(5..6)), (1, 1, 1), "{started:#?}");
    let sessions: Vec<&Value> = started.iter().flatten().collect();
    let mut folders: Vec<&str> = sessions.iter().map(|session| session["cwd"].as_str().unwrap()).collect();
    folders.sort_unstable();
    folders.dedup();
    assert_eq!(folders.len(), 3, "{folders:?}");
    assert!(folders.iter().all(|folder| Path::new(folder).join("README.md").is_file()), "{folders:?}");
    let all = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    assert_eq!(all.len(), 3, "a refused start left a session: {all:#?}");
    assert!(all.iter().all(|session| session["status"] == "active"), "{all:#?}");
    for session in sessions {
        console.ok(&["session", "end", session["id"].as_str().unwrap()]);
    }
}

#[test]
fn a_starting_session_can_be_ended() {
    if need_sim("a_starting_session_can_be_ended").is_none() {
        return;
    }
    let console = Console::new();
    let _serving = RunningServer::start(&console);
    for _ in 0..3 {
        std::thread::scope(|scope| {
            // The start may fail because the session has already ended.
            let start = scope.spawn(|| console.run(&["session", "start", "--simulated", "--worktree"]));
            let id = wait_for("the session", TIMEOUT, || {
                let list = console.json(&["session", "list", "--status", "active"]);
                Some(list["sessions"][0]["id"].as_str()?.to_owned())
            });
            console.ok(&["session", "end", &id]);
            assert_eq!(console.show(&id)["status"], "closed");
            start.join().unwrap();
        });
    }
}
