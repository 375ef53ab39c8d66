//! The files that teach agents about beads, with their changes.

use super::{Style, Tone};
use bc_core::text::{one_line, plain};
use bc_wire::agent_files::{AgentFileChange, AgentFilePlan, AgentFileState, AgentFilesPlan};

/// One line per file with its change. With `would`, the changes are only planned, and their diffs are shown.
pub(crate) fn plan(plan: &AgentFilesPlan, would: bool, style: &Style) -> String {
    plan.files.iter().map(|file| one(file, would, style)).collect()
}

fn one(file: &AgentFilePlan, would: bool, style: &Style) -> String {
    let word = match (file.change, would) {
        _ if file.state == AgentFileState::Refused => "refused",
        (AgentFileChange::None, _) => "unchanged",
        (AgentFileChange::Create, false) => "created",
        (AgentFileChange::Create, true) => "to create",
        (AgentFileChange::Change, false) => "changed",
        (AgentFileChange::Change, true) => "to change",
        (AgentFileChange::Delete, false) => "removed",
        (AgentFileChange::Delete, true) => "to remove",
    };
    let why = match (&file.problem, file.state) {
        (Some(problem), _) => format!("  ({})", one_line(problem)),
        (None, AgentFileState::Newer) => "  (written by a newer Beads Console)".to_owned(),
        _ => String::new(),
    };
    let mut text = format!("{word:<10} {}{why}\n", style.paint(Tone::Strong, &one_line(&file.path)));
    if would {
        for line in plain(&file.diff).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}
