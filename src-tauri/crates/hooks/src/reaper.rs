//! The reaper is the process under which a hook or setup command runs. It is an ancestor of every process
//! that the command starts, and the new parent of orphans. At the command's end or deadline, it ends all of
//! these processes, even those that tried to detach. If the requesting process dies, the deadline still
//! applies.

use bc_process::{
    child_reaper,
    descendants::EnvMarker,
    detach,
    run::{Program, RunError},
};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

/// The hidden command of this program that runs the reaper.
pub const RUN_VERB: &str = "hook-run";

/// The environment variable that marks every process of a run.
const MARK: &str = "BEADS_CONSOLE_HOOK_RUN";

/// The time from SIGTERM to SIGKILL for processes that are still running at the command's end or deadline.
const GRACE: Duration = Duration::from_millis(500);

/// The time that the reaper may take in addition to its command's time limit: to start on a busy machine, and
/// to end all processes.
const OVERHEAD: Duration = Duration::from_secs(30);

/// The maximum size of each captured output, in bytes.
const OUTPUT_MAX: usize = 256 << 10;

/// The maximum size of the output in a log, in bytes.
const LOG_MAX: u64 = 64 << 20;

/// The command to run, which the reaper reads from standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<(String, Option<String>)>,
    pub(crate) cwd: PathBuf,
    pub(crate) stdin: String,
    pub(crate) timeout_ms: u64,
    /// The log for the output; `None` if the output is captured.
    #[serde(default)]
    pub(crate) log: Option<PathBuf>,
}

/// The result of a run, which the reaper writes to standard output.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) timed_out: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) truncated: bool,
    /// The names of the processes that were still running at the command's end or deadline, and got SIGTERM.
    pub(crate) told: Vec<String>,
    /// The names of processes that could not be ended.
    pub(crate) left: Vec<String>,
    /// Why the command did not run; `None` if the command ran.
    pub(crate) error: Option<String>,
}

impl Order {
    /// Runs the command under a reaper. `program` is the path of this program, which contains the reaper.
    pub(crate) fn run(&self, program: &Path) -> Result<Ran, String> {
        let stdin = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        let within = Duration::from_millis(self.timeout_ms) + OVERHEAD;
        let done = Program::new(program).arg(RUN_VERB).stdin(stdin).timeout(within).cap(4 << 20).run();
        let done = done.map_err(|error: RunError| crate::inspect::chain(&error))?;
        serde_json::from_slice(&done.stdout)
            .map_err(|_| format!("{} {RUN_VERB} printed no report: {}", program.display(), done.err().trim()))
    }
}

/// The main function of the hidden command: reads an [`Order`] from standard input and prints a [`Ran`].
pub fn run_verb() -> ExitCode {
    let ran = obey().unwrap_or_else(|error| Ran { error: Some(error), ..Ran::default() });
    let printed = serde_json::to_vec(&ran).expect("a report has string keys");
    match io::stdout().lock().write_all(&printed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn obey() -> Result<Ran, String> {
    let input = detach::read_stdin().map_err(|error| error.to_string())?;
    let order: Order = serde_json::from_slice(&input).map_err(|error| error.to_string())?;
    child_reaper::become_subreaper().map_err(|error| error.to_string())?;
    let mark = EnvMarker { variable: MARK.to_owned(), value: uuid::Uuid::new_v4().to_string() };
    let mut program = Program::new(&order.program)
        .args(&order.args)
        .cwd(&order.cwd)
        .stdin(order.stdin)
        .timeout(Duration::from_millis(order.timeout_ms))
        .cap(OUTPUT_MAX);
    for (name, value) in &order.env {
        program = match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        };
    }
    if let Some(log) = &order.log {
        let file = detach::create_log(log).map_err(|error| format!("{}: {error}", log.display()))?;
        program = program.log(file, LOG_MAX);
    }
    let ran = program.run_contained(&mark, GRACE).map_err(|error| crate::inspect::chain(&error))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let names =
        |members: &[bc_process::descendants::Member]| members.iter().map(|m| m.name.clone()).collect();
    Ok(Ran {
        code: ran.code,
        timed_out: ran.timed_out,
        stdout: text(&ran.stdout),
        stderr: text(&ran.stderr),
        truncated: ran.truncated,
        told: names(&ran.ended.signalled),
        left: names(&ran.ended.left),
        error: None,
    })
}
