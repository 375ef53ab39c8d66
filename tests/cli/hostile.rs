//! A hostile repository: its files cannot block a command, exhaust the memory, or reveal files outside the
//! repository; and its agent cannot consent for the user.

#![cfg(target_os = "linux")]

use crate::console::{Console, RunOutput, finish, program};
use std::{fs, os::unix::fs::symlink};

/// An address space limit of 4 GB, far more than a command needs. Reading a file such as `/dev/zero` would
/// exceed it.
const MEMORY: &str = "--as=4000000000";

/// Runs a command with the limit `MEMORY`.
#[track_caller]
fn limited(console: &Console, line: &[&str]) -> RunOutput {
    let mut command = console.sandbox.command("prlimit");
    command.arg(MEMORY).arg(program()).args(line);
    finish(command, Vec::new())
}

fn fifo(console: &Console, name: &str) {
    let made = console.sandbox.command("mkfifo").arg(name).status().unwrap();
    assert!(made.success());
}

#[test]
fn files_of_a_clone_cannot_exhaust_memory_or_time() {
    let names = [
        (".beads/issues.jsonl", &["bead", "list"][..]),
        (".beads/metadata.json", &["bead", "list"]),
        (".beads/config.yaml", &["bead", "list"]),
        (".beads/redirect", &["bead", "list"]),
        (".beads/memories.jsonl", &["memories"]),
        ("MEMORY.md", &["memory", "import", "--dry-run"]),
        (".claude/agents/x.md", &["agent", "list"]),
        (".chipset/state/agents/x.json", &["fleet", "status"]),
        ("AGENTS.md", &["init-agent", "--agents-md", "--dry-run"]),
    ];
    for (name, line) in names {
        for attack in ["device", "pipe", "giant"] {
            let console = Console::new();
            let file = console.sandbox.project().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            drop(fs::remove_file(&file));
            match attack {
                "device" => symlink("/dev/zero", &file).unwrap(),
                "pipe" => fifo(&console, name),
                _ => fs::File::create_new(&file).unwrap().set_len(1 << 42).unwrap(),
            }
            let ran = limited(&console, line);
            assert!(ran.code.is_some_and(|code| code < 6), "{name} as a {attack}: {ran:?}");
            assert!(
                !ran.err.contains("panicked") && !ran.err.contains("memory allocation"),
                "{name}: {ran:?}"
            );
        }
    }
}

#[test]
fn files_outside_the_project_are_not_imported() {
    let console = Console::new();
    let key = console.sandbox.project().join("../id_rsa");
    fs::copy(console.sandbox.project().join("README.md"), &key)
        .or_else(|_| fs::copy("/etc/hostname", &key))
        .unwrap();
    symlink(&key, console.sandbox.project().join("MEMORY.md")).unwrap();
    for line in [
        &["remember", "--from", "../id_rsa", "--yes"][..],
        &["remember", "--from", "MEMORY.md", "--yes"],
        &["memory", "import", "--yes"],
        &["remember", "--from", ".git/config", "--yes"],
    ] {
        let message = console.fails(line, "file_refused", 4);
        assert!(message.contains("project"), "{line:?}: {message}");
    }
    assert!(console.json(&["memories"])["memories"].as_array().unwrap().is_empty());
}

#[test]
fn an_agent_cannot_consent_to_store_a_secret() {
    let mut console = Console::new();
    console.sandbox.set("CLAUDECODE", "1");
    let secret = ["the token is ghp_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6"].concat();
    let message = console.fails(&["remember", "--yes", "--", &secret], "confirmation_needed", 4);
    assert!(message.contains("github-pat"), "{message}");
    console.ok(&["remember", "--", "no secret at all"]);
    console.sandbox.unset("CLAUDECODE");
    console.ok(&["remember", "--yes", "--", &secret]);
}

#[test]
fn an_agent_cannot_store_a_file_through_standard_input() {
    let mut console = Console::new();
    console.sandbox.set("CLAUDECODE", "1");
    let bead = console.bead("First", &[]);
    let lines = [&["remember", "--", "-"][..], &["bead", "comment", "--", &bead, "-"]];
    for line in lines {
        let mut command = console.command(line);
        let file = fs::File::open("/etc/hostname").or_else(|_| fs::File::open(program())).unwrap();
        let done = command.stdin(file).output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{line:?}: {done:?}");
        assert!(
            String::from_utf8_lossy(&done.stderr).contains("standard input is a file"),
            "{line:?}: {done:?}"
        );
        assert_eq!(console.run_with(line, "through a pipe").code, Some(0), "{line:?}");
    }
    assert_eq!(console.json(&["memories"])["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn an_export_never_writes_into_the_git_folder_and_replaces_no_file_unasked() {
    let console = Console::new();
    let Some(_) =
        crate::console::need_sim("an_export_never_writes_into_the_git_folder_and_replaces_no_file_unasked")
    else {
        return;
    };
    let id = console.start(&["--simulated", "--title", "To export", "--prompt", "hello"]);
    console.wait_idle(&id);
    let config = console.sandbox.read(".git/config");
    for path in [".git/config", ".beads/sessions/index.json"] {
        console.fails(&["session", "export", &id, "-o", path, "--force"], "file_refused", 4);
    }
    assert_eq!(console.sandbox.read(".git/config"), config);
    console.ok(&["session", "export", &id, "-o", "out.md"]);
    console.fails(&["session", "export", &id, "-o", "out.md"], "confirmation_needed", 4);
    console.ok(&["session", "export", &id, "-o", "out.md", "--force"]);
    console.ok(&["session", "end", &id]);
}
