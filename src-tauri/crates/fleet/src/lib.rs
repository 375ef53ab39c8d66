//! The fleet's state: agents, hooks, work items, convoys and merge requests. Each of them is a JSON file
//! under `.chipset/state`. The folder also has the agents' event logs and the files that only this program
//! uses.
//!
//! Several processes change the state concurrently, both instances of this program and other programs.
//! Instances of this program hold a lock during a change; the operating system releases the lock when a
//! process exits. Before a file is replaced, it is compared with the content on which the change is based. If
//! a program that does not use this lock changed the file meanwhile, the change is computed again.
//!
//! Reading does not take the lock. A missing file means that the entity does not exist. An invalid file
//! counts as missing, with a warning, and is never overwritten; some changes rename it first
//! ([`State::clear_hook`]).
//!
//! Deliberately elsewhere: the tracker, and facts about an agent that are not in its file, such as a live session.

mod agents;
mod assignment;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests lay out another state")]
mod assignment_tests;
mod console;
mod convoys;
mod error;
mod events;
mod files;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests play other programs")]
mod format_tests;
mod hooks;
mod names;
mod open_logs;
mod queue;
mod state;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests play other programs")]
mod tests;
mod work;

pub use assignment::{Assignment, Texts};
pub use error::FleetError;
pub use state::State;
