//! `session search …` and `session metrics …`

use super::values::{self, Moment, SessionKey};
use bc_core::{
    ids::{AgentName, BeadId},
    metrics::Range,
    session::Status,
};
use clap::{Args, ValueEnum};

/// `session search …`
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Words, all of them in one place; the last one may be a beginning. "…" is a phrase. Without any,
    /// sessions are found by the options alone.
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Only this bead's sessions.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Only this agent's.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<AgentName>,
    /// Only these states, separated by commas: draft, active, paused, closed.
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::session_status)]
    pub(crate) status: Vec<Status>,
    /// Only sessions made or active on this day or at this moment, or later.
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<Moment>,
    /// Only sessions made or active before.
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<Moment>,
    /// Only sessions that read or wrote a file with this in its path.
    #[arg(long, value_name = "TEXT")]
    pub(crate) file: Option<String>,
    /// Only sessions with a commit whose hash begins like this.
    #[arg(long, value_name = "HASH")]
    pub(crate) commit: Option<String>,
    /// At most so many sessions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) limit: u32,
    /// Pass over so many, for the next ones.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: u32,
}

/// `session metrics …`
#[derive(Debug, Args)]
pub(crate) struct MetricsArgs {
    /// The session; without one the figures are the project's.
    #[arg(value_name = "ID")]
    pub(crate) id: Option<SessionKey>,
    /// Which days of the project.
    #[arg(long, value_enum, default_value_t = Days::Week, conflicts_with = "id")]
    pub(crate) range: Days,
    /// The project's days as comma-separated values, or its beads and agents.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["id", "json"])]
    pub(crate) csv: Option<Csv>,
}

/// The days that figures are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Days {
    /// This day.
    Today,
    /// Seven days.
    #[value(name = "7d")]
    Week,
    /// Thirty days.
    #[value(name = "30d")]
    Month,
    /// All there are.
    All,
}

impl From<Days> for Range {
    fn from(days: Days) -> Range {
        match days {
            Days::Today => Range::Today,
            Days::Week => Range::Week,
            Days::Month => Range::Month,
            Days::All => Range::All,
        }
    }
}

/// Which rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Csv {
    /// A row a day.
    Days,
    /// A row a bead, then a row an agent.
    Shares,
}
