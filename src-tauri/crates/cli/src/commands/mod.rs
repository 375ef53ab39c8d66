//! One function per command: it converts arguments to parameters, calls the contract once or twice and prints the
//! result. This module knows no engine, host or terminal; see [`Context`].

mod agent_files;
mod backup;
mod bead;
mod doctor;
mod export;
mod fleet;
mod fleet_control;
mod fleet_queue;
mod fleet_settings;
mod hooks;
mod memory;
mod memory_maintenance;
mod permission_answers;
mod recovery;
mod search_metrics;
mod session;
mod session_end;
mod session_lookup;
mod session_trash;
mod settings;
mod start_resume;
mod viewed_files;
mod worktree;

use crate::{
    args::{AgentCommand, Command},
    failure::Failure,
    io::Io,
    output::{self, Style},
};
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    api::Api,
    project::{Nothing, ProjectInfo},
    session::SessionView,
};
use serde::Serialize;

/// A command's environment: the project's contract, and the user's terminal.
pub(crate) struct Context<'a> {
    /// The project.
    pub(crate) api: &'a dyn Api,
    /// Input and output.
    pub(crate) io: &'a mut dyn Io,
    /// Whether results are printed as JSON.
    pub(crate) json: bool,
}

/// What remains to be done after a command has printed its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing.
    Done,
    /// Open this session's terminal.
    Attach(SessionId),
}

pub(crate) use backup::preview as restore_preview;
pub(crate) use doctor::doctor;
pub(crate) use fleet_queue::merged;
pub(crate) use hooks::allow_git_programs;
pub(crate) use settings::of_person as settings;

/// Runs a command that needs a project.
pub(crate) fn run(command: Command, context: &mut Context<'_>) -> Result<Next, Failure> {
    match command {
        Command::Bead(args) => bead::run(args.command, context).map(|()| Next::Done),
        Command::Session { command } => session::run(command, context),
        Command::Fleet { command } => fleet::run(command, context).map(|()| Next::Done),
        Command::Worktree { command } => worktree::run(command, context).map(|()| Next::Done),
        Command::Hooks { command } => hooks::run(command, context).map(|()| Next::Done),
        Command::Recovery { bead } => recovery::run(bead, context).map(|()| Next::Done),
        Command::InitAgent(args) => agent_files::run(&args, context).map(|()| Next::Done),
        Command::Backup(args) => backup::run(&args, context).map(|()| Next::Done),
        Command::Settings(args) => settings::of_project(&args, context).map(|()| Next::Done),
        Command::Remember(args) => memory::remember(*args, context).map(|()| Next::Done),
        Command::Memories(args) => memory::memories(args, context).map(|()| Next::Done),
        Command::Recall(args) => memory::recall(args, context).map(|()| Next::Done),
        Command::Forget(args) => memory::forget(args, context).map(|()| Next::Done),
        Command::Memory { command } => memory_maintenance::run(command, context).map(|()| Next::Done),
        Command::Prime(args) => memory::prime(args, context).map(|()| Next::Done),
        Command::Agent { command: AgentCommand::List } => {
            let agents = context.api.agent_list(Nothing {})?;
            context.print(&agents, output::project::agents)?;
            Ok(Next::Done)
        }
        Command::Doctor(_) | Command::Init { .. } | Command::Serve { .. } => {
            Err(ApiError::new(ErrorCode::Internal, "doctor, init and serve open no project here").into())
        }
    }
}

/// Prints the result of `init`.
pub(crate) fn initialised(info: &ProjectInfo, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    print(info, json, io, output::project::info)?;
    if !json {
        io.out().write_all(b"\nNext: beads-console bead create TITLE\n")?;
    }
    Ok(())
}

/// Prints the state of a session whose terminal ended while the user was attached.
pub(crate) fn terminal_ended(session: &SessionView, io: &mut dyn Io) -> Result<(), Failure> {
    print(session, false, io, output::session::line)
}

impl Context<'_> {
    /// Prints the result as JSON, or formatted by the function.
    fn print<T: Serialize>(
        &mut self,
        result: &T,
        human: impl FnOnce(&T, &Style) -> String,
    ) -> Result<(), Failure> {
        print(result, self.json, self.io, human)
    }

    /// Prints warnings; JSON results already contain them.
    fn warn(&mut self, warnings: &[String]) -> Result<(), Failure> {
        if !self.json {
            for warning in warnings {
                writeln!(self.io.err(), "warning: {}", bc_core::text::plain(warning))?;
            }
        }
        Ok(())
    }

    /// Prints a note that is not part of the result; omitted with JSON.
    fn note(&mut self, text: &str) -> Result<(), Failure> {
        if !self.json {
            writeln!(self.io.err(), "{text}")?;
        }
        Ok(())
    }

    /// Asks for consent on a terminal. Otherwise, returns the refusal with a hint how to agree.
    fn agrees(&mut self, refusal: ApiError) -> Result<bool, Failure> {
        if self.json || !self.io.can_ask() {
            let hint = match refusal.hint {
                Some(hint) if hint.contains("--yes") || hint.contains("--force") => hint,
                Some(hint) => format!("{hint}; agree with --yes"),
                None => "agree with --yes".to_owned(),
            };
            return Err(ApiError { hint: Some(hint), ..refusal }.into());
        }
        Ok(self.io.ask(&refusal.message)?)
    }
}

fn print<T: Serialize>(
    result: &T,
    json: bool,
    io: &mut dyn Io,
    human: impl FnOnce(&T, &Style) -> String,
) -> Result<(), Failure> {
    let text = match json {
        false => human(result, &io.style()),
        true => {
            let text = serde_json::to_string_pretty(result).map_err(|e| {
                ApiError::new(ErrorCode::Internal, format!("cannot serialize the result: {e}"))
            })?;
            text + "\n"
        }
    };
    Ok(io.out().write_all(text.as_bytes())?)
}
