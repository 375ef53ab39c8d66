//! The processes that belong to a sandbox, found by the sandbox's variable in their environments, and their
//! use of memory and processor time.

use crate::error::BenchError;
use bc_testkit::Sandbox;
use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The time limit for killed processes to exit. [`wait_idle`] waits six times as long.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The ids of all running processes of a sandbox.
pub(crate) fn of(sandbox: &Sandbox) -> Vec<u32> {
    let mark = format!("BC_SANDBOX={}", sandbox.root().display());
    let marked = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(marked).collect()
}

/// Sends a signal, such as `INT`, if the process still exists.
#[allow(clippy::disallowed_methods, reason = "a part of the system, not of the product")]
pub(crate) fn signal(pid: u32, signal: &str) {
    let _ = Command::new("kill").args([format!("-{signal}"), pid.to_string()]).stderr(Stdio::null()).status();
}

/// The name of a process, which the system truncates to 15 characters.
pub(crate) fn name(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned()
}

/// The memory of a process in MiB: its private pages, and its share of shared ones (PSS).
pub(crate) fn memory(pid: u32) -> f64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib = pss.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// The processor time of a process, in steps of 10 ms; zero if the process has exited.
pub(crate) fn cpu(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The fields follow the name, which may contain spaces and parentheses.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks = |n: usize| after.split_whitespace().nth(n).and_then(|text| text.parse::<u64>().ok());
    // Fields 14 and 15 of the whole line, in hundredths of a second.
    Duration::from_millis((ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0)) * 10)
}

/// Whether any thread of the sandbox is runnable or waits for a disk. On a busy machine, a thread without
/// progress may only be waiting for a processor.
pub(crate) fn is_at_work(sandbox: &Sandbox) -> bool {
    let threads = |pid: u32| fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let works = |thread: fs::DirEntry| {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        let state = stat.rsplit_once(')').and_then(|(_, after)| after.trim_start().chars().next());
        matches!(state, Some('R' | 'D'))
    };
    of(sandbox).into_iter().flat_map(threads).any(works)
}

/// Waits until the sandbox's processes have been nearly idle for two seconds. Fails after a minute.
pub(crate) fn wait_idle(sandbox: &Sandbox) -> Result<(), BenchError> {
    let started = Instant::now();
    let all = || of(sandbox).into_iter().map(cpu).sum::<Duration>();
    while started.elapsed() < TIMEOUT * 6 {
        let before = all();
        let looks = (0..20).filter(|_| {
            thread::sleep(Duration::from_millis(100));
            is_at_work(sandbox)
        });
        if looks.count() < 2 && all().saturating_sub(before) < Duration::from_millis(40) {
            return Ok(());
        }
    }
    Err(BenchError::TimedOut { what: "a program at rest".to_owned(), after: TIMEOUT * 6 })
}

/// Kills a program and all processes of its sandbox. Fails if some still exist after [`TIMEOUT`].
pub(crate) fn end(sandbox: &Sandbox, mut child: Child) -> Result<(), BenchError> {
    let started = Instant::now();
    let _ = child.kill();
    let _ = child.wait();
    loop {
        let left = of(sandbox);
        if left.is_empty() {
            return Ok(());
        }
        if started.elapsed() > TIMEOUT {
            let names: Vec<String> = left.into_iter().map(name).collect();
            return Err(BenchError::TimedOut { what: format!("the end of {names:?}"), after: TIMEOUT });
        }
        for pid in left {
            signal(pid, "KILL");
        }
        thread::sleep(Duration::from_millis(10));
    }
}
