//! The decoder's state between lines, and the dispatch of each line by its type.

use super::{
    Change,
    details::ImageData,
    entry::{Object, flag, millis, text, time},
    known_messages::{Known, hash},
    queued_prompts::PromptQueue,
    touched_files::Folder,
};
use bc_core::{
    Timestamp,
    message::{Message, MessageKind, Role},
};
use chrono::TimeDelta;
use serde_json_borrow::Value;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

/// The maximum number of durations whose results have not been read yet. Usually a result follows within
/// moments.
const RAN_MAX: usize = 1024;

#[derive(Debug)]
pub(super) struct State {
    pub(super) known: Known,
    pub(super) folder: Folder,
    pub(super) queue: PromptQueue,
    subagent: Option<String>,
    seen: HashSet<u64>,
    /// The subagent that last received input (`None` for the main conversation), and the time of the input.
    asked: Option<(Option<String>, Timestamp)>,
    last_time: Timestamp,
    /// How far ahead the clock of the transcript's machine is. This offset is subtracted from all times.
    pub(super) clock_ahead: TimeDelta,
    touched: HashSet<String>,
    /// Durations in milliseconds, by call id, of tools whose results have not been read yet.
    pub(super) ran: HashMap<String, u64>,
    /// The ids and text of summaries without a time, which wait for the time of a following entry.
    summaries: Vec<(String, String)>,
    /// The unknown kinds of attachments for which a message was already added.
    pub(super) traced: HashSet<String>,
    changes: Vec<Change>,
    batch: HashMap<String, usize>,
}

#[derive(Clone)]
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) time: Timestamp,
    pub(super) subagent: Option<String>,
}

impl State {
    pub(super) fn new(cwd: &Path, subagent: Option<String>) -> Self {
        State {
            known: Known::default(),
            folder: Folder::new(cwd),
            queue: PromptQueue::default(),
            subagent,
            seen: HashSet::new(),
            asked: None,
            last_time: chrono::DateTime::UNIX_EPOCH.fixed_offset(),
            clock_ahead: TimeDelta::zero(),
            touched: HashSet::new(),
            ran: HashMap::new(),
            summaries: Vec::new(),
            traced: HashSet::new(),
            changes: Vec::new(),
            batch: HashMap::new(),
        }
    }

    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        self.batch.clear();
        std::mem::take(&mut self.changes)
    }

    pub(super) fn keep_ran(&mut self, call_id: &str, duration_ms: u64) {
        // The durations of tools in other files are also passed to this decoder, although their results never
        // follow. The map is therefore emptied when it is full.
        if self.ran.len() >= RAN_MAX {
            self.ran.clear();
        }
        self.ran.insert(call_id.to_owned(), duration_ms);
    }

    pub(super) fn line(&mut self, line: &[u8]) {
        // A file may contain runs of NUL bytes after a crash of the operating system.
        let line = line.trim_ascii();
        let line = &line[line.iter().take_while(|b| **b == 0).count()..];
        let rest = self.whole_entries(line);
        if rest.is_empty() {
            return;
        }
        self.malformed();
        if let Some(entry) = after_torn(rest) {
            self.entry(&entry);
        }
    }

    /// Reads the whole entries at the beginning of a line and returns the rest. A line has several entries if
    /// claude was killed between an entry and its newline.
    fn whole_entries<'l>(&mut self, line: &'l [u8]) -> &'l [u8] {
        let mut rest = line;
        loop {
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<Value<'l>>();
            let Some(Ok(Value::Object(entry))) = values.next() else { return rest };
            let end = values.byte_offset();
            self.entry(&entry);
            rest = rest[end..].trim_ascii();
        }
    }

    /// Decodes a last line without a newline if the line is a complete entry. If claude adds the newline
    /// later, the line is read again, but its entry counts only once.
    pub(super) fn unended(&mut self, line: &[u8]) {
        if let Ok(Value::Object(entry)) = serde_json::from_slice::<Value<'_>>(line.trim_ascii()) {
            self.entry(&entry);
        }
    }

    fn entry(&mut self, entry: &Object<'_>) {
        self.show_summaries(entry);
        if let Some(uuid) = text(entry, "uuid")
            && !self.seen.insert(hash(uuid))
        {
            return;
        }
        match text(entry, "type").unwrap_or("") {
            "assistant" => self.assistant(entry),
            "user" => self.user(entry),
            "attachment" => self.attachment(entry),
            "system" => self.system(entry),
            "queue-operation" => self.queue_operation(entry),
            "cost-state" => {
                if let Some(cost) = entry.get("totalCostUSD").and_then(Value::as_f64) {
                    self.changes.push(Change::Cost(cost));
                }
            }
            "custom-title" => self.title(entry, "customTitle", true),
            "ai-title" => self.title(entry, "aiTitle", false),
            // Older versions write the summaries of earlier conversations into the file, without a time.
            "summary" => {
                if let Some(summary) = text(entry, "summary") {
                    let id = text(entry, "leafUuid").map_or_else(|| hash(summary).to_string(), str::to_owned);
                    self.summaries.push((format!("summary-{id}"), summary.to_owned()));
                }
            }
            kind => self.unknown(if kind.is_empty() { "no type" } else { kind }),
        }
    }

    /// Adds the pending summaries as messages at the time of this entry. Does nothing if the entry has no
    /// time.
    fn show_summaries(&mut self, entry: &Object<'_>) {
        let Some(time) = self.time(entry).filter(|_| !self.summaries.is_empty()) else { return };
        for (id, summary) in std::mem::take(&mut self.summaries) {
            let heading = Heading { id, time, subagent: self.subagent.clone() };
            self.note(heading, Role::System, Some(MessageKind::EarlierSummary), summary);
        }
    }

    fn title(&mut self, entry: &Object<'_>, key: &str, by_person: bool) {
        if let Some(title) = text(entry, key) {
            self.changes.push(Change::Title { text: title.to_owned(), by_person });
        }
    }

    fn system(&mut self, entry: &Object<'_>) {
        match text(entry, "subtype").unwrap_or("") {
            "compact_boundary" => {
                let content = text(entry, "content").unwrap_or("Conversation compacted").to_owned();
                let heading = self.heading(entry);
                self.note(heading, Role::System, Some(MessageKind::Compaction), content);
            }
            "local_command" => {
                let content = text(entry, "content").unwrap_or("").to_owned();
                let heading = self.heading(entry);
                self.local_command(heading, &content);
            }
            // The terminal shows these notices, but they are not part of the conversation.
            "turn_duration"
            | "stop_hook_summary"
            | "informational"
            | "notification"
            | "status"
            | "api_error"
            | "api_retry"
            | "thinking_tokens"
            | "away_summary"
            | "memory_saved"
            | "scheduled_task_fire"
            | "model_fallback"
            | "model_consent_fallback"
            | "model_refusal_fallback"
            | "permission_denied"
            | "permission_retry"
            | "bridge_status"
            | "agents_killed" => {}
            kind => self.unknown(&format!("system/{kind}")),
        }
    }

    pub(super) fn unknown(&mut self, kind: &str) {
        self.changes.push(Change::Unknown { kind: kind.chars().take(80).collect() });
    }

    pub(super) fn malformed(&mut self) {
        self.changes.push(Change::Malformed);
    }

    /// The entry's time, with `clock_ahead` subtracted.
    fn time(&self, entry: &Object<'_>) -> Option<Timestamp> {
        time(entry)?.checked_sub_signed(self.clock_ahead)
    }

    pub(super) fn heading(&mut self, entry: &Object<'_>) -> Heading {
        if let Some(time) = self.time(entry) {
            self.last_time = time;
        }
        let id = text(entry, "uuid").map(str::to_owned);
        let id = id.unwrap_or_else(|| {
            format!("line-{:016x}", hash(&serde_json::Value::Object(entry.into()).to_string()))
        });
        let agent = || text(entry, "agentId").unwrap_or("sidechain").to_owned();
        let side = || flag(entry, "isSidechain").then(agent);
        Heading { id, time: self.last_time, subagent: self.subagent.clone().or_else(side) }
    }

    /// Records that the model received input.
    pub(super) fn asked(&mut self, heading: &Heading) {
        self.asked = Some((heading.subagent.clone(), heading.time));
    }

    /// Milliseconds since the model received input; `None` if there was no input, or if the last one was for
    /// another subagent or conversation.
    pub(super) fn latency(&self, heading: &Heading) -> Option<u64> {
        let (conversation, since) = self.asked.as_ref()?;
        (*conversation == heading.subagent).then(|| millis(*since, heading.time)).flatten()
    }

    /// Adds a message that never changes later. Does nothing if its content is blank or its id is already
    /// known.
    pub(super) fn note(&mut self, heading: Heading, role: Role, kind: Option<MessageKind>, content: String) {
        self.note_with(heading, role, kind, content, Vec::new());
    }

    /// Like [`State::note`], for a message with images.
    pub(super) fn note_with(
        &mut self,
        heading: Heading,
        role: Role,
        kind: Option<MessageKind>,
        content: String,
        images: Vec<ImageData>,
    ) {
        if content.trim().is_empty() || self.known.is_known(&heading.id) {
            return;
        }
        let mut message = new_message(heading, role, kind, content);
        if !images.is_empty() {
            message.images = Some(images.iter().map(ImageData::reference).collect());
        }
        self.images(images);
        self.known.add(message.clone(), false);
        self.show(message);
    }

    /// Reports a message. Of several reports within one chunk, only the last one is kept.
    pub(super) fn show(&mut self, message: Message) {
        match self.batch.get(&message.id) {
            Some(&at) => self.changes[at] = Change::Message(message),
            None => {
                self.batch.insert(message.id.clone(), self.changes.len());
                self.changes.push(Change::Message(message));
            }
        }
    }

    /// Reports images. Call this before reporting the message that refers to them.
    pub(super) fn images(&mut self, images: Vec<ImageData>) {
        self.changes.extend(images.into_iter().map(Change::Image));
    }

    pub(super) fn touch(&mut self, path: &str) {
        let path = self.folder.relative(path);
        if self.touched.insert(path.clone()) {
            self.changes.push(Change::FileTouched(path));
        }
    }

    pub(super) fn change(&mut self, change: Change) {
        self.changes.push(change);
    }
}

pub(super) fn new_message(
    heading: Heading,
    role: Role,
    kind: Option<MessageKind>,
    content: String,
) -> Message {
    let Heading { id, time, subagent } = heading;
    Message { kind, subagent, ..Message::new(id, role, content, time) }
}

/// The whole entry after an incomplete one on the same line. Such a line results if claude is killed during a
/// write, and the next claude process appends an entry without first writing a newline.
fn after_torn(line: &[u8]) -> Option<Object<'_>> {
    const STARTS: [&[u8]; 2] = [b"{\"parentUuid\":", b"{\"type\":"];
    let mut from = 1;
    // A few attempts are enough. Without a limit, a malicious line would take quadratic time.
    for _ in 0..4 {
        let at = (from..line.len()).find(|at| STARTS.iter().any(|start| line[*at..].starts_with(start)))?;
        if let Ok(Value::Object(entry)) = serde_json::from_slice(&line[at..]) {
            return Some(entry);
        }
        from = at + 1;
    }
    None
}
