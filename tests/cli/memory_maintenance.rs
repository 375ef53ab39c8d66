//! Maintenance of memories: links, merges, imports, and proposals from sessions. Memories are imported only
//! if the user requests it.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
    recovery::{has, last_injection, model_input},
};
use bc_testkit::wait_for;
use serde_json::Value;

fn keys(list: &Value, field: &str) -> Vec<String> {
    let all = list[field].as_array().unwrap_or_else(|| panic!("{list:#} has no {field}"));
    let mut keys: Vec<String> = all.iter().map(|entry| entry["key"].as_str().unwrap().to_owned()).collect();
    keys.sort();
    keys
}

fn linked(console: &Console, key: &str) -> Vec<String> {
    keys(&console.json(&["recall", key]), "linked")
}

/// Checks links and merges; used with the memories file and with the real bd.
fn check_links_and_merges(console: &Console) {
    for (key, text) in [("design", "one error for every refusal"), ("a", "one\ntwo"), ("b", "two\nthree")] {
        console.ok(&["remember", text, "--key", key]);
    }
    let bead = console.bead("Implement login validation", &[]);
    let link = ["memory", "link", "b", "design", "--kind", "discovered-from"];
    assert_eq!(console.ok(&link), "b\n  discovered-from design\n");
    console.ok(&["memory", "link", "b", &bead]);
    assert_eq!(linked(console, "design"), ["b"]);
    assert_eq!(console.json(&["recall", "b"])["memory"]["links"].as_array().map(Vec::len), Some(2));
    console.ok(&["memory", "unlink", "b", &bead]);
    console.fails(&["memory", "unlink", "b", &bead], "memory_not_found", 3);

    assert_eq!(console.json(&["memory", "merge", "a", "b"])["memory"]["content"], "one\ntwo\n\nthree");
    assert_eq!(keys(&console.json(&["memories"]), "memories"), ["a", "design"]);
    assert_eq!(linked(console, "a"), ["design"]);
    console.ok(&["memory", "unmerge", "a"]);
    assert_eq!(keys(&console.json(&["memories"]), "memories"), ["a", "b", "design"]);
    assert_eq!(
        (console.ok(&["recall", "a"]), console.ok(&["recall", "b"])),
        ("one\ntwo\n".into(), "two\nthree\n".into())
    );
    assert_eq!((linked(console, "a"), linked(console, "b")), (vec![], vec!["design".to_owned()]));
    console.fails(&["memory", "unmerge", "a"], "usage", 2);
    // A link can be removed from either end.
    console.ok(&["memory", "unlink", "design", "b"]);
    assert!(linked(console, "b").is_empty());

    let bead_of = |key: &str| console.json(&["recall", key])["memory"]["bead_id"].clone();
    console.ok(&["remember", "one", "--key", "a", "--bead", &bead]);
    assert_eq!(bead_of("a"), bead.as_str());
    console.ok(&["remember", "one", "--key", "a", "--no-bead"]);
    assert_eq!(bead_of("a"), Value::Null);
}

#[test]
fn links_and_merges_can_be_undone() {
    check_links_and_merges(&Console::new());
}

#[test]
fn links_and_merges_can_be_undone_in_the_real_bd() {
    let test = "links_and_merges_can_be_undone_in_the_real_bd";
    if let Some(console) = Console::with_bd(test) {
        check_links_and_merges(&console);
    }
}

#[test]
fn import_has_a_preview_and_stores_only_on_request() {
    let console = Console::new();
    let token = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6";
    console.sandbox.write("MEMORY.md", &format!("# Notes\n- run make first\n- token {token}\n"));
    // No other command imports the file.
    for line in [&["prime"][..], &["memories"], &["remember", "something else"], &["bead", "list"]] {
        console.ok(line);
    }
    assert_eq!(keys(&console.json(&["memories"]), "memories"), ["something-else"]);
    let preview = console.json(&["memory", "import", "--dry-run"]);
    assert_eq!(preview["points"].as_array().map(Vec::len), Some(2));
    assert_eq!(preview["points"][1]["secrets"], serde_json::json!(["github-pat"]));
    assert_eq!(keys(&console.json(&["memories"]), "memories").len(), 1, "a preview stores nothing");
    let refusal = console.fails(&["memory", "import"], "confirmation_needed", 4);
    assert!(refusal.contains("github-pat") && !refusal.contains(token), "{refusal}");
    assert_eq!(keys(&console.json(&["memories"]), "memories").len(), 1);
    assert_eq!(console.json(&["memory", "import", "--yes"])["keys"].as_array().map(Vec::len), Some(2));
    assert_eq!(console.json(&["memory", "import", "--yes"])["known"], 2);
    console.fails(&["memory", "import", "nowhere.md"], "usage", 2);
}

#[test]
fn resumed_agent_receives_new_memories_and_its_findings_are_proposed() {
    let test = "resumed_agent_receives_new_memories_and_its_findings_are_proposed";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.write("MEMORY.md", "- unrequested: not to be imported\n");
    let bead = console.bead("Implement login validation", &[]);
    let finding = "The root cause is a missing lock in the cache of sessions.";
    let token = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6";
    let prompt = format!("[[say:{finding} Note that the deploy token is {token} for now.]]");
    let id = console.start(&["--bead", &bead, "--prompt", &prompt]);
    console.wait_message("the finding", &id, |m| {
        m["role"] == "assistant" && m["content"].as_str().is_some_and(|text| text.contains(finding))
    });
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    console.ok(&["remember", "Passwords are hashed with argon2", "--bead", &bead]);
    console.ok(&["session", "resume", &id, "--prompt", "now go on"]);
    let model_saw = model_input(&api, "now go on");
    let memories = wait_for("the memories on the resume", TIMEOUT, || {
        last_injection(&console, &id, "memories", "resume")
    });
    assert!(memories.contains("argon2"), "{memories}");
    assert!(!memories.contains("unrequested"), "{memories}");
    assert!(has(&model_saw, &memories), "the model saw other memories:\n{memories}\n{model_saw}");
    let uses = console.json(&["recall", "passwords-are-hashed-with-argon2"])["uses"].clone();
    assert_eq!((&uses[0]["session_id"], &uses[0]["reason"]), (&Value::from(id.clone()), &"resume".into()));
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);

    // At the session's end, its findings are proposed as memories. Consent to store text does not cover a
    // secret in it.
    let proposed = console.json(&["memory", "proposals", &id]);
    let texts: Vec<&str> =
        proposed["proposals"].as_array().unwrap().iter().map(|p| p["content"].as_str().unwrap()).collect();
    let learned = texts.iter().find(|text| text.contains("root cause")).expect("the finding is proposed");
    let secret = texts.iter().find(|text| text.contains(token)).expect("the note is proposed");
    let refusal = console.fails(&["remember", secret], "confirmation_needed", 4);
    assert!(refusal.contains("github-pat") && !refusal.contains(token), "{refusal}");
    console.ok(&["remember", learned]);
    let remaining = console.json(&["memory", "proposals", &id]);
    assert!(!remaining.to_string().contains("root cause"), "{remaining:#}");
    assert!(keys(&console.json(&["memories"]), "memories").iter().all(|key| !key.contains("unrequested")));
}
