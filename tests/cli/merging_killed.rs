//! The merging process is killed at each step and at random moments. The user's changes are kept, and the
//! target is an old commit or a valid new one. The next process completes the queue and merges each request
//! once.

use crate::{merging::Queue, serve::RunningServer};
use serde_json::{Value, json};
use std::{
    fs,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

/// The number of rounds in a normal run and in a long run.
const ROUNDS: usize = 12;
const FULL_ROUNDS: usize = 500;

/// The steps at which the process is killed; in other rounds it is killed at a random moment.
const STEPS: [&str; 6] = ["prepare", "combine", "check", "move", "push", "finish"];

struct Counts {
    rounds: usize,
    killed: usize,
    at: [usize; STEPS.len()],
}

/// A queue with a remote and a check. With `follow`, a merge also updates a checked-out target.
fn new_queue(follow: bool) -> Queue {
    let queue = Queue::new();
    let sandbox = &queue.console.sandbox;
    let remote = sandbox.root().join("remote.git");
    sandbox.git(["clone", "-q", "--bare", ".", remote.to_str().unwrap()]);
    sandbox.git(["remote", "add", "hub", remote.to_str().unwrap()]);
    queue.set("merge_push", &["hub"]);
    queue.set("merge_check", &[&queue.script("check", "test -f shared && test -f good")]);
    if follow {
        queue.set("merge_checked_out", &["follow"]);
    }
    queue.commit("main", "main", "good", "yes\n", "good");
    queue
}

/// Starts a merging process, and kills it when the queue's file shows this step, or after `chance` if no step
/// is given. Returns the step at which it was killed, if any.
fn killed_at(queue: &Queue, step: Option<usize>, chance: Duration) -> Option<usize> {
    let mut child = start_merging(queue);
    let file = queue.console.sandbox.project().join(".chipset/state/console/queue.json");
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let now = STEPS.iter().position(|step| text.contains(&format!("\"step\": \"{step}\"")));
        let due = match step {
            Some(step) => now == Some(step),
            None => start.elapsed() >= chance,
        };
        if due {
            kill(&mut child);
            return now;
        }
        if child.try_wait().unwrap().is_some() {
            // The process exited before the test could kill it.
            return None;
        }
        std::thread::yield_now();
    }
}

/// Starts a merging process without waiting for its end.
fn start_merging(queue: &Queue) -> Child {
    let mut command = queue.console.command(&["fleet", "queue", "run"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Whether the target descends from `before` and has the files that the check requires.
fn target_is_valid(queue: &Queue, before: &str) -> bool {
    let sandbox = &queue.console.sandbox;
    let files = sandbox.git(["ls-tree", "--name-only", "main"]);
    let mut on_top = sandbox.command("git");
    on_top.args(["merge-base", "--is-ancestor", before, "main"]);
    let whole = ["shared", "good"].iter().all(|file| files.lines().any(|name| name == *file));
    whole && on_top.output().unwrap().status.success()
}

fn rounds(queue: &Queue, follow: bool, rounds: usize, counts: &mut Counts) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..rounds {
        let works = [0, 1].map(|n| {
            let name = format!("file-{round}-{n}");
            queue.work(&format!("{round} {n}"), &name, "text\n")
        });
        if follow {
            queue.console.sandbox.git(["checkout", "-q", "main"]);
        }
        let ids = works.each_ref().map(|(bead, branch)| queue.add(bead, branch));
        let (state, before) = (kept_state(queue), queue.tip("main").unwrap());
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chance = Duration::from_micros(seed >> 44);
        let step = (round < 2 * STEPS.len() || round % 2 == 0).then_some(round % STEPS.len());
        let at = killed_at(queue, step, chance);
        counts.rounds += 1;
        counts.killed += usize::from(at.is_some());
        if let Some(at) = at {
            counts.at[at] += 1;
        }
        assert_eq!(kept_state(queue), state, "round {round}, killed at {at:?}");
        assert!(target_is_valid(queue, &before), "round {round}, killed at {at:?}");
        // This run must also wait for the lock, which a git child process of the killed process may still
        // hold.
        let ran = queue.console.run(&["fleet", "queue", "run"]);
        assert_eq!(ran.code, Some(0), "round {round}, killed at {at:?}: {}{}", ran.out, ran.err);
        assert_eq!(kept_state(queue), state, "round {round}, after the continuation");
        let merged = queue.subjects("main");
        for (n, ((bead, _), id)) in works.iter().zip(&ids).enumerate() {
            let subject = format!("{round} {n}");
            let times = merged.iter().filter(|merged| **merged == subject).count();
            assert_eq!(times, 1, "round {round}: {subject} is in main {times} times");
            assert_eq!(queue.row(id)["status"], "merged");
            assert_eq!(queue.bead_status(bead), "closed");
        }
        assert_eq!(merged[0], format!("{round} 1"), "the order of the queue was not kept");
        if follow {
            queue.console.sandbox.git(["checkout", "-q", "mine"]);
        }
    }
    let sandbox = &queue.console.sandbox;
    let remote = sandbox.git(["ls-remote", "hub", "refs/heads/main"]);
    assert_eq!(remote.split_whitespace().next(), queue.tip("main").as_deref());
    let trees = sandbox.git(["worktree", "list"]);
    assert!(trees.lines().count() <= 2, "{trees}");
}

/// The user's state, without the parts that an update of the checked-out tree changes. After a kill, these
/// parts can differ from the branch, because git updates the files and the index before the branch.
fn kept_state(queue: &Queue) -> String {
    let sandbox = &queue.console.sandbox;
    let files = ["shared", "staged", "changed", "canary"].map(|file| sandbox.read(file));
    let staged = sandbox.git(["diff", "--cached", "--", "shared", "staged", "changed", "canary"]);
    format!("{files:?}\n{staged}{}", sandbox.git(["symbolic-ref", "HEAD"]))
}

fn run_rounds(total: usize, follow: bool) {
    let mut counts = Counts { rounds: 0, killed: 0, at: [0; STEPS.len()] };
    rounds(&new_queue(follow), follow, total, &mut counts);
    let target = if follow {
        "into the branch that a user has checked out"
    } else {
        "into a branch that is not checked out"
    };
    let Counts { rounds, killed, at } = counts;
    let at: Vec<String> = STEPS.iter().zip(at).map(|(step, n)| format!("{step} {n}")).collect();
    println!(
        "COUNTED kills of a merge {target}: {rounds} rounds, {killed} killed before the end ({}), no user state changed, every target valid",
        at.join(", ")
    );
    assert!(killed * 2 > rounds, "{killed} of {rounds} were killed before the end");
}

#[test]
fn merging_process_may_be_killed_at_any_step() {
    run_rounds(ROUNDS, false);
}

#[test]
fn merging_process_may_be_killed_while_updating_a_checked_out_target() {
    run_rounds(ROUNDS / 2, true);
}

#[test]
#[ignore = "takes long: 500 rounds"]
fn merging_process_may_be_killed_five_hundred_times() {
    run_rounds(FULL_ROUNDS, false);
}

#[test]
fn the_check_of_a_killed_merge_ends_before_the_next() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let pid_file = queue.console.sandbox.root().join("began");
    let hangs = format!(
        "echo $$ > {}; setsid sleep 1000 & trap '' TERM; while :; do sleep 1; done",
        pid_file.display()
    );
    queue.set("merge_check", &[&queue.script("hangs", &hangs)]);
    let mut child = start_merging(&queue);
    let pid: Value = bc_testkit::wait_for("the check to begin", Duration::from_secs(60), || {
        serde_json::from_str(&fs::read_to_string(&pid_file).ok()?).ok()
    });
    kill(&mut child);
    queue.set("merge_check", &["default"]);
    queue.console.ok(&["fleet", "queue", "run"]);
    assert!(!crate::simulated_sessions::alive(&pid), "the check of the killed process still runs");
    assert_eq!(queue.row(&id)["status"], "merged");
}

#[test]
fn one_program_merges_at_a_time() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let (started, go) = (queue.console.sandbox.root().join("began"), queue.console.sandbox.root().join("go"));
    let waits = format!("touch {}; while test ! -e {}; do sleep 0.05; done", started.display(), go.display());
    queue.set("merge_check", &[&queue.script("waits", &waits)]);
    let mut child = start_merging(&queue);
    bc_testkit::wait_for("the check to begin", Duration::from_secs(60), || started.exists().then_some(()));
    let refused = queue.console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    assert!(refused.contains("another process"), "{refused}");
    let row = queue.row(&id);
    assert_eq!((row["status"].as_str(), row["stage"].as_str()), (Some("merging"), Some("check")));
    assert_eq!(queue.state()["running"], true);
    queue.console.sandbox.write(go.to_str().unwrap(), "");
    assert!(child.wait().unwrap().success());
    assert_eq!(queue.row(&id)["status"], "merged");
}

#[test]
fn the_check_of_a_request_cancelled_by_another_program_is_stopped() {
    let queue = Queue::new();
    let (one, two) = (queue.work("One", "a", "one\n"), queue.work("Two", "b", "two\n"));
    let pid_file = queue.console.sandbox.root().join("began");
    // The check hangs only for the first request, which adds the file `a`.
    let hangs = format!("test ! -e a || {{ echo $$ > {}; exec sleep 1000; }}", pid_file.display());
    queue.set("merge_check", &[&queue.script("hangs", &hangs)]);
    let (first, second) = (queue.add(&one.0, &one.1), queue.add(&two.0, &two.1));
    let mut child = start_merging(&queue);
    let pid: Value = bc_testkit::wait_for("the check to begin", Duration::from_secs(60), || {
        serde_json::from_str(&fs::read_to_string(&pid_file).ok()?).ok()
    });
    queue.console.ok(&["fleet", "queue", "cancel", &first]);
    let ended = bc_testkit::wait_for("the end of the queue run", Duration::from_secs(60), || {
        child.try_wait().unwrap()
    });
    assert!(
        ended.success() && !crate::simulated_sessions::alive(&pid),
        "the check of the cancelled request still runs"
    );
    assert_eq!(queue.row(&second)["status"], "merged");
    assert_eq!(queue.subjects("main")[0], "Two");
    assert!(!queue.subjects("main").contains(&"One".to_owned()));
}

#[test]
fn open_project_continues_the_merge_of_a_killed_process() {
    let queue = Queue::new();
    let (bead, branch) = queue.work("One", "a", "one\n");
    let id = queue.add(&bead, &branch);
    let started = queue.console.sandbox.root().join("began");
    // The first check hangs until it is killed; later ones succeed.
    let check = format!("test ! -e {0} || exit 0; touch {0}; exec sleep 1000", started.display());
    queue.set("merge_check", &[&queue.script("check", &check)]);
    let mut child = start_merging(&queue);
    bc_testkit::wait_for("the check to begin", Duration::from_secs(60), || started.exists().then_some(()));
    let serving = RunningServer::start(&queue.console);
    let page = crate::serve::enter(serving.line["url"].as_str().unwrap()).unwrap();
    // The server opens its project at the first request.
    assert!(crate::serve::rpc(&page, "app.info", json!({})).is_object());
    assert_eq!(queue.state()["running"], true);
    kill(&mut child);
    let merged = || (queue.row(&id)["status"] == "merged").then_some(());
    bc_testkit::wait_for("the server to merge the request", Duration::from_secs(60), merged);
    assert_eq!(queue.subjects("main")[0], "One");
}
