//! The merge queue: its commands, its view for clients, and the merging itself.
//!
//! May use: `context`, `fleet_state`, `recovery`, `session`, `settings`.

mod add;
mod branches;
mod check;
mod commands;
mod log;
mod merge_tree;
mod merger;
mod review;
mod run;
mod send_back;
mod steps;
mod view;

pub(crate) use add::add;
pub(crate) use branches::has_branch;
pub use check::{CHECK_VERB, run_check_verb};
pub(crate) use commands::{cancel, move_before, pause, retry, run_now, skip};
pub(crate) use log::output;
pub use merger::Foreground;
pub(crate) use merger::Merger;
pub(crate) use review::{approve, hold_back, request_changes, review};
pub use run::Merged;
pub(crate) use run::wake;
pub(crate) use send_back::send_back;
pub(crate) use view::queue_state;
