//! Makes snippets around matches. Text with non-ASCII letters needs the tokenizer of the index; ASCII text
//! does not.

use crate::{
    SearchIndex, ascii_snippet,
    match_window::match_window,
    pieces::{CLOSE, OPEN, Snippet, pieces},
    words::{Expression, joined, segmented},
};
use rusqlite::{OptionalExtension, params};

/// The best snippet with any of the words in the strings. `None` if there is no match, or if letters are not
/// ASCII.
pub(crate) fn shown_ascii(texts: &[&str], words: &Expression) -> Option<Snippet> {
    let phrases = words.plain.as_ref()?;
    let parts: Vec<&str> = texts.iter().map(|text| match_window(text, &words.begins)).collect();
    let mut shown = ascii_snippet::shown(&parts, phrases)?;
    shown.mark_cut(parts[shown.text], texts[shown.text]);
    Some(shown)
}

impl SearchIndex {
    /// The best snippet with any of the words, for strings in which [`shown_ascii`] found no match. `None` if
    /// no string has a match.
    ///
    /// Tokenizing a whole string is expensive, so the part that probably contains the words is tried first.
    pub(crate) fn shown(&self, texts: &[&str], words: &Expression) -> rusqlite::Result<Option<Snippet>> {
        let parts: Vec<&str> = texts.iter().map(|text| match_window(text, &words.begins)).collect();
        match self.shown_in(&parts, texts, &words.any)? {
            Some(shown) => Ok(Some(shown)),
            None => self.shown_in(texts, texts, &words.any),
        }
    }

    /// The best snippet from these parts of the strings.
    fn shown_in(&self, parts: &[&str], texts: &[&str], any: &str) -> rusqlite::Result<Option<Snippet>> {
        self.connection.prepare_cached("DELETE FROM temp.shown")?.execute([])?;
        for (at, text) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let plain = text.replace([OPEN, CLOSE], " ");
            self.connection
                .prepare_cached("INSERT INTO temp.shown(rowid, text) VALUES (?1, ?2)")?
                .execute(params![at as i64 + 1, segmented(&plain)])?;
        }
        let found = self
            .connection
            .prepare_cached(
                "SELECT rowid, snippet(shown, 0, char(1), char(2), '…', 28) FROM temp.shown
                 WHERE shown MATCH ?1 ORDER BY rank LIMIT 1",
            )?
            .query_row([any], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
            .optional()?;
        Ok(found.map(|(id, marked)| {
            let text = (id - 1) as usize;
            let mut shown = Snippet { text, pieces: pieces(joined(&marked).trim()) };
            shown.mark_cut(parts[text], texts[text]);
            shown
        }))
    }
}
