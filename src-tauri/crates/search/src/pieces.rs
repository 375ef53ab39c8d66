//! The pieces of a snippet: its text, with matches marked. This module is pure.

use bc_core::search::Piece;
use std::ops::Range;

/// Marks around matches: characters that no displayed text contains.
pub(crate) const OPEN: char = '\u{1}';
pub(crate) const CLOSE: char = '\u{2}';

/// A snippet, and the index of the text from which it comes.
pub(crate) struct Snippet {
    pub(crate) text: usize,
    pub(crate) pieces: Vec<Piece>,
}

impl Snippet {
    /// Creates a snippet from a range of words in a part of the text, with its matches marked.
    pub(crate) fn marked(
        text: usize,
        part: &str,
        words: &[Range<usize>],
        shown: Range<usize>,
        found: &[Range<usize>],
    ) -> Snippet {
        let (first, last) = (shown.start == 0, shown.end == words.len());
        let from = if first { 0 } else { words[shown.start].start };
        let to = if last { part.len() } else { words[shown.end - 1].end };
        let mut marked = String::from(if first { "" } else { "…" });
        let mut at = from;
        let plain = |range: Range<usize>| part[range].replace([OPEN, CLOSE], " ");
        for range in found {
            let (start, end) = (words[range.start].start, words[range.end - 1].end);
            // A match that begins inside the previous one is already marked.
            if start >= at {
                marked.push_str(&plain(at..start));
                marked.push(OPEN);
                marked.push_str(&plain(start..end));
                marked.push(CLOSE);
                at = end;
            }
        }
        marked.push_str(&plain(at..to));
        marked.push_str(if last { "" } else { "…" });
        Snippet { text, pieces: pieces(marked.trim()) }
    }

    /// Adds an ellipsis at each end where the part was cut from the whole text.
    pub(crate) fn mark_cut(&mut self, part: &str, whole: &str) {
        let dots = || Piece { text: "…".to_owned(), found: false };
        if !whole.starts_with(part) && !self.pieces.first().is_some_and(|p| p.text.starts_with('…')) {
            match self.pieces.first_mut().filter(|piece| !piece.found) {
                Some(piece) => piece.text.insert(0, '…'),
                None => self.pieces.insert(0, dots()),
            }
        }
        if !whole.ends_with(part) && !self.pieces.last().is_some_and(|p| p.text.ends_with('…')) {
            match self.pieces.last_mut().filter(|piece| !piece.found) {
                Some(piece) => piece.text.push('…'),
                None => self.pieces.push(dots()),
            }
        }
    }
}

pub(crate) fn pieces(marked: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = marked;
    let mut found = false;
    while !rest.is_empty() {
        let end = rest.find(if found { CLOSE } else { OPEN }).unwrap_or(rest.len());
        let text = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
        let (before, after) =
            (rest[..end].starts_with(char::is_whitespace), rest[..end].ends_with(char::is_whitespace));
        let text = match (text.is_empty(), before, after) {
            (true, true, _) => " ".to_owned(),
            (true, ..) => String::new(),
            (_, before, after) => {
                format!("{}{text}{}", if before { " " } else { "" }, if after { " " } else { "" })
            }
        };
        if !text.is_empty() {
            pieces.push(Piece { text, found });
        }
        rest = rest.get(end + 1..).unwrap_or_default();
        found = !found;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_pieces_and_runs_of_spaces_are_collapsed() {
        let piece = |text: &str, found| Piece { text: text.into(), found };
        assert_eq!(
            pieces("…fix \n\n the \u{1}login\u{2}, now"),
            [piece("…fix the ", false), piece("login", true), piece(", now", false)]
        );
        assert_eq!(pieces("\u{1}all\u{2}"), [piece("all", true)]);
    }
}
