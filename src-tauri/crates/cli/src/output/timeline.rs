//! A session's timeline: phases, then events.

use super::{Cell, Style, Table, Tone, moment};
use bc_core::{
    Timestamp,
    session::human_duration,
    text::one_line,
    timeline::{BandKind, Timeline, TimelineBand, TimelineEvent, TimelineEventKind as Kind},
};
use bc_wire::session::SessionState;

/// Phases and events, one line each.
pub(crate) fn page(timeline: &Timeline, style: &Style) -> String {
    if timeline.bands.is_empty() && timeline.events.is_empty() {
        return "No activity yet.\n".to_owned();
    }
    let mut bands = Table::new(&["FROM", "TO", "LASTED", "WHAT", "WHY"], 4);
    for band in &timeline.bands {
        bands.row(vec![
            Cell::plain(&seconds(style, &band.from)),
            Cell::plain(&band.to.as_ref().map_or_else(|| "now".to_owned(), |to| seconds(style, to))),
            Cell::plain(&lasted(band)),
            Cell::new(tone(band.kind), word(band)),
            Cell::plain(band.reason.as_deref().unwrap_or_default()),
        ]);
    }
    let mut events = Table::new(&["AT", "WHAT", ""], 2);
    for event in &timeline.events {
        let (tone, what) = event_word(event);
        events.row(vec![
            Cell::plain(&seconds(style, &event.at)),
            Cell::new(tone, what),
            Cell::plain(&one_line(&event.label)),
        ]);
    }
    format!("{}\n{}", bands.print(style), events.print(style))
}

fn seconds(style: &Style, at: &Timestamp) -> String {
    format!("{}:{}", moment(style, at), at.format("%S"))
}

fn lasted(band: &TimelineBand) -> String {
    let ms = |to: Timestamp| (to - band.from).num_milliseconds().max(0).unsigned_abs();
    band.to.map(|to| human_duration(ms(to))).unwrap_or_default()
}

/// The label of a phase, which is the label of the matching session state if one exists.
fn word(band: &TimelineBand) -> &'static str {
    let state = match (band.kind, band.reason.as_deref()) {
        (BandKind::Active, _) => return "Running",
        (BandKind::Waiting, Some("prompt")) => SessionState::YourTurn,
        (BandKind::Waiting, Some("permission" | "dialog")) => SessionState::NeedsYou,
        (BandKind::Waiting, _) => return "Waiting for you",
        (BandKind::Working, _) => SessionState::Active,
        (BandKind::Paused, Some("interrupted")) => SessionState::Interrupted,
        (BandKind::Paused, _) => SessionState::Paused,
    };
    state.word()
}

fn tone(kind: BandKind) -> Tone {
    match kind {
        BandKind::Active => Tone::Plain,
        BandKind::Working => Tone::Good,
        BandKind::Waiting => Tone::Attention,
        BandKind::Paused => Tone::Faint,
    }
}

fn event_word(event: &TimelineEvent) -> (Tone, &'static str) {
    match event.kind {
        Kind::Start => (Tone::Strong, "started"),
        Kind::Resume => (Tone::Strong, "resumed"),
        Kind::Pause => (Tone::Strong, "paused"),
        Kind::End => (Tone::Strong, "ended"),
        Kind::Prompt => (Tone::Plain, "prompt"),
        Kind::ToolFailed => (Tone::Bad, "tool failed"),
        Kind::PermissionAsked => (Tone::Attention, "asked"),
        Kind::PermissionAnswered => (Tone::Plain, "answered"),
        Kind::Commit => (Tone::Good, "commit"),
        Kind::Compaction => (Tone::Plain, "compacted"),
        Kind::Clear => (Tone::Plain, "cleared"),
        Kind::Injection => (Tone::Faint, "context"),
        Kind::Error => (Tone::Bad, "error"),
        Kind::Interrupted => (Tone::Plain, "stopped"),
        Kind::Hook => (Tone::Faint, "hook"),
        Kind::HookFailed => (Tone::Bad, "hook failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles;
    use expect_test::expect;

    #[test]
    fn phases_and_events_take_one_line_each() {
        let at = |second: i64| {
            Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
                + chrono::TimeDelta::seconds(second)
        };
        let band = |kind, from, to: Option<i64>, reason: Option<&str>| TimelineBand {
            kind,
            from: at(from),
            to: to.map(at),
            reason: reason.map(str::to_owned),
        };
        let event = |second, kind, label: &str| TimelineEvent {
            at: at(second),
            kind,
            label: label.to_owned(),
            message: None,
        };
        let timeline = Timeline {
            bands: vec![
                band(BandKind::Working, 0, Some(90), None),
                band(BandKind::Waiting, 90, Some(3690), Some("permission")),
                band(BandKind::Paused, 3690, None, Some("inactivity")),
            ],
            events: vec![
                event(0, Kind::Start, ""),
                event(61, Kind::ToolFailed, "Bash: \u{1b}[31mcargo test"),
            ],
            warnings: vec![],
        };
        expect![[r#"
            FROM                 TO                   LASTED  WHAT       WHY
            2026-01-19 16:00:00  2026-01-19 16:01:30  1m      Working
            2026-01-19 16:01:30  2026-01-19 17:01:30  1h      Needs you  permission
            2026-01-19 17:01:30  now                          Paused     inactivity

            AT                   WHAT
            2026-01-19 16:00:00  started
            2026-01-19 16:01:01  tool failed  Bash: cargo test
        "#]]
        .assert_eq(&page(&timeline, &test_doubles::PLAIN));
        assert_eq!(page(&Timeline::default(), &test_doubles::PLAIN), "No activity yet.\n");
    }
}
