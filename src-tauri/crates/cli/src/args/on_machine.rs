//! Arguments of `--on HOST`, which takes no subcommand. The project is on the other machine.

use bc_engine::ssh::MachineAddress;
use clap::Parser;
use std::ffi::OsString;

/// Open a project on another machine over ssh, in a browser on this one. Sessions run on the other machine.
///
/// `beads-console` must be installed on the other machine, and `ssh HOST true` must work without a
/// prompt. The remote server stops when the connection is closed; sessions keep running. A lost connection
/// is restored.
#[derive(Debug, Parser)]
#[command(
    name = "beads-console",
    override_usage = "beads-console --on <HOST> [PROJECT]",
    max_term_width = 100
)]
pub(crate) struct OnArgs {
    /// The machine: HOST, USER@HOST, or a name from your ssh configuration.
    #[arg(long, value_name = "HOST")]
    pub(crate) on: MachineAddress,
    /// The project's folder on the machine; defaults to the home folder. A relative one starts at the home folder.
    #[arg(value_name = "PROJECT")]
    pub(crate) folder: Option<String>,
    /// The same as PROJECT.
    #[arg(long, value_name = "DIR", conflicts_with = "folder", hide = true)]
    pub(crate) project: Option<String>,
    /// Print results and errors as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl OnArgs {
    /// The folder, given as PROJECT or as `--project`.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.folder.as_deref().or(self.project.as_deref())
    }
}

/// Whether the words before any subcommand contain `--on`.
pub(crate) fn is_on_machine(words: &[OsString]) -> bool {
    let mut words = words.iter().skip(1).map(|word| word.to_str().unwrap_or_default());
    while let Some(word) = words.next() {
        match word {
            "--on" => return true,
            "--json" => {}
            "--project" => drop(words.next()),
            _ if word.starts_with("--on=") => return true,
            _ if word.starts_with("--project=") => {}
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_recognized_only_before_a_subcommand() {
        let on = |line: &str| is_on_machine(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for yes in [
            "x --on far",
            "x --on=far",
            "x --json --on far",
            "x --project demo --on far",
            "x --project=demo --on far",
        ] {
            assert!(on(yes), "{yes}");
        }
        for no in ["x", "x serve --on far", "x session start --on far", "x --project --on", "x --only"] {
            assert!(!on(no), "{no}");
        }
    }

    #[test]
    fn the_machine_is_never_an_option_of_ssh() {
        let parse = |words: &[&str]| OnArgs::try_parse_from(words);
        let args = parse(&["x", "--on", "ana@far", "~/demo", "--json"]).unwrap();
        assert_eq!((args.on.as_str(), args.folder(), args.json), ("ana@far", Some("~/demo"), true));
        assert_eq!(parse(&["x", "--on=far", "--project", "/srv/demo"]).unwrap().folder(), Some("/srv/demo"));
        for bad in [
            &["x", "--on", "-oProxyCommand=id"][..],
            &["x", "--on=-oProxyCommand=id"],
            &["x", "--on", "--", "far"],
            &["x", "--on"],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
