//! Manages `.beads/sessions` in the specification's format, and additional files of this program.
//!
//! ```text
//! .beads/sessions/
//!   .gitignore           *
//!   index.json           a cache of the metas; index.lock guards it
//!   project.json         the project's id if the tracker has none
//!   {session-id}/
//!     meta.json          the session
//!     messages.jsonl     one message per line, append-only; messages.jsonl.torn: torn lines moved out of it
//!     context.json       the context pack, if any
//!     opening.json       the opening prompt, if a start failed before claude received it
//!     outbox.json        the prompt queue
//!     recovery.json      the facts for the recovery block
//!     injections.jsonl   context injections, one per line, append-only
//!     activity.jsonl     claude's activity, one line per change, append-only
//!     hooks.jsonl        runs of lifecycle hooks, one per line, append-only; hooks-due.json: sessionEnd is due
//!     heartbeat          the time of the host's last heartbeat
//!     host.json          the host; only valid while host.lock is held
//!     host.lock
//!     left.json          the working folder's state when claude exited
//!     images/            the conversation's images, named after their bytes
//!     person/            the user's files, written by the engine: viewed.json, comments.json, draft.json, attachments
//!   .trash/{session-id}/ deleted sessions, each with a deleted.json with the time
//!   .trash/looks.json    the days on which the trash was checked
//! ```

mod activity;
mod comments;
mod composer;
mod dir;
mod error;
mod files;
mod hook_runs;
mod index;
mod index_sync;
mod latest;
mod lines;
mod listing;
mod messages;
mod opening;
mod project;
mod record_cache;
mod recovery;
mod store;
mod timeline_records;
mod trash;
mod viewed;
mod workdir_snapshot;
mod writer;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
#[cfg(unix)]
mod permission_tests;
#[cfg(test)]
mod tests;

pub use activity::{ActivityLines, ActivityWriter};
pub use comments::{Comments, LineComment};
pub use composer::SavedDraft;
pub use dir::SessionDir;
pub use error::{Problem, StoreError};
pub use files::{HostInfo, Outbox, OutboxItem};
pub use hook_runs::{HookRunWriter, HookRuns};
pub use index::{Index, IndexEntry};
pub use listing::Listing;
pub use messages::{MessageWriter, Transcript};
pub use record_cache::RecordCache;
pub use recovery::{InjectionWriter, Injections};
pub use store::SessionStore;
pub use timeline_records::TimelineRecords;
pub use trash::Trashed;
pub use viewed::Viewed;
pub use workdir_snapshot::{WorkdirSnapshot, fingerprint};
pub use writer::SessionLock;
