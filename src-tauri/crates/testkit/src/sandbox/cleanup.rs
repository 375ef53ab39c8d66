//! Ends the processes that carry a sandbox's mark in their environment, and no others.

use std::ffi::OsStr;

/// Kills every process whose environment has exactly `mark=value`. Where the system shows no
/// environments (all but Linux) nothing is done.
#[cfg(target_os = "linux")]
pub(super) fn end_marked(mark: &str, value: &OsStr) {
    use std::os::unix::ffi::OsStrExt;
    let wanted = [mark.as_bytes(), b"=", value.as_bytes()].concat();
    // A process may fork while it is looked for: look until none is left, a few times.
    for _ in 0..20 {
        let marked = marked(&wanted);
        if marked.is_empty() {
            return;
        }
        for pid in marked {
            // It may have ended by itself: that is what was wanted.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
fn marked(wanted: &[u8]) -> Vec<rustix::process::Pid> {
    let own = std::process::id().to_string();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| entry.file_name() != own.as_str())
        .filter_map(|entry| {
            let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
            let environ = std::fs::read(entry.path().join("environ")).ok()?;
            let has = environ.split(|byte| *byte == 0).any(|variable| variable == wanted);
            has.then(|| rustix::process::Pid::from_raw(pid)).flatten()
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_marked(_mark: &str, _value: &OsStr) {}
