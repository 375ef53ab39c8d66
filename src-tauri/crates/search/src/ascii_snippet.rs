//! Makes snippets of ASCII text from the part with the most searched words. Most text is ASCII, and the
//! full-text index takes a hundred times as long to make a snippet. This module is pure.

use crate::{pieces::Snippet, words::Phrase};
use std::ops::Range;

const WORDS: usize = 28;
/// The number of words in a snippet before the first match.
const BEFORE: usize = 6;

/// A range of the text, and the matches in it.
struct Place {
    kinds: usize,
    shown: Range<usize>,
    found: Vec<Range<usize>>,
}

/// Returns the snippet with the most phrases, or the first of equally good snippets. `None` if no part has a
/// match, or a part has non-ASCII letters.
pub(crate) fn shown(parts: &[&str], phrases: &[Phrase]) -> Option<Snippet> {
    if parts.iter().any(|part| part.chars().any(|c| !c.is_ascii() && c.is_alphanumeric())) {
        return None;
    }
    let mut best: Option<(usize, Vec<Range<usize>>, Place)> = None;
    for (text, part) in parts.iter().enumerate() {
        let words = words(part);
        let Some(place) = place(part, &words, phrases) else { continue };
        if best.as_ref().is_none_or(|(.., best)| place.kinds > best.kinds) {
            best = Some((text, words, place));
        }
    }
    let (text, words, place) = best?;
    Some(Snippet::marked(text, parts[text], &words, place.shown, &place.found))
}

fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric()) {
        match words.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end = at + 1,
            None => words.push(at..at + 1),
        }
    }
    words
}

/// The best range in one string.
fn place(text: &str, words: &[Range<usize>], phrases: &[Phrase]) -> Option<Place> {
    let found: Vec<(usize, Range<usize>)> = (0..words.len())
        .filter_map(|at| {
            let longest = |(n, phrase): (usize, &Phrase)| {
                is_at(text, &words[at..], phrase).then(|| (n, at..at + phrase.words.len()))
            };
            phrases.iter().enumerate().filter_map(longest).max_by_key(|(_, range)| range.len())
        })
        .collect();
    let mut best: Option<Place> = None;
    for (first, (_, range)) in found.iter().enumerate() {
        let start = range.start.saturating_sub(BEFORE);
        let end = words.len().min(start + WORDS);
        let inside = found[first..].iter().take_while(|(_, range)| range.end <= end);
        let mut kinds: Vec<usize> = inside.clone().map(|(phrase, _)| *phrase).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if best.as_ref().is_none_or(|best| kinds.len() > best.kinds) {
            let found = inside.map(|(_, at)| at.clone()).collect();
            best = Some(Place { kinds: kinds.len(), shown: start..end, found });
        }
        if kinds.len() == phrases.len() {
            break;
        }
    }
    best
}

/// Whether a phrase starts at the first of these words.
fn is_at(text: &str, words: &[Range<usize>], phrase: &Phrase) -> bool {
    let last = phrase.words.len().wrapping_sub(1);
    words.len() > last
        && phrase.words.iter().zip(words).enumerate().all(|(n, (wanted, at))| {
            let word = &text.as_bytes()[at.clone()];
            let wanted = wanted.as_bytes();
            let begins = word.len() >= wanted.len() && word[..wanted.len()].eq_ignore_ascii_case(wanted);
            begins && (word.len() == wanted.len() || (phrase.beginning && n == last))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::expression;

    #[track_caller]
    fn check(typed: &str, texts: &[&str], expected: Option<(usize, &str)>) {
        let phrases = expression(typed).unwrap().plain.unwrap();
        let shown = shown(texts, &phrases).map(|shown| {
            let mark =
                |p: &bc_core::search::Piece| if p.found { format!("[{}]", p.text) } else { p.text.clone() };
            (shown.text, shown.pieces.iter().map(mark).collect::<String>())
        });
        assert_eq!(shown, expected.map(|(text, marked)| (text, marked.to_owned())), "{typed}");
    }

    #[test]
    fn words_phrases_and_prefixes_are_marked() {
        check("login bro", &["the login, is BROKEN"], Some((0, "the [login], is [BROKEN]")));
        check("bro login ", &["broken bro login"], Some((0, "broken [bro] [login]")));
        check("src/main.r", &["see src/main.rs:3 — ok"], Some((0, "see [src/main.rs]:3 — ok")));
        check("\"exit code\"", &["exit the code, exit\n code"], Some((0, "exit the code, [exit code]")));
        check("a", &["b"], None);
        check("a", &[], None);
    }

    #[test]
    fn texts_with_more_matches_rank_higher_and_long_ones_are_cut() {
        check("one two ", &["one", "two one", "one two"], Some((1, "[two] [one]")));
        let long = format!("{}needle{}", "hay ".repeat(20), " hay".repeat(40));
        let cut = format!("…{}[needle]{}…", "hay ".repeat(6), " hay".repeat(21));
        check("needle ", &[&long], Some((0, &cut)));
        let far = format!("one {} two one", "x ".repeat(40));
        check("one two ", &[&far], Some((0, "…x x x x x x [two] [one]")));
    }

    #[test]
    fn non_ascii_text_is_left_to_the_index() {
        check("cafe", &["a café", "cafe"], None);
    }
}
