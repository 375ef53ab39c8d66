//! What an agent was told beside the conversation, text for text.

use super::{Looks, Tone, indented, moment};
use bc_core::{
    recovery::Injection,
    text::{grouped, one_line, plain},
};

/// Each text with when and why it was given, and how long it is.
pub(crate) fn list(injections: &[Injection], looks: &Looks) -> String {
    if injections.is_empty() {
        return "Nothing was put into the agent's context yet.\n".to_owned();
    }
    let texts: Vec<String> = injections.iter().map(|injection| one(injection, looks)).collect();
    texts.join("\n")
}

fn one(injection: &Injection, looks: &Looks) -> String {
    let stale = if injection.stale { " · not fresh: the tracker did not answer in time" } else { "" };
    let faint = format!("{} · {} bytes{stale}", moment(looks, &injection.at), grouped(injection.bytes));
    let heading = format!("{} at {}", one_line(&injection.source), injection.reason.as_str());
    format!(
        "{} · {}\n{}\n",
        looks.paint(Tone::Strong, &heading),
        looks.paint(Tone::Faint, &faint),
        indented(plain(&injection.text).trim_end(), "  ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::LOOKS;
    use bc_core::recovery::Reason;

    #[test]
    fn each_text_is_shown_whole_with_its_reason_and_size() {
        let at = bc_core::Timestamp::parse_from_rfc3339("2026-01-19T16:00:00Z").unwrap();
        let told = Injection {
            stale: true,
            ..Injection::new(at, Reason::Compaction, "recovery", "# Beads\n\u{1b}[2Jtext".into())
        };
        let text = list(&[told], &LOOKS);
        assert!(text.starts_with("recovery at compaction · "), "{text}");
        assert!(text.contains("· 16 bytes · not fresh") && text.ends_with("\n  # Beads\n  text\n"), "{text}");
        assert!(list(&[], &LOOKS).contains("Nothing"));
    }
}
