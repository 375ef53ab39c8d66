//! The program `beads-console`: the command line and nine internal commands.
//!
//! The internal commands are checked first, because a hook must be fast:
//! - `host`: the process of a session;
//! - `hook`: the command of claude's hooks, which relays an event to the host;
//! - `errand`: answers a helper request of a host, which has no access to beads;
//! - `hook-run`: the parent process of a lifecycle hook;
//! - `queue-check`: the parent process of the merge queue's check;
//! - `place-link`, `remote`, `place-git`: the link of a session at another place, the program at that place, and
//!   the command that git runs instead of ssh;
//! - `pod-exec`: runs a command in a pod, as ssh does on a machine.
//!
//! An agent at a place also starts this program as its tool for beads or memories: see
//! [`bc_remote::agent_tool`].

mod access;
mod args;
mod attach;
mod commands;
mod editor;
mod failure;
mod helper_request;
mod io;
#[cfg(test)]
mod manual_tests;
mod on_machine;
mod output;
mod serve;
mod session_env;
#[cfg(test)]
mod test_doubles;
mod usage;

use crate::{
    args::{
        Args, BackupArgs, BackupCommand, Command, FleetCommand, FleetQueueCommand, RestoreArgs, ServeArgs,
        SessionCommand, TranscriptCommand,
    },
    commands::{Context, Next},
    failure::Failure,
    io::{Io, Process},
};
use bc_engine::{Connection, Engine, Programs, Role};
use bc_wire::{ApiError, ErrorCode, api::Logged, backup::RestoreParams, project::InitParams};
use std::{ffi::OsString, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(tool) = bc_remote::agent_tool(&words) {
        return logged(Role::Helper, || bc_remote::run_agent_tool(tool, &words));
    }
    match words.get(1).and_then(|word| word.to_str()) {
        Some("host") => logged(Role::Host, bc_host::run_host),
        Some(bc_remote::LINK_VERB) => logged(Role::Host, bc_remote::run_link),
        Some(bc_remote::PLACE_VERB) => {
            logged(Role::Helper, || bc_remote::run_place_command(&words[2..], bc_engine::answer_file_command))
        }
        Some(bc_remote::POD_EXEC_VERB) => logged(Role::Helper, || bc_remote::run_pod_exec(&words[2..])),
        Some(bc_remote::GIT_VERB) => logged(Role::Helper, || bc_remote::run_git_command(&words[2..])),
        Some("hook") => logged(Role::Helper, || hook(&words[2..])),
        Some(bc_host::HELPER_VERB) => logged(Role::Helper, helper_request::run),
        Some(bc_hooks::RUN_VERB) => logged(Role::Helper, || {
            log_own_session();
            bc_hooks::run_verb()
        }),
        Some(bc_engine::CHECK_VERB) => logged(Role::Helper, bc_engine::run_check_verb),
        _ => ExitCode::from(run_words(&words, &mut Process::new()).unwrap_or_else(|code| code)),
    }
}

/// Runs the command line of a user or an agent and returns the exit code. It is also returned as the error if no
/// command has to run.
fn run_words(words: &[OsString], io: &mut Process) -> Result<u8, u8> {
    if args::is_on_machine(words) {
        let args = usage::parse_on(words, io)?;
        bc_engine::start_logging(Role::Command);
        return Ok(usage::conclude(on_machine::open(&args, io), args.json, io));
    }
    let args = usage::parse(words, io)?;
    let json = args.json;
    let serves = matches!(args.command, Command::Serve(_));
    // Only a server needs the PATH of the login shell, because it may be started without a terminal.
    let path = if serves { bc_process::login_path::extend() } else { Ok(false) };
    bc_engine::start_logging(if serves { Role::Server } else { Role::Command });
    if let Err(error) = path {
        tracing::warn!(%error, "the PATH of the login shell is unknown");
    }
    log_own_session();
    let done = match run(args, io) {
        Err(Failure::Api(refusal))
            if refusal.code == ErrorCode::ProgramsNotAllowed && !json && io.can_ask() =>
        {
            run_once_allowed(refusal, words, io)
        }
        done => done,
    };
    Ok(usage::conclude(done, json, io))
}

/// Asks whether git may run the programs that the repository's settings name; if so, runs the command again.
fn run_once_allowed(refusal: ApiError, words: &[OsString], io: &mut Process) -> Result<(), Failure> {
    // These words were parsed successfully before.
    let Ok(args) = usage::parse(words, io) else { return Err(refusal.into()) };
    let start = args.project.as_deref().unwrap_or(Path::new("."));
    let allowed = {
        let connection = connect(start, Programs::beside_current_exe()?)?;
        let api = connection.api();
        commands::allow_git_programs(&refusal, &mut Context { api: &api, io, json: false })?
    };
    if allowed { run(args, io) } else { Err(refusal.into()) }
}

fn logged(role: Role, run: impl FnOnce() -> ExitCode) -> ExitCode {
    bc_engine::start_logging(role);
    run()
}

/// Adds the session in which this process runs, if any, to the log.
fn log_own_session() {
    session_env::session().into_iter().for_each(bc_engine::log_session);
}

/// Opens the project through its engine, and adds its folder to the log.
fn connect(start: &Path, programs: Programs) -> Result<Connection, ApiError> {
    let connection = bc_engine::connect(start, programs).inspect_err(|error| {
        tracing::warn!(code = error.code.as_str(), "the project could not be opened");
    })?;
    bc_engine::log_project(&connection.project().root);
    Ok(connection)
}

/// Opens a view of the project without its engine, and adds its folder to the log.
fn view(start: &Path, programs: Programs) -> Result<Engine, ApiError> {
    let view = bc_engine::view(start, programs)?;
    bc_engine::log_project(view.project_root());
    Ok(view)
}

/// `hook EVENT [INDEX]`. Errors are logged and never reach claude: a failing hook would be shown to the user, or
/// block a tool.
fn hook(words: &[OsString]) -> ExitCode {
    log_own_session();
    let event = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let index = words.get(1).and_then(|word| word.to_str()?.parse().ok()).unwrap_or(0);
    if let Err(error) = bc_host::relay(&event, index, std::io::stdin().lock(), std::io::stdout().lock()) {
        tracing::warn!(%event, %error, "cannot relay hook event");
    }
    ExitCode::SUCCESS
}

fn run(args: Args, io: &mut dyn Io) -> Result<(), Failure> {
    let start = args.project.as_deref().unwrap_or(Path::new("."));
    let programs = Programs::beside_current_exe()?;
    match args.command {
        Command::Doctor(doctor) => {
            let pack = || bc_engine::problem_report(start, &programs, &[]);
            commands::doctor(&doctor, &bc_engine::doctor(start, &programs), pack, args.json, io)
        }
        Command::Transcript { command: TranscriptCommand::Decode { file } } => {
            commands::transcript_decoded(&bc_engine::decode_transcript(&file)?, args.json, io)
        }
        Command::Completions(wanted) => commands::completions(&wanted, args.json, io),
        Command::Man(wanted) => commands::man(&wanted, args.json, io),
        Command::Licences => commands::licences(&bc_app::licences(), args.json, io),
        Command::Version(wanted) => commands::version(&wanted, bc_engine::newest_version, args.json, io),
        Command::Init(wanted) => {
            let info = bc_engine::init(start, wanted.params())?;
            commands::initialized(&info, args.json, io)
        }
        Command::Serve(ServeArgs { port, link: true, .. }) => {
            serve::another_link(port, serve::printed(args.json), io)
        }
        Command::Places { command } => commands::places(command, args.json, io),
        Command::Access(access) => access::run(access, args.json, io),
        Command::Serve(serve) => {
            serve::serve(serve, args.project.as_deref(), programs, serve::printed(args.json))
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
        Command::Backup(BackupArgs { command: Some(BackupCommand::Restore(restore)), .. })
            if restore.preview =>
        {
            let params = RestoreParams { from: restore.from, fetch: restore.fetch };
            let plan = bc_engine::preview_at(start, programs, &params)?;
            commands::restore_preview(&plan, args.json, io)
        }
        Command::Fleet { command: FleetCommand::Queue { command: FleetQueueCommand::Run } } => {
            let (json, mut shown) = (args.json, Ok(()));
            let mut print_output = |bytes: &[u8]| {
                if !json && shown.is_ok() {
                    let text = bc_core::text::plain(&String::from_utf8_lossy(bytes));
                    shown = io.out().write_all(text.as_bytes()).and_then(|()| io.out().flush());
                }
            };
            let merged = bc_app::merge_waiting(start, programs.clone(), &mut print_output)?;
            shown?;
            commands::merged(merged, &view(start, programs)?, json, io)
        }
        Command::Session { command: SessionCommand::Needs { watch: true } } => {
            let (json, style) = (args.json, io.style());
            let mut shown = Ok(());
            bc_app::watch_needs(start, programs, &mut |needs| {
                shown = commands::needs_changed(needs, json, &style, io);
                shown.is_ok()
            })?;
            shown
        }
        command if !command.needs_engine() => {
            let view = view(start, programs)?;
            commands::run(command, &mut Context { api: &Logged(&view), io, json: args.json }).map(drop)
        }
        command => {
            if let Command::Backup(BackupArgs { command: Some(BackupCommand::Restore(restore)), .. }) =
                &command
            {
                make_beads(start, &programs, restore)?;
            }
            let connection = connect(start, programs)?;
            let api = connection.api();
            let next = commands::run(command, &mut Context { api: &Logged(&api), io, json: args.json })?;
            match next {
                Next::Done => Ok(()),
                Next::Attach(id) => {
                    let socket = connection.host_socket(id)?;
                    io.out().flush()?;
                    // The user can stay attached for hours, so release the engine's lock for other processes.
                    drop(api);
                    drop(connection);
                    attach::attach(&socket, id, start, io)
                }
            }
        }
    }
}

/// Creates `.beads` for a restore into a project without it, with the prefix of the backup's beads.
fn make_beads(start: &Path, programs: &Programs, restore: &RestoreArgs) -> Result<(), ApiError> {
    let params = RestoreParams { from: restore.from.clone(), fetch: restore.fetch };
    if let Some(prefix) = bc_engine::prefix_in_backup(start, programs.clone(), &params)? {
        bc_engine::init(start, InitParams { prefix, ..InitParams::default() })?;
    }
    Ok(())
}

fn no_home() -> ApiError {
    ApiError::new(ErrorCode::Io, "no home folder found for the settings")
}
