//! The project and its agent prompts.

use super::{Cell, Style, Table, Tone, field};
use bc_core::text::one_line;
use bc_wire::project::{AgentList, AgentSource, ProjectInfo, TrackerKind};

pub(crate) fn info(info: &ProjectInfo, style: &Style) -> String {
    let kind = match info.tracker.kind {
        TrackerKind::Bd => "bd",
        TrackerKind::Br => "br",
        TrackerKind::Embedded => "built in (.beads/issues.jsonl)",
        TrackerKind::ReadOnly => "read-only",
    };
    let version = info.tracker.version.as_deref().map(|v| format!(" {v}")).unwrap_or_default();
    let mut text = format!("{}\n", style.paint(Tone::Strong, &one_line(&info.name)));
    text.push_str(&field(style, "Folder", &one_line(&info.root)));
    text.push_str(&field(style, "Tracker", &one_line(&format!("{kind}{version}"))));
    text.extend(info.tracker.note.as_ref().map(|note| field(style, "Note", &one_line(note))));
    text.extend(info.branch.as_ref().map(|branch| field(style, "Branch", &one_line(branch))));
    text
}

pub(crate) fn agents(list: &AgentList, style: &Style) -> String {
    if list.agents.is_empty() {
        return "No agent prompts. They are files in .claude/agents, in the project or your home folder.\n"
            .to_owned();
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
    table.print(style)
}
