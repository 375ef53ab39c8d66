//! The rules: gitleaks' file and ours, read once. A rule's expression is compiled when a text first
//! has one of its words.

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use std::sync::{LazyLock, OnceLock};

/// How large a compiled expression may be, in bytes: gitleaks' longest needs some 10 MB.
const COMPILED_MAX: usize = 64 << 20;

/// All rules, and where their words are looked for.
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    /// Every rule's words, in lower case; the other list says whose each is.
    pub(crate) words: AhoCorasick,
    pub(crate) owners: Vec<Vec<usize>>,
    /// What is never a secret.
    pub(crate) allowed: Allowed,
}

/// One rule.
pub(crate) struct Rule {
    pub(crate) id: String,
    source: String,
    compiled: OnceLock<Option<Regex>>,
    pub(crate) group: Option<usize>,
    pub(crate) entropy: Option<f64>,
    pub(crate) allowed: Vec<Allowed>,
}

/// What a rule lets pass.
#[derive(Default)]
pub(crate) struct Allowed {
    pub(crate) target: Target,
    expressions: Vec<Expression>,
    stopwords: Option<AhoCorasick>,
}

struct Expression {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

/// What an allowance looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    allowlist: Option<FileAllowed>,
    rules: Vec<FileRule>,
}

#[derive(Deserialize)]
struct FileRule {
    id: String,
    #[serde(default)]
    regex: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    entropy: Option<f64>,
    #[serde(default, rename = "secretGroup")]
    secret_group: Option<usize>,
    #[serde(default)]
    allowlists: Vec<FileAllowed>,
}

#[derive(Default, Deserialize)]
struct FileAllowed {
    #[serde(default, rename = "regexTarget")]
    target: Option<String>,
    /// Combined with paths, which our texts have not: such a list does not apply.
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let theirs: File = toml::from_str(include_str!("../gitleaks/gitleaks.toml")).expect("a test reads it");
    let ours: File = toml::from_str(include_str!("ours.toml")).expect("a test reads it");
    Rules::of(theirs, ours)
});

/// The rules.
pub(crate) fn all() -> &'static Rules {
    &RULES
}

impl Rules {
    fn of(theirs: File, ours: File) -> Rules {
        let allowed = Allowed::of(theirs.allowlist.unwrap_or_default());
        let (mut rules, mut words) = (Vec::new(), Vec::<String>::new());
        let mut owners: Vec<Vec<usize>> = Vec::new();
        for rule in theirs.rules.into_iter().chain(ours.rules) {
            // One rule goes by the name of a file alone.
            let Some(source) = rule.regex else { continue };
            let number = rules.len();
            for word in rule.keywords.iter().map(|word| word.to_lowercase()) {
                match words.iter().position(|known| *known == word) {
                    Some(at) => owners[at].push(number),
                    None => {
                        words.push(word);
                        owners.push(vec![number]);
                    }
                }
            }
            let of_rule = rule.allowlists.into_iter().filter(|list| list.condition.as_deref() != Some("AND"));
            rules.push(Rule {
                id: rule.id,
                source,
                compiled: OnceLock::new(),
                group: rule.secret_group,
                entropy: rule.entropy,
                allowed: of_rule.map(Allowed::of).collect(),
            });
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&words)
            .expect("a few hundred short words make an automaton");
        Rules { rules, words, owners, allowed }
    }
}

impl Rule {
    /// The rule's expression; `None` where it cannot be compiled, which a test rules out.
    pub(crate) fn expression(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile(&self.source)).as_ref()
    }
}

impl Allowed {
    fn of(file: FileAllowed) -> Allowed {
        let target = match file.target.as_deref() {
            Some("match") => Target::Match,
            Some("line") => Target::Line,
            _ => Target::Secret,
        };
        let expressions =
            file.regexes.into_iter().map(|source| Expression { source, compiled: OnceLock::new() }).collect();
        let stopwords = (!file.stopwords.is_empty()).then(|| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(&file.stopwords)
                .expect("a thousand short words make an automaton")
        });
        Allowed { target, expressions, stopwords }
    }

    /// Whether it lets this pass; `looked_at` is what the target says, stop words are of the secret.
    pub(crate) fn passes(&self, looked_at: &[u8], secret: &[u8]) -> bool {
        self.stopwords.as_ref().is_some_and(|words| words.is_match(secret))
            || self.expressions.iter().any(|expression| {
                let compiled = expression.compiled.get_or_init(|| compile(&expression.source));
                compiled.as_ref().is_some_and(|regex| regex.is_match(looked_at))
            })
    }

    #[cfg(test)]
    pub(crate) fn all_compile(&self) -> bool {
        self.expressions.iter().all(|expression| compile(&expression.source).is_some())
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
