//! The project's own tasks: `cargo xtask TASK`. Without a task, xtask lists all tasks.
//!
//! Deliberately elsewhere: all product code. xtask does not depend on the product's crates, so that it also
//! works when they do not build.

mod bench;
mod bundle;
#[cfg(target_os = "linux")]
mod clean_roots;
mod command;
mod display;
mod error;
mod files;
mod journeys;
mod licences;
mod npm;
mod parts;
#[cfg(target_os = "linux")]
mod platforms;
mod project;
mod run;
mod stages;
mod tally;
mod test;
mod tidy;
mod ui;
mod versions;

use crate::{error::XtaskError, parts::packages::is_ci, project::Project};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [-- ARGS]         set up, build and open the window, or without a display the server;
                                  ARGS: --project DIR, --sample, or a command of beads-console
cargo xtask codegen               write the contract's TypeScript
cargo xtask test [--fast|--full]  set up, check style, run all tests and journeys
                                  --fast: only the tests, with the installed programs
                                  --full: also the long tests
cargo xtask ci                    like test, but a program that cannot be fetched is a failure
cargo xtask bench [--row NAME]... [--quick]
                                  compare the release programs with baselines; a full run is stored in
                                  tests/bench/runs, and its table in docs/benchmarks.md (--list: the rows)
cargo xtask versions              run a session with every tested version of claude; the table of results is stored in
                                  docs/claude-code.md
cargo xtask tidy                  check the project's own rules
cargo xtask bundle [--npm|--try]  build packages of the desktop program: deb, rpm and AppImage; app and dmg; nsis and
                                  msi; with --npm, npm packages of the command line; with --try, install, use and
                                  remove the built Linux packages in clean roots
cargo xtask platforms [--target T]
                                  check all packages for Windows, macOS and Linux on ARM, with the tools of Debian and
                                  zig; the first check of each target takes about 10 minutes
cargo xtask platforms --wine [PACKAGE | journey]
                                  build for Windows and run the tests and the journey under Wine
cargo xtask static [--target T]   build static programs for Linux on x86-64 and ARM, which are copied to places; needs the
                                  tools of `platforms`
cargo xtask licences              check the licences of all parts; write their texts and an SBOM
cargo xtask parts                 fetch the real programs for tests and print their paths";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {}", error::with_causes(&error));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<ExitCode, XtaskError> {
    let (verb, rest) = args.split_first().map_or(("help", &[][..]), |(verb, rest)| (verb.as_str(), rest));
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    match (verb, words.as_slice()) {
        ("run", _) => run::run(&Project::find()?, rest),
        ("test", []) => test::test(&Project::find()?, test::Depth::Normal, is_ci()),
        ("test", ["--fast"]) => test::test(&Project::find()?, test::Depth::Fast, is_ci()),
        ("test", ["--full"]) => test::test(&Project::find()?, test::Depth::Full, is_ci()),
        ("ci", []) => test::test(&Project::find()?, test::Depth::Normal, true),
        ("codegen", []) => {
            Ok(if ui::codegen(&Project::find()?, false)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        ("bench", _) => bench::bench(&Project::find()?, rest),
        ("versions", []) => versions::versions(&Project::find()?),
        ("bundle", []) => bundle::bundle(&Project::find()?),
        ("bundle", ["--npm"]) => bundle::bundle_npm(&Project::find()?),
        #[cfg(target_os = "linux")]
        ("bundle", ["--try"]) => clean_roots::try_built(&Project::find()?),
        #[cfg(target_os = "linux")]
        ("static", []) => platforms::static_programs(&Project::find()?, None),
        #[cfg(target_os = "linux")]
        ("static", ["--target", target]) => platforms::static_programs(&Project::find()?, Some(target)),
        #[cfg(target_os = "linux")]
        ("platforms", []) => platforms::platforms(&Project::find()?, None),
        #[cfg(target_os = "linux")]
        ("platforms", ["--target", target]) => platforms::platforms(&Project::find()?, Some(target)),
        #[cfg(target_os = "linux")]
        ("platforms", ["--wine", rest @ ..]) if rest.len() < 2 => {
            let part = match rest.first() {
                None => platforms::wine::Part::All,
                Some(&"journey") => platforms::wine::Part::Journey,
                Some(package) => platforms::wine::Part::Package(package),
            };
            platforms::wine::command(&Project::find()?, part)
        }
        ("licences", []) => licences::licences(&Project::find()?),
        ("tidy", []) => tidy::tidy(&Project::find()?),
        ("parts", []) => parts::parts(&Project::find()?),
        ("help" | "--help" | "-h", _) => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprintln!("error: cargo xtask has no `{}`\n\n{USAGE}", args.join(" "));
            Ok(ExitCode::from(2))
        }
    }
}
