//! Makes untrusted text harmless inside a Markdown document.

use crate::text::{one_line, plain};
use pulldown_cmark::{Event, Parser, Tag};

/// The maximum number of passes. After the start of an HTML block is escaped, the text after it can contain
/// other HTML.
const ROUNDS: usize = 8;

/// Puts the text on one line and escapes all markup.
pub(super) fn escaped(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '!' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Formats the text as inline code on one line.
pub(crate) fn code(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&line, '`') + 1);
    // A space separates backticks at the ends; CommonMark strips one on each side.
    let pad = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{line}{pad}{ticks}")
}

/// Encloses the text in a fence longer than any fence in it.
pub(super) fn fenced_as(language: &str, text: &str) -> String {
    let text = plain(text);
    let fence = "`".repeat((longest_run(&text, '`') + 1).max(3));
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

/// Formats Markdown as a block quote. Constructs that are still open end with the quote; raw HTML and
/// dangerous links become text. Code stays unchanged.
pub(super) fn quoted(markdown: &str) -> String {
    let text = plain(markdown);
    let lines = text.trim_matches('\n').lines();
    let mut quote: String = lines
        .map(|line| if line.trim().is_empty() { ">".to_owned() } else { format!("> {line}") })
        .collect::<Vec<_>>()
        .join("\n");
    for _ in 0..ROUNDS {
        let starts = escapes(&quote);
        if starts.is_empty() {
            return quote;
        }
        for at in starts.into_iter().rev() {
            quote.insert(at, '\\');
        }
    }
    quote.replace("\\<", "<").replace('<', "\\<")
}

/// The positions at which a backslash turns raw HTML, dangerous links and images, and reference definitions
/// into text. A definition would turn other text in the document into links.
pub(super) fn escapes(markdown: &str) -> Vec<usize> {
    let parser = Parser::new(markdown);
    let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.start);
    let mut starts: Vec<usize> = definitions.collect();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {
                let html = &markdown[range.clone()];
                starts.extend(html.match_indices('<').map(|(at, _)| range.start + at));
            }
            Event::Start(Tag::Link { dest_url, .. }) if !is_safe_address(&dest_url) => {
                starts.push(range.start)
            }
            Event::Start(Tag::Image { dest_url, .. }) if !is_safe_address(&dest_url) => {
                starts.extend([range.start, range.start + 1]);
            }
            _ => {}
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Whether a link to this address is safe: http, https, mail, or an address without a scheme.
pub(super) fn is_safe_address(address: &str) -> bool {
    let scheme = address.split(['/', '?', '#']).next().unwrap_or_default();
    match scheme.split_once(':') {
        Some((scheme, _)) => ["http", "https", "mailto"].iter().any(|safe| scheme.eq_ignore_ascii_case(safe)),
        // A path, or a mail address in an autolink such as `<a@b.example>`.
        None => !address.contains(|c: char| c.is_control()),
    }
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn html_is_escaped_and_code_unchanged() {
        for (input, expect) in [
            ("a <b>bold</b> word", "> a \\<b>bold\\</b> word"),
            ("`Vec<u8>` and a < b", "> `Vec<u8>` and a < b"),
            ("```rust\nVec<u8>\n```", "> ```rust\n> Vec<u8>\n> ```"),
            ("<!-- open", "> \\<!-- open"),
            ("</blockquote>\n\n# Not ours", "> \\</blockquote>\n>\n> # Not ours"),
            ("\t<h1>x</h1>", "> \t\\<h1>x\\</h1>"),
            ("    <h1>code</h1>", ">     <h1>code</h1>"),
            ("<https://example.org>", "> <https://example.org>"),
        ] {
            assert_eq!(quoted(input), expect, "{input:?}");
        }
    }

    #[test]
    fn addresses_that_could_run_something_are_not_safe() {
        for safe in
            ["https://a.example/x:y", "HTTP://a", "mailto:a@b", "src/a.rs#L3", "#x", "/a:b", "a@b.example"]
        {
            assert!(is_safe_address(safe), "{safe}");
        }
        for dangerous in
            ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd"]
        {
            assert!(!is_safe_address(dangerous), "{dangerous}");
        }
        assert_eq!(quoted("[x](javascript:y)"), "> \\[x](javascript:y)");
    }

    #[test]
    fn a_fence_is_longer_than_any_fence_in_its_content() {
        assert_eq!(fenced_as("text", "x\n"), "```text\nx\n```");
        assert_eq!(fenced_as("text", "a ```` b"), "`````text\na ```` b\n`````");
    }

    #[test]
    fn inline_code_keeps_its_backticks() {
        assert_eq!(code("feat/a_b"), "`feat/a_b`");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(code("a\nb"), "`a b`");
    }

    proptest! {
        #[test]
        fn a_quote_is_escaped_and_stays_one_quote(text in "([ -~]|\n|\t|`{3}|<!--|<div>|</p>|ä){0,60}") {
            let quote = quoted(&text);
            prop_assert_eq!(escapes(&quote), Vec::<usize>::new(), "{:?}", quote);
            prop_assert!(quote.lines().all(|line| line.starts_with('>')));
        }

        #[test]
        fn an_escaped_line_renders_as_the_original(text in "[ -~ä]{1,40}") {
            let mut read = String::new();
            for event in Parser::new(&format!("x {} x", escaped(&text))) {
                match event {
                    Event::Text(part) => read.push_str(&part),
                    Event::Start(tag) => prop_assert_eq!(tag, pulldown_cmark::Tag::Paragraph),
                    Event::End(_) => {}
                    other => prop_assert!(false, "{:?}", other),
                }
            }
            // A viewer shows a run of spaces as one.
            prop_assert_eq!(one_line(&read), one_line(&format!("x {text} x")));
        }
    }
}
