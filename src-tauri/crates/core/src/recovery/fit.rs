//! Fits a block into its size limit: parts that the agent can get from git or the tracker are dropped first.

use super::facts::{Facts, link};
use crate::text::{cut, head, one_line};

/// The maximum length of a block, in bytes of UTF-8.
pub const BLOCK_MAX: usize = 2_048;
/// The maximum number of files to list.
const FILES_MAX: usize = 15;
/// The maximum length of a title in the smallest layout, in characters.
const TITLE_SHORT: usize = 120;

/// How much of each section is shown.
struct Layout {
    files: usize,
    unblocks: usize,
    /// The number of oldest comments to omit.
    trail_from: usize,
    title: usize,
}

/// The parts of a block.
pub(super) struct Parts<'a> {
    pub(super) prime: &'a str,
    pub(super) facts: &'a Facts,
    pub(super) files: Vec<String>,
    pub(super) unblocks: Vec<String>,
    /// The comments as lines, oldest first.
    pub(super) trail: Vec<String>,
}

/// Joins the parts into a block of at most [`BLOCK_MAX`] bytes.
pub(super) fn fit(parts: &Parts<'_>) -> String {
    let mut layout = Layout {
        files: parts.files.len().min(FILES_MAX),
        unblocks: parts.unblocks.len(),
        trail_from: 0,
        title: usize::MAX,
    };
    loop {
        let text = parts.laid_out(&layout);
        if text.len() <= BLOCK_MAX {
            return text;
        }
        if layout.files > 0 {
            layout.files -= 1;
        } else if layout.unblocks > 0 {
            layout.unblocks -= 1;
        } else if layout.trail_from < parts.trail.len() {
            layout.trail_from += 1;
        } else if layout.title > TITLE_SHORT {
            layout.title = TITLE_SHORT;
        } else {
            // Reached only if the ids themselves are extremely long.
            return head(&text, BLOCK_MAX).to_owned();
        }
    }
}

impl Parts<'_> {
    fn laid_out(&self, layout: &Layout) -> String {
        let facts = self.facts;
        let title = cut(&one_line(&facts.title), layout.title);
        let mut lines = vec![
            self.prime.to_owned(),
            String::new(),
            format!("## Resuming: {} — {title}", facts.id),
            format!(
                "**Status:** {} | **Type:** {} | **Priority:** P{}",
                one_line(facts.status.as_str()),
                one_line(&facts.issue_type),
                facts.priority
            ),
        ];
        if let Some(parent) = &facts.parent {
            let kind =
                parent.issue_type.as_deref().map(|t| format!(" ({})", one_line(t))).unwrap_or_default();
            lines.push(format!("**Parent:** {}{kind}", cut(&link(parent), layout.title)));
        }
        lines.extend(some_of(&self.unblocks, layout.unblocks).map(|text| format!("**Unblocks:** {text}")));
        if layout.trail_from < self.trail.len() {
            lines.extend([String::new(), "### Checkpoint Trail".to_owned()]);
            lines.extend_from_slice(&self.trail[layout.trail_from..]);
        }
        if layout.files > 0 {
            lines.extend([String::new(), "### Uncommitted Changes".to_owned()]);
            lines.push(self.files[..layout.files].join(", "));
            if self.files.len() > layout.files {
                lines.push(format!("...and {} more", self.files.len() - layout.files));
            }
        }
        lines.join("\n")
    }
}

/// The first items and the number of the others; `None` if no item is shown.
fn some_of(items: &[String], shown: usize) -> Option<String> {
    if shown == 0 {
        return None;
    }
    let text = items[..shown].join(", ");
    Some(match items.len() - shown {
        0 => text,
        more => format!("{text}, and {more} more"),
    })
}
