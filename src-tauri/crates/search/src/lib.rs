//! What can be asked of all sessions at once: a search over everything said in them, figures, and any
//! part of a long conversation without reading the rest.
//!
//! Behind it is a SQLite file that is only a cache of `meta.json` and `messages.jsonl`: it is caught up
//! whenever something is asked, made anew where it is missing, broken or of another version, and kept in
//! memory where it cannot be written. Nothing watches and nothing polls.
//!
//! Where each message stands is read first and fast, what is said in them later and slowly: the end of a long
//! conversation is shown without waiting for its words, and only a search waits for those.
//!
//! Deliberately not in here: the files' formats (`bc-store`), what is live of a session (the engine).
//!
//! Of a message's text the first 256 KiB are searched, of each tool's input and answer the first 16 KiB.

mod catch_up;
mod count;
mod dashboard;
mod error;
mod find;
mod lines;
mod near;
mod open;
mod page;
mod places;
mod plain;
mod record;
mod shown;
mod snippet;
mod spoken;
mod wording;
mod words;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

pub use error::SearchError;
pub use find::Answer;
pub use open::SearchIndex;
pub use page::Page;
