//! Worktrees: linked git worktrees in which sessions work. `folder` chooses their location, `make` creates a
//! worktree with its files (`worktree_files`), and `setup` runs the setup command. `listing` lists the
//! worktrees with their sizes. `removal` removes a worktree after checks for data loss (`loss`) and for
//! sessions (`occupancy`).
//!
//! The settings (`FleetSettings`) apply to every session with a worktree. Only the user changes them.
//!
//! May use: `context`, `settings`.

mod contents;
mod folder;
mod listing;
mod loss;
mod make;
mod occupancy;
mod removal;
mod setup;
mod setup_permission;
mod size;
#[cfg(test)]
mod tests;
mod worktree_files;

pub(crate) use folder::{check, folder};
pub(crate) use listing::list;
pub(crate) use loss::loss;
pub(crate) use make::{Base, create, discard_unused, recreate};
pub(crate) use occupancy::moved_to;
pub(crate) use removal::remove;
pub(crate) use setup::{check_permission, has_extras, set_up, setup_at_place};
pub(crate) use setup_permission::{allow, allow_current, shown as setup_shown};
