//! One function per command: it converts the arguments to parameters, calls the contract and prints the
//! result. A project's commands reach the project and the terminal only through [`Context`], so that tests
//! can replace both.

mod agent_files;
mod backup;
mod bead;
mod bead_change;
mod bead_edit;
mod bead_insight;
mod change_edits;
mod context;
mod context_pack;
mod conversations;
mod doctor;
mod documents;
mod export;
mod fleet;
mod fleet_control;
mod fleet_queue;
mod fleet_settings;
mod hooks;
mod memory;
mod memory_consent;
mod memory_maintenance;
mod needs;
mod permission_answers;
mod places;
mod queued;
mod recovery;
mod search_metrics;
mod session;
mod session_checkpoints;
mod session_end;
mod session_lookup;
mod session_trash;
mod settings;
mod start_resume;
mod version;
mod viewed_files;
mod worktree;

use crate::{
    args::{AgentCommand, Command},
    failure::Failure,
    io::Io,
    output,
};
use bc_wire::{
    ApiError, ErrorCode,
    project::{Nothing, ProjectInfo},
    session::SessionView,
};

use context::print;

pub(crate) use backup::preview as restore_preview;
pub(crate) use context::{Context, Next};
pub(crate) use conversations::decoded as transcript_decoded;
pub(crate) use doctor::doctor;
pub(crate) use documents::{completions, man};
pub(crate) use fleet_queue::merged;
pub(crate) use hooks::allow_git_programs;
pub(crate) use needs::changed as needs_changed;
pub(crate) use places::places;
pub(crate) use settings::of_user as settings;
pub(crate) use version::{licences, version};

/// Runs a command that needs a project.
pub(crate) fn run(command: Command, context: &mut Context<'_>) -> Result<Next, Failure> {
    match command {
        Command::Bead(args) => bead::run(args.command, context)?,
        Command::Session { command } => return session::run(command, context),
        Command::Fleet { command } => fleet::run(command, context)?,
        Command::Worktree { command } => worktree::run(command, context)?,
        Command::Hooks { command } => hooks::run(command, context)?,
        Command::Recovery { bead } => recovery::run(bead, context)?,
        Command::InitAgent(args) => agent_files::run(&args, context)?,
        Command::Backup(args) => backup::run(&args, context)?,
        Command::Settings(args) => settings::of_project(&args, context)?,
        Command::Remember(args) => memory::remember(*args, context)?,
        Command::Memories(args) => memory::memories(args, context)?,
        Command::Recall(args) => memory::recall(args, context)?,
        Command::Forget(args) => memory::forget(args, context)?,
        Command::Memory { command } => memory_maintenance::run(command, context)?,
        Command::Prime(args) => memory::prime(args, context)?,
        Command::Agent { command: AgentCommand::List } => {
            let agents = context.api.agent_list(Nothing {})?;
            context.print(&agents, output::project::agents)?;
        }
        Command::Doctor(_)
        | Command::Init(_)
        | Command::Access(_)
        | Command::Places { .. }
        | Command::Serve { .. }
        | Command::Transcript { .. }
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Licences
        | Command::Version(_) => {
            let text = "a command that opens no project was run with one";
            return Err(ApiError::new(ErrorCode::Internal, text).into());
        }
    }
    Ok(Next::Done)
}

/// Prints the result of `init`.
pub(crate) fn initialized(info: &ProjectInfo, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
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
