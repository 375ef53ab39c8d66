//! Handles the model's lines. Claude writes one line per content block; the lines are merged into one
//! message.

use super::{
    Change,
    blocks::block_text,
    details::{details_of, images_in},
    entry::{Object, flag, number, object, text},
    known_messages::Open,
    state::{Heading, State, new_message},
};
use bc_core::{
    Extra,
    message::{MessageKind, Role, ToolCall},
    session::TokenSplit,
};
use serde_json_borrow::Value;

/// The text with which claude replaces a missing answer, so that turns keep alternating.
const FILLER: &str = "No response requested.";

impl State {
    pub(super) fn assistant(&mut self, entry: &Object<'_>) {
        let Some(message) = object(entry, "message") else { return self.malformed() };
        let heading = self.heading(entry);
        self.show_taken(&heading);
        let content = message.get("content").unwrap_or(&Value::Null);
        if flag(entry, "isApiErrorMessage") {
            let content = super::blocks::content_text(content);
            return self.note(heading, Role::System, Some(MessageKind::ApiError), content);
        }
        if text(message, "model") == Some("<synthetic>") {
            let content = super::blocks::content_text(content);
            if content != FILLER {
                self.note(heading, Role::System, None, content);
            }
            return;
        }
        let Some(id) = text(message, "id") else { return self.malformed() };
        let usage = object(message, "usage").map(usage_of).unwrap_or_default();
        // The tokens of a line that a fork copied belong to the original conversation.
        let inherited = object(entry, "forkedFrom").is_some();
        let blocks = match content {
            Value::Array(blocks) => blocks.as_slice(),
            // A string as content is equivalent to one text block.
            other => std::slice::from_ref(other),
        };
        self.merge(id, heading.clone(), blocks, if inherited { TokenSplit::default() } else { usage });
        // The results of tools that the API itself runs are blocks of the same message.
        for block in blocks.iter().filter_map(Value::as_object) {
            if text(block, "type").is_some_and(|kind| kind.ends_with("_tool_result")) {
                self.answer(&heading, block, &Run::Unmeasured, None);
            }
        }
        let more = self.known.count(id, usage);
        if more != TokenSplit::default() {
            self.change(if inherited { Change::InheritedUsage(more) } else { Change::Usage(more) });
        }
    }

    fn merge(&mut self, id: &str, heading: Heading, blocks: &[Value<'_>], usage: TokenSplit) {
        let latency = self.latency(&heading);
        let time = heading.time;
        if !self.known.is_known(id) {
            let mut message =
                new_message(Heading { id: id.to_owned(), ..heading }, Role::Assistant, None, String::new());
            message.latency_ms = latency;
            self.known.add(message, false);
        }
        let Some(open) = self.known.open(id) else { return };
        let mut grown = false;
        let (mut calls, mut waiting) = (Vec::new(), Vec::new());
        for block in blocks {
            match block.as_object().and_then(call_of) {
                Some(call) => calls.push(call),
                None if is_thinking(block) => grown |= add_thinking(open, block),
                None => grown |= block_text(block).is_some_and(|text| add_text(open, &text)),
            }
        }
        for call in calls {
            let call_id = call.id.clone().unwrap_or_default();
            let all = open.message.tool_calls.get_or_insert_default();
            if call.id.is_some() && all.iter().any(|other| other.id == call.id) {
                continue;
            }
            all.push(call);
            grown = true;
            if !call_id.is_empty() {
                open.called.insert(call_id.clone(), time);
                waiting.push(call_id);
            }
        }
        if usage.total() > open.message.tokens.unwrap_or(0) {
            open.message.tokens = Some(usage.total());
            grown = true;
        }
        let message = &open.message;
        // Newer versions record only the signature of the thinking. A message with nothing else is not shown.
        let says_something =
            !message.content.is_empty() || message.tool_calls.is_some() || message.thinking.is_some();
        let shown = (grown && says_something).then(|| open.message.clone());
        for call_id in waiting {
            self.known.called(call_id, id);
        }
        if let Some(message) = shown {
            self.show(message);
        }
    }

    /// Sets a tool's duration as reported by its hook. The report can arrive before or after the tool's
    /// result is read.
    pub(super) fn ran(&mut self, call_id: &str, duration_ms: u64) {
        let Some(Open { message, .. }) = self.known.of_call(call_id) else {
            return self.keep_ran(call_id, duration_ms);
        };
        let wanted = Some(call_id);
        match message.tool_calls.iter_mut().flatten().find(|call| call.id.as_deref() == wanted) {
            Some(call) if call.output.is_some() && call.duration_ms != Some(duration_ms) => {
                call.duration_ms = Some(duration_ms);
                let message = message.clone();
                self.show(message);
            }
            Some(call) if call.output.is_none() => self.keep_ran(call_id, duration_ms),
            _ => {}
        }
    }

    /// Adds a tool's result to its call.
    pub(super) fn answer(
        &mut self,
        heading: &Heading,
        result: &Object<'_>,
        run: &Run,
        about: Option<&Object<'_>>,
    ) {
        let Some(call_id) = text(result, "tool_use_id") else { return self.unknown("user/tool_result") };
        if self.known.was_answered(call_id) {
            return;
        }
        let ran = self.ran.remove(call_id);
        let Some(Open { message, called, .. }) = self.known.answer(call_id) else {
            return self.unknown("user/tool_result");
        };
        let wanted = Some(call_id);
        let Some(call) = message.tool_calls.iter_mut().flatten().find(|call| call.id.as_deref() == wanted)
        else {
            return;
        };
        let content = result.get("content").unwrap_or(&Value::Null);
        call.output = Some(super::blocks::content_text(content));
        let images = images_in(content);
        call.details = details_of(about, &images);
        call.is_error = flag(result, "is_error");
        let between = called.remove(call_id).and_then(|since| super::entry::millis(since, heading.time));
        // A refused tool did not run, so the time between the lines was the wait for the user.
        call.duration_ms = match run {
            Run::Refused => None,
            Run::Measured(measured) => ran.or(Some(*measured)),
            Run::Unmeasured => ran.or(between),
        };
        let path = super::touched_files::path_of(&call.tool, &call.input).map(str::to_owned);
        let touched = path.filter(|_| !call.is_error);
        let message = message.clone();
        self.images(images);
        self.show(message);
        if let Some(path) = touched {
            self.touch(&path);
        }
    }
}

/// The information about a tool's run in its result line.
pub(super) enum Run {
    Refused,
    /// The tool ran for this time, in milliseconds.
    Measured(u64),
    /// The line gives no duration for this result alone.
    Unmeasured,
}

impl Run {
    pub(super) fn of(entry: &Object<'_>) -> Run {
        let details = entry.get("toolUseResult").and_then(Value::as_object);
        let measured = details
            .and_then(|details| number(details, "durationMs").or_else(|| number(details, "totalDurationMs")));
        match measured {
            _ if flag(entry, "toolDenialBeforeRun") => Run::Refused,
            Some(measured) => Run::Measured(measured),
            None => Run::Unmeasured,
        }
    }
}

fn is_thinking(block: &Value<'_>) -> bool {
    block.as_object().and_then(|block| text(block, "type")) == Some("thinking")
}

fn add_thinking(open: &mut Open, block: &Value<'_>) -> bool {
    let thought = block.as_object().and_then(|block| text(block, "thinking")).unwrap_or_default().trim();
    if thought.is_empty() {
        return false;
    }
    add_part(open.message.thinking.get_or_insert_default(), thought, open.primed)
}

fn add_text(open: &mut Open, text: &str) -> bool {
    add_part(&mut open.message.content, text.trim_matches('\n'), open.primed)
}

/// Appends a part after a blank line, and returns whether it did. A blank part is not appended, and neither is
/// a part that a `primed` message already contains.
fn add_part(content: &mut String, part: &str, primed: bool) -> bool {
    if part.trim().is_empty() || (primed && contains_part(content, part)) {
        return false;
    }
    if !content.is_empty() {
        content.push_str("\n\n");
    }
    content.push_str(part);
    true
}

/// Whether `text` is one of the parts of the joined `content`.
fn contains_part(content: &str, text: &str) -> bool {
    content.match_indices(text).any(|(at, _)| {
        let (before, after) = (&content[..at], &content[at + text.len()..]);
        (before.is_empty() || before.ends_with("\n\n")) && (after.is_empty() || after.starts_with("\n\n"))
    })
}

fn call_of(block: &Object<'_>) -> Option<ToolCall> {
    if !matches!(text(block, "type"), Some("tool_use" | "server_tool_use" | "mcp_tool_use")) {
        return None;
    }
    let input = match block.get("input") {
        Some(Value::Object(input)) => input.into(),
        None | Some(Value::Null) => Extra::new(),
        Some(other) => Extra::from_iter([("value".to_owned(), other.into())]),
    };
    Some(ToolCall {
        tool: text(block, "name").unwrap_or("unknown").to_owned(),
        input,
        output: None,
        duration_ms: None,
        id: text(block, "id").map(str::to_owned),
        is_error: false,
        details: None,
        extra: Extra::new(),
    })
}

fn usage_of(usage: &Object<'_>) -> TokenSplit {
    let part = |key| number(usage, key).unwrap_or(0);
    TokenSplit {
        input: part("input_tokens"),
        cache_creation: part("cache_creation_input_tokens"),
        cache_read: part("cache_read_input_tokens"),
        output: part("output_tokens"),
    }
}
