//! The person's check, run on what would be merged. It runs under a process of its own, which does nothing else
//! and is the parent of all that the check starts: at its end, at its deadline, or as soon as nobody wants it any
//! more (whoever merges was killed, say), nothing of it is left.

use crate::{engine::Engine, errors::chain};
use bc_process::{
    descendants::{Mark, SESSION_MARKER},
    kept::{End, Leash},
    owned,
    run::Program,
};
use bc_store::lock::FileLock;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};
use uuid::Uuid;

/// The hidden verb that a check runs under.
pub const CHECK_VERB: &str = "queue-check";

/// The variable that every process of a check carries.
const MARK: &str = "BEADS_CONSOLE_QUEUE_CHECK";

/// How long a check that is late gets to end in order.
const GRACE: Duration = Duration::from_millis(500);

/// How long the next merge waits for the check of one that was killed to be gone.
pub(super) const GONE: Duration = Duration::from_secs(30);

/// What is to be run.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    words: Vec<String>,
    folder: PathBuf,
    timeout_ms: u64,
    /// Held while anything of the check is there.
    lock: PathBuf,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Checked {
    /// It ended by itself.
    Ended {
        /// The exit code; `None` when a signal ended it.
        code: Option<i32>,
    },
    /// Its time was over.
    Late,
    /// Nobody wanted it any more.
    Unwanted,
    /// It could not be run.
    NotRun(String),
}

/// What a check is given.
pub(super) struct Check<'a> {
    /// The program and its arguments.
    pub(super) words: &'a [String],
    /// Where.
    pub(super) folder: &'a Path,
    /// How long it may take.
    pub(super) within: Duration,
    /// Held while anything of the check is there.
    pub(super) lock: PathBuf,
}

/// Runs a check until it ends or is let go.
pub(super) fn check(
    engine: &Engine,
    check: &Check<'_>,
    leash: &Leash,
    output: impl FnMut(&[u8]),
) -> Result<Checked, String> {
    let timeout_ms = u64::try_from(check.within.as_millis()).unwrap_or(u64::MAX);
    let (words, folder) = (check.words.to_vec(), check.folder.to_owned());
    let order = Order { words, folder, timeout_ms, lock: check.lock.clone() };
    let order = serde_json::to_string(&order).map_err(|error| error.to_string())?;
    let warden = Program::new(&engine.programs.console).arg(CHECK_VERB);
    let kept = warden.run_kept(&order, leash, output).map_err(|error| chain(&error))?;
    let Some(kept) = kept else { return Ok(Checked::Unwanted) };
    serde_json::from_slice(&kept.stderr).map_err(|_| {
        let said = String::from_utf8_lossy(&kept.stderr);
        format!("{} {CHECK_VERB} gave no report: {}", engine.programs.console.display(), said.trim())
    })
}

/// The main function of the hidden verb: its order is the first line that it reads, its report is what it
/// complains of, and what the check prints is what it prints.
pub fn run_check_verb() -> ExitCode {
    let checked = obey().unwrap_or_else(Checked::NotRun);
    let report = serde_json::to_string(&checked).expect("a report has string keys");
    eprint!("{report}");
    ExitCode::SUCCESS
}

fn obey() -> Result<Checked, String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|error| error.to_string())?;
    let order: Order = serde_json::from_str(&line).map_err(|error| error.to_string())?;
    let lock = FileLock::exclusive(&order.lock, GONE).map_err(|error| chain(&error))?;
    let _lock = lock.ok_or("the check before this one does not end")?;
    owned::become_subreaper().map_err(|error| error.to_string())?;
    let (program, args) = order.words.split_first().ok_or("the check has no program")?;
    let mark = Mark { variable: MARK.to_owned(), value: Uuid::new_v4().to_string() };
    let mut program = Program::new(program)
        .args(args)
        .cwd(&order.folder)
        .timeout(Duration::from_millis(order.timeout_ms))
        .env_remove(SESSION_MARKER);
    // A git above us would bend the check's own to another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
        program = program.env_remove(name);
    }
    let unwanted = || {
        let mut rest = [0; 64];
        // Its end, however it comes, says that nobody waits any more.
        while io::stdin().lock().read(&mut rest).is_ok_and(|n| n > 0) {}
    };
    let below = program.run_below(&mark, GRACE, unwanted).map_err(|error| chain(&error))?;
    Ok(match below.end {
        End::Code(code) => Checked::Ended { code },
        End::Late => Checked::Late,
        End::Unwanted => Checked::Unwanted,
    })
}
