//! Tests with real programs and real files. The programs are killed, get errors from every system call, are
//! interrupted during writes, and run concurrently. The short form of each test always runs; the full form is
//! an ignored test.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod crowd;
mod killed;
mod operations;
#[cfg(target_os = "linux")]
mod refused;
mod scene;
#[allow(dead_code, reason = "only the simulated crashes use the rest")]
mod seen;
#[cfg(target_os = "linux")]
mod short;
mod torn;
#[cfg(target_os = "linux")]
mod trace;
mod tree;

use std::process::Command;
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
    #[cfg(target_os = "linux")]
    if let Ok(folder) = tempfile::tempdir_in("/dev/shm") {
        return folder;
    }
    tempfile::tempdir().unwrap()
}
