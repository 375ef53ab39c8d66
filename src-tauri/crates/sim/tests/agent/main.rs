//! Tests of the simulated agent as a program in a terminal, with hooks and a transcript.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod fixture;

use bc_process::descendants::Signal;
use fixture::{DEADLINE, Fixture, ID};
use serde_json::Value;
use std::path::PathBuf;

#[test]
fn the_agent_reports_its_version_and_login() {
    let run_sim = |args: &[&str]| {
        bc_process::run::Program::new(env!("CARGO_BIN_EXE_beads-console-sim")).args(args).run().unwrap()
    };
    assert_eq!(run_sim(&["--version"]).out(), "0.1.0 (Beads Console simulated agent)\n");
    let status: Value = serde_json::from_str(&run_sim(&["auth", "status"]).out()).unwrap();
    assert_eq!(status["loggedIn"], true);
    let without_terminal = run_sim(&["--session-id", ID]);
    assert!(
        !without_terminal.ok() && without_terminal.err().contains("terminal"),
        "{}",
        without_terminal.err()
    );
}

#[test]
fn a_turn_has_claudes_hooks_and_claudes_transcript() {
    let fixture = Fixture::new();
    let settings =
        fixture.settings("SessionStart", "echo '{\"hookSpecificOutput\":{\"additionalContext\":\"beads\"}}'");
    let mut agent = fixture.begin(&settings, &[]);
    assert!(agent.text().starts_with("SIMULATED AGENT – not Claude Code"));
    assert!(agent.screen.lock().unwrap().alternate() && agent.screen.lock().unwrap().bracketed_paste());
    assert_eq!(fixture.transcripts(), Vec::<PathBuf>::new(), "a transcript exists before the first prompt");
    agent.send("please [[bash:echo it works]]");
    agent.wait_until("the end of the turn", || fixture.hook_names().contains(&"Stop".to_owned()));
    assert_eq!(
        fixture.hook_names(),
        [
            "SessionStart",
            "UserPromptSubmit",
            "MessageDisplay",
            "PreToolUse",
            "PostToolUse",
            "MessageDisplay",
            "Stop"
        ]
    );
    let lines = fixture.transcript();
    let about = |line: &Value| {
        let block = &line["message"]["content"][0]["type"];
        format!("{} {}", line["type"].as_str().unwrap(), block.as_str().unwrap_or("-"))
    };
    let wanted = [
        "user -",
        "attachment -",
        "assistant text",
        "assistant tool_use",
        "user tool_result",
        "assistant text",
    ];
    assert_eq!(lines.iter().map(about).collect::<Vec<_>>()[..6], wanted);
    assert_eq!(
        lines[2]["message"]["id"], lines[3]["message"]["id"],
        "two lines of one message have different ids"
    );
    assert_eq!(lines[4]["message"]["content"][0]["content"], "it works\n");
    assert_eq!(lines[1]["attachment"]["content"][0], "beads");
    let hooks = fixture.hooks();
    assert_eq!(hooks[0]["session_id"], ID);
    assert_eq!(PathBuf::from(hooks[0]["transcript_path"].as_str().unwrap()), fixture.transcripts()[0]);
    assert_eq!(hooks[1]["prompt"], "please [[bash:echo it works]]");
    assert_eq!(hooks[3]["permission_mode"], "default");
    agent.keys("/exit\r");
    assert_eq!(agent.ended().code, Some(0));
    assert_eq!(fixture.hooks().last().unwrap()["reason"], "prompt_input_exit");
}

#[test]
fn a_permission_is_answered_at_the_terminal() {
    let fixture = Fixture::new();
    let mut agent = fixture.start(&["--session-id", ID, "--", "[[write:a.txt:hello]]"]);
    agent.wait_for("wants to use Write(a.txt)");
    assert!(!fixture.project().join("a.txt").exists());
    agent.keys("\r");
    agent.wait_until("the file", || fixture.project().join("a.txt").exists());
    agent.send("[[write:b.txt:hello]]");
    agent.wait_for("wants to use Write(b.txt)");
    agent.keys("\x1b");
    agent.wait_for("Interrupted");
    assert!(!fixture.project().join("b.txt").exists());
    let last = fixture.transcript().into_iter().rev().find(|line| line["type"] == "user").unwrap();
    assert_eq!(last["message"]["content"][0]["text"], "[Request interrupted by user for tool use]");
}

#[test]
fn a_permission_answered_by_a_hook_closes_the_dialog() {
    let fixture = Fixture::new();
    let decide = |decision: &str| {
        let answer = format!("echo '{{\"hookSpecificOutput\":{{\"decision\":{decision}}}}}'");
        fixture.settings("PermissionRequest", &answer)
    };
    let mut agent = fixture.begin(&decide("{\"behavior\":\"allow\"}"), &["[[write:a.txt:hello]]"]);
    agent.wait_until("the file", || fixture.project().join("a.txt").exists());
    agent.keys("/exit\r");
    agent.ended();
    let settings = decide("{\"behavior\":\"deny\",\"message\":\"not today\"}");
    let agent = fixture.start(&["--resume", ID, "--settings", &settings, "[[write:b.txt:x]]"]);
    agent.wait_for("refused: not today");
    assert!(!agent.text().contains("wants to use"));
    assert!(!fixture.project().join("b.txt").exists());
}

#[test]
fn the_mode_decides_which_tools_ask() {
    let fixture = Fixture::new();
    let agent = fixture.start(&["--permission-mode", "acceptEdits", "[[write:a.txt:x]] [[ask]]"]);
    agent.wait_for("wants to use Bash(true)");
    assert!(fixture.project().join("a.txt").exists());
}

#[test]
fn esc_interrupts_words_and_a_running_command() {
    let fixture = Fixture::new();
    let mut agent = fixture.begin("{}", &["--permission-mode", "auto"]);
    agent.send("[[slow:1000]]");
    agent.wait_for("word3");
    agent.keys("\x1b");
    agent.wait_for("Interrupted");
    agent.send("[[bash:echo begun > begun; sleep 600]]");
    agent.wait_until("the command", || fixture.project().join("begun").exists());
    agent.keys("\x1b");
    agent.wait_for("The command was stopped");
    agent.send("[[say:still here]]");
    agent.wait_for("● still here");
}

#[test]
fn clear_starts_a_new_conversation_in_a_new_file() {
    let fixture = Fixture::new();
    let mut agent = fixture.begin(&fixture.settings("", ""), &["[[say:first]]"]);
    agent.wait_for("● first");
    agent.keys("/clear\r");
    agent.wait_until("the new start", || {
        fixture.hook_names().iter().filter(|name| *name == "SessionStart").count() == 2
    });
    agent.send("[[say:second]]");
    agent.wait_for("● second");
    let starts: Vec<Value> =
        fixture.hooks().into_iter().filter(|hook| hook["hook_event_name"] == "SessionStart").collect();
    assert_eq!(starts[1]["source"], "clear");
    assert_ne!(starts[1]["session_id"], starts[0]["session_id"]);
    assert_eq!(fixture.transcripts().len(), 2);
}

#[test]
fn the_agent_exits_cleanly_on_request() {
    let fixture = Fixture::new();
    let mut agent = fixture.begin(&fixture.settings("", ""), &[]);
    agent.send("[[slow:1000]]");
    agent.wait_for("word1");
    agent.pty.signal(Signal::Term).unwrap();
    assert_eq!(agent.ended().code, Some(143));
    assert_eq!(fixture.hooks().last().unwrap()["reason"], "other");
}

#[test]
fn the_agent_exits_when_its_terminal_closes() {
    let fixture = Fixture::new();
    let agent = fixture.begin(&fixture.settings("", ""), &[]);
    assert!(agent.close().recv_timeout(DEADLINE).is_ok());
    assert_eq!(fixture.hook_names().last().unwrap(), "SessionEnd");
}

#[test]
fn a_conversation_is_created_once_and_resumed_only_if_it_exists() {
    let fixture = Fixture::new();
    let agent = fixture.start(&["--resume", ID]);
    agent.wait_for("No conversation found");
    assert_eq!(agent.ended().code, Some(1));
    let mut agent = fixture.begin("{}", &["[[say:first]]"]);
    agent.wait_for("● first");
    agent.keys("\x04");
    assert_eq!(agent.ended().code, Some(0));
    let agent = fixture.start(&["--session-id", ID]);
    agent.wait_for("already in use");
    assert_eq!(agent.ended().code, Some(1));
    let agent = fixture.start(&["--resume", ID, "[[say:second]]"]);
    agent.wait_for("● second");
    assert_eq!(fixture.transcripts().len(), 1);
    assert_eq!(fixture.transcript().iter().filter(|line| line["type"] == "assistant").count(), 2);
}

#[test]
fn a_prompt_without_markers_gets_a_plan_labelled_simulated() {
    let fixture = Fixture::new();
    let agent = fixture.begin("{}", &["Implement the login"]);
    agent.wait_for("Simulated plan for \"Implement the login\"");
}

#[test]
fn a_dialog_without_a_hook_takes_the_next_enter() {
    let fixture = Fixture::new();
    let mut agent = fixture.begin(&fixture.settings("", ""), &[]);
    agent.keys("/model\r");
    agent.wait_for("Select model");
    agent.keys("\x1b[200~do it\x1b[201~\r");
    agent.wait_for("one simulated model");
    assert_eq!(fixture.hook_names(), ["SessionStart"]);
}

#[test]
fn a_flood_is_shown_and_recorded_completely() {
    let fixture = Fixture::new();
    let agent = fixture.begin("{}", &["--flood", "2000", "go"]);
    agent.wait_for("simulated line 2000 of 2000");
    let is_answer = |line: &&Value| line["type"] == "assistant";
    agent.wait_until("the last line", || fixture.transcript().iter().filter(is_answer).count() == 2000);
}
