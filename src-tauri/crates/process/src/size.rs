//! The size of a terminal in cells.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;

/// The number of rows and columns, limited to plausible values. The emulator does not accept a size of 0, and
/// 65,535 × 65,535 cells would take gigabytes of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RawSize")]
pub struct Size {
    rows: u16,
    cols: u16,
}

#[derive(Deserialize)]
struct RawSize {
    rows: u16,
    cols: u16,
}

impl From<RawSize> for Size {
    fn from(wanted: RawSize) -> Size {
        Size::new(wanted.rows, wanted.cols)
    }
}

impl Size {
    /// Creates a size, clamped to 1–500 rows and 2–1,000 columns.
    pub fn new(rows: u16, cols: u16) -> Size {
        Size { rows: rows.clamp(1, 500), cols: cols.clamp(2, 1000) }
    }

    /// The number of rows, 1–500.
    pub fn rows(self) -> u16 {
        self.rows
    }

    /// The number of columns, 2–1,000.
    pub fn cols(self) -> u16 {
        self.cols
    }

    pub(crate) fn non_zero(self) -> (NonZeroU16, NonZeroU16) {
        let sure = |n| NonZeroU16::new(n).expect("a size is never zero: it is clamped when made");
        (sure(self.rows), sure(self.cols))
    }
}

impl Default for Size {
    /// 24 rows of 80 columns.
    fn default() -> Size {
        Size::new(24, 80)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deserialized_size_is_limited() {
        let size: Size = serde_json::from_str(r#"{"rows":0,"cols":65535}"#).unwrap();
        assert_eq!((size.rows(), size.cols()), (1, 1000));
    }
}
