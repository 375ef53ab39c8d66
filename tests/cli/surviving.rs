//! Engines and hosts are killed while the agent floods its terminal. No client misses terminal output, no
//! message is lost, and no process remains.

#![cfg(target_os = "linux")]

use crate::{
    console::{Console, need_sim},
    serve::{RunningServer, enter, post, rpc},
    watcher::Watcher,
};
use bc_host::{Activity, Client};
use bc_process::descendants::{self, Family, Identity, Signal};
use bc_testkit::{wait_for, wait_until};
use serde_json::{Value, json};
use std::{collections::HashSet, fs, path::PathBuf, thread, time::Duration};

const TIMEOUT: Duration = Duration::from_secs(120);

/// Starts a process in its own process session, which does not depend on the terminal. The tool call ends
/// only once this process ignores SIGHUP. Otherwise, closing the tool's terminal would terminate the process.
const GRANDCHILD: &str = r#"[[bash:setsid sh -c 'trap "" HUP; : > "$HOME/up"; while :; do sleep 1000; done' >/dev/null 2>&1 & while ! rm "$HOME/up" 2>/dev/null; do sleep 0.1; done]]"#;

#[test]
fn a_killed_engine_loses_no_terminal_output() {
    kill_engines("a_killed_engine_loses_no_terminal_output", 3);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_engines_lose_no_terminal_output() {
    kill_engines("two_hundred_killed_engines_lose_no_terminal_output", 200);
}

#[test]
fn a_killed_host_loses_no_message_and_leaves_no_process() {
    kill_hosts("a_killed_host_loses_no_message_and_leaves_no_process", 3);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_hosts_lose_no_message_and_leave_no_process() {
    kill_hosts("two_hundred_killed_hosts_lose_no_message_and_leave_no_process", 200);
}

/// A session whose engine and host are killed.
struct Survivor {
    console: Console,
    id: String,
}

impl Survivor {
    fn new() -> Survivor {
        let console = Console::new();
        let id = console.start(&["--simulated", "--mode", "bypassPermissions", "--prompt", "hello"]);
        let survivor = Survivor { console, id };
        survivor.wait_idle();
        survivor
    }

    fn folder(&self) -> PathBuf {
        self.console.sandbox.project().join(".beads/sessions").join(&self.id)
    }

    fn file(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.folder().join(name)).unwrap()).unwrap()
    }

    /// The socket path in `host.json`, which the host writes.
    fn socket(&self) -> PathBuf {
        self.file("host.json")["socket"].as_str().unwrap().into()
    }

    fn client(&self) -> Client {
        Client::connect(&self.socket()).unwrap()
    }

    fn wait_idle(&self) {
        wait_until("an idle agent", TIMEOUT, || self.client().status().unwrap().activity == Activity::Idle);
    }

    /// The process id in `engine.json`, which an engine removes when it shuts down cleanly.
    fn engine(&self) -> u32 {
        let announced = self.console.sandbox.project().join(".beads/sessions/engine.json");
        let announced: Value = serde_json::from_slice(&fs::read(announced).unwrap()).unwrap();
        announced["pid"].as_u64().unwrap().try_into().unwrap()
    }

    fn family(&self) -> Family {
        Family { session: self.id.clone(), root: None }
    }

    /// The ids of the messages in the session's `messages.jsonl`. Asserts that no message occurs twice,
    /// except messages with tool calls, which are recorded again when they change.
    fn recorded(&self) -> HashSet<String> {
        let lines = fs::read_to_string(self.folder().join("messages.jsonl")).unwrap();
        let unchanging = ids_of(&lines, |line| line["id"].as_str().filter(|_| line["tool_calls"].is_null()));
        let distinct: HashSet<&String> = unchanging.iter().collect();
        assert_eq!(distinct.len(), unchanging.len(), "a message was recorded twice");
        ids_of(&lines, |line| line["id"].as_str()).into_iter().collect()
    }

    /// The ids of the agent's messages in its own transcripts.
    fn written_by_the_agent(&self) -> HashSet<String> {
        let meta = self.file("meta.json");
        let conversations = meta["claude_sessions"].as_array().unwrap();
        let paths = conversations.iter().filter_map(|conversation| conversation["transcript_path"].as_str());
        paths
            .flat_map(|path| {
                ids_of(&fs::read_to_string(path).unwrap(), |line| match line["type"].as_str() {
                    Some("assistant") => line["message"]["id"].as_str(),
                    _ => None,
                })
            })
            .collect()
    }
}

fn ids_of(lines: &str, id: impl Fn(&Value) -> Option<&str>) -> Vec<String> {
    let values = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    values.filter_map(|line| id(&line).map(str::to_owned)).collect()
}

fn kill_engines(test: &str, rounds: u64) {
    if need_sim(test).is_none() {
        return;
    }
    let survivor = Survivor::new();
    let host = survivor.client().status().unwrap().host;
    let from_start = Watcher::attach(&survivor.socket());
    let (mut bytes, mut screens) = (0, 0);
    for round in 0..rounds {
        let mut engine = engine(&survivor);
        let (before, messages) = (from_start.seen().0, survivor.client().status().unwrap().messages);
        survivor.console.ok(&["session", "send", &survivor.id, "[[flood:300]]"]);
        from_start.wait_watched(before + 1 + round * 37 % 5000);
        engine.child.kill().unwrap();
        engine.child.wait().unwrap();
        assert_eq!(
            survivor.engine(),
            engine.child.id(),
            "round {round}: the engine shut down cleanly or was not running"
        );
        let after_kill = Watcher::attach(&survivor.socket());
        wait_until("the end of the flood", TIMEOUT, || {
            survivor.client().status().unwrap().messages > messages + 300
        });
        survivor.wait_idle();
        let after_flood = Watcher::attach(&survivor.socket());
        assert_same_screen(&[&from_start, &after_kill, &after_flood]);
        screens += 3;
        bytes += after_kill.seen().0;
        assert_eq!(survivor.client().status().unwrap().host, host, "round {round}: the host was replaced");
    }
    let shown = survivor.console.show(&survivor.id);
    assert_eq!(
        (&shown["status"], shown["live"]["host_pid"].as_u64()),
        (&"active".into(), Some(host.pid.into()))
    );
    let lost: Vec<_> = survivor.written_by_the_agent().difference(&survivor.recorded()).cloned().collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
    survivor.console.ok(&["session", "end", &survivor.id]);
    assert_eq!(descendants::members(&survivor.family()).unwrap(), [], "a process was left running");
    let (watched, refreshes) = from_start.seen();
    println!(
        "COUNTED killed engines: {rounds} rounds, {watched} bytes watched from the start and {bytes} after a kill, \
         0 missing by offset, {refreshes} fresh screens for a slow client, {screens} equal screens; {} messages of \
         the agent, 0 lost; 0 orphans",
        survivor.written_by_the_agent().len()
    );
}

/// Starts a server and makes it the project's engine.
fn engine(survivor: &Survivor) -> RunningServer {
    let server = RunningServer::start(&survivor.console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    post(&page, "session.list", &json!({ "params": {}, "project": key }));
    assert_eq!(survivor.engine(), server.child.id(), "another process is the engine");
    server
}

/// Waits until all watchers have received the same bytes, then asserts that their screens are equal.
#[track_caller]
fn assert_same_screen(watchers: &[&Watcher]) {
    let states = wait_for("all watchers at the same offset", TIMEOUT, || {
        let states: Vec<(u64, u64)> =
            watchers.iter().map(|watcher| watcher.screen_state()).collect::<Option<_>>()?;
        states.iter().all(|(offset, _)| *offset == states[0].0).then_some(states)
    });
    assert!(states.iter().all(|state| *state == states[0]), "the screens differ: {states:?}");
}

fn kill_hosts(test: &str, rounds: u64) {
    if need_sim(test).is_none() {
        return;
    }
    let counted = thread::scope(|scope| {
        let lanes = [0, 1, 2, 3].map(|lane| scope.spawn(move || kill_hosts_of(lane, 4, rounds)));
        lanes.map(|lane| lane.join().unwrap())
    });
    let (mut bytes, mut ended, mut messages) = (0, 0, 0);
    for lane in counted {
        (bytes, ended, messages) = (bytes + lane.0, ended + lane.1, messages + lane.2);
    }
    println!(
        "COUNTED killed hosts: {rounds} rounds, {bytes} bytes watched, 0 missing by offset; {messages} messages of \
         the agent, 0 lost; {ended} processes left by killed hosts, 0 orphans"
    );
}

/// Runs one lane's share of the rounds, five per session, and checks the complete record after each round.
/// Returns the numbers of watched bytes, of processes that killed hosts left, and of the agent's messages.
fn kill_hosts_of(lane: usize, lanes: usize, rounds: u64) -> (u64, usize, usize) {
    let rounds: Vec<u64> = (0..rounds).collect();
    let (mut bytes, mut ended, mut messages) = (0, 0, 0);
    for session in rounds.chunks(5).skip(lane).step_by(lanes) {
        let survivor = Survivor::new();
        for round in session {
            let (watched, remaining) = kill_host(&survivor, *round);
            (bytes, ended) = (bytes + watched, ended + remaining);
        }
        survivor.console.ok(&["session", "end", &survivor.id]);
        assert_eq!(descendants::members(&survivor.family()).unwrap(), [], "a process was left running");
        messages += survivor.written_by_the_agent().len();
    }
    (bytes, ended, messages)
}

/// Kills the host during a flood and resumes the session. Returns the numbers of watched bytes and of
/// processes that the host left.
fn kill_host(survivor: &Survivor, round: u64) -> (u64, usize) {
    let watcher = Watcher::attach(&survivor.socket());
    survivor.client().send(GRANDCHILD).unwrap();
    wait_until("the grandchild", TIMEOUT, || {
        descendants::members(&survivor.family()).unwrap().iter().any(|member| member.name == "sleep")
    });
    survivor.wait_idle();
    let status = survivor.client().status().unwrap();
    let before = watcher.seen().0;
    survivor.client().send("[[flood:600]]").unwrap();
    watcher.wait_watched(before + 1 + round * 997 % 50_000);
    let late_watcher = Watcher::attach(&survivor.socket());
    status.host.signal(Signal::Kill).unwrap();
    assert!(status.host.wait_ended(TIMEOUT).unwrap());
    let (watched, remaining) =
        (watcher.seen().0 + late_watcher.seen().0, assert_cleaned_up(survivor, status.agent.unwrap(), round));
    survivor.console.ok(&["session", "resume", &survivor.id]);
    survivor.wait_idle();
    let (first_watcher, second_watcher) =
        (Watcher::attach(&survivor.socket()), Watcher::attach(&survivor.socket()));
    assert_same_screen(&[&first_watcher, &second_watcher]);
    (watched, remaining)
}

/// Opens the project with another program. Asserts that the dead host's processes then no longer run and that
/// all messages of its agent are recorded. Returns the number of processes that the host had left behind.
fn assert_cleaned_up(survivor: &Survivor, agent: Identity, round: u64) -> usize {
    let remaining = descendants::members(&survivor.family()).unwrap();
    assert!(
        remaining.iter().any(|member| member.name == "sleep"),
        "round {round}: no process was left: {remaining:?}"
    );
    let shown = survivor.console.show(&survivor.id);
    assert_eq!(
        (&shown["status"], &shown["pause_reason"]),
        (&"paused".into(), &"interrupted".into()),
        "{shown:#}"
    );
    let orphans = descendants::members(&survivor.family()).unwrap();
    assert!(orphans.is_empty() && !agent.is_alive(), "round {round}: {orphans:?}");
    assert!(remaining.iter().all(|member| !member.identity.is_alive()), "round {round}: {remaining:?}");
    let recorded = survivor.recorded();
    let lost: Vec<_> = survivor.written_by_the_agent().difference(&recorded).cloned().collect();
    assert!(lost.is_empty(), "round {round}: lost {lost:?}");
    remaining.len()
}
