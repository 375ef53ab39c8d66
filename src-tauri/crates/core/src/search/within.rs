//! Searches one conversation as a browser searches a page: a literal, case-insensitive match in messages and
//! in the names, inputs and outputs of their tools.

use super::{Hit, Piece};
use crate::message::{Message, ToolCall};

/// The numbers of characters shown before and after a match.
const BEFORE: usize = 40;
const AFTER: usize = 100;

/// The matches in a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Within {
    /// The positions of all matching messages, from 0, in order.
    pub places: Vec<u32>,
    /// Some of the matching messages, each with the text around its first match.
    pub hits: Vec<Hit>,
}

/// Searches for the trimmed text; an empty string matches nothing. The hits skip `skip` matching messages and
/// are at most `limit`.
pub fn within(messages: &[Message], text: &str, skip: usize, limit: usize) -> Within {
    let wanted = lower(text.trim());
    let mut found = Within::default();
    if wanted.is_empty() {
        return found;
    }
    for (place, message) in (0..).zip(messages) {
        let Some((tool, text)) = first(message, &wanted) else { continue };
        if found.places.len() >= skip && found.hits.len() < limit {
            found.hits.push(Hit {
                message: Some(message.id.clone()),
                place: Some(place),
                role: Some(message.role),
                at: message.timestamp,
                tool: tool.map(|call| call.tool.clone()),
                snippet: pieces(text, &wanted),
            });
        }
        found.places.push(place);
    }
    found
}

/// The first matching text of the message, with its tool, if any.
fn first<'a>(message: &'a Message, wanted: &str) -> Option<(Option<&'a ToolCall>, &'a str)> {
    let has = |text: &&str| lower(text).contains(wanted);
    if has(&message.content.as_str()) {
        return Some((None, &message.content));
    }
    message.tool_calls.iter().flatten().find_map(|call| {
        let mut texts = Vec::new();
        call.input.values().for_each(|value| strings(value, &mut texts));
        texts.extend(call.output.as_deref());
        texts.push(&call.tool);
        Some((Some(call), texts.into_iter().find(has)?))
    })
}

fn strings<'a>(value: &'a serde_json::Value, into: &mut Vec<&'a str>) {
    match value {
        serde_json::Value::String(text) => into.push(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| strings(value, into)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| strings(value, into)),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// Converts to lower case character by character, so that positions can be mapped back to the text.
fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The text around the first match.
fn pieces(text: &str, wanted: &str) -> Vec<Piece> {
    let lowered = lower(text);
    let Some(at) = lowered.find(wanted) else { return Vec::new() };
    let (start, end) = (original(text, at).0, original(text, at + wanted.len()).1);
    let from = text[..start].char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let to = text[end..].char_indices().nth(AFTER).map_or(text.len(), |(at, _)| end + at);
    let piece = |text: &str, found| Piece { text: text.to_owned(), found };
    let mut pieces =
        vec![piece(&text[from..start], false), piece(&text[start..end], true), piece(&text[end..to], false)];
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// Maps a position in the lower-cased text to the original. A position inside a character maps to the
/// positions before and after that character.
fn original(text: &str, lowered: usize) -> (usize, usize) {
    let mut before = 0;
    for (at, c) in text.char_indices() {
        let next = before + c.to_lowercase().map(char::len_utf8).sum::<usize>();
        if lowered == before {
            return (at, at);
        }
        if lowered < next {
            return (at, at + c.len_utf8());
        }
        before = next;
    }
    (text.len(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Role;
    use proptest::prelude::*;
    use serde_json::json;

    fn messages_of(texts: &[&str]) -> Vec<Message> {
        let at = chrono::DateTime::UNIX_EPOCH.fixed_offset();
        (0..).zip(texts).map(|(n, text)| Message::new(format!("m{n}"), Role::User, *text, at)).collect()
    }

    fn shown(hit: &Hit) -> String {
        hit.snippet.iter().map(|p| if p.found { format!("[{}]", p.text) } else { p.text.clone() }).collect()
    }

    #[test]
    fn literal_text_is_found_in_any_case() {
        let messages =
            messages_of(&["a.*b [x] 50%", "Größe", "אבג שלום", "nothing", "İstanbul, x", "stderr"]);
        let found = |text: &str| within(&messages, text, 0, 9);
        for (text, place, snippet) in [
            (".*B", 0, "a[.*b] [x] 50%"),
            ("[x]", 0, "a.*b [[x]] 50%"),
            ("GRÖSSE", 9, ""),
            ("GRÖ", 1, "[Grö]ße"),
            ("שלום", 2, "אבג [שלום]"),
            (", X", 4, "İstanbul[, x]"),
            (" derr ", 5, "st[derr]"),
        ] {
            let found = found(text);
            let expected: &[u32] = if place == 9 { &[] } else { &[place] };
            assert_eq!(found.places, expected, "{text}");
            assert_eq!(found.hits.first().map(shown).unwrap_or_default(), snippet, "{text}");
        }
        assert_eq!(found("  "), Within::default());
        assert_eq!(found(&"x".repeat(10_000)), Within::default());
    }

    #[test]
    fn tool_input_and_output_are_found_and_named() {
        let mut messages = messages_of(&["one", "two"]);
        let call =
            json!({"tool": "Edit", "input": {"edits": [{"new": "let deep = 1;"}]}, "output": "Done.\nAll"});
        messages[1].tool_calls = Some(vec![serde_json::from_value(call).unwrap()]);
        for (text, snippet) in
            [("deep", "let [deep] = 1;"), ("done.\nall", "[Done.\nAll]"), ("edit", "[Edit]")]
        {
            let found = within(&messages, text, 0, 9);
            assert_eq!((found.places.as_slice(), found.hits[0].tool.as_deref()), (&[1][..], Some("Edit")));
            assert_eq!(shown(&found.hits[0]), snippet);
        }
    }

    #[test]
    fn all_matches_are_counted_and_some_are_shown() {
        let texts: Vec<String> =
            (0..10).map(|n| format!("{}word{}", "x".repeat(100), "y".repeat(n * 50))).collect();
        let messages = messages_of(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let found = within(&messages, "word", 3, 2);
        assert_eq!(found.places, (0..10).collect::<Vec<_>>());
        assert_eq!(found.hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), [Some(3), Some(4)]);
        assert_eq!(shown(&found.hits[0]), format!("{}[word]{}", "x".repeat(40), "y".repeat(100)));
    }

    proptest! {
        #[test]
        fn snippets_are_part_of_the_text(text in "\\PC{0,60}", from in 0usize..60, len in 1usize..9) {
            let wanted: String = text.chars().skip(from).take(len).collect();
            let found = within(&messages_of(&[&text]), &wanted, 0, 9);
            if wanted.trim().is_empty() {
                prop_assert!(found.places.is_empty());
            } else {
                prop_assert_eq!(&found.places, &[0]);
                let pieces = &found.hits[0].snippet;
                let whole: String = pieces.iter().map(|p| p.text.as_str()).collect();
                prop_assert!(text.contains(&whole));
                prop_assert_eq!(pieces.iter().filter(|p| p.found).count(), 1);
            }
        }
    }
}
