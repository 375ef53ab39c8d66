//! Access to the fleet's files and settings, and to the beads and work items that they name. The use cases are in
//! `fleet` and `merge_queue`.
//!
//! May use: `context`, `places`, `settings`, `worktrees`.

mod access;
mod settings;
mod work;

pub(crate) use access::{dir, fleet_error, state};
pub(crate) use settings::set_settings;
pub(crate) use work::{bead, bead_if_found, is_own_work, own_work};
