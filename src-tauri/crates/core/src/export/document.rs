//! The content of a session's document, independent of its format: facts, files, commits, pauses, and the
//! conversation as blocks.

use super::{
    session::Document,
    tool_block::{ToolBlock, file_of},
};
use crate::{
    Timestamp,
    message::{Message, MessageKind, Role},
    session::{CloseReason, PauseReason, human_duration},
    text::{cut, grouped, one_line},
};
use std::{num::NonZeroUsize, ops::Range, panic::resume_unwind, thread};

/// The minimum number of messages for each thread.
const SHARE_MIN: usize = 512;

/// A pause, or the end of the session: the index of the message before which it is shown, its start, and its
/// end. The end is `None` for the last one if the session was not resumed.
pub(super) type Pause = (usize, Timestamp, Option<Timestamp>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) changed: Vec<String>,
    pub(super) read: Vec<String>,
}

/// A part of the conversation.
#[derive(Debug)]
pub(super) enum Block<'a> {
    Prompt(&'a Message),
    Answer(&'a Message),
    /// A system message or a message with a [`MessageKind`], and its label.
    Note(&'a Message, &'static str),
    Tool(ToolBlock<'a>),
    /// The time after an active interval. The end is `None` if no interval follows: the session is paused or
    /// closed.
    Pause(Timestamp, Option<Timestamp>),
}

impl<'a> Document<'a> {
    pub(super) fn title(&self) -> String {
        let title = self.meta.title.as_deref().map(one_line).filter(|title| !title.is_empty());
        cut(&title.unwrap_or_else(|| format!("Session {}", self.meta.id.short())), 200)
    }

    pub(super) fn objective(&self) -> Option<&'a str> {
        self.meta.objective.as_deref().filter(|text| !text.trim().is_empty())
    }

    /// The session's facts as names and values, in order. The names are valid YAML keys.
    pub(super) fn facts(&self, files: &Files) -> Vec<(&'static str, Fact)> {
        let meta = self.meta;
        let paused = meta.pause_reason.map(PauseReason::as_str);
        let state = match paused.or(meta.close_reason.map(CloseReason::as_str)) {
            Some(reason) => format!("{} ({})", meta.status, reason.replace('_', " ")),
            None => meta.status.to_string(),
        };
        let name = |name: Option<String>| name.map(Fact::Text);
        let count = |n: usize| Some(Fact::Number(grouped(n as u64), n.to_string()));
        let cost = meta.cost_usd.filter(|cost| cost.is_finite());
        let rows = [
            ("session", Some(Fact::Text(meta.id.to_string()))),
            ("bead", name(meta.bead_id.clone().map(String::from))),
            ("agent", name(meta.agent_id.clone().map(String::from))),
            ("model", name(meta.model.clone())),
            ("branch", name(meta.branch.clone().map(String::from))),
            ("state", Some(Fact::Text(state))),
            (
                "simulated",
                meta.simulated
                    .then(|| Fact::Text("by the built-in simulated agent, not by Claude Code".into())),
            ),
            ("created", Some(Fact::Time(meta.created_at))),
            ("started", meta.started_at.map(Fact::Time)),
            ("paused", meta.paused_at.map(Fact::Time)),
            ("closed", meta.closed_at.map(Fact::Time)),
            ("active_time", Some(Fact::Text(human_duration(meta.active_ms(self.now))))),
            ("messages", count(self.messages.len())),
            ("tokens", meta.total_tokens.map(|n| Fact::Number(grouped(n), n.to_string()))),
            ("cost_usd", cost.map(|cost| Fact::Number(format!("${cost:.2}"), format!("{cost:.2}")))),
            ("files_changed", count(files.changed.len())),
            ("files_read", count(files.read.len())),
            ("commits", count(self.commits.len())),
        ];
        rows.into_iter().filter_map(|(label, fact)| Some((label, fact?))).collect()
    }

    /// Changed files, and files that were only read, relative to the repository.
    pub(super) fn files(&self) -> Files {
        let relative = |paths: &[String]| paths.iter().map(|path| self.relative(path)).collect::<Vec<_>>();
        let (mut changed, mut read) = (relative(self.changed), relative(&self.meta.files_touched));
        let calls = self.messages.iter().flat_map(|message| message.tool_calls.iter().flatten());
        for call in calls.filter(|call| !call.is_error) {
            let Some(path) = file_of(call).map(|path| self.relative(path)) else { continue };
            match call.tool.as_str() {
                "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => changed.push(path),
                "Read" | "NotebookRead" => read.push(path),
                _ => {}
            }
        }
        for paths in [&mut changed, &mut read] {
            paths.sort();
            paths.dedup();
            paths.retain(|path| !path.is_empty());
        }
        read.retain(|path| changed.binary_search(path).is_err());
        Files { changed, read }
    }

    /// Renders the conversation in parts: `part` renders one range of messages. Long conversations use all
    /// processors, because they can be a gigabyte long.
    pub(super) fn rendered(&self, part: impl Fn(Range<usize>, &[Pause]) -> String + Sync) -> Vec<String> {
        let pauses = self.pauses();
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let share = self.messages.len().div_ceil(threads).max(SHARE_MIN);
        let parts: Vec<Range<usize>> = (0..self.messages.len())
            .step_by(share)
            .map(|from| from..(from + share).min(self.messages.len()))
            .collect();
        let (part, pauses) = (&part, &pauses[..]);
        match parts.as_slice() {
            [] => vec![part(0..0, pauses)],
            [one] => vec![part(one.clone(), pauses)],
            many => thread::scope(|scope| {
                let started: Vec<_> =
                    many.iter().map(|range| scope.spawn(move || part(range.clone(), pauses))).collect();
                started.into_iter().map(|part| part.join().unwrap_or_else(|e| resume_unwind(e))).collect()
            }),
        }
    }

    /// The pauses, each with the message before which it is shown.
    fn pauses(&self) -> Vec<Pause> {
        let intervals = &self.meta.active_intervals;
        let between = intervals.iter().zip(intervals.iter().skip(1));
        let mut at = 0;
        let mut pauses: Vec<Pause> = Vec::new();
        for (from, to) in between.filter_map(|(one, next)| Some((one.end?, next.start))) {
            while self.messages.get(at).is_some_and(|message| message.timestamp < to) {
                at += 1;
            }
            pauses.push((at, from, Some(to)));
        }
        pauses
            .extend(intervals.last().and_then(|last| last.end).map(|from| (self.messages.len(), from, None)));
        pauses
    }

    /// Calls `each` with every block of these messages and with the pauses between them, in order. The last
    /// range includes the pauses after the last message.
    pub(super) fn blocks(&self, range: Range<usize>, pauses: &[Pause], mut each: impl FnMut(Block<'a>)) {
        let end = if range.end == self.messages.len() { range.end + 1 } else { range.end };
        let shown = range.start..end;
        let mut pauses = pauses.iter().filter(|(at, ..)| shown.contains(at)).peekable();
        for (n, message) in range.clone().zip(&self.messages[range]) {
            while let Some((_, from, to)) = pauses.next_if(|(at, ..)| *at <= n) {
                each(Block::Pause(*from, *to));
            }
            if !message.content.trim().is_empty() {
                each(match (kind_words(message.kind), message.role) {
                    (Some(words), _) => Block::Note(message, words),
                    (None, Role::User) => Block::Prompt(message),
                    (None, Role::Assistant) => Block::Answer(message),
                    (None, Role::System) => Block::Note(message, "system"),
                });
            } else if let (Some(words), true) = (kind_words(message.kind), message.tool_calls.is_none()) {
                each(Block::Note(message, words));
            }
            for call in message.tool_calls.iter().flatten() {
                each(Block::Tool(ToolBlock::of(call, self)));
            }
        }
        pauses.for_each(|(_, from, to)| each(Block::Pause(*from, *to)));
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    Text(String),
    /// A number as text for readers, and as text for programs.
    Number(String, String),
    Time(Timestamp),
}

fn kind_words(kind: Option<MessageKind>) -> Option<&'static str> {
    Some(match kind? {
        MessageKind::Compaction => "compaction",
        MessageKind::CompactionSummary => "summary after compaction",
        MessageKind::ApiError => "API error",
        MessageKind::Interrupted => "interrupted",
        MessageKind::LocalCommand => "local command",
        MessageKind::Attachment => "attachment",
        MessageKind::EarlierSummary => "earlier summary",
    })
}

/// `2026-01-19 10:02:00 -06:00`.
pub(super) fn moment(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M:%S %:z").to_string()
}

/// `Paused from … to … (1h 5m)`, or `Ended or paused at …` without an end.
pub(super) fn pause_words(from: Timestamp, to: Option<Timestamp>) -> String {
    let Some(to) = to else { return format!("Ended or paused at {}", moment(from)) };
    let ms = to.signed_duration_since(from).num_milliseconds().max(0).unsigned_abs();
    format!("Paused from {} to {} ({})", moment(from), moment(to), human_duration(ms))
}
