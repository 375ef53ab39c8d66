//! What agents remember: the entry, how it stands in a tracker's row, how it is ranked, merged and put
//! into an agent's context.
//!
//! Pure. Where memories are kept is `bc-memory`'s business.
//!
//! Invariants: every text that can be remembered comes back as it was; a row that somebody edited by
//! hand is still a memory, and what was edited counts.

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
