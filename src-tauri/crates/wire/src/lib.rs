//! The contract between clients and the application. Every command is declared once, in [`api`] or [`app`].
//! The dispatcher, the typed client and the TypeScript types are generated from that line. `bc-engine` and
//! `bc-app` implement the commands.

#[macro_use]
mod contract;

pub mod agent_files;
pub mod answer;
pub mod api;
pub mod app;
pub mod backup;
pub mod bead;
mod command_log;
pub mod diff;
pub mod doctor;
pub mod envelope;
pub mod error;
pub mod event;
pub mod fleet;
pub mod hooks;
pub mod memory;
pub mod place;
pub mod project;
pub mod recovery;
pub mod search;
pub mod session;
pub mod settings;
pub mod worktree;

pub use contract::Signature;
pub use error::{ApiError, ErrorCode};
