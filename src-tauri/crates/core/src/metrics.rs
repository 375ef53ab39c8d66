//! Figures about sessions: of one, and of a project over a range of days. How they are counted is the
//! business of `bc-search`.

use crate::{Timestamp, ids::SessionId, session::TokenSplit};
use serde::{Deserialize, Serialize};

/// One session's figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionMetrics {
    /// Which.
    pub id: SessionId,
    /// Milliseconds of active time, pauses left out.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// How many messages there are, each id once.
    #[specta(type = u32)]
    pub message_count: u64,
    /// Tokens by kind.
    pub tokens: TokenSplit,
    /// Input + cache creation + output.
    #[specta(type = u32)]
    pub total_tokens: u64,
    /// US dollars as claude counts them; absent where it did not say.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Files read or written, each once.
    pub files_touched: u32,
    /// Commits made in it.
    pub commits: u32,
    /// Tool calls by tool, the most used first.
    pub tools: Vec<ToolCount>,
    /// All of them.
    pub tool_calls: u32,
    /// Tool calls that failed or were refused, and failures of the API.
    pub errors: u32,
    /// How long answers took to begin; absent where nobody measured.
    #[serde(default)]
    pub latency: Option<Latency>,
}

/// How often a tool was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ToolCount {
    /// `Bash` …
    pub tool: String,
    /// How often.
    pub calls: u32,
    /// How often it failed or was refused.
    pub errors: u32,
}

/// How long answers took to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Latency {
    /// Half of them took no longer, milliseconds.
    #[specta(type = u32)]
    pub median_ms: u64,
    /// Nine of ten took no longer, milliseconds.
    #[specta(type = u32)]
    pub p90_ms: u64,
    /// How many were measured.
    pub answers: u32,
}

/// The days that a dashboard is about, the present one the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// This day.
    Today,
    /// Seven days.
    #[default]
    Week,
    /// Thirty days.
    Month,
    /// Since the first session.
    All,
}

impl Range {
    /// How many days; `None` means all there are.
    pub fn days(self) -> Option<u32> {
        match self {
            Range::Today => Some(1),
            Range::Week => Some(7),
            Range::Month => Some(30),
            Range::All => None,
        }
    }
}

/// A project's figures over a range of days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Dashboard {
    /// Which days.
    pub range: Range,
    /// When they were counted.
    pub counted_at: Timestamp,
    /// Every day of the range, those with nothing too.
    pub days: Vec<Day>,
    /// Sessions begun in the range.
    pub sessions: u32,
    /// Mean active time of those, milliseconds.
    #[specta(type = u32)]
    pub average_duration_ms: u64,
    /// How many sessions a bead took in the mean, of the beads worked on in the range; absent without any.
    #[serde(default)]
    pub sessions_per_bead: Option<f64>,
    /// What happened in the range, over all sessions.
    pub total: Amount,
    /// The same by bead, the most tokens first; `name` is empty for work without one.
    pub beads: Vec<Share>,
    /// The same by agent, the most used first; `name` is empty for claude as it is.
    pub agents: Vec<Share>,
}

/// What happened: active time, tokens, money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Amount {
    /// Milliseconds of active time.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// Input + cache creation + output.
    #[specta(type = u32)]
    pub tokens: u64,
    /// US dollars; a session's cost is spread over its days as its tokens are.
    pub cost_usd: f64,
    /// Messages.
    #[specta(type = u32)]
    pub messages: u64,
}

impl Amount {
    /// Adds the other one's parts to this one's.
    pub fn add(&mut self, other: Amount) {
        self.duration_ms += other.duration_ms;
        self.tokens += other.tokens;
        self.cost_usd += other.cost_usd;
        self.messages += other.messages;
    }
}

/// One day of a project, in this machine's time zone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Day {
    /// `2026-01-19`.
    pub date: String,
    /// Sessions begun on it.
    pub sessions: u32,
    /// What happened on it.
    #[serde(flatten)]
    pub amount: Amount,
}

/// A bead's or an agent's part of what happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Share {
    /// Whose.
    pub name: String,
    /// Sessions in which it happened.
    pub sessions: u32,
    /// What happened.
    #[serde(flatten)]
    pub amount: Amount,
}

impl Dashboard {
    /// The days as comma-separated values, a heading first.
    pub fn days_csv(&self) -> String {
        let row = |d: &Day| format!("{},{},{}\n", d.date, d.sessions, csv_amount(&d.amount));
        format!("date,sessions,{CSV_AMOUNT}\n{}", self.days.iter().map(row).collect::<String>())
    }

    /// Beads and agents as comma-separated values, a heading first.
    pub fn shares_csv(&self) -> String {
        let rows = |kind: &'static str, shares: &[Share]| -> String {
            let row = |s: &Share| {
                format!("{kind},{},{},{}\n", csv_text(&s.name), s.sessions, csv_amount(&s.amount))
            };
            shares.iter().map(row).collect()
        };
        let (beads, agents) = (rows("bead", &self.beads), rows("agent", &self.agents));
        format!("kind,name,sessions,{CSV_AMOUNT}\n{beads}{agents}")
    }
}

const CSV_AMOUNT: &str = "duration_ms,messages,tokens,cost_usd";

fn csv_amount(amount: &Amount) -> String {
    format!("{},{},{},{:.6}", amount.duration_ms, amount.messages, amount.tokens, amount.cost_usd)
}

/// A text as a field. One that a spreadsheet would take for a formula is kept from being one.
fn csv_text(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = format!("{guard}{text}");
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_commas_quotes_or_a_formula_stays_one_harmless_field() {
        assert_eq!(csv_text("a,b"), "\"a,b\"");
        assert_eq!(csv_text("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(csv_text("=1+1"), "'=1+1");
        assert_eq!(csv_text("BC-001"), "BC-001");
    }
}
