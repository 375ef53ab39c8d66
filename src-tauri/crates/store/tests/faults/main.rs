//! Real programs on real files: killed, refused by the system at every call, cut off in the middle of
//! a write, crowded. The shorter form of each runs with every test, the full one with those that are ignored.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]
#![cfg(unix)]

mod crowd;
mod killed;
mod operations;
#[cfg(target_os = "linux")]
mod refused;
#[allow(dead_code, reason = "what only simulated crashes ask for")]
mod seen;
#[cfg(target_os = "linux")]
mod short;
#[cfg(target_os = "linux")]
mod trace;
mod tree;

use std::{path::Path, process::Command};
use tempfile::TempDir;

/// The program that does the operations.
#[allow(clippy::disallowed_methods, reason = "this crate is below the one that spawns")]
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bc-store-under-test"));
    // Cargo's: the loader would look for libraries there with a hundred calls.
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// A folder in memory where there is one: that a kill or an error loses nothing does not need a disk.
fn folder() -> TempDir {
    tempfile::tempdir_in(Path::new("/dev/shm")).or_else(|_| tempfile::tempdir()).unwrap()
}
