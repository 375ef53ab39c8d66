//! The real programs that tests run. Their paths are in the environment variables `BC_TEST_CLAUDE`,
//! `BC_TEST_BD` and `BC_TEST_DOLT`.
//!
//! Without the program, a test prints a message and returns. With `BC_TEST_DEMAND=1`, it fails instead.

use std::{io::Write, path::PathBuf};

/// Returns the path of the real claude. If it is missing, prints a message on standard error and returns
/// `None`, or panics if `BC_TEST_DEMAND=1`.
pub fn need_claude(test: &str) -> Option<PathBuf> {
    need(test, "BC_TEST_CLAUDE")
}

/// Returns the path of the real bd. If it is missing, prints a message on standard error and returns `None`,
/// or panics if `BC_TEST_DEMAND=1`.
pub fn need_bd(test: &str) -> Option<PathBuf> {
    need(test, "BC_TEST_BD")
}

/// Returns the path of the real dolt. If it is missing, prints a message on standard error and returns `None`,
/// or panics if `BC_TEST_DEMAND=1`.
pub fn need_dolt(test: &str) -> Option<PathBuf> {
    need(test, "BC_TEST_DOLT")
}

fn need(test: &str, variable: &str) -> Option<PathBuf> {
    let why = match std::env::var_os(variable).map(PathBuf::from) {
        None => format!("{variable} is not set"),
        Some(path) if !path.is_absolute() => {
            format!("{variable} is not an absolute path: {}", path.display())
        }
        Some(path) if !path.is_file() => format!("{variable} names no file: {}", path.display()),
        Some(path) => return Some(path),
    };
    assert!(
        std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
        "{test}: {why}, and BC_TEST_DEMAND=1"
    );
    // Written in one piece, so that other output of a busy test run does not split the line. A failed write
    // must not fail a test.
    let _ = std::io::stderr().write_all(format!("SKIPPED {test}: {why}\n").as_bytes());
    None
}
