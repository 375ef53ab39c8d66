//! The input and the result of a check: files of the source tree, and violations.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    /// The affected file or package.
    pub(super) place: String,
    /// The problem and the remedy.
    pub(super) message: String,
}

impl Violation {
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Violation {
        Violation { place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

#[derive(Debug)]
pub(super) struct SourceFile {
    /// The path relative to the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

#[cfg(test)]
impl SourceFile {
    pub(super) fn new(path: &str, text: impl Into<String>) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.into() }
    }
}
