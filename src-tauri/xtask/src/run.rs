//! `cargo xtask run`: builds and runs the program from a fresh clone.

use crate::{command::Step, error::XtaskError, parts::packages, project::Project, ui};
use std::{ffi::OsString, process::ExitCode};

/// The program that `cargo xtask run` runs.
#[derive(Debug, PartialEq, Eq)]
enum Program {
    /// The desktop window.
    Window,
    /// The server, which prints its link.
    Server,
    /// A `beads-console` command.
    Command,
}

/// Checks the requirements, builds, and runs the program: the command in the arguments, or else the window,
/// or the server if there is no display. Always builds `beads-console`, which also runs the session hosts,
/// and the simulated agent, because the window and the server start both from their own folder.
pub(crate) fn run(project: &Project, args: &[String]) -> Result<ExitCode, XtaskError> {
    let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    let program = program_for(args, has_display());
    packages::provide()?;
    if program == Program::Window {
        packages::provide_window()?;
    }
    let mut build = vec!["build", "--package", "bc-cli", "--package", "bc-sim"];
    if program == Program::Window {
        build.extend(["--package", "beads-console-desktop"]);
    }
    let ui_built = program == Program::Command || (ui::install(project)? && ui::build(project)?);
    if !ui_built || !Step::cargo().args(build).dir(project.root()).run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let sample = ["--sample".to_owned()];
    let open_args = if args.is_empty() { &sample } else { args };
    let step = match program {
        Program::Window => Step::new(project.program("beads-console-desktop")).args(open_args),
        Program::Server => Step::new(project.program("beads-console")).args(["serve"]).args(open_args),
        Program::Command => Step::new(project.program("beads-console")).args(args),
    };
    let status = step.run()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Determines the program to run: the window or the server without arguments, with `--sample` alone, or with
/// `--project DIR` alone. All other arguments are a command.
fn program_for(args: &[String], display: bool) -> Program {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match (words.as_slice(), display) {
        ([] | ["--sample"] | ["--project", _], true) => Program::Window,
        ([] | ["--sample"] | ["--project", _], false) => Program::Server,
        _ => Program::Command,
    }
}

fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value: OsString| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_command_the_program_opens_on_the_available_display() {
        let check = |line: &str, display, wanted| {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(program_for(&args, display), wanted, "{line}");
        };
        check("", true, Program::Window);
        check("", false, Program::Server);
        check("--project dir", true, Program::Window);
        check("--project dir", false, Program::Server);
        check("--project dir bead ready", true, Program::Command);
        check("doctor", true, Program::Command);
        check("serve --port 8080", false, Program::Command);
    }
}
