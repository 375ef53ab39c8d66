//! Removes the tags with an id that claude puts around long or multi-line pastes in a prompt.

use std::borrow::Cow;

const OPENING: &str = "<pasted_content id=\"";

/// The text as the user pasted it, without claude's tags. Other tags are kept.
pub fn as_pasted(text: &str) -> Cow<'_, str> {
    let Some((before, inside, after)) = split(text) else { return Cow::Borrowed(text) };
    let after = as_pasted(after);
    let parts = [before.trim_end_matches('\n'), inside, after.trim_start_matches('\n')];
    Cow::Owned(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
}

/// The text before, between and after the first pair of tags.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(OPENING)?;
    let (id, rest) = rest.split_once("\">\n")?;
    let closing = format!("\n</pasted_content id=\"{id}\">");
    let (inside, after) = rest.split_once(closing.as_str())?;
    Some((before, inside, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(as_pasted(text), expect);
    }

    #[test]
    fn paste_tags_are_removed() {
        check("\n\n<pasted_content id=\"246d\">\none\n\ntwo\n</pasted_content id=\"246d\">\n", "one\n\ntwo");
        check(
            "See\n<pasted_content id=\"1\">\na\n</pasted_content id=\"1\">\nand\n<pasted_content id=\"2\">\nb\n</pasted_content id=\"2\">\n.",
            "See\na\nand\nb\n.",
        );
    }

    #[test]
    fn similar_text_is_kept() {
        check("plain\n", "plain\n");
        check(
            "about <pasted_content id=\"1\">\nwithout an end",
            "about <pasted_content id=\"1\">\nwithout an end",
        );
        check(
            "<pasted_content id=\"1\">\na\n</pasted_content id=\"2\">",
            "<pasted_content id=\"1\">\na\n</pasted_content id=\"2\">",
        );
    }
}
