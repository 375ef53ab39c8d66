//! The commands at a place, which have the same rights as the account. The user's machine starts most of
//! them, for example through ssh; agents start the others.

mod cleanup;
mod command_queue;
mod connect;
mod dolt_server;
mod file_command;
mod folders;
mod follow;
mod git_service;
mod home_requests;
mod hooks;
mod link_output;
mod programs;
mod sent_record;
mod session;
mod setup;
mod start;
mod symbolic_link;

pub use file_command::SessionFolders;
pub(crate) use home_requests::Answer;
pub use home_requests::{ask_home, is_place_project};

use crate::{
    describe::{Description, InstalledClaude},
    home_request::{ChangeCommand, CommandId, CommandOutput, CommandRequest, HomeRequest, Tool},
    pipe,
    protocol::VERSION,
    verbs::{CLEAN, CONNECT, DESCRIBE, FILES, GIT, PLACE_VERB, SESSION, TRACKER},
};
use bc_claude::{
    paths::Env,
    probe::{Probe, probe},
};
use bc_store::SessionStore;
use command_queue::{CommandQueue, can_wait};
use home_requests::run_at_home;
use std::{ffi::OsString, io::Write, path::Path, process::ExitCode};

/// Returns the tool that an agent at a place means when it starts this program for beads or memories. `None` for
/// any other start. `words` is the whole command line.
pub fn agent_tool(words: &[OsString]) -> Option<Tool> {
    let name = Path::new(words.first()?).file_stem()?;
    if name == TRACKER {
        return Some(Tool::Bd);
    }
    // Claude's hooks and other internal commands run at the place itself.
    let is_hidden = |word: &OsString| word == "hook" || word == PLACE_VERB || word == bc_host::HELPER_VERB;
    let root = std::env::var_os("BEADS_CONSOLE_PROJECT")?;
    let by_agent = std::env::var_os(bc_process::descendants::SESSION_MARKER).is_some();
    let hidden = words.get(1).is_none_or(is_hidden);
    (by_agent && !hidden && is_place_project(Path::new(&root))).then_some(Tool::Console)
}

/// The main function of a command that an agent at a place runs on the user's machine.
pub fn run_agent_tool(tool: Tool, words: &[OsString]) -> ExitCode {
    match run_command_at_home(tool, words) {
        Ok(output) => {
            // An error is ignored, because the agent may have stopped reading the output.
            let _ = std::io::stdout().write_all(output.stdout.as_bytes());
            let _ = std::io::stderr().write_all(output.stderr.as_bytes());
            ExitCode::from(output.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run_command_at_home(tool: Tool, words: &[OsString]) -> Result<CommandOutput, String> {
    let session = std::env::var(bc_process::descendants::SESSION_MARKER)
        .map_err(|_| "this program is for agents in a session".to_owned())?;
    let session = session.parse().map_err(|_| "the session's id is not valid".to_owned())?;
    let args: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let stdin = match args.iter().any(|arg| arg == "-") {
        true => Some(std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string())?),
        false => None,
    };
    let command = CommandRequest { session, tool, args, stdin };
    if !can_wait(&command) {
        return Ok(run_at_home(&HomeRequest::Command(command))?);
    }
    let root = std::env::var_os("BEADS_CONSOLE_PROJECT").unwrap_or_default();
    let session = SessionStore::at(&Path::new(&root).join(".beads")).session(session);
    let change = ChangeCommand { id: CommandId::new(), at: bc_host::now(), command };
    CommandQueue::of(&session).run(change, |change| run_at_home(&HomeRequest::Change(change.clone())))
}

/// The main function of the commands at a place. `words` are the arguments after the hidden verb. `run_command`
/// runs a command on a session's files, and returns its answer as one line.
pub fn run_place_command(
    words: &[OsString],
    run_command: impl FnOnce(&SessionFolders, &str) -> String,
) -> ExitCode {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let done = match words.as_slice() {
        [DESCRIBE] => print_description(),
        [SESSION] => session::serve(),
        [CONNECT, id] => connect::connect(id),
        [CLEAN, folder, project, session] => cleanup::clean(folder, project, session),
        [FILES, folder, project, session] => file_command::run(folder, project, session, run_command),
        [GIT, service, folder, project, session, now] => {
            return git_service::serve(service, folder, project, session, now);
        }
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
        simulated: programs::simulated_agent().is_ok_and(|program| program.is_file()),
    };
    pipe::write(&mut std::io::stdout(), &description).map_err(|error| error.to_string())
}
