//! Runs an operation under strace, which lists its system calls and can make one of them fail.

use crate::{program, scene::Scene};
use std::{fs, path::Path, process::Command};

/// The text that marks the start and the end of the operation in the trace.
const MARK: &str = "the operation begins or ends here";

/// Whether strace is installed. If it is not, prints that the test is skipped, or panics if
/// `BC_TEST_DEMAND=1`.
pub(crate) fn strace_available(test: &str) -> bool {
    let available = strace().arg("-V").output().is_ok_and(|ran| ran.status.success());
    let demanded = std::env::var_os("BC_TEST_DEMAND").is_some_and(|v| v == "1");
    assert!(available || !demanded, "{test}: strace is not installed, and BC_TEST_DEMAND=1");
    if !available {
        eprintln!("SKIPPED {test}: strace is not installed");
    }
    available
}

#[allow(clippy::disallowed_methods, reason = "this crate is below the one that spawns")]
fn strace() -> Command {
    Command::new("strace")
}

/// A system call of the operation.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The call's number among the program's calls of the same name, counted from 1, as strace does.
    pub(crate) nth: usize,
    /// The descriptor, if the first argument is a descriptor.
    pub(crate) fd: Option<u32>,
    /// The returned value; `None` if the call did not return.
    pub(crate) result: Option<i64>,
    pub(crate) line: String,
}

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct TracedRun {
    /// The program's output: `+` for each completed part, `-` for a refusal, `=` for completion on retry.
    pub(crate) output: String,
    pub(crate) err: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) log: String,
}

/// Runs the operation without a fault, and returns its system calls.
pub(crate) fn list_calls(scene: &Scene) -> Vec<Call> {
    let ran = run(scene, 1, None, |_, _| ());
    assert_eq!(ran.output, scene.all_parts(), "{}: {}", scene.operation.name, ran.err);
    ran.calls
}

/// Runs the operation in a new folder, with a fault in strace's notation, and calls `inspect` before it removes
/// the folder. The folder's name always has the same length, so that runs differ only in the fault.
pub(crate) fn run(
    scene: &Scene,
    number: usize,
    fault: Option<&str>,
    inspect: impl FnOnce(&Path, &TracedRun),
) -> TracedRun {
    let root = scene.lay_out(number);
    let log = scene.runs_folder.path().join(format!("{number:07}.log"));
    let mut command = strace();
    command.arg("-o").arg(&log).args(["-s", "64"]);
    if let Some(fault) = fault {
        command.arg("-e").arg(format!("inject={fault}"));
    }
    let traced = program();
    command
        .env_remove("LD_LIBRARY_PATH")
        .arg(traced.get_program())
        .args(["once", scene.operation.name])
        .arg(&root);
    let ended = command.output().unwrap();
    let text = fs::read_to_string(&log).unwrap();
    let ran = TracedRun {
        output: String::from_utf8_lossy(&ended.stdout).into_owned(),
        err: String::from_utf8_lossy(&ended.stderr).into_owned(),
        calls: calls(&text),
        log: text,
    };
    inspect(&root, &ran);
    fs::remove_dir_all(&root).unwrap();
    fs::remove_file(&log).unwrap();
    ran
}

/// Returns the calls between the marks.
fn calls(log: &str) -> Vec<Call> {
    let mut counts = std::collections::HashMap::<&str, usize>::new();
    let (mut calls, mut inside) = (Vec::new(), false);
    for line in log.lines() {
        let Some((name, rest)) = line.split_once('(') else { continue };
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        let nth = counts.entry(name).or_default();
        *nth += 1;
        if line.contains(MARK) {
            inside = !inside;
        } else if inside {
            let fd: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let result =
                line.rsplit_once(" = ").and_then(|(_, result)| result.split(' ').next()?.parse().ok());
            calls.push(Call { name: name.into(), nth: *nth, fd: fd.parse().ok(), result, line: line.into() });
        }
    }
    calls
}
