//! A fleet at work: agents with real sessions of the simulated agent, over a served project that hands out what is
//! ready by itself, to the end. Some of their hosts are killed on the way.

use crate::{
    console::{Console, need_sim, program},
    serve::Serving,
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
    thread,
    time::Duration,
};

/// Beyond this nothing goes on any more.
const PATIENCE: Duration = Duration::from_secs(900);

/// How big a run is.
struct Size {
    agents: usize,
    beads: usize,
    /// So many agents may work at a time.
    at_a_time: usize,
    /// So many beads lose the host of their session, twice.
    killed: usize,
}

#[test]
fn four_agents_do_twelve_beads_each_once_though_some_die() {
    let Some(_sim) = need_sim("four_agents_do_twelve_beads_each_once_though_some_die") else { return };
    run(&Size { agents: 4, beads: 12, at_a_time: 3, killed: 1 });
}

#[test]
#[ignore = "takes minutes"]
fn twenty_agents_do_two_hundred_beads_each_once_though_some_die() {
    let Some(_sim) = need_sim("twenty_agents_do_two_hundred_beads_each_once_though_some_die") else { return };
    run(&Size { agents: 20, beads: 200, at_a_time: 20, killed: 10 });
}

/// What an agent is told to do: a file of its bead's name, committed; and then the bead is closed.
fn steps(slow: bool) -> String {
    let finish = "id=$(git branch --show-current | sed 's,^[a-z]*/,,' | cut -d- -f1,2); \
                  echo $id > $id.txt; git add -A; git commit -qm $id;";
    let slow = if slow { "[[slow:150]] " } else { "" };
    format!("{slow}[[bash:{finish} {} bead close $id --reason done]]", program().display())
}

fn run(size: &Size) {
    let console = Console::new();
    console.sandbox.git(["add", "-A"]);
    console.sandbox.git(["commit", "-qm", "beads"]);
    let at_a_time = size.at_a_time.to_string();
    let settings = [
        ["simulated", "true"],
        ["mode", "bypassPermissions"],
        ["min_free_mib", "0"],
        ["max_agents", &at_a_time],
        ["auto_dispatch", "true"],
    ];
    for [key, value] in settings {
        console.ok(&["fleet", "settings", key, value]);
    }
    let mut blocks: BTreeMap<String, String> = BTreeMap::new();
    let mut beads: Vec<String> = Vec::new();
    for n in 0..size.beads {
        let (title, steps) = (format!("Job {n}"), steps(n < size.killed));
        let mut options = vec!["--description", steps.as_str()];
        let blocker = beads.last().cloned().filter(|_| n % 3 == 2);
        if let Some(blocker) = &blocker {
            options.extend(["--blocked-by", blocker]);
        }
        let bead = console.bead(&title, &options);
        blocks.extend(blocker.map(|blocker| (bead.clone(), blocker)));
        beads.push(bead);
    }
    let mut line = vec!["fleet", "convoy", "create", "All of it"];
    line.extend(beads.iter().map(String::as_str));
    let convoy = console.json(&line)["convoy"]["id"].as_str().unwrap().to_owned();
    for _ in 0..size.agents {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }

    let serving = Serving::start(&console);
    thread::scope(|scope| {
        // All at once: each is at its slow step for some seconds only.
        for bead in &beads[..size.killed] {
            let console = &console;
            scope.spawn(move || {
                let first = kill_host(console, bead, &BTreeSet::new());
                let again = kill_host(console, bead, &BTreeSet::from([first.1]));
                assert_eq!(first.0, again.0, "a session that died is resumed, once");
            });
        }
    });
    wait_for("every bead is closed", PATIENCE, || {
        let list = console.json(&["bead", "list"]);
        let closed = list["beads"].as_array()?.iter().filter(|bead| bead["status"] == "closed").count();
        (closed == beads.len()).then_some(())
    });
    let overview = wait_for("every agent is idle", PATIENCE, || {
        let overview = console.json(&["fleet", "overview"]);
        let idle = overview["agents"].as_array()?.iter().all(|agent| agent["state"] == "idle");
        let closed = !overview["convoys"][0]["closed_at"].is_null();
        (idle && closed).then_some(overview)
    });
    assert_eq!(overview["convoys"][0]["counts"]["done"], beads.len());
    drop(serving);

    let made = console.sandbox.git(["log", "--all", "--format=%s"]);
    let mut made: Vec<&str> =
        made.lines().filter(|subject| beads.iter().any(|bead| bead == subject)).collect();
    made.sort_unstable();
    let mut wanted: Vec<&str> = beads.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(made, wanted, "every bead was done once");
    order_was_kept(&console, &convoy, &blocks);
    let sessions = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    assert!(most_at_a_time(&sessions) <= size.at_a_time, "more than {} worked at a time", size.at_a_time);
    let handed_on = sessions.len() - beads.len();
    assert_eq!(handed_on, size.killed, "one session more for each that was handed on");
}

/// Kills the host of the session that works on the bead, once one does that was not killed before; the session and
/// the host's process.
fn kill_host(console: &Console, bead: &str, but: &BTreeSet<u64>) -> (String, u64) {
    let (id, pid) = wait_for("a session works on the bead", PATIENCE, || {
        let list = console.json(&["session", "list"]);
        let sessions = list["sessions"].as_array()?;
        let live = sessions.iter().find(|session| {
            session["bead_id"] == bead
                && session["live"]["hooks_seen"] == true
                && session["live"]["host_pid"].as_u64().is_some_and(|pid| !but.contains(&pid))
        })?;
        Some((live["id"].as_str()?.to_owned(), live["live"]["host_pid"].as_u64()?))
    });
    #[allow(clippy::disallowed_methods, reason = "the test's own kill of one process by its id")]
    let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(killed.success());
    (id, pid)
}

/// No bead was handed out before what it waits for was closed.
fn order_was_kept(console: &Console, convoy: &str, blocks: &BTreeMap<String, String>) {
    let path = console.sandbox.project().join(format!(".chipset/state/events/{convoy}.jsonl"));
    let events: Vec<Value> =
        fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = |what: &str, bead: &str| {
        let is = |event: &Value| event["event"] == what && event["bead"] == bead;
        events.iter().position(is).unwrap_or_else(|| panic!("{what} of {bead}"))
    };
    let time = |n: usize| events[n]["at"].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    for (bead, blocker) in blocks {
        let shown = console.json(&["bead", "show", blocker]);
        let closed: chrono::DateTime<chrono::Utc> =
            shown["bead"]["closed_at"].as_str().unwrap().parse().unwrap();
        assert!(time(place("hook_set", bead)) >= closed, "{bead} was begun before {blocker} was closed");
    }
}

/// How many sessions were active at the same moment, at most.
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
