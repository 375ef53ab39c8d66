//! The application: one project's beads and sessions behind the contract of `bc-wire`.
//!
//! Whoever opens a project first is its engine and holds its lock; everyone after that is a client of
//! it over the same contract. Windows, sockets' protocols of other hosts and the command line are not in here.

mod agent_files;
mod agents;
mod ahead;
mod backup;
mod beads;
mod changes;
mod client;
mod connect;
mod contract;
mod diffs;
mod doctor;
mod engine;
mod errors;
#[cfg(test)]
mod fixture;
mod fleet;
mod hooks;
mod housekeeping;
mod indexing;
mod locks;
mod memory;
mod opening;
pub mod preferences;
mod programs;
mod project;
mod project_settings;
mod recover;
mod recovery;
mod server;
mod session;
mod settings_file;
mod worktrees;

pub use agents::claude_state;
pub use ahead::ReadAhead;
pub use backup::{prefix_in_backup, preview_at};
pub use changes::BeadChanges;
pub use connect::{Connection, connect, connect_to_list, settings_changed};
pub use doctor::doctor;
pub use engine::Engine;
pub use fleet::queue::{CHECK_VERB, Foreground, Merged, run_check_verb};
pub use locks::Claim;
pub use memory::view;
pub use opening::{init, person_at};
pub use programs::Programs;
pub use project::Project;
pub use recovery::run_errand;
