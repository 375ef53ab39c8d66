//! Search results and metrics.

use super::{Cell, Style, Table, Tone, field, session, units};
use bc_core::{
    metrics::{Amount, Dashboard, SessionMetrics, Share},
    search::Hit,
    session::human_duration,
    text::one_line,
};
use bc_wire::search::{SearchAnswer, SessionFound};

/// One line per session, followed by its matches.
pub(crate) fn answer(answer: &SearchAnswer, style: &Style) -> String {
    if answer.sessions.is_empty() {
        return "no results\n".to_owned();
    }
    let mut text = String::new();
    for found in &answer.sessions {
        text.push_str(&session::line(&found.session, style));
        found.hits.iter().for_each(|hit| text.push_str(&place(hit, style)));
        let hidden = found.hit_count.saturating_sub(found.hits.len() as u32);
        if hidden > 0 && !found.hits.is_empty() {
            text.push_str(&style.paint(Tone::Faint, &format!("    and {hidden} more\n")));
        }
    }
    text
}

/// The matches in one conversation.
pub(crate) fn within(found: &SessionFound, style: &Style) -> String {
    if found.places.is_empty() {
        return "no results\n".to_owned();
    }
    let mut text: String = found.hits.iter().map(|hit| place(hit, style)).collect();
    let hidden = found.places.len().saturating_sub(found.hits.len());
    if hidden > 0 {
        text.push_str(&style.paint(Tone::Faint, &format!("    and {hidden} more\n")));
    }
    text
}

fn place(hit: &Hit, style: &Style) -> String {
    let who = match (&hit.tool, hit.role) {
        (Some(tool), _) => one_line(tool),
        (None, Some(role)) => role.as_str().to_owned(),
        (None, None) => "title".to_owned(),
    };
    let pieces = hit.snippet.iter().map(|piece| {
        style.paint(if piece.found { Tone::Strong } else { Tone::Plain }, &one_line_keeping_ends(&piece.text))
    });
    let at = units::moment(style, &hit.at);
    format!("    {} {}\n", style.paint(Tone::Faint, &format!("{at} {who}:")), pieces.collect::<String>())
}

/// Joins the lines, but keeps a space at either end: the text is a part of a longer line, and these spaces
/// separate words.
fn one_line_keeping_ends(text: &str) -> String {
    let ends = |at: bool| if at { " " } else { "" };
    let (before, after) = (text.starts_with(' '), text.len() > 1 && text.ends_with(' '));
    format!("{}{}{}", ends(before), one_line(text.trim()), ends(after))
}

pub(crate) fn metrics(metrics: &SessionMetrics, style: &Style) -> String {
    let tokens = &metrics.tokens;
    let mut text = String::new();
    let mut add = |label: &str, value: &str| text.push_str(&field(style, label, value));
    add("Active", &human_duration(metrics.duration_ms));
    add("Messages", &metrics.message_count.to_string());
    add(
        "Tokens",
        &format!(
            "{} ({} in, {} cache writes, {} out; {} cache reads)",
            units::count(metrics.total_tokens),
            units::count(tokens.input),
            units::count(tokens.cache_creation),
            units::count(tokens.output),
            units::count(tokens.cache_read)
        ),
    );
    if let Some(cost) = metrics.cost_usd {
        add("Cost", &format!("${cost:.2}"));
    }
    add("Files", &metrics.files_touched.to_string());
    add("Commits", &metrics.commits.to_string());
    let each = metrics.tools.iter().map(|t| format!("{} {}", t.calls, one_line(&t.tool))).collect::<Vec<_>>();
    let each = if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) };
    add("Tool calls", &format!("{}{each}", metrics.tool_calls));
    add("Errors", &metrics.errors.to_string());
    if let Some(latency) = metrics.latency {
        let (median, p90) = (units::short_duration(latency.median_ms), units::short_duration(latency.p90_ms));
        add("Latency", &format!("median {median}, 90th percentile {p90} of {} replies", latency.answers));
    }
    text
}

/// The metrics of a project: totals, then tables of the days with activity, the beads and the agents.
pub(crate) fn dashboard(dashboard: &Dashboard, style: &Style) -> String {
    let mut text = String::new();
    let mut add = |label: &str, value: &str| text.push_str(&field(style, label, value));
    add("Sessions", &dashboard.sessions.to_string());
    add("Average", &human_duration(dashboard.average_duration_ms));
    if let Some(per_bead) = dashboard.sessions_per_bead {
        add("Per bead", &format!("{per_bead:.1} sessions"));
    }
    add("Total", &amount_line(&dashboard.total));
    let mut days = Table::new(&["DAY", "SESSIONS", "ACTIVE", "MESSAGES", "TOKENS", "COST"], 0);
    for day in dashboard.days.iter().filter(|d| d.sessions > 0 || d.amount != Amount::default()) {
        days.row(cells(&day.date, day.sessions, &day.amount));
    }
    let table = |heading: &'static str, none: &str, shares: &[Share]| {
        let mut table = Table::new(&[heading, "SESSIONS", "ACTIVE", "MESSAGES", "TOKENS", "COST"], 0);
        for share in shares {
            let name = if share.name.is_empty() { none } else { &share.name };
            table.row(cells(name, share.sessions, &share.amount));
        }
        table.print(style)
    };
    let (beads, agents) =
        (table("BEAD", "no bead", &dashboard.beads), table("AGENT", "claude", &dashboard.agents));
    format!("{text}\n{}\n{beads}\n{agents}", days.print(style))
}

fn amount_line(amount: &Amount) -> String {
    let (active, tokens) = (human_duration(amount.duration_ms), units::count(amount.tokens));
    format!("{active} active, {} messages, {tokens} tokens, ${:.2}", amount.messages, amount.cost_usd)
}

fn cells(name: &str, sessions: u32, amount: &Amount) -> Vec<Cell> {
    vec![
        Cell::new(Tone::Strong, name),
        Cell::plain(&sessions.to_string()),
        Cell::plain(&human_duration(amount.duration_ms)),
        Cell::plain(&amount.messages.to_string()),
        Cell::plain(&units::count(amount.tokens)),
        Cell::plain(&format!("${:.2}", amount.cost_usd)),
    ]
}
