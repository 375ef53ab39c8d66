//! Beads and their sessions: requested changes reach the agent, and the next bead starts automatically.

use crate::console::{Console, need_sim};
use serde_json::{Value, json};

/// Starts a session on a bead with the simulated agent, and waits until the agent is at its prompt.
fn session_on(console: &Console, bead: &str) -> String {
    let id = console.start(&["--bead", bead, "--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    id
}

#[test]
fn requested_changes_reach_a_live_agent_and_the_next_session() {
    if need_sim("requested_changes_reach_a_live_agent_and_the_next_session").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Review me", &[]);
    let id = session_on(&console, &bead);
    console.ok(&["session", "pause", &id]);
    console.ok(&["bead", "submit", &bead, "--without-commit"]);
    // Without a live session, the agent receives the comment with the recovery block of the next session.
    console.ok(&["bead", "reject", &bead, "tests are missing"]);
    let block = console.ok(&["recovery", "--bead", &bead]);
    assert!(block.contains("Changes requested: tests are missing"), "{block}");
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_progress");

    console.ok(&["bead", "submit", &bead, "--without-commit"]);
    console.ok(&["session", "resume", &id, "--anyway", "--prompt", "again"]);
    console.wait_idle(&id);
    console.ok(&["bead", "reject", &bead, "and the docs"]);
    console.wait_message("the request", &id, |message| {
        let text = message["content"].as_str().unwrap_or_default();
        message["role"] == "user" && text.contains("requests changes") && text.contains("and the docs")
    });
}

#[test]
fn submit_saves_the_execution_log_and_the_history_names_the_session() {
    if need_sim("submit_saves_the_execution_log_and_the_history_names_the_session").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Log me", &[]);
    console.fails(&["bead", "submit", &bead, "--without-commit", "--log"], "usage", 2);
    let id = session_on(&console, &bead);
    console.sandbox.git(["commit", "-q", "--allow-empty", "-m", "the work"]);
    let shown = console.json(&["bead", "submit", &bead, "--log"])["bead"].clone();
    assert_eq!(shown["status"], "in_review", "the session's branch has a commit");
    assert!(shown["notes"].as_str().unwrap().contains("## Execution Log"), "{shown:#}");
    let audit = console.json(&["bead", "audit", &bead]);
    let claimed = |event: &&Value| event["kind"] == "claimed" || event["to"] == "in_progress";
    let claim = audit["events"].as_array().unwrap().iter().find(claimed).expect("the claim").clone();
    assert_eq!(claim["session"], json!(id), "{audit:#}");
    assert!(audit["events"].as_array().unwrap().iter().any(|event| event["kind"] == "session_started"));
}

/// The number of beads that will still be started automatically.
fn remaining_starts(console: &Console) -> Value {
    console.json(&["settings", "--project-only"])["in_force"]["auto_next"].clone()
}

#[test]
fn the_next_bead_starts_automatically_until_the_count_is_used_up_or_a_start_fails() {
    let test = "the_next_bead_starts_automatically_until_the_count_is_used_up_or_a_start_fails";
    if need_sim(test).is_none() {
        return;
    }
    let console = Console::new();
    let first = console.bead("First", &["--priority", "1"]);
    let second = console.bead("Second", &["--blocked-by", &first]);
    let third = console.bead("Third", &["--blocked-by", &second]);
    let fourth = console.bead("Fourth", &["--blocked-by", &third]);
    console.ok(&["settings", "--project-only", "auto_next", "2"]);

    let id = session_on(&console, &first);
    console.ok(&["bead", "close", &first]);
    let next = console.json(&["session", "end", &id])["next"].clone();
    assert_eq!((&next["bead"], &next["left"]), (&json!(second), &json!(1)));
    assert_eq!(remaining_starts(&console), 1);
    let id = next["session"].as_str().unwrap().to_owned();
    console.wait_idle(&id);

    // If the session ends without closing its bead, no other bead is started.
    let ended = console.json(&["session", "end", &id]);
    assert!(ended["next"].is_null(), "{ended:#}");
    assert_eq!(remaining_starts(&console), 1);

    let id = session_on(&console, &second);
    console.ok(&["bead", "close", &second]);
    // The next start fails, because the bead's branch is checked out in a worktree whose folder was removed.
    let bead = console.json(&["bead", "show", &third])["bead"].clone();
    let branch = bc_core::branch::default_for(&serde_json::from_value(bead).unwrap()).to_string();
    let elsewhere = console.sandbox.home().join("elsewhere").display().to_string();
    console.sandbox.git(["worktree", "add", "-q", "-b", &branch, &elsewhere]);
    std::fs::remove_dir_all(&elsewhere).unwrap();
    let ended = console.json(&["session", "end", &id]);
    assert!(ended["next"].is_null(), "{ended:#}");
    assert!(ended["warnings"].to_string().contains("the next bead was not started"), "{ended:#}");
    assert_eq!(remaining_starts(&console), 0);
    assert_eq!(console.json(&["bead", "show", &third])["bead"]["status"], "open");

    console.sandbox.git(["worktree", "prune"]);
    console.ok(&["settings", "--project-only", "auto_next", "1"]);
    let id = session_on(&console, &third);
    console.ok(&["bead", "close", &third]);
    let next = console.json(&["session", "end", &id])["next"].clone();
    assert_eq!((&next["bead"], &next["left"]), (&json!(fourth), &json!(0)));
    let id = next["session"].as_str().unwrap().to_owned();
    console.wait_idle(&id);
    console.ok(&["bead", "close", &fourth]);
    assert!(console.json(&["session", "end", &id])["next"].is_null(), "the count is used up");
}

#[test]
fn closing_or_approving_the_bead_of_an_ended_session_starts_the_next_one_once() {
    let test = "closing_or_approving_the_bead_of_an_ended_session_starts_the_next_one_once";
    if need_sim(test).is_none() {
        return;
    }
    let console = Console::new();
    let first = console.bead("First", &["--priority", "1"]);
    let second = console.bead("Second", &["--blocked-by", &first]);
    let third = console.bead("Third", &["--blocked-by", &second]);
    let unworked = console.bead("Never started", &["--priority", "4"]);
    console.ok(&["settings", "--project-only", "auto_next", "3"]);

    assert!(
        console.json(&["bead", "close", &unworked])["next"].is_null(),
        "no earlier session determines the agent"
    );
    let id = session_on(&console, &first);
    console.ok(&["session", "end", &id]);
    let next = console.json(&["bead", "close", &first])["next"].clone();
    assert_eq!((&next["bead"], &next["left"]), (&json!(second), &json!(2)));
    console.fails(&["bead", "close", &first], "bead_state", 4);

    let id = next["session"].as_str().unwrap().to_owned();
    console.wait_idle(&id);
    console.json(&["session", "end", &id, "--review", "--without-commit"]);
    let next = console.json(&["bead", "approve", &second])["next"].clone();
    assert_eq!((&next["bead"], &next["left"]), (&json!(third), &json!(1)));
    let id = next["session"].as_str().unwrap().to_owned();
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
}
