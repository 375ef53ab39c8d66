//! A project's lifecycle hooks: their files and permissions, test runs, reloads, the list of runs, and the
//! end event of sessions whose host died. Deliberately elsewhere: a session's host runs the hooks during the
//! session.
//!
//! May use: `context`, `hosts`, `settings`.

mod editing;
mod listing;
mod places;
mod running;
#[cfg(test)]
mod tests;

pub(crate) use editing::{allow, save, trust};
pub(crate) use listing::list;
pub(crate) use places::{places, setup};
pub(crate) use running::{all_runs, end_owed, reload, runs, test};
