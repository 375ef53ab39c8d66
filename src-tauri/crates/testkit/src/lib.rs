//! Shared test support: a sandbox project with an isolated environment, a scripted Messages API for the real
//! claude, volumes with other file name rules, waiting for conditions, and the paths of the real programs.
//!
//! The crate is only a dev-dependency and does not depend on other crates of this workspace. A panic in this
//! crate is a failed test.

pub mod api;
pub mod programs;
pub mod sandbox;
#[cfg(target_os = "linux")]
pub mod volume;
pub mod wait;

pub use api::ScriptedApi;
pub use programs::{need_bd, need_claude, need_dolt};
pub use sandbox::{AWKWARD_NAMES, Sandbox};
#[cfg(target_os = "linux")]
pub use volume::Volume;
pub use wait::{wait_for, wait_until};
