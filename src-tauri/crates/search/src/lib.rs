//! Queries over all sessions: full-text search, figures, and pages of a long conversation without reading the
//! rest.
//!
//! They use a SQLite file that is only a cache of `meta.json` and `messages.jsonl`. Each query updates it
//! first. It is created again if missing, broken or of another version, and kept in memory if it cannot be
//! written. There is no file watcher and no polling.
//!
//! Message positions are read first and fast, the text later and slowly. So the end of a long conversation is
//! shown without waiting for its text; only a search waits.
//!
//! Deliberately elsewhere: the files' formats (`bc-store`), and the live state of a session (the engine).
//!
//! The search covers the first 256 KiB of a message's text, and the first 16 KiB of each tool's input and
//! output.

mod ascii_snippet;
mod catch_up;
mod count;
mod dashboard;
mod error;
mod find;
mod lines;
mod match_window;
mod message_fields;
mod open;
mod page;
mod pieces;
mod places;
mod record;
mod results;
mod snippet;
mod text_indexing;
mod words;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

pub use error::SearchError;
pub use find::Answer;
pub use open::SearchIndex;
pub use page::Page;
