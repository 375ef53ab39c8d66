//! The overview of the fleet, and the results of commands such as `fleet dispatch` and `fleet broadcast`.

use super::{Cell, Style, Table, Tone, session_state};
use bc_core::{fleet::HookStatus, session::human_duration, text::one_line};
use bc_wire::{
    fleet::*,
    session::{Delivery, SessionState},
};

/// The maximum number of listed ready beads.
const READY: usize = 10;

/// Agents, convoys, ready beads and limits.
pub(crate) fn overview(overview: &FleetOverview, style: &Style) -> String {
    let mut text = agents(overview, style);
    text.push_str(&convoys(overview, style));
    text.push_str(&ready(overview, style));
    text.push_str(&dispatch(&overview.dispatch, style));
    text
}

fn agents(overview: &FleetOverview, style: &Style) -> String {
    if overview.agents.is_empty() {
        return "No agents. Add one with `beads-console fleet agent create`.\n".to_owned();
    }
    let mut table = Table::new(&["AGENT", "NAME", "STATE", "TIME", "WORK"], 4);
    for agent in &overview.agents {
        let (tone, word) = state(agent, style);
        let work = match (&agent.bead, agent.hook) {
            (Some(bead), _) => format!("{bead} {}", agent.title.as_deref().unwrap_or_default()),
            (None, HookStatus::Completed) => "done; clear its hook".to_owned(),
            (None, _) => String::new(),
        };
        let time = if agent.active_ms > 0 { human_duration(agent.active_ms) } else { String::new() };
        table.row(vec![
            Cell::new(Tone::Strong, agent.identity.id.as_str()),
            Cell::plain(&agent.name),
            Cell::new(tone, &word),
            Cell::plain(&time),
            Cell::plain(&work),
        ]);
    }
    let mut text = table.print(style);
    for agent in overview.agents.iter().filter(|agent| agent.reason.is_some()) {
        let (tone, _) = state(agent, style);
        let id = style.paint(tone, agent.identity.id.as_str());
        let reason = one_line(agent.reason.as_deref().unwrap_or_default());
        text.push_str(&format!("{id}: {reason}. {}\n", agent.to_do.as_deref().unwrap_or_default()));
    }
    text
}

/// The state of the agent's session; without a session, or for a terminated agent, the agent's own state.
fn state(agent: &FleetAgentNow, style: &Style) -> (Tone, String) {
    use FleetAgentState as S;
    if let (Some(session), false) = (agent.session_state, agent.state == S::Terminated) {
        let (text, tone) = session_state::shown(session, agent.limited_until, style);
        return (tone, text.split_once(' ').map_or(text.clone(), |(_, word)| word.to_owned()));
    }
    let (tone, word) = match agent.state {
        S::Idle if agent.hook == HookStatus::Pending => (Tone::Plain, SessionState::Queued.word()),
        S::Idle => (Tone::Plain, "Idle"),
        S::Starting => (Tone::Good, SessionState::Starting.word()),
        S::Working => (Tone::Good, SessionState::Active.word()),
        S::AtPrompt => (Tone::Attention, SessionState::YourTurn.word()),
        S::NeedsYou => (Tone::Attention, SessionState::NeedsYou.word()),
        S::RateLimited => (Tone::Attention, SessionState::RateLimited.word()),
        S::Silent => (Tone::Attention, "Silent"),
        S::Paused => (Tone::Attention, SessionState::Paused.word()),
        S::Interrupted => (Tone::Bad, SessionState::Interrupted.word()),
        S::Terminated => (Tone::Faint, "Retired"),
    };
    (tone, word.to_owned())
}

fn convoys(overview: &FleetOverview, style: &Style) -> String {
    let open: Vec<&FleetConvoyNow> =
        overview.convoys.iter().filter(|convoy| convoy.closed_at.is_none()).collect();
    if open.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["CONVOY", "DONE", "OF", "STRANDED", "NAME"], 4);
    for convoy in &open {
        let counts = &convoy.counts;
        table.row(vec![
            Cell::new(Tone::Strong, convoy.id.as_str()),
            Cell::plain(&(counts.merged + counts.done + counts.in_review).to_string()),
            Cell::plain(&convoy.total.to_string()),
            Cell::new(Tone::Attention, &some(convoy.stranded_total)),
            Cell::plain(&convoy.name),
        ]);
    }
    let mut text = format!("\n{}", table.print(style));
    for stranded in open.iter().flat_map(|convoy| &convoy.stranded) {
        let bead = style.paint(Tone::Attention, stranded.bead.as_str());
        text.push_str(&format!("{bead}: {}\n", one_line(&stranded.why)));
    }
    text
}

fn some(n: u32) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

fn ready(overview: &FleetOverview, style: &Style) -> String {
    if overview.ready.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["READY", "P", "TITLE", "ASSIGNED TO"], 2);
    for bead in overview.ready.iter().take(READY) {
        let next = bead.agent.as_ref().map(|agent| agent.to_string());
        let goes_to = next.or_else(|| bead.held.as_ref().map(|why| format!("no agent: {}", one_line(why))));
        table.row(vec![
            Cell::new(Tone::Strong, bead.bead.as_str()),
            Cell::plain(&format!("{:?}", bead.class)),
            Cell::plain(&bead.title),
            Cell::plain(&goes_to.unwrap_or_default()),
        ]);
    }
    let mut text = format!("\n{}", table.print(style));
    let more = overview.ready_total.saturating_sub(u32::try_from(READY).unwrap_or(u32::MAX));
    if more > 0 {
        text.push_str(&style.paint(Tone::Faint, &format!("and {more} more\n")));
    }
    text
}

fn dispatch(now: &FleetDispatchNow, style: &Style) -> String {
    let mut parts = vec![format!("{} of {} agent slots in use", now.working, now.max_agents)];
    if let Some(free) = now.free_mib {
        parts.push(format!("{free} MiB free (at least {})", now.min_free_mib));
    }
    parts.push(match now.cost_per_day_usd {
        Some(most) => format!("${:.2} of ${most:.2} today", now.cost_today_usd),
        None => format!("${:.2} today", now.cost_today_usd),
    });
    let how = match (now.paused, now.auto) {
        (true, _) => "the fleet is paused",
        (false, true) => "ready work is assigned automatically",
        (false, false) => "work is assigned manually",
    };
    parts.push(how.to_owned());
    let mut text = format!("\n{}\n", parts.join(" · "));
    if let Some(why) = &now.why_not {
        text.push_str(&style.paint(Tone::Attention, &format!("{}\n", one_line(why))));
    }
    text
}

pub(crate) fn dispatched(done: &FleetDispatched, style: &Style) -> String {
    let mut text = String::new();
    for given in &done.given {
        let agent = style.paint(Tone::Strong, given.agent.as_str());
        text.push_str(&format!("{agent} works on {} in session {}\n", given.bead, given.session_id.short()));
    }
    for refused in &done.refused {
        let agent = style.paint(Tone::Attention, refused.agent.as_str());
        text.push_str(&format!("{} was not assigned to {agent}: {}\n", refused.bead, one_line(&refused.why)));
    }
    text.extend(done.why_not.as_ref().map(|why| format!("{}\n", one_line(why))));
    text
}

pub(crate) fn steered(done: &FleetAgentSteered, style: &Style) -> String {
    let (tone, word) = state(&done.agent, style);
    let agent = style.paint(Tone::Strong, done.agent.identity.id.as_str());
    let work = match &done.agent.bead {
        Some(bead) => format!(": {bead} {}", one_line(done.agent.title.as_deref().unwrap_or_default())),
        None => String::new(),
    };
    format!("{agent} · {}{work}\n", style.paint(tone, &word))
}

/// Whether the fleet is paused, and which agents were paused or resumed.
pub(crate) fn paused(done: &FleetPaused, style: &Style) -> String {
    let (what, did) = if done.paused { ("Paused", "paused") } else { ("Resumed", "resumed") };
    let mut text = format!("{}: {} {did}\n", style.paint(Tone::Strong, what), done.agents.len());
    text.extend(done.agents.iter().map(|agent| format!("  {agent}\n")));
    text
}

pub(crate) fn broadcasted(done: &FleetBroadcasted, style: &Style) -> String {
    if done.told.is_empty() {
        return "No agent has a running session.\n".to_owned();
    }
    let line = |agent: &FleetTold| {
        let (tone, word) = match agent.delivery {
            Some(Delivery::Sent) => (Tone::Good, "received"),
            Some(Delivery::Held) => (Tone::Plain, "queued until its prompt"),
            Some(Delivery::Unconfirmed) => (Tone::Attention, "not confirmed"),
            None => (Tone::Attention, "not sent"),
        };
        let why = agent.reason.as_deref().map(|why| format!(": {}", one_line(why))).unwrap_or_default();
        format!("{} {}{why}\n", style.paint(Tone::Strong, agent.agent.as_str()), style.paint(tone, word))
    };
    done.told.iter().map(line).collect()
}
