//! Runs hooks as processes, including processes that refuse to end.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

#[path = "../src/fixture.rs"]
mod fixture;

use bc_core::hooks::{HookDecision, HookEvent, HookRun};
use bc_hooks::{Facts, Hook, Outcome, Payload, Trust, allow_workspace, inspect, load, sample};
use bc_process::descendants::Identity;
use fixture::Repo;
use serde_json::{Value, json};
use std::fs;

fn now() -> bc_core::Timestamp {
    chrono::DateTime::UNIX_EPOCH.fixed_offset()
}

/// Allows all hooks of the repository.
fn allow(repo: &Repo) {
    let (seen, _) = inspect(&repo.places());
    for file in seen.iter().filter_map(|seen| seen.file.as_ref()) {
        let trust = Trust::read(Some(&repo.config())).unwrap();
        trust.allow(Some(&repo.config()), file.approval(now())).unwrap();
    }
    allow_workspace(Some(&repo.config()), true).unwrap();
}

fn loaded(repo: &Repo) -> Vec<Hook> {
    load(&repo.places()).hooks
}

fn run(repo: &Repo, hooks: &[Hook]) -> Outcome {
    let event = hooks.first().map_or(HookEvent::SessionStart, |hook| hook.event);
    let facts = Facts { session_id: Some("s-1".into()), bead_id: Some("a-1".into()), ..Facts::default() };
    let payload = Payload::new(event, None, sample(event));
    repo.runner(env!("CARGO_BIN_EXE_bc-hooks-under-test")).run(hooks, &payload, &facts, now)
}

/// Allows and runs the repository's single hook.
fn run_allowed(repo: &Repo) -> HookRun {
    allow(repo);
    let outcome = run(repo, &loaded(repo));
    let [run] = outcome.runs.as_slice() else { panic!("{outcome:#?}") };
    run.clone()
}

/// A repository with a hook that runs this command.
fn repo_with_hook(bash: &str, more: Value) -> Repo {
    let repo = Repo::new();
    repo.hook("sessionStart", bash, more);
    repo
}

fn warning(run: &HookRun) -> &str {
    run.warning.as_deref().unwrap_or_else(|| panic!("the run has no warning: {run:#?}"))
}

/// Whether all processes whose ids a hook wrote to `file` have ended.
fn have_ended(repo: &Repo, file: &str) -> bool {
    let text = fs::read_to_string(repo.path(file)).unwrap();
    let pids: Vec<u32> = text.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    assert!(!pids.is_empty());
    pids.into_iter().all(|pid| Identity::of(pid).is_none())
}

#[test]
fn a_hook_gets_its_payload_and_folder_and_returns_context() {
    let repo = repo_with_hook(
        "cat > seen.json; pwd >&2; echo '{\"additionalContext\":\"the gate is open\"}'",
        json!({"cwd": "sub", "env": {"GATE": "7"}}),
    );
    repo.write("sub/x", "");
    allow(&repo);
    let outcome = run(&repo, &loaded(&repo));
    assert_eq!(outcome.context, ["the gate is open"]);
    let run = &outcome.runs[0];
    assert_eq!((run.exit, run.warning.as_deref(), run.context_bytes), (Some(0), None, 16));
    assert_eq!(run.stderr, repo.path("sub").display().to_string());
    let seen: Value = serde_json::from_str(&fs::read_to_string(repo.path("sub/seen.json")).unwrap()).unwrap();
    assert_eq!(
        (&seen["event"], &seen["session_id"], &seen["bead_id"]),
        (&"sessionStart".into(), &"s-1".into(), &"a-1".into())
    );
    assert_eq!(seen["source"], "startup");
}

#[test]
fn hooks_run_only_while_the_user_allows_them() {
    let repo = repo_with_hook("touch ran; echo '{}'", json!({}));
    assert!(loaded(&repo).is_empty());
    assert!(load(&repo.places()).warnings[0].contains("you have not allowed"));
    allow(&repo);
    let hooks = loaded(&repo);
    Trust::read(Some(&repo.config()))
        .unwrap()
        .withdraw(Some(&repo.config()), &repo.path("hooks.json"))
        .unwrap();
    assert!(warning(&run(&repo, &hooks).runs[0]).contains("revoked"));
    allow(&repo);
    allow_workspace(Some(&repo.config()), false).unwrap();
    assert!(warning(&run(&repo, &hooks).runs[0]).contains("switched off"));
    assert!(loaded(&repo).is_empty() && !repo.path("ran").exists());
}

#[test]
fn hooks_run_in_order_and_a_denial_outranks_all() {
    let repo = Repo::new();
    let hook_with = |decision: &str| json!({"type": "command", "bash": format!("echo {decision} >> order; echo '{{\"permissionDecision\":\"{decision}\",\"permissionDecisionReason\":\"{decision}!\"}}'")});
    let decision_of = |all: &[&str]| {
        let entries: Vec<Value> = all.iter().map(|decision| hook_with(decision)).collect();
        repo.write("hooks.json", &json!({"version": 1, "hooks": {"preToolUse": entries}}).to_string());
        allow(&repo);
        run(&repo, &loaded(&repo)).decision
    };
    assert_eq!(decision_of(&["allow", "ask", "allow"]), Some((HookDecision::Ask, Some("ask!".into()))));
    assert_eq!(decision_of(&["ask", "deny", "allow"]), Some((HookDecision::Deny, Some("deny!".into()))));
    assert_eq!(fs::read_to_string(repo.path("order")).unwrap(), "allow\nask\nallow\nask\ndeny\n");
}

#[test]
fn the_users_hooks_come_first_and_need_no_permission() {
    let repo = repo_with_hook("echo '{\"additionalContext\":\"theirs\"}'", json!({}));
    let own = json!({"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "echo '{\"additionalContext\":\"mine\"}'"}]}});
    repo.write_own("hooks.json", &own.to_string());
    assert_eq!(run(&repo, &loaded(&repo)).context, ["mine"]);
    allow(&repo);
    assert_eq!(run(&repo, &loaded(&repo)).context, ["mine", "theirs"]);
}

#[test]
fn failures_and_invalid_output_are_warnings() {
    for (bash, word) in [
        ("echo done", "not JSON"),
        ("true", "printed nothing"),
        ("echo '{}'; exit 3", "exit code 3"),
        ("kill -9 $$", "by a signal"),
        ("no-such-program-here", "exit code 127"),
        ("exec <&-; echo '{}'; exit 1", "exit code 1"),
    ] {
        let run = run_allowed(&repo_with_hook(bash, json!({})));
        assert!(warning(&run).contains(word), "{bash}: {run:#?}");
    }
    let run = run_allowed(&repo_with_hook("exec <&-; echo '{}'", json!({})));
    assert_eq!((run.warning, run.exit), (None, Some(0)));
    let run = run_allowed(&repo_with_hook("echo '{}'", json!({"cwd": "nowhere"})));
    assert!(warning(&run).contains("nowhere cannot be opened"), "{run:#?}");
    let run = run_allowed(&repo_with_hook("echo '{}'", json!({"cwd": "../.."})));
    assert!(warning(&run).contains("outside the repository"), "{run:#?}");
}

#[test]
fn a_hanging_hook_is_killed_with_its_detached_children() {
    // The child ignores SIGTERM and SIGHUP, runs in its own session without the inherited environment, and
    // has lost its parent.
    let stubborn = "trap '' TERM HUP; echo $$ >> pids; (trap '' TERM HUP; setsid env -i bash -c \
                    'trap \"\" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' &) ; while :; do sleep 1; done";
    let repo = repo_with_hook(stubborn, json!({"timeoutSec": 1.5}));
    let run = run_allowed(&repo);
    assert!(warning(&run).contains("still running after 1.5 seconds"), "{run:#?}");
    assert_eq!(run.exit, None);
    assert!(have_ended(&repo, "pids"));
}

#[test]
fn background_processes_of_a_hook_are_killed_and_not_awaited() {
    let repo = repo_with_hook(
        "setsid sleep 1000 & echo $! > pids; sleep 1000 & echo $! >> pids; echo '{}'",
        json!({"timeoutSec": 300}),
    );
    let run = run_allowed(&repo);
    assert_eq!(run.exit, Some(0));
    assert!(warning(&run).contains("left 2 processes behind"), "{run:#?}");
    assert!(have_ended(&repo, "pids"));
}

#[test]
fn a_fork_bomb_is_killed() {
    // Each process keeps running and starts another process, up to 200 processes.
    let forks = "f() { echo $BASHPID >> pids; [ $(wc -l < pids) -lt 200 ] && f & sleep 1000; }; f";
    let repo = repo_with_hook(forks, json!({"timeoutSec": 2}));
    let run = run_allowed(&repo);
    assert!(warning(&run).contains("was ended with everything"), "{run:#?}");
    assert!(have_ended(&repo, "pids"));
}

#[test]
fn a_gigabyte_of_output_uses_no_memory() {
    let run = run_allowed(&repo_with_hook("head -c 1000000000 /dev/zero", json!({"timeoutSec": 120})));
    assert!(warning(&run).contains("printed more than a hook may"), "{:?}", run.warning);
    assert!(run.stdout.len() < 20_000, "{}", run.stdout.len());
}

#[test]
fn a_script_runs_from_a_copy() {
    let repo = repo_with_hook("./gone.sh", json!({}));
    repo.write("gone.sh", "#!/bin/bash\nrm -f -- \"$0\"\necho '{}'\n");
    let run = run_allowed(&repo);
    assert_eq!((run.warning, run.exit), (None, Some(0)));
    assert!(repo.path("gone.sh").exists());
    assert_eq!(fs::read_dir(repo.config().join("hook-runs")).unwrap().count(), 0, "a copy was left");
}

#[test]
fn the_checked_version_of_a_script_runs() {
    // The script changes the file that it then includes. It must still include the copy with the allowed
    // content.
    let repo = repo_with_hook("./first.sh", json!({}));
    repo.write("lib.sh", "say() { echo '{\"additionalContext\":\"as allowed\"}'; }\n");
    repo.write(
        "first.sh",
        "#!/bin/bash\necho 'say() { echo \"{\\\"additionalContext\\\":\\\"OWNED\\\"}\"; }' > lib.sh\n. \"$(dirname \"$0\")/lib.sh\"\nsay\n",
    );
    allow(&repo);
    let hooks = loaded(&repo);
    assert_eq!(run(&repo, &hooks).context, ["as allowed"]);
    // The next run detects the change.
    let outcome = run(&repo, &hooks);
    assert_eq!(outcome.context, [""; 0]);
    assert!(warning(&outcome.runs[0]).contains("not what you allowed"));
}

#[test]
fn outside_links_pipes_and_huge_files_are_refused_immediately() {
    let hooks = r#"{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch ran"}]}}"#;
    let repo = Repo::new();
    let outside = repo.outside("hooks.json", hooks);
    repo.link("hooks.json", &outside);
    repo.write(".beads/hooks.json", &format!("{hooks}{}", " ".repeat(10 << 20)));
    fs::create_dir(repo.path(".github")).unwrap();
    let pipe = bc_process::run::Program::new("mkfifo").arg(repo.path(".github/hooks.json")).run().unwrap();
    assert!(pipe.ok());
    allow(&repo);
    let loaded = load(&repo.places());
    assert!(loaded.hooks.is_empty());
    for word in ["not a regular file", "link out of the repository", "exceeds 1048576 bytes"] {
        assert!(
            loaded.warnings.iter().any(|warning| warning.contains(word)),
            "{word}: {:#?}",
            loaded.warnings
        );
    }
}

#[test]
fn the_environment_contains_only_documented_variables() {
    let repo = repo_with_hook(
        "printf '{\"additionalContext\":\"%s|%s|%s\"}' \"$0\" \"$BASH_ENV\" \"$PATH\"",
        json!({}),
    );
    allow(&repo);
    let context = run(&repo, &loaded(&repo)).context;
    let parts: Vec<&str> = context[0].split('|').collect();
    assert_eq!((parts[0], parts[1]), ("/bin/bash", ""));
    assert!(parts[2].split(':').all(|folder| folder.starts_with('/')), "{}", parts[2]);
    assert!(parts[2].ends_with(":/bin") || parts[2].contains(":/bin:"), "{}", parts[2]);
}

#[test]
fn a_logged_command_is_killed_with_its_children_and_its_output_kept() {
    let repo = Repo::new();
    let log = repo.root().join("log");
    let run_command = |script: &str, ms: u64| {
        let words = ["sh", "-c", script].map(str::to_owned);
        let command = bc_hooks::LoggedCommand {
            words: &words,
            cwd: repo.root(),
            env: vec![("SAID".to_owned(), Some("by me".to_owned()))],
            timeout: std::time::Duration::from_millis(ms),
            log: &log,
        };
        command.run(std::path::Path::new(env!("CARGO_BIN_EXE_bc-hooks-under-test")))
    };
    assert_eq!(run_command("echo $SAID; echo and >&2; exit 3", 60_000), bc_hooks::LoggedEnd::Failed(Some(3)));
    let output = bc_hooks::tail(&log, 100);
    // The outputs of the two pipes can arrive in any order.
    assert!(matches!(output.as_str(), "by me\nand" | "and\nby me"), "{output}");
    assert_eq!(bc_hooks::tail(&log, 3), output[output.len() - 3..]);
    assert_eq!(run_command("exit 0", 60_000), bc_hooks::LoggedEnd::Done);
    assert_eq!(bc_hooks::tail(&log, 100), "", "a new run has a new log");
    let late = run_command("setsid sleep 600 & echo $! > pids; sleep 600 & echo $! >> pids; wait", 300);
    assert_eq!(late, bc_hooks::LoggedEnd::TimedOut);
    assert!(have_ended(&repo, "pids"), "a child process still runs");
    let missing = bc_hooks::LoggedCommand {
        words: &["./no-such-program".to_owned()],
        cwd: repo.root(),
        env: vec![],
        timeout: std::time::Duration::from_secs(60),
        log: &log,
    };
    let end = missing.run(std::path::Path::new(env!("CARGO_BIN_EXE_bc-hooks-under-test")));
    assert!(matches!(&end, bc_hooks::LoggedEnd::NotStarted(why) if why.contains("was not found")), "{end:?}");
}
