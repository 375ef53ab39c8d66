//! Tests the merge queue (`fleet queue …`) with real git, while the user has uncommitted work.

use crate::{console::Console, simulated_sessions::alive};
use serde_json::Value;
use std::{fs, path::PathBuf};

/// A project with a merge queue into `main`. The user is on branch `mine`, with staged, changed and new files.
pub(crate) struct Queue {
    pub(crate) console: Console,
}

impl Queue {
    pub(crate) fn new() -> Queue {
        Queue::of(Console::new())
    }

    pub(crate) fn of(console: Console) -> Queue {
        let queue = Queue { console };
        let sandbox = &queue.console.sandbox;
        for file in ["shared", "staged", "changed"] {
            sandbox.write(file, "1\n2\n3\n");
        }
        sandbox.git(["add", "shared", "staged", "changed"]);
        sandbox.git(["commit", "-q", "-m", "before"]);
        sandbox.git(["checkout", "-q", "-b", "mine"]);
        sandbox.write("staged", "staged\n");
        sandbox.git(["add", "staged"]);
        sandbox.write("changed", "uncommitted\n");
        sandbox.write("canary", "untracked\n");
        queue
    }

    /// Creates a bead and a branch with one commit on top of main, which writes this text to a file.
    pub(crate) fn work(&self, title: &str, file: &str, text: &str) -> (String, String) {
        let bead = self.console.bead(title, &[]);
        let branch = format!("work/{bead}");
        self.commit(&branch, "main", file, text, title);
        (bead, branch)
    }

    /// Commits to a branch in a worktree, as an agent would.
    pub(crate) fn commit(&self, branch: &str, from: &str, file: &str, text: &str, subject: &str) {
        let sandbox = &self.console.sandbox;
        let folder = sandbox.root().join("agents-worktree");
        let path = folder.to_str().unwrap();
        match self.tip(branch) {
            Some(_) => sandbox.git(["worktree", "add", "-q", "--force", path, branch]),
            None => sandbox.git(["worktree", "add", "-q", "-b", branch, path, from]),
        };
        sandbox.write(folder.join(file).to_str().unwrap(), text);
        sandbox.git(["-C", path, "add", "-A"]);
        sandbox.git(["-C", path, "commit", "-q", "-m", subject]);
        sandbox.git(["worktree", "remove", "--force", path]);
    }

    pub(crate) fn add(&self, bead: &str, branch: &str) -> String {
        let state =
            self.console.json(&["fleet", "queue", "add", bead, "--source", branch, "--target", "main"]);
        let rows = state["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["bead"] == bead).expect("the bead is in the queue");
        row["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn set(&self, key: &str, words: &[&str]) {
        let line: Vec<&str> = ["fleet", "settings", key].iter().chain(words).copied().collect();
        self.console.ok(&line);
    }

    pub(crate) fn state(&self) -> Value {
        self.console.json(&["fleet", "queue", "list"])
    }

    pub(crate) fn row(&self, id: &str) -> Value {
        let state = self.state();
        let rows = state["rows"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id} in {state:#}")).clone()
    }

    pub(crate) fn tip(&self, branch: &str) -> Option<String> {
        let mut git = self.console.sandbox.command("git");
        git.args(["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")]);
        let done = git.output().unwrap();
        done.status.success().then(|| String::from_utf8(done.stdout).unwrap().trim().to_owned())
    }

    pub(crate) fn subjects(&self, branch: &str) -> Vec<String> {
        let log = self.console.sandbox.git(["log", "--format=%s", branch]);
        log.lines().map(str::to_owned).collect()
    }

    /// The user's state, which no merge may change: files, index and the checked-out branch.
    pub(crate) fn user_state(&self) -> String {
        let sandbox = &self.console.sandbox;
        let files = ["shared", "staged", "changed", "canary"].map(|file| sandbox.read(file));
        let staged = sandbox.git(["diff", "--cached"]);
        let status = sandbox.git(["status", "--porcelain", "--", "shared", "staged", "changed", "canary"]);
        let head = sandbox.git(["symbolic-ref", "HEAD"]) + &sandbox.git(["rev-parse", "HEAD"]);
        format!("{files:?}\n{staged}{status}{head}")
    }

    pub(crate) fn bead_status(&self, bead: &str) -> String {
        self.console.json(&["bead", "show", bead])["bead"]["status"].as_str().unwrap().to_owned()
    }

    pub(crate) fn script(&self, name: &str, body: &str) -> String {
        self.console.sandbox.script(name, body).to_str().unwrap().to_owned()
    }

    pub(crate) fn log_folder(&self) -> PathBuf {
        self.console.sandbox.home().join(".local/state/beads-console/merges")
    }
}

#[test]
fn branches_are_merged_in_order_without_touching_the_users_files() {
    let queue = Queue::new();
    let (one, two) = (queue.work("One", "a", "one\n"), queue.work("Two", "b", "two\n"));
    let check = queue.script("check", "test -f shared && ls && echo checked");
    queue.set("merge_check", &[&check]);
    let ids = [queue.add(&one.0, &one.1), queue.add(&two.0, &two.1)];
    let before = queue.user_state();
    let shown = queue.console.ok(&["fleet", "queue", "run"]);
    assert!(shown.contains("checked") && shown.contains("done"), "{shown}");
    assert_eq!(queue.user_state(), before);
    assert_eq!(queue.subjects("main")[..2], ["Two", "One"]);
    for (id, (bead, branch)) in ids.iter().zip([&one, &two]) {
        let row = queue.row(id);
        assert_eq!((row["status"].as_str(), row["note"].as_str()), (Some("merged"), None), "{row:#}");
        assert_eq!(queue.bead_status(bead), "closed");
        assert_eq!(queue.subjects(branch).len(), 3, "an agent's branch was moved");
        let file = fs::read_to_string(
            queue.console.sandbox.project().join(format!(".chipset/state/merge-queue/{id}.json")),
        );
        assert!(file.unwrap().contains("\"status\": \"merged\""));
    }
    assert_eq!(queue.row(&ids[1])["commit"].as_str(), queue.tip("main").as_deref());
    let output = queue.console.json(&["fleet", "queue", "output", &ids[0]]);
    assert!(output["text"].as_str().unwrap().contains("checked"), "{output}");
    assert_eq!(output["live"], false);
    let into_itself = ["fleet", "queue", "add", &one.0, "--source", &one.1, "--target", &one.1];
    assert!(queue.console.fails(&into_itself, "usage", 2).contains("into itself"));
    assert_eq!(queue.row(&ids[0])["title"], "One");
}

#[test]
fn conflict_blocks_the_queue_with_its_exact_output() {
    let queue = Queue::new();
    let (one, two) = (queue.work("One", "shared", "1\none\n3\n"), queue.work("Two", "shared", "1\ntwo\n3\n"));
    let three = queue.work("Three", "c", "three\n");
    let [_, second, third] = [&one, &two, &three].map(|(bead, branch)| queue.add(bead, branch));
    let before = queue.user_state();
    let refused = queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert!(refused.contains(&second), "{refused}");
    let row = queue.row(&second);
    assert_eq!(
        (row["status"].as_str(), row["trouble"]["kind"].as_str()),
        (Some("conflicted"), Some("conflict"))
    );
    assert_eq!(row["trouble"]["files"], serde_json::json!([{"path": "shared", "conflicts": 1}]));
    assert!(
        row["trouble"]["output"].as_str().unwrap().contains("CONFLICT (content): Merge conflict in shared")
    );
    assert_eq!(queue.state()["blocked"], second.as_str());
    assert_eq!(queue.row(&third)["status"], "pending", "a later request was merged before the blocked one");
    assert_eq!(queue.subjects("main")[0], "One");
    // After the blocked request is skipped, the next request is merged. Once its conflict is resolved, the
    // skipped request is also merged.
    queue.console.ok(&["fleet", "queue", "skip", &second]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[0], "Three");
    queue.console.sandbox.git(["branch", "-f", &two.1, "main"]);
    queue.commit(&two.1, "main", "shared", "1\none and two\n3\n", "Two, solved");
    queue.console.ok(&["fleet", "queue", "retry", &second]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[0], "Two, solved");
    assert_eq!(queue.user_state(), before);
}

#[test]
fn user_decisions_persist_and_invalid_ones_are_refused() {
    let queue = Queue::new();
    let works = ["One", "Two", "Three"].map(|title| queue.work(title, title, title));
    let ids = works.each_ref().map(|(bead, branch)| queue.add(bead, branch));
    assert_eq!(queue.add(&works[0].0, &works[0].1), ids[0], "a pending request keeps its id");
    queue.console.ok(&["fleet", "queue", "move", &ids[2], "--before", &ids[0]]);
    queue.console.ok(&["fleet", "queue", "cancel", &ids[1]]);
    queue.console.ok(&["fleet", "queue", "pause"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[0], "before", "a paused queue has merged a branch");
    queue.console.ok(&["fleet", "queue", "resume"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[..2], ["One", "Three"]);
    queue.console.fails(&["fleet", "queue", "cancel", &ids[0]], "queue_state", 4);
    queue.console.fails(&["fleet", "queue", "retry", &ids[1]], "merge_not_found", 3);
    queue.console.fails(&["fleet", "queue", "send-back", &ids[0]], "queue_state", 4);
    queue.console.fails(&["fleet", "queue", "skip", "../../x"], "usage", 2);
    let (bead, branch) = &works[0];
    queue.console.fails(&["fleet", "queue", "add", bead, "--source", "nowhere"], "git_failed", 1);
    queue.console.sandbox.git(["branch", "-f", branch, "main"]);
    let message = queue.console.fails(
        &["fleet", "queue", "add", bead, "--source", branch, "--target", "main"],
        "branch_invalid",
        2,
    );
    assert!(message.contains("no commit"), "{message}");
}

#[test]
fn checked_out_target_moves_only_with_permission_and_keeps_uncommitted_changes() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let sandbox = &queue.console.sandbox;
    sandbox.git(["checkout", "-q", "main"]);
    let id = queue.add(&bead, &branch);
    let (before, tip) = (queue.user_state(), queue.tip("main"));
    // A refused retry leaves the settings unchanged.
    queue.console.fails(&["fleet", "queue", "retry", &id, "--follow"], "queue_state", 4);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let trouble = &queue.row(&id)["trouble"];
    assert_eq!(trouble["kind"], "checked_out");
    assert!(trouble["text"].as_str().unwrap().contains(sandbox.project().to_str().unwrap()), "{trouble}");
    assert_eq!((queue.user_state(), queue.tip("main")), (before, tip));
    // An uncommitted change prevents the update.
    sandbox.write("a", "mine\n");
    queue.console.ok(&["fleet", "queue", "retry", &id, "--follow"]);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let trouble = &queue.row(&id)["trouble"];
    assert_eq!(trouble["kind"], "not_followed", "{trouble}");
    assert!(trouble["output"].as_str().unwrap().contains('a'), "{trouble}");
    assert_eq!(sandbox.read("a"), "mine\n");
    fs::remove_file(sandbox.project().join("a")).unwrap();
    queue.console.ok(&["fleet", "queue", "retry", &id, "--follow"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(sandbox.read("a"), "one\n");
    assert_eq!(
        (sandbox.read("changed"), sandbox.read("canary")),
        ("uncommitted\n".into(), "untracked\n".into())
    );
    assert!(sandbox.git(["diff", "--cached", "--name-only"]).contains("staged"));
    assert_eq!(queue.row(&id)["status"], "merged");
    // The user's choice is saved outside the repository, so the next merge does not ask.
    assert_eq!(queue.console.json(&["fleet", "settings"])["merge_checked_out"], "follow");
    let (bead, branch) = queue.work("Two", "b", "two\n");
    let id = queue.add(&bead, &branch);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!((queue.row(&id)["status"].as_str(), sandbox.read("b").as_str()), (Some("merged"), "two\n"));
}

#[test]
fn failing_hanging_or_flooding_check_blocks_the_queue_and_is_cleaned_up() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let tip = queue.tip("main");
    let run_check = |check: &str| {
        queue.set("merge_check", &[check]);
        if queue.row(&id)["status"] == "conflicted" {
            queue.console.ok(&["fleet", "queue", "retry", &id]);
        }
        queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
        assert_eq!(queue.tip("main"), tip);
        let trouble = queue.row(&id)["trouble"].clone();
        (trouble["kind"].as_str().unwrap().to_owned(), trouble["output"].as_str().unwrap().to_owned())
    };
    let (failed, output) = run_check(&queue.script("fails", "echo '\x1b[31mred'; echo no >&2; exit 3"));
    assert_eq!((failed.as_str(), output.as_str()), ("check_failed", "red\nno"));
    assert_eq!(run_check("/nowhere/check").0, "check_not_run");
    // The check's background processes are terminated with it.
    let pid = queue.console.sandbox.root().join("pid");
    let forks = format!(
        "setsid sh -c 'echo $$ > {}; exec sleep 1000' & while test ! -s {0}; do :; done; exit 1",
        pid.display()
    );
    assert_eq!(run_check(&queue.script("forks", &forks)).0, "check_failed");
    let process = fs::read_to_string(&pid).unwrap();
    assert!(!alive(&serde_json::from_str(&process).unwrap()), "the check left process {process}");
    // Only a part of the 1 GB of output is saved.
    let (loud, output) = run_check(
        &queue
            .script("loud", "echo first; head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo last; exit 1"),
    );
    assert!(loud == "check_failed" && output.ends_with("last"), "{loud} {}", output.len());
    assert!(size(&queue.log_folder()) < 4 << 20, "{}", size(&queue.log_folder()));
    let text = queue.console.ok(&["fleet", "queue", "output", &id]);
    assert!(text.contains("first") && text.contains("bytes omitted") && text.contains("last"));
    queue.set("merge_check_minutes", &["0"]);
    assert_eq!(run_check(&queue.script("hangs", "sleep 1000 & exec sleep 1000")).0, "check_timed_out");
}

fn size(folder: &std::path::Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let of = |entry: fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => size(&entry.path()),
        false => entry.metadata().unwrap().len(),
    };
    entries.map(of).sum()
}

#[test]
fn missing_branches_and_an_unusable_worktree_folder_are_reported() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let sandbox = &queue.console.sandbox;
    let run_queue = || {
        queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
        let kind = queue.row(&id)["trouble"]["kind"].as_str().unwrap().to_owned();
        queue.console.ok(&["fleet", "queue", "retry", &id]);
        kind
    };
    sandbox.git(["branch", "-m", "main", "elsewhere"]);
    assert_eq!(run_queue(), "no_target");
    sandbox.git(["branch", "-m", "elsewhere", "main"]);
    sandbox.git(["branch", "-m", &branch, "gone"]);
    assert_eq!(run_queue(), "no_source");
    sandbox.git(["branch", "-m", "gone", &branch]);
    // The folder for worktrees cannot be created, because its parent is a file.
    sandbox.write(sandbox.root().join("full").to_str().unwrap(), "");
    queue.set("worktree_dir", &[sandbox.root().join("full/below").to_str().unwrap()]);
    assert_eq!(run_queue(), "no_worktree");
    queue.set("worktree_dir", &["default"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.row(&id)["status"], "merged");
}

#[test]
fn moved_target_is_merged_again_and_never_reset() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    // Another user commits to the target during the first check, and in the second case during every check.
    let project = queue.console.sandbox.project().display().to_string();
    let moves = format!(
        "cd '{project}' && new=$(git commit-tree -p main -m theirs main^{{tree}}) && git update-ref refs/heads/main $new"
    );
    let once = queue.script("once", &format!("test -e ../moved && exit 0; touch ../moved; {moves}"));
    queue.set("merge_check", &[&once]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[..2], ["One", "theirs"]);
    assert_eq!(queue.row(&id)["status"], "merged");
    let (bead, branch) = queue.work("Two", "b", "two\n");
    let id = queue.add(&bead, &branch);
    queue.set("merge_check", &[&queue.script("each", &moves)]);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert_eq!(queue.row(&id)["trouble"]["kind"], "target_moves");
    assert_eq!(queue.subjects("main")[0], "theirs");
}

#[test]
fn commits_during_the_check_are_merged_too() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let project = queue.console.sandbox.project().display().to_string();
    // The agent commits again during the check.
    let more = format!(
        "test -e ../more && exit 0; touch ../more; cd '{project}' && \
         new=$(git commit-tree -p {branch} -m more {branch}^{{tree}}) && git update-ref refs/heads/{branch} $new"
    );
    queue.set("merge_check", &[&queue.script("more", &more)]);
    queue.set("merge_method", &["merge"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.row(&id)["status"], "merged");
    assert!(queue.subjects("main").contains(&"more".to_owned()), "{:?}", queue.subjects("main"));
}

#[test]
fn refused_push_is_reported_and_the_merge_is_kept() {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    let remote = sandbox.root().join("remote.git");
    sandbox.git(["clone", "-q", "--bare", ".", remote.to_str().unwrap()]);
    sandbox.git(["remote", "add", "hub", remote.to_str().unwrap()]);
    queue.set("merge_push", &["hub"]);
    let (one, two) = (queue.work("One", "a", "one\n"), queue.work("Two", "b", "two\n"));
    let first = queue.add(&one.0, &one.1);
    let refuse = sandbox.script("refuse", "echo main is protected >&2; exit 1");
    fs::copy(refuse, remote.join("hooks/pre-receive")).unwrap();
    queue.console.ok(&["fleet", "queue", "run"]);
    let note = queue.row(&first)["note"].as_str().unwrap().to_owned();
    assert!(note.contains("not pushed") && note.contains("main is protected"), "{note}");
    fs::remove_file(remote.join("hooks/pre-receive")).unwrap();
    let second = queue.add(&two.0, &two.1);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.row(&second)["note"], Value::Null);
    assert_eq!(
        sandbox.git(["ls-remote", "hub", "main"]).split_whitespace().next(),
        queue.tip("main").as_deref()
    );
}

#[test]
fn unrelated_history_and_empty_repository_are_reported() {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    sandbox.git(["branch", "island", &sandbox.git(["commit-tree", "-m", "alone", "main^{tree}"])]);
    queue.commit("island", "main", "a", "x", "island");
    let bead = queue.console.bead("Island", &[]);
    let id = queue.add(&bead, "island");
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert_eq!(queue.row(&id)["trouble"]["kind"], "unrelated");
    let empty = Console::in_sandbox(bc_testkit::Sandbox::without_git("empty"));
    empty.sandbox.git(["init", "-q"]);
    let empty = empty.with_beads();
    let bead = empty.bead("One", &[]);
    let refused =
        empty.fails(&["fleet", "queue", "add", &bead, "--source", "x", "--target", "y"], "git_failed", 1);
    assert!(refused.contains('x'), "{refused}");
}

#[test]
fn submodules_and_names_that_differ_only_in_case_are_merged() {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    let folder = sandbox.root().join("agents-worktree");
    let path = folder.to_str().unwrap();
    let bead = queue.console.bead("Odd", &[]);
    sandbox.git(["worktree", "add", "-q", "-b", "odd", path, "main"]);
    sandbox.git(["-C", path, "mv", "shared", "Shared"]);
    let project = sandbox.project().to_str().unwrap();
    sandbox.git([
        "-C",
        path,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        project,
        "inner",
    ]);
    sandbox.git(["-C", path, "commit", "-q", "-m", "odd"]);
    sandbox.git(["worktree", "remove", "--force", path]);
    queue.commit("main", "main", "d", "moved on\n", "main goes on");
    let id = queue.add(&bead, "odd");
    let before = queue.user_state();
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.row(&id)["status"], "merged");
    let files = sandbox.git(["ls-tree", "--name-only", "main"]);
    assert!(
        files.lines().any(|name| name == "Shared") && files.lines().any(|name| name == "inner"),
        "{files}"
    );
    assert!(!files.lines().any(|name| name == "shared"), "{files}");
    assert_eq!(queue.user_state(), before);
}

#[test]
fn merged_branch_is_not_merged_again_if_closing_its_bead_failed() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("Parent", "a", "one\n");
    let child = queue.console.bead("Child", &["--parent", &bead]);
    let id = queue.add(&bead, &branch);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let trouble = queue.row(&id)["trouble"].clone();
    assert_eq!(trouble["kind"], "not_closed", "{trouble}");
    let merged = queue.tip("main");
    assert_eq!(queue.subjects("main")[0], "Parent");
    queue.commit("main", "main", "b", "two\n", "others go on");
    queue.console.ok(&["bead", "close", &child]);
    queue.console.ok(&["fleet", "queue", "retry", &id]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[..2], ["others go on", "Parent"]);
    assert_eq!(queue.row(&id)["commit"].as_str(), merged.as_deref());
    assert_eq!(queue.bead_status(&bead), "closed");
}

#[test]
fn reverted_or_newer_commits_of_a_merged_branch_are_merged_again() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("Parent", "a", "one\n");
    let child = queue.console.bead("Child", &["--parent", &bead]);
    let before = queue.tip("main").unwrap();
    let id = queue.add(&bead, &branch);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert_eq!(queue.row(&id)["trouble"]["kind"], "not_closed");
    // The user reverts the merge and retries it later.
    queue.console.sandbox.git(["update-ref", "refs/heads/main", &before]);
    queue.console.ok(&["fleet", "queue", "retry", &id]);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert_eq!(queue.subjects("main")[0], "Parent", "a bead was closed without its commit on main");
    // The agent commits again, and its branch is queued again.
    queue.commit(&branch, "main", "b", "two\n", "Later");
    queue.console.ok(&["bead", "close", &child]);
    assert_eq!(queue.add(&bead, &branch), id);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[..2], ["Later", "Parent"]);
    assert_eq!(queue.bead_status(&bead), "closed");
}

#[test]
fn foreign_worktree_is_never_used_by_the_queue() {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    let folder = sandbox.root().join("users-worktree");
    let path = folder.to_str().unwrap();
    sandbox.git(["worktree", "add", "-q", "--detach", path, "main"]);
    sandbox.write(folder.join("shared").to_str().unwrap(), "uncommitted\n");
    let (bead, branch) = queue.work("One", "a", "one\n");
    queue.add(&bead, &branch);
    let file = sandbox.project().join(".chipset/state/console/queue.json");
    let mut state: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    state["worktree"] = path.into();
    sandbox.write(file.to_str().unwrap(), &state.to_string());
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[0], "One");
    assert_eq!(fs::read_to_string(folder.join("shared")).unwrap(), "uncommitted\n");
}

#[test]
fn a_bd_bead_is_closed_with_a_reason_when_its_branch_is_merged() {
    let Some(console) = Console::with_bd("a_bd_bead_is_closed_with_a_reason_when_its_branch_is_merged")
    else {
        return;
    };
    let queue = Queue::of(console);
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let before = queue.user_state();
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.bead_status(&bead), "closed");
    let commit = queue.row(&id)["commit"].as_str().unwrap().to_owned();
    let shown = queue.console.json(&["bead", "show", &bead]).to_string();
    assert!(shown.contains(&format!("merged into main as {}", &commit[..8])), "{shown}");
    assert_eq!(queue.user_state(), before);
}
