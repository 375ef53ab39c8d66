//! A session's state on the command line: a symbol and a label, the same in every table.

use super::{Style, Tone, moment};
use bc_core::Timestamp;
use bc_wire::session::{SessionState, SessionView};

/// The symbol and the label, and their tone. A usage limit is shown with the time at which it ends.
pub(crate) fn of(session: &SessionView, style: &Style) -> (String, Tone) {
    let until = session.live.as_ref().and_then(|live| live.failure.as_ref()?.until);
    let (text, tone) = shown(session.state, until, style);
    let simulated = if session.meta.simulated { ", simulated" } else { "" };
    (format!("{text}{simulated}"), tone)
}

/// Like [`of`], for callers that have only the state.
pub(crate) fn shown(state: SessionState, until: Option<Timestamp>, style: &Style) -> (String, Tone) {
    use SessionState as S;
    let (mark, tone) = match state {
        S::Draft => ("◌", Tone::Faint),
        S::Starting | S::Active | S::Ending => ("●", Tone::Good),
        S::Queued => ("⋯", Tone::Faint),
        S::Retrying => ("↻", Tone::Attention),
        S::RateLimited => ("⧗", Tone::Attention),
        S::YourTurn => ("↩", Tone::Attention),
        S::NeedsYou | S::DialogOpen => ("!", Tone::Attention),
        S::Paused | S::Exited => ("◐", Tone::Attention),
        S::Interrupted => ("✗", Tone::Bad),
        S::Closed => ("○", Tone::Faint),
    };
    let until =
        until.filter(|_| state == S::RateLimited).map(|end| format!(" until {}", moment(style, &end)));
    (format!("{mark} {}{}", state.word(), until.unwrap_or_default()), tone)
}
