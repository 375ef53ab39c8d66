//! The merge queue: what is asked of it, how it is shown, and who merges.

mod add;
mod back;
mod check;
mod log;
mod merger;
mod review;
mod run;
mod shown;
mod steer;
mod steps;
mod tree;

pub(crate) use add::{add, has_branch};
pub(crate) use back::send_back;
pub use check::{CHECK_VERB, run_check_verb};
pub(crate) use log::output;
pub use merger::Foreground;
pub(crate) use merger::{Bell, Merger};
pub(crate) use review::{approve, request_changes, review};
pub use run::Merged;
pub(crate) use shown::state_shown;
pub(crate) use steer::{cancel, go, move_before, pause, retry, skip};
