//! The project and its agents.

use super::{Cell, Looks, Table, Tone, field};
use bc_core::text::one_line;
use bc_wire::project::{AgentList, AgentSource, ProjectInfo, TrackerKind};

/// The project's facts.
pub(crate) fn info(info: &ProjectInfo, looks: &Looks) -> String {
    let kind = match info.tracker.kind {
        TrackerKind::Bd => "bd",
        TrackerKind::Br => "br",
        TrackerKind::Embedded => "built in (.beads/issues.jsonl)",
        TrackerKind::ReadOnly => "read-only",
    };
    let version = info.tracker.version.as_deref().map(|v| format!(" {v}")).unwrap_or_default();
    let mut text = format!("{}\n", looks.paint(Tone::Strong, &one_line(&info.name)));
    text.push_str(&field(looks, "Folder", &one_line(&info.root)));
    text.push_str(&field(looks, "Tracker", &one_line(&format!("{kind}{version}"))));
    if let Some(note) = &info.tracker.note {
        text.push_str(&field(looks, "Note", &one_line(note)));
    }
    if let Some(branch) = &info.branch {
        text.push_str(&field(looks, "Branch", &one_line(branch)));
    }
    text
}

/// The agents as a table.
pub(crate) fn agents(list: &AgentList, looks: &Looks) -> String {
    if list.agents.is_empty() {
        return "No agent prompts. They are files in .claude/agents of the project, or of you.\n".to_owned();
    }
    let mut table = Table::new(&["NAME", "FROM", "DESCRIPTION"], 2);
    for agent in &list.agents {
        let from = match agent.source {
            AgentSource::Project => "project",
            AgentSource::User => "user",
        };
        table.row(vec![
            Cell::new(Tone::Strong, agent.name.as_str()),
            Cell::plain(from),
            Cell::plain(agent.description.as_deref().unwrap_or_default()),
        ]);
    }
    table.print(looks)
}
