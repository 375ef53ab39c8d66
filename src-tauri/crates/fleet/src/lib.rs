//! The fleet's state: agents, work, hooks and convoys, one file of JSON each, under `.chipset/state`.
//!
//! Several programs change it at once, ours and others. Ours take one lock for a change, which dies with its
//! holder. Before a file is replaced it is compared with what the change was made from, so that a change that
//! another program made meanwhile, without our lock, is seen and the change is made anew from it.
//!
//! Reading takes no lock. A file that is not there is none; one that is no JSON of its kind is none too, with
//! a warning, and is never overwritten: whoever wants it gone has it set aside ([`State::clear_hook`]).
//!
//! Deliberately not in here: what is true of an agent beyond its file (a live session, say), and the tracker.

mod agents;
mod console;
mod convoys;
mod error;
mod events;
mod files;
mod handing;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests lay out another state")]
mod handing_tests;
mod hooks;
mod queue;
mod state;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests play other programs")]
mod tests;
mod work;

pub use error::FleetError;
pub use handing::{Given, Texts};
pub use state::State;
