//! The program `beads-console`: the command line, and the five verbs that are not for people.
//!
//! `host` (a session's own process), `hook` (what claude calls on every event), `errand` (what a host
//! asks because it knows no beads), `hook-run` (what a lifecycle hook runs under) and `queue-check` (what the merge
//! queue's check runs under) are looked for before anything else is done: a hook has no time to lose.

mod args;
mod commands;
mod editor;
mod errand;
mod failure;
#[cfg(test)]
mod fake;
mod inside;
mod io;
#[cfg(test)]
mod manual;
mod output;
mod serve;
mod terminal;
mod usage;

use crate::{
    args::{
        Args, BackupArgs, BackupCommand, Command, FleetCommand, FleetQueueCommand, RestoreArgs, ServeArgs,
    },
    commands::{Context, Next},
    failure::Failure,
    io::{Io, Process},
};
use bc_engine::Programs;
use bc_wire::{ApiError, ErrorCode, backup::RestoreParams};
use std::{ffi::OsString, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some("host") => return bc_host::run_host(),
        Some("hook") => return hook(&words[2..]),
        Some(bc_host::ERRAND_VERB) => return errand::run(),
        Some(bc_hooks::RUN_VERB) => return bc_hooks::run_verb(),
        Some(bc_engine::CHECK_VERB) => return bc_engine::run_check_verb(),
        _ => {}
    }
    let mut io = Process::new();
    let code = match usage::parse(&words, &mut io) {
        Ok(args) => {
            let json = args.json;
            let done = run(args, &mut io);
            usage::conclude(done, json, &mut io)
        }
        Err(code) => code,
    };
    ExitCode::from(code)
}

/// `hook EVENT [INDEX]`. Whatever goes wrong is the session's to cope with, never claude's: a hook that
/// fails would be shown to the person, or stop a tool.
fn hook(words: &[OsString]) -> ExitCode {
    let event = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let index = words.get(1).and_then(|word| word.to_str()?.parse().ok()).unwrap_or(0);
    let _ = bc_host::relay(&event, index, std::io::stdin().lock(), std::io::stdout().lock());
    ExitCode::SUCCESS
}

fn run(args: Args, io: &mut dyn Io) -> Result<(), Failure> {
    let start = args.project.as_deref().unwrap_or(Path::new("."));
    let programs = Programs::beside_current_exe()?;
    match args.command {
        Command::Doctor => commands::doctor(&bc_engine::doctor(start, &programs), args.json, io),
        Command::Init { prefix } => {
            let info = bc_engine::init(start, bc_wire::project::InitParams { prefix })?;
            commands::initialised(&info, args.json, io)
        }
        Command::Serve(ServeArgs { port, link: true, .. }) => serve::another_link(port, io),
        Command::Serve(ServeArgs { port, sample, .. }) => {
            serve::serve(port, sample, args.project.as_deref(), programs)
        }
        Command::Settings(settings) if !settings.project_only => {
            let keep = |change| {
                let folder = bc_engine::preferences::folder().ok_or_else(no_home)?;
                let changed = bc_engine::preferences::change_settings(&folder, change)
                    .map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))?;
                bc_engine::settings_changed(start);
                Ok(changed)
            };
            commands::settings(&settings, bc_engine::preferences::settings(), keep, args.json, io)
        }
        // A backup needs no engine, beside a window or without one.
        Command::Backup(backup) if !matches!(backup.command, Some(BackupCommand::Restore(_))) => {
            let view = bc_engine::view(start, programs)?;
            commands::run(Command::Backup(backup), &mut Context { api: &view, io, json: args.json }).map(drop)
        }
        Command::Backup(BackupArgs { command: Some(BackupCommand::Restore(restore)), .. })
            if restore.preview =>
        {
            let params = RestoreParams { from: restore.from, fetch: restore.fetch };
            let plan = bc_engine::preview_at(start, programs, &params)?;
            commands::restore_preview(&plan, args.json, io)
        }
        Command::Fleet { command: FleetCommand::Queue { command: FleetQueueCommand::Run } } => {
            let (json, mut shown) = (args.json, Ok(()));
            let mut told = |bytes: &[u8]| {
                if !json && shown.is_ok() {
                    let text = bc_core::text::plain(&String::from_utf8_lossy(bytes));
                    shown = io.out().write_all(text.as_bytes()).and_then(|()| io.out().flush());
                }
            };
            let merged = bc_app::merge_waiting(start, programs.clone(), &mut told)?;
            shown?;
            commands::merged(merged, &bc_engine::view(start, programs)?, json, io)
        }
        // Sessions are the engine's alone, and so is what is being opened just now.
        Command::Fleet { command } if command.needs_engine() => {
            let connection = bc_engine::connect(start, programs)?;
            let api = connection.api();
            commands::run(Command::Fleet { command }, &mut Context { api: &api, io, json: args.json })
                .map(drop)
        }
        // Many agents do these at once, in whatever else runs: they need no engine, and take no lock.
        command @ (Command::Remember(_)
        | Command::Memories(_)
        | Command::Recall(_)
        | Command::Forget(_)
        | Command::Memory { .. }
        | Command::Fleet { .. }
        | Command::InitAgent(_)
        | Command::Prime(_)) => {
            let view = bc_engine::view(start, programs)?;
            commands::run(command, &mut Context { api: &view, io, json: args.json }).map(drop)
        }
        command => {
            if let Command::Backup(BackupArgs { command: Some(BackupCommand::Restore(restore)), .. }) =
                &command
            {
                make_beads(start, &programs, restore)?;
            }
            let connection = bc_engine::connect(start, programs)?;
            let api = connection.api();
            let next = commands::run(command, &mut Context { api: &api, io, json: args.json })?;
            match next {
                Next::Done => Ok(()),
                Next::Attach(id) => {
                    let socket = connection.host_socket(id)?;
                    io.out().flush()?;
                    // A person may stay for hours: whoever comes next is the project's engine.
                    drop(api);
                    drop(connection);
                    terminal::attach(&socket, id, start, io)
                }
            }
        }
    }
}

/// Makes `.beads` for a restore into a project that has none.
fn make_beads(start: &Path, programs: &Programs, restore: &RestoreArgs) -> Result<(), ApiError> {
    let params = RestoreParams { from: restore.from.clone(), fetch: restore.fetch };
    match bc_engine::prefix_in_backup(start, programs.clone(), &params)? {
        Some(prefix) => bc_engine::init(start, bc_wire::project::InitParams { prefix }).map(drop),
        None => Ok(()),
    }
}

fn no_home() -> ApiError {
    ApiError::new(ErrorCode::Io, "there is no home folder to keep settings in")
}
