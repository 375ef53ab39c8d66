//! Finds the outermost `sh -c` that runs a program.

use crate::process_entry::{Identity, ProcessEntry};

/// Shells that can run a command line with `-c`.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ash"];

/// Returns the outermost `sh -c` that runs a process, directly or through another `sh -c`. Returns the
/// process itself if no such shell runs it, and `None` if the process has exited. `entry` looks up a process
/// by its pid; `words` looks up its arguments.
pub(super) fn outermost_shell(
    pid: u32,
    entry: impl Fn(u32) -> Option<ProcessEntry>,
    words: impl Fn(u32) -> Option<Vec<Vec<u8>>>,
) -> Option<Identity> {
    let runs_dash_c = |process: &ProcessEntry| {
        let flag =
            || words(process.identity.pid).is_some_and(|words| words.get(1).is_some_and(|w| w == b"-c"));
        !process.ended && SHELLS.contains(&process.name.as_str()) && flag()
    };
    let mut found = entry(pid).filter(|process| !process.ended)?;
    while let Some(above) = entry(found.parent).filter(runs_dash_c) {
        found = above;
    }
    Some(found.identity)
}
