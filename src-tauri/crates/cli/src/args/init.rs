//! Arguments of `init`.

use bc_wire::project::{CommitAuthor, FirstCommit, FirstCommitContent, InitParams, InitTracker};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Prefix of bead ids; derived from the folder's name by default.
    #[arg(long)]
    prefix: Option<String>,
    /// The tracker that keeps the beads.
    #[arg(long, value_enum, default_value_t = Tracker::Embedded)]
    tracker: Tracker,
    /// Create a git repository first if the folder is not in one.
    #[arg(long)]
    git: bool,
    /// Make a first commit, if the repository has none: of every file, or of the beads only.
    #[arg(long, value_name = "CONTENT", num_args = 0..=1, default_missing_value = "beads")]
    first_commit: Option<Content>,
    /// Author of the first commit; defaults to the user in git's settings.
    #[arg(long, value_name = "NAME <EMAIL>", value_parser = author, requires = "first_commit")]
    author: Option<CommitAuthor>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Tracker {
    /// The embedded store, whose beads bd and br can import later.
    Embedded,
    /// bd with its database.
    Bd,
    /// Keep the existing beads and their tracker; set up only git.
    Keep,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Content {
    /// Every file that git does not ignore.
    All,
    /// Only the files of the beads.
    Beads,
}

impl InitArgs {
    pub(crate) fn params(self) -> InitParams {
        InitParams {
            prefix: self.prefix,
            tracker: Some(match self.tracker {
                Tracker::Embedded => InitTracker::Embedded,
                Tracker::Bd => InitTracker::Bd,
                Tracker::Keep => InitTracker::Keep,
            }),
            git_init: self.git,
            first_commit: self.first_commit.map(|content| FirstCommit {
                content: match content {
                    Content::All => FirstCommitContent::All,
                    Content::Beads => FirstCommitContent::Beads,
                },
                author: self.author,
            }),
        }
    }
}

/// Parses `Ana <ana@example.org>`.
fn author(text: &str) -> Result<CommitAuthor, String> {
    let parts = text.trim().strip_suffix('>').and_then(|text| text.split_once('<'));
    match parts.map(|(name, email)| (name.trim(), email.trim())) {
        Some((name, email)) if !name.is_empty() && !email.is_empty() => {
            Ok(CommitAuthor { name: name.to_owned(), email: email.to_owned() })
        }
        _ => Err("write it as \"Name <address>\"".to_owned()),
    }
}
