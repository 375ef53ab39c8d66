//! The commands at a place. A link starts them through ssh; they do nothing that the account could not do itself.

mod connect;
mod folders;
mod follow;
mod git_service;
mod home_requests;
mod session;
mod start;

pub(crate) use connect::pass as connect_pass;
pub(crate) use home_requests::Answer;
pub use home_requests::{ask_home, is_place_project};

use crate::{
    describe::{Description, InstalledClaude},
    protocol::VERSION,
};
use bc_claude::{
    paths::Env,
    probe::{Probe, probe},
};
use std::{
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Prints what is installed.
pub(crate) const DESCRIBE: &str = "describe";
/// Serves one link: starts a session, and sends its record and events.
pub(crate) const SESSION: &str = "session";
/// Connects standard input and output to a session's host.
pub(crate) const CONNECT: &str = "connect";
/// Serves git for a project's repository.
pub(crate) const GIT: &str = "git";

/// The main function of the commands at a place; `words` are the arguments after the first one.
pub fn run_place_command(words: &[OsString]) -> ExitCode {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let done = match words.as_slice() {
        [DESCRIBE] => print_description(),
        [SESSION] => session::serve(),
        [CONNECT, id] => connect::connect(id),
        [GIT, service, folder, project] => return git_service::serve(service, folder, project),
        _ => Err("unknown command; another version of Beads Console may have sent it".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            tracing::warn!(%reason, "a command for another machine failed");
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn print_description() -> Result<(), String> {
    let claude = match probe(&Env::of_process(), Path::new(".")) {
        Probe::Ready { version, launcher, .. } => Ok(InstalledClaude {
            program: launcher.program.display().to_string(),
            args: launcher.args,
            version: version.to_string(),
        }),
        unusable => Err(unusable.message()),
    };
    let description = Description {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        claude,
        simulated: simulated_agent().is_ok_and(|program| program.is_file()),
    };
    let mut line = serde_json::to_vec(&description).map_err(|error| error.to_string())?;
    line.push(b'\n');
    std::io::stdout().write_all(&line).map_err(|error| error.to_string())
}

/// The simulated agent next to this program, whether or not it exists.
fn simulated_agent() -> Result<PathBuf, String> {
    Ok(own_program()?.with_file_name("beads-console-sim").with_extension(std::env::consts::EXE_EXTENSION))
}

fn own_program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the path of the running program is unknown: {error}"))
}
