//! The data of a recovery block.

use super::trail::{COMMENTS_MAX, REQUEST_MAX};
use crate::{
    bead::{BeadComment, BeadDetail, BeadStatus, LinkDirection},
    ids::BeadId,
    text::one_line,
};
use serde::{Deserialize, Serialize};

/// A bead's data for the block. The uncommitted files, the commands and the current time are passed
/// separately.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
    /// The type: `task`, `bug` …
    pub issue_type: String,
    /// The priority, 0 (most urgent) to 4.
    pub priority: u8,
    /// The parent, from the bead's parent-child dependency.
    #[serde(default)]
    pub parent: Option<Link>,
    /// Open beads that this bead blocks.
    #[serde(default)]
    pub unblocks: Vec<Link>,
    /// The last comments, oldest first.
    #[serde(default)]
    pub comments: Vec<BeadComment>,
}

impl Facts {
    /// Adds a comment, and drops the oldest ones beyond the limit.
    pub fn commented(&mut self, comment: BeadComment) {
        self.comments.push(kept(&comment));
        let excess = self.comments.len().saturating_sub(COMMENTS_MAX);
        self.comments.drain(..excess);
    }
}

/// A comment, truncated to the length that a trail needs.
fn kept(comment: &BeadComment) -> BeadComment {
    BeadComment { text: comment.text.chars().take(REQUEST_MAX).collect(), ..comment.clone() }
}

/// A related bead with its title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub id: BeadId,
    /// The bead's title; empty if unknown.
    pub title: String,
    /// The bead's type, if known.
    #[serde(default)]
    pub issue_type: Option<String>,
}

impl From<&BeadDetail> for Facts {
    fn from(detail: &BeadDetail) -> Facts {
        let bead = &detail.bead;
        let named = |id: &BeadId, direction: LinkDirection| {
            let link = detail.links.iter().find(|link| link.id == *id && link.direction == direction);
            Link {
                id: id.clone(),
                title: link.map(|link| link.title.clone()).unwrap_or_default(),
                issue_type: link.and_then(|link| link.issue_type.clone()),
            }
        };
        let from = detail.comments.len().saturating_sub(COMMENTS_MAX);
        Facts {
            id: bead.id.clone(),
            title: bead.title.clone(),
            status: bead.status.clone(),
            issue_type: bead.issue_type.clone(),
            priority: bead.priority,
            parent: bead.parent.as_ref().map(|id| named(id, LinkDirection::DependsOn)),
            unblocks: bead.unblocks.iter().map(|id| named(id, LinkDirection::DependedOnBy)).collect(),
            comments: detail.comments[from..].iter().map(kept).collect(),
        }
    }
}

/// Formats `bc-2 — Widget renderer`, or the id alone.
pub(super) fn link(link: &Link) -> String {
    let title = one_line(&link.title);
    if title.is_empty() { link.id.to_string() } else { format!("{} — {title}", link.id) }
}
