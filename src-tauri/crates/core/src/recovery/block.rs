//! The recovery block: a session's bead, its trail and what is not committed, as text for the agent.

use super::{fit::fit, trail::trail};
use crate::{
    Timestamp,
    bead::{BeadComment, BeadDetail, BeadStatus, LinkDirection},
    ids::BeadId,
    text::one_line,
};
use serde::{Deserialize, Serialize};

/// The longest block, in bytes of UTF-8.
pub const BLOCK_MAX: usize = 2_048;

/// How many comments are kept of a bead: what a trail can show.
const COMMENTS_KEPT: usize = 5;
/// The longest comment that is kept, in characters: more than a trail shows of one.
const COMMENT_KEPT: usize = 400;

/// The words of the project's tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commands {
    /// What beads are worked with: `bd`, `br` or `beads-console bead`.
    pub tracker: String,
    /// Whether finished work goes to review; else the agent closes its bead itself.
    pub reviews: bool,
}

impl Commands {
    /// How a comment on a bead is made.
    pub fn comment(&self, bead: &str) -> String {
        match self.tracker.as_str() {
            "br" => format!("br comments add {bead} \"...\""),
            tracker => format!("{tracker} comment {bead} \"...\""),
        }
    }
}

/// What a block is made of. No field says when: the same facts make another block an hour later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The bead.
    pub id: BeadId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub status: BeadStatus,
    /// `task`, `bug` …
    pub issue_type: String,
    /// 0 to 4.
    pub priority: u8,
    /// The target of its parent-child dependency.
    #[serde(default)]
    pub parent: Option<Link>,
    /// Open beads that it blocks.
    #[serde(default)]
    pub unblocks: Vec<Link>,
    /// The last comments, oldest first.
    #[serde(default)]
    pub comments: Vec<BeadComment>,
}

impl Facts {
    /// A comment was added.
    pub fn commented(&mut self, comment: BeadComment) {
        self.comments.push(kept(&comment));
        let excess = self.comments.len().saturating_sub(COMMENTS_KEPT);
        self.comments.drain(..excess);
    }
}

/// A comment as long as a trail needs it.
fn kept(comment: &BeadComment) -> BeadComment {
    BeadComment { text: comment.text.chars().take(COMMENT_KEPT).collect(), ..comment.clone() }
}

/// Another bead, named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Its id.
    pub id: BeadId,
    /// Its title; empty where the tracker does not know it.
    pub title: String,
    /// Its type, where known.
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
        let from = detail.comments.len().saturating_sub(COMMENTS_KEPT);
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

/// The block of a bead, at most [`BLOCK_MAX`] bytes. `uncommitted` is one entry a file, `path (M)`.
///
/// Over that, files are left out first, then what it unblocks, then the oldest comments; a title or
/// an id that is still too long is cut.
pub fn block(facts: &Facts, uncommitted: &[String], commands: &Commands, now: Timestamp) -> String {
    let files = uncommitted.iter().map(|file| one_line(file)).collect();
    let unblocks = facts.unblocks.iter().map(link).collect();
    fit(&static_prime(commands), facts, files, unblocks, trail(&facts.comments, now))
}

/// What is said without a bead: how work is tracked here.
pub fn static_prime(commands: &Commands) -> String {
    let tracker = &commands.tracker;
    let finish = match commands.reviews {
        true => "beads-console bead submit <id>".to_owned(),
        false => format!("{tracker} close <id> --reason \"Verified: ...\""),
    };
    format!(
        "# Beads Workflow Context\n\
         \n\
         ## Core Rules\n\
         - Use beads for ALL task tracking (`{tracker} create`, `{tracker} ready`, `{tracker} close`)\n\
         - Do NOT use TodoWrite, TaskCreate, or markdown task files for tracking\n\
         - Create beads issue BEFORE writing code\n\
         - Mark issue in_progress when starting work\n\
         \n\
         ## Essential Commands\n\
         - {tracker} ready\n\
         - {tracker} list --status in_progress\n\
         - {tracker} show <id>\n\
         - {finish}"
    )
}

/// `bc-2 — Widget renderer`, or the id alone.
pub(super) fn link(link: &Link) -> String {
    let title = one_line(&link.title);
    if title.is_empty() { link.id.to_string() } else { format!("{} — {title}", link.id) }
}
