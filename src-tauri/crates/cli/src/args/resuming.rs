//! `session resume …`

use super::values::{self, One, Text};
use bc_wire::session::ResumePlace;
use clap::Args;

/// `session resume …`
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub(crate) session: One,
    /// Only say what would be sent, what changed since the pause and what has to be decided.
    #[arg(long, conflicts_with_all = ["edit", "prompt", "attach", "anyway", "reclaim", "place"])]
    pub(crate) preview: bool,
    /// Open the prompt in your editor first ($VISUAL, else $EDITOR). An emptied file cancels.
    #[arg(long, conflicts_with = "prompt")]
    pub(crate) edit: bool,
    /// The prompt, if not the one that is made; `-` reads standard input, an empty one sends none.
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<Text>,
    /// Resume although the bead changed or something else has to be decided; the bead stays as it is.
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Take the bead again: in progress, for this session.
    #[arg(long)]
    pub(crate) reclaim: bool,
    /// Where, if its folder or branch is not as it was left: restore, stay or worktree.
    #[arg(long, value_name = "PLACE", value_parser = values::resume_place)]
    pub(crate) place: Option<ResumePlace>,
    /// Attach to it at once.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}
