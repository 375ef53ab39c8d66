//! Claude's input box, as read from the screen: its content, and the permission mode on the line below it.
//!
//! Performs no I/O. A dialog replaces the box, so a box at the bottom of the screen proves that no dialog is
//! open. Dialogs also have framed fields, and so does claude's view of background agents. The input box
//! differs from all of them: its rules span the whole terminal, its marker is followed by a no-break space,
//! and the cursor is inside it while keys go to it. The recorded screens in `tests/screens` are the evidence.
//! A box in the conversation above is never mistaken for it, because only the lowest frame is read.

use crate::prompt_images;
use bc_core::{mode::PermissionMode, text};
use bc_process::screen::ScreenContents;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PromptBox {
    /// The visible part of the typed text; may be empty.
    pub(crate) typed: String,
    /// The number of lines of the text above the visible part.
    pub(crate) above: usize,
    /// The mode named below the box, if any.
    pub(crate) mode: Option<PermissionMode>,
    /// Whether the cursor is in the box, so that keys go to the box and not to a search field below it.
    pub(crate) focused: bool,
}

/// Claude's names for its modes below the box. Versions without a name for Manual show a help hint instead.
const MODES: [(&str, PermissionMode); 6] = [
    ("manual mode on", PermissionMode::Manual),
    ("accept edits on", PermissionMode::AcceptEdits),
    ("plan mode on", PermissionMode::Plan),
    ("auto mode on", PermissionMode::Auto),
    ("bypass permissions on", PermissionMode::BypassPermissions),
    ("? for shortcuts", PermissionMode::Manual),
];

/// Words below a box that indicate a dialog or another view.
const HINTS: [&str; 8] = [
    "enter to ",
    "space to ",
    "esc to cancel",
    "esc to close",
    "esc to exit",
    "esc to go back",
    "to navigate",
    "to select",
];

/// The end of the terminal's title in claude's view of background agents. That view's field for a new agent
/// looks like the input box.
const AGENTS_TITLE: &str = "claude agents";

/// The number of columns before the text: the marker and a no-break space, or two spaces.
const INDENT: usize = 2;

/// Finds the box on a screen; `None` if something else is in its place.
pub(crate) fn read(drawn: &ScreenContents) -> Option<PromptBox> {
    let lines = &drawn.lines;
    let is_rule = |line: &String| is_rule(line, drawn.cols);
    let bottom = lines.iter().rposition(is_rule)?;
    let top = lines[..bottom].iter().rposition(is_rule)?;
    let (above, first) = (more_above(&lines[top]), lines.get(top + 1).filter(|_| top + 1 < bottom)?);
    let mark = mark_of(first);
    if above == 0 && mark.is_none() {
        return None;
    }
    let below = &lines[bottom + 1..];
    if drawn.title.ends_with(AGENTS_TITLE) || below.iter().any(|line| is_hint(line)) {
        return None;
    }
    let inside = drawn.without_hints.get(top + 1..bottom)?;
    let text: Vec<String> = inside.iter().map(|line| line.chars().skip(INDENT).collect()).collect();
    let text = text.join("\n").trim().to_owned();
    let typed = match mark {
        // In shell mode, the content is not a prompt.
        Some('!') => format!("! {text}").trim_end().to_owned(),
        _ => text,
    };
    let (row, col) = drawn.cursor;
    let start = (top + 1, INDENT);
    let focused = if typed.is_empty() { (row, col) == start } else { (top + 1..bottom).contains(&row) };
    let mode =
        MODES.iter().find(|(name, _)| below.iter().any(|line| line.contains(name))).map(|(_, mode)| *mode);
    Some(PromptBox { typed, above, mode, focused })
}

/// Whether the title indicates that no turn is running. It also does so while a dialog is open.
pub(crate) fn is_idle_title(title: &str) -> bool {
    title.starts_with('✳')
}

impl PromptBox {
    /// Whether text can be pasted: the box is empty and has the cursor.
    pub(crate) fn is_free(&self) -> bool {
        self.typed.is_empty() && self.focused
    }

    /// Whether the box shows only this text or a part of it, or claude's placeholder for long text.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let shown = squeezed(&prompt_images::without(&self.typed));
        let placeholder = shown.starts_with("[Pastedtext#") && shown.ends_with(']');
        !shown.is_empty() && (placeholder || squeezed(text).contains(&shown))
    }

    /// Whether this text, pasted into the empty box, has appeared. Claude may draw emoji differently and
    /// abbreviates long text, so only the beginning is compared, or the end if the box is scrolled.
    pub(crate) fn shows(&self, text: &str) -> bool {
        let shown = letters(&prompt_images::without(&self.typed));
        let wanted = letters(text);
        if !self.focused || self.typed.is_empty() {
            return false;
        }
        // Either there are no characters to compare, or the box shows claude's placeholder. The box was empty
        // before, so any content is the text.
        if wanted.is_empty() || shown.starts_with("[Pastedtext#") {
            return true;
        }
        let head = |text: &str| text.chars().take(COMPARED).collect::<String>();
        let tail = |text: &str| {
            let skipped = text.chars().count().saturating_sub(COMPARED);
            text.chars().skip(skipped).collect::<String>()
        };
        let matches = match self.above {
            0 => head(&wanted).starts_with(&head(&shown)) || shown.starts_with(&head(&wanted)),
            _ => wanted.ends_with(&tail(&shown)),
        };
        !shown.is_empty() && matches
    }
}

/// The number of characters to compare.
const COMPARED: usize = 24;

/// Keeps only letters, digits and ASCII punctuation, so that wrapping and emoji are ignored.
fn letters(text: &str) -> String {
    text::composed(text).chars().filter(|c| c.is_alphanumeric() || c.is_ascii_punctuation()).collect()
}

/// Whether a line below the box describes the keys of a dialog. Older versions also list suggested commands
/// and files below the box, with arbitrary descriptions, which do not count.
fn is_hint(line: &str) -> bool {
    let line = line.to_lowercase();
    !line.trim_start().starts_with(['/', '+', '*']) && HINTS.iter().any(|hint| line.contains(hint))
}

/// The marker of the box's first line. Lists in dialogs also mark an entry, but with a plain space after the
/// marker.
fn mark_of(line: &str) -> Option<char> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '❯' | '!'))?;
    line[mark.len_utf8()..].starts_with('\u{a0}').then_some(mark)
}

/// The number of hidden lines, from the top rule of a scrolled box: `─── ↑ 54 more ───`.
fn more_above(rule: &str) -> usize {
    let rest = rule.split_once('↑').map_or("", |(_, rest)| rest.trim_start());
    rest.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Whether this is a rule across the whole terminal, with or without a name in it. Wide letters take two
/// columns each.
fn is_rule(line: &str, cols: usize) -> bool {
    line.starts_with('─') && line.ends_with('─') && line.chars().count() * 2 > cols
}

#[cfg(test)]
mod recorded_screens;
#[cfg(test)]
mod tests {
    use super::*;

    /// A screen of 20 columns with the cursor at the start of the lowest input field.
    fn drawn(screen: &str) -> ScreenContents {
        let rule = "─".repeat(20);
        let lines: Vec<String> = screen.replace("----", &rule).lines().map(str::to_owned).collect();
        let row = lines.iter().rposition(|line| line.starts_with('❯')).unwrap_or(0);
        ScreenContents {
            without_hints: lines.clone(),
            lines,
            cursor: (row, 2),
            cols: 20,
            title: "✳ Claude".into(),
        }
    }

    #[track_caller]
    fn check(screen: &str, expect: Option<(&str, Option<PermissionMode>)>) {
        let expect = expect.map(|(typed, mode)| (typed.to_owned(), mode));
        assert_eq!(read(&drawn(screen)).map(|found| (found.typed, found.mode)), expect, "{screen}");
    }

    #[test]
    fn an_empty_box_and_the_mode_below_it() {
        let manual = Some(PermissionMode::Manual);
        check("● Reply\n----\n❯\u{a0}\n----\n\n  ⏸ manual mode on · ← for agents", Some(("", manual)));
        let edits = Some(PermissionMode::AcceptEdits);
        check("----\n❯\u{a0}\n----\n  ⏵⏵ accept edits on (shift+tab to cycle)", Some(("", edits)));
        check("----\n❯\u{a0}\n----\n  Press Ctrl-C again to exit", Some(("", None)));
    }

    #[test]
    fn a_box_with_a_name_and_several_lines() {
        check("─────────── a name ─\n❯\u{a0}one\n  two\n----\n", Some(("one\ntwo", None)));
    }

    #[test]
    fn a_scrolled_box_shows_the_end_of_the_text() {
        let screen = drawn("─── ↑ 54 more ──────\n  line 58\n  line 59\n----\n  ⏸ manual mode on");
        let found = read(&ScreenContents { cursor: (2, 9), ..screen }).unwrap();
        assert_eq!((found.typed.as_str(), found.above), ("line 58\nline 59", 54));
        assert!(found.holds("line 1\nline 58\nline 59\n") && found.shows("line 1\nline 58\nline 59\n"));
        assert!(!found.shows("line 58\nline 59\nline 60"));
    }

    #[test]
    fn a_hint_does_not_count_as_typed() {
        let screen = drawn("----\n❯\u{a0}Try this\n----");
        let without_hints = drawn("----\n❯\u{a0}\n----").lines;
        assert!(read(&ScreenContents { without_hints, ..screen }).unwrap().is_free());
    }

    #[test]
    fn a_box_without_the_cursor_is_not_free() {
        // In older versions, Ctrl+R searches on the line below the box.
        let screen = drawn("----\n❯\u{a0}\n----\n  search prompts:");
        assert!(read(&screen).unwrap().is_free());
        assert!(!read(&ScreenContents { cursor: (3, 18), ..screen }).unwrap().is_free());
    }

    #[test]
    fn a_dialog_is_no_box() {
        check("----\n Bash command\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n Esc to cancel", None);
        check("----\n❯ 1. Default\n  2. Other\n----\n  Enter to confirm", None);
        check("----\n❯ No\n  Yes\n----", None);
        check("----\n❯\u{a0}\n----\n  ↑/↓ to navigate", None);
        check("❯ [[hang]]\n● Reply\n", None);
        check("", None);
    }

    #[test]
    fn the_field_for_another_agent_is_not_the_box() {
        let screen = drawn("----\n❯\u{a0}\n----");
        let title = "1 awaiting input · claude agents".to_owned();
        assert_eq!(read(&ScreenContents { title, ..screen }), None);
    }

    #[test]
    fn shell_mode_is_not_a_free_box() {
        check("----\n!\u{a0}\n----\n  ! for shell mode", Some(("!", None)));
    }

    #[test]
    fn a_box_in_the_conversation_does_not_count() {
        check("● a drawing:\n----\n❯\u{a0}\n----\nSelect model\n----\n Default", None);
        check("● a drawing:\n  ──────────────────\n  ❯\u{a0}\n  ──────────────────", None);
    }

    #[test]
    fn a_returned_prompt_is_recognized() {
        let shown = |typed: &str| PromptBox { typed: typed.into(), above: 0, mode: None, focused: true };
        assert!(shown("fix it\nplease").holds("fix it\n  please"));
        assert!(shown("[Pasted text #2 +40 lines]").holds("a long text"));
        assert!(!shown("fix it and more").holds("fix it"));
        assert!(!shown("").holds("fix it"));
    }

    #[test]
    fn a_pasted_text_is_recognized_however_it_is_drawn() {
        let shown = |typed: &str| PromptBox { typed: typed.into(), above: 0, mode: None, focused: true };
        assert!(shown("a rather\nlong text").shows("a rather long text"));
        assert!(shown("[Pasted text #1 +3000 lines]").shows(&"line\n".repeat(3000)));
        assert!(shown("👩 größe").shows("👩‍💻 größe"));
        assert!(shown("\u{e9}t\u{e9}").shows("e\u{301}te\u{301}"));
        assert!(shown("🎉🎉").shows("🎉🎉"));
        assert!(!shown("").shows("🎉🎉"));
        assert!(!shown("something else").shows("fix the tests"));
        assert!(!PromptBox { focused: false, ..shown("fix the tests") }.shows("fix the tests"));
    }
}
