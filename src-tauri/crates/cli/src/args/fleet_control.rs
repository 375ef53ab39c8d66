//! Arguments of `fleet dispatch`, `recover` and `broadcast`.

use bc_core::ids::{FleetAgentId, InvalidId};
use bc_wire::fleet::FleetHookParams;
use clap::{Args, ValueEnum};
use std::str::FromStr;

#[derive(Debug, Args)]
pub(crate) struct DispatchArgs {
    /// Assignment, as AGENT=BEAD.
    #[arg(value_name = "AGENT=BEAD", required_unless_present = "all")]
    pub(crate) pairs: Vec<Pair>,
    /// Assign ready beads to idle polecats, within the limits.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Pair(pub(crate) FleetHookParams);

#[derive(Debug, thiserror::Error)]
pub(crate) enum PairError {
    #[error("expected AGENT=BEAD")]
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

#[derive(Debug, Args)]
pub(crate) struct RecoverArgs {
    /// Id of the agent.
    pub(crate) agent: FleetAgentId,
    /// What to do with the agent's work.
    pub(crate) action: RecoveryArg,
}

/// What to do with the work of a stuck agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecoveryArg {
    /// Resume its session.
    Resume,
    /// Let another agent continue on its branch.
    #[value(alias = "hand-on")]
    Reassign,
    /// Leave the work unassigned until a user assigns it.
    Release,
}

#[derive(Debug, Args)]
pub(crate) struct BroadcastArgs {
    /// The message.
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
    /// Send it only to this agent; repeatable.
    #[arg(long, value_name = "AGENT")]
    pub(crate) to: Vec<FleetAgentId>,
}

#[cfg(test)]
mod tests {
    use crate::args::parse;

    #[test]
    fn former_names_still_work() {
        for (former, name) in [
            ("fleet go-on", "fleet resume"),
            ("fleet go-on --resume", "fleet resume --sessions"),
            ("fleet queue go-on", "fleet queue resume"),
            ("fleet recover p hand-on", "fleet recover p reassign"),
        ] {
            let parsed = |line: &str| {
                let words: Vec<_> =
                    std::iter::once("beads-console").chain(line.split(' ')).map(Into::into).collect();
                format!("{:?}", parse(&words).unwrap())
            };
            assert_eq!(parsed(former), parsed(name));
        }
    }
}
