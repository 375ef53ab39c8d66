//! Arguments of `version`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct VersionArgs {
    /// Look up the newest version. Nothing is installed.
    #[arg(long)]
    pub(crate) check: bool,
    /// The git repository to ask: an https address or a folder. By default, the setting `update_source`.
    #[arg(long, value_name = "ADDRESS", requires = "check")]
    pub(crate) source: Option<String>,
}
