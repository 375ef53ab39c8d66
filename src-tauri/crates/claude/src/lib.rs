//! Claude Code, seen from outside: the program, its arguments and settings, its hooks' payloads and
//! its transcript.
//!
//! Synchronous; knows nothing of sessions, hosts or trackers. What claude writes is decoded leniently.

pub mod transcript;
