//! Programs that are missing, wrong or failing, texts that are too long or not UTF-8, and beads on which no
//! session can start.

use crate::{
    claude::with_claude,
    console::{Console, need_sim},
};
use serde_json::{Value, json};

/// A project whose claude is a shell script. It reports this version and login state, prints a help text, and
/// runs `otherwise` for all other arguments.
fn with_script(version: &str, logged_in: bool, otherwise: &str) -> Console {
    let console = Console::new();
    let (status, code) = if logged_in { ("true", 0) } else { ("false", 1) };
    console.sandbox.script(
        "claude",
        &format!(
            "case \"$1 $2\" in\n  '--version '*) echo '{version} (Claude Code)';;\n  \
             'auth status') echo '{{\"loggedIn\": {status}}}'; exit {code};;\n  \
             *'--help'*) echo 'Usage: claude'; echo '--session-id --permission-mode --settings --resume';;\n  \
             *) {otherwise};;\nesac"
        ),
    );
    console
}

fn assert_nothing_started(console: &Console, bead: &str) {
    assert_eq!(
        console.json(&["bead", "show", bead])["bead"]["status"],
        "open",
        "the bead stays claimed after a refused start"
    );
    assert_eq!(console.json(&["session", "list", "--status", "active,paused"])["sessions"], json!([]));
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), "main");
}

#[test]
fn a_start_without_claude_suggests_the_simulated_agent() {
    let console = Console::new();
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead], "claude_missing", 5);
    assert!(message.contains("--simulated") && message.contains("install"), "{message}");
    assert_nothing_started(&console, &bead);
}

#[test]
fn an_outdated_claude_is_named_with_its_version() {
    let console = with_script("1.0.3", true, "exit 0");
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead], "claude_too_old", 5);
    assert!(message.contains("1.0.3"), "{message}");
    assert_nothing_started(&console, &bead);
}

#[test]
fn a_claude_without_an_account_has_a_login_hint() {
    let console = with_script("2.1.329", false, "exit 0");
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead], "claude_not_logged_in", 5);
    assert!(message.contains("log"), "{message}");
    assert_nothing_started(&console, &bead);
}

#[test]
fn the_last_output_of_a_claude_that_exits_immediately_is_shown() {
    let console = with_script("2.1.329", true, "echo 'a broken installation'; exit 3");
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead], "claude_exited", 1);
    assert!(message.contains("a broken installation"), "{message}");
    let id = console.json(&["session", "list"])["sessions"][0]["id"].as_str().unwrap().to_owned();
    let session = console.wait("the record of the end", &id, |session| session["status"] == "paused");
    assert_eq!(session["pause_reason"], "exited", "{session:#}");
}

#[test]
fn disabled_hooks_are_reported_before_the_start() {
    let test = "disabled_hooks_are_reported_before_the_start";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.write(".claude/settings.json", r#"{"disableAllHooks": true}"#);
    let bead = console.bead("First", &[]);
    let message = console.fails(&["session", "start", "--bead", &bead], "hooks_disabled", 5);
    assert!(message.contains("settings"), "{message}");
    assert_nothing_started(&console, &bead);
}

/// Creates a bd project with a bead and then removes `bd` from PATH. Also returns the bead's id.
fn bd_project(test: &str) -> Option<(Console, String)> {
    let console = Console::with_bd(test)?;
    let bead = console.bead("First", &[]);
    std::fs::remove_file(console.sandbox.bin().join("bd")).unwrap();
    Some((console, bead))
}

#[test]
fn a_bd_project_without_bd_names_the_missing_program() {
    let Some((console, bead)) = bd_project("a_bd_project_without_bd_names_the_missing_program") else {
        return;
    };
    let message = console.fails(&["bead", "claim", &bead], "tracker_missing", 5);
    assert!(message.contains("bd"), "{message}");
    let report: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
    let tracker =
        report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "tracker").unwrap();
    assert_eq!(tracker["state"], "problem", "{tracker:#}");
}

#[test]
fn another_program_called_bd_is_recognized() {
    let Some((console, bead)) = bd_project("another_program_called_bd_is_recognized") else { return };
    console.sandbox.script("bd", "echo 'bd: block device tool 1.0'; exit 0");
    console.fails(&["bead", "claim", &bead], "tracker_wrong_program", 5);
    console.fails(&["bead", "list"], "tracker_wrong_program", 5);
}

#[test]
fn a_text_of_a_megabyte_is_refused_completely() {
    if need_sim("a_text_of_a_megabyte_is_refused_completely").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    let text = "0123456789abcdef".repeat(1 << 16);
    let ran = console.run_with(&["session", "send", &id, "-", "--json"], &text);
    let message = ran.refused("a megabyte", "text_too_large", 2);
    assert!(message.contains("262144"), "{message}");
    assert_eq!(console.show(&id)["live"]["held"], json!([]));
    console.fails(&["session", "send", &id, " \n"], "usage", 2);
    let ran = console.run_with(&["session", "send", &id, "-", "--json"], "");
    ran.refused("an empty text", "usage", 2);
}

#[test]
fn a_text_that_is_not_utf8_is_refused() {
    if need_sim("a_text_that_is_not_utf8_is_refused").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    let ran = crate::console::finish(
        console.command(&["session", "send", &id, "-", "--json"]),
        vec![0xff, 0xfe, b'a'],
    );
    ran.refused("a text that is not UTF-8", "usage", 2);
}

#[test]
fn a_session_on_a_missing_or_claimed_bead_is_refused() {
    if need_sim("a_session_on_a_missing_or_claimed_bead_is_refused").is_none() {
        return;
    }
    let console = Console::new();
    console.fails(&["session", "start", "--simulated", "--bead", "BC-none"], "bead_not_found", 3);
    let bead = console.bead("First", &[]);
    console.ok(&["bead", "claim", &bead, "--actor", "alice"]);
    let message = console.fails(&["session", "start", "--simulated", "--bead", &bead], "bead_claimed", 4);
    assert!(message.contains("alice"), "{message}");
    let blocker = console.bead("Before", &[]);
    let blocked = console.bead("After", &["--blocked-by", &blocker]);
    let message = console.fails(&["session", "start", "--simulated", "--bead", &blocked], "bead_state", 4);
    assert!(message.contains(&blocker), "{message}");
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), "main");
}
