//! The content of a session's document, independent of its format: facts, files, commits, pauses, and the
//! conversation as blocks.

use super::tool_block::ToolBlock;
use crate::{
    Timestamp,
    message::{Message, MessageKind, Role},
    session::{Meta, human_duration},
    text::{cut, grouped, one_line},
    work::CommitLine,
};

/// A session to export.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The session.
    pub meta: &'a Meta,
    /// Its conversation.
    pub messages: &'a [Message],
    /// Its commits; the subject of a missing one is empty.
    pub commits: &'a [CommitLine],
    /// The folders of the repository, without a slash at the end: paths below them are shown relative.
    pub roots: &'a [String],
    /// The time of the export, up to which an open active interval counts.
    pub now: Timestamp,
    /// Whether it contains the tools' outputs, or only their sizes.
    pub tool_output: bool,
}

/// The files of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) changed: Vec<String>,
    /// Only read.
    pub(super) read: Vec<String>,
}

/// A part of the conversation.
#[derive(Debug)]
pub(super) enum Block<'a> {
    /// A text of the user.
    Prompt(&'a Message),
    /// A text of the agent.
    Answer(&'a Message),
    /// A note of the program, or a special message.
    Note(&'a Message, &'static str),
    /// A tool call.
    Tool(ToolBlock<'a>),
    /// Time between two active intervals; `None` if it has not ended.
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

    /// Names and values, in order; the names are valid YAML keys.
    pub(super) fn facts(&self, files: &Files) -> Vec<(&'static str, Fact)> {
        let meta = self.meta;
        let words = |word: &str| word.replace('_', " ");
        let state = match (meta.pause_reason, meta.close_reason) {
            (Some(reason), _) => format!("{} ({})", meta.status, words(reason.as_str())),
            (_, Some(reason)) => format!("{} ({})", meta.status, words(reason.as_str())),
            _ => meta.status.to_string(),
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
        let mut changed: Vec<String> =
            self.meta.files_touched.iter().map(|path| self.relative(path)).collect();
        let mut read = Vec::new();
        let calls = self.messages.iter().flat_map(|message| message.tool_calls.iter().flatten());
        for call in calls.filter(|call| !call.is_error) {
            let named = ["file_path", "notebook_path"].iter().find_map(|key| call.input.get(*key)?.as_str());
            let Some(path) = named.map(|path| self.relative(path)) else { continue };
            match call.tool.as_str() {
                "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => changed.push(path),
                "Read" | "NotebookRead" => read.push(path),
                _ => {}
            }
        }
        changed.sort();
        changed.dedup();
        read.sort();
        read.dedup();
        read.retain(|path| changed.binary_search(path).is_err());
        Files { changed, read }
    }

    /// The path relative to the repository, on one line.
    pub(super) fn relative(&self, path: &str) -> String {
        let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix(['/', '\\']);
        // The longest root: a worktree may lie inside the project.
        let found =
            self.roots.iter().filter(|root| !root.is_empty()).filter_map(below).min_by_key(|rest| rest.len());
        one_line(found.unwrap_or(path))
    }

    /// The conversation in order, with its pauses.
    pub(super) fn conversation(&self, mut each: impl FnMut(Block<'_>)) {
        let intervals = &self.meta.active_intervals;
        let mut pauses = intervals
            .iter()
            .zip(intervals.iter().skip(1))
            .filter_map(|(one, next)| Some((one.end?, next.start)))
            .peekable();
        for message in self.messages {
            while let Some((from, to)) = pauses.next_if(|(_, to)| *to <= message.timestamp) {
                each(Block::Pause(from, Some(to)));
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
        pauses.for_each(|(from, to)| each(Block::Pause(from, Some(to))));
        if let Some(from) = intervals.last().and_then(|last| last.end) {
            each(Block::Pause(from, None));
        }
    }
}

/// A value of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    Text(String),
    /// For readers, and for programs.
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

/// `Paused from … to … (1h 5m)`.
pub(super) fn pause_words(from: Timestamp, to: Option<Timestamp>) -> String {
    let Some(to) = to else { return format!("Ended or paused at {}", moment(from)) };
    let ms = to.signed_duration_since(from).num_milliseconds().max(0).unsigned_abs();
    format!("Paused from {} to {} ({})", moment(from), moment(to), human_duration(ms))
}
