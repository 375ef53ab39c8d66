//! Connections to a place are cut repeatedly while agents work.

#![cfg(target_os = "linux")]

use crate::{
    claude::with_claude,
    console::Console,
    places::{Place, TIMEOUT, answer_trust, text},
    slow_link::Random,
    terminal::Terminal,
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::time::Duration;

#[test]
#[ignore = "takes minutes"]
fn two_hundred_cuts_at_random_lose_and_double_nothing() {
    const TEST: &str = "two_hundred_cuts_at_random_lose_and_double_nothing";
    let Some(place) = Place::start(TEST) else { return };
    let id = place.console().start(&FLAPPING);
    cut_at_random(&place, &id, 200, Duration::from_millis(900), "[[bash:sleep 0.2]] ");
}

#[test]
#[ignore = "takes minutes"]
fn cuts_of_a_slow_connection_with_losses_lose_and_double_nothing() {
    const TEST: &str = "cuts_of_a_slow_connection_with_losses_lose_and_double_nothing";
    let Some(place) = Place::start(TEST) else { return };
    place.machine.far.slow_down();
    let id = place.console().start(&FLAPPING);
    cut_at_random(&place, &id, 60, Duration::from_secs(6), "[[bash:sleep 0.2]] ");
}

#[test]
#[ignore = "takes minutes"]
fn cuts_during_turns_of_the_real_claude_lose_and_double_nothing() {
    const TEST: &str = "cuts_during_turns_of_the_real_claude_lose_and_double_nothing";
    let Some((console, _api)) = with_claude(Console::new(), TEST) else { return };
    let Some(place) = Place::of(console, TEST) else { return };
    let id = place.console().start(&["--on", "far", "--branch", "flaps", "--prompt", "first prompt"]);
    answer_trust(place.console(), &id);
    cut_at_random(&place, &id, 200, Duration::from_millis(1500), "");
}

const FLAPPING: [&str; 7] =
    ["--simulated", "--on", "far", "--mode", "bypassPermissions", "--branch", "flaps"];

/// Sends prompts to the session and cuts all connections at random times. The agent does `work` in each turn.
fn cut_at_random(place: &Place, id: &str, cuts: u64, within: Duration, work: &str) {
    let console = place.console();
    let agent = console.wait_idle(id)["live"]["agent_pid"].clone();
    let mut random = Random(42);
    let mut accepted = Vec::new();
    for number in 0..cuts {
        std::thread::sleep(Duration::from_millis(random.below(within.as_millis() as u64)));
        let text = format!("{work}[[say:number {number}.]]");
        // A cut can lose the response to a successful request.
        match console.run(&["session", "send", id, &text]).code {
            Some(0) => accepted.push(number),
            // The link's time to the next attempt grows with each failure, so the test waits.
            _ => {
                place.wait_reachable(id);
                if console.run(&["session", "send", id, &text]).code == Some(0) {
                    accepted.push(number);
                }
            }
        }
        place.machine.far.cut();
    }
    place.wait_reachable(id);
    assert!(accepted.len() > 20, "only {accepted:?} were accepted");
    console.wait_message("the last answer", id, |m| {
        text(m).contains(&format!("number {}.", accepted[accepted.len() - 1]))
    });
    console.wait_idle(id);
    place.wait_copied(id);
    let messages = console.messages(id);
    for number in 0..cuts {
        let is_answer =
            |m: &&Value| m["role"] == "assistant" && text(m).contains(&format!("number {number}."));
        let answers = messages.iter().filter(is_answer).count();
        let expected = if accepted.contains(&number) { 1..=1 } else { 0..=1 };
        assert!(expected.contains(&answers), "{answers} answers to number {number}");
    }
    let mut terminal = Terminal::open(console, &["session", "attach", id]);
    terminal.wait_for(&format!("number {}.", accepted[accepted.len() - 1]));
    terminal.keys("\u{1d}");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(console.show(id)["live"]["agent_pid"], agent, "the agent was replaced");
    let agents = place.processes().into_iter().filter(|(_, exe)| !exe.ends_with("beads-console"));
    let agents: Vec<_> = agents.filter(|(_, exe)| exe.contains("claude") || exe.contains("-sim")).collect();
    assert_eq!(agents.len(), 1, "{agents:?}");
    eprintln!("{} of {cuts} texts were accepted", accepted.len());
    console.json(&["session", "end", id]);
    wait_for("the end of all processes at the place", TIMEOUT, || place.processes().is_empty().then_some(()));
}
