//! Adopting conversations that the user began with claude outside this program: finding, recording and
//! continuing them.
#![allow(clippy::disallowed_methods, reason = "the tests play claude, which writes its own files")]

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// Writes a transcript for this project, as claude does.
fn transcript(console: &Console, id: &str, lines: &[Value]) -> PathBuf {
    let project = console.sandbox.project();
    let folder: String = project
        .display()
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let path = console.sandbox.home().join(".claude/projects").join(folder).join(format!("{id}.jsonl"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text: String = lines
        .iter()
        .map(|line| {
            let mut line = line.clone();
            line["cwd"] = project.display().to_string().into();
            line["sessionId"] = id.into();
            line.to_string() + "\n"
        })
        .collect();
    fs::write(&path, text).unwrap();
    path
}

const ID: &str = "9e107d9d-372b-4683-8d3d-9e8f0f1c2d3e";

fn conversation() -> Vec<Value> {
    let usage = json!({"input_tokens": 3, "output_tokens": 5, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 11});
    vec![
        json!({"type": "user", "uuid": "u1", "timestamp": "2026-01-19T10:00:00Z", "gitBranch": "main",
            "message": {"role": "user", "content": "Why is the \"lexer\" slow?"}}),
        json!({"type": "assistant", "uuid": "a1", "timestamp": "2026-01-19T10:00:05Z",
            "message": {"id": "m1", "role": "assistant", "model": "m", "usage": usage,
                "content": [{"type": "text", "text": "It copies each token."}]}}),
        json!({"type": "brand-new-kind", "uuid": "x1", "timestamp": "2026-01-19T10:00:06Z"}),
        json!({"type": "assistant", "uuid": "a2", "timestamp": "2026-01-19T11:00:00Z",
            "message": {"id": "m1", "role": "assistant", "model": "m", "usage": usage,
                "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "src/lexer.rs"}}]}}),
        json!({"type": "user", "uuid": "u2", "timestamp": "2026-01-19T11:00:01Z",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "fn lex() {}"}]}}),
    ]
}

#[test]
fn a_conversation_is_found_by_its_words_and_adopted_with_its_whole_record() {
    let console = Console::new();
    let path = transcript(&console, ID, &conversation());
    let before = fs::read(&path).unwrap();
    let listed = console.json(&["session", "conversations"]);
    assert_eq!(listed["conversations"][0]["id"], ID, "{listed:#}");
    let found = console.json(&["session", "conversations", "--search", "\"LEXER\""]);
    assert_eq!(found["conversations"][0]["found"], json!(["Why is the \"lexer\" slow?"]));
    assert_eq!(console.json(&["session", "conversations", "--search", "absent"])["conversations"], json!([]));

    let bead = console.bead("Mend the lexer", &[]);
    let adopted = console.json(&["session", "adopt", "9e107d", "--no-resume", "--bead", &bead]);
    let session = &adopted["session"];
    let id = session["id"].as_str().unwrap();
    assert_eq!((&session["status"], &session["message_count"]), (&json!("paused"), &json!(2)), "{adopted:#}");
    assert_eq!(session["tokens"], json!({"input": 3, "cache_creation": 11, "cache_read": 7, "output": 5}));
    assert_eq!(
        (&session["title"], &session["files_touched"]),
        (&json!("Why is the \"lexer\" slow?"), &json!(["src/lexer.rs"]))
    );
    assert_eq!(session["unknown_kinds"], json!({"brand-new-kind": 1}));
    let shown = console.json(&["session", "transcript", id]);
    assert_eq!(shown["messages"][1]["tool_calls"][0]["output"], "fn lex() {}", "{shown:#}");
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_progress");
    assert!(console.ok(&["session", "search", "copies"]).contains(&id[..8]));

    // The conversation now belongs to a session. Claude's file is unchanged.
    assert_eq!(console.json(&["session", "conversations"])["conversations"], json!([]));
    let message = console.fails(&["session", "adopt", ID], "session_state", 4);
    assert!(message.contains(&id[..8]), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_refused_adoption_leaves_no_session() {
    let console = Console::new();
    console.fails(&["session", "adopt", ID], "session_not_found", 3);
    console.fails(&["session", "adopt", "abcd"], "session_not_found", 3);
    transcript(&console, ID, &conversation());
    console.fails(&["session", "adopt", ID, "--bead", "BC-none"], "bead_not_found", 3);
    let closed = console.bead("Done", &[]);
    console.ok(&["bead", "close", &closed]);
    console.fails(&["session", "adopt", ID, "--bead", &closed], "bead_state", 4);
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
    // The conversation is adopted even if claude cannot be started. The new session then stays paused.
    let ran = console.run(&["session", "adopt", ID]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("could not be continued"), "{}", ran.err);
    assert_eq!(console.json(&["session", "list"])["sessions"][0]["status"], "paused");
}

#[test]
fn a_transcript_file_is_decoded_without_a_project() {
    let console = Console::in_sandbox(bc_testkit::Sandbox::new());
    let path = transcript(&console, ID, &conversation());
    let decoded = console.json(&["transcript", "decode", path.to_str().unwrap()]);
    let keys: Vec<&String> = decoded.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["messages", "tokens", "unknown"]);
    assert_eq!(decoded["tokens"], json!({"input": 3, "output": 5, "cache_read": 7, "cache_creation": 11}));
    assert_eq!(decoded["unknown"], json!({"brand-new-kind": 1}));
    assert_eq!(decoded["messages"].as_array().unwrap().len(), 2);
    console.fails(&["transcript", "decode", "gone.jsonl"], "io", 1);
}

#[test]
fn the_real_claude_continues_an_adopted_conversation() {
    let test = "the_real_claude_continues_an_adopted_conversation";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    // The user runs claude outside this program.
    let mut command = console.sandbox.command(console.sandbox.bin().join("claude"));
    command.args(["-p", "remember the word marmalade"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = console.json(&["session", "conversations", "--search", "marmalade"]);
    let conversation =
        listed["conversations"][0]["id"].as_str().unwrap_or_else(|| panic!("{listed:#}")).to_owned();

    let adopted = console.json(&["session", "adopt", &conversation]);
    let id = adopted["session"]["id"].as_str().unwrap().to_owned();
    assert_eq!(adopted["session"]["status"], "active", "{adopted:#}");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "which word was it?"]);
    // The model receives the whole conversation.
    let request = api.wait_for("which word was it?", TIMEOUT);
    assert!(request.seen().contains("marmalade"), "{}", request.seen());
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: which word was it?");
    let shown = console.json(&["session", "transcript", &id]);
    let messages = shown["messages"].as_array().unwrap();
    let prompts: Vec<&str> =
        messages.iter().filter(|m| m["role"] == "user").map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(prompts, ["remember the word marmalade", "which word was it?"]);
    let session = console.show(&id);
    assert_eq!(session["claude_sessions"].as_array().unwrap().len(), 1, "{session:#}");
    assert_eq!(session["claude_sessions"][0]["id"], conversation.as_str());
    // The host rereads the whole transcript, but must count the tokens only once.
    let path = session["claude_sessions"][0]["transcript_path"].as_str().unwrap().to_owned();
    console.ok(&["session", "end", &id]);
    let (session, decoded) = (console.show(&id), console.json(&["transcript", "decode", &path]));
    for part in ["input", "output", "cache_read", "cache_creation"] {
        assert_eq!(session["tokens"][part], decoded["tokens"][part], "{part}");
    }
}
