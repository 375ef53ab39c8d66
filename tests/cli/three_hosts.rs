//! A fleet on three ssh hosts. Each host and the user's machine have their own network namespaces, so that a
//! connection can be cut like a cable.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the test acts as the user and the hosts' administrator")]

use crate::{
    console::{Console, need_sim, program},
    fleet_run::{assert_blockers_closed_first, assert_merged_once_and_in_order, events_of, steps},
    merging::Queue,
    runners::{SSHD, SshServer},
    serve::RunningServer,
    slow_link::Random,
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

const TIMEOUT: Duration = Duration::from_secs(45 * 60);

const AGENTS: usize = 100;
const BEADS: usize = 500;
/// The number of beads whose session host is killed twice.
const KILLED: usize = 15;

/// An overview of a hundred agents takes a second of CPU time, which the agents also need.
const OVERVIEW_EVERY: Duration = Duration::from_secs(5);

/// A host with its own network namespace and home folder.
struct Host {
    name: String,
    home: PathBuf,
    /// The network interface on the user's side.
    cable: String,
    server: Child,
}

/// Three hosts, and the network namespace in which ssh runs.
struct Network {
    prefix: String,
    hosts: Vec<Host>,
}

impl Network {
    /// Creates the network and adds its hosts as places. If this user cannot create network namespaces or
    /// sshd is missing, prints a warning and returns `None`.
    fn start(console: &mut Console, test: &str) -> Option<Network> {
        let root = console.sandbox.project().parent().unwrap().to_owned();
        let folder = SshServer::prepare(console, test)?;
        let mut network = Network { prefix: format!("bc{}", std::process::id()), hosts: Vec::new() };
        let home = network.namespace("home");
        if !ip(&["netns", "add", &home]) {
            eprintln!("SKIPPED {test}: network namespaces cannot be created");
            return None;
        }
        let (mut config, mut known) = (String::new(), String::new());
        let key = fs::read_to_string(folder.join("host.pub")).unwrap();
        for n in 1..=3 {
            let host = network.add_host(n, &root, &folder);
            config.push_str(&format!(
                "Host {}\n HostName 10.99.{n}.2\n IdentitiesOnly yes\n IdentityFile {1}/mine\n UserKnownHostsFile {1}/known\n",
                host.name,
                folder.display()
            ));
            known.push_str(&format!("10.99.{n}.2 {key}"));
            network.hosts.push(host);
        }
        fs::write(folder.join("client"), config + "Host *\n GlobalKnownHostsFile none\n").unwrap();
        fs::write(folder.join("known"), known).unwrap();
        let bin = root.join("bin-of-hosts");
        fs::create_dir_all(&bin).unwrap();
        let enter = format!("exec nsenter --net=/run/netns/{home}");
        script(&bin.join("ssh"), &format!("{enter} /usr/bin/ssh -F {}/client \"$@\"", folder.display()));
        let path = console.sandbox.env()[OsStr::new("PATH")].clone();
        let path = std::iter::once(bin.clone()).chain(std::env::split_paths(&path));
        console.sandbox.set("PATH", std::env::join_paths(path).unwrap());
        for host in &network.hosts {
            let program_at_host = bin.join(format!("beads-console-{}", host.name));
            script(
                &program_at_host,
                &format!(
                    "export HOME='{0}' XDG_RUNTIME_DIR='{0}/runtime' XDG_CONFIG_HOME='{0}/.config' \
                     XDG_STATE_HOME='{0}/.state'\nunset BEADS_DIR\nexec '{1}' \"$@\"",
                    host.home.display(),
                    program().display()
                ),
            );
            let program_at_host = program_at_host.to_str().unwrap();
            let capacity = (AGENTS / 3 + 1).to_string();
            console.ok(&[
                "places",
                "add",
                &host.name,
                &host.name,
                "--program",
                program_at_host,
                "--capacity",
                &capacity,
            ]);
        }
        Some(network)
    }

    fn namespace(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    fn add_host(&self, n: usize, root: &Path, folder: &Path) -> Host {
        let name = format!("host{n}");
        let (user_side, namespace) = (self.namespace("home"), self.namespace(&name));
        let cable = format!("cable{n}");
        let run_ip = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(ip(&words), "ip {line}");
        };
        run_ip(&format!("netns add {namespace}"));
        run_ip(&format!("-n {user_side} link add {cable} type veth peer name eth0 netns {namespace}"));
        run_ip(&format!("-n {user_side} address add 10.99.{n}.1/24 dev {cable}"));
        run_ip(&format!("-n {namespace} address add 10.99.{n}.2/24 dev eth0"));
        run_ip(&format!("-n {user_side} link set {cable} up"));
        run_ip(&format!("-n {namespace} link set eth0 up"));
        let server = Command::new("nsenter")
            .arg(format!("--net=/run/netns/{namespace}"))
            .args([SSHD, "-D", "-e", "-f"])
            .arg(folder.join("config"))
            // After a cut, all links to this host may connect at the same time.
            .args([
                "-o",
                &format!("ListenAddress=10.99.{n}.2"),
                "-o",
                "MaxStartups=300",
                "-o",
                "PerSourceMaxStartups=300",
            ])
            .stdin(Stdio::null())
            .stderr(fs::File::create(root.join(format!("sshd-{name}.log"))).unwrap())
            .spawn()
            .unwrap();
        let home = root.join(format!("home-of-{name}"));
        fs::create_dir_all(home.join("runtime")).unwrap();
        Host { name, home, cable, server }
    }

    fn set_cable(&self, host: &Host, state: &str) {
        assert!(ip(&["-n", &self.namespace("home"), "link", "set", &host.cable, state]));
    }

    /// Cuts random cables until `ended` is set. Returns the number of cuts.
    fn cut_until(&self, ended: &AtomicBool) -> usize {
        let mut random = Random(42);
        let mut cuts = 0;
        while !ended.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(2_000 + random.below(8_000)));
            let host = &self.hosts[random.below(3) as usize];
            self.set_cable(host, "down");
            // Some cuts last longer than the time after which a silent connection is considered dead.
            thread::sleep(Duration::from_millis(500 + random.below(35_000)));
            self.set_cable(host, "up");
            cuts += 1;
        }
        cuts
    }

    /// The process id of the session's host at its place.
    fn host_pid(&self, session: &str) -> Option<u64> {
        self.hosts.iter().find_map(|host| {
            let projects = fs::read_dir(host.home.join("beads-console")).ok()?;
            projects.flatten().find_map(|project| {
                let file = project.path().join(".beads/sessions").join(session).join("host.json");
                let info: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
                info["pid"].as_u64()
            })
        })
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for host in &mut self.hosts {
            let _ = host.server.kill();
            let _ = host.server.wait();
        }
        for name in self.hosts.iter().map(|host| host.name.as_str()).chain(["home"]) {
            ip(&["netns", "del", &self.namespace(name)]);
        }
    }
}

fn ip(args: &[&str]) -> bool {
    Command::new("ip").args(args).status().is_ok_and(|status| status.success())
}

fn script(file: &Path, text: &str) {
    fs::write(file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Waits until a started agent works on the bead with a session host other than `killed_before`, then kills that
/// host. During a start, the kill would count as a failed start. Returns `None` if the run ends first.
fn kill_host(
    console: &Console,
    network: &Network,
    bead: &str,
    killed_before: Option<u64>,
    ended: &AtomicBool,
) -> Option<u64> {
    let pid = wait_for("a host for the bead", TIMEOUT, || {
        if ended.load(Ordering::SeqCst) {
            return Some(None);
        }
        thread::sleep(OVERVIEW_EVERY);
        let overview = console.json(&["fleet", "overview"]);
        let agents = overview["agents"].as_array()?;
        let agent = agents.iter().find(|agent| agent["bead"] == bead && agent["state"] != "starting")?;
        network.host_pid(agent["session_id"].as_str()?).filter(|pid| Some(*pid) != killed_before).map(Some)
    })?;
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    Some(pid)
}

/// Sends the instructions again to resumed agents. The simulated agent does not remember its instructions.
fn remind(console: &Console, overview: &Value, reminded: &mut BTreeSet<String>) {
    for agent in overview["agents"].as_array().unwrap() {
        let Some(session) = agent["session_id"].as_str().filter(|_| agent["state"] == "at_prompt") else {
            continue;
        };
        let shown = console.show(session);
        let resumed = shown["active_intervals"].as_array().is_some_and(|intervals| intervals.len() > 1);
        if resumed
            && !reminded.contains(session)
            && console.run(&["session", "send", session, &steps(None, false)]).code == Some(0)
        {
            reminded.insert(session.to_owned());
        }
    }
}

#[test]
#[ignore = "takes half an hour, and needs root"]
fn a_hundred_agents_on_three_hosts_finish_five_hundred_beads_once_despite_cuts_and_crashes() {
    const TEST: &str =
        "a_hundred_agents_on_three_hosts_finish_five_hundred_beads_once_despite_cuts_and_crashes";
    let Some(_sim) = need_sim(TEST) else { return };
    let mut console = Console::new();
    let Some(network) = Network::start(&mut console, TEST) else { return };
    let queue = Queue::of(console);
    let console = &queue.console;
    for [key, value] in [
        ["simulated", "true"],
        ["mode", "bypassPermissions"],
        ["min_free_mib", "0"],
        ["max_agents", &AGENTS.to_string()],
        ["auto_dispatch", "true"],
        ["merge_review", "false"],
        ["merge_target", "main"],
    ] {
        console.ok(&["fleet", "settings", key, value]);
    }
    console.ok(&["fleet", "settings", "places", "host1", "host2", "host3"]);
    let gate = |n: usize| console.sandbox.root().join(format!("gate-{n}"));
    let mut blockers = BTreeMap::new();
    let mut beads: Vec<String> = Vec::new();
    for n in 0..BEADS {
        let steps = steps((n < KILLED).then(|| gate(n)).as_deref(), false);
        let mut options = vec!["--description", steps.as_str()];
        let blocker = beads.last().cloned().filter(|_| n % 3 == 2);
        if let Some(blocker) = &blocker {
            options.extend(["--blocked-by", blocker]);
        }
        let bead = console.bead(&format!("Job {n}"), &options);
        blockers.extend(blocker.map(|blocker| (bead.clone(), blocker)));
        beads.push(bead);
    }
    let mut line = vec!["fleet", "convoy", "create", "All of it"];
    line.extend(beads.iter().map(String::as_str));
    let convoy = console.json(&line)["convoy"]["id"].as_str().unwrap().to_owned();
    for _ in 0..AGENTS {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }

    let start = Instant::now();
    let serving = RunningServer::start(console);
    let (ended, killed) = (AtomicBool::new(false), AtomicUsize::new(0));
    let overview = || console.json(&["fleet", "overview"]);
    let mut reminded = BTreeSet::new();
    let cuts = thread::scope(|scope| {
        let cutter = scope.spawn(|| network.cut_until(&ended));
        for (bead, gate) in beads[..KILLED].iter().zip((0..).map(gate)) {
            let (network, ended, killed) = (&network, &ended, &killed);
            scope.spawn(move || {
                let first = kill_host(console, network, bead, None, ended);
                let second = kill_host(console, network, bead, first, ended);
                killed.fetch_add(first.iter().chain(&second).count(), Ordering::SeqCst);
                fs::write(gate, "").unwrap();
            });
        }
        let mut shown = 0;
        wait_for("every bead is merged", TIMEOUT, || {
            thread::sleep(OVERVIEW_EVERY);
            let overview = overview();
            remind(console, &overview, &mut reminded);
            let merged = overview["convoys"][0]["counts"]["merged"].as_u64()?;
            if merged / 25 > shown {
                shown = merged / 25;
                eprintln!("{merged} merged after {} s", start.elapsed().as_secs());
            }
            (merged == BEADS as u64).then_some(())
        });
        ended.store(true, Ordering::SeqCst);
        cutter.join().unwrap()
    });
    wait_for("every agent is idle", TIMEOUT, || {
        let idle = overview()["agents"].as_array()?.iter().all(|agent| agent["state"] == "idle");
        idle.then_some(())
    });
    let seconds = start.elapsed().as_secs();
    drop(serving);
    let list = console.json(&["bead", "list"]);
    let closed = list["beads"].as_array().unwrap().iter().filter(|bead| bead["status"] == "closed").count();
    assert_eq!(closed, BEADS);
    let events = events_of(console, &convoy);
    assert_merged_once_and_in_order(&queue, &beads, &BTreeSet::new(), &events);
    assert_blockers_closed_first(console, &events, &blockers);
    let sessions = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    let mut by_place: BTreeMap<&str, usize> = BTreeMap::new();
    for session in &sessions {
        *by_place.entry(session["place"].as_str().unwrap_or("local")).or_default() += 1;
    }
    eprintln!(
        "{AGENTS} agents on three hosts did {BEADS} beads in {seconds} s, {} of them after another: all closed and merged \
         once, in order; {cuts} cuts; {} hosts were killed; sessions by place: {by_place:?}",
        blockers.len(),
        killed.load(Ordering::SeqCst)
    );
    assert!(killed.load(Ordering::SeqCst) >= KILLED, "too few hosts were killed");
}
