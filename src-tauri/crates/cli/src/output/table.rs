//! Aligned columns, measured in terminal cells. On a terminal, the flexible column is truncated so that a row fits one
//! line, but to no less than [`FLEXIBLE_MIN`]. In a file or pipe, nothing is truncated.

use super::{Style, Tone};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of spaces between two columns.
const COLUMN_GAP: usize = 2;
/// The minimum width of the flexible column, in terminal cells.
const FLEXIBLE_MIN: usize = 12;

#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A cell with external text, reduced to one line.
    pub(crate) fn new(tone: Tone, text: &str) -> Self {
        Cell { text: bc_core::text::one_line(text), tone }
    }

    /// Text without a tone.
    pub(crate) fn plain(text: &str) -> Self {
        Cell::new(Tone::Plain, text)
    }
}

#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<&'static str>,
    flexible: usize,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table in which the column `flexible` may be truncated.
    pub(crate) fn new(headings: &[&'static str], flexible: usize) -> Self {
        Table { headings: headings.to_vec(), flexible, rows: Vec::new() }
    }

    /// Adds a row, with one cell per heading.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.headings.len());
        self.rows.push(cells);
    }

    /// Formats the table, with a final newline; omits empty columns.
    pub(crate) fn print(mut self, style: &Style) -> String {
        self.drop_empty_columns();
        let mut widths: Vec<usize> = self.headings.iter().map(|heading| heading.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.text.width());
            }
        }
        self.shrink_flexible(&mut widths, style);
        let headings: Vec<Cell> = self.headings.iter().map(|h| Cell::new(Tone::Faint, h)).collect();
        let mut text = String::new();
        for row in std::iter::once(&headings).chain(&self.rows) {
            text.push_str(&line(row, &widths, style));
            text.push('\n');
        }
        text
    }

    fn drop_empty_columns(&mut self) {
        let used: Vec<bool> = (0..self.headings.len())
            .map(|column| column == self.flexible || self.rows.iter().any(|row| !row[column].text.is_empty()))
            .collect();
        let kept = |column: usize| used[column];
        self.flexible = (0..self.flexible).filter(|&column| kept(column)).count();
        let mut column = 0..used.len();
        self.headings.retain(|_| column.next().is_some_and(kept));
        for row in &mut self.rows {
            let mut column = 0..used.len();
            row.retain(|_| column.next().is_some_and(kept));
        }
    }

    fn shrink_flexible(&self, widths: &mut [usize], style: &Style) {
        let Some(room) = style.width else { return };
        let others: usize = widths
            .iter()
            .enumerate()
            .filter(|(column, _)| *column != self.flexible)
            .map(|(_, w)| w + COLUMN_GAP)
            .sum();
        if let Some(width) = widths.get_mut(self.flexible) {
            *width = (*width).min(room.saturating_sub(others).max(FLEXIBLE_MIN));
        }
    }
}

fn line(row: &[Cell], widths: &[usize], style: &Style) -> String {
    let mut line = String::new();
    let last = row.len().saturating_sub(1);
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        let text = fit(&cell.text, width);
        line.push_str(&style.paint(cell.tone, &text));
        if column < last {
            line.extend(std::iter::repeat_n(' ', width - text.width() + COLUMN_GAP));
        }
    }
    line.truncate(line.trim_end_matches(' ').len());
    line
}

/// Truncates text that is wider than `width` terminal cells, and ends it with `…`.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= width {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn beads(width: Option<usize>) -> String {
        let mut table = Table::new(&["ID", "P", "WHO", "TITLE"], 3);
        let rows = [
            ("BC-1", "P1", "Implement login validation for everybody"),
            ("BC-1234", "P2", "日本語の題名と絵文字🎉"),
        ];
        for (id, priority, title) in rows {
            table.row(vec![Cell::plain(id), Cell::plain(priority), Cell::plain(""), Cell::plain(title)]);
        }
        table.print(&Style { width, ..Style::default() })
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_omitted() {
        expect![[r#"
            ID       P   TITLE
            BC-1     P1  Implement login validation for everybody
            BC-1234  P2  日本語の題名と絵文字🎉
        "#]]
        .assert_eq(&beads(None));
    }

    #[test]
    fn rows_fit_the_terminal_width() {
        let text = beads(Some(32));
        expect![[r#"
            ID       P   TITLE
            BC-1     P1  Implement login va…
            BC-1234  P2  日本語の題名と絵文…
        "#]]
        .assert_eq(&text);
        assert!(text.lines().all(|line| line.width() <= 32));
    }

    #[test]
    fn escape_sequences_in_a_title_are_removed() {
        let mut table = Table::new(&["TITLE"], 0);
        table.row(vec![Cell::plain("a\u{1b}[2Jb\r\nc\u{9b}31m\u{202e}d\u{7}")]);
        assert_eq!(table.print(&Style::default()), "TITLE\nab cd\n");
    }

    #[test]
    fn colours_do_not_count_towards_width() {
        let mut table = Table::new(&["A", "B"], 1);
        table.row(vec![Cell::new(Tone::Good, "x"), Cell::plain("y")]);
        let text = table.print(&Style { colour: true, ..Style::default() });
        assert!(text.contains("\u{1b}[32mx\u{1b}[0m  y"), "{text:?}");
    }
}
