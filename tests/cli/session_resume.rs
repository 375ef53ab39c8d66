//! Resuming after a pause during which the project changed.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, need_sim},
};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Creates a paused session on a bead with the simulated agent, and returns its id.
fn paused(console: &Console, bead: &str, options: &[&str]) -> String {
    let line: Vec<&str> =
        ["--bead", bead, "--simulated", "--prompt", "hello"].iter().chain(options).copied().collect();
    let id = console.start(&line);
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    id
}

fn preview(console: &Console, id: &str) -> Value {
    console.json(&["session", "resume", id, "--preview"])
}

fn kinds(preview: &Value) -> Vec<&str> {
    preview["obstacles"].as_array().unwrap().iter().map(|o| o["kind"].as_str().unwrap()).collect()
}

#[test]
fn a_changed_bead_needs_a_decision() {
    if need_sim("a_changed_bead_needs_a_decision").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let id = paused(&console, &bead, &[]);
    assert_eq!(kinds(&preview(&console, &id)), Vec::<&str>::new());

    console.ok(&["bead", "submit", &bead, "--without-commit"]);
    assert_eq!(kinds(&preview(&console, &id)), ["bead_in_review"]);
    let message = console.fails(&["session", "resume", &id], "confirmation_needed", 4);
    assert!(
        message.contains("in review") && message.contains("--anyway") && message.contains("--reclaim"),
        "{message}"
    );
    assert_eq!(console.show(&id)["status"], "paused");
    console.ok(&["session", "resume", &id, "--reclaim"]);
    let shown = console.json(&["bead", "show", &bead]);
    assert_eq!(shown["bead"]["status"], "in_progress");
    assert_eq!(
        shown["bead"]["assignee"],
        format!("tester/{}", &id[..8]),
        "the session did not claim the bead again"
    );
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);

    console.ok(&["bead", "close", &bead]);
    let message = console.fails(&["session", "resume", &id], "confirmation_needed", 4);
    assert!(message.contains("was closed") && !message.contains("--reclaim"), "{message}");
    console.ok(&["session", "resume", &id, "--anyway"]);
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "closed");
    let prompt = console.wait_message("the prompt", &id, |m| {
        m["content"].as_str().is_some_and(|text| text.contains("- Bead: Mine (closed)"))
    });
    assert_eq!(prompt["role"], "user");
}

#[test]
fn a_bead_that_is_missing_or_claimed_by_another_user_needs_a_decision() {
    if need_sim("a_bead_that_is_missing_or_claimed_by_another_user_needs_a_decision").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let id = paused(&console, &bead, &[]);
    let own = format!("tester/{}", &id[..8]);
    let beads = console.sandbox.read(".beads/issues.jsonl");
    console.sandbox.write(".beads/issues.jsonl", &beads.replace(&own, "bob/12345678"));
    assert_eq!(kinds(&preview(&console, &id)), ["bead_reassigned"]);
    let message = console.fails(&["session", "resume", &id], "confirmation_needed", 4);
    assert!(message.contains("bob") && !message.contains("--reclaim"), "{message}");

    console.sandbox.write(".beads/issues.jsonl", "");
    assert_eq!(kinds(&preview(&console, &id)), ["bead_gone"]);
    console.ok(&["session", "resume", &id, "--anyway"]);
    console.ok(&["session", "end", &id]);
}

#[test]
fn outside_changes_are_listed_in_the_preview_and_the_prompt() {
    if need_sim("outside_changes_are_listed_in_the_preview_and_the_prompt").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let file = console.sandbox.project().join("src/a.rs");
    let prompt = format!(
        "[[write:{}:fn a() {{}}]] [[write:{}:mine]]",
        file.display(),
        console.sandbox.project().join("own.txt").display()
    );
    let id = console.start(&["--bead", &bead, "--simulated", "--mode", "acceptEdits", "--prompt", &prompt]);
    console.wait_message("both files", &id, |m| {
        m["tool_calls"].as_array().is_some_and(|calls| {
            calls.iter().any(|c| c["input"]["file_path"].as_str().is_some_and(|p| p.ends_with("own.txt")))
        })
    });
    console.wait_idle(&id);
    let touched =
        console.wait("the files", &id, |s| s["files_touched"].as_array().is_some_and(|f| f.len() == 2));
    assert_eq!(touched["files_touched"], json!(["src/a.rs", "own.txt"]));
    console.ok(&["session", "pause", &id]);
    let nothing = preview(&console, &id);
    assert_eq!(nothing["changes"]["commits"], json!([]), "{nothing:#}");
    assert_eq!(nothing["changes"]["files"], json!([]), "{nothing:#}");
    assert!(nothing["prompt"].as_str().unwrap().contains("- Changes since pause: none"), "{nothing:#}");
    let own = |tree: &Value| tree.as_array().unwrap().iter().all(|file| file["before_pause"] == true);
    assert!(own(&nothing["changes"]["tree"]), "{nothing:#}");

    // The user and another person commit on the branch and on main, and one of the session's files is
    // changed.
    let branch = console.show(&id)["branch"].as_str().unwrap().to_owned();
    console.sandbox.write("other.txt", "x");
    console.sandbox.git(["add", "other.txt"]);
    console.sandbox.git([
        "commit",
        "-q",
        "-m",
        "by another user on the branch",
        "--author=Bob <bob@example.org>",
    ]);
    console.sandbox.git(["commit", "-q", "--allow-empty", "-m", "by the user"]);
    console.sandbox.git(["worktree", "add", "-q", "../main-tree", "main"]);
    console.sandbox.git([
        "-C",
        "../main-tree",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "by another user on main",
    ]);
    console.sandbox.write("src/a.rs", "fn a() { changed }");
    console.sandbox.write("later.txt", "new");
    let shown = preview(&console, &id);
    let subjects = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|c| c["subject"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(subjects(&shown["changes"]["commits"]), ["by another user on the branch", "by the user"]);
    let commits = shown["changes"]["commits"].as_array().unwrap();
    assert_eq!(shown["changes"]["user_commits"], json!([commits[1]["hash"]]));
    let text = console.ok(&["session", "resume", &id, "--preview"]);
    let (others, yours) = ("commits on its branch by others", "your commits on its branch");
    let position = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in\n{text}"));
    assert!(position(yours) < position("by the user"), "{text}");
    assert!(position("by the user") < position(others), "{text}");
    assert!(position(others) < position("by another user on the branch"), "{text}");
    assert_eq!(
        (&shown["changes"]["base"], subjects(&shown["changes"]["base_commits"])),
        (&json!("main"), vec!["by another user on main".to_owned()])
    );
    assert_eq!(shown["changes"]["files"], json!([{"path": "src/a.rs", "change": "modified"}]));
    let tree = shown["changes"]["tree"].as_array().unwrap();
    assert!(
        tree.contains(&json!({"path": "later.txt", "change": "new", "before_pause": false})),
        "{tree:#?}"
    );
    assert!(tree.contains(&json!({"path": "own.txt", "change": "new", "before_pause": true})), "{tree:#?}");
    assert!(tree.iter().all(|file| file["path"] != "src/a.rs"), "a file is listed twice: {tree:#?}");
    assert_eq!(
        text.matches("src/a.rs").count(),
        1 + shown["prompt"].as_str().unwrap().matches("src/a.rs").count(),
        "{text}"
    );
    assert_eq!(shown["folder"]["branch"], json!(branch));

    console.ok(&["session", "resume", &id]);
    let prompt = console.wait_message("the resume prompt", &id, |m| {
        m["content"].as_str().is_some_and(|text| text.starts_with("You are resuming a paused session."))
    });
    let prompt = prompt["content"].as_str().unwrap();
    for part in [
        "by another user on the branch",
        "commit by the user",
        "commit on main",
        "src/a.rs was modified",
        "later.txt is new",
    ] {
        assert!(prompt.contains(part), "{part} is not in\n{prompt}");
    }
}

#[test]
fn a_conversation_lost_by_claude_continues_from_our_record() {
    let test = "a_conversation_lost_by_claude_continues_from_our_record";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--prompt", "remember the number 4711"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: remember the number 4711");
    console.wait_idle(&id);
    let session = console.json(&["session", "pause", &id]);
    let before = console.messages(&id);
    fs::remove_file(session["claude_sessions"][0]["transcript_path"].as_str().unwrap()).unwrap();

    let shown = preview(&console, &id);
    assert_eq!(shown["conversation"], "primed", "{shown:#}");
    assert!(shown["prompt"].as_str().unwrap().contains("remember the number 4711"), "{shown:#}");
    let resumed = console.json(&["session", "resume", &id]);
    assert!(resumed["warnings"].to_string().contains("no longer has this conversation"), "{resumed:#}");
    let request = api.wait_for("You are resuming a paused session.", TIMEOUT);
    assert!(request.seen().contains("User: remember the number 4711"), "{}", request.seen());
    console.wait_message("the prompt of the resume", &id, |m| {
        m["content"].as_str().is_some_and(|text| text.starts_with("You are resuming a paused session."))
    });
    console.wait_idle(&id);
    let after = console.messages(&id);
    assert_eq!(after[..before.len()], before[..], "recorded messages were changed");
    assert_eq!(console.show(&id)["claude_sessions"].as_array().map(Vec::len), Some(2));
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_missing_worktree_is_recreated_in_place() {
    if need_sim("a_missing_worktree_is_recreated_in_place").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let id = paused(&console, &bead, &["--worktree"]);
    let cwd = console.show(&id)["cwd"].as_str().unwrap().to_owned();
    fs::remove_dir_all(&cwd).unwrap();
    let shown = preview(&console, &id);
    assert!(
        shown["folder"]["action"].as_str().is_some_and(|text| text.contains("created again")),
        "{shown:#}"
    );
    let resumed = console.json(&["session", "resume", &id]);
    assert!(resumed["warnings"].to_string().contains("created again"), "{resumed:#}");
    let session = console.wait_idle(&id);
    assert_eq!((session["cwd"].as_str(), Path::new(&cwd).is_dir()), (Some(cwd.as_str()), true));
    assert_eq!(
        console.sandbox.git(["-C", &cwd, "branch", "--show-current"]),
        session["branch"].as_str().unwrap()
    );
}

#[test]
fn a_missing_or_different_branch_needs_a_decision() {
    if need_sim("a_missing_or_different_branch_needs_a_decision").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let id = paused(&console, &bead, &["--worktree"]);
    let session = console.show(&id);
    let (cwd, branch) = (session["cwd"].as_str().unwrap(), session["branch"].as_str().unwrap());
    let refused = |options: &[&str], code: &str| {
        let line: Vec<&str> = ["session", "resume", &id].iter().chain(options).copied().collect();
        console.fails(&line, code, 4)
    };

    console.sandbox.git(["-C", cwd, "checkout", "-q", "-b", "elsewhere"]);
    assert_eq!(kinds(&preview(&console, &id)), ["other_branch"]);
    let message = refused(&[], "confirmation_needed");
    assert!(message.contains("elsewhere") && message.contains("--place"), "{message}");
    console.ok(&["session", "resume", &id, "--place", "restore"]);
    assert_eq!(console.sandbox.git(["-C", cwd, "branch", "--show-current"]), branch);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);

    console.sandbox.git(["-C", cwd, "checkout", "-q", "elsewhere"]);
    console.ok(&["session", "resume", &id, "--place", "stay"]);
    assert_eq!(console.show(&id)["branch"], "elsewhere");
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);

    fs::remove_dir_all(cwd).unwrap();
    console.sandbox.git(["worktree", "prune"]);
    console.sandbox.git(["branch", "-q", "-D", "elsewhere"]);
    assert_eq!(kinds(&preview(&console, &id)), ["branch_gone"]);
    refused(&[], "confirmation_needed");
    refused(&["--place", "worktree"], "confirmation_needed");
    console.ok(&["session", "resume", &id, "--place", "restore"]);
    let session = console.wait_idle(&id);
    let cwd = session["cwd"].as_str().unwrap();
    assert_eq!(console.sandbox.git(["-C", cwd, "branch", "--show-current"]), "elsewhere");
}

#[test]
fn a_branch_switch_overwrites_no_uncommitted_changes() {
    if need_sim("a_branch_switch_overwrites_no_uncommitted_changes").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Mine", &[]);
    let id = paused(&console, &bead, &[]);
    let branch = console.show(&id)["branch"].as_str().unwrap().to_owned();
    console.sandbox.git(["checkout", "-q", "main"]);
    // If nothing prevents the switch, the branch is checked out again automatically, and the preview says so.
    let shown = preview(&console, &id);
    assert_eq!((kinds(&shown).len(), shown["folder"]["action"].is_string()), (0, true), "{shown:#}");
    console.sandbox.write("README.md", "# Changed on main\n");
    assert_eq!(kinds(&preview(&console, &id)), ["other_branch"]);
    console.fails(&["session", "resume", &id], "confirmation_needed", 4);
    console.ok(&["session", "resume", &id, "--place", "worktree"]);
    let session = console.wait_idle(&id);
    assert_eq!((&session["worktree"], &session["branch"]), (&json!(true), &json!(branch)));
    assert_eq!(console.sandbox.read("README.md"), "# Changed on main\n");
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), "main");
}

#[test]
fn a_moved_project_continues_at_its_new_path() {
    let test = "a_moved_project_continues_at_its_new_path";
    let Some((console, api)) = with_claude(Console::in_sandbox(Sandbox::new()).with_beads(), test) else {
        return;
    };
    let (one, two) = (console.bead("One", &[]), console.bead("Two", &[]));
    let start = |bead: &str, options: &[&str], prompt: &str| {
        let line: Vec<&str> = ["--bead", bead, "--prompt", prompt].iter().chain(options).copied().collect();
        let id = console.start(&line);
        console.wait_message("an answer", &id, |m| m["content"] == format!("Reply to: {prompt}"));
        console.wait_idle(&id);
        console.ok(&["session", "pause", &id]);
        id
    };
    let in_main_tree = start(&one, &[], "in the repository");
    let in_worktree = start(&two, &["--worktree"], "in the worktree");
    let worktree = console.show(&in_worktree)["cwd"].as_str().unwrap().to_owned();
    let moved = console.sandbox.project().with_file_name("moved");
    fs::rename(console.sandbox.project(), &moved).unwrap();
    fs::create_dir(console.sandbox.project()).unwrap();
    console.sandbox.seed_claude(&[moved.as_path(), Path::new(&worktree)]);
    let project = moved.to_str().unwrap();
    let json = |line: &[&str]| {
        let line: Vec<&str> = ["--project", project].iter().chain(line).copied().collect();
        console.json(&line)
    };
    let shown = json(&["session", "resume", &in_main_tree, "--preview"]);
    assert_eq!(shown["folder"]["cwd"], json!(project), "{shown:#}");
    let resumed = json(&["session", "resume", &in_main_tree]);
    assert!(resumed["warnings"].to_string().contains("no longer exists"), "{resumed:#}");
    assert_eq!(resumed["session"]["cwd"], json!(project));
    let request = api.wait_for("You are resuming a paused session.", TIMEOUT);
    assert!(
        request.seen().contains("in the repository"),
        "the conversation was not continued: {}",
        request.seen()
    );

    let shown = json(&["session", "resume", &in_worktree, "--preview"]);
    assert!(shown["folder"]["action"].as_str().is_some_and(|text| text.contains("connected")), "{shown:#}");
    let resumed = json(&["session", "resume", &in_worktree]);
    assert_eq!(resumed["session"]["cwd"], json!(worktree), "{resumed:#}");
    for id in [&in_main_tree, &in_worktree] {
        json(&["session", "end", id]);
    }
}
