//! Edge cases with the real claude: dialogs, failures, hostile output, and text that looks like a command.

use crate::{console::Console, terminal::Terminal};
use bc_testkit::{ScriptedApi, need_claude};
use std::{fs, io::Write, time::Duration};

/// The time after which claude is considered stuck.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Installs the real claude in the sandbox, with a scripted API. `None` after a warning if claude is missing.
pub(crate) fn with_claude(console: Console, test: &str) -> Option<(Console, ScriptedApi)> {
    let claude = need_claude(test)?;
    let api = ScriptedApi::start();
    let mut console = console;
    console.sandbox.install("claude", &claude);
    console.sandbox.use_api(&api.url());
    Some((console, api))
}

#[test]
fn an_ad_hoc_session_without_a_prompt_can_be_resumed() {
    let test = "an_ad_hoc_session_without_a_prompt_can_be_resumed";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--title", "Look around"]);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    console.ok(&["session", "resume", &id, "--prompt", "now something"]);
    api.wait_for("now something", TIMEOUT);
    console.wait_message("an answer", &id, |m| m["content"] == "Reply to: now something");
    console.ok(&["session", "end", &id]);
}

/// The lines with messages on the screen, and their positions. Other lines, such as hints and the time, may
/// change.
fn messages_on_screen(shown: &str) -> Vec<(usize, String)> {
    let lines = shown.lines().take_while(|line| !line.starts_with("────")).enumerate();
    lines
        .map(|(place, line)| (place, line.trim_end().to_owned()))
        .filter(|(_, line)| line.starts_with(['❯', '●']))
        .collect()
}

#[test]
fn terminal_shows_the_real_claude_before_and_after_detaching() {
    let test = "terminal_shows_the_real_claude_before_and_after_detaching";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[say:seen in the terminal]]"]);
    console.wait_message("the answer", &id, |m| m["content"] == "seen in the terminal");
    console.wait_idle(&id);
    let mut first = Terminal::open(&console, &["session", "attach", &id]);
    // After the resize, claude redraws the input box with the full width of this terminal.
    let seen = first.wait_until("the answer above an input box of full width", |shown| {
        shown.contains("● seen in the terminal") && shown.contains(&"─".repeat(100))
    });
    let seen = messages_on_screen(&seen);
    assert_eq!(seen.len(), 2, "{seen:?}");
    first.keys("\u{1d}");
    assert_eq!(first.end(), Some(0));
    let mut again = Terminal::open(&console, &["session", "attach", &id]);
    again.wait_until(&format!("{seen:#?}"), |shown| messages_on_screen(shown) == seen);

    again.keys("typed by hand");
    again.wait_for("typed by hand");
    again.keys("\r");
    console.wait_message("the typed prompt", &id, |m| m["role"] == "user" && m["content"] == "typed by hand");
    again.keys("\u{1d}");
    assert_eq!(again.end(), Some(0));
}

#[test]
fn a_text_is_held_while_an_unreported_dialog_may_be_open() {
    let test = "a_text_is_held_while_an_unreported_dialog_may_be_open";
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
        "no hook reports that the dialog is closed"
    );
    // The end of the next turn shows that claude is at its prompt, so the queued prompt is sent.
    terminal.keys("go on");
    terminal.wait_for("go on");
    terminal.keys("\r");
    api.wait_for("after the dialog", TIMEOUT);
    // Claude writes a prompt to its transcript some time after it sends the request.
    console.wait_message("the typed text", &id, |m| m["role"] == "user" && m["content"] == "go on");
}

#[test]
fn a_text_starting_with_an_exclamation_mark_is_not_a_shell_command() {
    let test = "a_text_starting_with_an_exclamation_mark_is_not_a_shell_command";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "!touch owned"]);
    let request = api.wait_for("!touch owned", TIMEOUT);
    assert!(request.is_conversation());
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: !touch owned");
    assert!(!console.sandbox.project().join("owned").exists());
}

#[test]
fn a_session_stays_usable_after_a_failing_or_hanging_api() {
    let test = "a_session_stays_usable_after_a_failing_or_hanging_api";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[status:529]]"]);
    console.wait_message("the failure", &id, |m| m["kind"] == "api_error");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[hang]]"]);
    api.wait_for("[[hang]]", TIMEOUT);
    console.wait("claude working", &id, |s| s["live"]["activity"] == "working");
    console.ok(&["session", "interrupt", &id]);
    console.ok(&["session", "pause", &id]);
    assert_eq!(console.show(&id)["status"], "paused");
}

#[test]
fn a_session_with_killed_processes_is_interrupted_and_can_continue() {
    let test = "a_session_with_killed_processes_is_interrupted_and_can_continue";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[slow:600]]"]);
    api.wait_for("[[slow:600]]", TIMEOUT);
    console.wait_message("the prompt", &id, |m| m["role"] == "user");
    let live = console.show(&id)["live"].clone();
    for pid in [&live["host_pid"], &live["agent_pid"]] {
        let pid = pid.to_string();
        console.sandbox.command("kill").args(["-9", &pid]).status().unwrap();
    }
    let after = console.wait("an interrupted session", &id, |s| s["status"] == "paused");
    assert_eq!(after["pause_reason"], "interrupted", "{after:#}");
    console.ok(&["session", "resume", &id]);
    api.wait_for("You are resuming a paused session.", TIMEOUT);
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_text_is_held_after_a_command_until_claude_reports() {
    let test = "a_text_is_held_after_a_command_until_claude_reports";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "/model"]);
    let terminal = Terminal::open(&console, &["session", "attach", &id]);
    terminal.wait_for("Select model");
    let sent = console.json(&["session", "send", &id, "never an answer"]);
    assert_eq!(sent["delivery"], "held", "{sent:#}");
    terminal.wait_for("Select model");
    assert!(api.conversation().iter().all(|request| !request.seen().contains("never an answer")));
    terminal.close();
    let held = console.show(&id)["live"]["held"][0].clone();
    console.ok(&["session", "forget", &id, held["id"].as_str().unwrap()]);
    assert_eq!(console.show(&id)["live"]["held"].as_array().map(Vec::len), Some(0));
    console.ok(&["session", "end", &id]);
}

#[test]
fn tool_output_cannot_control_the_readers_terminal() {
    let test = "tool_output_cannot_control_the_readers_terminal";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", r"[[bash:echo -e 'be\033[2Jfore\033]0;owned\007' && exit 3]]"]);
    let asks = console.wait("a permission request", &id, |s| s["live"]["permissions"][0]["id"].is_string());
    let shown = console.ok(&["session", "show", &id]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap();
    console.ok(&["session", "permission", &id, request, "--allow"]);
    let message = console.wait_message("the output", &id, |m| m["tool_calls"][0]["output"].is_string());
    let call = &message["tool_calls"][0];
    assert_eq!(call["is_error"], true, "{call:#}");
    console.wait_idle(&id);
    for line in [&["session", "transcript", &id][..], &["session", "export", &id], &["session", "show", &id]]
    {
        let out = console.ok(line);
        assert!(!out.contains(['\u{1b}', '\u{7}']), "{line:?}: {out:?}");
    }
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_transcript_line_of_ten_megabytes_is_skipped() {
    let test = "a_transcript_line_of_ten_megabytes_is_skipped";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "hello"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    let session = console.wait_idle(&id);
    let path = session["claude_sessions"][0]["transcript_path"].as_str().unwrap().to_owned();
    let mut transcript = fs::OpenOptions::new().append(true).open(path).unwrap();
    let noise =
        format!("{{\"type\":\"api-request-blob\",\"data\":\"{}\"}}\nnot json at all\n", "x".repeat(10 << 20));
    transcript.write_all(noise.as_bytes()).unwrap();
    console.ok(&["session", "send", &id, "still there?"]);
    console.wait_message("the next answer", &id, |m| m["content"] == "Reply to: still there?");
    let session = console.wait_idle(&id);
    assert_eq!(session["unknown_transcript_lines"], 1, "{session:#}");
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_permission_is_denied_with_a_reason_that_claude_reads() {
    let test = "a_permission_is_denied_with_a_reason_that_claude_reads";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "[[bash:touch denied && curl -s http://127.0.0.1:9/]]"]);
    let asks = console.wait("a permission request", &id, |s| s["live"]["permissions"][0]["id"].is_string());
    let shown = console.ok(&["session", "show", &id]);
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap();
    assert!(shown.contains(&format!("session permission {} {request} --allow", &id[..8])), "{shown}");
    console.ok(&["session", "permission", &id, request, "--deny", "--message", "not on a Friday"]);
    api.wait_for("not on a Friday", TIMEOUT);
    let idle = console.wait_idle(&id);
    assert_eq!(idle["live"]["permissions"].as_array().map(Vec::len), Some(0));
    assert!(!console.sandbox.project().join("denied").exists());
    let again = console.run(&["session", "permission", &id, request, "--allow", "--json"]);
    assert!(again.code != Some(0) && again.err.contains("\"message\""), "{again:?}");
    console.ok(&["session", "end", &id]);
}

#[test]
fn an_agent_prompt_and_a_mode_reach_claude() {
    let test = "an_agent_prompt_and_a_mode_reach_claude";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.write(
        ".claude/agents/reviewer.md",
        "---\nname: reviewer\ndescription: Reads a change.\n---\nYou are the reviewer of this house.\n",
    );
    let id = console.start(&["--agent", "reviewer", "--mode", "plan", "--prompt", "have a look"]);
    let request = api.wait_for("have a look", TIMEOUT);
    assert!(request.seen().contains("You are the reviewer of this house."), "{}", request.seen());
    let session = console.wait_idle(&id);
    assert_eq!((&session["agent_id"], &session["mode"]), (&"reviewer".into(), &"plan".into()));
    console.ok(&["session", "end", &id]);
}
