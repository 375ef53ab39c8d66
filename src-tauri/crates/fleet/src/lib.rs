//! The fleet's state: agents, work, hooks and convoys, each a JSON file under `.chipset/state`.
//!
//! Several programs change it concurrently, ours and others. Ours hold one lock during a change, which dies
//! with its holder. Before a file is replaced, it is compared with the content that the change is based on.
//! If a program without our lock changed it meanwhile, the change is computed again.
//!
//! Reading takes no lock. A missing file means that the entity does not exist. An invalid file counts as
//! missing, with a warning, and is never overwritten; a caller can have it set aside ([`State::clear_hook`]).
//!
//! Deliberately elsewhere: facts about an agent beyond its file, such as a live session, and the tracker.

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
