//! A fast parser for the most frequent commands. Building clap's definition of all commands takes as long as
//! the rest of such a command.
//!
//! Invariant: this parser reports nothing. A command line that it rejects goes to the full parser, which
//! prints help and errors.

use super::{
    Args, Command, ForgetArgs, MemoriesArgs, PrimeArgs, RecallArgs, RememberArgs, hyphen_values,
    serve::ServeArgs,
};
use clap::{CommandFactory, Parser, Subcommand};
use std::{ffi::OsString, path::PathBuf};

/// [`Args`] with the most frequent commands only.
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

/// A subset of [`Command`].
#[derive(Subcommand)]
enum Frequent {
    Serve(ServeArgs),
    Remember(Box<RememberArgs>),
    Memories(MemoriesArgs),
    Recall(RecallArgs),
    Forget(ForgetArgs),
    Prime(PrimeArgs),
}

/// Parses the words with the fast parser or, if it rejects them, with the full parser.
pub(crate) fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    let frequent = words.iter().skip(1).any(|word| word.to_str().is_some_and(Frequent::has_subcommand));
    let understood = frequent.then(|| FrequentArgs::try_parse_from(words).ok()).flatten();
    if let Some(args) = understood.filter(|_| hyphen_values::check(FrequentArgs::command(), words).is_ok()) {
        return Ok(args.into());
    }
    let args = Args::try_parse_from(words)?;
    hyphen_values::check(Args::command(), words)?;
    Ok(args)
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

    /// Asserts that both parsers agree. `alone` is whether the fast parser must accept the line.
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
    fn fast_parser_agrees_with_the_full_parser() {
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
    fn other_commands_use_the_full_parser() {
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
    fn frequent_commands_are_a_subset_of_all_commands() {
        for command in FrequentArgs::command().get_subcommands() {
            assert!(Command::has_subcommand(command.get_name()), "{}", command.get_name());
        }
    }
}
