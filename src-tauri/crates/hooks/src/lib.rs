//! Lifecycle hooks: commands of the person's own and of a repository that run when something happens to
//! a session.
//!
//! - [`Places`] says where their files are; [`look`] reads them, says what is wrong with them and
//!   whether the person allowed them; [`load`] gives those that may run.
//! - [`Trust`] is what the person allowed: a file's path with that content, and with the content of the
//!   scripts that it names. Kept outside every repository.
//! - [`Runner`] runs them, each in a process of its own that ends the hook's whole family
//!   ([`run_verb`]).
//!
//! Invariants: looking runs nothing; a repository's hook runs only with content that the person has
//! allowed, checked at every run, from a private copy of what was checked; nothing of a hook outlives
//! its run. Deliberately not in here: when hooks run and what becomes of their answers (the host's), and
//! what is shown of them.

mod command;
mod command_files;
mod diff;
mod load;
mod logged;
mod look;
mod os;
mod output;
mod parse;
mod payload;
mod places;
mod read;
mod run;
mod scripts;
mod trust;
mod warden;
mod words;

// The fixture is also of the tests in `tests`, which know this crate by its name.
#[cfg(test)]
extern crate self as bc_hooks;
#[cfg(test)]
mod fixture;

pub use command_files::{CommandFiles, command_files};
pub use diff::diff;
pub use load::{Hook, Loaded, load};
pub use logged::{Logged, LoggedEnd, tail};
pub use look::{Seen, SeenFile, look};
pub use output::Output;
pub use parse::{Entry, ParseError, Parsed, parse};
pub use payload::{Facts, Payload, sample};
pub use places::{Place, Places, Scope};
pub use read::{FILE_MAX, ReadError};
pub use run::{Outcome, Runner};
pub use trust::{Approval, State, Trust, TrustError, allow_workspace, workspace_allowed, workspace_switch};
pub use warden::{RUN_VERB, run_verb};
