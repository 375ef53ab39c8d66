//! Recovery information for a session's agent, and comments on its bead: built here from the tracker and git, and
//! put into claude's context by the session's host.
//!
//! A host requests it by an errand in a separate process ([`run_errand`]), so it works without an engine. An
//! engine calls directly. Both detect an unchanged bead by the tracker's mark, without running its program.
//!
//! `sources` queries the tracker and git, `ledger` processes the results, `preview` shows the block to users.
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
pub use sessions::run_errand;
pub(crate) use sessions::{StartFacts, at_launch, bead_changed, claimed, claimed_with, mark, reviewed};
