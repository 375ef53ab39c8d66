//! One function a command: parameters from the arguments, one or two calls of the contract, the
//! result printed. Nothing here knows an engine, a host or a terminal; see [`Context`].

mod agent_files;
mod backup;
mod bead;
mod ending;
mod export;
mod finding;
mod fleet;
mod fleet_queue;
mod fleet_settings;
mod hooks;
mod memory;
mod old;
mod recovery;
mod resolve;
mod session;
mod settings;
mod steering;
mod tending;
mod viewed;
mod work;
mod worktree;

use crate::{
    args::{AgentCommand, Command},
    failure::Failure,
    io::Io,
    output::{self, Looks},
};
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    api::Api,
    doctor::DoctorReport,
    project::{Nothing, ProjectInfo},
    session::SessionView,
};
use serde::Serialize;

/// What a command has: the project behind its contract, and the person.
pub(crate) struct Context<'a> {
    /// The project.
    pub(crate) api: &'a dyn Api,
    /// The person.
    pub(crate) io: &'a mut dyn Io,
    /// Whether results are printed as JSON.
    pub(crate) json: bool,
}

/// What is left to do when a command has printed its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing.
    Done,
    /// Open this session's terminal.
    Attach(SessionId),
}

pub(crate) use backup::preview as restore_preview;
pub(crate) use fleet_queue::merged;
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
        Command::Memory { command } => tending::run(command, context).map(|()| Next::Done),
        Command::Prime(args) => memory::prime(args, context).map(|()| Next::Done),
        Command::Agent { command: AgentCommand::List } => {
            let agents = context.api.agent_list(Nothing {})?;
            context.print(&agents, output::project::agents)?;
            Ok(Next::Done)
        }
        Command::Doctor | Command::Init { .. } | Command::Serve { .. } => {
            Err(ApiError::new(ErrorCode::Internal, "doctor, init and serve open no project here").into())
        }
    }
}

/// Prints the doctor's report; a failure where no session can be started.
pub(crate) fn doctor(report: &DoctorReport, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    print(report, json, io, output::doctor::report)?;
    match report.ok {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// Prints what `init` made.
pub(crate) fn initialised(info: &ProjectInfo, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    print(info, json, io, output::project::info)?;
    if !json {
        io.out().write_all(b"\nNext: beads-console bead create TITLE\n")?;
    }
    Ok(())
}

/// Says how a session stands whose terminal ended before the person left it.
pub(crate) fn terminal_ended(session: &SessionView, io: &mut dyn Io) -> Result<(), Failure> {
    print(session, false, io, output::session::line)
}

impl Context<'_> {
    /// The result: as the wire has it, or as the function shows it.
    fn print<T: Serialize>(
        &mut self,
        result: &T,
        human: impl FnOnce(&T, &Looks) -> String,
    ) -> Result<(), Failure> {
        print(result, self.json, self.io, human)
    }

    /// What to know besides; with JSON it is part of the result.
    fn warn(&mut self, warnings: &[String]) -> Result<(), Failure> {
        if !self.json {
            for warning in warnings {
                writeln!(self.io.err(), "warning: {}", bc_core::text::plain(warning))?;
            }
        }
        Ok(())
    }

    /// A note that is no result; with JSON there are none.
    fn note(&mut self, text: &str) -> Result<(), Failure> {
        if !self.json {
            writeln!(self.io.err(), "{text}")?;
        }
        Ok(())
    }

    /// Asks where somebody can be asked; elsewhere the refusal stands and says how to agree.
    fn agrees(&mut self, refusal: ApiError) -> Result<bool, Failure> {
        if self.json || !self.io.can_ask() {
            let hint = match refusal.hint {
                Some(hint) if hint.contains("--yes") => hint,
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
    human: impl FnOnce(&T, &Looks) -> String,
) -> Result<(), Failure> {
    let text = match json {
        false => human(result, &io.looks()),
        true => {
            let text = serde_json::to_string_pretty(result).map_err(|e| {
                ApiError::new(ErrorCode::Internal, format!("the result cannot be written as JSON: {e}"))
            })?;
            text + "\n"
        }
    };
    Ok(io.out().write_all(text.as_bytes())?)
}
