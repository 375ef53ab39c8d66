//! Access to the fleet's files, settings and work items. The use cases are in `fleet` and `merge_queue`.
//!
//! May use: `context`, `places`, `settings`, `worktrees`.

mod access;
mod settings;

pub(crate) use access::{dir, fleet_error, is_own_work, own_work, state};
pub(crate) use settings::set_settings;
