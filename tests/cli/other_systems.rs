//! Projects that are shared with other operating systems: reserved names, names that differ only by case, and
//! CRLF.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::console::{Console, need_sim};
use serde_json::json;
use std::{fs, path::Path};

#[test]
fn names_that_windows_reserves_are_refused_for_branches_and_never_derived_from_titles() {
    if need_sim("names_that_windows_reserves_are_refused_for_branches_and_never_derived_from_titles")
        .is_none()
    {
        return;
    }
    let console = Console::new();
    let bead = console.bead("nul", &[]);
    for branch in ["con", "feat/aux.x", "COM1/x", "a./b", "a|b", "a<b"] {
        let line = ["session", "start", "--bead", &bead, "--simulated", "--branch", branch];
        let message = console.fails(&line, "branch_invalid", 2);
        assert!(message.contains("Windows"), "{message}");
    }
    assert_eq!(
        console.json(&["bead", "show", &bead])["bead"]["status"],
        "open",
        "the bead stays claimed after a refused start"
    );
    // An existing branch with a reserved name is accepted, but the folder gets another name.
    console.sandbox.git(["branch", "aux"]);
    let id = console.start(&["--simulated", "--branch", "aux", "--worktree", "--title", "com1."]);
    let tree = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    assert!(tree.ends_with("/branch-aux"), "{tree}");
    console.wait_idle(&id);
    let by_title = console.start(&["--bead", &bead, "--simulated", "--worktree"]);
    let branch = console.show(&by_title)["branch"].as_str().unwrap().to_owned();
    assert!(branch.ends_with(&format!("{bead}-nul")), "{branch}");
    let folder = console.sandbox.root().join("exports");
    fs::create_dir(&folder).unwrap();
    console.ok(&["session", "export", &id, &by_title, "--output", folder.to_str().unwrap()]);
    let names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        assert!(name.ends_with(".md") && !name.contains(['<', '>', ':', '"', '|', '?', '*', '\\']), "{name}");
        assert!(
            name.starts_with("20"),
            "a name must begin with the date, so that it is not a device: {name}"
        );
    }
}

#[test]
fn a_branch_that_differs_only_by_case_or_accents_is_refused() {
    if need_sim("a_branch_that_differs_only_by_case_or_accents_is_refused").is_none() {
        return;
    }
    let console = Console::new();
    console.sandbox.git(["branch", "feat/Größe"]);
    for branch in ["FEAT/größe", "feat/gro\u{308}ße"] {
        let line = ["session", "start", "--simulated", "--branch", branch];
        let message = console.fails(&line, "branch_exists", 4);
        assert!(message.contains("feat/Größe"), "{message}");
    }
    let id = console.start(&["--simulated", "--branch", "feat/Größe", "--worktree"]);
    assert_eq!(console.show(&id)["branch"], "feat/Größe");
}

/// Converts a file to CRLF line endings.
fn convert_to_crlf(path: &Path) {
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n").replace('\n', "\r\n");
    fs::write(path, text).unwrap();
}

#[test]
fn a_repository_with_crlf_line_ends_shows_only_real_changes_and_keeps_its_beads() {
    if need_sim("a_repository_with_crlf_line_ends_shows_only_real_changes_and_keeps_its_beads").is_none() {
        return;
    }
    let console = Console::new();
    let project = console.sandbox.project().to_owned();
    console.sandbox.git(["config", "core.autocrlf", "true"]);
    console.sandbox.write("text.txt", "one\r\ntwo\r\nthree\r\n");
    console.sandbox.git(["add", "-A"]);
    console.sandbox.git(["commit", "-qm", "text"]);
    let (one, two) = (console.bead("One", &[]), console.bead("Two", &["-d", "first\nsecond"]));
    let beads = project.join(".beads/issues.jsonl");
    convert_to_crlf(&beads);
    let titles = |console: &Console| {
        let beads = console.json(&["bead", "list"])["beads"].as_array().unwrap().clone();
        let mut titles: Vec<String> = beads.iter().map(|b| b["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    };
    assert_eq!(titles(&console), ["One", "Two"]);
    console.ok(&["bead", "update", &two, "--title", "Second"]);
    console.bead("Three", &[]);
    assert_eq!(titles(&console), ["One", "Second", "Three"]);
    assert_eq!(console.json(&["bead", "show", &two])["bead"]["description"], "first\nsecond");

    let id = console.start(&["--bead", &one, "--simulated", "--worktree", "--prompt", "hello"]);
    console.wait_idle(&id);
    let tree = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    let tree = Path::new(&tree);
    assert_eq!(
        fs::read_to_string(tree.join("text.txt")).unwrap(),
        "one\r\ntwo\r\nthree\r\n",
        "git did not check out CRLF"
    );
    fs::write(tree.join("text.txt"), "one\r\n2\r\nthree\r\n").unwrap();
    let changes = console.json(&["session", "changes", &id]);
    let files = changes["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{changes:#}");
    assert_eq!((&files[0]["added"], &files[0]["removed"]), (&json!(1), &json!(1)), "{changes:#}");
    console.ok(&["session", "commit", &id, "-m", "two is 2", "text.txt"]);
    let shown = console.sandbox.git(["-C", tree.to_str().unwrap(), "show", "HEAD:text.txt"]);
    assert_eq!(shown, "one\n2\nthree", "the repository does not have LF");
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_settings_file_with_crlf_line_endings_is_read_and_changed() {
    let console = Console::new();
    console.ok(&["settings", "remind_after_turns", "5"]);
    let config = console.sandbox.home().join(".config/beads-console");
    let files: Vec<_> =
        fs::read_dir(config).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
    assert!(!files.is_empty(), "no settings file was found");
    files.iter().for_each(|file| convert_to_crlf(file));
    console.ok(&["settings", "notify_sound", "on"]);
    let settings = console.ok(&["settings"]);
    let value =
        |key: &str| settings.lines().find(|line| line.starts_with(key)).unwrap().split_whitespace().nth(1);
    assert_eq!((value("remind_after_turns"), value("notify_sound")), (Some("5"), Some("on")));
}
