//! Shortens the long text of a message for a view, because a browser parses and draws megabytes in one task.
//!
//! Only the copy for the view is shortened; the session's file keeps the whole message.

use super::Message;
use crate::Extra;
use serde_json::Value;

/// The maximum length of each string of a message in a view, in bytes.
pub const VIEW_TEXT_MAX: usize = 64 << 10;
/// The total size above which the text of a page of messages is shortened further, in bytes.
pub const VIEW_PAGE_MAX: usize = 2 << 20;
/// The minimum length to which the strings on a page are shortened, in bytes.
const VIEW_TEXT_MIN: usize = 4 << 10;
/// The maximum total size of a message's strings, as a multiple of the maximum length of one string.
const TEXTS: usize = 4;
/// The bytes counted for each element of a list, so that the number of small elements is also limited.
const ELEMENT: usize = 8;

/// Shortens each string of a message to about `max` bytes by omitting its middle, and all strings together to
/// about four times as much. Adds the number of omitted bytes to `left_out`. Returns the length of the
/// remaining text, in bytes.
pub fn shorten(message: &mut Message, max: usize) -> usize {
    let mut texts = Shortening { max, room: max * TEXTS, left_out: 0, kept: 0 };
    texts.text(&mut message.content);
    message.thinking.iter_mut().for_each(|text| texts.text(text));
    for call in message.tool_calls.iter_mut().flatten() {
        texts.map(&mut call.input);
        call.output.iter_mut().for_each(|text| texts.text(text));
        if let Some(details) = &mut call.details {
            for hunk in &mut details.patch {
                texts.list(&mut hunk.lines, Shortening::text, String::len);
            }
        }
        texts.map(&mut call.extra);
    }
    texts.map(&mut message.extra);
    if texts.left_out > 0 {
        message.left_out = Some(message.left_out.unwrap_or(0) + texts.left_out as u64);
    }
    texts.kept
}

/// Shortens the messages of a page until their text has at most [`VIEW_PAGE_MAX`] bytes, but each string to no
/// less than about 4 KiB.
pub fn shorten_page(messages: &mut [Message]) {
    let mut max = VIEW_TEXT_MAX;
    loop {
        let total: usize = messages.iter_mut().map(|message| shorten(message, max)).sum();
        if total <= VIEW_PAGE_MAX || max <= VIEW_TEXT_MIN {
            return;
        }
        max /= 2;
    }
}

struct Shortening {
    max: usize,
    /// The number of bytes that the message may still use.
    room: usize,
    left_out: usize,
    kept: usize,
}

impl Shortening {
    fn text(&mut self, text: &mut String) {
        let room = self.max.min(self.room);
        if text.len() > room {
            let head = text.floor_char_boundary(room - room / 4);
            let tail = text.ceil_char_boundary(text.len() - room / 4).max(head);
            let between = tail - head;
            self.left_out += between;
            *text = format!("{}\n… {between} bytes are not shown here …\n{}", &text[..head], &text[tail..]);
        }
        self.room = self.room.saturating_sub(text.len());
        self.kept += text.len();
    }

    /// Shortens the elements, and drops those that do not fit.
    fn list<T>(&mut self, list: &mut Vec<T>, element: fn(&mut Self, &mut T), length: fn(&T) -> usize) {
        let mut fits = 0;
        while fits < list.len() && self.room > 0 {
            element(self, &mut list[fits]);
            self.room = self.room.saturating_sub(ELEMENT);
            fits += 1;
        }
        self.left_out += list.drain(fits..).map(|rest| length(&rest)).sum::<usize>();
    }

    fn map(&mut self, map: &mut Extra) {
        map.values_mut().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(list) => self.list(list, Shortening::value, |rest| rest.to_string().len()),
            Value::Object(map) => self.map(map),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Role, ToolCall};
    use serde_json::json;

    fn message(content: &str) -> Message {
        Message::new("m", Role::Assistant, content, chrono::DateTime::UNIX_EPOCH.fixed_offset())
    }

    fn call(value: Value) -> ToolCall {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn an_ordinary_message_is_unchanged() {
        let mut one = message("hello");
        one.tool_calls =
            Some(vec![call(json!({"tool": "Bash", "input": {"command": "ls"}, "output": "a\nb"}))]);
        let before = one.clone();
        assert_eq!(shorten(&mut one, VIEW_TEXT_MAX), "hello".len() + "ls".len() + "a\nb".len());
        assert_eq!(one, before);
    }

    #[test]
    fn a_giant_output_is_cut_in_the_middle_and_reports_the_omitted_size() {
        let output = format!("begin {} end", "ü".repeat(6 << 20));
        let mut one = message("");
        one.tool_calls = Some(vec![call(json!({"tool": "Bash", "input": {}, "output": output}))]);
        shorten(&mut one, VIEW_TEXT_MAX);
        let shown = one.tool_calls.as_ref().unwrap()[0].output.clone().unwrap();
        assert!(shown.len() < VIEW_TEXT_MAX + 100, "{}", shown.len());
        assert!(shown.starts_with("begin ü") && shown.ends_with("ü end"));
        let missing = one.left_out.unwrap();
        assert!(shown.contains(&format!("… {missing} bytes are not shown here …")), "{missing}");
        assert!(missing > 12_000_000, "{missing}");
    }

    #[test]
    fn lists_of_any_length_and_depth_are_limited() {
        let many: Vec<Value> =
            (0..400_000).map(|n| json!({"old_string": format!("{n}"), "n": [[n]]})).collect();
        let lines: Vec<String> = (0..400_000).map(|n| format!("+{n}")).collect();
        let mut one = message("");
        one.tool_calls = Some(vec![
            call(json!({"tool": "MultiEdit", "input": {"edits": many}})),
            call(json!({"tool": "Edit", "input": {}, "output": "x".repeat(100),
                "details": {"patch": [{"old_start": 1, "new_start": 1, "lines": lines}]}})),
        ]);
        shorten(&mut one, VIEW_TEXT_MAX);
        let length = serde_json::to_vec(&one).unwrap().len();
        assert!(length < 16 * VIEW_TEXT_MAX, "{length}");
        assert!(one.left_out.unwrap() > 1_000_000);
    }

    #[test]
    fn a_page_of_large_messages_is_shortened_further_and_small_ones_stay() {
        let mut page: Vec<Message> = (0..200).map(|_| message(&"x".repeat(60_000))).collect();
        page.push(message("short"));
        shorten_page(&mut page);
        let total: usize = page.iter().map(|message| message.content.len()).sum();
        assert!(total <= VIEW_PAGE_MAX, "{total}");
        assert_eq!((page[200].content.as_str(), page[200].left_out), ("short", None));
        let shown = page[0].content.len() as u64;
        assert!(page[0].left_out.is_some_and(|missing| missing + shown >= 60_000));
    }
}
