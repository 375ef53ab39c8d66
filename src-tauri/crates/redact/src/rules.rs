//! The rules of gitleaks and our own rules, parsed at build time. A rule's expression is compiled when it is
//! first used.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::{
    LazyLock, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// The maximum size of a compiled expression, in bytes. The longest expression of gitleaks needs about 10 MB.
const COMPILED_MAX: usize = 64 << 20;

/// In strings up to this length, each keyword is searched separately, which is faster than building the
/// automaton.
const SHORT_TEXT_MAX: usize = 4 << 10;

/// After this number of short strings, the automaton is built anyway, because an export has many strings.
const SHORT_TEXTS_MAX: usize = 64;

/// The tables that `build.rs` generates from the rule files.
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

pub(crate) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| table::RULES.iter().map(Rule::of).collect());

/// Values that are never secrets.
pub(crate) static EVERYWHERE: LazyLock<Allowed> = LazyLock::new(|| Allowed::of(&table::EVERYWHERE));

pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) expression: Expression,
    pub(crate) group: Option<usize>,
    pub(crate) entropy: Option<f64>,
    pub(crate) allowed: Vec<Allowed>,
}

/// Exceptions of one rule, or of all rules.
pub(crate) struct Allowed {
    pub(crate) target: Target,
    expressions: Vec<Expression>,
    stopwords: Words,
}

/// An expression that is compiled on first use.
pub(crate) struct Expression {
    source: &'static str,
    compiled: OnceLock<Regex>,
}

/// Keywords, and the automaton that finds them, built on first use.
struct Words {
    words: &'static [&'static str],
    automaton: OnceLock<AhoCorasick>,
}

/// The text that an exception applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

/// Finds the keywords of all rules. It is a DFA, which reads each byte once, because an export spends most of
/// its time in this search.
static AUTOMATON: LazyLock<AhoCorasick> =
    LazyLock::new(|| automaton(table::WORDS.iter().map(|(word, _)| *word), Some(AhoCorasickKind::DFA)));

/// The index of the rule for Discord tokens, which also applies to strings without its keywords if they have
/// two dots like a token.
static DOTTED: LazyLock<Option<usize>> =
    LazyLock::new(|| table::RULES.iter().position(|rule| rule.id == "discord-token"));

/// The number of short strings scanned so far; see [`SHORT_TEXTS_MAX`].
static SHORT_TEXTS: AtomicUsize = AtomicUsize::new(0);

fn use_automaton(text: &str) -> bool {
    text.len() > SHORT_TEXT_MAX || SHORT_TEXTS.fetch_add(1, Ordering::Relaxed) >= SHORT_TEXTS_MAX
}

/// Whether [`candidates`] would return any rule. This is faster, because it can stop at the first keyword.
pub(crate) fn any_in_question(text: &str) -> bool {
    let word = match use_automaton(text) {
        true => AUTOMATON.is_match(text),
        false => !candidates_by(text, false).is_empty(),
    };
    word || (DOTTED.is_some() && is_dotted(text.as_bytes()))
}

/// The numbers of the rules that may match, because the text contains one of their keywords or is dotted like
/// a token. Most strings contain neither.
pub(crate) fn candidates(text: &str) -> Vec<usize> {
    let mut rules = candidates_by(text, use_automaton(text));
    if let Some(dotted) = *DOTTED
        && !rules.contains(&dotted)
        && is_dotted(text.as_bytes())
    {
        rules.push(dotted);
    }
    rules
}

/// Whether the text has two dots like a Discord token: six token characters apart, with at least 23 token
/// characters before the first.
fn is_dotted(text: &[u8]) -> bool {
    let part =
        |bytes: &[u8]| bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    memchr::memchr_iter(b'.', text).any(|at| {
        text.get(at + 7) == Some(&b'.') && at >= 23 && part(&text[at - 23..at]) && part(&text[at + 1..at + 7])
    })
}

fn candidates_by(text: &str, use_automaton: bool) -> Vec<usize> {
    let mut rules: Vec<usize> = match use_automaton {
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

fn automaton<'a>(words: impl Iterator<Item = &'a str>, kind: Option<AhoCorasickKind>) -> AhoCorasick {
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).kind(kind).build(words);
    builder.expect("a thousand short words make an automaton")
}

impl Words {
    fn are_in(&self, text: &[u8]) -> bool {
        let automaton = || self.automaton.get_or_init(|| automaton(self.words.iter().copied(), None));
        !self.words.is_empty() && automaton().is_match(text)
    }
}

impl Expression {
    fn of(source: &'static str) -> Expression {
        Expression { source, compiled: OnceLock::new() }
    }

    pub(crate) fn get(&self) -> &Regex {
        self.compiled.get_or_init(|| compile(self.source))
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
}

impl Allowed {
    fn of(data: &'static AllowedData) -> Allowed {
        Allowed {
            target: data.target,
            expressions: data.expressions.iter().map(|source| Expression::of(source)).collect(),
            stopwords: Words { words: data.stopwords, automaton: OnceLock::new() },
        }
    }

    /// Whether the exception applies. `looked_at` is the text of the exception's target; stop words always
    /// apply to the secret.
    pub(crate) fn passes(&self, looked_at: &[u8], secret: &[u8]) -> bool {
        let matches = |expression: &Expression| expression.get().is_match(looked_at);
        self.stopwords.are_in(secret) || self.expressions.iter().any(matches)
    }

    #[cfg(test)]
    pub(crate) fn compile_all(&self) {
        self.expressions.iter().for_each(|expression| drop(compile(expression.source)));
    }
}

/// Compiles a Go expression: classes are ASCII, and a brace that does not start a repetition is literal.
fn compile(source: &str) -> Regex {
    let built = RegexBuilder::new(&escape_braces(source)).unicode(false).size_limit(COMPILED_MAX).build();
    built.expect("every expression compiles, as a test checks")
}

fn escape_braces(source: &str) -> String {
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
    fn single_keywords_and_the_automaton_find_the_same() {
        let mut all = String::new();
        for (number, (word, owners)) in table::WORDS.iter().enumerate() {
            let text = format!("ä {number}{} ß", word.to_ascii_uppercase());
            let found = candidates_by(&text, false);
            assert_eq!(found, candidates_by(&text, true), "{text}");
            assert!(any_in_question(&text), "{text}");
            assert!(owners.iter().all(|owner| found.contains(owner)), "{text}");
            all.push_str(&text);
        }
        assert_eq!(candidates_by(&all, false), candidates_by(&all, true));
        assert_eq!(candidates_by("nothing of that sort", false), Vec::<usize>::new());
        // The first strings are searched keyword by keyword, all later ones with the automaton.
        (0..=SHORT_TEXTS_MAX).for_each(|_| assert!(!any_in_question("nothing of that sort")));
    }
}
