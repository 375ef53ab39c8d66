//! Content blocks as text: a message's text and a tool's result.

use super::entry::{Object, object, text};
use serde_json_borrow::Value;

/// The text of a message's content, which is a string or a list of blocks. Images, documents and unknown
/// blocks are described in brackets.
pub(super) fn content_text(content: &Value<'_>) -> String {
    match content {
        Value::Str(text) => text.to_string(),
        Value::Array(blocks) => blocks.iter().filter_map(block_text).collect::<Vec<_>>().join("\n\n"),
        Value::Null => String::new(),
        Value::Object(_) => block_text(content).unwrap_or_else(|| content.to_string()),
        other => other.to_string(),
    }
}

/// One block as text; `None` for blocks that are not part of the text, such as thinking and tool calls.
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
        kind @ ("image" | "document") => Some(described(kind, block)),
        "tool_reference" => Some(format!("[tool {}]", text(block, "tool_name").unwrap_or("?"))),
        "web_search_result" | "web_fetch_result" => Some(page(block)),
        kind if kind.ends_with("_tool_result_error") => {
            Some(format!("Failed: {}", text(block, "error_code").unwrap_or("no reason given")))
        }
        "search_result" => Some(format!("[search result {}]", text(block, "source").unwrap_or("?"))),
        kind => Some(format!("[{kind}]")),
    }
}

/// A web page from a search or a fetch: its title, address and age.
fn page(block: &Object<'_>) -> String {
    let title = text(block, "title").or_else(|| text(object(block, "content")?, "title"));
    let parts = [title, text(block, "url"), text(block, "page_age")];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// A description of a block instead of its bytes: `[image: image/png, 12 KB]`.
fn described(what: &str, block: &Object<'_>) -> String {
    let source = object(block, "source");
    let media = source.and_then(|s| text(s, "media_type")).unwrap_or("unknown type");
    match source.and_then(|s| text(s, "data")).map(|data| data.len() / 4 * 3) {
        Some(bytes) => format!("[{what}: {media}, {} KB]", bytes.div_ceil(1024)),
        None => format!("[{what}: {media}]"),
    }
}

/// The text between the first `<tag>` and `</tag>`.
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
    fn a_content_is_its_texts_and_the_names_of_other_blocks() {
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
    fn a_page_is_its_title_and_address_and_a_failed_search_its_reason() {
        let found = json!([{"type":"web_search_result","title":"A","url":"https://a.example/","encrypted_content":"x"},
            {"type":"web_search_result","url":"https://b.example/"}]);
        assert_eq!(content_text(&Value::from(&found)), "A\nhttps://a.example/\n\nhttps://b.example/");
        let failed = json!({"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"});
        assert_eq!(content_text(&Value::from(&failed)), "Failed: max_uses_exceeded");
    }

    #[test]
    fn an_unclosed_tag_is_ignored() {
        assert_eq!(tagged("<a>x</a>", "a"), Some("x"));
        assert_eq!(tagged("<a>x", "a"), None);
        assert_eq!(tagged("</a><a>x", "a"), None);
    }
}
