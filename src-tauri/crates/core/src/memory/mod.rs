//! Agents' memories: the entry, its form in a tracker's row, ranking, merging, and its form in an agent's
//! context.
//!
//! This module is pure; `bc-memory` stores memories.
//!
//! Invariants: every stored text is returned unchanged. A row that was edited by hand is still a memory, and
//! the edits take effect.

mod entry;
mod fence;
mod filter;
mod import;
mod key;
mod labels;
mod merge;
mod new;
mod prime;
mod proposals;
mod rank;
mod row;
mod tables;
#[cfg(test)]
mod tests;

pub use entry::{MemoryEntry, MemoryLink, MemoryType, Relation};
pub use fence::{fenced, unfenced};
pub use filter::{Filter, holds_words, words};
pub use import::{Item, from_markdown};
pub use key::{derived_key, memory_id, session_name, title_of};
pub use labels::{Labels, build_labels, is_memory, parse_labels};
pub use merge::{Merged, duplicates, merged};
pub use new::{CONTENT_MAX, InvalidMemory, NewMemory, OnBead, check_tag};
pub use prime::{BUDGET, HOW, Primed, mark_in_text, primed};
pub use proposals::{Proposal, proposals};
pub use rank::{Focus, Scope, rank, scope};
pub use row::{
    ACCESSED, BEAD, HASH, IMPORTANCE, KEY, WORKSTREAM, content_of, from_row, stored_metadata, to_row,
};
pub use tables::{importance_of, issue_type_of, priority_of, type_of_issue};
