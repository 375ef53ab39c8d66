//! The merge queue with agents: their work is reviewed, approved and merged, or sent back with the reason.

use crate::{console::need_sim, hooks::own_hooks, merging::Queue, serve::RunningServer};
use bc_testkit::{wait_for, wait_until};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, thread, time::Duration};

const TIMEOUT: Duration = Duration::from_secs(120);

/// Starts a session of the simulated agent in a worktree, and commits to its branch. Returns the bead, the session
/// and the worktree.
fn session_with_commit(queue: &Queue, title: &str, file: &str, text: &str) -> (String, String, PathBuf) {
    let console = &queue.console;
    let bead = console.bead(title, &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--worktree"]);
    let worktree = PathBuf::from(console.show(&id)["cwd"].as_str().unwrap());
    commit(queue, &worktree, file, text, title);
    (bead, id, worktree)
}

fn commit(queue: &Queue, worktree: &std::path::Path, file: &str, text: &str, subject: &str) {
    let sandbox = &queue.console.sandbox;
    let path = worktree.to_str().unwrap();
    sandbox.write(worktree.join(file).to_str().unwrap(), text);
    sandbox.git(["-C", path, "add", "-A"]);
    sandbox.git(["-C", path, "commit", "-q", "-m", subject]);
}

fn agent_queue(test: &str) -> Option<Queue> {
    need_sim(test)?;
    let queue = Queue::new();
    queue.set("simulated", &["on"]);
    queue.set("merge_target", &["main"]);
    Some(queue)
}

#[test]
fn exactly_the_reviewed_commit_is_merged() {
    let Some(queue) = agent_queue("exactly_the_reviewed_commit_is_merged") else { return };
    let console = &queue.console;
    let (bead, id, worktree) = session_with_commit(&queue, "Fix the lock", "lock", "one\ntwo\n");
    console.sandbox.write(worktree.join("left").to_str().unwrap(), "in no commit\n");
    let review = console.json(&["fleet", "review", &bead]);
    assert_eq!(
        (&review["title"], &review["target"], &review["session"]),
        (&json!("Fix the lock"), &json!("main"), &json!(id))
    );
    assert_eq!(review["commits"].as_array().unwrap().len(), 1);
    let file = &review["files"][0];
    assert_eq!(
        (&file["path"], &file["change"], &file["added"]),
        (&json!("lock"), &json!("added"), &json!(2))
    );
    assert_eq!(file["diff"], "@@ -0,0 +1,2 @@\n+one\n+two\n");
    assert_eq!(review["uncommitted"], json!(["left"]));
    let text = console.ok(&["fleet", "review", &bead, "--diff"]);
    assert!(text.contains("A lock +2 -0") && text.contains("+two") && text.contains("left"), "{text}");
    let seen = review["tip"].as_str().unwrap().to_owned();
    commit(&queue, &worktree, "more", "more\n", "more");
    let refused = console.fails(&["fleet", "approve", &bead, "--tip", &seen], "queue_state", 4);
    assert!(refused.contains("has changed since the review"), "{refused}");
    let now = console.json(&["fleet", "review", &bead])["tip"].as_str().unwrap().to_owned();
    console.ok(&["fleet", "approve", &bead, "--tip", &now]);
    // The approval does not cover a later commit.
    commit(&queue, &worktree, "late", "late\n", "late");
    console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let request = queue.state()["blocked"].as_str().unwrap().to_owned();
    assert_eq!(queue.row(&request)["trouble"]["kind"], "not_approved");
    assert_ne!(queue.subjects("main")[0], "late");
    console.ok(&["fleet", "approve", &bead]);
    console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.bead_status(&bead), "closed");
    assert_eq!(queue.subjects("main")[..3], ["late", "more", "Fix the lock"]);
    assert_eq!(console.json(&["fleet", "review", &bead])["request"]["status"], "merged");
    console.ok(&["session", "end", &id]);
}

#[test]
fn open_project_merges_waiting_requests_and_stops_checks_of_cancelled_ones() {
    let queue = Queue::new();
    let serving = RunningServer::start(&queue.console);
    let page = crate::serve::enter(serving.line["url"].as_str().unwrap()).unwrap();
    assert!(crate::serve::rpc(&page, "app.info", json!({})).is_object());
    let (one, two) = (queue.work("One", "a", "one\n"), queue.work("Two", "b", "two\n"));
    let pid_file = queue.console.sandbox.root().join("pid");
    let hangs = format!("echo $$ > {}; exec sleep 1000", pid_file.display());
    queue.set("merge_check", &[&queue.script("hangs", &hangs)]);
    let first = queue.add(&one.0, &one.1);
    let pid: Value = wait_for("the check to begin", TIMEOUT, || {
        serde_json::from_str(&std::fs::read_to_string(&pid_file).ok()?).ok()
    });
    queue.set("merge_check", &["default"]);
    let second = queue.add(&two.0, &two.1);
    queue.console.ok(&["fleet", "queue", "cancel", &first]);
    let merged = || (queue.row(&second)["status"] == "merged").then_some(());
    wait_for("the second request to be merged", TIMEOUT, merged);
    assert!(!crate::simulated_sessions::alive(&pid), "the check of the cancelled request still runs");
    assert_eq!(queue.subjects("main")[0], "Two");
    assert!(!queue.subjects("main").contains(&"One".to_owned()));
    assert_eq!(queue.bead_status(&two.0), "closed");
    drop(serving);
}

#[test]
fn a_blocked_merge_returns_to_its_agent_and_is_merged_once_solved() {
    let Some(queue) = agent_queue("a_blocked_merge_returns_to_its_agent_and_is_merged_once_solved") else {
        return;
    };
    let console = &queue.console;
    let (bead, id, worktree) = session_with_commit(&queue, "Theirs", "shared", "1\ntheirs\n3\n");
    queue.commit("main", "main", "shared", "1\nours\n3\n", "Ours");
    console.ok(&["fleet", "approve", &bead]);
    console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let request = queue.state()["blocked"].as_str().unwrap().to_owned();
    console.wait_idle(&id);
    let sent = console.json(&["fleet", "queue", "send-back", &request]);
    assert_eq!((&sent["session"], &sent["how"]), (&json!(id), &json!("told")));
    console.wait_message("the reason in the agent's conversation", &id, |message| {
        let text = message["content"].as_str().unwrap_or_default();
        message["role"] == "user" && text.contains("CONFLICT (content)") && text.contains("shared (1)")
    });
    assert_eq!(queue.row(&request)["skipped"], true);
    // The agent resolves the conflict. When the request is approved again, it keeps its position.
    let path = worktree.to_str().unwrap();
    console.sandbox.git(["-C", path, "reset", "-q", "--hard", "main"]);
    commit(&queue, &worktree, "shared", "1\nours and theirs\n3\n", "Both");
    console.ok(&["fleet", "approve", &bead]);
    console.ok(&["fleet", "queue", "run"]);
    assert_eq!(
        (queue.row(&request)["status"].as_str(), queue.subjects("main")[0].as_str()),
        (Some("merged"), "Both")
    );
    // If the session has ended, requested changes start a new session on its branch.
    console.ok(&["session", "end", &id]);
    let (bead, id, _) = session_with_commit(&queue, "Another", "c", "c\n");
    console.ok(&["session", "end", &id]);
    console.ok(&["fleet", "approve", &bead]);
    let sent = console.json(&["fleet", "request-changes", &bead, "Please add a test."]);
    assert_eq!(sent["how"], "started");
    console.ok(&["fleet", "queue", "run"]);
    assert_ne!(queue.subjects("main")[0], "Another", "a branch with requested changes was merged");
    let new = sent["session"].as_str().unwrap();
    console.wait_message("the requested changes", new, |message| {
        message["content"].as_str().is_some_and(|text| text.contains("Please add a test."))
    });
    assert_eq!(console.show(new)["branch"], console.show(&id)["branch"]);
    console.ok(&["session", "end", new]);
}

#[test]
fn feedback_during_a_sessions_end_reaches_the_next_session() {
    let Some(queue) = agent_queue("feedback_during_a_sessions_end_reaches_the_next_session") else {
        return;
    };
    let console = &queue.console;
    let hook = "if [ -e wait ]; then touch ending; until [ -e go ]; do sleep 0.05; done; fi";
    own_hooks(console, &[("sessionEnd", hook)]);
    let serving = RunningServer::start(console);
    let folder = console.sandbox.project();
    for (end, how) in [("pause", "resumed"), ("end", "started")] {
        let (bead, id, _) = session_with_commit(&queue, how, how, "done\n");
        console.wait_idle(&id);
        console.sandbox.write("wait", "");
        let sent = thread::scope(|scope| {
            scope.spawn(|| console.ok(&["session", end, &id]));
            wait_until("the end to begin", TIMEOUT, || folder.join("ending").exists());
            console.fails(&["session", "send", &id, "too late"], "session_state", 4);
            let sent =
                scope.spawn(|| console.json(&["fleet", "request-changes", &bead, "Please add a test."]));
            console.fails(&["session", "send", &id, "too late as well"], "session_state", 4);
            console.sandbox.write("go", "");
            sent.join().unwrap()
        });
        for sign in ["wait", "ending", "go"] {
            fs::remove_file(folder.join(sign)).unwrap();
        }
        assert_eq!(sent["how"], how, "{sent:#}");
        let receiver = sent["session"].as_str().unwrap();
        assert_eq!(receiver == id, how == "resumed");
        console.wait_message("the requested changes", receiver, |message| {
            message["content"].as_str().is_some_and(|text| text.contains("Please add a test."))
        });
        console.ok(&["session", "end", receiver]);
    }
    drop(serving);
}

#[test]
fn work_finished_without_an_engine_is_queued_later() {
    let Some(queue) = agent_queue("work_finished_without_an_engine_is_queued_later") else { return };
    let console = &queue.console;
    queue.set("merge_review", &["false"]);
    queue.set("min_free_mib", &["0"]);
    console.bead("Fix the lock", &[]);
    console.ok(&["fleet", "agent", "create", "polecat"]);
    let given = console.json(&["fleet", "dispatch", "--all"])["given"][0].clone();
    let [agent, bead, id] =
        ["agent", "bead", "session_id"].map(|field| given[field].as_str().unwrap().to_owned());
    console.wait_idle(&id);
    let worktree = PathBuf::from(console.show(&id)["cwd"].as_str().unwrap());
    commit(&queue, &worktree, "lock", "one\n", "Fix the lock");
    // Recreates the state after a kill between the completion of the work and its addition to the queue: the
    // assignment no longer names the branch.
    console.ok(&["session", "pause", &id]);
    console.ok(&["fleet", "hook", "complete", &agent]);
    assert_eq!(queue.state()["rows"], json!([]));
    console.ok(&["fleet", "dispatch", "--all"]);
    let rows = queue.state()["rows"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["bead"]), (1, &json!(bead)), "{rows:#}");
    assert_eq!(console.show(&id)["status"], "closed");
    assert_eq!(console.json(&["fleet", "overview"])["agents"][0]["hook"], "empty");
}
