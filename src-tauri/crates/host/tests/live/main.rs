//! Session hosts as processes, each with a stand-in for claude or with the real one.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod attaching;
mod browser;
mod hooks;
mod injecting;
mod lifecycle;
mod lifecycle_hooks;
mod real_claude;
mod real_rules;
mod real_stop;
mod resting;
mod support;
mod texts;
