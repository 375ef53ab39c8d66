//! The merge queue in unusual repositories: files that need a missing program, a clone without its history, a disk
//! that fills up, and worktrees of a bare repository. Each problem is reported, nothing is lost, and merging
//! continues afterwards.

use crate::{
    console::{Console, need_sim},
    merging::Queue,
};
use bc_testkit::Sandbox;
#[cfg(target_os = "linux")]
use serde_json::Value;

/// A Git LFS pointer to a file that is stored elsewhere.
fn pointer(digit: char) -> String {
    let hash: String = std::iter::repeat_n(digit, 64).collect();
    format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize 12345\n")
}

#[test]
fn large_file_pointers_are_merged_and_missing_filters_named() {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    queue.commit(
        "main",
        "main",
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
        "Attributes",
    );
    queue.commit("main", "main", "one.bin", &pointer('1'), "A big file");
    // The filter is not configured, so git merges the pointers.
    let (bead, branch) = queue.work("Two", "two.bin", &pointer('2'));
    queue.commit("main", "main", "d", "moved on\n", "main goes on");
    let before = queue.user_state();
    queue.add(&bead, &branch);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(sandbox.git(["show", "main:two.bin"]), pointer('2').trim_end());
    assert_eq!(sandbox.git(["show", "main:one.bin"]), pointer('1').trim_end());
    // The filter is configured, but its program is missing.
    let (bead, branch) = queue.work("Three", "three.bin", &pointer('3'));
    queue.commit("main", "main", "e", "moved on\n", "main goes on again");
    let tip = queue.tip("main");
    sandbox.git(["config", "filter.lfs.smudge", "no-such-git-lfs smudge -- %f"]);
    sandbox.git(["config", "filter.lfs.clean", "no-such-git-lfs clean -- %f"]);
    sandbox.git(["config", "filter.lfs.required", "true"]);
    let id = queue.add(&bead, &branch);
    // Git may run the programs in the repository's settings only once the user allows them.
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let trouble = queue.row(&id)["trouble"].to_string();
    assert!(trouble.contains("hooks trust"), "{trouble}");
    assert_eq!(queue.tip("main"), tip);
    queue.console.json(&["hooks", "trust", ".git/config", "--yes"]);
    queue.console.ok(&["fleet", "queue", "retry", &id]);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let trouble = queue.row(&id)["trouble"].to_string();
    assert!(trouble.contains("filter lfs failed") || trouble.contains("no-such-git-lfs"), "{trouble}");
    assert_eq!(queue.tip("main"), tip);
    sandbox.git(["config", "--remove-section", "filter.lfs"]);
    queue.console.ok(&["fleet", "queue", "retry", &id]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(sandbox.git(["show", "main:three.bin"]), pointer('3').trim_end());
    assert_eq!(queue.user_state(), before);
}

#[test]
fn a_shallow_clone_reports_missing_history_and_merges_once_fetched() {
    let upstream = Queue::new();
    let (_, branch) = upstream.work("One", "a", "one\n");
    upstream.commit("main", "main", "d", "moved on\n", "main goes on");
    let console = Console::in_sandbox(Sandbox::without_git("shallow"));
    let url = format!("file://{}", upstream.console.sandbox.project().display());
    console.sandbox.git(["clone", "-q", "--depth", "1", "--no-single-branch", &url, "."]);
    console.sandbox.git(["branch", "-q", "--no-track", "main", "origin/main"]);
    console.sandbox.git(["branch", "-q", "--no-track", &branch, &format!("origin/{branch}")]);
    let queue = Queue { console: console.with_beads() };
    let bead = queue.console.bead("One", &[]);
    let tip = queue.tip("main");
    let id = queue.add(&bead, &branch);
    let refused = queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert_eq!(queue.row(&id)["trouble"]["kind"], "unrelated");
    assert!(refused.contains("git fetch --unshallow"), "{refused}");
    assert_eq!(queue.tip("main"), tip);
    queue.console.sandbox.git(["fetch", "-q", "--unshallow"]);
    queue.console.ok(&["fleet", "queue", "retry", &id]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.subjects("main")[..2], ["One", "main goes on"]);
    assert_eq!(queue.row(&id)["status"], "merged");
}

/// Moves the project to a small file system, which the check fills up; then frees space.
#[cfg(target_os = "linux")]
const FILLED: &str = r#"
set -e
cp -a . ../kept
mount -t tmpfs -o size=16m,mode=0700 tmpfs "$PWD"
cd "$PWD"
cp -a ../kept/. .
set +e
"$CONSOLE" fleet queue run --json > ../run.out 2> ../run.err; echo $? > ../run.code
"$CONSOLE" fleet queue list --json > ../list.out
git rev-parse main > ../full.tip
rm filler
"$CONSOLE" fleet queue run --json > ../again.out 2> ../again.err; echo $? > ../again.code
git log --format=%s main > ../subjects
cp -a . ../after
"#;

/// Moves git's objects to a small file system that is already full.
#[cfg(target_os = "linux")]
const NO_COMMIT: &str = r#"
set -e
cp -a .git/objects ../kept
mount -t tmpfs -o size=4m,mode=0700 tmpfs .git/objects
cp -a ../kept/. .git/objects/
head -c 16M /dev/zero > .git/objects/filler 2>/dev/null || true
set +e
"$CONSOLE" fleet queue run --json > ../run.out 2> ../run.err; echo $? > ../run.code
"$CONSOLE" fleet queue list --json > ../list.out
git rev-parse main > ../full.tip
rm .git/objects/filler
"$CONSOLE" fleet queue retry "$REQUEST" > ../retry.out 2>&1
"$CONSOLE" fleet queue run --json > ../again.out 2> ../again.err; echo $? > ../again.code
git log --format=%s main > ../subjects
cp -a . ../after
"#;

/// Merges on a disk that is full during the first attempt. Returns this attempt's error and the queue's
/// state. Asserts that the second attempt succeeds and changes none of the user's files.
#[cfg(target_os = "linux")]
fn merge_on_full_disk(queue: &Queue, id: &str, test: &str, script: &str) -> Option<(String, Value)> {
    let before = queue.user_state();
    let tip = queue.tip("main").unwrap();
    let mut command = crate::full_disk::namespace(&queue.console, test, script)?;
    command.env("REQUEST", id);
    let ran = crate::console::finish(command, Vec::new());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let sandbox = &queue.console.sandbox;
    let folder = sandbox.project().join("..");
    let read_file = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let error = read_file("run.err");
    assert_ne!(read_file("run.code").trim(), "0", "{error}");
    assert_eq!(read_file("full.tip").trim(), tip, "the target moved: {error}");
    assert_eq!(read_file("again.code").trim(), "0", "{}", read_file("again.err"));
    assert_eq!(read_file("subjects").lines().filter(|line| *line == "One").count(), 1);
    for file in ["shared", "staged", "changed", "canary"] {
        assert_eq!(read_file(&format!("after/{file}")), sandbox.read(file));
    }
    let after = folder.join("after");
    let staged = sandbox.git(["-C", after.to_str().unwrap(), "diff", "--cached"]);
    assert!(before.contains(&staged) && staged.contains("+staged"), "{staged}");
    Some((error, serde_json::from_str(&read_file("list.out")).unwrap()))
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_filled_by_a_check_fails_only_that_attempt() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let project = queue.console.sandbox.project().display().to_string();
    let fills =
        format!("mkdir ../filled 2>/dev/null || exit 0; head -c 64M /dev/zero > '{project}/filler'; exit 0");
    queue.set("merge_check", &[&queue.script("fills", &fills)]);
    let id = queue.add(&bead, &branch);
    let test = "a_disk_filled_by_a_check_fails_only_that_attempt";
    let Some((error, list)) = merge_on_full_disk(&queue, &id, test, FILLED) else { return };
    assert!(error.contains("\"disk_full\""), "{error}");
    assert_eq!(
        (&list["rows"][0]["status"], &list["running"]),
        (&"merging".into(), &false.into()),
        "{list:#}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_stops_the_queue_with_a_message() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    queue.commit("main", "main", "d", "moved on\n", "main goes on");
    let id = queue.add(&bead, &branch);
    let test = "a_full_disk_stops_the_queue_with_a_message";
    let Some((error, list)) = merge_on_full_disk(&queue, &id, test, NO_COMMIT) else { return };
    assert!(error.contains("No space left") || error.contains("disk"), "{error}");
    assert_eq!(list["blocked"], id.as_str(), "{list:#}");
}

/// A sandbox whose project is a worktree of a bare repository.
fn of_bare_repository() -> Sandbox {
    let sandbox = Sandbox::new();
    let tree = sandbox.project().to_owned();
    let bare = tree.with_file_name("bare.git").display().to_string();
    sandbox.git(["clone", "-q", "--bare", ".", &bare]);
    std::fs::remove_dir_all(&tree).unwrap();
    std::fs::create_dir(&tree).unwrap();
    sandbox.git(["-C", &bare, "worktree", "add", "-q", tree.to_str().unwrap(), "main"]);
    sandbox
}

#[test]
fn work_in_the_worktrees_of_a_bare_repository_is_set_up_and_merged() {
    if need_sim("work_in_the_worktrees_of_a_bare_repository_is_set_up_and_merged").is_none() {
        return;
    }
    let console = Console::in_sandbox(of_bare_repository()).with_beads();
    console.ok(&["fleet", "settings", "worktree_setup", "touch", "set-up"]);
    let bead = console.bead("Add a file", &[]);
    let prompt = "[[bash:test -e set-up && echo yes > new.txt; git add new.txt; git commit -qm 'Add it']]";
    let mode = ["--simulated", "--worktree", "--mode", "bypassPermissions"];
    let id = console.start(&[&["--bead", &bead, "--prompt", prompt], &mode[..]].concat());
    console.wait_message("the commit", &id, |m| m["content"].to_string().contains("are done"));
    console.wait_idle(&id);
    let ended = console.json(&["session", "end", &id, "--review", "--yes"]);
    let branch = ended["session"]["branch"].as_str().unwrap().to_owned();
    let queue = Queue { console };
    let request = queue.add(&bead, &branch);
    queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    queue.console.ok(&["fleet", "queue", "retry", &request, "--follow"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert_eq!(queue.console.sandbox.read("new.txt"), "yes\n");
    assert_eq!(queue.bead_status(&bead), "closed");
}
