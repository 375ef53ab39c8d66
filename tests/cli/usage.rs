//! Help, invalid arguments, unwritable or closed output, and commands that need a terminal.

use crate::console::{Console, finish};
use bc_testkit::Sandbox;
use std::{io::Read, process::Stdio};

fn anywhere() -> Console {
    Console::in_sandbox(Sandbox::without_git("empty"))
}

#[test]
fn help_and_version_go_to_stdout_and_need_no_project() {
    let console = anywhere();
    for line in
        [&["--help"][..], &["-h"], &["session", "--help"], &["session", "start", "--help"], &["--version"]]
    {
        let ran = console.run(line);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line:?}");
        assert!(!ran.out.contains('\u{1b}'), "{line:?} prints colours into a pipe");
    }
    let help = console.ok(&["--help"]);
    for hidden in ["host", "hook", "hook-run", "errand"] {
        assert!(help.lines().all(|line| line.split_whitespace().next() != Some(hidden)), "{hidden} is shown");
    }
}

#[test]
fn invalid_arguments_are_usage_errors() {
    let console = anywhere();
    for line in [
        &[][..],
        &["nonsense"],
        &["bead"],
        &["bead", "show"],
        &["bead", "show", "--", "--force"],
        &["bead", "show", "../../etc/passwd"],
        &["bead", "create", "x", "--priority", "high"],
        &["bead", "list", "--status", "ready"],
        &["session", "show", "xyz"],
        &["session", "show", "123"],
        &["session", "start", "--mode", "yolo"],
        &["session", "start", "--worktree", "--no-worktree"],
        &["session", "export", "1234", "--format", "pdf"],
        &["session", "permission", "1234", "req"],
    ] {
        let text = console.run(line);
        assert_eq!((text.code, text.out.as_str()), (Some(2), ""), "{line:?}: {}", text.err);
        console.fails(line, "usage", 2);
    }
}

#[test]
fn attaching_and_editing_need_a_terminal() {
    let console = Console::new();
    for line in [
        &["session", "attach", "1234abcd"][..],
        &["session", "resume", "1234abcd", "--edit"],
        &["session", "start", "--attach", "--simulated"],
    ] {
        let ran = console.run(line);
        assert_eq!(ran.code, Some(2), "{line:?}: {}", ran.err);
        assert!(ran.err.contains("terminal"), "{line:?}: {}", ran.err);
    }
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let console = Console::new();
    for number in 0..40 {
        console.bead(&format!("Bead {number} {}", "with a long title ".repeat(20)), &[]);
    }
    let mut child = console
        .command(&["bead", "list", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0u8; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn an_unwritable_result_is_an_error() {
    let console = Console::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = console.command(&["bead", "list", "--json"]);
    command.stdout(full).stderr(Stdio::piped());
    let out = command.output().unwrap();
    let err = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{err}");
    assert!(err.contains("disk_full"), "{err}");
}

#[test]
fn an_unknown_session_is_reported_for_id_and_prefix() {
    let console = Console::new();
    let whole = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    for words in [
        &["show"][..],
        &["transcript"],
        &["pause"],
        &["resume"],
        &["end"],
        &["export"],
        &["delete"],
        &["interrupt"],
    ] {
        for id in [whole, "3f25"] {
            let line: Vec<&str> = ["session"].iter().chain(words).copied().chain([id]).collect();
            console.fails(&line, "session_not_found", 3);
        }
    }
    console.fails(&["session", "send", whole, "hello"], "session_not_found", 3);
    console.fails(&["session", "restore", whole], "session_not_found", 3);
}

#[test]
fn a_hook_never_fails_and_a_host_without_input_fails() {
    let console = anywhere();
    for line in [&["hook"][..], &["hook", "Stop"], &["hook", "PreToolUse", "x"]] {
        let ran = finish(console.command(line), b"not json".to_vec());
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "{}\n", ""), "{line:?}");
    }
    let ran = finish(console.command(&["host"]), Vec::new());
    assert!(ran.code != Some(0) && ran.out.contains("failed"), "{ran:?}");
}
