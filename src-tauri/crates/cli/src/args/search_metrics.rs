//! Arguments of `session search …` and `session metrics …`.

use super::values::{self, Moment, SessionKey};
use bc_core::{
    ids::{AgentName, BeadId},
    metrics::Range,
    session::Status,
};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Words that must all occur in the same place; the last one may be a prefix, and "…" is a phrase. Without words,
    /// only the options filter.
    pub(crate) query: Vec<String>,
    /// Only sessions of this bead.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Only sessions with this agent prompt.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<AgentName>,
    /// Only these states, separated by commas: draft, active, paused, closed.
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = values::session_status)]
    pub(crate) status: Vec<Status>,
    /// Only sessions created or active on or after this day or time.
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<Moment>,
    /// Only sessions created or active before this day or time.
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<Moment>,
    /// Only sessions that read or wrote a file whose path contains this text.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) file: Option<String>,
    /// Only sessions with a commit whose hash starts with this text.
    #[arg(long, value_name = "HASH")]
    pub(crate) commit: Option<String>,
    /// Return at most N sessions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) limit: u32,
    /// Skip N results.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: u32,
}

#[derive(Debug, Args)]
pub(crate) struct MetricsArgs {
    /// The session; without it, the metrics of the project.
    pub(crate) id: Option<SessionKey>,
    /// Time range of the project's metrics.
    #[arg(long, value_enum, default_value_t = Days::Week, conflicts_with = "id")]
    pub(crate) range: Days,
    /// Only sessions with this agent prompt; an empty name means sessions without one.
    #[arg(long, value_name = "NAME", conflicts_with = "id")]
    pub(crate) agent: Option<String>,
    /// Only sessions of beads with this label.
    #[arg(long, conflicts_with = "id")]
    pub(crate) label: Option<String>,
    /// Print the project's metrics as CSV: by day, or by bead and agent.
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["id", "json"])]
    pub(crate) csv: Option<Csv>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Days {
    /// Today.
    Today,
    /// The last seven days.
    #[value(name = "7d")]
    Week,
    /// The last thirty days.
    #[value(name = "30d")]
    Month,
    /// The last ninety days.
    #[value(name = "90d")]
    Quarter,
    /// All days.
    All,
}

impl From<Days> for Range {
    fn from(days: Days) -> Range {
        match days {
            Days::Today => Range::Today,
            Days::Week => Range::Week,
            Days::Month => Range::Month,
            Days::Quarter => Range::Quarter,
            Days::All => Range::All,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Csv {
    /// One row per day.
    Days,
    /// One row per bead, then one per agent.
    Shares,
}
