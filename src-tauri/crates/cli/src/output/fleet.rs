//! Agents, hooks, work items and convoys of the fleet.

use super::{Cell, Style, Table, Tone, field, moment};
use bc_core::{
    fleet::{AgentIdentity, AgentStatus, HookState, HookStatus, WorkItem, WorkStatus},
    text::one_line,
};
use bc_wire::fleet::*;

pub(crate) fn agents(agents: &FleetAgents, style: &Style) -> String {
    if agents.agents.is_empty() {
        return "No agents. Add one with `beads-console fleet agent create`.\n".to_owned();
    }
    let mut table = Table::new(&["AGENT", "NAME", "ROLE", "RIG", "STATUS", "WORK"], 5);
    for (agent, name) in agents.agents.iter().zip(&agents.names) {
        let hook = agents.hooks.iter().find(|hook| hook.agent_id == agent.id);
        let held = hook.and_then(|hook| hook.work_item.as_ref());
        let work = held.map(|item| format!("{} {}", item.bead_id, item.title)).unwrap_or_default();
        let (tone, word) = status(agent.status);
        table.row(vec![
            Cell::new(Tone::Strong, agent.id.as_str()),
            Cell::plain(name),
            Cell::plain(agent.role.as_str()),
            Cell::plain(&agent.rig),
            Cell::new(tone, word),
            Cell::plain(&work),
        ]);
    }
    table.print(style)
}

pub(crate) fn agent(shown: &FleetAgentShown, style: &Style) -> String {
    let Some(AgentIdentity { id, role, rig, session_id, status: now, .. }) = &shown.agent else {
        return "null\n".to_owned();
    };
    let (tone, word) = status(*now);
    let mut text = format!("{} · {}\n", style.paint(Tone::Strong, id.as_str()), style.paint(tone, word));
    text.extend(shown.name.as_ref().map(|name| field(style, "Name", &one_line(name))));
    text.push_str(&field(style, "Role", role.as_str()));
    text.push_str(&field(style, "Rig", &one_line(rig)));
    text.extend(session_id.as_ref().map(|session| field(style, "Session", &one_line(&session.to_string()))));
    text.extend(shown.hook.as_ref().map(|hook| field(style, "Hook", &hook_line(hook))));
    text
}

pub(crate) fn hook(shown: &FleetHookShown, style: &Style) -> String {
    match &shown.hook {
        Some(hook) => format!(
            "{} · {}\n{}",
            style.paint(Tone::Strong, hook.agent_id.as_str()),
            hook_line(hook),
            field(style, "Changed", &moment(style, &hook.last_activity))
        ),
        None => "null\n".to_owned(),
    }
}

fn hook_line(hook: &HookState) -> String {
    let word = match hook.status {
        HookStatus::Empty => "empty",
        HookStatus::Pending => "pending",
        HookStatus::Active => "active",
        HookStatus::Completed => "completed",
    };
    match &hook.work_item {
        Some(item) => format!("{word}: {} {}", item.bead_id, one_line(&item.title)),
        None => word.to_owned(),
    }
}

pub(crate) fn work_items(work: &FleetWork, style: &Style) -> String {
    if work.work.is_empty() {
        return "No work. Assign a bead with `beads-console fleet hook set AGENT BEAD`.\n".to_owned();
    }
    let mut table = Table::new(&["BEAD", "P", "STATUS", "AGENT", "TITLE"], 4);
    for item in &work.work {
        let (tone, word) = work_state(item.status);
        table.row(vec![
            Cell::new(Tone::Strong, item.bead_id.as_str()),
            Cell::plain(item.priority.as_str()),
            Cell::new(tone, word),
            Cell::plain(item.assignee.as_ref().map_or("", |agent| agent.as_str())),
            Cell::plain(&item.title),
        ]);
    }
    table.print(style)
}

pub(crate) fn work(shown: &FleetWorkShown, style: &Style) -> String {
    let Some(WorkItem { bead_id, title, description, status, assignee, priority, .. }) = &shown.work else {
        return "null\n".to_owned();
    };
    let (tone, word) = work_state(*status);
    let mut text = format!(
        "{} {} · {}\n",
        style.paint(Tone::Strong, bead_id.as_str()),
        one_line(title),
        style.paint(tone, word)
    );
    text.push_str(&field(style, "Priority", priority.as_str()));
    text.extend(assignee.as_ref().map(|agent| field(style, "Agent", agent.as_str())));
    text.push_str(&super::section(style, "Description", description));
    text
}

pub(crate) fn convoys(convoys: &FleetConvoys, style: &Style) -> String {
    if convoys.convoys.is_empty() {
        return "No convoys. Group beads with `beads-console fleet convoy create NAME BEAD...`.\n".to_owned();
    }
    let mut table = Table::new(&["CONVOY", "DONE", "BEADS", "NAME"], 3);
    for convoy in &convoys.convoys {
        table.row(vec![
            Cell::new(Tone::Strong, convoy.id.as_str()),
            Cell::plain(&percent(convoy.progress)),
            Cell::plain(&convoy.bead_ids.len().to_string()),
            Cell::plain(&convoy.name),
        ]);
    }
    table.print(style)
}

pub(crate) fn convoy(shown: &FleetConvoyShown, style: &Style) -> String {
    let Some(convoy) = &shown.convoy else { return "null\n".to_owned() };
    let mut text = format!(
        "{} {} · {} done\n",
        style.paint(Tone::Strong, convoy.id.as_str()),
        one_line(&convoy.name),
        percent(convoy.progress)
    );
    text.extend(convoy.bead_ids.iter().map(|bead| format!("  {bead}\n")));
    text
}

fn status(status: AgentStatus) -> (Tone, &'static str) {
    match status {
        AgentStatus::Idle => (Tone::Plain, "idle"),
        AgentStatus::Active => (Tone::Good, "active"),
        AgentStatus::Stalled => (Tone::Attention, "stalled"),
        AgentStatus::Terminated => (Tone::Faint, "terminated"),
    }
}

fn work_state(status: WorkStatus) -> (Tone, &'static str) {
    match status {
        WorkStatus::Open => (Tone::Plain, "open"),
        WorkStatus::Hooked => (Tone::Plain, "hooked"),
        WorkStatus::InProgress => (Tone::Good, "in progress"),
        WorkStatus::Done => (Tone::Good, "done"),
        WorkStatus::Merged => (Tone::Faint, "merged"),
    }
}

fn percent(progress: f64) -> String {
    format!("{:.0} %", progress * 100.0)
}
