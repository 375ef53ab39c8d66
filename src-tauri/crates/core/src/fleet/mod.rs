//! Several agents on one project: the agents, their work items, convoys, and the merge queue.
//!
//! Other programs share the format: one JSON file per entity, with camelCase keys sorted at every depth
//! ([`file_text`]). Unknown fields survive a round trip. An unknown enum value makes the file unreadable for
//! this build, so that it is never overwritten without that value.
//!
//! Hooks determine which agent has which work. The state in a work item's own file is derived from the hooks
//! ([`settled`]), because two files cannot be written atomically.

mod agent;
mod agent_role;
mod command_line;
mod console;
mod convoy;
mod convoy_bead;
mod dispatch;
mod event;
mod event_line;
mod file_text;
mod hook;
mod hook_status;
mod merge_queue;
mod merge_request;
mod next;
mod place_choice;
mod runner;
mod settings;
#[cfg(test)]
mod tests;
mod work_item;

pub use agent::{AgentIdentity, AgentStatus};
pub use agent_role::{AgentRole, UnknownRole};
pub use command_line::{OpenQuote, command_words};
pub use console::{AgentNames, ClosedConvoys, ConvoyEnd, DispatchRecord, Tries};
pub use convoy::Convoy;
pub use convoy_bead::{ConvoyBeadState, FleetFacts, convoy_bead_state, stranded};
pub use dispatch::{AgentSlot, Assignments, Candidate, DispatchStop, InUse, Limits, assign};
pub use event::FleetEventKind;
pub use event_line::FleetEvent;
pub use file_text::file_text;
pub use hook::{HookRefused, HookState, settled};
pub use hook_status::HookStatus;
pub use merge_queue::{
    ConflictFile, Current, EntryState, MergeQueue, MergeStage, MergeStep, MergeTrouble, QueueEntry,
    QueueRefused, TargetNow, TroubleKind,
};
pub use merge_request::{MergeRequest, MergeStatus};
pub use next::{BeadCase, Case, Next, SessionCase, next};
pub use place_choice::{PLACE_LABEL, PlaceSlot, take_place};
pub use runner::{BadRunner, RunnerCall};
pub use settings::{CheckedOut, FleetSettings, LOCAL_RUNNER, MergeMethod, Runner};
pub use work_item::{Priority, WorkItem, WorkStatus};
