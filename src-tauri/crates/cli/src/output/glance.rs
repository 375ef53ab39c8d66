//! The fleet at a glance, as a person sees it.

use super::{Cell, Looks, Table, Tone};
use bc_core::{fleet::HookStatus, session::human_duration, text::one_line};
use bc_wire::{fleet::*, session::Delivery};

/// How many ready beads are printed.
const READY: usize = 10;

/// Agents, convoys, what is ready, the limits.
pub(crate) fn overview(overview: &FleetOverview, looks: &Looks) -> String {
    let mut text = agents(overview, looks);
    text.push_str(&convoys(overview, looks));
    text.push_str(&ready(overview, looks));
    text.push_str(&dispatch(&overview.dispatch, looks));
    text
}

fn agents(overview: &FleetOverview, looks: &Looks) -> String {
    if overview.agents.is_empty() {
        return "No agents. Make one with `beads-console fleet agent create polecat`.\n".to_owned();
    }
    let mut table = Table::new(&["AGENT", "STATE", "TIME", "WORK"], 3);
    for agent in &overview.agents {
        let (tone, word) = state(agent);
        let work = match (&agent.bead, agent.hook) {
            (Some(bead), _) => format!("{bead} {}", agent.title.as_deref().unwrap_or_default()),
            (None, HookStatus::Completed) => "done; its hook is to be cleared".to_owned(),
            (None, _) => String::new(),
        };
        let time = if agent.active_ms > 0 { human_duration(agent.active_ms) } else { String::new() };
        table.row(vec![
            Cell::new(Tone::Strong, agent.identity.id.as_str()),
            Cell::new(tone, word),
            Cell::plain(&time),
            Cell::plain(&work),
        ]);
    }
    let mut text = table.print(looks);
    for agent in overview.agents.iter().filter(|agent| agent.reason.is_some()) {
        let (tone, _) = state(agent);
        let id = looks.paint(tone, agent.identity.id.as_str());
        let reason = one_line(agent.reason.as_deref().unwrap_or_default());
        text.push_str(&format!("{id}: {reason}. {}\n", agent.to_do.as_deref().unwrap_or_default()));
    }
    text
}

fn state(agent: &FleetAgentNow) -> (Tone, &'static str) {
    use FleetAgentState as S;
    match agent.state {
        S::Idle => (Tone::Plain, "idle"),
        S::Starting => (Tone::Good, "starting"),
        S::Working => (Tone::Good, "working"),
        S::AtPrompt => (Tone::Good, "at its prompt"),
        S::NeedsYou => (Tone::Attention, "needs you"),
        S::RateLimited => (Tone::Attention, "rate limited"),
        S::Silent => (Tone::Attention, "silent"),
        S::Paused => (Tone::Attention, "paused"),
        S::Interrupted => (Tone::Bad, "interrupted"),
        S::Terminated => (Tone::Faint, "terminated"),
    }
}

fn convoys(overview: &FleetOverview, looks: &Looks) -> String {
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
    let mut text = format!("\n{}", table.print(looks));
    for stranded in open.iter().flat_map(|convoy| &convoy.stranded) {
        let bead = looks.paint(Tone::Attention, stranded.bead.as_str());
        text.push_str(&format!("{bead}: {}\n", one_line(&stranded.why)));
    }
    text
}

fn some(n: u32) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

fn ready(overview: &FleetOverview, looks: &Looks) -> String {
    if overview.ready.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["READY", "P", "TITLE", "GOES TO"], 2);
    for bead in overview.ready.iter().take(READY) {
        let next = bead.agent.as_ref().map(|agent| agent.to_string());
        let goes_to = next.or_else(|| bead.held.as_ref().map(|why| format!("nobody: {}", one_line(why))));
        table.row(vec![
            Cell::new(Tone::Strong, bead.bead.as_str()),
            Cell::plain(&format!("{:?}", bead.class)),
            Cell::plain(&bead.title),
            Cell::plain(&goes_to.unwrap_or_default()),
        ]);
    }
    let mut text = format!("\n{}", table.print(looks));
    let more = overview.ready_total.saturating_sub(u32::try_from(READY).unwrap_or(u32::MAX));
    if more > 0 {
        text.push_str(&looks.paint(Tone::Faint, &format!("and {more} more\n")));
    }
    text
}

fn dispatch(now: &FleetDispatchNow, looks: &Looks) -> String {
    let mut parts = vec![format!("{} of {} agents work", now.working, now.max_agents)];
    if let Some(free) = now.free_mib {
        parts.push(format!("{free} MiB free (at least {})", now.min_free_mib));
    }
    parts.push(match now.cost_per_day_usd {
        Some(most) => format!("${:.2} of ${most:.2} today", now.cost_today_usd),
        None => format!("${:.2} today", now.cost_today_usd),
    });
    let how = match (now.paused, now.auto) {
        (true, _) => "everything is paused",
        (false, true) => "ready work is handed out by itself",
        (false, false) => "work is handed out when you say so",
    };
    parts.push(how.to_owned());
    let mut text = format!("\n{}\n", parts.join(" · "));
    if let Some(why) = &now.why_not {
        text.push_str(&looks.paint(Tone::Attention, &format!("{}\n", one_line(why))));
    }
    text
}

/// What was handed out.
pub(crate) fn dispatched(done: &FleetDispatched, looks: &Looks) -> String {
    let mut text = String::new();
    for given in &done.given {
        let agent = looks.paint(Tone::Strong, given.agent.as_str());
        text.push_str(&format!("{agent} works on {} in session {}\n", given.bead, given.session_id.short()));
    }
    for refused in &done.refused {
        let agent = looks.paint(Tone::Attention, refused.agent.as_str());
        text.push_str(&format!("{agent} does not get {}: {}\n", refused.bead, one_line(&refused.why)));
    }
    if let Some(why) = &done.why_not {
        text.push_str(&format!("{}\n", one_line(why)));
    }
    text
}

/// One agent, as it is now.
pub(crate) fn steered(done: &FleetAgentSteered, looks: &Looks) -> String {
    let (tone, word) = state(&done.agent);
    let agent = looks.paint(Tone::Strong, done.agent.identity.id.as_str());
    let work = match &done.agent.bead {
        Some(bead) => format!(": {bead} {}", one_line(done.agent.title.as_deref().unwrap_or_default())),
        None => String::new(),
    };
    format!("{agent} · {}{work}\n", looks.paint(tone, word))
}

/// Whether everything is paused, and whose session changed by that.
pub(crate) fn paused(done: &FleetPaused, looks: &Looks) -> String {
    let (what, did) = if done.paused { ("Paused", "paused") } else { ("Goes on", "resumed") };
    let mut text = format!("{}: {} {did}\n", looks.paint(Tone::Strong, what), done.agents.len());
    for agent in &done.agents {
        text.push_str(&format!("  {agent}\n"));
    }
    text
}

/// What became of a text for several.
pub(crate) fn told(done: &FleetBroadcasted, looks: &Looks) -> String {
    if done.told.is_empty() {
        return "No agent's session runs.\n".to_owned();
    }
    let line = |told: &FleetTold| {
        let (tone, word) = match told.delivery {
            Some(Delivery::Sent) => (Tone::Good, "has it"),
            Some(Delivery::Held) => (Tone::Plain, "gets it at its prompt"),
            Some(Delivery::Unconfirmed) => (Tone::Attention, "has not confirmed it"),
            None => (Tone::Attention, "was not told"),
        };
        let why = told.reason.as_deref().map(|why| format!(": {}", one_line(why))).unwrap_or_default();
        format!("{} {}{why}\n", looks.paint(Tone::Strong, told.agent.as_str()), looks.paint(tone, word))
    };
    done.told.iter().map(line).collect()
}
