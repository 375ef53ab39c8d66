//! Kills a process that makes and restores checkpoints, at different moments.

use super::{
    tests::{at, session, users_state},
    *,
};
use crate::{Git, Repo, fixture::Sandbox};
use bc_core::ids::SessionId;
use bc_process::run::{Program, RunError};
use std::{collections::BTreeMap, fs, path::Path, time::Duration};

/// The variable that names the repository for the process to be killed.
const VARIABLE: &str = "BC_GIT_RESTORES_IN";

const FILES: usize = 40;

fn source(number: u128) -> SessionId {
    format!("0197f3b0-0000-7000-8000-{number:012}").parse().unwrap()
}

/// Not a test: the process to be killed. It restores two states alternately.
#[test]
#[ignore = "the process that another test kills"]
fn killed_process() {
    let Some(root) = std::env::var_os(VARIABLE) else { return };
    let git = Git::find().unwrap().env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let repo = Repo::discover_with(git, Path::new(&root)).unwrap();
    loop {
        for state in [8, 9] {
            let to = repo.checkpoint(source(state), 1).unwrap().unwrap();
            repo.restore_checkpoint(session(), &to, &[], at()).unwrap();
            let turn = NewTurn { prompt: "go on".into(), at: at(), place: PromptPlace::default() };
            repo.keep_before_prompt(session(), &turn, Duration::from_secs(60)).unwrap();
        }
    }
}

fn write_state(sandbox: &Sandbox, state: u32) -> BTreeMap<String, Vec<u8>> {
    for n in 0..FILES {
        sandbox.write(&format!("both/{n}"), &format!("{state} of {n}\n").repeat(500));
        sandbox.write(&format!("only in {state}/{n}"), &format!("{state} of {n}"));
    }
    sandbox.write(&format!("Case {}", if state == 8 { "UP" } else { "up" }), "x");
    tree(sandbox)
}

fn clear(sandbox: &Sandbox) {
    for entry in fs::read_dir(sandbox.root()).unwrap().flatten() {
        match entry.path().is_dir() {
            true if entry.file_name() == ".git" => {}
            true => fs::remove_dir_all(entry.path()).unwrap(),
            false => fs::remove_file(entry.path()).unwrap(),
        }
    }
    sandbox.write("README.md", "staged and edited");
}

fn tree(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let all = users_state(sandbox).into_iter();
    all.filter(|(name, _)| !name.starts_with(".git/") && !name.ends_with('/')).collect()
}

fn git_state(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    users_state(sandbox).into_iter().filter(|(name, _)| name.starts_with(".git/")).collect()
}

#[test]
fn a_kill_leaves_every_file_whole_and_the_users_git_untouched() {
    kill(12);
}

#[test]
#[ignore = "slow: 200 kills"]
fn two_hundred_kills_leave_every_file_whole_and_the_users_git_untouched() {
    kill(200);
}

fn kill(kills: u64) {
    let sandbox = Sandbox::with_commit();
    sandbox.write("README.md", "stashed");
    sandbox.run(&["stash"]);
    sandbox.write("README.md", "staged");
    sandbox.run(&["add", "-A"]);
    let repo = sandbox.repo();
    let mut states = Vec::new();
    for state in [8, 9] {
        clear(&sandbox);
        states.push(write_state(&sandbox, state));
        let turn = NewTurn { prompt: "a state".into(), at: at(), place: PromptPlace::default() };
        repo.keep_before_prompt(source(state.into()), &turn, Duration::from_secs(60)).unwrap();
    }
    let git = git_state(&sandbox);
    let program = std::env::current_exe().unwrap();
    let mut mixed = 0;
    for kill in 0..kills {
        // Different for each kill, but the same in each run of the test.
        let after = Duration::from_millis(60 + (kill * 7_919) % 900);
        let result = Program::new(&program)
            .args(["--exact", "checkpoints::kill_tests::killed_process", "--ignored", "--nocapture"])
            .env(VARIABLE, sandbox.root())
            .timeout(after)
            .run();
        assert!(matches!(result, Err(RunError::TimedOut { .. })), "{result:?}");
        assert_eq!(git_state(&sandbox), git, "after kill {kill}");
        let now = tree(&sandbox);
        for (path, content) in &now {
            let whole = states.iter().any(|state| state.get(path) == Some(content));
            assert!(whole, "after kill {kill}: {path} has {} bytes", content.len());
        }
        for path in states[0].keys().filter(|path| states[1].contains_key(*path)) {
            assert!(now.contains_key(path), "after kill {kill}: {path} is missing");
        }
        mixed += usize::from(!states.contains(&now));
        let complete = usize::try_from(kill % 2).unwrap();
        let to = repo.checkpoint(source(8 + complete as u128), 1).unwrap().unwrap();
        let done = repo.restore_checkpoint(session(), &to, &[], at()).unwrap();
        assert_eq!(done.skipped, []);
        assert_eq!(tree(&sandbox), states[complete], "the same restore completes it, after kill {kill}");
    }
    sandbox.run(&["fsck", "--strict", "--no-dangling"]);
    println!("COUNTED {kills} kills of checkpoints and restores, {mixed} between two files");
}
