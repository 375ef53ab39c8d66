//! Worktrees: the folders that sessions work in beside the repository. `folder` says where they are made, `make`
//! makes one with what it is given (`given`) and `setup` makes it ready; `listing` shows them and what they take,
//! `removing` removes one, after a look at what would be lost.
//!
//! What is set for them (`FleetSettings`) holds for every session that gets a worktree. Only the person sets it.

mod allowed;
mod contents;
mod folder;
mod given;
mod listing;
mod make;
mod removing;
mod setup;
mod size;
#[cfg(test)]
mod tests;

pub(crate) use allowed::{allow, allow_as_it_is, shown as setup_shown};
pub(crate) use folder::{check, folder};
pub(crate) use listing::{list, moved_to};
pub(crate) use make::{Base, make, make_again, unmake};
pub(crate) use removing::{loss, remove};
pub(crate) use setup::{gives, set_up};
