//! Parses the output of `check.sh`. A place is not trusted: unknown lines are skipped, and strings are
//! shortened and shown as plain text. Performs no I/O.

use bc_core::text::{cut, plain};
use bc_wire::place::{PlaceClock, PlaceHas, PlacePart};
use std::time::Duration;

/// The script's first line. Earlier lines come from the account's shell.
pub(super) const MAGIC: &str = "bc-place-1";
/// The request for the time.
pub(super) const CLOCK: &str = "clock";
/// The request that ends the requests for the time and starts the other checks.
pub(super) const CHECK: &str = "check";
/// The script's last line.
pub(super) const DONE: &str = "done";

/// The maximum length of a string from the place, in characters.
const TEXT_MAX: usize = 300;
const NS_PER_S: u128 = 1_000_000_000;
/// The number of digits of a time in nanoseconds.
const NS_DIGITS: usize = 19;

/// One request for the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    /// The time of the request by this machine's clock, as a duration since the Unix epoch.
    pub(super) at: Duration,
    /// The duration until the answer arrived.
    pub(super) took: Duration,
}

/// Computes the difference between the place's clock and this machine's clock from an answer, by comparing
/// the place's time with the middle of the round trip. `None` if the answer is not a time.
pub(super) fn clock(asked: Asked, answer: &str) -> Option<PlaceClock> {
    let time = answer.strip_prefix(CLOCK)?.trim();
    let digits = time.bytes().take_while(u8::is_ascii_digit).count();
    let number: u128 = time[..digits].parse().ok()?;
    // A `date` without support for `%N` prints the seconds followed by a letter.
    let (at_place, coarse) = match digits {
        NS_DIGITS => (number, 0),
        1..NS_DIGITS => (number.checked_mul(NS_PER_S)? + NS_PER_S / 2, NS_PER_S / 2),
        _ => return None,
    };
    let own = (asked.at + asked.took / 2).as_nanos();
    let ahead_ms = (i128::try_from(at_place).ok()? - i128::try_from(own).ok()?) / 1_000_000;
    let within = (asked.took / 2).as_nanos() + coarse;
    Some(PlaceClock {
        ahead_ms: i64::try_from(ahead_ms).ok()?,
        within_ms: u64::try_from(within.div_ceil(1_000_000)).ok()?,
    })
}

/// The part that a line describes, and for the folder, the free bytes of its disk. `None` for an unknown
/// line. `console` is the version of Beads Console that the place must have, and `bd` states whether agents
/// need bd.
pub(super) fn part(line: &str, console: &str, bd: Bd) -> Option<(PlacePart, Option<u64>)> {
    let (word, text) = line.split_once(' ').unwrap_or((line, ""));
    let text = cut(plain(text).trim(), TEXT_MAX);
    let (word, state) = match word.strip_suffix("-missing") {
        Some(word) => (word, State::Missing),
        None => match word.strip_suffix("-failed") {
            Some(word) => (word, State::Failed),
            None => (word, State::Works),
        },
    };
    let (what, name) = match word {
        "program" => (PlaceHas::Program, "Beads Console"),
        "claude" => (PlaceHas::Claude, "Claude Code"),
        "git" => (PlaceHas::Git, "git"),
        "bd" => (PlaceHas::Bd, "bd"),
        "folder" => (PlaceHas::Folder, "the folder"),
        _ => return None,
    };
    let required = what != PlaceHas::Bd || bd == Bd::Required;
    let of = |ok, version, means: String| PlacePart { what, ok, required, version, means };
    let number = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let version = number.map(|word| word.trim_end_matches([',', ')']).to_owned());
    let part = match (what, state) {
        (PlaceHas::Folder, State::Works) => {
            let free = text.parse::<u64>().ok().and_then(|kib| kib.checked_mul(1024));
            return Some((of(true, None, "a file was written".to_owned()), free));
        }
        (PlaceHas::Folder, _) => of(false, None, format!("no file can be written: {text}")),
        (PlaceHas::Program, State::Missing) => of(
            false,
            None,
            format!("{text} was not found: install version {console}, for example into ~/.local/bin"),
        ),
        (PlaceHas::Bd, State::Missing) => {
            let means = match bd {
                Bd::Required => "bd was not found: install it, because agents use the Dolt server with it",
                Bd::Unused => "bd was not found; agents need it only with a Dolt server",
            };
            of(false, None, means.to_owned())
        }
        (_, State::Missing) => of(false, None, format!("{name} was not found: install it at the place")),
        (_, State::Failed) => of(false, None, format!("{name} failed: {text}")),
        (PlaceHas::Program, State::Works) if version.as_deref() != Some(console) => {
            let present = version.clone().unwrap_or_else(|| "an unknown version".to_owned());
            of(false, version, format!("it is {present}; install version {console}, as on this machine"))
        }
        (_, State::Works) => of(true, version, text),
    };
    Some((part, None))
}

/// Whether agents at a place need bd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bd {
    Required,
    /// Their commands run on the user's machine.
    Unused,
}

enum State {
    Works,
    Missing,
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = "1.2.3";

    fn line(line: &str) -> PlacePart {
        part(line, VERSION, Bd::Unused).unwrap().0
    }

    #[test]
    fn the_clock_is_compared_with_the_middle_of_the_round_trip() {
        let asked = Asked { at: Duration::from_secs(1_700_000_000), took: Duration::from_millis(400) };
        let clock = |answer| clock(asked, answer);
        let exact = clock("clock 1700000001200000000").unwrap();
        assert_eq!(exact, PlaceClock { ahead_ms: 1_000, within_ms: 200 });
        let year = clock("clock 1668464000200000000").unwrap();
        assert_eq!(year.ahead_ms, -31_536_000_000);
        let coarse = clock("clock 1700000000N").unwrap();
        assert_eq!(coarse, PlaceClock { ahead_ms: 300, within_ms: 700 });
        for bad in ["clock", "clock N", "clock -5", "clock 99999999999999999999999", "time 1700000000"] {
            assert_eq!(clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn versions_are_found_and_another_version_of_the_program_is_refused() {
        assert_eq!(line("git git version 2.39.5").version.as_deref(), Some("2.39.5"));
        assert_eq!(line("claude 2.1.329 (Claude Code)").version.as_deref(), Some("2.1.329"));
        assert_eq!(line("bd bd version 1.3.0 (dev)").version.as_deref(), Some("1.3.0"));
        assert!(line("program beads-console 1.2.3").ok);
        for (other, named) in [("1.2.4", "1.2.4"), ("1.2.30", "1.2.30"), ("x", "an unknown version")] {
            let part = line(&format!("program beads-console {other}"));
            assert!(!part.ok && part.means.contains(named) && part.means.contains(VERSION), "{part:?}");
        }
    }

    #[test]
    fn missing_and_failing_parts_have_a_reason_and_bd_is_optional() {
        for (text, required) in
            [("git-missing git", true), ("claude-failed oh no", true), ("bd-missing bd", false)]
        {
            let part = line(text);
            assert!(!part.ok && part.required == required, "{part:?}");
        }
        let bd = part("bd-missing bd", VERSION, Bd::Required).unwrap().0;
        assert!(bd.required && bd.means.contains("Dolt server"), "{bd:?}");
        assert!(line("folder-failed mkdir: No space left on device").means.contains("No space left"));
        assert_eq!(part("folder 2048", VERSION, Bd::Unused).unwrap().1, Some(2 << 20));
        assert_eq!(part("folder", VERSION, Bd::Unused).unwrap().1, None);
    }

    #[test]
    fn texts_are_plain_and_short_and_unknown_lines_are_skipped() {
        let part_ = line(&format!("git-failed \u{1b}[2J{}", "x".repeat(1000)));
        assert!(!part_.means.contains('\u{1b}') && part_.means.len() < 400, "{}", part_.means.len());
        assert_eq!(part("later 1", VERSION, Bd::Unused), None);
        assert_eq!(part("", VERSION, Bd::Unused), None);
    }
}
