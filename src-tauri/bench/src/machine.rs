//! The properties of the machine that affect the results, and the wait until the machine is idle.

use serde::Serialize;
use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// The time for which the processors must be nearly idle before a row is measured.
const REST: Duration = Duration::from_millis(500);

/// The maximum wait for idle processors. After it, the row is measured on the busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Waits until the processors are nearly idle: processes that were just started or stopped still use them.
pub(crate) fn wait_idle() {
    let times = || Times::of(&fs::read_to_string("/proc/stat").unwrap_or_default());
    let deadline = Instant::now() + TIMEOUT;
    let mut before = times();
    while Instant::now() < deadline {
        thread::sleep(REST);
        let now = times();
        if now.busy_since(before) < 0.05 {
            return;
        }
        before = now;
    }
}

/// Processor times since the system was started, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times {
    all: u64,
    idle: u64,
}

impl Times {
    fn of(stat: &str) -> Times {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu ")).unwrap_or_default();
        let ticks: Vec<u64> = line.split_whitespace().filter_map(|ticks| ticks.parse().ok()).collect();
        // Idle time includes the wait for a disk. The first eight numbers are the total: the time of guests
        // is contained in the first two.
        Times { all: ticks.iter().take(8).sum(), idle: ticks.iter().skip(3).take(2).sum() }
    }

    /// The share of the time since `before` in which the processors were busy, 0 to 1.
    fn busy_since(self, before: Times) -> f64 {
        let (all, idle) = (self.all.saturating_sub(before.all), self.idle.saturating_sub(before.idle));
        if all == 0 { 0.0 } else { all.saturating_sub(idle) as f64 / all as f64 }
    }
}

/// The machine and its state at the start of the run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Machine {
    at: String,
    cores: usize,
    processor: String,
    memory_gib: u64,
    kernel: String,
    /// The load average over the minute before the run. If it is high, other programs disturbed the results.
    load: String,
}

impl Machine {
    pub(crate) fn current() -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map_or_else(String::new, |(_, value)| value.trim().to_owned())
        };
        let memory = after(&read("/proc/meminfo"), "MemTotal");
        let kib: u64 = memory.split(' ').next().and_then(|kib| kib.parse().ok()).unwrap_or(0);
        Machine {
            at: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            processor: after(&read("/proc/cpuinfo"), "model name"),
            memory_gib: kib.div_ceil(1 << 20),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    /// The machine in one line, for the report.
    pub(crate) fn line(&self) -> String {
        let Machine { at, cores, processor, memory_gib, kernel, load } = self;
        format!(
            "{at}, {cores} cores ({processor}), {memory_gib} GiB, Linux {kernel}, load {load} at the start"
        )
    }

    /// The name of the JSON file of a run: its start time.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.json", self.at.replace(':', ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_time_is_the_total_without_idle_time() {
        let before = Times::of("cpu  100 0 50 800 50 0 0 0 7 7\ncpu0 1 1 1 1\n");
        assert_eq!(before, Times { all: 1000, idle: 850 });
        let after = Times::of("cpu  110 0 55 880 55 0 0 0 7 7\n");
        assert!((after.busy_since(before) - 0.15).abs() < 1e-9);
        assert!(after.busy_since(after).abs() < 1e-9 && Times::of("").busy_since(after).abs() < 1e-9);
    }
}
