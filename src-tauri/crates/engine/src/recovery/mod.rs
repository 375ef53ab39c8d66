//! The recovery block for a session's agent, and the comments on its bead. This module builds the block from the
//! tracker and git; the session's host puts it into claude's context.
//!
//! A host asks for the block with a helper request to a separate process ([`run_helper_request`]), so it does
//! not need an engine. An engine calls this module directly. In both cases, an unchanged tracker is detected
//! by its mark, without running its program.
//!
//! `sources` queries the tracker and git, `ledger` processes the results, and `preview` shows the block to users.
//!
//! May use: `context`, `hosts`, `memory`, `settings`.

mod ledger;
mod preview;
mod prime;
mod sessions;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use preview::{injections, show};
pub(crate) use prime::prime;
pub use sessions::run_helper_request;
pub(crate) use sessions::{StartFacts, at_launch, bead_changed, claimed, claimed_with, mark, reviewed};
