//! Claude Code, seen from outside: the program, its arguments and settings, its hooks' payloads and
//! its transcript.
//!
//! Synchronous; knows nothing of sessions, hosts or trackers. What claude writes is decoded leniently.
//! What was found out about it by running it stands in `docs/claude-code.md`.

pub mod agents;
pub mod argv;
pub mod commands;
mod frontmatter;
pub mod hooks;
pub mod paths;
pub mod probe;
mod quote;
pub mod settings;
pub mod transcript;
pub mod version;

pub use quote::shell_quote;
