//! The recovery block: a session's bead, its trail and uncommitted files, as text for the agent.

use super::{
    facts::{Facts, link},
    fit::{Parts, fit},
    trail::trail,
};
use crate::{Timestamp, text::one_line};
use serde::{Deserialize, Serialize};

/// The tracker commands that the recovery block tells the agent to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commands {
    /// The program for beads: `bd`, `br` or `beads-console bead`.
    pub tracker: String,
    /// Whether finished work goes to review. If false, the agent closes its bead.
    pub reviews: bool,
}

impl Commands {
    /// The command with which the agent comments on a bead, with `...` in place of the text.
    pub fn comment(&self, bead: &str) -> String {
        match self.tracker.as_str() {
            "br" => format!("br comments add {bead} \"...\""),
            tracker => format!("{tracker} comment {bead} \"...\""),
        }
    }
}

/// A bead's recovery block, at most [`BLOCK_MAX`](super::BLOCK_MAX) bytes. `uncommitted` has one entry per
/// file, `path (M)`.
///
/// If the block is too long, files are omitted first, then unblocked beads, then the oldest comments.
/// Finally, long titles are shortened, and the end of the block is cut.
pub fn block(facts: &Facts, uncommitted: &[String], commands: &Commands, now: Timestamp) -> String {
    fit(&Parts {
        prime: &static_prime(commands),
        facts,
        files: uncommitted.iter().map(|file| one_line(file)).collect(),
        unblocks: facts.unblocks.iter().map(link).collect(),
        trail: trail(&facts.comments, now),
    })
}

/// The rules and the tracker's commands: the beginning of every block, and the text for a session without a
/// bead.
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
