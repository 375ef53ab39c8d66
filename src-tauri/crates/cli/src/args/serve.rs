//! `serve`.

use clap::Args;

/// `serve …`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The port on 127.0.0.1; a free one unless given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Make a sample project in a temporary folder and open that.
    #[arg(long, conflicts_with = "project")]
    pub(crate) sample: bool,
    /// Ask the server that runs already, the one on --port if several do, for another link: for one
    /// more browser, or where the first link was used up.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) link: bool,
}
