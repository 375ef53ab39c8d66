//! The memory commands, and the memories in agents' contexts.
//!
//! The commands need neither an engine nor its lock, so any number of agents can store memories at the same
//! time while a window is open.
//!
//! `read` has the queries, and `write`, `merge` and `import` make changes. `agent_context` renders text for agents.
//!
//! May use: `context`.

mod agent_context;
mod asker;
mod import;
mod merge;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use agent_context::{for_agent, with_how, within};
pub(crate) use import::import;
pub(crate) use merge::{merge, unmerge};
pub(crate) use read::{get, list, proposals, rows, search};
pub(crate) use write::{forget, link, restore, restore_rows, save, unlink};
