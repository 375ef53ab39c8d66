//! Arguments of `serve`.

use bc_server::Origin;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port on 127.0.0.1. By default, the project's previous port, or a free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Create a sample project in a temporary folder and open it.
    #[arg(long, conflicts_with = "project")]
    pub(crate) sample: bool,
    /// Print a new link to a running server, for another tab or browser, or if the first link was already used. If
    /// several servers run, name one with --port.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) link: bool,
    /// Public address of a reverse proxy or tunnel to this server, such as https://console.example.org. The server
    /// then answers requests for this address only.
    #[arg(long, conflicts_with = "link")]
    pub(crate) origin: Option<Origin>,
    /// End when standard input ends: for a program that starts the server and may be killed.
    #[arg(long, conflicts_with = "link", hide = true)]
    pub(crate) while_stdin: bool,
}
