//! A disk on which all syncs of a live session's host fail. The session keeps running, reports the problem and shows
//! new messages. Nothing is lost, and everything is saved once the disk works again.

#![cfg(target_os = "linux")]

use crate::console::{Console, finish, need_sim};
use bc_testkit::wait_until;
use serde_json::{Value, json};
use std::{
    fs,
    process::{Child, Stdio},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(120);

/// Makes every sync of a process fail with `EIO` until this value is dropped.
struct FailingSyncs {
    strace: Child,
    host: u32,
}

impl FailingSyncs {
    /// Starts the failures. Without a usable strace, prints a warning and returns `None`.
    fn of(console: &Console, host: u32, test: &str) -> Option<FailingSyncs> {
        let mut command = console.sandbox.command("strace");
        command.args(["-f", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO", "-o"]);
        command.arg(console.sandbox.root().join("trace")).args(["-p", &host.to_string()]);
        let strace = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let Ok(strace) = strace else {
            eprintln!("SKIPPED {test}: strace is not installed");
            return None;
        };
        let mut failing = FailingSyncs { strace, host };
        let mut refused = false;
        wait_until("strace attached to the host's threads", TIMEOUT, || {
            refused = failing.strace.try_wait().unwrap().is_some();
            refused || failing.traced().iter().all(|traced| *traced)
        });
        if refused {
            eprintln!("NOT RUN {test}: strace may not attach to a process that it did not start");
        }
        (!refused).then_some(failing)
    }

    /// For each of the host's threads, whether it is traced.
    fn traced(&self) -> Vec<bool> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.host)).unwrap();
        let status = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok());
        status.map(|status| !status.contains("TracerPid:\t0\n")).collect()
    }
}

impl Drop for FailingSyncs {
    fn drop(&mut self) {
        // On SIGTERM, strace could wait for a traced child of the host. If strace is killed, the kernel
        // releases all traced processes.
        let _ = self.strace.kill();
        let _ = self.strace.wait();
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the test creates a file for which the agent waits")]
fn a_live_session_outlasts_a_disk_that_cannot_sync() {
    const TEST: &str = "a_live_session_outlasts_a_disk_that_cannot_sync";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let go = console.sandbox.root().join("go");
    let prompt = format!(
        "[[say:before]] [[bash:while ! rm '{}' 2>/dev/null; do sleep 0.1; done; echo printed]] [[say:meanwhile]]",
        go.display()
    );
    let id = console.start(&["--simulated", "--mode", "bypassPermissions", "--prompt", &prompt]);
    console.wait_message("the message before the failures", &id, |message| says(message, "before"));
    let shown = console.wait("no trouble", &id, |shown| shown["live"]["troubles"] == json!([]));
    let host = u32::try_from(shown["live"]["host_pid"].as_u64().unwrap()).unwrap();

    let Some(failing) = FailingSyncs::of(&console, host, TEST) else { return };
    fs::File::create(&go).unwrap();
    let shown = console.wait("a warning", &id, |shown| shown["live"]["troubles"] != json!([]));
    let trouble = shown["live"]["troubles"][0].as_str().unwrap();
    assert!(
        (trouble.contains("cannot") || trouble.contains("could not")) && trouble.contains(".beads/sessions"),
        "{trouble}"
    );
    // Messages can be read, and commands that must save something are refused.
    console.wait_message("the message during the failures", &id, |message| says(message, "meanwhile"));
    let refused = finish(console.command(&["session", "send", &id, "not now", "--json"]), Vec::new());
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let folder = console.sandbox.project().join(".beads/sessions").join(&id);
    let recorded = || fs::read_to_string(folder.join("messages.jsonl")).unwrap();
    let during = recorded();

    drop(failing);
    let trace = fs::read_to_string(console.sandbox.root().join("trace")).unwrap();
    let failed = trace.lines().filter(|line| line.contains("EIO")).count();
    println!("COUNTED {failed} failed syncs of a live session");
    assert!(failed > 0, "{trace}");
    console.wait("no trouble any more", &id, |shown| shown["live"]["troubles"] == json!([]));
    assert!(recorded().starts_with(&during), "recorded messages were changed");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[say:after]]"]);
    console.wait_message("the message after the failures", &id, |message| says(message, "after"));
    console.ok(&["session", "end", &id]);
    for text in ["before", "meanwhile", "after"] {
        let times = console.messages(&id).iter().filter(|message| says(message, text)).count();
        assert_eq!(times, 1, "{text} in {:#?}", console.messages(&id));
    }
    let count = console.messages(&id).len();
    let meta: Value = serde_json::from_slice(&fs::read(folder.join("meta.json")).unwrap()).unwrap();
    assert_eq!((&meta["status"], &meta["message_count"]), (&json!("closed"), &json!(count)));
    assert_eq!(console.json(&["session", "timeline", &id])["warnings"], json!([]));
}

/// Whether the message is from the agent and consists of this text.
fn says(message: &Value, text: &str) -> bool {
    message["role"] == "assistant"
        && message["content"].as_str().is_some_and(|content| content.trim() == text)
}
