//! The real claude against the scripted API: what the rest of this crate takes for granted.
//!
//! Needs `BC_TEST_CLAUDE`; see `bc_testkit::programs`. What was found stands in `docs/claude-code.md`.
#![cfg(unix)]

mod agents;
mod conversation;
mod lab;
mod permission;
mod probing;
mod trouble;
