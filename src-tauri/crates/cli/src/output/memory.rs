//! Memories: lists, and the results of changes.

use super::{Style, Tone, moment, units::omitted};
use bc_core::{
    memory::{MemoryEntry, Proposal},
    text::{cut, one_line},
};
use bc_wire::memory::{
    ImportPoint, LinkedMemory, MemoryAction, MemoryImported, MemoryList, MemorySaved, MemoryShown, Proposals,
};

pub(crate) fn saved(saved: &MemorySaved, style: &Style) -> String {
    let what = match saved.action {
        MemoryAction::Remembered => "Remembered",
        MemoryAction::Updated => "Updated",
    };
    format!("{what} {}\n", style.paint(Tone::Strong, &one_line(&saved.key)))
}

pub(crate) fn imported(imported: &MemoryImported, _style: &Style) -> String {
    let lines: String = imported.keys.iter().map(|key| format!("  {}\n", one_line(key))).collect();
    let known =
        if imported.known > 0 { format!(", {} already known", imported.known) } else { String::new() };
    format!("Remembered {}{known}\n{lines}", imported.keys.len())
}

/// The items of a file that can become memories. Known items and suspected secrets are marked.
pub(crate) fn points(imported: &MemoryImported, style: &Style) -> String {
    if imported.points.is_empty() {
        return "No memories found in it.\n".to_owned();
    }
    let point = |point: &ImportPoint| {
        let mut facts: Vec<String> = point.section.as_deref().map(one_line).into_iter().collect();
        if point.known {
            facts.push("already known".to_owned());
        }
        if !point.secrets.is_empty() {
            facts.push(format!("may contain a secret: {}", one_line(&point.secrets.join(", "))));
        }
        format!(
            "{}  {}\n  {}\n",
            style.paint(Tone::Strong, &one_line(&point.key)),
            style.paint(Tone::Faint, &facts.join(" · ")),
            cut(&one_line(&point.text), width(style))
        )
    };
    imported.points.iter().map(point).collect()
}

/// The memories proposed from a session.
pub(crate) fn proposals(proposals: &Proposals, style: &Style) -> String {
    if proposals.proposals.is_empty() {
        return "No new memories to propose.\n".to_owned();
    }
    let proposal = |proposal: &Proposal| {
        let facts = format!("{} · importance {}", proposal.memory_type.as_str(), proposal.importance);
        format!(
            "{}  {}\n  {}\n",
            style.paint(Tone::Strong, &one_line(&proposal.key)),
            style.paint(Tone::Faint, &facts),
            cut(&one_line(&proposal.content), width(style))
        )
    };
    proposals.proposals.iter().map(proposal).collect()
}

pub(crate) fn linked(shown: &MemoryShown, style: &Style) -> String {
    let mut text = format!("{}\n", style.paint(Tone::Strong, &one_line(&shown.memory.key)));
    for LinkedMemory { key, kind, is_child, .. } in &shown.linked {
        let back = if *is_child { "from " } else { "" };
        text.push_str(&format!("  {back}{} {}\n", kind.as_str(), one_line(key)));
    }
    let is_bead = |id| !shown.linked.iter().any(|other| &other.id == id);
    for link in shown.memory.links.iter().filter(|link| is_bead(&link.id)) {
        text.push_str(&format!("  {} {}\n", link.kind.as_str(), link.id));
    }
    text
}

pub(crate) fn forgotten(shown: &MemoryShown, style: &Style) -> String {
    let key = one_line(&shown.memory.key);
    match shown.memory.forgotten {
        true => format!(
            "Forgot {}\n  {}\n",
            style.paint(Tone::Strong, &key),
            style.paint(Tone::Faint, "undo with `forget --undo`")
        ),
        false => format!("Restored {}\n", style.paint(Tone::Strong, &key)),
    }
}

/// Two lines for each memory: its key and properties, then its excerpt.
pub(crate) fn list(list: &MemoryList, style: &Style) -> String {
    if list.memories.is_empty() {
        return "No memories. Store one with `beads-console remember \"...\"`.\n".to_owned();
    }
    let mut text: String = list.memories.iter().map(|memory| one(memory, style)).collect();
    text.push_str(&omitted(list.memories.len(), list.total));
    if !list.duplicates.is_empty() {
        let groups = list.duplicates.len();
        text.push_str(&format!(
            "\n{groups} of them seem to be duplicates: {}\n",
            one_line(&list.duplicates[0].join(", "))
        ));
    }
    text
}

fn one(memory: &MemoryEntry, style: &Style) -> String {
    let mut facts = vec![memory.memory_type.as_str().to_owned(), format!("importance {}", memory.importance)];
    facts.extend(memory.agent_id.as_ref().map(|agent| one_line(agent)));
    facts.extend(memory.bead_id.as_ref().map(|bead| format!("on {bead}")));
    facts.extend(memory.tags.iter().map(|tag| format!("#{}", one_line(tag))));
    facts.extend(memory.updated_at.as_ref().map(|at| moment(style, at)));
    if memory.forgotten {
        facts.push("forgotten".to_owned());
    }
    format!(
        "{}  {}\n  {}\n",
        style.paint(Tone::Strong, &one_line(&memory.key)),
        style.paint(Tone::Faint, &facts.join(" · ")),
        cut(&one_line(&memory.excerpt), width(style))
    )
}

/// The width available for text, in columns.
fn width(style: &Style) -> usize {
    style.width.unwrap_or(160).clamp(40, 400) - 2
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::PLAIN;
    use serde_json::json;

    #[test]
    fn memory_takes_two_lines_without_control_characters() {
        let memory = json!({"id": "tp-1", "key": "k\u{1b}[2J", "memory_type": "decision", "title": "t", "importance": 8,
            "excerpt": "Chose \u{1b}[31mREST", "agent_id": "arch", "bead_id": "BC-1", "tags": ["api"],
            "updated_at": "2026-01-19T16:00:00Z"});
        let list = json!({"memories": [memory], "total": 3, "kept_in": "file", "duplicates": [["a", "b"]],
            "facets": {"agents": [], "sessions": [], "tags": []}});
        let text = super::list(&serde_json::from_value(list).unwrap(), &PLAIN);
        assert!(text.starts_with("k  decision · importance 8 · arch · on BC-1 · #api · "), "{text}");
        assert!(
            text.contains("\n  Chose REST\n") && text.contains("2 more") && text.contains("a, b"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'));
    }
}
