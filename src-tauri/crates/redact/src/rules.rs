//! The rules: gitleaks' file and ours, read when this was built. A rule's expression is compiled when a text
//! first has one of its words.

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use std::sync::{LazyLock, OnceLock};

/// How large a compiled expression may be, in bytes: gitleaks' longest needs some 10 MB.
const COMPILED_MAX: usize = 64 << 20;

/// In texts up to this length each word is looked for by itself: that is sooner done than the automaton for
/// all of them is made.
const SHORT: usize = 4 << 10;

/// What is written in the files.
mod table {
    use super::{AllowedData, RuleData, Target};
    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

struct RuleData {
    id: &'static str,
    source: &'static str,
    group: Option<usize>,
    entropy: Option<f64>,
    allowed: &'static [AllowedData],
}

struct AllowedData {
    target: Target,
    expressions: &'static [&'static str],
    stopwords: &'static [&'static str],
}

/// All rules.
pub(crate) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| table::RULES.iter().map(Rule::of).collect());

/// What is never a secret.
pub(crate) static EVERYWHERE: LazyLock<Allowed> = LazyLock::new(|| Allowed::of(&table::EVERYWHERE));

/// One rule.
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    expression: Expression,
    pub(crate) group: Option<usize>,
    pub(crate) entropy: Option<f64>,
    pub(crate) allowed: Vec<Allowed>,
}

/// What a rule lets pass.
pub(crate) struct Allowed {
    pub(crate) target: Target,
    expressions: Vec<Expression>,
    stopwords: Words,
}

/// An expression, compiled when it is first needed.
struct Expression {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// Words, and the automaton that finds them, made when it is first needed.
struct Words {
    words: &'static [&'static str],
    automaton: OnceLock<AhoCorasick>,
}

/// What an allowance looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

static AUTOMATON: LazyLock<AhoCorasick> =
    LazyLock::new(|| automaton(table::WORDS.iter().map(|(word, _)| *word)));

/// The numbers of the rules that have a word in the text, in order. Most texts have none.
pub(crate) fn in_question(text: &str) -> Vec<usize> {
    in_question_of(text, text.len() > SHORT)
}

fn in_question_of(text: &str, at_once: bool) -> Vec<usize> {
    let mut rules: Vec<usize> = match at_once {
        true => {
            let found = AUTOMATON.find_overlapping_iter(text);
            found.flat_map(|word| table::WORDS[word.pattern().as_usize()].1).copied().collect()
        }
        false => {
            let text = text.to_ascii_lowercase();
            let found = table::WORDS.iter().filter(|(word, _)| text.contains(word));
            found.flat_map(|(_, owners)| *owners).copied().collect()
        }
    };
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn automaton<'a>(words: impl Iterator<Item = &'a str>) -> AhoCorasick {
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).build(words);
    builder.expect("a thousand short words make an automaton")
}

impl Words {
    fn are_in(&self, text: &[u8]) -> bool {
        let automaton = || self.automaton.get_or_init(|| automaton(self.words.iter().copied()));
        !self.words.is_empty() && automaton().is_match(text)
    }
}

impl Expression {
    fn of(source: &'static str) -> Expression {
        Expression { source, compiled: OnceLock::new() }
    }

    /// `None` where it cannot be compiled, which a test rules out.
    fn get(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile(self.source)).as_ref()
    }
}

impl Rule {
    fn of(data: &'static RuleData) -> Rule {
        Rule {
            id: data.id,
            expression: Expression::of(data.source),
            group: data.group,
            entropy: data.entropy,
            allowed: data.allowed.iter().map(Allowed::of).collect(),
        }
    }

    /// The rule's expression; `None` where it cannot be compiled, which a test rules out.
    pub(crate) fn expression(&self) -> Option<&Regex> {
        self.expression.get()
    }
}

impl Allowed {
    fn of(data: &'static AllowedData) -> Allowed {
        Allowed {
            target: data.target,
            expressions: data.expressions.iter().map(|source| Expression::of(source)).collect(),
            stopwords: Words { words: data.stopwords, automaton: OnceLock::new() },
        }
    }

    /// Whether it lets this pass; `looked_at` is what the target says, stop words are of the secret.
    pub(crate) fn passes(&self, looked_at: &[u8], secret: &[u8]) -> bool {
        let matches =
            |expression: &Expression| expression.get().is_some_and(|regex| regex.is_match(looked_at));
        self.stopwords.are_in(secret) || self.expressions.iter().any(matches)
    }

    #[cfg(test)]
    pub(crate) fn all_compile(&self) -> bool {
        self.expressions.iter().all(|expression| compile(expression.source).is_some())
    }
}

/// An expression of Go's in Rust's: classes are ASCII, and a brace that repeats nothing is a brace.
fn compile(source: &str) -> Option<Regex> {
    RegexBuilder::new(&braces(source)).unicode(false).size_limit(COMPILED_MAX).build().ok()
}

fn braces(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let (mut escaped, mut class) = (false, false);
    for (at, c) in source.char_indices() {
        let rest = &source[at + c.len_utf8()..];
        let repeats = rest.split_once('}').is_some_and(|(inside, _)| {
            !inside.is_empty()
                && inside.starts_with(|c: char| c.is_ascii_digit())
                && inside.chars().all(|c| c.is_ascii_digit() || c == ',')
        });
        if c == '{' && !escaped && !class && !repeats {
            out.push('\\');
        }
        out.push(c);
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if !class => class = true,
            ']' => class = false,
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_one_by_one_as_all_at_once() {
        let mut all = String::new();
        for (number, (word, owners)) in table::WORDS.iter().enumerate() {
            let text = format!("ä {number}{} ß", word.to_ascii_uppercase());
            let found = in_question_of(&text, false);
            assert_eq!(found, in_question_of(&text, true), "{text}");
            assert!(owners.iter().all(|owner| found.contains(owner)), "{text}");
            all.push_str(&text);
        }
        assert_eq!(in_question_of(&all, false), in_question_of(&all, true));
        assert_eq!(in_question_of("nothing of that sort", false), Vec::<usize>::new());
    }
}
