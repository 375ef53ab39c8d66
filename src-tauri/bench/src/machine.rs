//! The machine that was measured on, as far as numbers depend on it.

use serde::Serialize;
use std::fs;

/// It.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Machine {
    at: String,
    cores: usize,
    processor: String,
    memory_gib: u64,
    kernel: String,
    /// Programs that wanted to run in the minute before: what is more than 0 disturbed the first rows.
    load: String,
}

impl Machine {
    /// This one.
    pub(crate) fn here() -> Machine {
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

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Machine { at, cores, processor, memory_gib, kernel, load } = self;
        format!(
            "{at}, {cores} cores ({processor}), {memory_gib} GiB, Linux {kernel}, load {load} at the start"
        )
    }

    /// A name for the run's file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.json", self.at.replace(':', ""))
    }
}
