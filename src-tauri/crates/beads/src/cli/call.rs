//! Calls of a tracker's program with a time limit. Calls within a [`Turn`] run one at a time per workspace,
//! and are retried while another process holds the database.

use crate::{
    TrackerError,
    environment::Environment,
    json::{self, Refusal},
};
use bc_core::ids::BeadId;
use bc_process::{
    find::find,
    run::{Finished, Program, RunError},
};
use serde_json::{Map, Value};
use std::{
    collections::HashMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::Duration,
};

/// The number of attempts while the database is locked, and the first pause, which doubles after each
/// attempt.
const TRIES: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The remedies if the program is missing; bd's also if it is too old.
pub(crate) const INSTALL_BD: &str =
    "install bd 1.2.1 or newer (go install github.com/steveyegge/beads/cmd/bd@latest), or name it in BC_BD";
pub(crate) const INSTALL_BR: &str = "install br, or name it in BC_BR";

/// Parts of the messages, in lower case, that bd and br print when another process uses the database.
const BUSY: [&str; 9] = [
    "database is locked",
    "database is busy",
    "the dolt database is locked",
    "waiting for write lock",
    "workspacegate: waiting",
    "resource temporarily unavailable",
    "serialization failure",
    "try restarting transaction",
    "deadlock",
];

/// Commands that only read, by name. They are retried after a crash: bd sometimes crashes when several of its
/// processes use one workspace. A crashed write may have been applied and is not retried.
const READS: [&str; 13] = [
    "list",
    "show",
    "ready",
    "blocked",
    "config get",
    "export",
    "memories",
    "dolt remote list",
    "version",
    "history",
    "types",
    "statuses",
    "where",
];

/// The maximum number of retries after a crash.
const AGAIN: u32 = 3;

/// The maximum size of a single argument, in bytes. Linux accepts 128 KiB per argument, Windows 32,767 UTF-16
/// units for the whole command line.
pub(crate) const MAX_ARGUMENT: usize = if cfg!(windows) { 24_000 } else { 100_000 };

/// A tracker's program in a workspace.
#[derive(Clone)]
pub(crate) struct Cli {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) beads_dir: PathBuf,
    /// The folder with the caches of program versions and beads, shared with later processes. `None` disables them.
    pub(crate) cache: Option<PathBuf>,
    variables: Vec<(OsString, OsString)>,
    timeout: Duration,
    turns: Arc<Mutex<()>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// The program's command, for messages.
    pub(crate) operation: &'static str,
    pub(crate) args: Vec<String>,
    pub(crate) stdin: Vec<u8>,
}

impl Request {
    pub(crate) fn new<S: Into<String>>(operation: &'static str, args: impl IntoIterator<Item = S>) -> Self {
        Request { operation, args: args.into_iter().map(Into::into).collect(), stdin: Vec::new() }
    }

    /// A command on one bead, in the actor's name.
    pub(crate) fn on_bead(command: &'static str, id: &BeadId, actor: &str) -> Self {
        Request::new(command, [command, id.as_str(), "--json"]).flag("actor", actor)
    }

    pub(crate) fn add_dependency(id: &BeadId, on: &BeadId, kind: &str, actor: &str) -> Self {
        let request = Request::new("dep add", ["dep", "add", id.as_str(), on.as_str(), "--json"]);
        request.flag("type", kind).flag("actor", actor)
    }

    pub(crate) fn remove_dependency(id: &BeadId, on: &BeadId, actor: &str) -> Self {
        let request = Request::new("dep remove", ["dep", "remove", id.as_str(), on.as_str(), "--json"]);
        request.flag("actor", actor)
    }

    /// Adds `--flag=value`, the only form in which a value may start with `-`.
    pub(crate) fn flag(mut self, flag: &str, value: &str) -> Self {
        self.args.push(format!("--{flag}={value}"));
        self
    }

    /// Adds the flag once for each value.
    pub(crate) fn flags<V: AsRef<str>>(self, flag: &str, values: impl IntoIterator<Item = V>) -> Self {
        values.into_iter().fold(self, |request, value| request.flag(flag, value.as_ref()))
    }

    pub(crate) fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.as_bytes().to_vec();
        self
    }
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum CallError {
    Refused(Refusal),
    /// The call failed without a usable answer. Unless the input was invalid or the database was busy, the
    /// program may have applied the command.
    Tracker(TrackerError),
}

impl From<TrackerError> for CallError {
    fn from(error: TrackerError) -> Self {
        CallError::Tracker(error)
    }
}

impl Cli {
    /// The program that the user named, or else the first one in PATH; `None` if it is not installed.
    pub(crate) fn find(
        name: &'static str,
        root: &Path,
        beads_dir: &Path,
        environment: &Environment,
    ) -> Option<Cli> {
        let named = if name == "bd" { &environment.bd } else { &environment.br };
        Some(Cli {
            name,
            program: named.clone().or_else(|| find(name, environment.path.as_deref()))?,
            root: root.to_owned(),
            beads_dir: beads_dir.to_owned(),
            cache: environment.cache.clone(),
            variables: environment.variables.clone(),
            timeout: environment.timeout,
            turns: turns_of(beads_dir),
        })
    }

    /// Like [`Self::find`], but fails with the remedy if the program is not installed.
    pub(crate) fn required(
        name: &'static str,
        root: &Path,
        beads_dir: &Path,
        environment: &Environment,
    ) -> Result<Cli, TrackerError> {
        Cli::find(name, root, beads_dir, environment).ok_or_else(|| missing(name, beads_dir))
    }

    /// The same program with a longer time limit, for slow commands.
    pub(crate) fn patient(&self, timeout: Duration) -> Cli {
        Cli { timeout: self.timeout.max(timeout), ..self.clone() }
    }

    /// Waits until no other thread of this process uses this workspace.
    pub(crate) fn turn(&self) -> Turn<'_> {
        // The mutex guards a program, not data: a panic while holding it does no harm.
        Turn { cli: self, _held: self.turns.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    pub(crate) fn unreadable(&self, operation: &'static str, output: &str) -> TrackerError {
        TrackerError::Unreadable { program: self.name, operation, said: excerpt(output) }
    }

    /// Runs the program once, without interpreting its answer or exit code.
    pub(crate) fn run(&self, request: &Request) -> Result<Finished, TrackerError> {
        let mut program = Program::new(&self.program)
            .args(&request.args)
            .cwd(&self.root)
            .timeout(self.timeout)
            .cap(1 << 30)
            .stdin(request.stdin.clone())
            .env("BEADS_DIR", &self.beads_dir)
            .env_remove("BEADS_DB")
            .env_remove("BD_DB")
            .env("NO_COLOR", "1");
        for (key, value) in match self.name {
            "bd" => &BD_VARIABLES[..],
            _ => &BR_VARIABLES[..],
        } {
            program = program.env(key, value);
        }
        for (key, value) in &self.variables {
            program = program.env(key, value);
        }
        let (name, operation) = (self.name, request.operation);
        match program.run() {
            Ok(done) if done.truncated => Err(self.unreadable(operation, "more than 1 GiB of output")),
            Ok(done) => Ok(done),
            Err(RunError::TimedOut { after, .. }) => {
                let beads_dir = self.beads_dir.clone();
                Err(TrackerError::TimedOut { program: name, operation, after, beads_dir })
            }
            Err(source) => Err(TrackerError::Run { program: name, operation, source }),
        }
    }
}

/// The error for beads whose program is not installed.
pub(crate) fn missing(program: &'static str, beads_dir: &Path) -> TrackerError {
    let install = if program == "bd" { INSTALL_BD } else { INSTALL_BR };
    TrackerError::ProgramMissing { program, beads_dir: beads_dir.to_owned(), install }
}

/// Variables for bd: JSON answers in an envelope, no prompts, no row limit, and no usage metrics, because the
/// user did not make these calls.
const BD_VARIABLES: [(&str, &str); 6] = [
    ("BD_JSON_ENVELOPE", "1"),
    ("BD_NON_INTERACTIVE", "1"),
    ("BD_DISABLE_METRICS", "1"),
    ("BD_NO_DEP_TYPE_WARNING", "1"),
    ("BEADS_MAX_ROWS", "0"),
    ("BD_LAST_TOUCHED_FALLBACK", "0"),
];
const BR_VARIABLES: [(&str, &str); 2] = [("RUST_LOG", "error"), ("BR_OUTPUT_FORMAT", "json")];

/// The exclusive right of this thread to run the program in its workspace.
pub(crate) struct Turn<'a> {
    cli: &'a Cli,
    _held: MutexGuard<'a, ()>,
}

impl Turn<'_> {
    pub(crate) fn program(&self) -> &'static str {
        self.cli.name
    }

    /// The objects of an answer.
    pub(crate) fn objects(
        &self,
        operation: &'static str,
        answer: Value,
    ) -> Result<Vec<Map<String, Value>>, CallError> {
        let said = answer.to_string();
        json::objects(answer).ok_or_else(|| self.cli.unreadable(operation, &said).into())
    }

    /// Runs a command, with retries, and parses its JSON answer.
    pub(crate) fn ask(&self, request: &Request) -> Result<Value, CallError> {
        let done = self.answer(request)?;
        match json::document(&done.stdout) {
            Some(value) => Ok(value),
            // Some commands print no answer.
            None if done.stdout.iter().all(u8::is_ascii_whitespace) => Ok(Value::Null),
            None => Err(self.cli.unreadable(request.operation, &done.out()).into()),
        }
    }

    /// Runs a command, with retries, and returns its output unparsed.
    pub(crate) fn answer(&self, request: &Request) -> Result<Finished, CallError> {
        if let Some(long) = request.args.iter().find(|arg| arg.len() > MAX_ARGUMENT) {
            let field = if long.starts_with("--title=") { "title" } else { "text" };
            let why = format!("{} takes at most {MAX_ARGUMENT} bytes of it", self.cli.name);
            return Err(TrackerError::InvalidInput { field, why }.into());
        }
        let mut pause = FIRST_PAUSE;
        for n in 1..TRIES {
            match self.once(request) {
                Err(CallError::Refused(refusal)) if is_busy(&refusal) => thread::sleep(pause),
                Err(CallError::Refused(refusal)) if n <= AGAIN && broke_down(request, &refusal) => {
                    thread::sleep(pause);
                }
                other => return other,
            }
            pause *= 2;
        }
        match self.once(request) {
            Err(CallError::Refused(refusal)) if is_busy(&refusal) => {
                Err(TrackerError::Busy { beads_dir: self.cli.beads_dir.clone(), said: refusal.message }
                    .into())
            }
            other => other,
        }
    }

    fn once(&self, request: &Request) -> Result<Finished, CallError> {
        let done = self.cli.run(request)?;
        if done.ok() {
            return Ok(done);
        }
        let mut refusal = json::refusal(&done.stdout, &done.stderr);
        if refusal.message.is_empty() {
            refusal.message = match done.code {
                Some(code) => format!("it ended with exit code {code} and printed no reason"),
                None => "it was ended by a signal".to_owned(),
            };
        }
        Err(CallError::Refused(refusal))
    }
}

fn is_busy(refusal: &Refusal) -> bool {
    let message = refusal.message.to_lowercase();
    BUSY.iter().any(|word| message.contains(word))
}

/// Whether the command only reads and crashed, so that it can be retried.
fn broke_down(request: &Request, refusal: &Refusal) -> bool {
    let words = ["panic: ", "panicked at", "fatal error: "];
    READS.contains(&request.operation) && words.iter().any(|words| refusal.message.contains(words))
}

/// The program's output, shortened for a message.
pub(crate) fn excerpt(output: &str) -> String {
    bc_core::text::cut(&bc_core::text::one_line(output), 200)
}

/// The workspace's lock, which all trackers of this process share.
fn turns_of(beads_dir: &Path) -> Arc<Mutex<()>> {
    static TURNS: OnceLock<Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>> = OnceLock::new();
    let mut turns = TURNS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    turns.entry(beads_dir.to_owned()).or_default().clone()
}
