//! What is installed for agents, a line a file; before it is done with the lines that change.

use super::{Looks, Tone};
use bc_core::text::{one_line, plain};
use bc_wire::agent_files::{AgentFileChange, AgentFilePlan, AgentFileState, AgentFilesPlan};

/// Each file with what was done to it, or would be.
pub(crate) fn plan(plan: &AgentFilesPlan, would: bool, looks: &Looks) -> String {
    plan.files.iter().map(|file| one(file, would, looks)).collect()
}

fn one(file: &AgentFilePlan, would: bool, looks: &Looks) -> String {
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
        (None, AgentFileState::Newer) => "  (a newer Beads Console wrote it)".to_owned(),
        _ => String::new(),
    };
    let mut text = format!("{word:<10} {}{why}\n", looks.paint(Tone::Strong, &one_line(&file.path)));
    if would {
        for line in plain(&file.diff).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}
