//! Content blocks as text: what a message says and what a tool answered.

use super::entry::{Object, object, text};
use serde_json_borrow::Value;

/// The text of a content that is a string or a list of blocks; other blocks are named, not shown.
pub(super) fn content_text(content: &Value<'_>) -> String {
    match content {
        Value::Str(text) => text.to_string(),
        Value::Array(blocks) => {
            let parts: Vec<String> = blocks.iter().filter_map(block_text).collect();
            parts.join("\n\n")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// One block as text; `None` for those that say nothing to a reader.
pub(super) fn block_text(block: &Value<'_>) -> Option<String> {
    let block = match block {
        Value::Str(text) => return Some(text.to_string()),
        Value::Object(block) => block,
        _ => return None,
    };
    match text(block, "type")? {
        "text" => text(block, "text").map(str::to_owned),
        "thinking" | "redacted_thinking" | "tool_use" | "server_tool_use" | "mcp_tool_use"
        | "tool_result" => None,
        kind if kind.ends_with("_tool_result") => None,
        "image" => Some(described("image", block)),
        "document" => Some(described("document", block)),
        "tool_reference" => Some(format!("[tool {}]", text(block, "tool_name").unwrap_or("?"))),
        "search_result" => Some(format!("[search result {}]", text(block, "source").unwrap_or("?"))),
        kind => Some(format!("[{kind}]")),
    }
}

/// `[image: image/png, 12 KB]` instead of its bytes.
fn described(what: &str, block: &Object<'_>) -> String {
    let source = object(block, "source");
    let media = source.and_then(|s| text(s, "media_type")).unwrap_or("unknown type");
    match source.and_then(|s| text(s, "data")).map(|data| data.len() / 4 * 3) {
        Some(bytes) => format!("[{what}: {media}, {} KB]", bytes.div_ceil(1024)),
        None => format!("[{what}: {media}]"),
    }
}

/// What stands between `<tag>` and `</tag>`, the first time.
pub(super) fn tagged<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let start = text.find(&open)? + open.len();
    let length = text[start..].find(&close)?;
    Some(&text[start..start + length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_content_is_its_texts_and_the_names_of_the_rest() {
        let content = json!([
            {"type":"text","text":"one"},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}},
            {"type":"thinking","thinking":"secret"},
            {"type":"brand_new"},
            {"type":"text","text":"two"},
            17,
        ]);
        assert_eq!(
            content_text(&Value::from(&content)),
            "one\n\n[image: image/png, 1 KB]\n\n[brand_new]\n\ntwo"
        );
    }

    #[test]
    fn a_tag_that_is_not_closed_is_not_there() {
        assert_eq!(tagged("<a>x</a>", "a"), Some("x"));
        assert_eq!(tagged("<a>x", "a"), None);
        assert_eq!(tagged("</a><a>x", "a"), None);
    }
}
