//! The state of a terminal after a program's output.
//!
//! vt100 keeps the cells. [`tracker`] keeps the modes that vt100 does not support, and the bytes of an
//! unfinished sequence. A snapshot, replayed into a fresh terminal of the same size, reproduces the screen,
//! the input modes and the parser state. Later output can then be appended. Snapshots contain no queries,
//! because the terminal would answer them. Deliberately elsewhere: the scrollback, sockets, time.

mod modes;
mod skim;
mod tracker;

use crate::size::Size;
use tracker::Tracker;

/// A terminal's state, computed from a program's output.
pub struct Screen {
    parser: vt100::Parser,
    tracker: Tracker,
    offset: u64,
    size: Size,
}

/// The visible content of a screen, from which callers recognize the program's state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScreenContents {
    /// The lines, without plain trailing spaces.
    pub lines: Vec<String>,
    /// The lines without faint text and without a cursor drawn over it. Programs use faint text for the
    /// placeholder of an empty field.
    pub without_hints: Vec<String>,
    /// The cursor's row and column, counted from 0. Programs position the cursor even if they hide it.
    pub cursor: (usize, usize),
    /// The terminal's width in cells.
    pub cols: usize,
    pub title: String,
}

impl Screen {
    /// Creates an empty terminal of this size.
    pub fn new(size: Size) -> Screen {
        Screen { parser: parser(size), tracker: Tracker::default(), offset: 0, size }
    }

    /// Processes the program's next output.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.tracker.scrolls_whole() {
                let (run, after) = rest.split_at(skim::plain(rest));
                self.skim(run);
                rest = after;
            }
            // Parse bytes that are not plain up to the end of their line, because they may change the scroll
            // region.
            let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            self.parser.process(line);
            self.tracker.feed(line);
            rest = after;
        }
        self.offset += bytes.len() as u64;
    }

    /// Processes a run of plain lines.
    fn skim(&mut self, run: &[u8]) {
        let (rows, _) = self.size.non_zero();
        let (colours, lines) = skim::needed(run, rows.get().into());
        self.parser.process(&colours);
        self.parser.process(lines);
        // The tracker needs only the last bytes: a character may be cut at the end of the run.
        self.tracker.feed(&run[run.len().saturating_sub(4)..]);
    }

    /// Changes the size. Lines may be cut off until the program redraws.
    pub fn resize(&mut self, size: Size) {
        let (rows, cols) = size.non_zero();
        self.parser.set_size(rows, cols);
        self.tracker.modes.resized();
        self.size = size;
    }

    /// The current size. The program may not have redrawn for it yet.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The total number of processed bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The window title that the program set, without control characters.
    pub fn title(&self) -> &str {
        self.tracker.modes.title()
    }

    /// Whether the program enabled bracketed paste.
    pub fn bracketed_paste(&self) -> bool {
        self.parser.screen().bracketed_paste()
    }

    /// Whether the alternate screen is shown.
    pub fn alternate(&self) -> bool {
        self.parser.screen().alternate_screen()
    }

    /// The visible lines as plain text, without trailing blanks and trailing blank lines.
    pub fn text(&self) -> String {
        let (_, cols) = self.parser.screen().size();
        let lines: Vec<String> =
            self.parser.screen().rows(0, cols.get()).map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// Returns the visible lines, the cursor and the title, from which callers recognize the program's state.
    pub fn contents(&self) -> ScreenContents {
        // Trim only plain spaces: a program may mark its input field with another kind of space.
        let trimmed = |line: String| line.trim_end_matches(' ').to_owned();
        let (row, col) = self.parser.screen().cursor_position();
        ScreenContents {
            lines: self.rows(false).map(trimmed).collect(),
            without_hints: self.rows(true).map(trimmed).collect(),
            cursor: (row.into(), col.into()),
            cols: self.parser.screen().size().1.get().into(),
            title: self.title().to_owned(),
        }
    }

    /// Returns the visible lines, each padded to the terminal's width.
    fn rows(&self, without_hints: bool) -> impl Iterator<Item = String> {
        let screen = self.parser.screen();
        let (rows, cols) = screen.size();
        let (rows, cols) = (rows.get(), cols.get());
        let faint = move |row, col| screen.cell(row, col).is_some_and(vt100::Cell::dim);
        let shown = move |row, col| {
            let cell = screen.cell(row, col).filter(|cell| !cell.is_wide_continuation())?;
            let hint = without_hints && (cell.dim() || (cell.inverse() && faint(row, col + 1)));
            Some(if hint || !cell.has_contents() { " " } else { cell.contents() })
        };
        (0..rows).map(move |row| (0..cols).filter_map(|col| shown(row, col)).collect())
    }

    /// Returns the bytes that put a fresh terminal of the same size into this state. They include the main
    /// screen behind the alternate one.
    pub fn snapshot(&self) -> Vec<u8> {
        let screen = self.parser.screen();
        let mut out = String::from(RESET);
        out.push_str("\x1b[?1049l");
        if screen.alternate_screen() {
            out.push_str(&self.main_screen());
            out.push_str("\x1b[?1049h");
        }
        self.finish(out)
    }

    /// Like [`Screen::snapshot`], but draws only the visible screen, without switching screens. Use it for a
    /// terminal that has already switched to its alternate screen and must preserve its main screen.
    pub fn snapshot_visible(&self) -> Vec<u8> {
        self.finish(String::from(RESET))
    }

    fn finish(&self, mut out: String) -> Vec<u8> {
        let screen = self.parser.screen();
        let alternate = screen.alternate_screen();
        out.push_str(&screen.contents_formatted());
        let (row, col) = screen.cursor_position();
        self.tracker.modes.write_region(&mut out, alternate, self.size, (row, col));
        out.push_str(&screen.input_mode_formatted());
        self.tracker.modes.write(&mut out, alternate);
        let mut bytes = out.into_bytes();
        self.tracker.write_pending(&mut bytes);
        bytes
    }

    /// The main screen's content while the alternate screen is shown. vt100 draws only the active screen, so
    /// this function switches a copy to the main screen.
    fn main_screen(&self) -> String {
        let mut copy = parser(self.size);
        *copy.screen_mut() = self.parser.screen().clone();
        copy.process(b"\x1b[?47l");
        copy.screen().contents_formatted()
    }
}

/// Resets the modes that an earlier program may have changed.
const RESET: &str = "\x1b[0m\x1b[r\x1b[?6l\x1b[?7h\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\
    \x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2031l\x1b[?2004l\x1b[?1l\x1b>\x1b[0 q";

fn parser(size: Size) -> vt100::Parser {
    let (rows, cols) = size.non_zero();
    vt100::Parser::new(rows, cols, 0)
}

#[cfg(test)]
mod skim_tests;
#[cfg(test)]
mod tests;
