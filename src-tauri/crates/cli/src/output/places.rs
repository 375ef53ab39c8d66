//! Places, and the result of checking one.

use super::{
    Style, Tone,
    table::{Cell, Table},
};
use bc_core::text::one_line;
use bc_wire::place::{PlaceCheck, PlaceClock, PlaceHas, PlacePart, Places};

/// A larger clock difference is highlighted, in milliseconds after subtracting the measurement error.
const CLOCK_APART_MS: u64 = 2_000;

/// One line per place.
pub(crate) fn list(places: &Places, style: &Style) -> String {
    if places.places.is_empty() {
        return "No places. Add one: beads-console places add NAME HOST\n".to_owned();
    }
    let mut table = Table::new(&["NAME", "RUNS ON", "FOLDER", "CAPACITY", "LABELS", "STATE"], 2);
    for place in &places.places {
        let capacity = place.capacity.map_or("unlimited".to_owned(), |capacity| capacity.to_string());
        let state = if place.draining { "draining" } else { "" };
        let (target, labels) = (place.kind.target(), place.labels.join(" "));
        let row = [&place.name, &target, &place.folder, &capacity, &labels, state];
        table.row(row.map(Cell::plain).into());
    }
    table.print(style)
}

/// The result of checking a place: one line each for the connection, the checked parts and the clock.
pub(crate) fn check(check: &PlaceCheck, style: &Style) -> String {
    let place = &check.place;
    let mut text = format!(
        "{} · {}\n",
        style.paint(Tone::Strong, &one_line(&place.name)),
        one_line(&place.kind.target())
    );
    let mut line = |tone, sign: &str, what: &str, means: &str| {
        text.push_str(&format!("{} {what:<13} {}\n", style.paint(tone, sign), one_line(means)));
    };
    line(Tone::Good, "yes", "connection", "a command ran at the place");
    for PlacePart { what, ok, required, means, .. } in &check.parts {
        let (tone, sign) = match (ok, required) {
            (true, _) => (Tone::Good, "yes"),
            (false, true) => (Tone::Bad, "no "),
            (false, false) => (Tone::Faint, "no "),
        };
        let name = match what {
            PlaceHas::Program => "Beads Console",
            PlaceHas::Claude => "claude",
            PlaceHas::Git => "git",
            PlaceHas::Bd => "bd",
            PlaceHas::Folder => "folder",
        };
        let free = check.free.filter(|_| *ok && *what == PlaceHas::Folder);
        let free = free.map_or(String::new(), |bytes| format!("; {} free", super::units::size(bytes)));
        line(tone, sign, name, &format!("{means}{free}"));
    }
    match check.clock {
        Some(clock) => {
            let apart = clock.ahead_ms.unsigned_abs().saturating_sub(clock.within_ms) > CLOCK_APART_MS;
            line(if apart { Tone::Attention } else { Tone::Good }, "yes", "clock", &difference(clock));
        }
        None => line(Tone::Faint, "no ", "clock", "its time is unknown"),
    }
    text
}

fn difference(clock: PlaceClock) -> String {
    let direction = if clock.ahead_ms < 0 { "behind" } else { "ahead of" };
    #[allow(clippy::cast_precision_loss, reason = "shown with one or three digits")]
    let seconds = |ms: u64| ms as f64 / 1000.0;
    format!(
        "{:.1} s {direction} this machine (±{:.3} s)",
        seconds(clock.ahead_ms.unsigned_abs()),
        seconds(clock.within_ms)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clocks_difference_has_a_direction() {
        let text = |ahead_ms| difference(PlaceClock { ahead_ms, within_ms: 12 });
        assert_eq!(text(-31_536_000_000), "31536000.0 s behind this machine (±0.012 s)");
        assert_eq!(text(1_500), "1.5 s ahead of this machine (±0.012 s)");
    }
}
