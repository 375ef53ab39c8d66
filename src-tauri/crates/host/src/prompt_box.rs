//! Claude's input box, read off the screen: what stands in it, and what the line below says.
//!
//! Pure. A dialog is drawn in the box's place, so a box at the foot of the screen says that none is
//! open. What is written in the conversation above never counts: only the lowest frame does.

use bc_core::mode::PermissionMode;

/// The box as it is drawn now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PromptBox {
    /// What was typed, as far as the box shows it; empty when nothing was.
    pub(crate) typed: String,
    /// How many lines of it are above what the box shows.
    pub(crate) above: usize,
    /// The mode that the line below names; absent where it names none.
    pub(crate) mode: Option<PermissionMode>,
}

/// How claude calls its modes below the box. Versions that call Manual nothing offer help instead.
const MODES: [(&str, PermissionMode); 6] = [
    ("manual mode on", PermissionMode::Manual),
    ("accept edits on", PermissionMode::AcceptEdits),
    ("plan mode on", PermissionMode::Plan),
    ("auto mode on", PermissionMode::Auto),
    ("bypass permissions on", PermissionMode::BypassPermissions),
    ("? for shortcuts", PermissionMode::Manual),
];

/// Finds the box on a screen; `None` while something else is in its place. `without_hints` is the same
/// screen, line by line, without what only hints at what could be typed.
pub(crate) fn read(screen: &str, without_hints: &str) -> Option<PromptBox> {
    let lines: Vec<&str> = screen.lines().collect();
    let typed: Vec<&str> = without_hints.lines().collect();
    let bottom = lines.iter().rposition(|line| is_rule(line))?;
    let top = lines[..bottom].iter().rposition(|line| is_rule(line))?;
    let below = lines[bottom + 1..].join("\n");
    let above = more_above(lines[top]);
    let mut inside = (top + 1..bottom).map(|at| unframed(typed.get(at).copied().unwrap_or("")));
    let first = inside.next()?;
    let first = match above {
        0 => first.strip_prefix('❯').or_else(|| first.strip_prefix('>'))?.trim(),
        _ => first,
    };
    if is_choice(first) || ["Enter to", "Esc to cancel"].iter().any(|hint| below.contains(hint)) {
        return None;
    }
    let typed: Vec<&str> = std::iter::once(first).chain(inside).collect();
    let mode = MODES.iter().find(|(name, _)| below.contains(name)).map(|(_, mode)| *mode);
    Some(PromptBox { typed: typed.join("\n").trim().to_owned(), above, mode })
}

/// Whether the title says that no turn runs. It says so too while a dialog is open.
pub(crate) fn is_idle_title(title: &str) -> bool {
    title.starts_with('✳')
}

impl PromptBox {
    /// Whether the box holds this text, or its stand-in, and nothing else.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let shown = squeezed(&self.typed);
        let stand_in = shown.starts_with("[Pastedtext#") && shown.ends_with(']');
        !shown.is_empty() && (stand_in || squeezed(text).contains(&shown))
    }
}

/// `─── ↑ 54 more ───`: the box is scrolled.
fn more_above(rule: &str) -> usize {
    let rest = rule.split_once('↑').map_or("", |(_, rest)| rest.trim_start());
    rest.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// A line from side to side, with a word in it or not.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let drawn = |c: char| matches!(c, '─' | '╭' | '╮' | '╰' | '╯');
    line.chars().take_while(|c| drawn(*c)).count() >= 3
        && line.ends_with(drawn)
        && line.chars().filter(|c| drawn(*c)).count() >= 4
}

fn unframed(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix('│').and_then(|rest| rest.strip_suffix('│')).unwrap_or(line).trim()
}

/// `1. Yes`: the marked entry of a list.
fn is_choice(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(". ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(screen: &str, expect: Option<(&str, Option<PermissionMode>)>) {
        let expect = expect.map(|(typed, mode)| PromptBox { typed: typed.to_owned(), above: 0, mode });
        assert_eq!(read(screen, screen), expect, "{screen}");
    }

    #[test]
    fn an_empty_box_and_the_mode_below_it() {
        let manual = Some(PermissionMode::Manual);
        check("● Reply\n────────\n❯\n────────\n\n  ⏸ manual mode on · ← for agents", Some(("", manual)));
        let edits = Some(PermissionMode::AcceptEdits);
        check("────────\n❯\n────────\n  ⏵⏵ accept edits on (shift+tab to cycle)", Some(("", edits)));
        check("────────\n❯\n────────\n  Press Ctrl-C again to exit", Some(("", None)));
    }

    #[test]
    fn a_box_with_a_frame_and_several_lines() {
        check(
            "╭──────╮\n│ > one │\n│ two  │\n╰──────╯\n ? for shortcuts",
            Some(("one\ntwo", Some(PermissionMode::Manual))),
        );
    }

    #[test]
    fn a_box_that_is_scrolled_shows_the_end_of_the_text() {
        let screen = "─── ↑ 54 more ────────\n  line 58\n  line 59\n──────────\n  ⏸ manual mode on";
        let found = read(screen, screen).unwrap();
        assert_eq!((found.typed.as_str(), found.above), ("line 58\nline 59", 54));
        assert!(found.holds("line 1\nline 58\nline 59\n"));
    }

    #[test]
    fn a_hint_is_nothing_typed() {
        let screen = "─── ✳ a name ───\n❯ Try this\n────────\n";
        let found = read(screen, "───           ──\n❯\n────────\n").unwrap();
        assert_eq!(found.typed, "");
    }

    #[test]
    fn a_dialog_is_no_box() {
        check("────────\n Bash command\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n Esc to cancel", None);
        check("────────\n❯ 1. Default\n  2. Other\n────────\n  Enter to confirm", None);
        check("❯ [[hang]]\n● Reply\n", None);
        check("", None);
    }

    #[test]
    fn what_the_conversation_shows_is_no_box() {
        check("● a drawing:\n────────\n❯\n────────\nSelect model\n────────\n Default", None);
    }

    #[test]
    fn a_prompt_that_was_given_back_is_known_again() {
        let shown = |typed: &str| PromptBox { typed: typed.into(), above: 0, mode: None };
        assert!(shown("fix it\nplease").holds("fix it\n  please"));
        assert!(shown("[Pasted text #2 +40 lines]").holds("a long text"));
        assert!(!shown("fix it and more").holds("fix it"));
        assert!(!shown("").holds("fix it"));
    }
}
