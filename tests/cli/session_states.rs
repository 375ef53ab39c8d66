//! Changes of a session's state, by the user and by the program.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, need_sim},
    terminal::Terminal,
};
use bc_testkit::api::AFTER_TOOLS;
use serde_json::{Value, json};

/// Writes the user's settings file.
pub(crate) fn write_settings(console: &Console, settings: Value) {
    let folder = console.sandbox.home().join(".config/beads-console");
    std::fs::create_dir_all(&folder).unwrap();
    #[allow(clippy::disallowed_methods, reason = "the test writes the file as the user's editor would")]
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
}

/// Edits a session's `meta.json`, to create states that would otherwise take time or another program.
pub(crate) fn edit_meta(console: &Console, id: &str, edit: impl FnOnce(&mut Value)) {
    let path = format!(".beads/sessions/{id}/meta.json");
    let mut meta: Value = serde_json::from_str(&console.sandbox.read(&path)).unwrap();
    edit(&mut meta);
    console.sandbox.write(&path, &meta.to_string());
}

/// The time this number of hours ago, in the format of the session files.
pub(crate) fn hours_ago(hours: i64) -> Value {
    json!((chrono::Local::now() - chrono::Duration::hours(hours)).to_rfc3339())
}

#[test]
fn only_an_idle_session_without_pending_requests_is_paused_by_its_host() {
    let test = "only_an_idle_session_without_pending_requests_is_paused_by_its_host";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    write_settings(&console, json!({"inactivity_minutes": 1}));
    let asks = console.start(&["--worktree", "--prompt", "[[bash:touch x && curl -s http://127.0.0.1:9/]]"]);
    console.wait("a permission request", &asks, |s| s["live"]["permissions"][0]["id"].is_string());
    let works = console.start(&["--worktree", "--prompt", "[[slow:6000]]"]);
    console.wait("claude working", &works, |s| s["live"]["activity"] == "working");
    let idle = console.start(&["--prompt", "hello"]);
    let before = console.wait_idle(&idle);
    // No window, server or engine runs, so the host must pause the session.
    let paused = console.wait("a pause", &idle, |s| s["status"] == "paused");
    assert_eq!((&paused["pause_reason"], &paused["live"]), (&json!("inactivity"), &Value::Null));
    crate::simulated_sessions::wait_gone(&before["live"]["host_pid"]);
    for busy in [&asks, &works] {
        assert_eq!(
            console.show(busy)["status"],
            "active",
            "this session was busy before the other one was idle"
        );
    }
    console.ok(&["session", "resume", &idle]);
}

#[test]
fn a_bead_that_its_own_agent_moves_to_review_closes_the_session_after_the_turn() {
    let test = "a_bead_that_its_own_agent_moves_to_review_closes_the_session_after_the_turn";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, _api)) = with_claude(console, test) else { return };
    bd(&console, &["config", "set", "status.custom", "in_review:wip"]);
    let bead = console.bead("Move me", &[]);
    let prompt = format!("[[bash:bd update {bead} --status in_review]]");
    let id = console.start(&["--bead", &bead, "--prompt", &prompt]);
    let asks = console.wait("a permission request", &id, |s| s["live"]["permissions"][0]["id"].is_string());
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap();
    console.ok(&["session", "permission", &id, request, "--allow"]);
    let closed = console.wait("a closed session", &id, |s| s["status"] == "closed");
    assert_eq!((&closed["close_reason"], &closed["live"]), (&json!("in_review"), &Value::Null));
    let messages = console.messages(&id);
    assert!(messages.iter().any(|m| m["content"] == AFTER_TOOLS), "the turn was cut off: {messages:#?}");
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_review");
}

/// Runs bd as the user does in another shell.
fn bd(console: &Console, args: &[&str]) {
    let mut command = console.sandbox.command(console.sandbox.bin().join("bd"));
    command.args(args);
    bc_testkit::sandbox::text_of(&format!("bd {args:?}"), &command.output().unwrap());
}

#[test]
fn a_bead_moved_to_review_with_bd_closes_its_session_without_a_client() {
    let test = "a_bead_moved_to_review_with_bd_closes_its_session_without_a_client";
    let Some(console) = Console::with_bd(test) else { return };
    if need_sim(test).is_none() {
        return;
    }
    bd(&console, &["config", "set", "status.custom", "in_review:wip"]);
    let bead = console.bead("Move me", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    bd(&console, &["update", &bead, "--status", "in_review"]);
    // The record is read directly, because a command of this program would start an engine.
    let path = format!(".beads/sessions/{id}/meta.json");
    let closed = bc_testkit::wait_for("a closed session", TIMEOUT, || {
        let meta: Value = serde_json::from_str(&console.sandbox.read(&path)).ok()?;
        (meta["status"] == "closed").then_some(meta)
    });
    assert_eq!(closed["close_reason"], "in_review");
}

#[test]
fn a_bead_submitted_from_the_command_line_closes_its_session_when_the_turn_is_over() {
    let test = "a_bead_submitted_from_the_command_line_closes_its_session_when_the_turn_is_over";
    if need_sim(test).is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Move me", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--prompt", "[[slow:40]]"]);
    console.wait("the agent working", &id, |s| s["live"]["activity"] == "working");
    console.ok(&["bead", "submit", &bead, "--without-commit"]);
    let closed = console.wait("a closed session", &id, |s| s["status"] == "closed");
    assert_eq!(closed["close_reason"], "in_review");
    let last = console.messages(&id).pop().unwrap();
    let words = last["content"].as_str().unwrap().split_whitespace().count();
    assert!(words >= 40, "the turn was cut off after {words} words");

    // A session that is resumed while its bead is in review is closed only when the bead moves to that status
    // again.
    let other = console.bead("Stay", &[]);
    let id = console.start(&["--bead", &other, "--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    console.ok(&["bead", "submit", &other, "--without-commit"]);
    assert_eq!(console.show(&id)["status"], "paused");
    console.ok(&["session", "resume", &id, "--anyway", "--prompt", "hello again"]);
    console.wait_message("an answer", &id, |m| {
        m["role"] == "assistant" && m["content"].as_str().is_some_and(|text| text.contains("hello again"))
    });
    console.wait_idle(&id);
    assert_eq!(console.show(&id)["status"], "active");
}

#[test]
fn an_exit_command_in_claude_pauses_the_session_with_that_reason() {
    let test = "an_exit_command_in_claude_pauses_the_session_with_that_reason";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.wait_idle(&id);
    let mut terminal = Terminal::open(&console, &["session", "attach", &id]);
    terminal.wait_for("Reply to: hello");
    terminal.keys("/exit");
    terminal.wait_for("/exit");
    terminal.keys("\r");
    terminal.end();
    let paused = console.wait("a pause", &id, |s| s["status"] == "paused");
    assert_eq!((&paused["pause_reason"], &paused["live"]), (&json!("exited"), &Value::Null));
}

#[test]
fn a_cleared_conversation_stays_in_the_session_and_is_resumed() {
    let test = "a_cleared_conversation_stays_in_the_session_and_is_resumed";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "before the clear"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: before the clear");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "/clear"]);
    console.wait("a second conversation", &id, |s| {
        s["claude_sessions"].as_array().is_some_and(|all| all.len() == 2) && s["live"]["activity"] == "idle"
    });
    console.ok(&["session", "send", &id, "after the clear"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: after the clear");
    console.wait_idle(&id);
    let paused = console.json(&["session", "pause", &id]);
    let conversations = paused["claude_sessions"].as_array().unwrap();
    assert_eq!(conversations.len(), 2, "{conversations:#?}");
    assert!(conversations.iter().all(|c| c["transcript_path"].is_string()), "{conversations:#?}");
    let texts: Vec<Value> = console.messages(&id).into_iter().map(|m| m["content"].clone()).collect();
    for text in ["Reply to: before the clear", "Reply to: after the clear"] {
        assert!(texts.contains(&json!(text)), "{texts:#?}");
    }
    let answers = console.messages(&id).iter().filter(|m| m["role"] == "assistant").count() as u64;
    assert_eq!(
        paused["total_tokens"],
        json!(answers * crate::journey::one_answer()),
        "the tokens of each conversation must be counted once"
    );

    console.ok(&["session", "resume", &id, "--prompt", "number 4712 please"]);
    let request = api.wait_for("number 4712 please", TIMEOUT);
    assert!(request.seen().contains("after the clear"), "{}", request.seen());
    assert!(!request.seen().contains("before the clear"), "the new conversation contains cleared messages");
    console.ok(&["session", "end", &id]);
}

#[test]
fn single_active_pauses_the_other_sessions() {
    if need_sim("single_active_pauses_the_other_sessions").is_none() {
        return;
    }
    let console = Console::new();
    let first = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&first);
    write_settings(&console, json!({"single_active": true}));
    console.fails(&["session", "start", "--simulated", "--agent", "missing"], "agent_not_found", 3);
    assert_eq!(console.show(&first)["status"], "active", "a refused start pauses no session");
    let second = console.start(&["--simulated", "--prompt", "hello"]);
    let paused = console.show(&first);
    assert_eq!((&paused["status"], &paused["pause_reason"]), (&json!("paused"), &json!("superseded")));
    console.ok(&["session", "resume", &first]);
    assert_eq!(console.show(&first)["status"], "active");
    assert_eq!(console.show(&second)["pause_reason"], "superseded");
    write_settings(&console, json!({"single_active": false}));
    console.ok(&["session", "resume", &second]);
    assert_eq!(console.show(&first)["status"], "active");
}

#[test]
fn a_session_can_be_closed_from_every_other_state() {
    if need_sim("a_session_can_be_closed_from_every_other_state").is_none() {
        return;
    }
    let console = Console::new();
    let draft = console.start(&["--simulated", "--prompt", "hello"]);
    let paused = console.start(&["--simulated", "--prompt", "hello"]);
    let active = console.start(&["--simulated", "--prompt", "hello"]);
    for id in [&draft, &paused] {
        console.wait_idle(id);
        console.ok(&["session", "pause", id]);
    }
    // Recreates the state after a crash during a start.
    edit_meta(&console, &draft, |meta| {
        meta["status"] = json!("draft");
        for gone in ["started_at", "paused_at", "pause_reason"] {
            meta.as_object_mut().unwrap().remove(gone);
        }
        meta["active_intervals"] = json!([]);
    });
    for id in [&draft, &paused, &active] {
        assert_eq!(console.json(&["session", "end", id])["session"]["status"], "closed");
        console.fails(&["session", "end", id], "session_state", 4);
    }
}

#[test]
fn an_end_wins_over_a_concurrent_pause() {
    if need_sim("an_end_wins_over_a_concurrent_pause").is_none() {
        return;
    }
    let console = Console::new();
    for round in 0..4 {
        let id = console.start(&["--simulated", "--prompt", "hello"]);
        console.wait_idle(&id);
        let mut lines = [["session", "pause", &id], ["session", "end", &id]];
        if round % 2 == 1 {
            lines.reverse();
        }
        let ran: Vec<_> = std::thread::scope(|scope| {
            let threads = lines.map(|line| {
                let console = &console;
                scope.spawn(move || (line[1].to_owned(), console.run(&line)))
            });
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let (_, end) = ran.iter().find(|(verb, _)| verb == "end").unwrap();
        assert_eq!(end.code, Some(0), "round {round}: {ran:?}");
        assert_eq!(console.show(&id)["status"], "closed", "round {round}: {ran:?}");
        // An end immediately after a pause must succeed although the host may still be exiting.
        let id = console.start(&["--simulated", "--prompt", "hello"]);
        console.wait_idle(&id);
        console.ok(&["session", "pause", &id]);
        console.ok(&["session", "end", &id]);
        assert_eq!(console.show(&id)["close_reason"], "user");
    }
}
