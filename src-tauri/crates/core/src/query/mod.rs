//! The query line over beads: `status:open label:ui -label:x priority<=1 assignee:none updated<7d text`.
//!
//! Parts are separated by spaces and must all match. A part's values are separated by commas, and one of them
//! must match. `-` negates a part; quotes keep spaces and commas. Any text is a valid query: a part that is
//! not understood is reported and searched as text, except that a field without a value is ignored.
//!
//! [`Query::parse`] reads the line, [`Beads`] holds the beads with their lower-cased text, and [`Matcher`]
//! compares them at one moment.

mod beads;
mod comparison;
mod matcher;
mod parse;
#[cfg(test)]
mod tests;
mod value;
mod words;

pub use beads::{Beads, Texts};
pub use matcher::{Matcher, Moment};
pub use parse::{Problem, Query};
