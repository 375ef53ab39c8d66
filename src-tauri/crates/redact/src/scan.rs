//! Finds the positions of secrets in a string.

use crate::rules::{self, Allowed, Rule, Target};
use std::ops::Range;

/// Rules that recognize a secret by the name before it, not by its own form.
const GENERAL: [&str; 2] = ["generic-api-key", "assigned-secret"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    /// The secret's range in bytes, on character boundaries.
    pub(crate) range: Range<usize>,
    /// The id of the rule that found the secret.
    pub(crate) rule: &'static str,
}

/// The text's secrets, in order. Overlapping matches are combined.
pub(crate) fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    // Most strings contain no rule's keyword, so no expression is tried on them.
    for number in rules::candidates(text) {
        by_rule(&rules::RULES[number], text, &mut found);
    }
    found.sort_by_key(|secret: &Secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    let mut apart: Vec<Secret> = Vec::new();
    for secret in found {
        match apart.last_mut() {
            Some(last) if secret.range.start < last.range.end => {
                last.range.end = last.range.end.max(secret.range.end);
                // A rule for a specific kind of secret takes precedence over a general one.
                if GENERAL.contains(&last.rule) {
                    last.rule = secret.rule;
                }
            }
            _ => apart.push(secret),
        }
    }
    apart
}

fn by_rule(rule: &Rule, text: &str, found: &mut Vec<Secret>) {
    for captures in rule.expression.get().captures_iter(text.as_bytes()) {
        let whole = captures.get(0).expect("a match has a whole");
        let secret = match rule.group {
            Some(number) => captures.get(number),
            None => captures.iter().skip(1).flatten().find(|group| !group.is_empty()),
        };
        let secret = secret.unwrap_or(whole);
        if rule.entropy.is_some_and(|least| entropy(secret.as_bytes()) <= least) {
            continue;
        }
        let line = || line_around(text.as_bytes(), whole.range());
        let passes = |allowed: &Allowed| match allowed.target {
            Target::Secret => allowed.passes(secret.as_bytes(), secret.as_bytes()),
            Target::Match => allowed.passes(whole.as_bytes(), secret.as_bytes()),
            Target::Line => allowed.passes(line(), secret.as_bytes()),
        };
        if passes(&rules::EVERYWHERE) || rule.allowed.iter().any(passes) {
            continue;
        }
        found.push(Secret { range: whole_characters(text, secret.range()), rule: rule.id });
    }
}

fn line_around(text: &[u8], range: Range<usize>) -> &[u8] {
    let start = text[..range.start].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let end = text[range.end..].iter().position(|b| *b == b'\n').map_or(text.len(), |at| range.end + at);
    &text[start..end]
}

/// Extends a match to whole characters. Expressions match bytes, so a match can begin or end inside a
/// character.
fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let start = (0..=range.start).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let end = (range.end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    start..end
}

/// Shannon entropy, in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    bytes.iter().for_each(|b| counts[usize::from(*b)] += 1);
    #[allow(clippy::cast_precision_loss)]
    let share = |count: u32| f64::from(count) / bytes.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| -share(*count) * share(*count).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_matches_shannons_definition() {
        assert_eq!(entropy(b"aaaa"), 0.0);
        assert_eq!(entropy(b"abab"), 1.0);
        assert_eq!(entropy(b"abcd"), 2.0);
    }

    #[test]
    fn every_rule_can_be_compiled() {
        assert!(rules::RULES.len() > 220, "only {}", rules::RULES.len());
        for rule in rules::RULES.iter() {
            rule.expression.get();
            rule.allowed.iter().for_each(Allowed::compile_all);
        }
        rules::EVERYWHERE.compile_all();
    }
}
