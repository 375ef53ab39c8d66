//! Timelines of constructed records: bands, events and their order.

use super::*;
use crate::{
    Timestamp,
    hooks::HookRun,
    message::{Message, MessageKind, Role, ToolCall},
    recovery::{Injection, Reason},
    session::{CloseReason, Draft, Event, Meta, PauseReason},
};
use BandKind::{Active, Paused, Waiting, Working};
use TimelineEventKind as Kind;
use proptest::prelude::*;
use serde_json::json;

fn at(second: i64) -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap() + chrono::TimeDelta::seconds(second)
}

fn session(events: &[(i64, Event)]) -> Meta {
    let id = "00000000-0000-4000-8000-000000000001".parse().unwrap();
    let mut meta = Meta::draft(Draft::new(id, "proj-1".parse().unwrap(), at(0)));
    for (second, event) in events {
        meta.transition(*event, at(*second)).unwrap();
    }
    meta
}

fn message(second: i64, role: Role, text: &str) -> Message {
    Message::new(format!("m{second}"), role, text, at(second))
}

fn called(second: i64, ran_ms: Option<u64>, is_error: bool) -> Message {
    let call =
        json!({"tool": "Bash", "input": {"command": "cargo test"}, "output": "x", "is_error": is_error});
    let mut call: ToolCall = serde_json::from_value(call).unwrap();
    call.duration_ms = ran_ms;
    Message { tool_calls: Some(vec![call]), ..message(second, Role::Assistant, "I run them.") }
}

fn host_started(meta: &Meta, run: usize) -> ActivityLine {
    let interval = meta.active_intervals[run].start;
    ActivityLine::new(interval, Happened::Began { interval })
}

fn activity(second: i64, is: Doing) -> ActivityLine {
    ActivityLine::new(at(second), Happened::Activity { is })
}

fn host_ended(second: i64, paused: Option<PauseReason>) -> ActivityLine {
    ActivityLine::new(at(second), Happened::Ended { paused, closed: None })
}

fn hook(second: i64, warning: Option<&str>) -> HookRun {
    let run = json!({"version": 1, "at": at(second), "event": "preToolUse", "file": "/p/hooks.json",
        "command": "./x.sh", "duration_ms": 1200, "warning": warning});
    serde_json::from_value(run).unwrap()
}

#[derive(Default)]
struct Recorded {
    messages: Vec<Message>,
    injections: Vec<Injection>,
    activity: Vec<ActivityLine>,
    commits: Vec<CommitMade>,
    hooks: Vec<HookRun>,
}

impl Recorded {
    fn of(&self, meta: &Meta) -> Timeline {
        let Recorded { messages, injections, activity, commits, hooks } = self;
        let made = timeline(Records { meta, messages, injections, activity, commits, hooks });
        // The reduced records give the same timeline.
        let messages: Vec<Message> = messages.iter().cloned().map(lean_message).collect();
        let injections: Vec<Injection> = injections.iter().cloned().map(lean_injection).collect();
        let hooks: Vec<HookRun> = hooks.iter().cloned().map(lean_run).collect();
        let (messages, injections, hooks) = (&messages, &injections, &hooks);
        let lean = timeline(Records { meta, messages, injections, activity, commits, hooks });
        assert_eq!(lean, made);
        made
    }
}

/// Each band as its kind, its start and end in seconds, and its reason.
fn bands(timeline: &Timeline) -> Vec<(BandKind, i64, Option<i64>, Option<&str>)> {
    let second = |time: Timestamp| (time - at(0)).num_seconds();
    let shown = |b: &TimelineBand| (b.kind, second(b.from), b.to.map(second));
    timeline
        .bands
        .iter()
        .map(|b| (shown(b), b.reason.as_deref()))
        .map(|((k, f, t), r)| (k, f, t, r))
        .collect()
}

fn events(timeline: &Timeline) -> Vec<(Kind, i64, &str, Option<&str>)> {
    let second = |time: Timestamp| (time - at(0)).num_seconds();
    let events = timeline.events.iter();
    events.map(|e| (e.kind, second(e.at), e.label.as_str(), e.message.as_deref())).collect()
}

const PAUSE: Event = Event::Pause(PauseReason::User);
const CLOSE: Event = Event::Close(CloseReason::User);

#[test]
fn a_draft_has_an_empty_timeline() {
    assert_eq!(Recorded::default().of(&session(&[])), Timeline::default());
}

#[test]
fn the_timeline_shows_the_hosts_records() {
    let meta =
        session(&[(0, Event::Start), (100, Event::Pause(PauseReason::Inactivity)), (200, Event::Resume)]);
    let recorded = Recorded {
        activity: vec![
            host_started(&meta, 0),
            activity(2, Doing::Working),
            activity(10, Doing::Permission),
            activity(20, Doing::Working),
            activity(30, Doing::Prompt),
            activity(99, Doing::Gone),
            host_ended(100, Some(PauseReason::Inactivity)),
            host_started(&meta, 1),
            activity(205, Doing::Dialog),
        ],
        ..Recorded::default()
    };
    assert_eq!(
        bands(&recorded.of(&meta)),
        [
            (Active, 0, Some(2), None),
            (Working, 2, Some(10), None),
            (Waiting, 10, Some(20), Some("permission")),
            (Working, 20, Some(30), None),
            (Waiting, 30, Some(99), Some("prompt")),
            (Active, 99, Some(100), None),
            (Paused, 100, Some(200), Some("inactivity")),
            (Active, 200, Some(205), None),
            (Waiting, 205, None, Some("dialog")),
        ]
    );
}

#[test]
fn timelines_of_older_builds_are_derived_from_messages() {
    let meta = session(&[(0, Event::Start), (100, PAUSE), (200, Event::Resume), (300, CLOSE)]);
    let recorded = Recorded {
        messages: vec![
            message(5, Role::User, "Do it"),
            called(10, Some(7_000), false),
            message(20, Role::Assistant, "Done."),
            message(50, Role::User, "And this"),
            called(60, None, true),
            message(210, Role::User, "Go on"),
            message(220, Role::Assistant, "Done."),
        ],
        ..Recorded::default()
    };
    let timeline = recorded.of(&meta);
    assert_eq!(
        bands(&timeline),
        [
            (Active, 0, Some(5), None),
            (Working, 5, Some(20), None),
            (Waiting, 20, Some(50), Some("prompt")),
            (Working, 50, Some(60), None),
            (Active, 60, Some(100), None),
            (Paused, 100, Some(200), None),
            (Active, 200, Some(210), None),
            (Working, 210, Some(220), None),
            (Waiting, 220, Some(300), Some("prompt")),
        ]
    );
    assert_eq!(
        events(&timeline),
        [
            (Kind::Start, 0, "", Some("m5")),
            (Kind::Prompt, 5, "Do it", Some("m5")),
            (Kind::Prompt, 50, "And this", Some("m50")),
            (Kind::ToolFailed, 60, "Bash: cargo test", Some("m60")),
            (Kind::Pause, 100, "", Some("m60")),
            (Kind::Resume, 200, "", Some("m210")),
            (Kind::Prompt, 210, "Go on", Some("m210")),
            (Kind::End, 300, "by the user", Some("m220")),
        ]
    );
}

#[test]
fn a_permission_comes_before_its_tool() {
    let meta = session(&[(0, Event::Start)]);
    let asked = |second: i64, id: &str| {
        let (id, tool, subject) = (id.to_owned(), "Bash".to_owned(), "cargo test".to_owned());
        ActivityLine::new(at(second), Happened::Asked { id, tool, subject })
    };
    let answered = |second: i64, id: &str| {
        ActivityLine::new(at(second), Happened::Answered { id: id.to_owned(), answer: Answered::Allow })
    };
    let recorded = Recorded {
        // The first tool call waits for permission until second 40 and then runs for two seconds.
        messages: vec![
            message(5, Role::User, "Do it"),
            called(10, Some(2_000), true),
            called(60, Some(1_000), true),
        ],
        activity: vec![
            host_started(&meta, 0),
            asked(11, "p1"),
            answered(40, "p1"),
            asked(61, "p2"),
            answered(62, "p2"),
        ],
        ..Recorded::default()
    };
    let shown = recorded.of(&meta);
    let shown: Vec<_> = events(&shown).into_iter().map(|(kind, second, _, of)| (kind, second, of)).collect();
    assert_eq!(
        shown[2..],
        [
            (Kind::PermissionAsked, 11, Some("m10")),
            (Kind::PermissionAnswered, 40, Some("m10")),
            (Kind::ToolFailed, 42, Some("m10")),
            (Kind::PermissionAsked, 61, Some("m60")),
            (Kind::PermissionAnswered, 62, Some("m60")),
            (Kind::ToolFailed, 63, Some("m60")),
        ]
    );
}

#[test]
fn a_killed_hosts_time_ends_at_the_last_heartbeat() {
    let mut meta = session(&[(0, Event::Start)]);
    meta.interrupt(Some(at(40)), at(500)).unwrap();
    meta.transition(Event::Resume, at(600)).unwrap();
    let recorded = Recorded {
        activity: vec![
            host_started(&meta, 0),
            activity(30, Doing::Working),
            activity(43, Doing::Prompt),
            host_started(&meta, 1),
        ],
        ..Recorded::default()
    };
    let timeline = recorded.of(&meta);
    assert_eq!(
        bands(&timeline),
        [
            (Active, 0, Some(30), None),
            (Working, 30, Some(40), None),
            (Paused, 40, Some(600), Some("interrupted")),
            (Active, 600, None, None),
        ]
    );
    assert_eq!(events(&timeline)[1], (Kind::Pause, 40, "its process died", None));
}

#[test]
fn a_session_closed_while_paused_was_paused_until_then() {
    let meta = session(&[(0, Event::Start), (10, PAUSE), (50, CLOSE)]);
    let timeline = Recorded::default().of(&meta);
    assert_eq!(bands(&timeline), [(Active, 0, Some(10), None), (Paused, 10, Some(50), None)]);
    let kinds: Vec<_> = timeline.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [Kind::Start, Kind::Pause, Kind::End]);
    let paused = session(&[(0, Event::Start), (10, PAUSE)]);
    assert_eq!(bands(&Recorded::default().of(&paused))[1], (Paused, 10, None, Some("user")));
}

#[test]
fn other_events_are_listed_with_the_preceding_message() {
    let meta = session(&[(0, Event::Start)]);
    let injection = |second, reason, source: &str| Injection::new(at(second), reason, source, "é".to_owned());
    let asked = Happened::Asked { id: "p".into(), tool: "Bash".into(), subject: "rm x".into() };
    let answered = Happened::Answered { id: "p".into(), answer: Answered::Deny };
    let commit = |hash: &str, at| CommitMade { hash: hash.repeat(40), subject: "fix: it".into(), at };
    let mut compacted = message(40, Role::System, "Compacted");
    compacted.kind = Some(MessageKind::Compaction);
    let mut failed = message(41, Role::System, "API Error: 529");
    failed.kind = Some(MessageKind::ApiError);
    let mut stopped = message(42, Role::System, "Stopped\u{1b}[31m\nhere");
    stopped.kind = Some(MessageKind::Interrupted);
    let recorded = Recorded {
        messages: vec![message(5, Role::User, "Do it"), compacted, failed, stopped],
        injections: vec![
            injection(1, Reason::Start, "recovery"),
            injection(50, Reason::Clear, "recovery"),
            injection(51, Reason::Clear, "context pack"),
        ],
        activity: vec![
            host_started(&meta, 0),
            ActivityLine::new(at(10), asked),
            ActivityLine::new(at(20), answered),
            ActivityLine::new(at(21), Happened::Other),
        ],
        commits: vec![commit("z", Some(at(-90_000))), commit("a", Some(at(30))), commit("b", None)],
        hooks: vec![hook(11, None), hook(12, Some("it ended with exit code 3"))],
    };
    assert_eq!(
        events(&recorded.of(&meta)),
        [
            (Kind::Start, 0, "", Some("m5")),
            (Kind::Commit, -90_000, "zzzzzzz fix: it", None),
            (Kind::Injection, 1, "recovery at start, 2 bytes", None),
            (Kind::Prompt, 5, "Do it", Some("m5")),
            (Kind::PermissionAsked, 10, "Bash: rm x", Some("m5")),
            (Kind::Hook, 11, "preToolUse: ./x.sh, 1,200 ms", Some("m5")),
            (Kind::HookFailed, 12, "preToolUse: ./x.sh: it ended with exit code 3", Some("m5")),
            (Kind::PermissionAnswered, 20, "denied: Bash: rm x", Some("m5")),
            (Kind::Commit, 30, "aaaaaaa fix: it", Some("m5")),
            (Kind::Commit, 30, "bbbbbbb fix: it", Some("m5")),
            (Kind::Compaction, 40, "Compacted", Some("m40")),
            (Kind::Error, 41, "API Error: 529", Some("m41")),
            (Kind::Interrupted, 42, "Stopped here", Some("m42")),
            (Kind::Clear, 50, "", Some("m42")),
            (Kind::Injection, 50, "recovery at clear, 2 bytes", Some("m42")),
            (Kind::Injection, 51, "context pack at clear, 2 bytes", Some("m42")),
        ]
    );
}

#[test]
fn a_clock_set_back_reorders_and_loses_nothing() {
    let meta = session(&[(0, Event::Start), (3_600, PAUSE), (100, Event::Resume), (200, CLOSE)]);
    let recorded = Recorded {
        messages: vec![
            message(1_000, Role::User, "first"),
            message(3_000, Role::User, "second"),
            message(110, Role::User, "third"),
        ],
        activity: vec![
            host_started(&meta, 0),
            activity(1_000, Doing::Working),
            activity(500, Doing::Prompt),
            host_ended(3_600, Some(PauseReason::User)),
            host_started(&meta, 1),
            host_ended(200, None),
        ],
        ..Recorded::default()
    };
    let timeline = recorded.of(&meta);
    let labels = |kind| timeline.events.iter().filter(move |e| e.kind == kind).map(|e| e.label.as_str());
    assert_eq!(labels(Kind::Prompt).collect::<Vec<_>>(), ["first", "second", "third"]);
    assert_eq!(timeline.events.last().map(|event| event.kind), Some(Kind::End));
    assert_eq!(
        bands(&timeline),
        [
            (Active, 0, Some(1_000), None),
            (Working, 1_000, Some(1_000), None),
            (Waiting, 500, Some(3_600), Some("prompt")),
            (Paused, 3_600, Some(3_600), Some("user")),
            (Active, 100, Some(200), None),
        ]
    );
}

#[test]
fn the_same_time_in_two_zones_is_equal() {
    let in_tokyo = |second| at(second).with_timezone(&chrono::FixedOffset::east_opt(9 * 3600).unwrap());
    let meta = session(&[(0, Event::Start)]);
    let mut second = message(20, Role::User, "second");
    second.timestamp = in_tokyo(20);
    let start = Happened::Began { interval: in_tokyo(0) };
    let recorded = Recorded {
        messages: vec![message(10, Role::User, "first"), second, message(30, Role::User, "third")],
        activity: vec![ActivityLine::new(in_tokyo(0), start), activity(15, Doing::Working)],
        ..Recorded::default()
    };
    let timeline = recorded.of(&meta);
    let labels: Vec<_> = timeline.events.iter().map(|event| event.label.as_str()).collect();
    assert_eq!(labels, ["", "first", "second", "third"]);
    assert_eq!(timeline.bands.len(), 2, "the run was not recognized by its time: {:?}", timeline.bands);
}

proptest! {
    #[test]
    fn every_recorded_prompt_is_listed_once_in_order(
        ends in prop::collection::vec((-500i64..500, -500i64..500), 0..5),
        prompts in prop::collection::vec(-500i64..500, 0..20),
        seen in prop::collection::vec((-500i64..500, 0u8..8), 0..20),
    ) {
        let mut meta = session(&[]);
        for (start, end) in ends {
            meta.active_intervals.push(crate::session::Interval { start: at(start), end: Some(at(end)) });
        }
        let messages: Vec<Message> = prompts
            .iter()
            .enumerate()
            .map(|(n, second)| Message { id: n.to_string(), ..message(*second, Role::User, &n.to_string()) })
            .collect();
        let doing = [Doing::Working, Doing::Prompt, Doing::Permission, Doing::Unknown];
        let activity = seen.iter().map(|(second, n)| match n {
            0..4 => activity(*second, doing[usize::from(*n)]),
            4 => host_ended(*second, None),
            _ => ActivityLine::new(at(*second), Happened::Began { interval: at(*second) }),
        });
        let recorded = Recorded { messages, activity: activity.collect(), ..Recorded::default() };
        let timeline = recorded.of(&meta);
        let prompts_shown: Vec<_> =
            timeline.events.iter().filter(|e| e.kind == Kind::Prompt).map(|e| e.label.clone()).collect();
        prop_assert_eq!(prompts_shown, (0..prompts.len()).map(|n| n.to_string()).collect::<Vec<_>>());
        for band in &timeline.bands {
            prop_assert!(band.to.is_none_or(|to| to >= band.from), "{:?}", band);
        }
    }
}

#[test]
fn reduced_records_are_small_and_give_the_same_timeline() {
    let meta = session(&[(0, Event::Start)]);
    let mut failed = called(10, Some(5), true);
    let calls = failed.tool_calls.as_mut().unwrap();
    calls[0].output = Some("o".repeat(1 << 20));
    calls[0].input = json!({"other": "ö".repeat(1 << 20)}).as_object().unwrap().clone();
    calls.push(ToolCall { is_error: false, ..calls[0].clone() });
    let recorded = Recorded {
        messages: vec![message(5, Role::User, &"é\n".repeat(1 << 20)), failed],
        ..Recorded::default()
    };
    let timeline = recorded.of(&meta);
    assert_eq!(events(&timeline).len(), 3);
    let kept: usize = recorded
        .messages
        .into_iter()
        .map(|message| serde_json::to_string(&lean_message(message)).unwrap().len())
        .sum();
    assert!(kept < 4096, "{kept}");
}
