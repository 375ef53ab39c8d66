//! A repository whose git settings name programs: none of them runs before the user allows it.

use crate::console::{Console, need_sim};
use serde_json::json;
use std::path::PathBuf;

/// A project with a filter that leaves a marker when it runs. A changed file would be filtered; one session is paused
/// in the main tree, and another one is live in a worktree.
struct Trapped {
    console: Console,
    marker: PathBuf,
    /// The paused session in the main tree.
    here: String,
    /// The live session in a worktree, on a bead.
    there: String,
    bead: String,
}

impl Trapped {
    fn new() -> Trapped {
        let console = Console::new();
        let sandbox = &console.sandbox;
        sandbox.write(".gitattributes", "*.txt filter=trap\n");
        sandbox.write("a.txt", "one\n");
        sandbox.git(["add", "-A"]);
        sandbox.git(["commit", "-q", "-m", "attributes"]);
        let bead = console.bead("Trap", &[]);
        let here = console.start(&["--simulated"]);
        console.wait_idle(&here);
        console.ok(&["session", "pause", &here]);
        let there = console.start(&["--simulated", "--worktree", "--bead", &bead]);
        console.wait_idle(&there);
        let marker = console.sandbox.root().join("sprung");
        let trap = format!("touch '{}'; cat", marker.display());
        for key in ["filter.trap.clean", "filter.trap.smudge"] {
            console.sandbox.git(["config", key, &trap]);
        }
        console.sandbox.write("a.txt", "two\n");
        let tree = console.show(&there)["cwd"].as_str().unwrap().to_owned();
        console.sandbox.write(&format!("{tree}/a.txt"), "two\n");
        Trapped { console, marker, here, there, bead }
    }
}

#[test]
fn no_command_runs_a_filter_of_the_repository_before_it_is_allowed() {
    const TEST: &str = "no_command_runs_a_filter_of_the_repository_before_it_is_allowed";
    if need_sim(TEST).is_none() {
        return;
    }
    let Trapped { console, marker, here, there, bead } = Trapped::new();
    let asks: [&[&str]; 4] = [
        &["session", "changes", &there],
        &["session", "changes", &here],
        &["session", "start", "--simulated", "--worktree", "--branch", "second"],
        &["fleet", "review", &bead],
    ];
    let others: [&[&str]; 13] = [
        &["session", "resume", &here],
        &["worktree", "list"],
        &["session", "list"],
        &["session", "show", &there],
        &["session", "transcript", &there],
        &["session", "timeline", &there],
        &["session", "end", &there, "--preview"],
        &["fleet", "overview"],
        &["bead", "list"],
        &["bead", "show", &bead],
        &["backup"],
        &["doctor"],
        &["session", "pause", &there],
    ];
    for command in asks.into_iter().chain(others) {
        let line: Vec<&str> = command.iter().copied().chain(["--json"]).collect();
        let ran = console.run(&line);
        assert!(!marker.exists(), "{command:?} ran a filter: {ran:?}");
        if asks.contains(&command) {
            assert_eq!(ran.code, Some(4), "{command:?}: {ran:?}");
            assert!(ran.err.contains("programs_not_allowed") && ran.err.contains("hooks trust"), "{ran:?}");
        }
    }
    let tree = console.json(&["worktree", "list"]);
    assert_eq!(tree["worktrees"].as_array().map(Vec::len), Some(1), "{tree:#}");
    console.ok(&["session", "end", &there]);
    assert!(!marker.exists(), "the end ran a filter");

    let listed = console.json(&["hooks", "list"]);
    let of_git = |listed: &serde_json::Value| {
        let files = listed["files"].as_array().unwrap();
        files.iter().find(|file| file["scope"] == "git").cloned().unwrap()
    };
    let file = of_git(&listed);
    assert_eq!(file["state"], "new");
    assert!(file["text"].as_str().unwrap().starts_with("filter.trap.clean = touch "), "{file:#}");
    let allowed = console.json(&["hooks", "trust", ".git/config", "--yes"]);
    assert_eq!(of_git(&allowed)["state"], "trusted");
    console.json(&["session", "changes", &here]);
    assert!(marker.exists(), "an allowed filter does not run");

    console.sandbox.git(["config", "filter.trap.clean", "cat -u"]);
    let refused = console.run(&["session", "changes", &here, "--json"]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert_eq!(of_git(&console.json(&["hooks", "list"]))["state"], json!("changed"));
    let text = console.run(&["hooks", "list"]);
    assert!(
        text.out.contains("filter.trap.clean = cat -u") && text.out.contains("changed since"),
        "{text:?}"
    );
}
