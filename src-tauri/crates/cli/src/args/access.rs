//! Arguments of `access`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct AccessArgs {
    /// The server's port, if several servers run.
    #[arg(long, value_name = "N", global = true, default_value_t = 0)]
    pub(crate) port: u16,
    #[command(subcommand)]
    pub(crate) command: AccessCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccessCommand {
    /// Give a person access: print their link, which works once. For a person with access, print a link for another
    /// tab or browser; it replaces their unused link.
    Add {
        /// The person's name, as it is shown to others and recorded in the tracker.
        name: String,
    },
    /// List the people with access, and who is connected.
    List,
    /// End a person's access, and close their connections at once.
    Revoke {
        /// The person's name.
        name: String,
    },
}
