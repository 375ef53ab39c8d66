//! One file's difference, as text.

use crate::content_ids::ContentIds;

/// The maximum length of one file's hunks, in bytes.
const DIFF: usize = 64 << 10;

/// A file with differences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// The path relative to the tree's root.
    pub path: String,
    /// The old path, if the file was moved.
    pub from: Option<String>,
    /// Git's letter: `A`, `M`, `D`, `R`, `C` or `T`.
    pub letter: char,
    /// Numbers of added and removed lines; `None` if the file is not text.
    pub lines: Option<(u32, u32)>,
    /// The hunks, as in a patch.
    pub hunks: String,
    /// Whether hunks are left out because they exceed the limit.
    pub cut: bool,
    pub(crate) contents: ContentIds,
}

impl FileDiff {
    pub(crate) fn new(path: String, letter: char) -> FileDiff {
        let contents = ContentIds::default();
        FileDiff { path, from: None, letter, lines: None, hunks: String::new(), cut: false, contents }
    }

    /// Identifies the old and new content: equal for equal contents, committed or not. `None` if unknown.
    pub fn content(&self) -> Option<String> {
        self.contents.name()
    }
}

/// The whole lines of the hunks up to the limit, and whether more follow.
pub(crate) fn up_to_most(hunks: &str) -> (String, bool) {
    let end = match hunks.len() > DIFF {
        true => hunks.as_bytes()[..DIFF].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1),
        false => hunks.len(),
    };
    (hunks[..end].to_owned(), end < hunks.len())
}
