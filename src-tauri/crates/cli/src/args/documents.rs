//! Arguments of `completions` and `man`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page is printed, such as `session start`; the program's own page by default.
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub(crate) words: Vec<String>,
    /// Write the pages of all commands into this folder. Existing pages are replaced.
    #[arg(long)]
    pub(crate) dir: Option<PathBuf>,
}
