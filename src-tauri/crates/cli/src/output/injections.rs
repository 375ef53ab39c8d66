//! The context injections of a session, in full.

use super::{Style, Tone, indented, moment};
use bc_core::{
    recovery::Injection,
    text::{grouped, one_line, plain},
};

/// Each injection with its time, reason, size and text.
pub(crate) fn list(injections: &[Injection], style: &Style) -> String {
    if injections.is_empty() {
        return "No context injections yet.\n".to_owned();
    }
    let texts: Vec<String> = injections.iter().map(|injection| one(injection, style)).collect();
    texts.join("\n")
}

fn one(injection: &Injection, style: &Style) -> String {
    let stale =
        if injection.stale { " · possibly outdated: the tracker did not answer in time" } else { "" };
    let faint = format!("{} · {} bytes{stale}", moment(style, &injection.at), grouped(injection.bytes));
    let heading = format!("{} at {}", one_line(&injection.source), injection.reason.as_str());
    format!(
        "{} · {}\n{}\n",
        style.paint(Tone::Strong, &heading),
        style.paint(Tone::Faint, &faint),
        indented(plain(&injection.text).trim_end(), "  ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::PLAIN;
    use bc_core::recovery::Reason;

    #[test]
    fn injections_are_shown_in_full_with_reason_and_size() {
        let at = bc_core::Timestamp::parse_from_rfc3339("2026-01-19T16:00:00Z").unwrap();
        let injection = Injection {
            stale: true,
            ..Injection::new(at, Reason::Compaction, "recovery", "# Beads\n\u{1b}[2Jtext".into())
        };
        let text = list(&[injection], &PLAIN);
        assert!(text.starts_with("recovery at compaction · "), "{text}");
        assert!(
            text.contains("· 16 bytes · possibly outdated") && text.ends_with("\n  # Beads\n  text\n"),
            "{text}"
        );
        assert!(list(&[], &PLAIN).contains("No context injections"));
    }
}
