//! Access to the fleet's files, its settings, and the beads and work items behind them. The use cases on them are in
//! `fleet` and `merge_queue`.
//!
//! May use: `context`, `settings`, `worktrees`.

mod access;
mod settings;
mod work;

pub(crate) use access::{dir, fleet_error, state};
pub(crate) use settings::set_settings;
pub(crate) use work::{bead, bead_if_found, is_own_work, own_work};
