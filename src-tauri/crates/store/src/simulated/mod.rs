//! Crashes, simulated: every change that an operation of the store makes goes through the file layer's
//! door, which tells it here. From what was told, [`Disk`] knows what of it is on disk for certain and
//! what only waits in the system's cache; [`Disk::after_a_power_cut`] names every tree of files that can
//! be there when the power goes, at each moment and in each order in which a file system may write.
//! Each of them is laid out as real files, opened by the real store and held against what was
//! acknowledged.
//!
//! What a file system may do here is what POSIX allows, and more than ext4, XFS or Btrfs do: entries of
//! folders reach the disk in any order and apart from what they name; a file's blocks and its length
//! likewise; a write may be torn at any byte. A rename is one step, as on all of them. A disk that
//! says "written" and has not is not simulated.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod contents;
mod disk;
#[path = "../../tests/faults/operations.rs"]
mod operations;
mod prove;
mod recorder;
#[path = "../../tests/faults/seen.rs"]
#[allow(dead_code, reason = "what only real faults ask for")]
mod seen;
#[path = "../../tests/faults/tree.rs"]
mod tree;

pub(crate) use recorder::{Change, inode, tell};
pub(crate) use tree::inside;
