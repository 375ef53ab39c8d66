//! The recovery block for agents, and the checkpoint trail on the bead. Most tests use the real claude, and
//! some the real bd. Between two commands, the host is the only process of this program.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
    session_states::write_settings,
    terminal::Terminal,
};
use bc_testkit::{ScriptedApi, wait_for};
use serde_json::{Value, json};
use std::{fs, time::Instant};

/// The maximum length of a recovery block in bytes.
const BLOCK_MAX: usize = 2_048;

/// The text of the last context injection with this source and reason.
pub(crate) fn last_injection(console: &Console, id: &str, source: &str, reason: &str) -> Option<String> {
    let all = console.json(&["session", "show", id, "--injections"]);
    let injections = all["injections"].as_array().expect("an array").clone();
    let fits = |i: &&Value| i["source"] == source && i["reason"] == reason;
    let last = injections.iter().rev().find(fits)?;
    assert_eq!(last["version"], 1);
    assert_eq!(last["stale"], false, "{last:#}");
    let text = last["text"].as_str().expect("a text").to_owned();
    assert_eq!(last["bytes"].as_u64(), Some(text.len() as u64));
    Some(text)
}

#[track_caller]
fn wait_block(console: &Console, id: &str, reason: &str) -> String {
    let block = wait_for(&format!("a block for {reason}"), TIMEOUT, || {
        last_injection(console, id, "recovery", reason)
    });
    assert!(block.len() <= BLOCK_MAX, "{} bytes", block.len());
    block
}

/// The model's input in the request with this prompt.
#[track_caller]
pub(crate) fn model_input(api: &ScriptedApi, prompt: &str) -> String {
    api.wait_for(prompt, TIMEOUT).seen()
}

/// Whether the model's input contains this exact text.
pub(crate) fn has(input: &str, text: &str) -> bool {
    let quoted = Value::from(text).to_string();
    input.contains(&quoted[1..quoted.len() - 1])
}

fn comments(console: &Console, bead: &str) -> Vec<String> {
    let shown = console.json(&["bead", "show", bead]);
    let comments = shown["bead"]["comments"].as_array().expect("an array");
    comments.iter().map(|c| c["text"].as_str().expect("a text").to_owned()).collect()
}

#[track_caller]
fn wait_comment(console: &Console, bead: &str, beginning: &str) -> String {
    wait_for(&format!("a comment that begins with {beginning:?}"), TIMEOUT, || {
        comments(console, bead).into_iter().find(|text| text.starts_with(beginning))
    })
}

#[track_caller]
fn say(console: &Console, id: &str, text: &str) {
    console.ok(&["session", "send", id, text]);
    console
        .wait_message(&format!("an answer to {text:?}"), id, |m| m["content"] == format!("Reply to: {text}"));
    console.wait_idle(id);
}

/// Types a command into claude's terminal, to which no other client is attached.
pub(crate) fn type_in(console: &Console, id: &str, command: &str) {
    let mut terminal = Terminal::open(console, &["session", "attach", id]);
    terminal.wait_for("❯");
    terminal.keys(command);
    terminal.wait_for(command);
    terminal.keys("\r");
    terminal.wait_until(&format!("the input box is empty after {command}"), |shown| {
        let prompt = shown.lines().rev().find(|line| line.starts_with('❯'));
        prompt.is_some_and(|line| line.trim_end() == "❯")
    });
    terminal.keys("\u{1d}");
    assert_eq!(terminal.end(), Some(0));
}

/// Waits for a permission request and allows it.
pub(crate) fn allow_request(console: &Console, id: &str) {
    let asks = console.wait("a permission request", id, |s| s["live"]["permissions"][0]["id"].is_string());
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap().to_owned();
    console.ok(&["session", "permission", id, &request, "--allow"]);
}

#[test]
fn the_model_gets_the_block_at_start_compaction_clear_and_resume() {
    let test = "the_model_gets_the_block_at_start_compaction_clear_and_resume";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, api)) = with_claude(console, test) else { return };
    let epic = console.bead("Parser system", &["--type", "epic"]);
    let bead = console.bead("Implement parser", &["--parent", &epic, "--priority", "1"]);
    let blocked = console.bead("Widget renderer", &["--blocked-by", &bead]);
    console.ok(&["bead", "comment", &bead, "Mind the brackets"]);

    let id = console.start(&["--bead", &bead, "--prompt", "first prompt"]);
    let first = model_input(&api, "first prompt");
    let block = wait_block(&console, &id, "start");
    assert!(has(&first, &block), "the model saw another block:\n{block}\n{first}");
    for part in [
        format!("## Resuming: {bead} — Implement parser"),
        "**Status:** in_progress | **Type:** task | **Priority:** P1".to_owned(),
        format!("**Parent:** {epic} — Parser system (epic)"),
        format!("**Unblocks:** {blocked} — Widget renderer"),
        "] Mind the brackets".to_owned(),
        "- beads-console bead submit <id>".to_owned(),
        "- bd show <id>".to_owned(),
    ] {
        assert!(block.contains(&part), "{part:?} is not in\n{block}");
    }
    assert!(!block.contains("Uncommitted"), "{block}");
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: first prompt");
    console.wait_idle(&id);

    // The block is generated again for each injection, so it contains the new file and the new comment.
    console.sandbox.write("notes.txt", "x");
    let typed = Instant::now();
    type_in(&console, &id, "/compact");
    let block = wait_block(&console, &id, "compaction");
    eprintln!("the block was recorded {:?} after /compact was typed", typed.elapsed());
    assert!(block.contains("### Uncommitted Changes\nnotes.txt (?)"), "{block}");
    assert!(block.contains("] checkpoint: before a compaction, 1 turn since the last comment"), "{block}");
    assert!(block.contains("last said: Reply to: first prompt"), "{block}");
    console.wait_idle(&id);
    say(&console, &id, "after the compaction");
    assert!(has(&model_input(&api, "after the compaction"), &block));
    assert_eq!(comments(&console, &bead).len(), 2, "{:?}", comments(&console, &bead));

    console.ok(&["bead", "comment", &bead, "Said before the clear"]);
    type_in(&console, &id, "/clear");
    let block = wait_block(&console, &id, "clear");
    assert!(block.contains("] Said before the clear"), "{block}");
    console.wait_idle(&id);
    say(&console, &id, "after the clear");
    let cleared = model_input(&api, "after the clear");
    assert!(has(&cleared, &block) && !cleared.contains("after the compaction"), "{cleared}");

    console.ok(&["session", "pause", &id]);
    console.ok(&["bead", "comment", &bead, "Said during the pause"]);
    console.ok(&["session", "resume", &id, "--prompt", "after the pause"]);
    let block = wait_block(&console, &id, "resume");
    assert!(block.contains("] Said during the pause"), "{block}");
    assert!(has(&model_input(&api, "after the pause"), &block));
    console.ok(&["session", "end", &id]);
}

#[test]
fn without_a_bead_the_model_gets_the_static_prime() {
    let test = "without_a_bead_the_model_gets_the_static_prime";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "look around"]);
    let block = wait_block(&console, &id, "start");
    assert!(block.starts_with("# Beads Workflow Context\n") && !block.contains("Resuming"), "{block}");
    assert!(block.contains("- beads-console bead ready\n"), "{block}");
    assert!(has(&model_input(&api, "look around"), &block));

    // A bead that the agent claims becomes the session's bead.
    console.wait_idle(&id);
    let bead = console.bead("Found on the way", &[]);
    let program = crate::console::program().display().to_string();
    console.ok(&["session", "send", &id, &format!("[[bash:'{program}' bead claim {bead}]]")]);
    allow_request(&console, &id);
    wait_for("the claim in the session's stores", TIMEOUT, || {
        let stores = console.sandbox.project().join(format!(".beads/sessions/{id}/recovery.json"));
        let stores: Value = serde_json::from_slice(&fs::read(stores).ok()?).ok()?;
        (stores["current_bead"] == bead.as_str()).then_some(())
    });
    console.wait_idle(&id);
    type_in(&console, &id, "/clear");
    assert!(wait_block(&console, &id, "clear").contains("Found on the way"));
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_commit_becomes_one_comment_and_a_closed_bead_names_its_files() {
    let test = "a_commit_becomes_one_comment_and_a_closed_bead_names_its_files";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, _api)) = with_claude(console, test) else { return };
    let bead = console.bead("Write the parser", &[]);
    let file = console.sandbox.project().join("src/parser.rs");
    let write = format!("[[write:{}:fn parse() {{}}]]", file.display());
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits", "--prompt", &write]);
    console.wait_idle(&id);
    // The prompt does not mention git; the host detects the commit because HEAD has moved.
    console.sandbox.script("save", "git add . && git commit -q -m 'feat: a parser'");
    console.ok(&["session", "send", &id, "[[bash:save]]"]);
    allow_request(&console, &id);
    let comment = wait_comment(&console, &bead, "commit: ");
    let hash = console.sandbox.git(["rev-parse", "HEAD"]);
    assert_eq!(comment, format!("commit: {} feat: a parser", &hash[..10]));
    console.wait_idle(&id);
    say(&console, &id, "and now?");
    say(&console, &id, "and then?");
    assert_eq!(comments(&console, &bead).len(), 1, "{:?}", comments(&console, &bead));

    console.ok(&["bead", "close", &bead]);
    let comment = wait_comment(&console, &bead, "files edited");
    assert_eq!(comment, format!("files edited in session {}: 1 file: src/parser.rs", &id[..8]));
    console.ok(&["session", "end", &id]);
    assert_eq!(comments(&console, &bead).len(), 2, "{:?}", comments(&console, &bead));
}

#[test]
fn a_session_that_ends_into_review_names_its_files() {
    let test = "a_session_that_ends_into_review_names_its_files";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    let bead = console.bead("Write a note", &[]);
    let note = console.sandbox.project().join("note.md");
    let write = format!("[[write:{}:a note]]", note.display());
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits", "--prompt", &write]);
    console.wait_message("the answer", &id, |m| m["content"] == "Done: the tools ran.");
    console.wait_idle(&id);
    console.ok(&["session", "end", &id, "--review", "--yes", "--without-commit"]);
    assert_eq!(comments(&console, &bead), [format!("files edited in session {}: 1 file: note.md", &id[..8])]);
}

#[test]
fn after_eight_turns_without_a_commit_or_a_comment_the_agent_is_reminded_once() {
    let test = "after_eight_turns_without_a_commit_or_a_comment_the_agent_is_reminded_once";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let bead = console.bead("A long talk", &[]);
    let id = console.start(&["--bead", &bead, "--prompt", "turn 1"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: turn 1");
    console.wait_idle(&id);
    const REMINDER: &str = "A reminder from Beads Console";
    for turn in 2..=8 {
        say(&console, &id, &format!("turn {turn}"));
    }
    assert!(!model_input(&api, "turn 8").contains(REMINDER));
    say(&console, &id, "turn 9");
    let reminded = model_input(&api, "turn 9");
    assert!(reminded.contains(&format!("8 turns have gone by on {bead}")), "{reminded}");
    assert!(reminded.contains(&format!("beads-console bead comment {bead}")), "{reminded}");
    assert_eq!(reminded.matches(REMINDER).count(), 1);
    say(&console, &id, "turn 10");
    assert_eq!(model_input(&api, "turn 10").matches(REMINDER).count(), 1, "the reminder was repeated");
    assert!(last_injection(&console, &id, "reminder", "prompt").is_some());
    console.ok(&["session", "end", &id]);
}

#[test]
fn disabled_features_inject_and_comment_nothing() {
    let test = "disabled_features_inject_and_comment_nothing";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    write_settings(
        &console,
        json!({"version": 1, "comment_commits": false, "comment_files": false,
            "checkpoint_comments": false, "remind_after_turns": 1}),
    );
    let bead = console.bead("Quiet work", &[]);
    let write = format!("[[write:{}:x]]", console.sandbox.project().join("a.rs").display());
    let id = console.start(&["--bead", &bead, "--mode", "acceptEdits", "--prompt", &write]);
    console.wait_idle(&id);
    say(&console, &id, "one more turn");
    say(&console, &id, "and one");
    assert!(
        model_input(&api, "and one").contains("A reminder from Beads Console"),
        "the reminder did not come after one turn"
    );
    write_settings(
        &console,
        json!({"version": 1, "comment_commits": false, "comment_files": false,
            "checkpoint_comments": false, "remind_after_turns": 0}),
    );
    console.sandbox.script("save", "git add . && git commit -q -m quiet");
    console.ok(&["session", "send", &id, "[[bash:save]]"]);
    allow_request(&console, &id);
    console.wait("the commit", &id, |s| s["commits"].as_array().is_some_and(|c| c.len() == 1));
    console.wait_idle(&id);
    say(&console, &id, "a turn before the compaction");
    type_in(&console, &id, "/compact");
    wait_block(&console, &id, "compaction");
    console.wait_idle(&id);
    let before = model_input(&api, "a turn before the compaction").matches("A reminder from").count();
    say(&console, &id, "the last one");
    assert!(model_input(&api, "the last one").matches("A reminder from").count() <= before);
    console.ok(&["bead", "close", &bead]);
    console.ok(&["session", "end", &id]);
    assert_eq!(comments(&console, &bead), Vec::<String>::new());
}

#[test]
fn the_context_pack_comes_after_the_block_every_time() {
    let test = "the_context_pack_comes_after_the_block_every_time";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.write("AGENTS.md", "Write short functions.\n");
    console.sandbox.write("src/parser.rs", &"fn parse() {} // a rule\n".repeat(600));
    let bead = console.bead("Mend src/parser.rs", &[]);
    let id = console.start(&["--bead", &bead, "--context", "--prompt", "hello"]);
    let assert_order = |text: &str| {
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what:?} is not in\n{text}"));
        let positions = [at("## Resuming: "), at("part 1 of 2"), at("part 2 of 2")];
        assert!(positions.is_sorted(), "{positions:?}");
    };
    assert_order(&model_input(&api, "hello"));
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.wait_idle(&id);
    for round in 0..3 {
        type_in(&console, &id, "/clear");
        let prompt = format!("round {round}");
        console.wait_idle(&id);
        say(&console, &id, &prompt);
        assert_order(&model_input(&api, &prompt));
    }
    console.ok(&["session", "end", &id]);
}

#[test]
fn the_block_is_printed_for_a_bead_for_the_latest_one_and_without_any() {
    let console = Console::new();
    let none = console.ok(&["recovery"]);
    assert!(none.starts_with("# Beads Workflow Context") && !none.contains("Resuming"), "{none}");
    let epic = console.bead("An epic", &["--type", "epic"]);
    let bead = console.bead("A \u{1b}[31mbead\u{7}", &["--parent", &epic]);
    let named = console.json(&["recovery", "--bead", &bead]);
    assert_eq!((&named["bead_id"], &named["because"]), (&bead.as_str().into(), &"named".into()));
    let text = named["text"].as_str().unwrap();
    assert!(text.contains(&format!("## Resuming: {bead} — A bead\n**Status:** open")), "{text:?}");
    assert_eq!(named["bytes"].as_u64(), Some(text.len() as u64));

    console.ok(&["bead", "claim", &bead]);
    for n in 0..6 {
        console.ok(&["bead", "comment", &bead, &format!("comment {n} {}", "ß".repeat(300))]);
    }
    for n in 0..40 {
        console.sandbox.write(&format!("a folder/file {n}.txt"), "x");
        console.sandbox.write(&format!("tracked-{n}.txt"), "x");
    }
    let latest = console.json(&["recovery"]);
    assert_eq!((&latest["bead_id"], &latest["because"]), (&bead.as_str().into(), &"latest".into()));
    let text = latest["text"].as_str().unwrap();
    assert!(text.len() <= BLOCK_MAX && text.contains("comment 5"), "{} bytes\n{text}", text.len());

    let message = console.fails(&["recovery", "--bead", "BC-nothing"], "bead_not_found", 3);
    assert!(message.contains("BC-nothing") && message.contains("bead list"), "{message}");
}

#[test]
fn the_block_also_works_with_the_real_bd() {
    let test = "the_block_also_works_with_the_real_bd";
    let Some(console) = Console::with_bd(test) else { return };
    let bead = console.bead("Kept by bd", &[]);
    console.ok(&["bead", "claim", &bead]);
    console.ok(&["bead", "comment", &bead, "said"]);
    let start = Instant::now();
    let latest = console.json(&["recovery"]);
    eprintln!("`recovery` took {:?}", start.elapsed());
    let text = latest["text"].as_str().unwrap();
    assert!(text.contains("Kept by bd") && text.contains("- [just now] said"), "{text}");
}
