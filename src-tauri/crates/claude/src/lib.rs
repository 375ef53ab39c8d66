//! Claude Code from outside: the program, its arguments and settings, its hooks' payloads and its transcript.
//!
//! Synchronous, and without knowledge of sessions, hosts or trackers. Claude's output is decoded leniently.
//! `docs/claude-code.md` lists its observed behavior.

pub mod agents;
pub mod argv;
pub mod commands;
pub mod conversations;
mod foreign_files;
mod frontmatter;
pub mod hooks;
pub mod paths;
pub mod probe;
mod quote;
pub mod settings;
pub mod transcript;
pub mod version;

pub use quote::shell_quote;
