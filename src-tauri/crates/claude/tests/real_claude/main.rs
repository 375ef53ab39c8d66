//! The real claude against the scripted API: tests the assumptions of this crate.
//!
//! Needs `BC_TEST_CLAUDE`; see `bc_testkit::programs`. `docs/claude-code.md` lists the observed behaviour.
#![cfg(unix)]

mod agents;
mod conversation;
mod lab;
mod permission;
mod probe;
mod trouble;
