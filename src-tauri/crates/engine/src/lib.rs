//! A project's engine: beads, sessions and fleet, behind the `bc-wire` contract.
//!
//! The first process that opens a project takes the engine's lock and becomes its engine. Later processes are
//! clients over the same contract. Deliberately elsewhere: the window, the session host protocol, and the
//! command line.
//!
//! `contract` and `engine` are the facade. Each use case is a module, and all share one `context`.
//! `docs/ARCHITECTURE.md` lists the allowed dependencies.

mod agent_files;
mod backup;
mod beads;
mod claude;
mod connection;
mod context;
mod contract;
mod doctor;
mod engine;
#[cfg(test)]
mod fixture;
mod fleet;
mod fleet_state;
mod hooks;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod hostile_tests;
mod hosts;
mod memory;
mod merge_queue;
mod needs;
pub mod places;
mod project_info;
mod recovery;
mod report;
mod session;
mod settings;
pub mod ssh;
mod worktrees;

pub use backup::{prefix_in_backup, preview_at};
pub use bc_log::Role;
pub use beads::BeadChanges;
pub use claude::claude_state;
pub use connection::{Connection, EngineClaim, connect, connect_to_list, settings_changed};
pub use context::{Programs, Project, ReadAhead};
pub use doctor::doctor;
pub use engine::{Engine, view};
pub use merge_queue::{CHECK_VERB, Foreground, Merged, run_check_verb};
pub use project_info::{init, person_at, project_setup};
pub use recovery::run_helper_request;
pub use report::{Packed, problem_report};
pub use session::{answer_file_command, decode_transcript};
pub use settings::{
    logging::{log_project, log_session, start_logging},
    new_version::newest_version,
    preferences,
};
