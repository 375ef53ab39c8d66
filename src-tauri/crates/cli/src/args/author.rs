//! `--actor`, an option of every command that changes beads.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct AuthorArgs {
    /// Author of the change; defaults to you.
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
}
