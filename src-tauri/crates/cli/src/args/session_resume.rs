//! Arguments of `session resume …`.

use super::values::{self, SessionArg, Text};
use bc_wire::session::ResumePlace;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Show what would be sent, what changed since the pause and which decisions are needed, without resuming.
    #[arg(long, conflicts_with_all = ["edit", "prompt", "attach", "anyway", "reclaim", "place"])]
    pub(crate) preview: bool,
    /// Edit the prompt in your editor first ($VISUAL, then $EDITOR). An empty file cancels.
    #[arg(long, conflicts_with = "prompt")]
    pub(crate) edit: bool,
    /// Replace the generated prompt; `-` reads standard input, an empty text sends none.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<Text>,
    /// Resume despite changes to the bead or other open decisions; the bead stays unchanged.
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Claim the bead again for this session: set it to in progress.
    #[arg(long)]
    pub(crate) reclaim: bool,
    /// What to do if the folder or branch has changed: restore, stay or worktree.
    #[arg(long, value_parser = values::resume_place)]
    pub(crate) place: Option<ResumePlace>,
    /// Attach to the session immediately.
    #[arg(long, conflicts_with = "json")]
    pub(crate) attach: bool,
}
