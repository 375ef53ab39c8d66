//! The size of a terminal in cells.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// Rows and columns. What comes from outside is brought into bounds that a terminal can have: a size
/// of nothing would stop the emulator, a size of 65,535 squared would take gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Wanted")]
pub struct Size {
    rows: u16,
    cols: u16,
}

#[derive(Deserialize)]
struct Wanted {
    rows: u16,
    cols: u16,
}

impl From<Wanted> for Size {
    fn from(wanted: Wanted) -> Size {
        Size::new(wanted.rows, wanted.cols)
    }
}

impl Size {
    /// A size within 1 to 500 rows and 2 to 1,000 columns.
    pub fn new(rows: u16, cols: u16) -> Size {
        Size { rows: rows.clamp(1, 500), cols: cols.clamp(2, 1000) }
    }

    /// Lines.
    pub fn rows(self) -> u16 {
        self.rows
    }

    /// Cells in a line.
    pub fn cols(self) -> u16 {
        self.cols
    }

    pub(crate) fn non_zero(self) -> (NonZeroU16, NonZeroU16) {
        let sure = |n| NonZeroU16::new(n).expect("a size is never zero: it is clamped when made");
        (sure(self.rows), sure(self.cols))
    }
}

impl Default for Size {
    /// 24 lines of 80 cells.
    fn default() -> Size {
        Size::new(24, 80)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_from_outside_is_brought_into_bounds() {
        let size: Size = serde_json::from_str(r#"{"rows":0,"cols":65535}"#).unwrap();
        assert_eq!((size.rows(), size.cols()), (1, 1000));
    }
}
