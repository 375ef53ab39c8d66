//! Splits Rust text into tokens: words, `::`, string literals and single characters. Comments and character
//! literals are omitted.

pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, kept) = next(rest, first);
        let (token, after) = rest.split_at(length);
        tokens.extend(kept.then_some(token));
        rest = after;
    }
    tokens
}

/// Returns the length of the first token of the text, and whether the token is kept.
fn next(text: &str, first: char) -> (usize, bool) {
    if first.is_whitespace() {
        (first.len_utf8(), false)
    } else if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), false)
    } else if text.starts_with("/*") {
        (block_comment(text), false)
    } else if let Some(length) = string(text) {
        (length, true)
    } else if first.is_alphanumeric() || first == '_' {
        (text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len()), true)
    } else if text.starts_with("::") {
        (2, true)
    } else if first == '\'' {
        (character(text), false)
    } else {
        (first.len_utf8(), true)
    }
}

/// Returns the length of a block comment at the start of the text. Block comments can be nested.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length of a string literal of any kind at the start of the text.
fn string(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    let (kind, rest) = text.split_at(prefix);
    if !["", "b", "c", "r", "br", "cr"].contains(&kind) {
        return None;
    }
    if kind.ends_with('r') {
        let hashes = rest.find(|c| c != '#')?;
        let body = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text.len() - body.len() + body.find(&end)? + end.len());
    }
    let body = rest.strip_prefix('"')?;
    let mut escaped = false;
    let end = body.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some(prefix + 1 + end + 1)
}

/// Returns the length of a character literal, or of a lifetime's quote.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    let (_, first) = characters.next().unwrap_or((0, '\''));
    if first == '\\' {
        return text[3..].find('\'').map_or(text.len(), |end| end + 4);
    }
    match characters.next() {
        Some((at, '\'')) => at + 1,
        _ => 1,
    }
}
