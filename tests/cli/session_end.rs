//! The execution log and exports of ended sessions, concurrent ends of a session, and a refused start.

use crate::{
    claude::with_claude,
    console::{Console, need_sim},
    session_states::edit_meta,
};
use serde_json::{Value, json};
use std::fs;

/// Allows all permission requests of a session until it has a message with the text `until`.
fn allow_everything(console: &Console, id: &str, until: &str) {
    bc_testkit::wait_for(until, crate::claude::TIMEOUT, || {
        let session = console.show(id);
        if let Some(request) = session["live"]["permissions"][0]["id"].as_str() {
            console.run(&["session", "permission", id, request, "--allow"]);
        }
        console.messages(id).iter().any(|m| m["content"] == until).then_some(())
    });
}

#[test]
fn the_execution_log_describes_the_work_in_the_beads_notes() {
    let test = "the_execution_log_describes_the_work_in_the_beads_notes";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, _api)) = with_claude(console, test) else { return };
    console.sandbox.script("pytest", "echo 3 failed; exit 1");
    console.sandbox.script("tsc", "exit 0");
    console.sandbox.write("old.txt", "old");
    console.sandbox.write("notes.txt", "not the session's");
    console.sandbox.git(["add", "old.txt"]);
    console.sandbox.git(["commit", "-q", "-m", "old"]);
    let project = console.sandbox.project().display().to_string();
    let bead = console.bead("Log me", &["--type", "feature"]);
    let prompt = format!(
        "[[write:{project}/src/new.rs:fn new() {{}}]] [[bash:pytest -q]] [[bash:tsc --noEmit]] \
         [[bash:git rm -q old.txt && git add src && git commit -q -m 'new for old' && echo done]]"
    );
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits", "--prompt", &prompt]);
    allow_everything(&console, &id, bc_testkit::api::AFTER_TOOLS);
    console.wait_idle(&id);
    console.wait("the commit", &id, |s| s["commits"].as_array().is_some_and(|commits| commits.len() == 1));

    let preview = console.json(&["session", "end", &id, "--preview"]);
    let facts = &preview["facts"];
    assert_eq!(
        (&preview["suggest_review"], &preview["needs_consent"], &preview["bead"]["status"]),
        (&json!(true), &json!(true), &json!("in_progress"))
    );
    assert_eq!(
        facts["files"],
        json!([{"path": "old.txt", "change": "deleted"}, {"path": "src/new.rs", "change": "new"}]),
        "{facts:#}"
    );
    assert_eq!(
        (&facts["commits"][0]["subject"], &facts["branch"]),
        (&json!("new for old"), &console.show(&id)["branch"])
    );
    let ran: Vec<(&str, &str, i64)> = facts["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (c["command"].as_str().unwrap(), c["kind"].as_str().unwrap(), c["exit"].as_i64().unwrap()))
        .collect();
    assert_eq!(ran, [("pytest -q", "test", 1), ("tsc --noEmit", "build", 0)], "{facts:#}");
    assert_eq!(facts["summary"], bc_testkit::api::AFTER_TOOLS);
    assert_eq!(console.show(&id)["status"], "active", "a preview ends nothing");

    let ended = console.json(&["session", "end", &id, "--review", "--yes"]);
    assert_eq!(
        (&ended["log_saved"], &ended["bead_status"]),
        (&json!(true), &json!("in_review")),
        "{ended:#}"
    );
    let notes = console.json(&["bead", "show", &bead])["bead"]["notes"].as_str().unwrap().to_owned();
    assert!(notes.starts_with("## Execution Log\n\n### "), "{notes}");
    for part in [
        &id[..8],
        "1 new, 1 deleted",
        "`src/new.rs`",
        "new for old",
        "`pytest -q` → exit 1",
        "`tsc --noEmit` → exit 0",
    ] {
        assert!(notes.contains(part), "{part} is not in\n{notes}");
    }
    assert!(!notes.contains("notes.txt"), "a file from before the session is listed:\n{notes}");
}

#[test]
fn each_session_of_a_bead_has_its_entry_and_notes_stay() {
    if need_sim("each_session_of_a_bead_has_its_entry_and_notes_stay").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Twice", &[]);
    let notes =
        || console.json(&["bead", "show", &bead])["bead"]["notes"].as_str().unwrap_or_default().to_owned();
    let one = console.start(&["--bead", &bead, "--simulated", "--prompt", "hello"]);
    console.wait_idle(&one);
    let ran = console.run_with(&["session", "end", &one, "--log", "-"], "### by hand\n\nmine\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(notes(), "## Execution Log\n\n### by hand\n\nmine");
    let token = ["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"].concat();
    let prompt = format!("[[say:the token is {token}]]");
    let two = console.start(&["--bead", &bead, "--simulated", "--prompt", &prompt]);
    console.wait_message("the answer", &two, |m| m["role"] == "assistant");
    console.wait_idle(&two);
    let ended = console.json(&["session", "end", &two, "--review", "--without-commit"]);
    assert_eq!((&ended["log_saved"], &ended["bead_status"]), (&json!(true), &json!("in_review")));
    let text = notes();
    assert!(text.starts_with("## Execution Log\n\n### by hand\n\nmine\n\n### "), "{text}");
    assert_eq!(text.matches("## Execution Log").count(), 1, "{text}");
    assert!(!text.contains(&token) && text.contains("the token is [removed: github-pat]"), "{text}");

    let sessions = console.json(&["bead", "show", &bead])["sessions"].clone();
    let listed: Vec<(&str, &str)> = sessions
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (s["id"].as_str().unwrap(), s["actor"].as_str().unwrap()))
        .collect();
    assert_eq!(
        listed,
        [
            (two.as_str(), &*format!("tester/{}", &two[..8])),
            (one.as_str(), &*format!("tester/{}", &one[..8]))
        ]
    );
    assert!(sessions[0]["duration_ms"].is_u64() && sessions[0]["commits"].is_array());
}

#[test]
fn no_log_option_saves_no_log() {
    if need_sim("no_log_option_saves_no_log").is_none() {
        return;
    }
    let console = Console::new();
    for options in [&["--review", "--without-commit", "--no-log"][..], &[]] {
        let bead = console.bead("Quiet", &[]);
        let id = console.start(&["--bead", &bead, "--simulated", "--prompt", "hello"]);
        console.wait_idle(&id);
        let line: Vec<&str> = ["session", "end", &id].iter().chain(options).copied().collect();
        assert_eq!(console.json(&line)["log_saved"], false);
        assert_eq!(console.json(&["bead", "show", &bead])["bead"]["notes"], "");
    }
}

#[test]
fn a_refused_start_leaves_the_bead_unchanged() {
    if need_sim("a_refused_start_leaves_the_bead_unchanged").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Free", &[]);
    // The path of the folder for worktrees is a file, so the start fails late, when the worktree is created.
    let parent = console.sandbox.project().parent().unwrap().to_owned();
    let name = console.sandbox.project().file_name().unwrap().to_str().unwrap().to_owned();
    fs::copy(console.sandbox.project().join("README.md"), parent.join(format!("{name}-worktrees"))).unwrap();
    let ran = console.run(&["session", "start", "--bead", &bead, "--simulated", "--worktree", "--json"]);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    let shown = console.json(&["bead", "show", &bead]);
    assert_eq!(
        (&shown["bead"]["status"], shown["bead"].get("assignee")),
        (&json!("open"), None),
        "{shown:#}"
    );
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
    assert_eq!(console.json(&["session", "trash"])["sessions"], json!([]));
}

#[test]
fn concurrent_ends_of_a_session_both_succeed_once() {
    if need_sim("concurrent_ends_of_a_session_both_succeed_once").is_none() {
        return;
    }
    let console = Console::new();
    for _ in 0..3 {
        let id = console.start(&["--simulated", "--prompt", "hello"]);
        console.wait_idle(&id);
        let ran: Vec<_> = std::thread::scope(|scope| {
            let end = || console.run(&["session", "end", &id, "--json"]);
            let both = [scope.spawn(end), scope.spawn(end)];
            both.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for ran in &ran {
            match ran.code {
                Some(0) => {}
                // The other command had already closed the session.
                Some(4) => assert!(ran.err.contains("session_state"), "{ran:?}"),
                _ => panic!("{ran:?}"),
            }
        }
        assert!(ran.iter().any(|ran| ran.code == Some(0)), "{ran:?}");
        let closed = console.show(&id);
        assert_eq!(closed["active_intervals"].as_array().map(Vec::len), Some(1), "{closed:#}");
    }
}

#[test]
fn exports_omit_tool_output_on_request_and_secrets_by_default() {
    if need_sim("exports_omit_tool_output_on_request_and_secrets_by_default").is_none() {
        return;
    }
    let console = Console::new();
    let token = ["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"].concat();
    let prompt = format!("use {token} [[bash:printf 'made-%s' here-by-{token}]]");
    let id = console.start(&[
        "--simulated",
        "--mode",
        "bypassPermissions",
        "--title",
        "Secret",
        "--prompt",
        &prompt,
    ]);
    console.wait_message("the output", &id, |m| m["tool_calls"][0]["output"].is_string());
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    for format in ["md", "json"] {
        let export = |options: &[&str]| {
            let line: Vec<&str> =
                ["session", "export", &id, "--format", format].iter().chain(options).copied().collect();
            console.ok(&line)
        };
        let plain = export(&[]);
        assert!(!plain.contains(&token) && plain.contains("github-pat"), "{plain}");
        assert!(plain.contains("made-here-by-"), "{plain}");
        assert!(export(&["--keep-secrets"]).contains(&token));
        assert!(!export(&["--no-tool-output"]).contains("made-here-by-"), "the output was exported");
    }
    let ran = console.run(&["session", "export", &id, "-o", "one.md"]);
    assert!(ran.err.contains("redacted"), "{ran:?}");
    let recorded: Vec<Value> = console.messages(&id);
    assert!(recorded.iter().any(|m| m.to_string().contains(&token)), "the record must keep the secret");
}

#[test]
fn a_tool_output_of_ten_megabytes_is_shown_and_exported() {
    if need_sim("a_tool_output_of_ten_megabytes_is_shown_and_exported").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let output = "a line of output, and another\n".repeat(10 << 20 >> 5);
    let message = json!({
        "id": "big", "role": "assistant", "content": "look", "timestamp": "2026-01-19T10:00:00-06:00",
        "tool_calls": [{"tool": "Bash", "input": {"command": "yes"}, "output": output}],
    });
    let path = format!(".beads/sessions/{id}/messages.jsonl");
    let before = console.sandbox.read(&path);
    console.sandbox.write(&path, &format!("{before}{message}\n"));
    edit_meta(&console, &id, |meta| meta["message_count"] = json!(3));
    let shown = console.messages(&id);
    assert_eq!(shown.last().unwrap()["tool_calls"][0]["output"].as_str().map(str::len), Some(output.len()));
    let markdown = console.ok(&["session", "export", &id]);
    assert!(markdown.len() > output.len(), "{}", markdown.len());
    assert!(console.ok(&["session", "export", &id, "--no-tool-output"]).len() < 100_000);
    assert!(
        console.json(&["session", "export", &id, "--format", "json", "-o", "big.json"])["bytes"]
            .as_u64()
            .unwrap()
            > output.len() as u64
    );
}
