//! Selects the relevant lines of a found file: the definitions or lines around the matches. Performs no I/O.

use super::{code_search::Hit, mention::Lines, words::Word};
use bc_core::context_pack::PackSymbol;
use bc_symbols::Symbol;

/// The maximum number of lines in a definition that is shown in full. For a longer definition, only the lines
/// around the matches are shown.
const WHOLE: u32 = 80;
/// The number of lines shown before and after a match outside a definition. In a long definition, twice as
/// many are shown after a match.
const AROUND: u32 = 6;
/// The maximum number of lines shown from a file, unless a single part is longer.
const TOTAL: u32 = 160;
/// The weight of a definition whose name contains a word, relative to the file's heaviest matching line.
const DEFINES: f64 = 4.0;

/// The relevant lines of a file, and the definitions whose names contain words.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Relevant {
    pub(super) lines: Vec<Lines>,
    pub(super) defined: Vec<PackSymbol>,
}

pub(super) fn relevant(hit: &Hit, path: &str, symbols: &[Symbol], words: &[Word]) -> Relevant {
    let named: Vec<&Symbol> = symbols.iter().filter(|symbol| is_named(symbol, words)).collect();
    let mut parts: Vec<(Lines, f64)> = Vec::new();
    let mut add = |lines: Lines, weight: f64| match parts.iter_mut().find(|(known, _)| *known == lines) {
        Some((_, sum)) => *sum += weight,
        None => parts.push((lines, weight)),
    };
    for &(line, weight) in &hit.lines {
        add(around(line, symbols), weight);
    }
    let most = hit.lines.iter().map(|line| line.1).fold(1.0, f64::max);
    for symbol in &named {
        add(part(symbol, symbol.line), most * DEFINES);
    }
    parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.first.cmp(&b.0.first)));
    let (mut lines, mut total) = (Vec::new(), 0);
    for (part, _) in parts {
        let length = part.last - part.first + 1;
        if total > 0 && total + length > TOTAL {
            continue;
        }
        total += length;
        lines.push(part);
    }
    let defined = named.into_iter().map(|symbol| PackSymbol {
        name: symbol.name.clone(),
        kind: symbol.kind.to_owned(),
        file_path: path.to_owned(),
        line: symbol.line,
        signature: Some(symbol.signature.clone()),
        documentation: None,
    });
    Relevant { lines, defined: defined.collect() }
}

/// Whether a definition's name is one of the words, or contains a long word.
fn is_named(symbol: &Symbol, words: &[Word]) -> bool {
    let name = symbol.name.to_lowercase();
    words
        .iter()
        .any(|word| name == word.text || (word.text.chars().count() >= 5 && name.contains(&word.text)))
}

/// The smallest definition around a line, or a part of it if the definition is long. Outside definitions, the
/// surrounding lines.
fn around(line: u32, symbols: &[Symbol]) -> Lines {
    let inside = symbols.iter().filter(|symbol| (symbol.first..=symbol.last).contains(&line));
    match inside.min_by_key(|symbol| symbol.last - symbol.first) {
        Some(symbol) => part(symbol, line),
        None => Lines { first: line.saturating_sub(AROUND).max(1), last: line.saturating_add(AROUND) },
    }
}

fn part(symbol: &Symbol, line: u32) -> Lines {
    match symbol.last - symbol.first < WHOLE {
        // Include the lines above the definition, which are usually its comment.
        true => Lines { first: symbol.first.saturating_sub(3).max(1), last: symbol.last },
        false => Lines {
            first: line.saturating_sub(AROUND).max(symbol.first),
            last: line.saturating_add(2 * AROUND).min(symbol.last),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, first: u32, last: u32) -> Symbol {
        Symbol { name: name.into(), kind: "fn", line: first, first, last, signature: format!("fn {name}()") }
    }

    fn lines(hits: &[u32], symbols: &[Symbol], words: &[&str]) -> (Vec<(u32, u32)>, Vec<String>) {
        let hit = Hit {
            path: "a.rs".into(),
            score: 1.0,
            words: vec![],
            lines: hits.iter().map(|line| (*line, 1.0)).collect(),
        };
        let words: Vec<Word> = words.iter().map(|text| Word { text: (*text).into(), weight: 1.0 }).collect();
        let found = relevant(&hit, "a.rs", symbols, &words);
        let parts = found.lines.iter().map(|lines| (lines.first, lines.last)).collect();
        (parts, found.defined.into_iter().map(|symbol| symbol.name).collect())
    }

    #[test]
    fn a_match_selects_its_smallest_definition_and_a_named_definition_comes_first() {
        let symbols = [symbol("Draft", 10, 60), symbol("flush", 20, 30), symbol("keep", 40, 50)];
        assert_eq!(lines(&[25, 26], &symbols, &["x"]), (vec![(17, 30)], vec![]));
        assert_eq!(lines(&[25], &symbols, &["keep"]), (vec![(37, 50), (17, 30)], vec!["keep".to_owned()]));
        assert_eq!(lines(&[3], &symbols, &[]), (vec![(1, 9)], vec![]));
    }

    #[test]
    fn a_long_definition_is_shown_around_the_match_and_the_total_is_limited() {
        assert_eq!(lines(&[500], &[symbol("long", 100, 900)], &[]).0, [(494, 512)]);
        let many: Vec<u32> = (1..=100).map(|n| n * 50).collect();
        let (parts, _) = lines(&many, &[], &[]);
        assert!(parts.iter().map(|part| part.1 - part.0 + 1).sum::<u32>() <= TOTAL);
    }
}
