//! Finds the words of a bead that are worth searching for, with their weights. Performs no I/O.

/// A word to search for, with its significance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// The word in lower case.
    pub(super) text: String,
    pub(super) weight: f64,
}

/// The maximum number of words; with more words, every file would match.
const WORDS: usize = 24;
/// The minimum length of a word, in characters; shorter words are in every file.
const SHORTEST: usize = 3;
/// The maximum length of a word, in characters; longer words are hashes or data.
const LONGEST: usize = 60;
/// The weight of a name in code, relative to a word of prose.
const NAME: f64 = 3.0;

/// Words to ignore, because they are common in prose or in beads.
const COMMON: &str = "\
    about above after again all also always and any are because been before below between both but can cannot \
    could did does done each either else every first for from get gets got had has have here how instead into \
    its just last let like made make makes many may more most must need needs never new next not now off old \
    once one only other our out over own per same second see set should shall since some still such than that \
    the their them then there these they this those three through time too two under until upon use used user \
    users uses using very want was way were what when where whether which while who why will with without would \
    yes you your add adds added bead beads bug change changes chore code feature file files fix fixed fixes \
    implement issue issues line lines problem remove task test tests todo update work works expected actual \
    acceptance criteria";

/// The words of the strings with their weights, the most significant first. A name in code (`parse_token`,
/// `parseToken`, or a word of a text without spaces between backticks) counts more than a word of prose.
pub(super) fn words<'a>(texts: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut add = |text: &str, weight: f64| {
        let text = text.to_lowercase();
        let length = text.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) || COMMON.split(' ').any(|common| common == text) {
            return;
        }
        match found.iter_mut().find(|word| word.text == text) {
            // A repeated word adds only a fraction of its weight.
            Some(word) => word.weight = word.weight.max(weight) + word.weight.min(weight) / 4.0,
            None => found.push(Word { text, weight }),
        }
    };
    for (text, weight) in texts {
        for (at, part) in text.split('`').enumerate() {
            let quoted = at % 2 == 1 && !part.contains(char::is_whitespace);
            for name in part.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| is_word(name))
            {
                let is_name = quoted || is_name(name);
                add(name, if is_name { weight * NAME } else { weight });
            }
        }
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found.truncate(WORDS);
    found
}

fn is_word(name: &str) -> bool {
    name.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// Whether a word is written like a name in code: with underscores or inner capitals.
fn is_name(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let humps = inner.chars().zip(inner.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    inner.contains('_') || humps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_code_come_first_and_common_words_are_left_out() {
        let found = words([
            ("Fix the composer when `flush` fails", 3.0),
            ("see parse_token and sendNow, composer", 1.0),
        ]);
        let found: Vec<_> = found.iter().map(|word| (word.text.as_str(), word.weight)).collect();
        assert_eq!(
            found,
            [("flush", 9.0), ("composer", 3.25), ("fails", 3.0), ("parse_token", 3.0), ("sendnow", 3.0)]
        );
    }

    #[test]
    fn any_text_has_a_limited_number_of_words() {
        let text: String = (0..500).map(|n| format!("word{n} ")).collect();
        assert_eq!(words([(text.as_str(), 1.0)]).len(), WORDS);
        assert_eq!(words([("a 12 3f25a1b2c 🙂 the", 1.0), ("", 1.0)]), []);
        let long = "x".repeat(70);
        assert_eq!(words([(long.as_str(), 1.0)]), []);
    }
}
