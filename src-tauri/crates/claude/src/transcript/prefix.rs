//! Copies the part of a transcript before a prompt into a new conversation, so that claude can continue from
//! that point.
//!
//! The caller writes the new file. Claude's own `/branch` copies a conversation in the same way. Each copied
//! message names its origin in `forkedFrom`, so its tokens are not counted again. The cost so far is counted
//! only for the old conversation.

use bc_core::{Timestamp, ids::ConversationId, text::one_line};
use serde_json::{Value, json};
use std::{fs, io, io::Read, path::Path};

/// The maximum size of a transcript, in bytes.
const READ_MAX: u64 = 512 << 20;

/// The maximum number of characters of [`PromptMark::words`] that are searched for in a prompt.
const COMPARED: usize = 60;

/// The facts by which a prompt is found in a transcript.
#[derive(Debug, Clone)]
pub struct PromptMark {
    /// Claude's id of the prompt. A queued prompt may have the id of the previous prompt.
    pub id: Option<String>,
    /// When claude called the prompt's hook.
    pub at: Timestamp,
    /// The beginning of the prompt's text, possibly with `…` at the end.
    pub words: String,
}

/// The lines before a prompt, rewritten for the conversation `new`. `None` if the prompt is not found or no
/// other prompt precedes it. Fails if the file cannot be read or is larger than 512 MiB.
pub fn before_prompt(path: &Path, mark: &PromptMark, new: ConversationId) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(READ_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > READ_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the transcript is too large"));
    }
    let Some(end) = place_of(&bytes, mark) else { return Ok(None) };
    let lines = bytes[..end].split_inclusive(|&byte| byte == b'\n');
    let mut prefix = Vec::with_capacity(end);
    let mut has_prompt = false;
    for line in lines {
        let Ok(Value::Object(mut line)) = serde_json::from_slice::<Value>(line) else { continue };
        if line.get("type").and_then(Value::as_str) == Some("cost-state") {
            continue;
        }
        has_prompt |= prompt_text(&line).is_some();
        if let Some(id) = line.get_mut("sessionId") {
            let old = std::mem::replace(id, Value::String(new.to_string()));
            if let Some(uuid) = line.get("uuid").cloned() {
                line.insert("forkedFrom".to_owned(), json!({"sessionId": old, "messageUuid": uuid}));
            }
        }
        serde_json::to_writer(&mut prefix, &line)?;
        prefix.push(b'\n');
    }
    Ok(has_prompt.then_some(prefix))
}

/// The offset of the line with the prompt.
fn place_of(bytes: &[u8], mark: &PromptMark) -> Option<usize> {
    let words = mark.words.trim_end_matches('…').chars().take(COMPARED).collect::<String>();
    let mut best: Option<(bool, i64, usize)> = None;
    let mut by_id = None;
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let at = start;
        start += line.len();
        let Ok(Value::Object(line)) = serde_json::from_slice::<Value>(line) else { continue };
        let Some(text) = prompt_text(&line) else { continue };
        let same_id = mark.id.is_some() && line.get("promptId").and_then(Value::as_str) == mark.id.as_deref();
        by_id = by_id.or(same_id.then_some(at));
        if !one_line(&text).contains(&words) {
            continue;
        }
        let time = line.get("timestamp").and_then(Value::as_str);
        let time = time.and_then(|time| Timestamp::parse_from_rfc3339(time).ok());
        let distance = time.map_or(i64::MAX, |time| (time - mark.at).num_milliseconds().abs());
        let candidate = (!same_id, distance, at);
        best = Some(best.map_or(candidate, |best| best.min(candidate)));
    }
    best.map(|(_, _, at)| at).or(by_id)
}

/// The text of a prompt; `None` if the line is not a prompt of the main conversation.
fn prompt_text(line: &serde_json::Map<String, Value>) -> Option<String> {
    let is_set = |name: &str| line.get(name).and_then(Value::as_bool) == Some(true);
    if line.get("type").and_then(Value::as_str) != Some("user") || is_set("isSidechain") || is_set("isMeta") {
        return None;
    }
    match line.get("message")?.get("content")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts =
                blocks.iter().filter(|block| block.get("type").and_then(Value::as_str) == Some("text"));
            let texts: Vec<&str> = texts.filter_map(|block| block.get("text")?.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "0daaf6e6-ef3d-4e67-a465-c1bcbce782fa";

    fn user(text: &str, id: &str, second: u32) -> Value {
        json!({"type": "user", "sessionId": "old", "promptId": id, "message": {"content": text},
            "timestamp": format!("2026-01-19T10:00:{second:02}Z")})
    }

    fn lines() -> Vec<Value> {
        vec![
            json!({"type": "mode", "sessionId": "old"}),
            user("first", "p1", 1),
            json!({"type": "assistant", "sessionId": "old", "uuid": "a1",
                "message": {"content": [{"type": "text", "text": "x"}]}}),
            json!({"type": "cost-state", "sessionId": "old", "totalCostUSD": 0.5}),
            json!({"type": "user", "promptId": "p1", "message": {"content": [{"type": "tool_result"}]}}),
            user("again", "p2", 10),
            user("again", "p3", 20),
            // A queued prompt. Its hook had the id of the previous prompt.
            json!({"type": "user", "promptId": "p4", "timestamp": "2026-01-19T10:00:30Z",
                "message": {"content": [{"type": "text", "text": "queued\nlines"}]}}),
        ]
    }

    fn prefix(id: Option<&str>, second: u32, words: &str) -> Option<Vec<Value>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines().iter().map(|line| format!("{line}\n")).collect();
        io::Write::write_all(&mut file.as_file(), text.as_bytes()).unwrap();
        let at = Timestamp::parse_from_rfc3339(&format!("2026-01-19T10:00:{second:02}Z")).unwrap();
        let mark = PromptMark { id: id.map(str::to_owned), at, words: words.to_owned() };
        let bytes = before_prompt(file.path(), &mark, NEW.parse().unwrap()).unwrap()?;
        Some(bytes.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    #[test]
    fn a_prefix_ends_before_the_prompt_and_has_the_new_id() {
        let found = prefix(Some("p3"), 20, "again").unwrap();
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|line| line.get("sessionId").is_none_or(|id| id == NEW)));
        assert_eq!(found[4]["message"]["content"], "again");
    }

    #[test]
    fn copied_lines_name_their_origin_and_the_cost_stays_with_the_old_conversation() {
        let found = prefix(Some("p3"), 20, "again").unwrap();
        assert_eq!(found[2]["forkedFrom"], json!({"sessionId": "old", "messageUuid": "a1"}));
        assert!(found.iter().all(|line| line["type"] != "cost-state"), "{found:?}");
    }

    #[test]
    fn a_prompt_is_found_by_its_id_its_words_and_its_time() {
        assert_eq!(prefix(Some("p2"), 59, "again").unwrap().len(), 4, "by its id");
        assert_eq!(prefix(None, 19, "again").unwrap().len(), 5, "by its time");
        assert_eq!(prefix(Some("p3"), 30, "queued lines").unwrap().len(), 6, "by its words");
        assert_eq!(prefix(Some("p2"), 10, "edited by a hook").unwrap().len(), 4, "by its id alone");
    }

    #[test]
    fn nothing_precedes_the_first_prompt_and_an_unknown_one_is_not_found() {
        assert_eq!(prefix(Some("p1"), 1, "first"), None);
        assert_eq!(prefix(None, 1, "unknown"), None);
    }
}
