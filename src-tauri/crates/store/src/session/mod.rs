//! `.beads/sessions`, as the specification gives it, and a few files of ours beside.
//!
//! ```text
//! .beads/sessions/
//!   .gitignore           *
//!   index.json           a cache of what the metas say; index.lock guards it
//!   project.json         the project's id where the tracker has none
//!   {session-id}/
//!     meta.json          the session
//!     messages.jsonl     one message a line, append-only; messages.jsonl.torn: lines set aside
//!     context.json       the context pack, where there is one
//!     outbox.json        texts held for claude
//!     recovery.json      what is remembered of its work on beads
//!     injections.jsonl   what its agent was told, one text a line, append-only
//!     activity.jsonl     what its hosts saw claude do, a line for each change, append-only
//!     hooks.jsonl        runs of lifecycle hooks, one a line, append-only; hooks-due.json: an end is owed
//!     heartbeat          when the host last was alive
//!     host.json          who the host is; only true while host.lock is held
//!     host.lock
//!     left.json          what the working folder was when claude ended
//!     person/viewed.json which files of its change somebody has looked at; the engine's, whoever holds host.lock
//!   .trash/{session-id}/ deleted sessions, each with a deleted.json that says when
//! ```

mod activity;
mod dir;
mod error;
mod files;
mod followed;
mod hook_runs;
mod index;
mod known;
mod latest;
mod left;
mod lines;
mod listing;
mod messages;
mod project;
mod recovery;
mod store;
mod trash;
mod viewed;
mod writer;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
#[cfg(unix)]
mod permission_tests;
#[cfg(test)]
mod tests;

pub use activity::{ActivityLines, ActivityWriter};
pub use dir::SessionDir;
pub use error::{Problem, StoreError};
pub use files::{HostInfo, Outbox, OutboxItem};
pub use followed::Followed;
pub use hook_runs::{HookRunWriter, HookRuns};
pub use index::{Index, IndexEntry};
pub use known::KnownSessions;
pub use left::{Left, fingerprint};
pub use listing::Listing;
pub use messages::{MessageWriter, Transcript};
pub use recovery::{InjectionWriter, Injections};
pub use store::SessionStore;
pub use trash::Trashed;
pub use viewed::Viewed;
pub use writer::SessionLock;
