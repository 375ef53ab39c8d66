//! A readable diff of two strings.

use similar::TextDiff;
use std::fmt::Write;

/// The number of unchanged lines shown before and after a change.
const AROUND: usize = 3;

/// Returns a diff by lines: `+` marks an added line, `-` a removed line, and a space an unchanged line. `@@
/// line N` precedes each group of changes, except a group at the start of the file. Empty if the strings are
/// equal; `None` counts as an empty string.
pub fn diff(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let [before, after] = [before, after].map(|bytes| String::from_utf8_lossy(bytes.unwrap_or_default()));
    let diff = TextDiff::from_lines(&before, &after);
    let mut text = String::new();
    for group in diff.grouped_ops(AROUND) {
        let from = group.first().map_or(0, |op| op.old_range().start);
        if from > 0 {
            writeln!(text, "@@ line {}", from + 1).expect("writing to a String cannot fail");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches(['\r', '\n']);
            writeln!(text, "{}{line}", change.tag()).expect("writing to a String cannot fail");
        }
    }
    text
}
