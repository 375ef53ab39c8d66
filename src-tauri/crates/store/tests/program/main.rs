//! The test processes of `tests/faults`, to be killed, interrupted or run concurrently: one operation of the
//! store, an endless writer, or one of many on one project.

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

/// Searched right before and after the operation, and found in the trace of system calls.
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

/// Does an operation and says `+` for each part that is done for certain, `-` where it was refused; it
/// is then done again, as a user would, which ends with `=` or another `-`.
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

/// One byte, so that a report is never partial. Without a reader, no more is requested.
fn say(byte: u8) {
    if io::stdout().write_all(&[byte]).and_then(|()| io::stdout().flush()).is_err() {
        std::process::exit(3);
    }
}
