//! The adapter for Claude Code: finding and starting it, its settings, its hooks' input and answers, and its
//! transcripts.
//!
//! All functions are synchronous and independent of sessions, hosts and trackers. Claude's output is decoded
//! leniently. `docs/claude-code.md` describes the observed behaviour of claude.

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
