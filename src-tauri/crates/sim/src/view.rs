//! Renders the screen as bytes, without I/O. Each frame is drawn completely.

use bc_core::text;
use bc_process::size::Size;
use std::collections::VecDeque;

/// The first line of every screen.
pub(crate) const BANNER: &str = "SIMULATED AGENT – not Claude Code";

/// Written before the first frame: alternate screen, bracketed paste, no automatic wrapping.
pub(crate) const ENTER: &str = "\x1b[?1049h\x1b[?2004h\x1b[?7l";

/// Written after the last frame, to undo [`ENTER`].
pub(crate) const LEAVE: &str = "\x1b[?7h\x1b[?2004l\x1b[?1049l";

/// The number of paragraphs that are kept.
const KEPT: usize = 500;

/// The messages so far, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Log {
    paragraphs: VecDeque<String>,
}

impl Log {
    pub(crate) fn add(&mut self, paragraph: &str) {
        self.paragraphs.push_back(text::plain(paragraph));
        if self.paragraphs.len() > KEPT {
            self.paragraphs.pop_front();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.paragraphs.clear();
    }
}

/// The area below the log.
#[derive(Debug)]
pub(crate) enum Below<'a> {
    Input(&'a str),
    Dialog { question: &'a str, answers: &'a [&'a str] },
}

#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) size: Size,
    pub(crate) log: &'a Log,
    pub(crate) growing: &'a str,
    pub(crate) below: Below<'a>,
    pub(crate) footer: &'a str,
    pub(crate) busy: bool,
}

/// The bytes of a frame, title and cursor included.
pub(crate) fn draw(frame: &Frame<'_>) -> String {
    let (rows, cols) = (usize::from(frame.size.rows()), usize::from(frame.size.cols()));
    let below = below(&frame.below, rows, cols);
    let footer = text::cut(&format!("  {}", frame.footer), cols);
    let room = rows.saturating_sub(2 + below.len());
    let mut lines = vec![format!("\x1b[7m{}\x1b[0m", text::cut(BANNER, cols))];
    lines.extend(tail(frame, room, cols));
    let below_end = below.iter().rev().nth(1).map(|line| line.chars().count());
    lines.extend(below);
    // The cursor is after the typed text, as in claude.
    let cursor = match (&frame.below, below_end) {
        (Below::Input(_), Some(cols)) => format!("\x1b[{};{}H", lines.len() - 1, cols + 1),
        _ => String::new(),
    };
    lines.push(footer);
    // A small screen shows the beginning, which contains the banner.
    lines.truncate(rows);
    let title = if frame.busy { "◐" } else { "✳" };
    format!(
        "\x1b]0;{title} Simulated agent\x07\x1b[?25l\x1b[H{}{cursor}\x1b[?25h",
        lines.join("\x1b[K\r\n") + "\x1b[K\x1b[J"
    )
}

/// The last lines of the log, padded with empty lines.
fn tail(frame: &Frame<'_>, room: usize, cols: usize) -> Vec<String> {
    let growing = text::plain(frame.growing);
    let growing = (!growing.is_empty()).then_some(&growing);
    let mut lines: Vec<String> = Vec::new();
    for paragraph in growing.into_iter().chain(frame.log.paragraphs.iter().rev()) {
        if lines.len() >= room {
            break;
        }
        lines.extend(wrapped(paragraph, cols).into_iter().rev());
    }
    lines.truncate(room);
    lines.reverse();
    lines.resize(room, String::new());
    lines
}

fn below(below: &Below<'_>, rows: usize, cols: usize) -> Vec<String> {
    let rule = "─".repeat(cols);
    let mut lines = vec![rule.clone()];
    match below {
        Below::Input(input) => {
            let text = text::plain(input);
            let mut shown = wrapped(&text, cols.saturating_sub(2));
            let most = (rows / 3).max(1);
            shown.drain(..shown.len().saturating_sub(most));
            // Claude's own prompt mark, by which hosts recognize the input box.
            let mark = |n: usize| if n == 0 { "❯\u{a0}" } else { "  " };
            lines.extend(shown.iter().enumerate().map(|(n, line)| format!("{}{line}", mark(n))));
        }
        Below::Dialog { question, answers } => {
            lines.extend(wrapped(&text::plain(question), cols).into_iter().take(rows / 3 + 1));
            let mark = |n: usize| if n == 0 { "❯" } else { " " };
            lines.extend(
                answers.iter().enumerate().map(|(n, answer)| format!("{} {}. {answer}", mark(n), n + 1)),
            );
        }
    }
    lines.push(rule);
    lines
}

/// Wraps text into lines of at most `cols` characters. An empty string becomes one empty line.
fn wrapped(text: &str, cols: usize) -> Vec<String> {
    let cols = cols.max(1);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let letters: Vec<char> = line.replace('\t', "    ").chars().collect();
        if letters.is_empty() {
            lines.push(String::new());
        }
        lines.extend(letters.chunks(cols).map(|chunk| chunk.iter().collect::<String>()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_process::screen::Screen;

    fn shown(size: Size, log: &Log, below: Below<'_>) -> Vec<String> {
        let frame = Frame { size, log, growing: "", below, footer: "footer", busy: false };
        let mut screen = Screen::new(size);
        screen.feed(ENTER.as_bytes());
        screen.feed(draw(&frame).as_bytes());
        screen.text().lines().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn the_banner_is_first_and_the_input_is_below_the_log() {
        let mut log = Log::default();
        log.add("one");
        let lines = shown(Size::new(8, 40), &log, Below::Input("typed"));
        assert_eq!(lines[0], BANNER);
        assert_eq!(lines[1], "one");
        assert_eq!(lines[5], "❯\u{a0}typed");
        assert_eq!(lines[7], "  footer");
    }

    #[test]
    fn the_cursor_is_in_the_input_box() {
        let (size, log) = (Size::new(8, 40), Log::default());
        for (typed, cursor) in [("", (5, 2)), ("typed", (5, 7)), ("one\ntwo", (5, 5))] {
            let below = Below::Input(typed);
            let frame = Frame { size, log: &log, growing: "", below, footer: "footer", busy: false };
            let mut screen = Screen::new(size);
            screen.feed(draw(&frame).as_bytes());
            assert_eq!(screen.contents().cursor, cursor, "{typed:?}");
        }
    }

    #[test]
    fn the_newest_lines_are_shown_and_long_ones_are_wrapped() {
        let mut log = Log::default();
        for n in 0..600 {
            log.add(&format!("line {n}"));
        }
        log.add(&"x".repeat(45));
        let lines = shown(Size::new(8, 40), &log, Below::Input(""));
        assert_eq!(lines[1..4], ["line 599".to_owned(), "x".repeat(40), "x".repeat(5)]);
    }

    #[test]
    fn texts_cannot_move_the_cursor_and_a_tiny_screen_shows_the_banner() {
        let mut log = Log::default();
        log.add("a\x1b[2Jb\u{202e}c");
        let lines = shown(Size::new(8, 40), &log, Below::Input("\x1b[H"));
        assert_eq!(lines[1], "abc");
        let dialog = Below::Dialog { question: "May I?", answers: &["Yes", "No"] };
        assert!(shown(Size::new(2, 10), &log, dialog)[0].starts_with("SIMULATED"));
    }
}
