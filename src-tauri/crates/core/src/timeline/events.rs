//! Converts each of a session's records into timeline events.

use super::{
    Answered, CommitMade, Records, TimelineEventKind as Kind,
    activity::{Happened, Run},
    bands::{is_prompt, later_by, pause_reason},
    merge::Entry,
};
use crate::{
    Timestamp,
    hooks::HookRun,
    message::{Message, MessageKind},
    recovery::{Injection, Reason},
    session::{CloseReason, Meta, PauseReason, Status},
    text::{cut, grouped, one_line},
};
use std::collections::HashMap;

/// The maximum length of a label, in characters.
const LABEL: usize = 120;
/// The number of bytes of text that suffice for a label.
pub(super) const SHORT: usize = LABEL * 8;

/// The events of each record. At equal times, the order of the records decides: starts come first, then
/// injections, messages and other events, and ends come last.
pub(super) fn sources(records: &Records<'_>, runs: &[Run<'_>]) -> Vec<Vec<Entry>> {
    let Records { meta, messages, injections, commits, .. } = *records;
    let (starts, ends) = lifecycle(meta, runs);
    let start = starts.first().map_or(meta.created_at, |entry| entry.at);
    vec![
        starts,
        injections_of(injections),
        messages.iter().map(message_entry).collect(),
        permissions(records.activity),
        failures(messages, records.activity),
        commit_entries(commits, start, meta.closed_at),
        records.hooks.iter().map(hook_entry).collect(),
        ends,
    ]
}

/// The commits. Git's times have whole seconds and can be set to any value. A commit is therefore placed
/// after the messages of its second, after the session's start and before its end. A commit of unknown time
/// follows the preceding commit.
fn commit_entries(commits: &[CommitMade], start: Timestamp, closed: Option<Timestamp>) -> Vec<Entry> {
    let mut before = start;
    let mut entries = Vec::with_capacity(commits.len());
    for commit in commits {
        before = commit.at.unwrap_or(before);
        let label = format!("{} {}", commit.hash.chars().take(7).collect::<String>(), commit.subject);
        let entry = Entry::event(before, Kind::Commit, short(&label));
        let over = later_by(before, 999).max(start);
        entries.push(Entry { at: closed.map_or(over, |closed| over.min(closed)), ..entry });
    }
    entries
}

fn lifecycle(meta: &Meta, runs: &[Run<'_>]) -> (Vec<Entry>, Vec<Entry>) {
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for (at, run) in runs.iter().enumerate() {
        let kind = if at == 0 { Kind::Start } else { Kind::Resume };
        starts.push(Entry::event(run.interval.start, kind, String::new()));
        let Some(end) = run.interval.end else { continue };
        let last = at + 1 == runs.len();
        let closed = last && meta.status == Status::Closed && meta.closed_at == Some(end);
        if !closed {
            let why = pause_reason(meta, runs, at).map_or("", why_paused);
            ends.push(Entry::event(end, Kind::Pause, why.to_owned()));
        }
    }
    if let (Status::Closed, Some(at)) = (meta.status, meta.closed_at) {
        let why = meta.close_reason.map_or("", why_closed);
        ends.push(Entry::event(at, Kind::End, why.to_owned()));
    }
    (starts, ends)
}

fn message_entry(message: &Message) -> Entry {
    let at = message.timestamp;
    let mut events = Vec::new();
    let kind = match message.kind {
        Some(MessageKind::Compaction) => Some(Kind::Compaction),
        Some(MessageKind::ApiError) => Some(Kind::Error),
        Some(MessageKind::Interrupted) => Some(Kind::Interrupted),
        Some(
            MessageKind::CompactionSummary
            | MessageKind::LocalCommand
            | MessageKind::Attachment
            | MessageKind::EarlierSummary,
        ) => None,
        None => is_prompt(message).then_some(Kind::Prompt),
    };
    if let Some(kind) = kind {
        events.push((at, kind, short(&message.content)));
    }
    Entry { at, message: Some(message.id.clone()), about: None, events }
}

/// The ends of failed tools. A tool that waited for permission started when the request was answered.
fn failures(messages: &[Message], lines: &[super::ActivityLine]) -> Vec<Entry> {
    let mut answers = answers(lines);
    let calls = messages.iter().flat_map(|m| m.tool_calls.iter().flatten().map(move |call| (m, call)));
    let mut entries: Vec<Entry> = Vec::new();
    for (message, call) in calls.filter(|(_, call)| call.is_error) {
        let label = tool(&call.tool, &call.subject());
        let of_it = |answer: &Answer| answer.label == label && answer.asked >= message.timestamp;
        let start = match answers.iter().position(of_it) {
            Some(place) => answers.remove(place).answered,
            None => message.timestamp,
        };
        let end = later_by(start, call.duration_ms.unwrap_or(0));
        let entry = Entry::event(end, Kind::ToolFailed, label);
        entries.push(Entry { about: Some(message.id.clone()), ..entry });
    }
    entries.sort_by_key(|entry| entry.at);
    entries
}

struct Answer {
    label: String,
    asked: Timestamp,
    answered: Timestamp,
}

fn answers(lines: &[super::ActivityLine]) -> Vec<Answer> {
    let mut asked: HashMap<&str, (Timestamp, String)> = HashMap::new();
    let mut answers = Vec::new();
    for line in lines {
        match &line.what {
            Happened::Asked { id, tool: name, subject } => {
                asked.insert(id, (line.at, tool(name, subject)));
            }
            Happened::Answered { id, .. } => {
                let known = asked.remove(id.as_str());
                answers.extend(known.map(|(asked, label)| Answer { label, asked, answered: line.at }));
            }
            _ => {}
        }
    }
    answers
}

/// The injections. The first injection after a `/clear` also marks the clear.
fn injections_of(injections: &[Injection]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut before: Option<&Injection> = None;
    for injection in injections {
        let same = |before: &Injection| {
            (before.reason, before.conversation) == (injection.reason, injection.conversation)
        };
        if injection.reason == Reason::Clear && !before.is_some_and(same) {
            entries.push(Entry::event(injection.at, Kind::Clear, String::new()));
        }
        let label = format!(
            "{} at {}, {} bytes",
            injection.source,
            injection.reason.as_str(),
            grouped(injection.bytes)
        );
        entries.push(Entry::event(injection.at, Kind::Injection, short(&label)));
        before = Some(injection);
    }
    entries
}

fn permissions(lines: &[super::ActivityLine]) -> Vec<Entry> {
    let mut asked: HashMap<&str, String> = HashMap::new();
    let mut entries = Vec::new();
    for line in lines {
        match &line.what {
            Happened::Asked { id, tool: name, subject } => {
                let label = tool(name, subject);
                asked.insert(id, label.clone());
                entries.push(Entry::event(line.at, Kind::PermissionAsked, label));
            }
            Happened::Answered { id, answer } => {
                let what = asked.get(id.as_str()).map_or("", String::as_str);
                let label = format!("{}: {what}", how(*answer));
                entries.push(Entry::event(line.at, Kind::PermissionAnswered, short(&label)));
            }
            Happened::Began { .. } | Happened::Activity { .. } | Happened::Ended { .. } | Happened::Other => {
            }
        }
    }
    entries
}

fn hook_entry(run: &HookRun) -> Entry {
    let HookRun { event, command, .. } = run;
    let (kind, label) = match &run.warning {
        None => (Kind::Hook, format!("{event}: {command}, {} ms", grouped(run.duration_ms))),
        Some(warning) => (Kind::HookFailed, format!("{event}: {command}: {warning}")),
    };
    Entry::event(run.at, kind, short(&label))
}

fn how(answer: Answered) -> &'static str {
    match answer {
        Answered::Allow => "allowed",
        Answered::Always => "always allowed",
        Answered::Deny => "denied",
        Answered::Elsewhere => "not answered here",
    }
}

fn tool(name: &str, subject: &str) -> String {
    match subject {
        "" => short(name),
        subject => short(&format!("{name}: {subject}")),
    }
}

fn short(text: &str) -> String {
    // Only the beginning is processed, because the text can be megabytes long.
    cut(&one_line(crate::text::head(text, SHORT)), LABEL)
}

fn why_paused(reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::User => "by the user",
        PauseReason::Inactivity => "claude was idle for too long",
        PauseReason::Exited => "claude exited",
        PauseReason::Interrupted => "its process died",
        PauseReason::Superseded => "another session was started",
    }
}

fn why_closed(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::User => "by the user",
        CloseReason::InReview => "its bead moved to in review",
        CloseReason::Abandoned => "it was never started",
    }
}
