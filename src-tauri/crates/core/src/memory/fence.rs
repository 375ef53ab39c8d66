//! Metadata in the notes of a row, for trackers without metadata.

use crate::Extra;
use serde_json::Value;

const OPEN: &str = "```beads-console-memory";
const CLOSE: &str = "```";

/// Puts the metadata into a fenced block of the notes, in place of an earlier block. The other notes stay,
/// without surrounding white space.
pub fn fenced(notes: &str, metadata: &Extra) -> String {
    // The block is one line: JSON escapes newlines, so nothing in it can close the fence.
    let block = format!("{OPEN}\n{}\n{CLOSE}", Value::Object(metadata.clone()));
    let (before, after) = match find(notes) {
        Some((from, to)) => (&notes[..from], &notes[to..]),
        None => (notes, ""),
    };
    [before.trim_end(), block.as_str(), after.trim()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// The metadata in the notes' fenced block; `None` without a valid block.
pub fn unfenced(notes: &str) -> Option<Extra> {
    let (from, to) = find(notes)?;
    let block = &notes[from..to];
    let inside = block.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    serde_json::from_str(inside.trim()).ok()
}

/// The byte range of the fenced block; `None` without a complete block.
fn find(notes: &str) -> Option<(usize, usize)> {
    let starts_line = |at: &usize| *at == 0 || notes.as_bytes()[*at - 1] == b'\n';
    let from = notes.match_indices(OPEN).map(|(at, _)| at).find(starts_line)?;
    let inside = from + OPEN.len();
    let close = notes[inside..].find("\n```")?;
    Some((from, inside + close + 1 + CLOSE.len()))
}
