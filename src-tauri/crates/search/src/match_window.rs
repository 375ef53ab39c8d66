//! Finds the part of long text that probably contains the searched words, by comparing only the beginnings of
//! the text's words. This module is pure.
//!
//! The caller checks whether whole words match in the part, and examines the whole text if none does.

/// Strings up to this length, in bytes, are returned whole.
const SHORT: usize = 1_200;
/// The number of bytes before the beginning of a word that the part includes, and the number of bytes after
/// it.
const BEFORE: usize = 200;
const AFTER: usize = 500;

/// The part around the position with the most words, cut at spaces. Empty if no word is found. The whole text
/// is returned if it is short or a word has non-ASCII letters.
pub(crate) fn match_window<'a>(text: &'a str, words: &[String]) -> &'a str {
    if text.len() <= SHORT || words.iter().any(|word| !word.is_ascii()) {
        return text;
    }
    let places: Vec<usize> =
        words.iter().filter_map(|word| place(text.as_bytes(), word.as_bytes())).collect();
    let with = |from: usize| places.iter().filter(|at| (from..from + AFTER).contains(*at)).count();
    // Of equally good positions, take the first.
    let best = places.iter().copied().max_by_key(|at| (with(*at), std::cmp::Reverse(*at)));
    best.map_or("", |at| around(text, at))
}

/// The position of the first word that begins with these letters, ignoring case.
fn place(text: &[u8], word: &[u8]) -> Option<usize> {
    let first = *word.first()?;
    let begins = |at: usize| at == 0 || !text[at - 1].is_ascii_alphanumeric();
    let is_there =
        |at: usize| text.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
    // Searching for the first letter skips most of the text.
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text)
        .find(|at| begins(*at) && is_there(*at))
}

fn around(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(BEFORE));
    let to = text.floor_char_boundary((at + AFTER).min(text.len()));
    // Cut off partial words at the ends, but never the match itself.
    let start =
        if from == 0 { 0 } else { text[from..at].find(char::is_whitespace).map_or(from, |n| from + n) };
    let end =
        if to == text.len() { to } else { text[at..to].rfind(char::is_whitespace).map_or(to, |n| at + n) };
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_long_text_is_cut_at_spaces_around_the_match() {
        let text = format!("{}the Needle is here{}", "hay größer ".repeat(300), " and hay".repeat(300));
        let part = match_window(&text, &words(&["needle"]));
        assert!(part.contains("the Needle is here") && part.len() <= BEFORE + AFTER, "{part}");
        assert!(part.starts_with(" hay") || part.starts_with(" größer"), "{part}");
        assert!(part.ends_with("hay") || part.ends_with("and"), "{part}");
    }

    #[test]
    fn the_window_with_most_matches_is_chosen() {
        let far = "x ".repeat(600);
        let text = format!("one {far} two and three {far}");
        assert!(match_window(&text, &words(&["one", "two", "three"])).contains("two and three"));
        assert!(match_window(&text, &words(&["one"])).starts_with("one"));
    }

    #[test]
    fn matches_start_at_words_and_short_texts_stay_complete() {
        let text = "haystack ".repeat(300);
        assert_eq!(match_window(&text, &words(&["stack"])), "");
        assert_eq!(match_window(&text, &words(&["größe"])), text);
        assert_eq!(match_window("stack", &words(&["nothing"])), "stack");
    }
}
