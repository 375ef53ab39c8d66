//! The frontmatter (the lines between `---`) of claude's Markdown files: agents, commands, skills.

/// Splits a file's text into the frontmatter, if present, and the rest.
pub(crate) fn split(text: &str) -> (Option<&str>, &str) {
    let Some(after) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return (None, text);
    };
    let mut at = 0;
    for line in after.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (Some(&after[..at]), &after[at + line.len()..]);
        }
        at += line.len();
    }
    (None, text)
}

/// The value of a top-level `key: value`, unquoted. Block scalars (`|`, `>`) are joined into one line. `None`
/// if the value is missing or empty.
pub(crate) fn value(front: &str, key: &str) -> Option<String> {
    let mut lines = front.lines();
    let first = lines.by_ref().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
    let indented = lines.take_while(|line| line.starts_with([' ', '\t']) || line.is_empty());
    let text = match first.trim_start_matches(['|', '>']).trim_matches(['-', '+']) {
        "" => indented.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "),
        _ => first.to_owned(),
    };
    let unquoted = ['"', '\''].iter().find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q));
    let text = bc_core::text::one_line(unquoted.unwrap_or(&text));
    (!text.is_empty()).then_some(text)
}
