//! The SQLite database of a classic bd (before 0.58), read without its program.
//!
//! Invariants: nothing is written, locked or created next to the database. It is read as a file, and its
//! write-ahead log is applied in memory, so that SQLite never opens the project's files. The file may come
//! with a repository and is not trusted.

mod database;
mod rows;
mod wal;

pub(crate) use database::Database;
