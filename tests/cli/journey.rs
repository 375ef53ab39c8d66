//! The main job with the real claude: from a bead to a closed session and its export.

use crate::{agent::alive, console::Console, terminal::Terminal};
use bc_testkit::{
    ScriptedApi,
    api::{AFTER_TOOLS, USAGE},
    need_claude,
};
use serde_json::{Value, json};
use std::{fs, time::Duration};

const PATIENCE: Duration = Duration::from_secs(60);

/// What one answer of the scripted API costs, cache reads aside.
fn one_answer() -> u64 {
    USAGE.input + USAGE.cache_creation + USAGE.output
}

/// A project whose claude is the real one and talks to a scripted API.
fn with_claude(console: Console, test: &str) -> Option<(Console, ScriptedApi)> {
    let claude = need_claude(test)?;
    let api = ScriptedApi::start();
    let mut console = console;
    console.sandbox.install("claude", &claude);
    console.sandbox.use_api(&api.url());
    Some((console, api))
}

fn tool_calls(messages: &[Value]) -> Vec<Value> {
    messages.iter().flat_map(|m| m["tool_calls"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn from_a_bead_to_a_closed_session_with_the_real_claude_and_the_real_bd() {
    let test = "from_a_bead_to_a_closed_session_with_the_real_claude_and_the_real_bd";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, api)) = with_claude(console, test) else { return };

    let report = console.json(&["doctor"]);
    assert_eq!(report["ok"], true, "{report:#}");
    let file = console.sandbox.project().join("src/login.rs");
    let description =
        format!("Write it. [[write:{}:fn login() {{}}]] [[bash:echo built by claude]]", file.display());
    let bead = console.bead("Implement login validation", &["--type", "feature", "-d", &description]);
    let ready = console.ok(&["bead", "ready"]);
    assert!(ready.contains(&bead) && ready.contains("Implement login validation"), "{ready}");

    // Start: claimed, branched, running, with the bead as its prompt.
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits"]);
    let branch = format!("feat/{bead}-implement-login-validation");
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), branch);
    let claimed = console.json(&["bead", "show", &bead]);
    assert_eq!(claimed["bead"]["status"], "in_progress");
    assert!(claimed["bead"]["assignee"].as_str().is_some_and(|who| who.ends_with(&id[..8])), "{claimed:#}");
    let request = api.wait_for("Implement login validation", PATIENCE);
    assert!(request.seen().contains(&bead), "the prompt names the bead");

    // Recorded while it happens: calls with outputs, tokens once a message, files.
    console.wait_message("claude's last words", &id, |m| m["content"] == AFTER_TOOLS);
    let session = console.wait_idle(&id);
    let messages = console.messages(&id);
    let calls = tool_calls(&messages);
    assert_eq!(
        calls.iter().map(|c| c["tool"].as_str().unwrap()).collect::<Vec<_>>(),
        ["Write", "Bash"],
        "{calls:#?}"
    );
    assert!(calls[1]["output"].as_str().is_some_and(|out| out.contains("built by claude")), "{calls:#?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "fn login() {}");
    assert_eq!(session["files_touched"], json!(["src/login.rs"]));
    let answers = messages.iter().filter(|m| m["role"] == "assistant").count() as u64;
    assert_eq!((answers, &session["total_tokens"]), (2, &json!(answers * one_answer())), "{messages:#?}");
    assert_eq!(session["tokens"]["cache_read"], json!(answers * USAGE.cache_read));
    assert_eq!(session["message_count"], json!(messages.len()));

    // A text while claude asks for a permission is held, and never an answer.
    let commit = "git add src && git commit -q -m 'login validation'";
    let sent = console.json(&["session", "send", &id[..8], &format!("Commit it. [[bash:{commit}]]")]);
    assert_eq!(sent["delivery"], "sent", "{sent:#}");
    let asks = console.wait("a permission request", &id, |s| s["live"]["permissions"][0]["id"].is_string());
    let request = &asks["live"]["permissions"][0];
    assert_eq!((&request["tool"], &request["input"]["command"]), (&json!("Bash"), &json!(commit)));
    let sent = console.json(&["session", "send", &id, "also fix the tests"]);
    assert_eq!(sent["delivery"], "held", "{sent:#}");
    assert!(sent["reason"].as_str().is_some_and(|reason| reason.contains("permission")), "{sent:#}");
    assert_eq!(console.show(&id)["live"]["held"][0]["text"], "also fix the tests");
    assert_eq!(console.sandbox.git(["log", "--format=%s", "-1"]).contains("login"), false);
    console.ok(&["session", "permission", &id, request["id"].as_str().unwrap(), "--allow"]);
    api.wait_for("also fix the tests", PATIENCE);
    console.wait_message("the held text's answer", &id, |m| m["content"] == "Reply to: also fix the tests");
    let session = console.wait_idle(&id);
    let head = console.sandbox.git(["rev-parse", "HEAD"]);
    assert_eq!((&session["commits"], &session["live"]["held"]), (&json!([head]), &json!([])), "{session:#}");

    // Pause: nothing is left running, everything is kept.
    let before = console.messages(&id);
    let paused = console.json(&["session", "pause", &id]);
    assert_eq!((&paused["status"], &paused["live"]), (&json!("paused"), &Value::Null));
    assert!(!alive(&session["live"]["host_pid"]) && !alive(&session["live"]["agent_pid"]));
    assert_eq!(console.messages(&id), before);

    // Resume: the same conversation, with the prompt that says where it was left.
    console.ok(&["session", "resume", &id]);
    let resumed = api.wait_for("You are resuming a paused session.", PATIENCE);
    assert!(resumed.seen().contains("also fix the tests"), "the conversation is the same");
    assert!(
        resumed.seen().contains(&format!("- Bead: Implement login validation (in_progress)")),
        "{}",
        resumed.seen()
    );
    console.wait_message("the answer to the resume", &id, |m| {
        m["role"] == "assistant"
            && m["content"].as_str().is_some_and(|text| text.contains("You are resuming"))
    });
    let session = console.wait_idle(&id);
    let conversation = session["claude_sessions"].as_array().unwrap();
    assert_eq!(conversation.len(), 1, "{conversation:#?}");
    let messages = console.messages(&id);
    let answers = messages.iter().filter(|m| m["role"] == "assistant").count() as u64;
    assert_eq!(
        session["total_tokens"],
        json!(answers * one_answer()),
        "tokens are counted once: {messages:#?}"
    );

    // End for review: asks, because bd gets a status.
    console.fails(&["session", "end", &id, "--review"], "confirmation_needed", 4);
    assert_eq!(console.show(&id)["status"], "active");
    let ended = console.json(&["session", "end", &id, "--review", "--yes"]);
    assert_eq!((&ended["session"]["status"], &ended["bead_status"]), (&json!("closed"), &json!("in_review")));
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_review");

    // Export: readable, and as the specification has it.
    console.ok(&["session", "export", &id, "-o", "login.md"]);
    let markdown = console.sandbox.read("login.md");
    for part in ["Implement login validation", &*bead, "built by claude", "also fix the tests", &head[..7]] {
        assert!(markdown.contains(part), "{part} is not in\n{markdown}");
    }
    let json: Value =
        serde_json::from_str(&console.ok(&["session", "export", &id, "--format", "json"])).unwrap();
    assert_eq!((&json["id"], json["messages"].as_array().unwrap().len()), (&json!(id), messages.len()));
    files_are_to_the_letter(&console, &id, &json);
}

/// `.beads/sessions` as the specification gives it.
fn files_are_to_the_letter(console: &Console, id: &str, exported: &Value) {
    let read = |path: &str| console.sandbox.read(&format!(".beads/sessions/{path}"));
    assert_eq!(read(".gitignore").trim(), "*");
    let index: Value = serde_json::from_str(&read("index.json")).unwrap();
    assert_eq!(index["active_session_id"], Value::Null);
    let entry = &index["sessions"][0];
    for field in ["id", "project_id", "bead_id", "status", "created_at", "closed_at", "title"] {
        assert_eq!(entry[field], exported[field], "index.json: {field}");
    }
    let meta: Value = serde_json::from_str(&read(&format!("{id}/meta.json"))).unwrap();
    assert_eq!((meta.get("messages"), meta.get("context_pack")), (None, None));
    assert_eq!((&meta["status"], &meta["close_reason"]), (&json!("closed"), &json!("user")));
    for line in read(&format!("{id}/messages.jsonl")).lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        for field in ["id", "role", "content", "timestamp"] {
            assert!(message[field].is_string(), "messages.jsonl: {field} in {line}");
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &str| {
            let path = console.sandbox.project().join(".beads/sessions").join(path);
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode(""), 0o700);
        assert_eq!(mode(id), 0o700);
        for file in ["meta.json", "messages.jsonl"] {
            assert_eq!(mode(&format!("{id}/{file}")), 0o600, "{file}");
        }
    }
}

#[test]
fn an_ad_hoc_session_without_a_prompt_is_resumed_though_claude_kept_nothing() {
    let test = "an_ad_hoc_session_without_a_prompt_is_resumed";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--title", "Look around"]);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    console.ok(&["session", "resume", &id, "--prompt", "now something"]);
    api.wait_for("now something", PATIENCE);
    console.wait_message("an answer", &id, |m| m["content"] == "Reply to: now something");
    console.ok(&["session", "end", &id]);
}

/// The lines above claude's input box, without what it says about the time that has passed. Below are hints
/// that come and go.
fn conversation(shown: &str) -> Vec<String> {
    let lines = shown.lines().take_while(|line| !line.starts_with("────"));
    lines
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('✻'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_terminal_is_the_true_claude_before_and_after_detaching() {
    let test = "the_terminal_is_the_true_claude_before_and_after_detaching";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[say:seen in the terminal]]"]);
    console.wait_message("the answer", &id, |m| m["content"] == "seen in the terminal");
    console.wait_idle(&id);
    let mut first = Terminal::open(&console, &["session", "attach", &id]);
    let seen = conversation(&first.wait_until("the answer above the input box", |shown| {
        conversation(shown).iter().any(|line| line.contains("● seen in the terminal"))
    }));
    first.keys("\u{1d}");
    assert_eq!(first.end(), Some(0));
    let mut again = Terminal::open(&console, &["session", "attach", &id]);
    again.wait_until("the same screen", |shown| conversation(shown) == seen);

    // Typed by hand it is claude's, and recorded like everything else.
    again.keys("typed by hand");
    again.wait_for("typed by hand");
    again.keys("\r");
    console.wait_message("the typed prompt", &id, |m| m["role"] == "user" && m["content"] == "typed by hand");
    again.keys("\u{1d}");
    assert_eq!(again.end(), Some(0));
}

#[test]
fn a_text_is_held_while_a_dialog_may_be_open_that_no_hook_tells_of() {
    let test = "a_text_is_held_while_a_dialog_may_be_open";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.wait_idle(&id);
    let mut terminal = Terminal::open(&console, &["session", "attach", &id]);
    terminal.wait_for("Reply to: hello");
    terminal.keys("/model");
    terminal.wait_for("/model");
    terminal.keys("\r");
    terminal.wait_for("Select model");
    let sent = console.json(&["session", "send", &id, "after the dialog"]);
    assert_eq!(sent["delivery"], "held", "{sent:#}");
    terminal.keys("\u{1b}");
    terminal.wait_until("the dialog is gone", |shown| !shown.contains("Select model"));
    assert_eq!(
        console.show(&id)["live"]["held"][0]["text"],
        "after the dialog",
        "nobody knows that it is closed"
    );
    // The next turn's end is what tells that claude is at its prompt.
    terminal.keys("go on");
    terminal.wait_for("go on");
    terminal.keys("\r");
    api.wait_for("after the dialog", PATIENCE);
    let typed: Vec<Value> = console.messages(&id).into_iter().filter(|m| m["role"] == "user").collect();
    assert!(typed.iter().any(|m| m["content"] == "go on"), "{typed:#?}");
}

#[test]
fn a_text_that_begins_with_an_exclamation_mark_is_no_shell_command() {
    let test = "a_text_that_begins_with_an_exclamation_mark_is_no_shell_command";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "!touch owned"]);
    let request = api.wait_for("!touch owned", PATIENCE);
    assert!(request.is_conversation());
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: !touch owned");
    assert!(!console.sandbox.project().join("owned").exists());
}

#[test]
fn a_failing_and_a_hanging_api_leave_a_session_that_can_be_worked_with() {
    let test = "a_failing_and_a_hanging_api_leave_a_session_that_can_be_worked_with";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[status:529]]"]);
    console.wait_message("the failure", &id, |m| m["kind"] == "api_error");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[hang]]"]);
    api.wait_for("[[hang]]", PATIENCE);
    console.wait("claude working", &id, |s| s["live"]["activity"] == "working");
    console.ok(&["session", "interrupt", &id]);
    console.ok(&["session", "pause", &id]);
    assert_eq!(console.show(&id)["status"], "paused");
}

#[test]
fn a_session_whose_processes_were_killed_is_interrupted_and_goes_on() {
    let test = "a_session_whose_processes_were_killed_is_interrupted_and_goes_on";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[slow:600]]"]);
    api.wait_for("[[slow:600]]", PATIENCE);
    let live = console.show(&id)["live"].clone();
    for pid in [&live["host_pid"], &live["agent_pid"]] {
        let pid = pid.to_string();
        console.sandbox.command("kill").args(["-9", &pid]).status().unwrap();
    }
    let after = console.wait("an interrupted session", &id, |s| s["status"] == "paused");
    assert_eq!(after["pause_reason"], "interrupted", "{after:#}");
    console.ok(&["session", "resume", &id]);
    api.wait_for("You are resuming a paused session.", PATIENCE);
    console.ok(&["session", "end", &id]);
}
