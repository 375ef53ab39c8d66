//! The program that `tests/faults` kills, interrupts or runs concurrently. It performs a single store
//! operation, writes endlessly, or acts as one of many programs on a project.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod crowd;
#[path = "../faults/operations.rs"]
#[allow(dead_code, reason = "only the tests use the rest")]
mod operations;
#[path = "../faults/seen.rs"]
#[allow(dead_code, reason = "only the tests use the rest")]
mod seen;
mod writers;

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

/// A path that is looked up immediately before and after the operation, to mark both moments in the trace of
/// system calls.
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

/// Performs an operation. Prints `+` for each durable part, and `-` if the operation fails. In that case,
/// repeats the operation, as a user would, and prints `=` on success or another `-`.
fn once(name: &str, root: &Path) -> ExitCode {
    let operation = operations::ALL.iter().find(|operation| operation.name == name).unwrap();
    let _ = Path::new(MARK).symlink_metadata();
    let result = (operation.run)(root, &mut || print_byte(b'+'));
    let _ = Path::new(MARK).symlink_metadata();
    if let Err(error) = result {
        eprintln!("refused: {error}: {:?}", std::error::Error::source(&error).map(ToString::to_string));
        print_byte(b'-');
        match (operation.run)(root, &mut || {}) {
            Ok(()) => print_byte(b'='),
            Err(error) => {
                eprintln!("refused again: {error}");
                print_byte(b'-');
            }
        }
    }
    ExitCode::SUCCESS
}

/// Prints one byte, so that a report is never partial. Exits if the output has no reader.
fn print_byte(byte: u8) {
    if io::stdout().write_all(&[byte]).and_then(|()| io::stdout().flush()).is_err() {
        std::process::exit(3);
    }
}
