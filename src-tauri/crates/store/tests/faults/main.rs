//! Tests with real programs and real files. The programs are killed, get errors from every system call, are
//! interrupted during writes, and run concurrently. The short form of each test always runs; the full form is
//! an ignored test.

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

/// Returns a command for the program that performs the operations.
#[allow(clippy::disallowed_methods, reason = "this crate is below the one that spawns")]
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bc-store-under-test"));
    // Cargo sets this variable, with which the dynamic loader makes a hundred additional system calls.
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// Creates a folder, in memory if possible, because kills and errors do not require a real disk.
fn folder() -> TempDir {
    tempfile::tempdir_in(Path::new("/dev/shm")).or_else(|_| tempfile::tempdir()).unwrap()
}
