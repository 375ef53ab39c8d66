//! Lifecycle hooks: commands of the user and of a repository that run at events of a session.
//!
//! - [`Places`] are the paths of the hooks files. [`inspect`] reads the files and reports their problems and
//!   permissions. [`load`] returns the hooks that may run.
//! - [`Trust`] is the record of the user's permissions. A permission covers a file with its content and the
//!   content of the scripts that it names. The record is stored outside every repository.
//! - [`Runner`] runs hooks, each under a reaper, which is a process that ends all processes of the hook
//!   ([`run_verb`]). [`LoggedCommand`] runs a user's command that is not a hook in the same way.
//! - [`GitPrograms`] and [`CommandFiles`] are other programs of a repository that need a permission.
//!   [`HookCopies`] takes the allowed hooks to another machine.
//!
//! Invariants: reading hooks runs nothing. A repository's hook runs only with content that the user allowed.
//! Each run checks this again and, where possible, uses private copies of the checked scripts. No process of
//! a hook outlives the hook's run, unless the reaper cannot end it.
//!
//! Deliberately elsewhere: the times at which hooks run and the use of their answers (the host), and the
//! display of hooks.

mod command;
mod command_files;
mod copies;
mod diff;
mod git_programs;
mod inspect;
mod load;
mod logged_command;
mod os;
mod output;
mod parse;
mod payload;
mod places;
mod private_copies;
mod read;
mod reaper;
mod run;
mod scripts;
mod trust;
mod words;

// The tests in the folder `tests` share the fixture and refer to this crate by its name.
#[cfg(test)]
extern crate self as bc_hooks;
#[cfg(test)]
mod fixture;

pub use command_files::{CommandFiles, command_files};
pub use copies::HookCopies;
pub use diff::diff;
pub use git_programs::{GitPrograms, settings_folder};
pub use inspect::{HooksFile, HooksFileContent, inspect};
pub use load::{Hook, Loaded, load};
pub use logged_command::{LoggedCommand, LoggedEnd, tail};
pub use output::Output;
pub use parse::{Entry, ParseError, Parsed, parse};
pub use payload::{Facts, Payload, sample};
pub use places::{Place, Places, Scope, USER_FILE};
pub use read::{FILE_MAX, ReadError};
pub use reaper::{RUN_VERB, run_verb};
pub use run::{Outcome, Runner};
pub use trust::{Approval, State, Trust, TrustError, allow_workspace, workspace_allowed, workspace_switch};
