//! The context pack of a new session: the preview with the user's choices, and the sent pack, which must
//! equal the preview.
#![allow(clippy::disallowed_methods, reason = "the tests write files as the user or an earlier version does")]

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, need_sim},
};
use serde_json::Value;
use std::{fs, time::Instant};

fn keys(pack: &Value, state: &str) -> Vec<String> {
    let pieces = pack["pieces"].as_array().unwrap();
    let fitting = pieces.iter().filter(|piece| piece["state"] == state);
    fitting.map(|piece| piece["key"].as_str().unwrap().to_owned()).collect()
}

/// Writes files and templates, and creates a bead that names some of them. Returns the bead's id.
fn sample_project(console: &Console) -> String {
    let filler = "// filler\n".repeat(100);
    console
        .sandbox
        .write("src/lexer.rs", &format!("{filler}fn parse_token() -> u32 {{\n    1\n}}\n{filler}"));
    console.sandbox.write("src/named.rs", "fn named() {}\n");
    console.sandbox.write("src/other.rs", "fn other() {}\n");
    console.sandbox.write("AGENTS.md", "Write short functions.\n");
    console.sandbox.write(
        ".beads/context-templates/rules.md",
        "---\ndescription: House rules\n---\nBe brief.\n\n- src/other.rs: an example\n",
    );
    console.sandbox.write(".beads/context-templates/evil.md", "- ../../etc/passwd\n");
    console.bead("Mend parse_token", &["--description", "See `src/named.rs`."])
}

#[test]
fn a_pack_is_shown_with_reasons_and_follows_the_users_choices() {
    let console = Console::new();
    let bead = sample_project(&console);
    let pack = console.json(&["session", "context", "--bead", &bead]);
    let included = keys(&pack, "included");
    for key in ["src/named.rs", "src/lexer.rs", "AGENTS.md", "symbols:", "commits:"] {
        assert!(included.iter().any(|found| found == key), "{key}: {pack:#}");
    }
    let lexer =
        pack["pieces"].as_array().unwrap().iter().find(|piece| piece["key"] == "src/lexer.rs").unwrap();
    assert!(lexer["reason"].as_str().unwrap().contains("defines parse_token"), "{lexer:#}");
    assert!(lexer["excerpts"][0]["text"].as_str().unwrap().contains("fn parse_token"), "{lexer:#}");
    assert_eq!(pack["budget"], 10_000);
    assert!(pack["tokens"].as_u64().unwrap() <= 10_000);

    let chosen = console.json(&[
        "session",
        "context",
        "--bead",
        &bead,
        "--context-template",
        "rules",
        "--context-remove",
        "AGENTS.md",
        "--context-pin",
        "src/lexer.rs",
        "--context-budget",
        "2k",
        "--context-add",
        "src/other.rs",
    ]);
    assert_eq!(keys(&chosen, "included")[0], "src/lexer.rs");
    assert_eq!(keys(&chosen, "removed"), ["AGENTS.md"]);
    assert!(chosen["tokens"].as_u64().unwrap() <= 2_000, "{chosen:#}");
    assert!(
        keys(&chosen, "included").contains(&".beads/context-templates/rules.md".to_owned()),
        "{chosen:#}"
    );
}

#[test]
fn a_template_or_a_file_outside_the_repository_is_refused_with_the_reason() {
    let console = Console::new();
    let bead = sample_project(&console);
    let line = ["session", "context", "--bead", &bead, "--context-template", "evil"];
    let message = console.fails(&line, "file_refused", 4);
    assert!(message.contains("names ../../etc/passwd, which is outside the repository"), "{message}");
    let start = ["session", "start", "--bead", &bead, "--simulated", "--context-template", "evil"];
    console.fails(&start, "file_refused", 4);
    assert_eq!(console.json(&["session", "list"])["sessions"], serde_json::json!([]), "nothing was started");
    for outside in ["/etc/passwd", "../x.rs", "~/.ssh/id_rsa"] {
        console.fails(&["session", "context", "--context-add", outside], "file_refused", 4);
    }
    console.fails(&["session", "context", "--context-template", "none"], "usage", 2);
    console.fails(&["session", "context", "--context-budget", "90k"], "usage", 2);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", console.sandbox.project().join("src/link.rs")).unwrap();
        console.fails(&["session", "context", "--context-add", "src/link.rs"], "file_refused", 4);
    }
    let listed = console.ok(&["session", "context"]);
    assert!(listed.contains("Template evil: the context template evil names ../../etc/passwd"), "{listed}");
}

#[test]
fn the_files_of_earlier_sessions_on_the_bead_and_its_epic_are_found() {
    let test = "the_files_of_earlier_sessions_on_the_bead_and_its_epic_are_found";
    if need_sim(test).is_none() {
        return;
    }
    let console = Console::new();
    let epic = console.bead("An epic", &["--type", "epic"]);
    let (one, two) =
        (console.bead("First", &["--parent", &epic]), console.bead("Second", &["--parent", &epic]));
    console.sandbox.write("src/touched.rs", "fn touched() {}\n");
    let id = console.start(&["--bead", &one, "--simulated"]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let meta = console.sandbox.project().join(".beads/sessions").join(&id).join("meta.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&meta).unwrap()).unwrap();
    record["files_touched"] = serde_json::json!(["src/touched.rs"]);
    fs::write(&meta, record.to_string()).unwrap();
    let pack = console.json(&["session", "context", "--bead", &two]);
    let piece = pack["pieces"].as_array().unwrap().iter().find(|piece| piece["key"] == "src/touched.rs");
    let piece = piece.unwrap_or_else(|| panic!("{pack:#}"));
    assert_eq!(piece["kind"], "earlier");
    assert!(piece["reason"].as_str().unwrap().contains("same epic"), "{piece:#}");
}

#[test]
fn a_pack_of_a_project_with_5000_files_finds_its_matches() {
    let console = Console::new();
    let code: String = (0..60)
        .map(|n| format!("fn function_{n}(text: &str) -> usize {{\n    text.len() + {n}\n}}\n"))
        .collect();
    for n in 0..5_000 {
        let mark = if n % 500 == 0 { "fn parse_token() {}\n" } else { "" };
        console.sandbox.write(&format!("src/part{}/file{n}.rs", n % 50), &format!("{mark}{code}"));
    }
    let bead = console.bead("Mend parse_token and its text", &[]);
    let start = Instant::now();
    let pack = console.json(&["session", "context", "--bead", &bead]);
    println!("COUNTED files 5000, {} ms", start.elapsed().as_millis());
    // The search has a time limit, so on a busy machine it may end early with a warning.
    let warnings = pack["warnings"].as_array().unwrap();
    assert!(warnings.iter().all(|w| w == "not every file was searched: the project is large"), "{pack:#}");
    let hits = keys(&pack, "included");
    let marked = |path: &String| (0..10).any(|n| *path == format!("src/part0/file{}.rs", n * 500));
    assert!(hits.iter().any(marked), "{hits:?}");
}

#[test]
fn the_real_claude_gets_exactly_the_previewed_pack_even_a_large_one() {
    let test = "the_real_claude_gets_exactly_the_previewed_pack_even_a_large_one";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let bead = sample_project(&console);
    for n in 0..12 {
        let text: String = (0..180)
            .map(|line| format!("// {n} {line} where parse_token reads the grammar and its rules\n"))
            .collect();
        console.sandbox.write(&format!("src/large{n}.rs"), &format!("fn parse_token_{n}() {{}}\n{text}"));
    }
    let added: Vec<String> =
        (0..8).flat_map(|n| ["--context-add".into(), format!("src/large{n}.rs")]).collect();
    let mut options = vec!["--bead", &bead, "--context-budget", "25k", "--context-template", "rules"];
    options.extend(added.iter().map(String::as_str));
    let pack = console.json(&[&["session", "context"][..], &options].concat());
    assert!(pack["tokens"].as_u64().unwrap() > 15_000, "{}", pack["tokens"]);
    let id = console.start(&[&options[..], &["--prompt", "hello"]].concat());
    let request = api.wait_for("hello", TIMEOUT).seen();
    for piece in pack["pieces"].as_array().unwrap() {
        let path = piece["path"].as_str().unwrap();
        let sent = request.contains(&format!("## {path}"));
        assert_eq!(sent, piece["state"] == "included", "{path}");
    }
    assert!(request.contains("Be brief.") && request.contains("fn parse_token() -> u32"), "{request}");
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.ok(&["session", "end", &id]);
}
