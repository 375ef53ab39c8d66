//! The cost of idle live sessions.

use crate::{
    environment::Bench,
    error::BenchError,
    family,
    samples::{Samples, Unit},
    serving::Serving,
};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The number of live sessions.
const SESSIONS: usize = 10;

/// Starts a server and `count` sessions with the simulated agent, each at its prompt. Also returns the
/// process ids of the hosts.
fn sessions(bench: &Bench, sandbox: &Sandbox, count: usize) -> Result<(Serving, Vec<u32>), BenchError> {
    let mut serving = Serving::start(sandbox, &bench.program("beads-console")?)?;
    let project = serving.project()?;
    let mut hosts = Vec::new();
    for _ in 0..count {
        // Without separate branches, the sessions share the repository's folder.
        let params = json!({"simulated": true, "prompt": "", "size": [80, 24], "folder": "auto"});
        let started = serving.call("session.start", Some(&project), params)?;
        let host = started["session"]["live"]["host_pid"].as_u64().and_then(|pid| u32::try_from(pid).ok());
        hosts.push(
            host.ok_or_else(|| {
                BenchError::unexpected_output("session.start", format!("answered {started}"))
            })?,
        );
    }
    // Requests the sessions, as a window does.
    let list: Value = serving.call("session.list", Some(&project), json!({}))?;
    let active =
        list["sessions"].as_array().map_or(0, |all| all.iter().filter(|s| s["status"] == "active").count());
    if active != count {
        return Err(BenchError::unexpected_output(
            "session.list",
            format!("has {active} active sessions of {count}"),
        ));
    }
    Ok((serving, hosts))
}

/// Measures the memory of one session's host, without its agent.
pub(crate) fn host_memory(bench: &Bench) -> Result<Samples, BenchError> {
    let mut samples = Samples::default();
    for _ in 0..bench.rounds(5) {
        let sandbox = bench.project(10)?;
        let (serving, hosts) = sessions(bench, &sandbox, 1)?;
        // Ends the server, because pages that it shares with the host would count only in part.
        drop(serving);
        thread::sleep(Duration::from_secs(2));
        samples.ours.push(hosts.into_iter().map(family::memory).sum());
    }
    Ok(samples.note(
        "PSS of the host's process with the simulated agent at its prompt, no other program of ours running",
    ))
}

/// Measures the processor time and the system calls of a server and of the hosts, while nothing happens.
pub(crate) fn idle(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(100)?;
    let (serving, hosts) = sessions(bench, &sandbox, SESSIONS)?;
    let ours: Vec<u32> = hosts.iter().copied().chain([serving.pid()]).collect();
    family::wait_idle(&sandbox)?;
    let (mut samples, mut engine) = (Samples::default(), Vec::new());
    let window = Duration::from_secs(if bench.quick { 5 } else { 20 });
    for _ in 0..bench.rounds(3) {
        let (started, before) = (Instant::now(), total(&ours));
        let server_before = family::cpu(serving.pid());
        thread::sleep(window);
        let percent = |spent: Duration| spent.as_secs_f64() / started.elapsed().as_secs_f64() * 100.0;
        engine.push(percent(family::cpu(serving.pid()).saturating_sub(server_before)));
        samples.ours.push(percent(total(&ours).saturating_sub(before)));
    }
    let samples = samples
        .note(format!(
            "the server and its {SESSIONS} hosts together, simulated agents not counted, {} s per round",
            window.as_secs()
        ))
        .aside("the server (the engine) alone", Unit::Percent, engine);
    let server = calls(&[serving.pid()], window)?;
    let hosts = calls(&hosts, window)?;
    Ok(samples.note(format!("strace, {} s of the server: {}", window.as_secs(), summary(&server))).note(
        format!(
            "strace, {} s of the {SESSIONS} hosts, a heartbeat every 5 s each: {}",
            window.as_secs(),
            summary(&hosts)
        ),
    ))
}

fn total(pids: &[u32]) -> Duration {
    pids.iter().copied().map(family::cpu).sum()
}

/// Counts the system calls of these processes during `window`, by name.
fn calls(pids: &[u32], window: Duration) -> Result<BTreeMap<String, u64>, BenchError> {
    #[allow(clippy::disallowed_methods, reason = "a part of the system, not of the product")]
    let mut command = Command::new("strace");
    command.args(["-f", "-c", "-U", "calls,name"]);
    for pid in pids {
        command.args(["-p", &pid.to_string()]);
    }
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|_| BenchError::Missing {
        what: "strace".to_owned(),
        hint: "install Debian's package strace, which counts system calls",
    })?;
    thread::sleep(window);
    family::signal(child.id(), "INT");
    let done = child.wait_with_output().map_err(BenchError::io("strace"))?;
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (count, name, end) = (words.next()?.parse().ok()?, words.next()?, words.next());
        (end.is_none() && name != "total").then(|| (name.to_owned(), count))
    };
    Ok(text.lines().filter_map(line).collect())
}

fn summary(calls: &BTreeMap<String, u64>) -> String {
    let reads: u64 = READS.iter().filter_map(|name| calls.get(*name)).sum();
    let mut all: Vec<(&String, &u64)> = calls.iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let all: Vec<String> = all.into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    format!("{reads} reads; {}", if all.is_empty() { "no call at all".to_owned() } else { all.join(", ") })
}

/// The system calls that read files and folders. Many of them show that a program polls.
const READS: &[&str] = &[
    "read",
    "pread64",
    "readv",
    "open",
    "openat",
    "stat",
    "fstat",
    "newfstatat",
    "statx",
    "lstat",
    "getdents64",
    "readlink",
];
