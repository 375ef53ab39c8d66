//! Tests with real process families, including detached processes and processes that ignore signals.

use super::*;
use crate::{
    pty::{self, PtyCommand, Started},
    size::Size,
};
use std::{ffi::OsString, io::Read, path::PathBuf};

/// Returns a session name that no other test uses.
fn session(name: &str) -> String {
    format!("test-{name}-{}", std::process::id())
}

/// Starts a marked shell script in a PTY and returns after it has printed `ready`.
fn family(session: &str, script: &str, env: &[(&str, &str)]) -> (Started, Family) {
    let mut variables = vec![(SESSION_MARKER.into(), Some(session.into()))];
    variables.extend(env.iter().map(|(k, v)| (OsString::from(k), Some(OsString::from(v)))));
    let mut started = pty::start(&PtyCommand {
        program: PathBuf::from("/bin/sh"),
        args: vec!["-c".into(), script.into()],
        cwd: std::env::temp_dir(),
        env: variables,
        size: Size::default(),
    })
    .unwrap();
    let mut output = String::new();
    while !output.contains("ready") {
        let mut chunk = [0; 256];
        let n = started.reader.read(&mut chunk).unwrap();
        assert!(n > 0, "the script ended early: {output}");
        output.push_str(&String::from_utf8_lossy(&chunk[..n]));
    }
    (started, Family { session: session.to_owned(), root: None })
}

fn names(family: &Family) -> Vec<String> {
    let mut names: Vec<String> = members(family).unwrap().into_iter().map(|m| m.name).collect();
    names.sort();
    names
}

/// Waits until the family has a program with this name. A forked process has its parent's name until its
/// exec.
fn wait_for_program(family: &Family, name: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !names(family).iter().any(|n| n == name) {
        assert!(Instant::now() < deadline, "{name} is not among {:?}", names(family));
        std::thread::yield_now();
    }
}

#[test]
fn a_grandchild_in_its_own_session_that_ignores_hang_ups_is_found_and_ended() {
    let session = session("grandchild");
    let script = "setsid sh -c 'trap \"\" HUP; echo ready; sleep 1000' & wait";
    let (started, family) = family(&session, script, &[]);
    wait_for_program(&family, "sleep");
    let ended = end_all(&family, Duration::from_secs(5)).unwrap();
    assert!(ended.signalled.len() >= 3 && ended.left.is_empty(), "{ended:?}");
    assert_eq!(names(&family), Vec::<String>::new());
    started.child.wait().unwrap();
}

#[test]
fn a_process_that_ignores_sigterm_is_killed_after_the_grace() {
    let session = session("stubborn");
    let (started, family) =
        family(&session, "trap '' TERM HUP; echo ready; while :; do sleep 1000; done", &[]);
    let ended = end_all(&family, Duration::from_millis(50)).unwrap();
    assert!(!ended.killed.is_empty() && ended.left.is_empty(), "{ended:?}");
    assert!(started.child.wait().unwrap().signal.is_some());
}

#[test]
fn a_stopped_process_is_terminated() {
    let session = session("stopped");
    let (started, family) = family(&session, "sleep 1000 & kill -STOP $!; echo ready; wait", &[]);
    let ended = end_all(&family, Duration::from_secs(5)).unwrap();
    assert!(ended.left.is_empty() && ended.killed.is_empty(), "{ended:?}");
    started.child.wait().unwrap();
}

#[test]
fn the_marker_finds_an_orphan_whose_parents_have_ended() {
    let session = session("orphan");
    let script = "setsid sh -c 'echo ready; exec sleep 1000' & wait";
    let (started, family) = family(&session, script, &[]);
    wait_for_program(&family, "sleep");
    started.pty.signal(Signal::Kill).unwrap();
    started.child.wait().unwrap();
    assert_eq!(names(&family), ["sleep"]);
    end_all(&family, Duration::from_secs(5)).unwrap();
    assert_eq!(names(&family), Vec::<String>::new());
}

#[test]
fn another_sessions_host_and_its_children_are_not_touched() {
    let (outer, inner) = (session("outer"), session("inner"));
    let script = "env -u BEADS_CONSOLE_SESSION BEADS_CONSOLE_HOST=$INNER \
        setsid sh -c 'BEADS_CONSOLE_SESSION=$INNER sleep 1000 & echo ready; wait' & wait";
    let (started, family) = family(&outer, script, &[("INNER", inner.as_str())]);
    let inner = Family { session: inner, root: None };
    wait_for_program(&inner, "sleep");
    let shell = started.pty.leader();
    let below = Family { root: Some(shell), ..family.clone() };
    assert!(!names(&below).contains(&"sleep".to_owned()), "{:?}", names(&below));
    end_all(&family, Duration::from_secs(5)).unwrap();
    assert_eq!(names(&inner), ["sleep"]);
    end_all(&inner, Duration::from_secs(5)).unwrap();
    started.child.wait().unwrap();
}

#[test]
fn a_reused_pid_is_not_the_same_process() {
    let me = Identity::current();
    let other = Identity { start: me.start.wrapping_sub(1), ..me };
    assert!(me.is_alive() && !other.is_alive());
    other.signal(Signal::Kill).unwrap();
}

#[test]
fn a_name_with_parentheses_and_spaces_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("a ) R 1 (b");
    #[allow(clippy::disallowed_methods, reason = "a test program, not a file of the product")]
    std::fs::copy("/bin/sleep", &program).unwrap();
    let session = session("name");
    let script = format!("'{}' 1000 & echo ready; wait", program.display());
    let (started, family) = family(&session, &script, &[]);
    wait_for_program(&family, "a ) R 1 (b");
    end_all(&family, Duration::from_secs(5)).unwrap();
    started.child.wait().unwrap();
}

#[test]
fn report_field_names_match_other_builds() {
    let report = serde_json::to_value(EndReport::default()).unwrap();
    assert_eq!(report, serde_json::json!({"told": [], "killed": [], "left": []}));
}
