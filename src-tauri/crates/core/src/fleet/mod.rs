//! Several agents at once: who there is, who holds which piece of work, what belongs together, and what
//! waits to be merged.
//!
//! The format is other programs' too: one JSON file an entity, keys in camelCase and sorted at every depth
//! ([`file_text`]). Fields that this build does not know survive a round trip; a word that it does not know
//! makes the file unreadable to it, so that it is never written anew without that word.
//!
//! A hook is what counts for who holds what; what a work item says of its holder follows from the hooks
//! ([`settled`]), because two files cannot be written at once.

mod agent;
mod console;
mod convoy;
mod dispatch;
mod event;
mod file_text;
mod hook;
mod merge_request;
mod merging;
mod next;
mod runner;
mod settings;
mod standing;
#[cfg(test)]
mod tests;
mod work_item;

pub use agent::{AgentIdentity, AgentRole, AgentStatus};
pub use console::{ClosedConvoys, ConvoyEnd, DispatchRecord, Tries};
pub use convoy::Convoy;
pub use dispatch::{Candidate, Hand, Handout, InUse, Limits, WhyNot, hand_out};
pub use event::{FleetEvent, FleetEventKind};
pub use file_text::file_text;
pub use hook::{HookRefused, HookState, HookStatus};
pub use merge_request::{MergeRequest, MergeStatus};
pub use merging::{
    ConflictFile, Current, EntryState, MergeQueue, MergeStage, MergeStep, MergeTrouble, QueueEntry,
    QueueRefused, TargetNow, TroubleKind,
};
pub use next::{BeadCase, Case, Next, SessionCase, next};
pub use runner::{BadRunner, RunnerCall};
pub use settings::{CheckedOut, FleetSettings, LOCAL_RUNNER, MergeMethod, Runner};
pub use standing::{Known, Standing, standing, stranded};
pub use work_item::{Priority, WorkItem, WorkStatus, settled};
