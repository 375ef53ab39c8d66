//! Runs programs until they exit or time out. Most of these tests run on every operating system.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bc_process::run::{Program, RunError};
use std::time::Duration;

fn stand_in(args: &[&str]) -> Program {
    Program::new(env!("CARGO_BIN_EXE_bc-process-stand-in")).args(args)
}

#[test]
fn a_program_receives_its_input_and_returns_its_output() {
    let done = stand_in(&["copy"]).stdin("hello").run().unwrap();
    assert!(done.ok());
    assert_eq!(done.out(), "hello");
}

#[test]
fn a_missing_program_is_named() {
    let error = Program::new("no-such-program-here").run().unwrap_err();
    assert!(matches!(error, RunError::NotFound { .. }), "{error}");
}

#[test]
fn a_program_that_hangs_is_stopped_at_its_deadline() {
    let error = stand_in(&["hold"]).timeout(Duration::from_millis(50)).run().unwrap_err();
    assert!(matches!(error, RunError::TimedOut { .. }), "{error}");
}

#[test]
fn both_outputs_are_read_completely_while_the_program_reads_its_input() {
    let input = vec![b'x'; 300_000];
    let done = stand_in(&["errors-and-copy", "200000"]).stdin(input.clone()).run().unwrap();
    assert_eq!((done.code, done.stderr.len(), done.truncated), (Some(3), 200_000, false));
    assert!(done.stdout == input);
}

#[test]
#[cfg(unix)]
fn run_waits_for_a_program_that_closed_its_outputs() {
    let closes = Program::new("sh").args(["-c", "exec >&- 2>&-; sleep 0.2; exit 4"]).run().unwrap();
    assert_eq!(closes.code, Some(4));
}

#[test]
fn run_waits_for_a_background_child_only_until_the_deadline() {
    let error = stand_in(&["leave-child"]).timeout(Duration::from_millis(1_500)).run().unwrap_err();
    assert!(matches!(error, RunError::TimedOut { .. }), "{error}");
}

#[test]
fn unread_input_is_not_an_error() {
    for input in [100, 1 << 20] {
        assert!(stand_in(&["end"]).stdin(vec![b'x'; input]).run().unwrap().ok());
    }
}

#[test]
fn output_goes_to_the_log_up_to_its_limit() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let log = file.reopen().unwrap();
    let done = stand_in(&["print", "one", "two", "three"]).log(log, 10).run().unwrap();
    assert_eq!((done.out().as_str(), done.truncated), ("", true));
    assert_eq!(std::fs::read(file.path()).unwrap().len(), 10);
}

#[test]
fn output_beyond_the_limit_is_dropped_and_reported() {
    let done = stand_in(&["zeros", "100000"]).cap(10).run().unwrap();
    assert_eq!((done.stdout.len(), done.truncated), (10, true));
}

#[test]
#[cfg(windows)]
fn cmd_runs_its_own_commands_and_programs() {
    let run = |line: &str| Program::cmd(line).env("GREETING", "good day").run().unwrap();
    let lines =
        |line: &str| run(line).out().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines("echo a&& echo b"), ["a", "b"]);
    assert_eq!(lines("echo %GREETING% 100%"), ["good day 100%"]);
    assert_eq!(lines(r#"echo "two words" and one"#), [r#""two words" and one"#]);
    assert_eq!(run("exit 3").code, Some(3));
    let stand_in = env!("CARGO_BIN_EXE_bc-process-stand-in").replace('/', "\\");
    assert_eq!(run(&format!(r#""{stand_in}" "end""#)).code, Some(0));
    let piped = run(&format!(r#"echo to the program| "{stand_in}" copy"#));
    assert_eq!((piped.code, piped.out().trim_end()), (Some(0), "to the program"), "{piped:?}");
}
