//! Computes the time bands from the host's records, or estimates them from the messages if there are no
//! records. An estimated turn lasts from its prompt to the last activity before the next prompt.

use super::{
    BandKind, TimelineBand,
    activity::{Doing, Happened, Run},
};
use crate::{
    Timestamp,
    message::{Message, MessageKind, Role},
    session::{Meta, PauseReason, Status},
};

pub(super) fn bands(meta: &Meta, messages: &[Message], runs: &[Run<'_>]) -> Vec<TimelineBand> {
    let mut bands = Bands::default();
    for (at, run) in runs.iter().enumerate() {
        let start = run.interval.start;
        if at > 0 {
            bands.enter(start, None);
        }
        bands.enter(start, Some((BandKind::Active, None)));
        match run.recorded {
            true => add_recorded(&mut bands, run),
            false => add_estimated(&mut bands, &of_run(messages, runs, at)),
        }
        let Some(end) = run.interval.end else { continue };
        let reason = pause_reason(meta, runs, at);
        bands.enter(end, Some((BandKind::Paused, reason.map(PauseReason::as_str))));
    }
    let over = match meta.status {
        Status::Closed => meta.closed_at.or(runs.last().and_then(|run| run.interval.end)),
        Status::Draft | Status::Active | Status::Paused => None,
    };
    bands.done(over)
}

fn add_recorded(bands: &mut Bands, run: &Run<'_>) {
    // A host that died may have written lines after its last heartbeat, at which its interval ends.
    let end = run.interval.end.filter(|_| !run.ended());
    for line in &run.lines {
        let Happened::Activity { is } = &line.what else { continue };
        let at = end.map_or(line.at, |end| line.at.min(end));
        bands.enter(at, Some(doing(*is)));
    }
}

fn doing(is: Doing) -> (BandKind, Option<&'static str>) {
    match is {
        Doing::Starting | Doing::Unknown | Doing::Gone => (BandKind::Active, None),
        Doing::Prompt => (BandKind::Waiting, Some("prompt")),
        Doing::Permission => (BandKind::Waiting, Some("permission")),
        Doing::Dialog => (BandKind::Waiting, Some("dialog")),
        Doing::Working => (BandKind::Working, None),
    }
}

/// The messages of an interval: from its start to the start of the next interval.
fn of_run<'a>(messages: &'a [Message], runs: &[Run<'_>], at: usize) -> Vec<&'a Message> {
    let is_in_run = |message: &&Message| {
        runs.iter().rposition(|run| run.interval.start <= message.timestamp).unwrap_or(0) == at
    };
    messages.iter().filter(is_in_run).collect()
}

/// Adds bands estimated from the messages. The activity after the last message is known only if the turn was
/// complete.
fn add_estimated(bands: &mut Bands, messages: &[&Message]) {
    let mut last_sign: Option<Timestamp> = None;
    for message in messages {
        if is_prompt(message) {
            if let Some(over) = last_sign {
                bands.enter(over, Some((BandKind::Waiting, Some("prompt"))));
            }
            bands.enter(message.timestamp, Some((BandKind::Working, None)));
        }
        let sign = sign_of_life(message);
        last_sign = Some(last_sign.map_or(sign, |last| last.max(sign)));
    }
    let Some((over, last)) = last_sign.zip(messages.last()) else { return };
    let complete = last.kind == Some(MessageKind::Interrupted)
        || (last.role == Role::Assistant && last.tool_calls.as_ref().is_none_or(Vec::is_empty));
    let then = if complete { (BandKind::Waiting, Some("prompt")) } else { (BandKind::Active, None) };
    bands.enter(over, Some(then));
}

pub(super) fn is_prompt(message: &Message) -> bool {
    message.role == Role::User && message.kind.is_none() && message.subagent.is_none()
}

/// The time of the message's last sign of life, assuming that its tools ran one after the other.
fn sign_of_life(message: &Message) -> Timestamp {
    let ran: u64 = message.tool_calls.iter().flatten().filter_map(|call| call.duration_ms).sum();
    later_by(message.timestamp, ran)
}

/// The time `ms` milliseconds later; `at` itself if that time cannot be represented.
pub(super) fn later_by(at: Timestamp, ms: u64) -> Timestamp {
    let ran = i64::try_from(ms).ok().and_then(chrono::TimeDelta::try_milliseconds);
    ran.and_then(|ran| at.checked_add_signed(ran)).unwrap_or(at)
}

/// Bands under construction. Each band ends where the next one starts.
#[derive(Default)]
struct Bands {
    done: Vec<TimelineBand>,
    open: Option<TimelineBand>,
}

impl Bands {
    /// Ends the open band and starts another one, if it is different.
    fn enter(&mut self, at: Timestamp, next: Option<(BandKind, Option<&'static str>)>) {
        let same = |open: &TimelineBand| {
            next.is_some_and(|(kind, reason)| open.kind == kind && open.reason.as_deref() == reason)
        };
        if self.open.as_ref().is_some_and(same) {
            return;
        }
        self.end(at);
        self.open = next.map(|(kind, reason)| TimelineBand {
            kind,
            from: at,
            to: None,
            reason: reason.map(str::to_owned),
        });
    }

    /// Ends the open band. An empty band is dropped. If the clock was set back to before the band's start,
    /// the band is kept with length zero.
    fn end(&mut self, at: Timestamp) {
        if let Some(band) = self.open.take().filter(|band| band.from != at) {
            self.done.push(TimelineBand { to: Some(band.from.max(at)), ..band });
        }
    }

    fn done(mut self, over: Option<Timestamp>) -> Vec<TimelineBand> {
        match over {
            Some(at) => self.end(at),
            None => self.done.extend(self.open.take()),
        }
        self.done
    }
}

/// Why the session was paused at the end of the run, if known.
pub(super) fn pause_reason(meta: &Meta, runs: &[Run<'_>], at: usize) -> Option<PauseReason> {
    let last = at + 1 == runs.len();
    runs[at].paused().or(meta.pause_reason.filter(|_| last))
}
