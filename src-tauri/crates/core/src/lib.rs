//! The pure domain of Beads Console: typed ids, beads, sessions and their state machine, messages, memories,
//! the fleet, and the documents and prompts made from them.
//!
//! Deliberately elsewhere: I/O, the clock, randomness and async. Callers pass in the current time.

pub mod agent_files;
pub mod backup;
pub mod bead;
pub mod bead_graph;
pub mod branch;
pub mod context_pack;
pub mod execution;
pub mod export;
pub mod fleet;
pub mod hooks;
pub mod ids;
pub mod memory;
pub mod message;
pub mod metrics;
pub mod mode;
mod newer;
pub mod next_bead;
pub mod paths;
pub mod prompt;
pub mod query;
pub mod question;
pub mod recovery;
pub mod ref_format;
pub mod search;
pub mod session;
pub mod stale;
pub mod terminal;
pub mod text;
pub mod timeline;
pub mod usage_limit;
pub mod work;
pub mod worktree;

/// A time with its UTC offset, in RFC 3339 format in all files and protocols.
pub type Timestamp = chrono::DateTime<chrono::FixedOffset>;

/// A JSON object. As a field `extra`: the unknown fields of a file, which are kept when the file is written
/// again.
pub type Extra = serde_json::Map<String, serde_json::Value>;
