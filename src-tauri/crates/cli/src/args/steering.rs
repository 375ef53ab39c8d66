//! `fleet dispatch`, `recover`, `pause`, `go-on`, `broadcast`.

use bc_core::ids::{FleetAgentId, InvalidId};
use bc_wire::fleet::FleetHookParams;
use clap::{Args, ValueEnum};
use std::str::FromStr;

/// `fleet dispatch …`
#[derive(Debug, Args)]
pub(crate) struct DispatchArgs {
    /// Who gets what: AGENT=BEAD.
    #[arg(value_name = "AGENT=BEAD", required_unless_present = "all")]
    pub(crate) pairs: Vec<Pair>,
    /// Idle polecats get what is ready, as far as the limits allow.
    #[arg(long)]
    pub(crate) all: bool,
}

/// An agent and the bead that it gets.
#[derive(Debug, Clone)]
pub(crate) struct Pair(pub(crate) FleetHookParams);

/// What is no such pair.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PairError {
    #[error("AGENT=BEAD is wanted")]
    Shape,
    #[error(transparent)]
    Id(#[from] InvalidId),
}

impl FromStr for Pair {
    type Err = PairError;
    fn from_str(text: &str) -> Result<Pair, PairError> {
        let (agent, bead) = text.split_once('=').ok_or(PairError::Shape)?;
        Ok(Pair(FleetHookParams { agent: agent.parse()?, bead: bead.parse()? }))
    }
}

/// `fleet recover …`
#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    /// Whose work.
    #[arg(value_name = "AGENT")]
    pub(crate) agent: FleetAgentId,
    /// What becomes of it.
    #[arg(value_name = "ACTION")]
    pub(crate) action: RecoveryWord,
}

/// What becomes of the work of an agent that gets nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecoveryWord {
    /// Its session goes on.
    Resume,
    /// Another agent goes on with its branch.
    HandOn,
    /// The work is nobody's until somebody hands it out.
    Release,
}

/// `fleet broadcast …`
#[derive(Debug, Args)]
pub(crate) struct BroadcastArgs {
    /// What to tell them.
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: String,
    /// Only this agent; may be given several times.
    #[arg(long, value_name = "AGENT")]
    pub(crate) to: Vec<FleetAgentId>,
}
