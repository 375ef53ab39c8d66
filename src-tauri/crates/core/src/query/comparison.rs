//! Comparisons in a query: `=`, `<`, `<=`, `>` and `>=`.

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    /// Parses a comparison at the beginning of the text. Returns the comparison, if any, and the rest of the
    /// text.
    pub(super) fn read(text: &str) -> (Option<Comparison>, &str) {
        let signs = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::More),
            ("=", Comparison::Equal),
        ];
        let found = signs.into_iter().find_map(|(sign, how)| Some((how, text.strip_prefix(sign)?)));
        found.map_or((None, text), |(how, rest)| (Some(how), rest))
    }

    pub(super) fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}
