//! An agent's Markdown as part of the document: it keeps its formatting and cannot affect the text after it.

use super::sanitize::{escapes, quoted};
use crate::text::plain;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::ops::Range;

/// The maximum number of passes. An edit can turn the following text into other constructs, which need
/// another pass.
const ROUNDS: usize = 8;
/// The level of the highest heading in an answer.
const TOP: usize = 4;

/// The text with raw HTML, dangerous links and reference definitions escaped, and with headings lowered below
/// the document's own. A text that could still affect the next message is quoted.
pub(super) fn prose(markdown: &str) -> String {
    let text = plain(markdown);
    let text = text.trim_matches('\n').trim_end();
    if is_simple(text) {
        return text.to_owned();
    }
    let mut text = text.to_owned();
    for _ in 0..ROUNDS {
        let Some(edits) = edits(&text) else { return quoted(markdown) };
        if edits.is_empty() {
            return closed(text).unwrap_or_else(|| quoted(markdown));
        }
        for (range, new) in edits.into_iter().rev() {
            text.replace_range(range, &new);
        }
    }
    quoted(markdown)
}

/// Whether the text clearly needs no edit, so that it does not have to be parsed.
fn is_simple(text: &str) -> bool {
    let rule = |line: &str| {
        let line = line.trim();
        !line.is_empty() && line.bytes().all(|byte| matches!(byte, b'-' | b'='))
    };
    !text.bytes().any(|byte| matches!(byte, b'<' | b'#' | b'[' | b'~' | b'\t'))
        && !text.contains("```")
        && !text.lines().any(rule)
}

/// The required edits in order, without overlaps; `None` if the text cannot be edited.
fn edits(text: &str) -> Option<Vec<(Range<usize>, String)>> {
    let mut edits: Vec<(Range<usize>, String)> =
        escapes(text).into_iter().map(|at| (at..at, "\\".to_owned())).collect();
    for (event, range) in Parser::new(text).into_offset_iter() {
        if let Event::Start(Tag::Heading { level, .. }) = event
            && (level as usize) < TOP
        {
            edits.push(lowered(text, range, level as usize)?);
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits.dedup();
    let apart = edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
    // Of nested constructs, this pass edits the outer ones; the next pass edits the rest.
    if !apart {
        let mut end = 0;
        edits.retain(|(range, _)| {
            let fits = range.start >= end;
            end = if fits { range.end.max(range.start + 1) } else { end };
            fits
        });
    }
    Some(edits)
}

/// The edit that lowers a heading below the document's own headings. `None` for an underlined heading whose
/// lines contain block-quote markers.
fn lowered(text: &str, range: Range<usize>, level: usize) -> Option<(Range<usize>, String)> {
    let source = &text[range.clone()];
    let signs = "#".repeat((level + TOP - 1).min(6));
    if source.starts_with('#') {
        return Some((range.start..range.start + level, signs));
    }
    let mut lines: Vec<&str> = source.trim_end().lines().map(str::trim).collect();
    let underline = lines.pop()?;
    let plain_lines = lines.iter().all(|line| !line.starts_with('>'));
    let underlined = !underline.is_empty() && underline.bytes().all(|byte| matches!(byte, b'-' | b'='));
    let end = range.start + source.trim_end().len();
    (underlined && plain_lines).then(|| (range.start..end, format!("{signs} {}", lines.join(" "))))
}

/// Closes an open fence. `None` if the text still leaves a construct open.
fn closed(text: String) -> Option<String> {
    if ends(&text) {
        return Some(text);
    }
    let mut fence = None;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event {
            fence = Some(range.start);
        }
    }
    let open = &text[fence?..];
    let sign = open.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let long = open.chars().take_while(|c| *c == sign).count();
    let text = format!("{text}\n{}", sign.to_string().repeat(long));
    ends(&text).then_some(text)
}

/// Whether the text leaves no construct open, so that a paragraph after it is a paragraph of the document.
fn ends(text: &str) -> bool {
    let start = text.len() + 2;
    let whole = format!("{text}\n\nX");
    let mut depth = 0_usize;
    for (event, range) in Parser::new(&whole).into_offset_iter() {
        match event {
            Event::Start(Tag::Paragraph) if depth == 0 && range.start == start => return true,
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn answers_keep_their_formatting_and_stay_below_our_headings() {
        for (input, expect) in [
            ("Plain *text*\n- and lists", "Plain *text*\n- and lists"),
            ("# Done\n\ntext", "#### Done\n\ntext"),
            ("### Deep\n\n##### Deeper", "###### Deep\n\n##### Deeper"),
            ("Title\n=====\n\nNext\n---", "#### Title\n\n##### Next"),
            ("a <b>bold</b>", "a \\<b>bold\\</b>"),
            ("`Vec<u8>`", "`Vec<u8>`"),
            ("```rust\nlet x;", "```rust\nlet x;\n```"),
            ("~~~~\n```", "~~~~\n```\n~~~~"),
            ("[x](javascript:alert(1))", "\\[x](javascript:alert(1))"),
            ("[a](https://a.example) [b](src/b.rs)", "[a](https://a.example) [b](src/b.rs)"),
            ("[x]: https://a.example\n\n[x]", "\\[x]: https://a.example\n\n[x]"),
        ] {
            assert_eq!(prose(input), expect, "{input:?}");
        }
    }

    proptest! {
        #[test]
        fn prose_always_ends_and_has_no_html(
            text in "([ -~]|\n|\t|`{3,4}|~~~|<!--|<div>|</p>|# |---|===|> |- |\\[x\\]: y|ä){0,60}",
        ) {
            let prose = prose(&text);
            prop_assert!(prose.trim().is_empty() || ends(&prose), "{:?}", prose);
            for event in Parser::new(&prose) {
                match event {
                    Event::Html(_) | Event::InlineHtml(_) => prop_assert!(false, "{:?}", prose),
                    Event::Start(Tag::Link { dest_url, .. }) => {
                        prop_assert!(crate::export::sanitize::is_safe_address(&dest_url));
                    }
                    _ => {}
                }
            }
        }
    }
}
