//! Metrics of one session, and of a project over a range of days. `bc-search` computes them.

use crate::{Timestamp, ids::SessionId, session::TokenSplit};
use serde::{Deserialize, Serialize};

/// The metrics of one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionMetrics {
    pub id: SessionId,
    /// The active time in milliseconds, without pauses.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// The number of messages; each id counts once.
    #[specta(type = u32)]
    pub message_count: u64,
    pub tokens: TokenSplit,
    /// The sum of input, cache-creation and output tokens.
    #[specta(type = u32)]
    pub total_tokens: u64,
    /// The cost in US dollars, as reported by claude; `None` if unknown.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// The number of distinct files read or written.
    pub files_touched: u32,
    pub commits: u32,
    /// The tool calls by tool, the most used first.
    pub tools: Vec<ToolCount>,
    pub tool_calls: u32,
    /// The number of failed or refused tool calls and API failures.
    pub errors: u32,
    /// The time to the first part of an answer; `None` without measurements.
    #[serde(default)]
    pub latency: Option<Latency>,
}

/// The number of calls of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ToolCount {
    /// The tool's name, such as `Bash`.
    pub tool: String,
    pub calls: u32,
    /// The number of calls that failed or were refused.
    pub errors: u32,
}

/// The time to the first part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Latency {
    /// The median, in milliseconds.
    #[specta(type = u32)]
    pub median_ms: u64,
    /// The 90th percentile, in milliseconds.
    #[specta(type = u32)]
    pub p90_ms: u64,
    pub answers: u32,
}

/// The range of days of a dashboard, ending today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    Today,
    /// Seven days.
    #[default]
    Week,
    /// Thirty days.
    Month,
    /// Ninety days.
    Quarter,
    /// All days since the first session started.
    All,
}

impl Range {
    /// The number of days; `None` for all.
    pub fn days(self) -> Option<u32> {
        match self {
            Range::Today => Some(1),
            Range::Week => Some(7),
            Range::Month => Some(30),
            Range::Quarter => Some(90),
            Range::All => None,
        }
    }
}

/// A project's metrics over a range of days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Dashboard {
    pub range: Range,
    /// When the metrics were computed.
    pub counted_at: Timestamp,
    /// Every day of the range, including empty ones; at most the last 3,660 days.
    pub days: Vec<Day>,
    /// The number of sessions that started (or were created, if never started) in the range.
    pub sessions: u32,
    /// The mean active time of these sessions, in milliseconds.
    #[specta(type = u32)]
    pub average_duration_ms: u64,
    /// The mean number of sessions, at any time, per bead worked on in the range; `None` without such beads.
    #[serde(default)]
    pub sessions_per_bead: Option<f64>,
    /// The totals of the range, over all sessions.
    pub total: Amount,
    /// The totals by bead, the most tokens first. `name` is empty for work without a bead.
    pub beads: Vec<Share>,
    /// The totals by agent prompt, the most sessions first. `name` is empty for sessions without an agent
    /// prompt.
    pub agents: Vec<Share>,
    /// The metrics of the period of equal length before the range; absent if the range includes all days.
    #[serde(default)]
    pub previous: Option<Period>,
    /// The number of beads closed in the range; absent if the tracker cannot be read.
    #[serde(default)]
    pub beads_closed: Option<u32>,
    /// The beads worked on in the range, each with its total number of sessions; the most sessions first.
    #[serde(default)]
    pub bead_sessions: Vec<BeadSessions>,
    /// The agent prompts of all sessions, for a filter; an empty name stands for sessions without an agent
    /// prompt.
    #[serde(default)]
    pub agent_names: Vec<String>,
}

/// The metrics of a period before a dashboard's range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Period {
    /// The first day of the period, such as `2026-01-19`.
    pub first: String,
    pub last: String,
    /// The number of sessions that started (or were created, if never started) in the period.
    pub sessions: u32,
    /// The mean active time of these sessions, in milliseconds.
    #[specta(type = u32)]
    pub average_duration_ms: u64,
    /// The mean number of sessions, at any time, per bead worked on in the period; `None` without such beads.
    #[serde(default)]
    pub sessions_per_bead: Option<f64>,
    pub total: Amount,
    /// The number of beads closed in the period; absent if the tracker cannot be read.
    #[serde(default)]
    pub beads_closed: Option<u32>,
}

/// The number of sessions of a bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BeadSessions {
    pub bead: String,
    /// The number of the bead's sessions, at any time.
    pub sessions: u32,
}

/// Selects the sessions and days of a dashboard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    pub range: Range,
    /// Only sessions with this agent prompt; an empty name selects sessions without an agent prompt.
    pub agent: Option<String>,
    /// Only sessions of these beads.
    pub beads: Option<std::collections::BTreeSet<String>>,
}

impl From<Range> for Scope {
    fn from(range: Range) -> Scope {
        Scope { range, ..Scope::default() }
    }
}

/// Active time, tokens, cost and messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Amount {
    /// The active time in milliseconds.
    #[specta(type = u32)]
    pub duration_ms: u64,
    /// The sum of input, cache-creation and output tokens.
    #[specta(type = u32)]
    pub tokens: u64,
    /// The cost in US dollars; a session's cost is distributed over its days in proportion to its tokens.
    /// Without tokens, it belongs to the session's first day.
    pub cost_usd: f64,
    #[specta(type = u32)]
    pub messages: u64,
}

impl Amount {
    /// Adds the values of `other`.
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
    /// The date, such as `2026-01-19`.
    pub date: String,
    /// The number of sessions that started (or were created, if never started) on this day.
    pub sessions: u32,
    #[serde(default)]
    pub kinds: TokenKinds,
    #[serde(flatten)]
    pub amount: Amount,
}

/// Counted tokens by kind. A session's tokens on one day are split in the proportions of the whole session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TokenKinds {
    /// Input tokens, except those read from or written to the cache.
    #[specta(type = u32)]
    pub input: u64,
    /// Tokens written to the cache.
    #[specta(type = u32)]
    pub cache_creation: u64,
    #[specta(type = u32)]
    pub output: u64,
}

impl TokenKinds {
    /// Splits `tokens` in the proportions of a session's counted kinds. The sum of the parts is exactly
    /// `tokens`.
    pub fn of(tokens: u64, split: &TokenSplit) -> TokenKinds {
        let all = split.input + split.cache_creation + split.output;
        if all == 0 {
            return TokenKinds { input: tokens, ..TokenKinds::default() };
        }
        let part = |kind: u64| {
            let part = u128::from(tokens) * u128::from(kind) / u128::from(all);
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let (input, output) = (part(split.input), part(split.output));
        TokenKinds { input, output, cache_creation: tokens - input - output }
    }

    /// Adds the values of `other`.
    pub fn add(&mut self, other: TokenKinds) {
        self.input += other.input;
        self.cache_creation += other.cache_creation;
        self.output += other.output;
    }
}

/// The share of one bead or agent prompt in the totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Share {
    /// The bead's id or the agent prompt's name.
    pub name: String,
    /// The number of sessions with this bead or agent prompt in the range.
    pub sessions: u32,
    #[serde(flatten)]
    pub amount: Amount,
}

impl Dashboard {
    /// The days as comma-separated values, with a header line.
    pub fn days_csv(&self) -> String {
        let row = |d: &Day| {
            let TokenKinds { input, cache_creation, output } = d.kinds;
            format!("{},{},{},{input},{cache_creation},{output}\n", d.date, d.sessions, csv_amount(&d.amount))
        };
        format!(
            "date,sessions,{CSV_AMOUNT},input,cache_creation,output\n{}",
            self.days.iter().map(row).collect::<String>()
        )
    }

    /// Beads and agent prompts as comma-separated values, with a header line.
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

/// Formats text as a CSV field that a spreadsheet cannot read as a formula.
fn csv_text(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = format!("{guard}{text}");
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_tokens_add_up() {
        let split = TokenSplit { input: 1, cache_creation: 1, output: 1, cache_read: 900 };
        assert_eq!(TokenKinds::of(10, &split), TokenKinds { input: 3, cache_creation: 4, output: 3 });
        let unknown = TokenKinds::of(10, &TokenSplit::default());
        assert_eq!(unknown, TokenKinds { input: 10, cache_creation: 0, output: 0 });
    }

    #[test]
    fn a_name_with_commas_quotes_or_a_formula_stays_one_harmless_field() {
        assert_eq!(csv_text("a,b"), "\"a,b\"");
        assert_eq!(csv_text("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(csv_text("=1+1"), "'=1+1");
        assert_eq!(csv_text("BC-001"), "BC-001");
    }
}
