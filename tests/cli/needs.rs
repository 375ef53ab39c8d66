//! `session needs`, with and without `--watch`, and the states after a failed turn.

use crate::{
    claude::with_claude,
    console::{Console, need_sim},
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    sync::mpsc::{Receiver, sync_channel},
    thread,
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(120);

/// A running `session needs --watch --json`, until it is dropped.
struct NeedsWatch {
    child: Child,
    lines: Receiver<Value>,
}

impl NeedsWatch {
    fn start(console: &Console) -> NeedsWatch {
        let mut command = console.command(&["session", "needs", "--watch", "--json"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = sync_channel(64);
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        NeedsWatch { child, lines }
    }

    /// Waits for a list that meets a condition.
    #[track_caller]
    fn wait_for(&self, what: &str, condition: impl Fn(&Value) -> bool) -> Value {
        loop {
            let list = self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|e| panic!("{what}: {e}"));
            if condition(&list["items"]) {
                return list["items"].clone();
            }
        }
    }
}

impl Drop for NeedsWatch {
    fn drop(&mut self) {
        // The command may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watched_list_changes_with_the_sessions() {
    if need_sim("a_watched_list_changes_with_the_sessions").is_none() {
        return;
    }
    let console = Console::new();
    let watched = NeedsWatch::start(&console);
    watched.wait_for("the first list", |items| *items == json!([]));
    let id = console.start(&["--simulated", "--title", "Look around", "--prompt", "hello there"]);
    let turn = watched.wait_for("the end of the turn", |items| items[0]["kind"] == "turn");
    assert_eq!((&turn[0]["session"], &turn[0]["title"]), (&json!(id), &json!("Look around")));
    assert_eq!(console.json(&["session", "needs"])["items"], turn);
    console.ok(&["session", "pause", &id]);
    watched.wait_for("an empty list", |items| *items == json!([]));
    assert_eq!(console.ok(&["session", "needs"]), "Nothing needs you.\n");
}

#[test]
fn a_failed_turn_of_the_real_claude_is_not_reported_as_ended() {
    let test = "a_failed_turn_of_the_real_claude_is_not_reported_as_ended";
    let Some((mut console, _api)) = with_claude(Console::new(), test) else { return };
    // With three retries, the state `retrying` lasts long enough for the test to see it.
    console.sandbox.set("CLAUDE_CODE_MAX_RETRIES", "3");
    let id = console.start(&["--prompt", "[[say:hello]]"]);
    console.wait("your turn", &id, |session| session["state"] == "your_turn");
    for (status, state, kind) in [("401", "needs_you", "login"), ("429", "rate_limited", "limit")] {
        console.ok(&["session", "send", &id, &format!("[[status:{status}]]")]);
        let retrying = |session: &Value| session["state"] == "retrying";
        console.wait("a retry", &id, retrying);
        let failed = console.wait(state, &id, |session| session["state"] == state);
        assert!(failed["live"]["failure"]["message"].as_str().unwrap().contains(status), "{failed:#}");
        let needs = console.json(&["session", "needs"])["items"].clone();
        assert_eq!((&needs[0]["kind"], needs.as_array().unwrap().len()), (&json!(kind), 1), "{needs:#}");
        console.ok(&["session", "send", &id, "[[say:again]]"]);
        console.wait("your turn", &id, |session| session["state"] == "your_turn");
    }
}

#[test]
fn the_real_claudes_requests_are_listed_and_a_withdrawn_one_cannot_be_answered() {
    let test = "the_real_claudes_requests_are_listed_and_a_withdrawn_one_cannot_be_answered";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let question = r#"[[tool:AskUserQuestion:{"questions":[{"question":"Which?","header":"Choice","multiSelect":false,"options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]}]]"#;
    let id = console.start(&["--prompt", question]);
    console.wait("the question", &id, |session| session["state"] == "needs_you");
    let need = console.json(&["session", "needs"])["items"][0].clone();
    assert_eq!((&need["kind"], &need["text"]), (&json!("question"), &json!("Which?")));
    let request = need["request"]["id"].as_str().unwrap();
    console.ok(&["session", "permission", &id, request, "--answer", "Which?=My \"own\" words, C"]);
    api.wait_for("words, C", TIMEOUT);
    console.wait("your turn", &id, |session| session["state"] == "your_turn");
    console.fails(&["session", "permission", &id, request, "--deny"], "session_state", 4);
    console.ok(&["session", "mode", &id, "plan"]);
    let plan = r##"[[tool:Write:{"file_path":"PLAN_FILE","content":"# Move it\n\n1. a"}]]"##;
    console.ok(&["session", "send", &id, plan]);
    console.wait("the plan's file", &id, |session| session["state"] == "your_turn");
    console.ok(&["session", "send", &id, "[[tool:ExitPlanMode:{}]]"]);
    console.wait("the plan", &id, |session| session["state"] == "needs_you");
    let need = console.json(&["session", "needs"])["items"][0].clone();
    assert_eq!((&need["kind"], &need["text"]), (&json!("plan"), &json!("Move it")));
    let request = need["request"]["id"].as_str().unwrap();
    for bad in ["plan", "bypassPermissions"] {
        console.fails(&["session", "permission", &id, request, "--allow", "--mode", bad], "usage", 2);
    }
    console.ok(&["session", "permission", &id, request, "--allow", "--mode", "acceptEdits"]);
    console.wait("Accept edits", &id, |session| session["mode"] == "acceptEdits");
}
