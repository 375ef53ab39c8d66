//! The commands that somebody waits for many times an hour, understood without the others: to describe the whole
//! command line takes as long as the rest of such a command.
//!
//! Invariant: nothing is told from here. What is not understood at once is asked of the whole command line, whose
//! help and errors a person sees.

use super::{Args, Command, ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs, serve::ServeArgs};
use clap::{Parser, Subcommand};
use std::{ffi::OsString, path::PathBuf};

/// As [`Args`], with few commands.
#[derive(Parser)]
#[command(name = "beads-console")]
struct FrequentArgs {
    #[arg(long, global = true, value_name = "DIR", allow_hyphen_values = true)]
    project: Option<PathBuf>,
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Frequent,
}

/// As in [`Command`].
#[derive(Subcommand)]
enum Frequent {
    Serve(ServeArgs),
    Remember(Box<RememberArgs>),
    Memories(MemoriesArgs),
    Recall(RecallArgs),
    Forget(ForgetArgs),
    Prime(PrimeArgs),
}

/// What these words say.
pub(crate) fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    let frequent = words.iter().skip(1).any(|word| word.to_str().is_some_and(Frequent::has_subcommand));
    let understood = frequent.then(|| FrequentArgs::try_parse_from(words).ok()).flatten();
    understood.map_or_else(|| Args::try_parse_from(words), |args| Ok(args.into()))
}

impl From<FrequentArgs> for Args {
    fn from(FrequentArgs { project, json, command }: FrequentArgs) -> Args {
        let command = match command {
            Frequent::Serve(args) => Command::Serve(args),
            Frequent::Remember(args) => Command::Remember(args),
            Frequent::Memories(args) => Command::Memories(args),
            Frequent::Recall(args) => Command::Recall(args),
            Frequent::Forget(args) => Command::Forget(args),
            Frequent::Prime(args) => Command::Prime(args),
        };
        Args { project, json, command }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The words as the whole command line understands them; and whether they were understood without it.
    #[track_caller]
    fn check(line: &str, alone: bool) {
        let words: Vec<OsString> =
            std::iter::once("beads-console").chain(line.split(' ')).map(OsString::from).collect();
        let shown = |parsed: Result<Args, clap::Error>| parsed.map_err(|error| error.render().to_string());
        let all = shown(Args::try_parse_from(&words)).map(|args| format!("{args:?}"));
        assert_eq!(shown(parse(&words)).map(|args| format!("{args:?}")), all, "{line}");
        assert_eq!(FrequentArgs::try_parse_from(&words).is_ok(), alone, "{line}");
    }

    #[test]
    fn what_is_understood_at_once_means_the_same() {
        for line in [
            "--project -odd serve --port 80",
            "serve --link --json",
            "serve --sample",
            "--json remember x --key k --type pattern --tag a --tag b --importance 8 --bead bc-1",
            "remember --project p -- --json",
            "remember --from MEMORY.md --yes",
            "memories a b --limit 3",
            "recall prime --json",
            "forget k --undo",
            "prime --budget 100",
        ] {
            check(line, true);
        }
    }

    #[test]
    fn whatever_else_there_is_comes_from_the_whole_command_line() {
        for line in [
            "bead show remember",
            "session list --json",
            "remember",
            "remember x --type thought",
            "remember --help",
            "serve --sample --project x",
            "serve --sample --link",
            "prime --nonsense",
            "nonsense prime",
            "--help",
        ] {
            check(line, false);
        }
    }

    #[test]
    fn every_frequent_command_is_one_of_all() {
        for command in FrequentArgs::command().get_subcommands() {
            assert!(Command::has_subcommand(command.get_name()), "{}", command.get_name());
        }
    }
}
