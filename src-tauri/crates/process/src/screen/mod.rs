//! The state of a terminal: what a program's output has made of the screen so far.
//!
//! vt100 keeps the cells; [`tracker`] keeps the modes that vt100 does not know, and the bytes of a
//! sequence that has begun and not ended. A snapshot replayed into a fresh terminal of the same size
//! gives the same screen, the same input modes and a parser in the same place, so that the output
//! that follows can be appended. It contains no query, so no terminal answers to it.
//! Deliberately not in here: the scrollback; sockets; time.

mod modes;
mod skim;
mod tracker;

use crate::size::Size;
use tracker::Tracker;

/// A terminal's state.
pub struct Screen {
    parser: vt100::Parser,
    tracker: Tracker,
    offset: u64,
    size: Size,
}

impl Screen {
    /// An empty terminal.
    pub fn new(size: Size) -> Screen {
        Screen { parser: parser(size), tracker: Tracker::default(), offset: 0, size }
    }

    /// Takes in the program's next output.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.tracker.scrolls_whole() {
                let (run, after) = rest.split_at(skim::plain(rest));
                self.skim(run);
                rest = after;
            }
            // What is not plain, up to the end of its line: it may have changed what scrolls.
            let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            self.parser.process(line);
            self.tracker.feed(line);
            rest = after;
        }
        self.offset += bytes.len() as u64;
    }

    /// Takes in a run of plain lines.
    fn skim(&mut self, run: &[u8]) {
        let (rows, _) = self.size.non_zero();
        let (colours, lines) = skim::needed(run, rows.get().into());
        self.parser.process(&colours);
        self.parser.process(lines);
        // The tracker keeps nothing of it but a character that is cut at its end.
        self.tracker.feed(&run[run.len().saturating_sub(4)..]);
    }

    /// Changes the size. Programs redraw themselves when they are told; until then lines are cut.
    pub fn resize(&mut self, size: Size) {
        let (rows, cols) = size.non_zero();
        self.parser.set_size(rows, cols);
        self.tracker.resized();
        self.size = size;
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many bytes it was fed in all.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The window title that the program set, without control characters.
    pub fn title(&self) -> &str {
        self.tracker.title()
    }

    /// Whether the program asked for pasted text to be marked as such.
    pub fn bracketed_paste(&self) -> bool {
        self.parser.screen().bracketed_paste()
    }

    /// Whether the program drew on the alternate screen.
    pub fn alternate(&self) -> bool {
        self.parser.screen().alternate_screen()
    }

    /// The visible lines as plain text, without blanks at the ends of lines and of the screen.
    pub fn text(&self) -> String {
        let (_, cols) = self.parser.screen().size();
        let lines: Vec<String> =
            self.parser.screen().rows(0, cols.get()).map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// As [`Screen::text`] without what is drawn faint, and without a cursor that is drawn over it:
    /// that is how programs show a hint in a field that is empty.
    pub fn text_without_hints(&self) -> String {
        let screen = self.parser.screen();
        let (rows, cols) = screen.size();
        let (rows, cols) = (rows.get(), cols.get());
        let faint = |row, col| screen.cell(row, col).is_some_and(vt100::Cell::dim);
        let shown = |row, col| {
            let cell = screen.cell(row, col).filter(|cell| !cell.is_wide_continuation())?;
            let hint = cell.dim() || (cell.inverse() && faint(row, col + 1));
            Some(if hint || !cell.has_contents() { " " } else { cell.contents() })
        };
        let line = |row| (0..cols).filter_map(|col| shown(row, col)).collect::<String>();
        let lines: Vec<String> = (0..rows).map(|row| line(row).trim_end().to_owned()).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// The bytes that make a fresh terminal of the same size the same, both of its screens.
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

    /// As [`Screen::snapshot`], only what is visible, wherever the terminal is drawing: for a terminal
    /// that went to its own alternate screen and wants to keep its main one.
    pub fn snapshot_visible(&self) -> Vec<u8> {
        self.finish(String::from(RESET))
    }

    fn finish(&self, mut out: String) -> Vec<u8> {
        let screen = self.parser.screen();
        let alternate = screen.alternate_screen();
        out.push_str(&screen.contents_formatted());
        let (row, col) = screen.cursor_position();
        self.tracker.write_region(&mut out, alternate, self.size, (row, col));
        out.push_str(&screen.input_mode_formatted());
        self.tracker.write_modes(&mut out, alternate);
        let mut bytes = out.into_bytes();
        self.tracker.write_pending(&mut bytes);
        bytes
    }

    /// What the main screen holds while the alternate one is shown. vt100 shows one of them only, so
    /// a copy is switched over.
    fn main_screen(&self) -> String {
        let mut copy = parser(self.size);
        *copy.screen_mut() = self.parser.screen().clone();
        copy.process(b"\x1b[?47l");
        copy.screen().contents_formatted()
    }
}

/// Everything that a former program may have left on, off again.
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
