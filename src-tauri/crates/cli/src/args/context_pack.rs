//! Arguments of `session context`, and the context pack options of `session start`.

use bc_core::ids::BeadId;
use bc_wire::session::PackRequest;
use clap::Args;

/// Options that determine the content of a context pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct PackArgs {
    /// Size of the context pack in tokens: 500 to 40,000, such as 2k, 10k or 25k. Implies --context.
    #[arg(long = "context-budget", value_name = "TOKENS", value_parser = tokens)]
    pub(crate) budget: Option<u32>,
    /// Template in .beads/context-templates, by its name. Implies --context.
    #[arg(long = "context-template", value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) template: Option<String>,
    /// Add a file of the repository, with or without lines: src/a.rs, src/a.rs:10-40. Implies --context.
    #[arg(long = "context-add", value_name = "FILE", allow_hyphen_values = true)]
    pub(crate) add: Vec<String>,
    /// Remove a piece, by its key in `session context`. Implies --context.
    #[arg(long = "context-remove", value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) remove: Vec<String>,
    /// Put a piece first and include it whole, by its key in `session context`. Implies --context.
    #[arg(long = "context-pin", value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) pin: Vec<String>,
}

impl PackArgs {
    /// Whether the user gave any of these options.
    pub(crate) fn chosen(&self) -> bool {
        *self != PackArgs::default()
    }

    pub(crate) fn request(self) -> PackRequest {
        let PackArgs { budget, template, add, remove, pin } = self;
        PackRequest { budget, template, add, remove, pin, only: None }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// Bead to work on.
    #[arg(long, value_name = "ID")]
    pub(crate) bead: Option<BeadId>,
    /// Title of the session.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// Objective of the session.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) objective: Option<String>,
    #[command(flatten)]
    pub(crate) pack: PackArgs,
    /// Also print the text of each included piece.
    #[arg(long)]
    pub(crate) text: bool,
}

/// Parses `2k`, `10,000` and `800`.
fn tokens(text: &str) -> Result<u32, String> {
    let digits = text.trim().replace([',', '_'], "").to_lowercase();
    let (number, factor) = digits.strip_suffix('k').map_or((digits.as_str(), 1), |number| (number, 1_000));
    let tokens = number.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
    tokens.ok_or_else(|| "expected a number of tokens, such as 10000 or 10k".to_owned())
}
