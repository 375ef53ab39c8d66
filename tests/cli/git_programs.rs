//! Programs in a repository's git settings do not run before the user allows them.

use crate::console::{Console, need_sim};
use serde_json::json;
use std::path::PathBuf;

/// A project with a git filter that creates the file `marker` when it runs. A changed file in the main tree
/// and in a worktree makes git run the filter.
struct FilterProject {
    console: Console,
    marker: PathBuf,
    /// The paused session in the main tree.
    paused: String,
    /// The live session in a worktree, on a bead.
    live: String,
    bead: String,
}

impl FilterProject {
    fn new() -> FilterProject {
        let console = Console::new();
        let sandbox = &console.sandbox;
        sandbox.write(".gitattributes", "*.txt filter=trap\n");
        sandbox.write("a.txt", "one\n");
        sandbox.git(["add", "-A"]);
        sandbox.git(["commit", "-q", "-m", "attributes"]);
        let bead = console.bead("Trap", &[]);
        let paused = console.start(&["--simulated"]);
        console.wait_idle(&paused);
        console.ok(&["session", "pause", &paused]);
        let live = console.start(&["--simulated", "--worktree", "--bead", &bead]);
        console.wait_idle(&live);
        let marker = console.sandbox.root().join("sprung");
        let trap = format!("touch '{}'; cat", marker.display());
        for key in ["filter.trap.clean", "filter.trap.smudge"] {
            console.sandbox.git(["config", key, &trap]);
        }
        console.sandbox.write("a.txt", "two\n");
        let tree = console.show(&live)["cwd"].as_str().unwrap().to_owned();
        console.sandbox.write(&format!("{tree}/a.txt"), "two\n");
        FilterProject { console, marker, paused, live, bead }
    }
}

#[test]
fn no_command_runs_a_filter_of_the_repository_before_it_is_allowed() {
    const TEST: &str = "no_command_runs_a_filter_of_the_repository_before_it_is_allowed";
    if need_sim(TEST).is_none() {
        return;
    }
    let FilterProject { console, marker, paused, live, bead } = FilterProject::new();
    let refused_commands: [&[&str]; 4] = [
        &["session", "changes", &live],
        &["session", "changes", &paused],
        &["session", "start", "--simulated", "--worktree", "--branch", "second"],
        &["fleet", "review", &bead],
    ];
    let others: [&[&str]; 13] = [
        &["session", "resume", &paused],
        &["worktree", "list"],
        &["session", "list"],
        &["session", "show", &live],
        &["session", "transcript", &live],
        &["session", "timeline", &live],
        &["session", "end", &live, "--preview"],
        &["fleet", "overview"],
        &["bead", "list"],
        &["bead", "show", &bead],
        &["backup"],
        &["doctor"],
        &["session", "pause", &live],
    ];
    for command in refused_commands.into_iter().chain(others) {
        let line: Vec<&str> = command.iter().copied().chain(["--json"]).collect();
        let ran = console.run(&line);
        assert!(!marker.exists(), "{command:?} ran a filter: {ran:?}");
        if refused_commands.contains(&command) {
            assert_eq!(ran.code, Some(4), "{command:?}: {ran:?}");
            assert!(ran.err.contains("programs_not_allowed") && ran.err.contains("hooks trust"), "{ran:?}");
        }
    }
    let worktrees = console.json(&["worktree", "list"]);
    assert_eq!(worktrees["worktrees"].as_array().map(Vec::len), Some(1), "{worktrees:#}");
    console.ok(&["session", "end", &live]);
    assert!(!marker.exists(), "the end ran a filter");

    let listed = console.json(&["hooks", "list"]);
    let git_file = |listed: &serde_json::Value| {
        let files = listed["files"].as_array().unwrap();
        files.iter().find(|file| file["scope"] == "git").cloned().unwrap()
    };
    let file = git_file(&listed);
    assert_eq!(file["state"], "new");
    assert!(file["text"].as_str().unwrap().starts_with("filter.trap.clean = touch "), "{file:#}");
    let allowed = console.json(&["hooks", "trust", ".git/config", "--yes"]);
    assert_eq!(git_file(&allowed)["state"], "trusted");
    console.json(&["session", "changes", &paused]);
    assert!(marker.exists(), "an allowed filter does not run");

    console.sandbox.git(["config", "filter.trap.clean", "cat -u"]);
    let refused = console.run(&["session", "changes", &paused, "--json"]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert_eq!(git_file(&console.json(&["hooks", "list"]))["state"], json!("changed"));
    let text = console.run(&["hooks", "list"]);
    assert!(
        text.out.contains("filter.trap.clean = cat -u") && text.out.contains("changed since"),
        "{text:?}"
    );
}
