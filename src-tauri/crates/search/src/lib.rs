//! Queries over all sessions: full-text search, metrics, and pages of a long conversation without reading the
//! rest of the conversation.
//!
//! The queries use an SQLite file that is only a cache of `meta.json` and `messages.jsonl`. Each query
//! updates the cache first. The cache is recreated if it is missing, broken or of another version, and it is
//! in memory if the file cannot be written. There is no file watcher and no polling.
//!
//! The positions of messages are read first, which is fast; their text is indexed later, which is slow. The
//! end of a long conversation can therefore be shown early, and only a search waits for the text.
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
mod positions;
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
