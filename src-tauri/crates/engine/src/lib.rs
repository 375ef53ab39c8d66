//! The engine of a project: its beads, sessions and fleet behind the contract of `bc-wire`.
//!
//! The first process that opens a project holds the engine's lock and becomes its engine; later processes are
//! clients over the same contract. Windows, the protocols of session hosts and the command line are deliberately
//! elsewhere.

mod agent_files;
mod agents;
mod backup;
mod bead_changes;
mod beads;
mod client;
mod connect;
mod contract;
mod dead_hosts;
mod diffs;
mod doctor;
mod engine;
mod engine_lock;
mod errors;
#[cfg(test)]
mod fixture;
mod fleet;
mod git_exclude;
mod hooks;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod hostile_tests;
mod housekeeping;
mod index_sync;
mod logging;
mod memory;
pub mod preferences;
mod programs;
mod project;
mod project_info;
mod project_settings;
mod read_ahead;
mod recovery;
mod report;
mod secret_redaction;
mod server;
mod session;
mod settings_file;
mod temporary_files;
mod worktrees;

pub use agents::claude_state;
pub use backup::{prefix_in_backup, preview_at};
pub use bc_log::Role;
pub use bead_changes::BeadChanges;
pub use connect::{Connection, connect, connect_to_list, settings_changed};
pub use doctor::doctor;
pub use engine::Engine;
pub use engine_lock::EngineClaim;
pub use fleet::queue::{CHECK_VERB, Foreground, Merged, run_check_verb};
pub use logging::start_logging;
pub use memory::view;
pub use programs::Programs;
pub use project::Project;
pub use project_info::{init, person_at};
pub use read_ahead::ReadAhead;
pub use recovery::run_errand;
pub use report::{Packed, problem_report};
