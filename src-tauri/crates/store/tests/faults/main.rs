//! Real programs on real files. They are killed, get an error from every system call, are interrupted during a write,
//! and run concurrently. The short form of each test always runs; the full form is among the ignored tests.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]
#![cfg(unix)]

mod crowd;
mod killed;
#[cfg(target_os = "linux")]
mod operations;
#[cfg(target_os = "linux")]
mod refused;
#[allow(dead_code, reason = "what only simulated crashes ask for")]
mod seen;
#[cfg(target_os = "linux")]
mod short;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(target_os = "linux")]
mod tree;

use std::{path::Path, process::Command};
use tempfile::TempDir;

/// The program that performs the operations.
#[allow(clippy::disallowed_methods, reason = "this crate is below the one that spawns")]
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bc-store-under-test"));
    // With this variable, which Cargo sets, the loader makes a hundred more system calls.
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// A folder in memory if possible: kills and errors need no real disk.
fn folder() -> TempDir {
    tempfile::tempdir_in(Path::new("/dev/shm")).or_else(|_| tempfile::tempdir()).unwrap()
}
