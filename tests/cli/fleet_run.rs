//! A complete run of a fleet. Agents work in sessions with the simulated agent. A server assigns ready beads
//! and merges finished work automatically. Some hosts are killed, some branches conflict, and some checks fail
//! at first.

use crate::{
    console::{Console, need_sim, program},
    merging::Queue,
    serve::RunningServer,
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// The time after which the run counts as stuck.
const TIMEOUT: Duration = Duration::from_secs(900);

/// The size of a run. The fields other than `agents` and `at_a_time` are numbers of beads.
struct Size {
    agents: usize,
    beads: usize,
    /// The maximum number of agents that work at the same time.
    at_a_time: usize,
    /// Beads whose sessions lose two hosts each.
    killed: usize,
    /// Beads that change the same line, so that all but the first conflict.
    conflicting: usize,
    /// Beads whose check fails the first time.
    failing: usize,
}

#[test]
fn four_agents_finish_twelve_beads_once_despite_crashes() {
    let Some(_sim) = need_sim("four_agents_finish_twelve_beads_once_despite_crashes") else { return };
    run(&Size { agents: 4, beads: 12, at_a_time: 3, killed: 1, conflicting: 3, failing: 1 });
}

#[test]
#[ignore = "takes minutes"]
fn twenty_agents_finish_two_hundred_beads_once_despite_crashes() {
    let Some(_sim) = need_sim("twenty_agents_finish_two_hundred_beads_once_despite_crashes") else { return };
    run(&Size { agents: 20, beads: 200, at_a_time: 20, killed: 10, conflicting: 12, failing: 8 });
}

#[test]
fn work_items_outside_the_tracker_are_started_finished_and_merged() {
    let Some(_sim) = need_sim("work_items_outside_the_tracker_are_started_finished_and_merged") else {
        return;
    };
    let queue = Queue::new();
    let console = &queue.console;
    for [key, value] in [
        ["simulated", "true"],
        ["mode", "bypassPermissions"],
        ["min_free_mib", "0"],
        ["auto_dispatch", "true"],
        ["merge_review", "false"],
        ["merge_target", "main"],
    ] {
        console.ok(&["fleet", "settings", key, value]);
    }
    let steps = format!(
        "[[bash:id=$(git branch --show-current | sed 's,^work/,,'); echo tidy > tidy; git add -A; git commit -qm Tidied; \
         {} fleet work status $id done]]",
        program().display()
    );
    let work = console.json(&["fleet", "work", "create", "Tidy up", "--description", &steps]);
    let id = work["work"]["beadId"].as_str().unwrap().to_owned();
    let ready = console.json(&["fleet", "overview"])["ready"].clone();
    assert_eq!(
        (&ready[0]["bead"], &ready[0]["title"]),
        (&id.as_str().into(), &"Tidy up".into()),
        "{ready:#}"
    );
    let before = queue.user_state();
    console.ok(&["fleet", "agent", "create", "polecat"]);
    let serving = RunningServer::start(console);
    let merged = || {
        let rows = queue.state()["rows"].as_array()?.clone();
        rows.into_iter().find(|row| row["bead"] == id.as_str() && row["status"] == "merged")
    };
    let row = wait_for("the work to be merged", TIMEOUT, merged);
    wait_for("an idle agent", TIMEOUT, || {
        (console.json(&["fleet", "overview"])["agents"][0]["state"] == "idle").then_some(())
    });
    assert_eq!(row["source"], format!("work/{id}"));
    assert_eq!(queue.subjects("main")[0], "Tidied");
    assert_eq!(console.json(&["fleet", "work", "show", &id])["work"]["status"], "merged");
    assert_eq!(queue.user_state(), before, "the user's files were changed");
    // Requested changes start a session on the branch again.
    let sent = console.json(&["fleet", "request-changes", &id, "Please add a test."]);
    assert_eq!(sent["how"], "started", "{sent:#}");
    let again = console.show(sent["session"].as_str().unwrap());
    assert_eq!((&again["bead_id"], &again["branch"]), (&id.as_str().into(), &row["source"]));
    let ended = console.json(&["session", "end", sent["session"].as_str().unwrap()]);
    assert_eq!(ended["warnings"], serde_json::json!([]), "{ended:#}");
    drop(serving);
}

#[test]
fn pause_includes_starting_sessions() {
    let Some(_sim) = need_sim("pause_includes_starting_sessions") else {
        return;
    };
    let console = Console::new();
    let gate = console.sandbox.root().join("gate");
    let wait = format!("until test -e '{}'; do sleep 0.1; done", gate.display());
    for set in [&["simulated", "on"][..], &["min_free_mib", "0"], &["worktree_setup", "sh", "-c", &wait]] {
        console.ok(&[&["fleet", "settings"], set].concat());
    }
    console.bead("Fix the lock", &[]);
    let agent = console.json(&["fleet", "agent", "create", "polecat"])["agent"]["id"].clone();
    let sessions = || console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    let given = thread::scope(|scope| {
        let dispatch = scope.spawn(|| console.json(&["fleet", "dispatch", "--all"]));
        wait_for("a starting session", TIMEOUT, || (!sessions().is_empty()).then_some(()));
        console.fails(&["fleet", "recover", agent.as_str().unwrap(), "release"], "session_state", 4);
        console.ok(&["fleet", "pause"]);
        console.sandbox.write(gate.to_str().unwrap(), "");
        dispatch.join().unwrap()
    });
    assert_eq!(given["given"][0]["agent"], agent, "{given:#}");
    assert_eq!(sessions()[0]["status"], "paused");
    let resumed = console.json(&["fleet", "resume", "--sessions"]);
    assert_eq!(resumed["agents"], serde_json::json!([agent]), "{resumed:#}");
    console.ok(&["fleet", "pause"]);
}

/// The file that several beads change. A conflict report contains this name, which makes the simulated agent
/// run the script `solve`.
const SHARED: &str = "[[bash:solve]]";

/// The shell command that sets `id` to the bead of the current branch.
const OF_BRANCH: &str = "id=$(git branch --show-current | sed 's,^[a-z]*/,,' | cut -d- -f1,2)";

/// An agent's instructions: wait for the file `gate`, if any; commit a file with the bead's name, and close the
/// bead.
pub(crate) fn steps(gate: Option<&Path>, shared: bool) -> String {
    let shared = if shared { "on-shared;" } else { "" };
    let finish = format!("{OF_BRANCH}; {shared} echo $id > $id.txt; git add -A; git commit -qm $id;");
    let wait = gate.map(|gate| format!("[[bash:until test -e '{}'; do sleep 0.1; done]] ", gate.display()));
    let wait = wait.unwrap_or_default();
    format!("{wait}[[bash:{finish} {} bead close $id --reason done]]", program().display())
}

/// Writes the scripts that agents and the check run.
fn scripts(queue: &Queue, failing: &[String]) {
    queue.script("on-shared", &format!("{OF_BRANCH}; printf '1\\n%s\\n3\\n' $id > '{SHARED}'"));
    let solve = format!(
        "{OF_BRANCH}
         git rebase -q main || {{
           {{ git show 'main:{SHARED}'; echo $id; }} > '{SHARED}'
           git add -A; GIT_EDITOR=true git rebase --continue
         }}
         '{}' bead close $id --reason solved",
        program().display()
    );
    queue.script("solve", &solve);
    let check = format!(
        "id=$(git log -1 --format=%s)
         test -f $id.txt || exit 2
         case ' {} ' in *\" $id \"*) mkdir '{}'/failed-$id 2>/dev/null && exit 1;; esac
         exit 0",
        failing.join(" "),
        queue.console.sandbox.root().display()
    );
    queue.set("merge_check", &[&queue.script("check", &check)]);
}

/// Acts as the user of the queue: sends conflicts back to their agents, approves resolved conflicts, and
/// retries failed checks.
#[derive(Default)]
struct Person {
    /// The commit that was last sent back, by request.
    sent_back: BTreeMap<String, Option<String>>,
    /// The commit that was last approved, by request.
    approved: BTreeMap<String, Option<String>>,
    /// The beads that were sent back.
    beads: BTreeSet<String>,
    /// The number of conflicts that were sent back.
    times: usize,
    /// The number of retried checks.
    tried_again: usize,
}

impl Person {
    /// Approves the branch's current commit. If the agent has just made another commit, the approval is
    /// refused; the queue then reports `not_approved`, and the test tries again.
    fn approve(&mut self, queue: &Queue, request: &str, bead: &str, source: &str) {
        let tip = queue.tip(source);
        let seen = tip.as_deref().expect("the branch exists");
        if queue.console.run(&["fleet", "approve", bead, "--tip", seen]).code == Some(0) {
            self.approved.insert(request.to_owned(), tip);
        }
    }

    /// Acts on the queue's state. Returns the number of merged beads.
    fn handle(&mut self, queue: &Queue) -> u64 {
        let state = queue.state();
        let rows = state["rows"].as_array().unwrap();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        for row in rows {
            let (id, source) = (text(row, "id"), text(row, "source"));
            if row["skipped"] == true {
                let sent = self.sent_back.get(&id).unwrap_or_else(|| panic!("{row:#}"));
                if queue.tip(&source) != *sent {
                    self.approve(queue, &id, &text(row, "bead"), &source);
                }
            } else if state["blocked"] == id.as_str() {
                match row["trouble"]["kind"].as_str() {
                    Some("conflict") => {
                        self.beads.insert(text(row, "bead"));
                        // The commit that conflicted. The agent may already have resolved the conflict with a
                        // newer commit, and would then not commit again.
                        let tried = self.approved.get(&id).cloned().unwrap_or_else(|| queue.tip(&source));
                        self.sent_back.insert(id.clone(), tried);
                        self.times += 1;
                        queue.console.ok(&["fleet", "queue", "send-back", &id]);
                    }
                    // The agent resolved a conflict that was sent back. Its new commit requires another
                    // approval.
                    Some("not_approved") if self.sent_back.contains_key(&id) => {
                        self.approve(queue, &id, &text(row, "bead"), &source);
                    }
                    Some("check_failed") => {
                        self.tried_again += 1;
                        queue.console.ok(&["fleet", "queue", "retry", &id]);
                    }
                    _ => panic!("{row:#}"),
                }
            }
        }
        // The convoy's count is used because the queue keeps only the latest merged requests.
        let overview = queue.console.json(&["fleet", "overview"]);
        overview["convoys"][0]["counts"]["merged"].as_u64().unwrap()
    }
}

fn run(size: &Size) {
    let console = Console::new();
    console.sandbox.write(SHARED, "1\n2\n3\n");
    console.sandbox.git(["add", "-A"]);
    console.sandbox.git(["commit", "-qm", "beads"]);
    let queue = Queue::of(console);
    let console = &queue.console;
    let at_a_time = size.at_a_time.to_string();
    let settings = [
        ["simulated", "true"],
        ["mode", "bypassPermissions"],
        ["min_free_mib", "0"],
        ["max_agents", &at_a_time],
        ["auto_dispatch", "true"],
        ["merge_review", "false"],
        ["merge_target", "main"],
    ];
    for [key, value] in settings {
        console.ok(&["fleet", "settings", key, value]);
    }
    let mut blockers: BTreeMap<String, String> = BTreeMap::new();
    let mut beads: Vec<String> = Vec::new();
    let gate = |n: usize| console.sandbox.root().join(format!("gate-{n}"));
    for n in 0..size.beads {
        let shared = n >= size.beads - size.conflicting;
        let (title, steps) =
            (format!("Job {n}"), steps((n < size.killed).then(|| gate(n)).as_deref(), shared));
        let mut options = vec!["--description", steps.as_str()];
        let blocker = beads.last().cloned().filter(|_| n % 3 == 2);
        if let Some(blocker) = &blocker {
            options.extend(["--blocked-by", blocker]);
        }
        let bead = console.bead(&title, &options);
        blockers.extend(blocker.map(|blocker| (bead.clone(), blocker)));
        beads.push(bead);
    }
    let mut line = vec!["fleet", "convoy", "create", "All of it"];
    line.extend(beads.iter().map(String::as_str));
    let convoy = console.json(&line)["convoy"]["id"].as_str().unwrap().to_owned();
    for _ in 0..size.agents {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }

    let failing = &beads[size.killed..size.killed + size.failing];
    scripts(&queue, failing);
    let before = queue.user_state();

    let start = Instant::now();
    let serving = RunningServer::start(console);
    thread::scope(|scope| {
        for (bead, gate) in beads[..size.killed].iter().zip((0..).map(gate)) {
            scope.spawn(move || {
                let first = kill_host(console, bead, &BTreeSet::new());
                let again = kill_host(console, bead, &BTreeSet::from([first.1]));
                assert_eq!(first.0, again.0, "another session works on the bead after the kill");
                #[allow(clippy::disallowed_methods, reason = "the agent waits for this file")]
                fs::write(gate, "").unwrap();
            });
        }
    });
    let mut person = Person::default();
    wait_for("every bead is merged", TIMEOUT, || (person.handle(&queue) == beads.len() as u64).then_some(()));
    let list = console.json(&["bead", "list"]);
    let closed = list["beads"].as_array().unwrap().iter().filter(|bead| bead["status"] == "closed").count();
    assert_eq!(closed, beads.len());
    let overview = wait_for("every agent is idle", TIMEOUT, || {
        let overview = console.json(&["fleet", "overview"]);
        let idle = overview["agents"].as_array()?.iter().all(|agent| agent["state"] == "idle");
        let closed = !overview["convoys"][0]["closed_at"].is_null();
        (idle && closed).then_some(overview)
    });
    assert_eq!(overview["convoys"][0]["counts"]["merged"], beads.len());
    drop(serving);
    assert_eq!(queue.user_state(), before, "the user's files were changed");

    assert_eq!(person.tried_again, size.failing, "each failing check must fail exactly once");
    assert_eq!(
        person.beads.len(),
        size.conflicting - 1,
        "all conflicting beads but the first must be sent back"
    );
    let events = events_of(console, &convoy);
    assert_merged_once_and_in_order(&queue, &beads, &person.beads, &events);
    let shared = console.sandbox.git(["show", &format!("main:{SHARED}")]);
    for bead in &beads[size.beads - size.conflicting..] {
        assert_eq!(shared.lines().filter(|line| line == bead).count(), 1, "{bead} in {shared}");
    }
    // A blocker that was sent back is closed a second time.
    blockers.retain(|_, blocker| !person.beads.contains(blocker));
    assert_blockers_closed_first(console, &events, &blockers);
    let mut sessions = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    // Sessions without a fleet agent work on branches that were sent back.
    sessions.retain(|session| session["fleet_agent"].is_string());
    let most = most_at_a_time(&sessions);
    assert!(most <= size.at_a_time, "more than {} worked at a time", size.at_a_time);
    let reassigned = sessions.len() - beads.len();
    assert_eq!(reassigned, size.killed, "each reassignment must start one additional session");
    eprintln!(
        "{} agents did {} beads in {} s: all closed and merged once, in order; {} waited for another; {} sent back \
         {} times, {} checks tried again, {} hosts killed twice and their work reassigned; at most {most} worked at a time",
        size.agents,
        beads.len(),
        start.elapsed().as_secs(),
        blockers.len(),
        person.beads.len(),
        person.times,
        person.tried_again,
        size.killed,
    );
}

/// The recorded events of a convoy, in order, including the rotated part of the log.
pub(crate) fn events_of(console: &Console, convoy: &str) -> Vec<Value> {
    let path = console.sandbox.project().join(format!(".chipset/state/events/{convoy}.jsonl"));
    let details = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        let at = event["timestamp"].take();
        let mut details = event["details"].take();
        details["at"] = at;
        details
    };
    let rotated = fs::read_to_string(path.with_extension("jsonl.1")).unwrap_or_default();
    let current = fs::read_to_string(path).unwrap();
    rotated.lines().chain(current.lines()).map(details).collect()
}

/// Asserts that the target contains each bead's commit once. The beads that were never sent back must be in
/// queue order; `sent_back` contains the others.
pub(crate) fn assert_merged_once_and_in_order(
    queue: &Queue,
    beads: &[String],
    sent_back: &BTreeSet<String>,
    events: &[Value],
) {
    let mut merged = queue.subjects("main");
    merged.retain(|subject| beads.contains(subject));
    merged.reverse();
    assert_eq!(
        merged.iter().collect::<BTreeSet<_>>().len(),
        merged.len(),
        "a bead was merged twice: {merged:?}"
    );
    assert_eq!(merged.len(), beads.len(), "{merged:?}");
    let queued = events.iter().filter(|event| event["event"] == "merge_queued");
    let queued = queued.map(|event| event["bead"].as_str().unwrap());
    let queued: Vec<&str> = queued.filter(|bead| !sent_back.contains(*bead)).collect();
    merged.retain(|bead| !sent_back.contains(bead));
    assert_eq!(merged, queued, "the order of the queue was not kept");
}

fn moment(at: &Value) -> chrono::DateTime<chrono::Utc> {
    at.as_str().unwrap().parse().unwrap()
}

/// Waits for a live session on the bead with a host that is not in `killed_before`, and kills this host. Returns the
/// session's id and the host's process id.
fn kill_host(console: &Console, bead: &str, killed_before: &BTreeSet<u64>) -> (String, u64) {
    let (id, pid) = wait_for("a session works on the bead", TIMEOUT, || {
        let list = console.json(&["session", "list"]);
        let sessions = list["sessions"].as_array()?;
        let live = sessions.iter().find(|session| {
            session["bead_id"] == bead
                && session["live"]["hooks_seen"] == true
                && session["live"]["host_pid"].as_u64().is_some_and(|pid| !killed_before.contains(&pid))
        })?;
        Some((live["id"].as_str()?.to_owned(), live["live"]["host_pid"].as_u64()?))
    });
    #[allow(clippy::disallowed_methods, reason = "the test kills one host by its process id")]
    let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(killed.success());
    (id, pid)
}

/// Asserts that no bead was assigned before its blockers were closed.
pub(crate) fn assert_blockers_closed_first(
    console: &Console,
    events: &[Value],
    blockers: &BTreeMap<String, String>,
) {
    let position = |what: &str, bead: &str| {
        let is = |event: &Value| event["event"] == what && event["bead"] == bead;
        events.iter().position(is).unwrap_or_else(|| panic!("{what} of {bead}"))
    };
    let time = |n: usize| moment(&events[n]["at"]);
    for (bead, blocker) in blockers {
        let shown = console.json(&["bead", "show", blocker]);
        let closed: chrono::DateTime<chrono::Utc> =
            shown["bead"]["closed_at"].as_str().unwrap().parse().unwrap();
        assert!(
            time(position("hook_set", bead)) >= closed,
            "{bead} was assigned before {blocker} was closed"
        );
    }
}

/// The highest number of sessions that were active at the same time.
fn most_at_a_time(sessions: &[Value]) -> usize {
    let mut moments: Vec<(String, i32)> = Vec::new();
    for session in sessions {
        for interval in session["active_intervals"].as_array().unwrap() {
            let at = |key: &str| {
                let text = interval[key].as_str().unwrap();
                let moment = text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
                moment.format("%Y%m%d%H%M%S%.9f").to_string()
            };
            moments.extend([(at("start"), 1), (at("end"), -1)]);
        }
    }
    moments.sort();
    let mut now = 0;
    let most = moments.iter().map(|(_, step)| {
        now += step;
        now
    });
    usize::try_from(most.max().unwrap_or(0)).unwrap()
}
