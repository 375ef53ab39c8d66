//! Files for agents: the changes that `init-agent` makes in a repository, and their effect on the real
//! claude.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
};
use serde_json::{Value, json};
use std::fs;

fn read(console: &Console, name: &str) -> String {
    fs::read_to_string(console.sandbox.project().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn status(console: &Console) -> String {
    console.sandbox.git(["status", "--porcelain", "--untracked-files=all"])
}

#[test]
fn install_is_idempotent_and_removal_leaves_no_trace() {
    let console = Console::new();
    console.sandbox.write("AGENTS.md", "# Agents\r\n\r\nNo line end");
    console.sandbox.write(".claude/settings.json", "{\r\n\t\"model\": \"opus\"\r\n}");
    console.sandbox.git(["add", "--all"]);
    console.sandbox.git(["commit", "--quiet", "--message", "before"]);
    let all = ["init-agent", "--skill", "--agent", "--claude-md", "--agents-md", "--permissions"];

    let dry = console.ok(&[&all[..], &["--dry-run"]].concat());
    assert!(dry.contains("to create  .claude/skills/beads/SKILL.md\n  +---\n"), "{dry}");
    assert!(dry.contains("+- **Remember at the moment of discovery**"), "{dry}");
    assert_eq!(status(&console), "", "a dry run changes nothing");

    console.ok(&all);
    let agents = read(&console, "AGENTS.md");
    assert!(agents.starts_with("# Agents\r\n\r\nNo line end\r\n\r\n<!-- beads-console:begin"), "{agents:?}");
    assert!(agents.ends_with("<!-- beads-console:end -->"), "{agents:?}");
    let settings: Value = serde_json::from_str(&read(&console, ".claude/settings.json")).unwrap();
    let allowed = settings["permissions"]["allow"].as_array().unwrap();
    assert!(allowed.contains(&json!("Bash(beads-console remember -- *)")), "{settings:#}");
    let once = status(&console);
    let texts: Vec<String> = ["AGENTS.md", "CLAUDE.md", ".claude/settings.json", ".claude/agents/beads.md"]
        .iter()
        .map(|name| read(&console, name))
        .collect();

    let again = console.json(&all);
    assert!(again["files"].as_array().unwrap().iter().all(|file| file["change"] == "none"), "{again:#}");
    assert_eq!(status(&console), once);
    for (name, text) in
        ["AGENTS.md", "CLAUDE.md", ".claude/settings.json", ".claude/agents/beads.md"].iter().zip(texts)
    {
        assert_eq!(read(&console, name), text, "{name}");
    }
    let agents = console.json(&["agent", "list"]);
    assert_eq!(agents["agents"][0]["name"], "beads", "a session can use it");

    console.ok(&["init-agent", "--remove"]);
    assert_eq!(status(&console), "");
    assert!(!console.sandbox.project().join(".claude/skills").exists());
    assert!(!console.sandbox.project().join(".claude/agents").exists());
}

#[test]
fn text_around_our_sections_is_kept() {
    let console = Console::new();
    console.sandbox.write("CLAUDE.md", "# Mine\n");
    console.ok(&["init-agent"]);
    let edited = read(&console, "CLAUDE.md").replace("begin v1", "begin v0").replace("## Beads", "## Old");
    console.sandbox.write("CLAUDE.md", &format!("first\r\n{edited}\nlast, no end"));
    console.ok(&["init-agent"]);
    let now = read(&console, "CLAUDE.md");
    assert!(now.starts_with("first\r\n# Mine\n\n<!-- beads-console:begin v1 -->"), "{now}");
    assert!(now.ends_with("<!-- beads-console:end -->\n\nlast, no end"), "{now}");
    assert!(now.contains("## Beads") && !now.contains("## Old"));
    console.ok(&["init-agent", "--remove"]);
    assert_eq!(read(&console, "CLAUDE.md"), "first\r\n# Mine\n\nlast, no end");
}

#[test]
fn unsafe_files_are_refused_without_changes() {
    let console = Console::new();
    let before = status(&console);
    console.sandbox.write(".claude/settings.json", "{\"model\": \"opus\",\n // mine\n}");
    let message = console.fails(&["init-agent", "--skill", "--permissions"], "file_refused", 4);
    assert!(message.contains(".claude/settings.json") && message.contains("line 2"), "{message}");
    assert!(
        !console.sandbox.project().join(".claude/skills").exists(),
        "no file may be written, not even the skill"
    );
    fs::remove_dir_all(console.sandbox.project().join(".claude")).unwrap();

    console.sandbox.write("CLAUDE.md", "a\n<!-- beads-console:begin v1 -->\nb\n");
    let message = console.fails(&["init-agent"], "file_refused", 4);
    assert!(message.contains("line 2"), "{message}");
    fs::remove_file(console.sandbox.project().join("CLAUDE.md")).unwrap();

    let empty = Console::in_sandbox(bc_testkit::Sandbox::new());
    empty.fails(&["init-agent"], "no_beads", 3);
    assert_eq!(status(&console), before);
}

#[test]
#[cfg(unix)]
fn a_link_out_of_the_repository_is_not_followed() {
    let console = Console::new();
    let outside = console.sandbox.root().join("outside.md");
    fs::File::create_new(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, console.sandbox.project().join("CLAUDE.md")).unwrap();
    let message = console.fails(&["init-agent"], "file_refused", 4);
    assert!(message.contains("CLAUDE.md") && message.contains("out of the repository"), "{message}");
    assert_eq!(fs::metadata(&outside).unwrap().len(), 0);
    assert!(!console.sandbox.project().join(".claude").exists());
}

#[test]
fn real_claude_needs_no_permission_for_allowed_commands() {
    let test = "real_claude_needs_no_permission_for_allowed_commands";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    console.sandbox.install("beads-console", crate::console::program());
    let prompt = |text: &str| format!("[[bash:beads-console remember -- '{text}']]");
    let asked = console.start(&["--prompt", &prompt("asked")]);
    console.wait("a question", &asked, |shown| !shown["live"]["permissions"].as_array().unwrap().is_empty());
    console.ok(&["session", "end", &asked]);

    console.ok(&["init-agent", "--skill", "--permissions"]);
    // The rules do not allow an option that reads a file, so this command requires a permission.
    let with_file = console.start(&["--prompt", "[[bash:beads-console remember --from README.md --yes]]"]);
    console
        .wait("a question", &with_file, |shown| !shown["live"]["permissions"].as_array().unwrap().is_empty());
    console.ok(&["session", "end", &with_file]);
    let id = console.start(&["--prompt", &prompt("unasked")]);
    console.wait_idle(&id);
    assert_eq!(console.ok(&["recall", "unasked"]), "unasked\n");
    console.fails(&["recall", "asked"], "memory_not_found", 3);
    api.wait_for("Tracks work as beads and keeps findings", TIMEOUT);
    console.ok(&["session", "end", &id]);
}
