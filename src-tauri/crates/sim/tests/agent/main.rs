//! Tests of the simulated agent as a program in a terminal, with hooks and a transcript.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod place;

use bc_process::descendants::Signal;
use place::{DEADLINE, ID, Place};
use serde_json::Value;
use std::path::PathBuf;

#[test]
fn the_agent_reports_its_version_and_login() {
    let said = |args: &[&str]| {
        bc_process::run::Program::new(env!("CARGO_BIN_EXE_beads-console-sim")).args(args).run().unwrap()
    };
    assert_eq!(said(&["--version"]).out(), "0.1.0 (Beads Console simulated agent)\n");
    let status: Value = serde_json::from_str(&said(&["auth", "status"]).out()).unwrap();
    assert_eq!(status["loggedIn"], true);
    let without_terminal = said(&["--session-id", ID]);
    assert!(
        !without_terminal.ok() && without_terminal.err().contains("terminal"),
        "{}",
        without_terminal.err()
    );
}

#[test]
fn a_turn_has_claudes_hooks_and_claudes_transcript() {
    let place = Place::new();
    let settings =
        place.settings("SessionStart", "echo '{\"hookSpecificOutput\":{\"additionalContext\":\"beads\"}}'");
    let mut agent = place.begin(&settings, &[]);
    assert!(agent.text().starts_with("SIMULATED AGENT – not Claude Code"));
    assert!(agent.screen.lock().unwrap().alternate() && agent.screen.lock().unwrap().bracketed_paste());
    assert_eq!(place.transcripts(), Vec::<PathBuf>::new(), "a transcript before the first prompt");
    agent.send("please [[bash:echo it works]]");
    agent.wait_until("the end of the turn", || place.hook_names().contains(&"Stop".to_owned()));
    assert_eq!(
        place.hook_names(),
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
    let lines = place.transcript();
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
    assert_eq!(lines[2]["message"]["id"], lines[3]["message"]["id"], "one message, two lines");
    assert_eq!(lines[4]["message"]["content"][0]["content"], "it works\n");
    assert_eq!(lines[1]["attachment"]["content"][0], "beads");
    let hooks = place.hooks();
    assert_eq!(hooks[0]["session_id"], ID);
    assert_eq!(PathBuf::from(hooks[0]["transcript_path"].as_str().unwrap()), place.transcripts()[0]);
    assert_eq!(hooks[1]["prompt"], "please [[bash:echo it works]]");
    assert_eq!(hooks[3]["permission_mode"], "default");
    agent.keys("/exit\r");
    assert_eq!(agent.ended().code, Some(0));
    assert_eq!(place.hooks().last().unwrap()["reason"], "prompt_input_exit");
}

#[test]
fn a_permission_is_answered_at_the_terminal() {
    let place = Place::new();
    let mut agent = place.start(&["--session-id", ID, "--", "[[write:a.txt:hello]]"]);
    agent.wait_for("wants to use Write(a.txt)");
    assert!(!place.project().join("a.txt").exists());
    agent.keys("\r");
    agent.wait_until("the file", || place.project().join("a.txt").exists());
    agent.send("[[write:b.txt:hello]]");
    agent.wait_for("wants to use Write(b.txt)");
    agent.keys("\x1b");
    agent.wait_for("Interrupted");
    assert!(!place.project().join("b.txt").exists());
    let last = place.transcript().into_iter().rev().find(|line| line["type"] == "user").unwrap();
    assert_eq!(last["message"]["content"][0]["text"], "[Request interrupted by user for tool use]");
}

#[test]
fn a_permission_answered_by_a_hook_closes_the_dialog() {
    let place = Place::new();
    let decide = |decision: &str| {
        let answer = format!("echo '{{\"hookSpecificOutput\":{{\"decision\":{decision}}}}}'");
        place.settings("PermissionRequest", &answer)
    };
    let mut agent = place.begin(&decide("{\"behavior\":\"allow\"}"), &["[[write:a.txt:hello]]"]);
    agent.wait_until("the file", || place.project().join("a.txt").exists());
    agent.keys("/exit\r");
    agent.ended();
    let settings = decide("{\"behavior\":\"deny\",\"message\":\"not today\"}");
    let agent = place.start(&["--resume", ID, "--settings", &settings, "[[write:b.txt:x]]"]);
    agent.wait_for("refused: not today");
    assert!(!agent.text().contains("wants to use"));
    assert!(!place.project().join("b.txt").exists());
}

#[test]
fn the_mode_decides_which_tools_ask() {
    let place = Place::new();
    let agent = place.start(&["--permission-mode", "acceptEdits", "[[write:a.txt:x]] [[ask]]"]);
    agent.wait_for("wants to use Bash(true)");
    assert!(place.project().join("a.txt").exists());
}

#[test]
fn esc_interrupts_words_and_a_running_command() {
    let place = Place::new();
    let mut agent = place.begin("{}", &["--permission-mode", "auto"]);
    agent.send("[[slow:1000]]");
    agent.wait_for("word3");
    agent.keys("\x1b");
    agent.wait_for("Interrupted");
    agent.send("[[bash:echo begun > begun; sleep 600]]");
    agent.wait_until("the command", || place.project().join("begun").exists());
    agent.keys("\x1b");
    agent.wait_for("The command was stopped");
    agent.send("[[say:still here]]");
    agent.wait_for("● still here");
}

#[test]
fn clear_starts_a_new_conversation_in_a_new_file() {
    let place = Place::new();
    let mut agent = place.begin(&place.settings("", ""), &["[[say:first]]"]);
    agent.wait_for("● first");
    agent.keys("/clear\r");
    agent.wait_until("the new start", || {
        place.hook_names().iter().filter(|name| *name == "SessionStart").count() == 2
    });
    agent.send("[[say:second]]");
    agent.wait_for("● second");
    let starts: Vec<Value> =
        place.hooks().into_iter().filter(|hook| hook["hook_event_name"] == "SessionStart").collect();
    assert_eq!(starts[1]["source"], "clear");
    assert_ne!(starts[1]["session_id"], starts[0]["session_id"]);
    assert_eq!(place.transcripts().len(), 2);
}

#[test]
fn the_agent_exits_cleanly_on_request() {
    let place = Place::new();
    let mut agent = place.begin(&place.settings("", ""), &[]);
    agent.send("[[slow:1000]]");
    agent.wait_for("word1");
    agent.pty.signal(Signal::Term).unwrap();
    assert_eq!(agent.ended().code, Some(143));
    assert_eq!(place.hooks().last().unwrap()["reason"], "other");
}

#[test]
fn the_agent_exits_when_its_terminal_closes() {
    let place = Place::new();
    let agent = place.begin(&place.settings("", ""), &[]);
    assert!(agent.close().recv_timeout(DEADLINE).is_ok());
    assert_eq!(place.hook_names().last().unwrap(), "SessionEnd");
}

#[test]
fn a_conversation_is_created_once_and_resumed_only_if_it_exists() {
    let place = Place::new();
    let agent = place.start(&["--resume", ID]);
    agent.wait_for("No conversation found");
    assert_eq!(agent.ended().code, Some(1));
    let mut agent = place.begin("{}", &["[[say:first]]"]);
    agent.wait_for("● first");
    agent.keys("\x04");
    assert_eq!(agent.ended().code, Some(0));
    let agent = place.start(&["--session-id", ID]);
    agent.wait_for("already in use");
    assert_eq!(agent.ended().code, Some(1));
    let agent = place.start(&["--resume", ID, "[[say:second]]"]);
    agent.wait_for("● second");
    assert_eq!(place.transcripts().len(), 1);
    assert_eq!(place.transcript().iter().filter(|line| line["type"] == "assistant").count(), 2);
}

#[test]
fn a_prompt_without_markers_gets_a_plan_labelled_simulated() {
    let place = Place::new();
    let agent = place.begin("{}", &["Implement the login"]);
    agent.wait_for("Simulated plan for \"Implement the login\"");
}

#[test]
fn a_dialog_without_a_hook_takes_the_next_enter() {
    let place = Place::new();
    let mut agent = place.begin(&place.settings("", ""), &[]);
    agent.keys("/model\r");
    agent.wait_for("Select model");
    agent.keys("\x1b[200~do it\x1b[201~\r");
    agent.wait_for("one simulated model");
    assert_eq!(place.hook_names(), ["SessionStart"]);
}

#[test]
fn a_flood_is_shown_and_recorded_completely() {
    let place = Place::new();
    let agent = place.begin("{}", &["--flood", "2000", "go"]);
    agent.wait_for("simulated line 2000 of 2000");
    let said = |line: &&Value| line["type"] == "assistant";
    agent.wait_until("the last line", || place.transcript().iter().filter(said).count() == 2000);
}
