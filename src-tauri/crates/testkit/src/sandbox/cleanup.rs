//! Ends the processes of a sandbox, which are identified by the sandbox's variable in their environment.

use std::ffi::OsStr;

/// Kills every other process with exactly `mark=value` in its environment.
#[cfg(target_os = "linux")]
pub(super) fn end_marked(mark: &str, value: &OsStr) {
    use std::os::unix::ffi::OsStrExt;
    let wanted = [mark.as_bytes(), b"=", value.as_bytes()].concat();
    // A process may fork or exec during the scan, so the scan is repeated until no process is found, up to a
    // limit.
    for _ in 0..40 {
        let Scan { marked, unknown } = scan(&wanted);
        if marked.is_empty() && !unknown {
            return;
        }
        for pid in marked {
            // An error is ignored, because the process may already have exited.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[derive(Default)]
struct Scan {
    marked: Vec<rustix::process::Pid>,
    /// Whether a process has memory but no visible environment. Such a process is in the middle of an exec,
    /// and may be marked.
    unknown: bool,
}

#[cfg(target_os = "linux")]
fn scan(wanted: &[u8]) -> Scan {
    let own = std::process::id().to_string();
    let mut seen = Scan::default();
    let Ok(entries) = std::fs::read_dir("/proc") else { return seen };
    for entry in entries.flatten().filter(|entry| entry.file_name() != own.as_str()) {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(environ) = std::fs::read(entry.path().join("environ")) else { continue };
        if environ.is_empty() {
            // Kernel threads and zombies have no memory.
            let memory = std::fs::read_to_string(entry.path().join("statm")).unwrap_or_default();
            seen.unknown |= memory.split(' ').next().is_some_and(|pages| !matches!(pages, "" | "0"));
        } else if environ.split(|byte| *byte == 0).any(|variable| variable == wanted) {
            seen.marked.extend(rustix::process::Pid::from_raw(pid));
        }
    }
    seen
}

/// Does nothing, because only Linux has `/proc/PID/environ`.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_marked(_mark: &str, _value: &OsStr) {}
