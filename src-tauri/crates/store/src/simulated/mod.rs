//! Simulated crashes. `file::syscalls` reports every change by a store operation to this module. From these
//! reports, `Disk` computes which changes are certainly on disk and which are only in the system's cache. It
//! enumerates every possible file tree after a power cut at each moment, for every order in which a file
//! system can write. Each tree is written as real files, opened by the real store, and compared with the
//! acknowledged operations.
//!
//! The simulated file system may do what POSIX allows, which is more than ext4, XFS or Btrfs do. Folder
//! entries reach the disk in any order, separately from their files. A file's blocks and length are
//! independent as well. A write can be torn at any byte. A rename is atomic, as on all these file systems.
//! Disks that falsely report a completed write are not simulated. The tests also run with the [`rules`] of
//! APFS and NTFS.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod contents;
mod disk;
#[path = "../../tests/faults/operations.rs"]
mod operations;
mod prove;
mod recorder;
mod rules;
#[path = "../../tests/faults/seen.rs"]
#[allow(dead_code, reason = "what only real faults ask for")]
mod seen;
#[path = "../../tests/faults/tree.rs"]
mod tree;

pub(crate) use recorder::{Change, inode, tell};
pub(crate) use tree::inside;
