//! The main workflow with the real claude: from a bead to a closed session and its export.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
    simulated_sessions::{alive, wait_gone},
};
use bc_testkit::api::{AFTER_TOOLS, USAGE};
use serde_json::{Value, json};
use std::fs;

/// The number of tokens in one answer of the scripted API, without cache reads.
pub(crate) fn one_answer() -> u64 {
    USAGE.input + USAGE.cache_creation + USAGE.output
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

    // Start: the bead is claimed, the branch exists, and claude runs with the bead as its prompt.
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits"]);
    let branch = format!("feat/{bead}-implement-login-validation");
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), branch);
    let claimed = console.json(&["bead", "show", &bead]);
    assert_eq!(claimed["bead"]["status"], "in_progress");
    assert!(claimed["bead"]["assignee"].as_str().is_some_and(|who| who.ends_with(&id[..8])), "{claimed:#}");
    let request = api.wait_for("Implement login validation", TIMEOUT);
    assert!(request.seen().contains(&bead), "the prompt does not name the bead");

    // Record: tool calls with their outputs, tokens counted once per message, and changed files.
    console.wait_message("claude's last message", &id, |m| m["content"] == AFTER_TOOLS);
    console.wait_idle(&id);
    let messages = console.messages(&id);
    let session =
        console.wait("a record of all messages", &id, |s| s["message_count"] == json!(messages.len()));
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

    // A prompt that is sent during a permission request is held, so that claude does not take it as the
    // answer.
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
    assert!(!console.sandbox.git(["log", "--format=%s", "-1"]).contains("login"));
    console.ok(&["session", "permission", &id, request["id"].as_str().unwrap(), "--allow"]);
    api.wait_for("also fix the tests", TIMEOUT);
    console.wait_message("the held text's answer", &id, |m| m["content"] == "Reply to: also fix the tests");
    console.wait_idle(&id);
    let head = console.sandbox.git(["rev-parse", "HEAD"]);
    let session = console.wait("the commit", &id, |s| s["commits"] == json!([head]));
    assert_eq!(session["live"]["held"], json!([]), "{session:#}");

    // Pause: no process remains, and all data is saved.
    let before = console.messages(&id);
    let paused = console.json(&["session", "pause", &id]);
    assert_eq!((&paused["status"], &paused["live"]), (&json!("paused"), &Value::Null));
    assert!(!alive(&session["live"]["agent_pid"]));
    wait_gone(&session["live"]["host_pid"]);
    assert_eq!(console.messages(&id), before);

    // Resume: the conversation continues with a prompt that describes the current state.
    console.ok(&["session", "resume", &id]);
    let resumed = api.wait_for("You are resuming a paused session.", TIMEOUT);
    assert!(resumed.seen().contains("also fix the tests"), "the conversation was not continued");
    assert!(
        resumed.seen().contains("- Bead: Implement login validation (in_progress)"),
        "{}",
        resumed.seen()
    );
    console.wait_message("the answer to the resume", &id, |m| {
        m["role"] == "assistant"
            && m["content"].as_str().is_some_and(|text| text.contains("You are resuming"))
    });
    console.wait_idle(&id);
    let messages = console.messages(&id);
    let session =
        console.wait("a record of all messages", &id, |s| s["message_count"] == json!(messages.len()));
    let conversation = session["claude_sessions"].as_array().unwrap();
    assert_eq!(conversation.len(), 1, "{conversation:#?}");
    let answers = messages.iter().filter(|m| m["role"] == "assistant").count() as u64;
    assert_eq!(
        session["total_tokens"],
        json!(answers * one_answer()),
        "tokens are counted once: {messages:#?}"
    );

    // End for review: requires consent, because a custom status is added to bd.
    console.fails(&["session", "end", &id, "--review"], "confirmation_needed", 4);
    assert_eq!(console.show(&id)["status"], "active");
    let ended = console.json(&["session", "end", &id, "--review", "--yes"]);
    assert_eq!((&ended["session"]["status"], &ended["bead_status"]), (&json!("closed"), &json!("in_review")));
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_review");

    // Export: Markdown with the main parts, and JSON with all messages.
    console.ok(&["session", "export", &id, "-o", "login.md"]);
    let markdown = console.sandbox.read("login.md");
    for part in ["Implement login validation", &*bead, "built by claude", "also fix the tests", &head[..7]] {
        assert!(markdown.contains(part), "{part} is not in\n{markdown}");
    }
    let json: Value =
        serde_json::from_str(&console.ok(&["session", "export", &id, "--format", "json"])).unwrap();
    assert_eq!((&json["id"], json["messages"].as_array().unwrap().len()), (&json!(id), messages.len()));
    assert_file_formats(&console, &id, &json);
}

/// Asserts the format and the permissions of the files in `.beads/sessions`.
fn assert_file_formats(console: &Console, id: &str, exported: &Value) {
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
