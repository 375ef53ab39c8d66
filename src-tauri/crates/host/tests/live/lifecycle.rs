//! The start and the end of a host.

use crate::support::{Live, TIMEOUT, exe};
use bc_core::session::{CloseReason, PauseReason, Status};
use bc_host::{
    Activity, Client, ClientError, LaunchError, launch,
    protocol::{Readiness, StopKind},
    read_exit_note,
};
use bc_process::descendants::{self, Identity, Signal};
use bc_testkit::{wait_for, wait_until};
use std::time::Duration;

const PAUSE: StopKind = StopKind::Pause(PauseReason::User);

#[test]
fn a_host_is_registered_and_accessible_only_to_its_user() {
    let live = Live::new().started();
    assert_eq!(live.client().wait_ready(TIMEOUT).unwrap(), Readiness::Ready);
    let status = live.status();
    let info = live.session().host().unwrap().unwrap();
    assert_eq!((info.pid, info.process_start), (status.host.pid, status.host.start));
    assert_eq!(info.socket, live.spec.socket);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&live.spec.socket).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(live.session().try_lock().unwrap().is_none(), "the host does not hold the lock");
    wait_until("a heartbeat", TIMEOUT, || live.session().heartbeat().unwrap().is_some());
}

#[test]
fn a_pause_ends_all_processes_and_saves_everything_before_its_reply() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("spawn something").unwrap();
    live.wait_recorded("Reply to: spawn");
    let family = live.family();
    wait_until("the process left behind", TIMEOUT, || {
        descendants::members(&family).unwrap().iter().any(|m| m.name == "sleep")
    });
    let stopped = live.client().stop(PAUSE).unwrap();
    assert_eq!((stopped.status, stopped.left), (Status::Paused, vec![]));
    // The following facts already hold when the reply arrives.
    let meta = live.meta();
    assert_eq!((meta.status, meta.pause_reason), (Status::Paused, Some(PauseReason::User)));
    assert!(meta.active_intervals[0].end.is_some());
    assert_eq!(descendants::members(&family).unwrap(), []);
    assert!(live.session().host().unwrap().is_none());
    assert_eq!(live.messages().len(), 2);
    assert_eq!(meta.total_tokens, Some(15));
    assert_eq!(live.wait_ended(), Some(0));
    assert!(!live.spec.socket.exists() || Client::connect(&live.spec.socket).is_err());
    assert!(live.session().try_lock().unwrap().is_some());
}

#[test]
fn an_end_closes_the_session() {
    let live = Live::new().started();
    let stopped = live.client().stop(StopKind::Close(CloseReason::User)).unwrap();
    assert_eq!(stopped.status, Status::Closed);
    assert_eq!(live.meta().close_reason, Some(CloseReason::User));
}

#[test]
fn a_claude_that_ignores_every_signal_is_killed() {
    let live = Live::new().behaving("ignore_signals").started();
    live.wait_shown("I do not end");
    let agent = live.status().agent.unwrap();
    assert_eq!(live.client().stop(PAUSE).unwrap().status, Status::Paused);
    assert!(!agent.is_alive());
}

#[test]
fn a_claude_that_exits_at_once_leaves_its_last_screen() {
    let mut live = Live::new().behaving("exit");
    live.start();
    assert_eq!(live.wait_ended(), Some(0));
    let note = read_exit_note(&live.session()).unwrap();
    assert_eq!((note.exit.code, note.asked), (Some(3), false));
    assert!(note.screen.contains("something is wrong with this installation"), "{note:?}");
    let meta = live.meta();
    assert_eq!((meta.status, meta.pause_reason), (Status::Paused, Some(PauseReason::Exited)));
}

#[test]
fn a_claude_that_exits_pauses_the_session() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("exit 0").unwrap();
    live.wait_ended();
    assert_eq!(live.meta().pause_reason, Some(PauseReason::Exited));
    assert!(live.messages().iter().any(|m| m.content == "exit 0"), "the last transcript lines were not read");
}

#[test]
fn a_start_that_asks_for_trust_is_reported_with_its_screen() {
    let live = Live::new().behaving("trust").started();
    let Readiness::Quiet { screen } = live.client().wait_ready(TIMEOUT).unwrap() else {
        panic!("the start is not reported as quiet")
    };
    assert!(screen.contains("Do you trust"), "{screen}");
    assert!(!live.status().hooks_seen);
}

#[test]
fn a_terminated_host_marks_its_session_as_interrupted() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.host().signal(Signal::Term).unwrap();
    assert_eq!(live.wait_ended(), Some(0));
    assert_eq!(live.meta().pause_reason, Some(PauseReason::Interrupted));
}

#[test]
fn the_processes_of_a_killed_host_can_be_found_and_terminated() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("spawn something").unwrap();
    let family = live.family();
    wait_until("the process left behind", TIMEOUT, || {
        descendants::members(&family).unwrap().iter().any(|m| m.name == "sleep")
    });
    live.host().signal(Signal::Kill).unwrap();
    live.wait_ended();
    let remaining = descendants::members(&family).unwrap();
    assert!(remaining.iter().any(|m| m.name == "sleep"), "{remaining:?}");
    let ended = descendants::end_all(&family, Duration::from_secs(5)).unwrap();
    assert!(ended.left.is_empty() && descendants::members(&family).unwrap().is_empty());
    // The killed host has released the lock, and its recorded process is dead.
    wait_for("the lock", TIMEOUT, || live.session().try_lock().unwrap());
    let info = live.session().host().unwrap().unwrap();
    assert!(!Identity { pid: info.pid, start: info.process_start }.is_alive());
}

#[test]
fn a_host_replaces_a_stale_socket_and_a_resume_continues() {
    let mut live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("first").unwrap();
    live.wait_recorded("Reply to: first");
    live.client().stop(PAUSE).unwrap();
    live.wait_ended();
    #[cfg(unix)]
    drop(std::os::unix::net::UnixListener::bind(&live.spec.socket));
    // The name of a pipe that no longer exists.
    #[cfg(windows)]
    std::fs::write(&live.spec.socket, r"\\.\pipe\beads-console-1-0-0").unwrap();
    live.resume();
    live.wait_activity(Activity::Idle);
    live.client().send("second").unwrap();
    live.wait_recorded("Reply to: second");
    live.client().stop(PAUSE).unwrap();
    let contents: Vec<String> = live.messages().into_iter().map(|m| m.content).collect();
    assert_eq!(contents, ["first", "Reply to: first", "second", "Reply to: second"]);
    let meta = live.meta();
    assert_eq!((meta.total_tokens, meta.message_count, meta.active_intervals.len()), (Some(30), 4, 2));
    assert_eq!(meta.claude_sessions.len(), 1);
    assert!(meta.claude_sessions[0].prompted);
    assert_eq!(meta.title.as_deref(), Some("first"));
}

// On Unix, claude updates itself by changing a symbolic link.
#[cfg(unix)]
#[test]
#[allow(clippy::disallowed_methods, reason = "the test writes the program as claude's installer does")]
fn a_claude_that_is_updated_while_it_runs_continues() {
    let mut live = Live::new();
    let program = live.dir.path().join("claude");
    std::os::unix::fs::symlink(exe(), &program).unwrap();
    live.spec.program = program.clone();
    let live = live.started();
    live.wait_activity(Activity::Idle);
    // As after an update of claude, the name refers to another file.
    let new = live.dir.path().join("claude.new");
    std::fs::write(&new, "#!/bin/sh\necho the new version\nexit 3\n").unwrap();
    std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::remove_file(&program).unwrap();
    std::os::unix::fs::symlink(&new, &program).unwrap();
    live.client().send("after the update").unwrap();
    live.wait_recorded("Reply to: after the update");
}

#[test]
fn a_program_that_cannot_be_started_is_named_and_the_lock_is_released() {
    let mut live = Live::new();
    live.spec.program = "/no/such/claude".into();
    let error = live.try_start().unwrap_err();
    assert!(
        matches!(&error, LaunchError::Program { reason } if reason.contains("/no/such/claude")),
        "{error}"
    );
    wait_for("the lock", TIMEOUT, || live.session().try_lock().unwrap());
    assert!(live.session().host().unwrap().is_none());
}

#[test]
fn a_missing_working_folder_is_named() {
    let mut live = Live::new();
    live.spec.cwd = live.path().join("gone");
    let error = live.try_start().unwrap_err();
    assert!(error.to_string().contains("gone"), "{error}");
}

#[test]
fn context_that_the_model_would_get_truncated_is_refused() {
    let mut live = Live::new();
    live.spec.context[0].text = "x".repeat(9_501);
    let error = live.try_start().unwrap_err();
    assert!(matches!(error, LaunchError::PieceTooLong { chars: 9_501, .. }), "{error}");
}

#[test]
fn launching_a_program_other_than_a_host_starts_nothing() {
    let live = Live::new();
    let lock = live.session().try_lock().unwrap().unwrap();
    let error = launch(std::path::Path::new("/bin/true"), &live.spec, lock).unwrap_err();
    assert!(matches!(error, LaunchError::Silent { .. }), "{error}");
    let lock = wait_for("the lock", TIMEOUT, || live.session().try_lock().unwrap());
    let error = launch(&exe().join("nothing"), &live.spec, lock).unwrap_err();
    assert!(matches!(error, LaunchError::Detach(_)), "{error}");
}

#[test]
fn connecting_without_a_host_fails() {
    let error = Client::connect(std::path::Path::new("/no/such/socket")).unwrap_err();
    assert!(matches!(error, ClientError::Away { .. }), "{error}");
}
