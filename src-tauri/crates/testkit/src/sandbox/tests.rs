//! The sandbox's guarantees: an isolated environment, and no leftover processes.

use super::*;
#[cfg(target_os = "linux")]
use crate::wait_until;
#[cfg(target_os = "linux")]
use std::time::Duration;

#[test]
fn every_awkward_name_makes_a_repository_with_one_commit() {
    for name in AWKWARD_NAMES {
        let sandbox = Sandbox::named(name);
        assert_eq!(sandbox.git(["log", "--format=%an %s"]), "Tester first", "{name}");
        assert_eq!(
            sandbox.git(["rev-parse", "--show-toplevel"]),
            sandbox.project().to_str().unwrap(),
            "{name}"
        );
    }
}

#[test]
fn the_sandbox_is_isolated_from_the_real_user() {
    let sandbox = Sandbox::new();
    let out = sandbox.command("/usr/bin/env").output().unwrap();
    let text = text_of("env", &out);
    let home = format!("HOME={}", sandbox.home().display());
    assert!(text.lines().any(|line| line == home), "{text}");
    assert!(!text.contains("CARGO"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn processes_end_with_the_sandbox() {
    let sandbox = Sandbox::new();
    // A daemon in its own process session, whose parent has exited.
    let out = sandbox.command("/bin/sh").args(["-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!"]).output();
    let line = text_of("sh", &out.unwrap());
    let status = format!("/proc/{}/environ", line.trim());
    assert!(fs::metadata(&status).is_ok());
    drop(sandbox);
    // If the parent of a killed process does not wait for it, the process remains as a zombie without an
    // environment.
    wait_until("the daemon's end", Duration::from_secs(10), || {
        fs::read(&status).is_ok_and(|env| env.is_empty()) || fs::metadata(&status).is_err()
    });
}
