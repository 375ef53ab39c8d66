//! What tests of every crate share: a sandbox project with an environment of its own, a scripted
//! Messages API for the real claude, waiting on conditions, and where the real programs are.
//!
//! A dev-dependency only, without a dependency on any crate of ours. A panic here is a failed test.

pub mod api;
pub mod programs;
pub mod sandbox;
pub mod wait;

pub use api::ScriptedApi;
pub use programs::{need_bd, need_claude};
pub use sandbox::{AWKWARD_NAMES, Sandbox};
pub use wait::{wait_for, wait_until};
