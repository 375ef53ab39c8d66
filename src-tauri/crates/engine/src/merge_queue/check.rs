//! Runs the user's check on the merged result; `steps.rs` judges the outcome. The check runs under a reaper:
//! a separate process that is the parent of everything that the check starts. No process remains after the
//! check exits, exceeds its deadline or is cancelled, or after the merging program exits.

use crate::context::{Context, errors::chain};
use bc_process::{
    child_reaper,
    descendants::{EnvMarker, SESSION_MARKER},
    run::Program,
    supervised_child::{End, StopHandle},
};
use bc_store::lock::FileLock;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, Read},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};
use uuid::Uuid;

/// The program's hidden command that acts as a check's reaper.
pub const CHECK_VERB: &str = "queue-check";

/// The environment variable that marks every process of a check.
const MARK: &str = "BEADS_CONSOLE_QUEUE_CHECK";

/// How long the check's processes can take to exit after the check's exit, deadline or cancellation, before
/// they are killed.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait until all processes of an earlier check have exited, for example after the merging
/// program was killed.
pub(super) const EARLIER_CHECK_TIMEOUT: Duration = Duration::from_secs(30);

/// The check to run, as the reaper reads it from standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CheckOrder {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    pub(super) folder: PathBuf,
    pub(super) timeout_ms: u64,
    /// The path of a lock that the reaper holds while any process of the check exists.
    pub(super) lock: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckOutcome {
    /// The check exited, normally or by a signal.
    Ended {
        /// The exit code; `None` after a signal.
        code: Option<i32>,
    },
    /// The check exceeded its time limit.
    Late,
    /// The check was cancelled, or the merging program has exited.
    Unwanted,
    /// The check could not be started, for the given reason.
    NotRun(String),
}

/// Runs a check until it exits, exceeds its time limit or is cancelled. `output` receives the check's output
/// as it is written. Fails if the reaper could not run or report its result.
pub(super) fn check(
    ctx: &Context,
    order: &CheckOrder,
    stop_handle: &StopHandle,
    output: impl FnMut(&[u8]),
) -> Result<CheckOutcome, String> {
    let order = serde_json::to_string(order).map_err(|error| error.to_string())?;
    let reaper = Program::new(&ctx.programs.console).arg(CHECK_VERB);
    let ended = reaper.run_supervised(&order, stop_handle, output).map_err(|error| chain(&error))?;
    let Some(ended) = ended else { return Ok(CheckOutcome::Unwanted) };
    serde_json::from_slice(&ended.stderr).map_err(|_| {
        let report = String::from_utf8_lossy(&ended.stderr);
        format!("{} {CHECK_VERB} returned no report: {}", ctx.programs.console.display(), report.trim())
    })
}

/// The main function of the hidden command. It reads a [`CheckOrder`] from the first line of stdin and writes a
/// [`CheckOutcome`] to stderr. Stdout carries the check's output.
pub fn run_check_verb() -> ExitCode {
    let checked = run_order().unwrap_or_else(CheckOutcome::NotRun);
    let report = serde_json::to_string(&checked).expect("a report has string keys");
    eprint!("{report}");
    ExitCode::SUCCESS
}

fn run_order() -> Result<CheckOutcome, String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|error| error.to_string())?;
    let order: CheckOrder = serde_json::from_str(&line).map_err(|error| error.to_string())?;
    let lock = FileLock::exclusive(&order.lock, EARLIER_CHECK_TIMEOUT).map_err(|error| chain(&error))?;
    let _lock = lock.ok_or("the previous check does not end")?;
    child_reaper::become_subreaper().map_err(|error| error.to_string())?;
    let (program, args) = order.words.split_first().ok_or("the check's command is empty")?;
    let mark = EnvMarker { variable: MARK.to_owned(), value: Uuid::new_v4().to_string() };
    let mut program = Program::new(program)
        .args(args)
        .cwd(&order.folder)
        .timeout(Duration::from_millis(order.timeout_ms))
        .env_remove(SESSION_MARKER);
    // An inherited git environment would redirect the check's git to another repository.
    for name in bc_git::INHERITED_VARIABLES {
        program = program.env_remove(name);
    }
    let unwanted = || {
        let mut rest = [0; 64];
        // The end of stdin means that the check was cancelled or that the merging program has exited.
        while io::stdin().lock().read(&mut rest).is_ok_and(|n| n > 0) {}
    };
    let below = program.run_command(&mark, GRACE, unwanted).map_err(|error| chain(&error))?;
    Ok(match below.end {
        End::Exited(code) => CheckOutcome::Ended { code },
        End::TimedOut => CheckOutcome::Late,
        End::Cancelled => CheckOutcome::Unwanted,
    })
}
