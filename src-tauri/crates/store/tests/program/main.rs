//! The processes that `tests/faults` kills, interrupts or runs concurrently: one operation of the store, an endless
//! writer, or one of many programs on one project.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod crowd;
#[path = "../faults/operations.rs"]
#[allow(dead_code, reason = "the tests' part of it")]
mod operations;
#[path = "../faults/seen.rs"]
#[allow(dead_code, reason = "the tests' part of it")]
mod seen;
mod writers;

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

/// A path that is looked up right before and after the operation, to mark both in the trace of system calls.
const MARK: &str = "/the operation begins or ends here";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["once", name, root] => once(name, Path::new(root)),
        ["write", root] => writers::write(Path::new(root)),
        ["crowd", root, who, rounds] => crowd::work(Path::new(root), who, rounds.parse().unwrap()),
        _ => ExitCode::from(2),
    }
}

/// Performs an operation. Prints `+` for each part that is certainly done, and `-` if the operation failed. It is
/// then repeated, as a user would do, which prints `=` or another `-`.
fn once(name: &str, root: &Path) -> ExitCode {
    let operation = operations::ALL.iter().find(|operation| operation.name == name).unwrap();
    let _ = Path::new(MARK).symlink_metadata();
    let result = (operation.run)(root, &mut || say(b'+'));
    let _ = Path::new(MARK).symlink_metadata();
    if let Err(error) = result {
        eprintln!("refused: {error}: {:?}", std::error::Error::source(&error).map(ToString::to_string));
        say(b'-');
        match (operation.run)(root, &mut || {}) {
            Ok(()) => say(b'='),
            Err(error) => {
                eprintln!("refused again: {error}");
                say(b'-');
            }
        }
    }
    ExitCode::SUCCESS
}

/// Prints one byte, so that a report is never partial. If nothing reads it, ends the program.
fn say(byte: u8) {
    if io::stdout().write_all(&[byte]).and_then(|()| io::stdout().flush()).is_err() {
        std::process::exit(3);
    }
}
