//! Runs the built program in a sandbox, and waits for session states.

use bc_testkit::{Sandbox, need_bd, wait_for};
use serde_json::Value;
use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc::{Receiver, sync_channel},
    time::Duration,
};

/// The time after which a command counts as stuck, long enough for a start of claude on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub(crate) struct RunOutput {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) struct Console {
    pub(crate) sandbox: Sandbox,
}

pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_beads-console"))
}

/// The path of the simulated agent, which another crate builds into the same folder. If it is missing, prints
/// a warning and returns `None`, or panics under `BC_TEST_DEMAND=1`.
pub(crate) fn need_sim(test: &str) -> Option<PathBuf> {
    let path = program().with_file_name("beads-console-sim").with_extension(std::env::consts::EXE_EXTENSION);
    if path.is_file() {
        return Some(path);
    }
    let why = format!("{} is not built", path.display());
    assert!(
        std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
        "{test}: {why}, and BC_TEST_DEMAND=1"
    );
    eprintln!("SKIPPED {test}: {why}");
    None
}

impl Console {
    /// A repository with the embedded store.
    pub(crate) fn new() -> Self {
        Console::in_sandbox(Sandbox::new()).with_beads()
    }

    /// Uses an existing sandbox and creates no beads.
    pub(crate) fn in_sandbox(sandbox: Sandbox) -> Self {
        Console { sandbox }
    }

    /// Sets up the embedded store in the project.
    pub(crate) fn with_beads(self) -> Self {
        self.ok(&["init", "--prefix", "BC"]);
        self
    }

    /// A repository with the real bd as its tracker. If bd is missing, prints a warning and returns `None`.
    pub(crate) fn with_bd(test: &str) -> Option<Self> {
        let bd = need_bd(test)?;
        let mut sandbox = Sandbox::new();
        sandbox.install("bd", &bd);
        sandbox.set("BD_DISABLE_METRICS", "1");
        let mut init = sandbox.command(sandbox.bin().join("bd"));
        init.args(["init", "--prefix", "BC", "--skip-hooks", "--skip-agents", "--quiet"]);
        bc_testkit::sandbox::text_of("bd init", &init.output().expect("bd was started"));
        Some(Console::in_sandbox(sandbox))
    }

    /// A command that runs the program with these arguments in the project's folder.
    pub(crate) fn command(&self, line: &[&str]) -> Command {
        let mut command = self.sandbox.command(program());
        command.args(line);
        command
    }

    /// Runs the program until it exits.
    #[track_caller]
    pub(crate) fn run(&self, line: &[&str]) -> RunOutput {
        finish(self.command(line), Vec::new())
    }

    /// Runs the program with text on its standard input until it exits.
    #[track_caller]
    pub(crate) fn run_with(&self, line: &[&str], input: &str) -> RunOutput {
        finish(self.command(line), input.as_bytes().to_vec())
    }

    /// Runs the program, which must succeed, and returns its output.
    #[track_caller]
    pub(crate) fn ok(&self, line: &[&str]) -> String {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(0), "beads-console {line:?}\n{}{}", ran.out, ran.err);
        ran.out
    }

    /// Runs the program, which must succeed, and returns its JSON.
    #[track_caller]
    pub(crate) fn json(&self, line: &[&str]) -> Value {
        let line: Vec<&str> = line.iter().copied().chain(["--json"]).collect();
        let out = self.ok(&line);
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("beads-console {line:?}: {e}\n{out}"))
    }

    /// Runs the program, which must fail with this error code and exit code. Returns the error's message and
    /// hint.
    #[track_caller]
    pub(crate) fn fails(&self, line: &[&str], code: &str, exit: i32) -> String {
        let line: Vec<&str> = ["--json"].iter().chain(line).copied().collect();
        self.run(&line).refused(&format!("beads-console {line:?}"), code, exit)
    }

    /// Creates a bead and returns its id.
    #[track_caller]
    pub(crate) fn bead(&self, title: &str, options: &[&str]) -> String {
        let line: Vec<&str> = ["bead", "create", title].iter().chain(options).copied().collect();
        self.json(&line)["bead"]["id"].as_str().expect("a bead has an id").to_owned()
    }

    /// Starts a session and returns its id.
    #[track_caller]
    pub(crate) fn start(&self, options: &[&str]) -> String {
        let line: Vec<&str> = ["session", "start"].iter().chain(options).copied().collect();
        self.json(&line)["session"]["id"].as_str().expect("a session has an id").to_owned()
    }

    /// The session as printed by `session show`.
    #[track_caller]
    pub(crate) fn show(&self, id: &str) -> Value {
        self.json(&["session", "show", id])
    }

    /// Waits until the session meets a condition.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, id: &str, mut condition: impl FnMut(&Value) -> bool) -> Value {
        wait_for(what, TIMEOUT, || {
            let shown = self.show(id);
            condition(&shown).then_some(shown)
        })
    }

    /// Waits until claude is at its prompt and no text is queued.
    #[track_caller]
    pub(crate) fn wait_idle(&self, id: &str) -> Value {
        self.wait("claude at its prompt", id, |session| {
            let live = &session["live"];
            live["activity"] == "idle" && live["held"].as_array().is_none_or(|held| held.is_empty())
        })
    }

    #[track_caller]
    pub(crate) fn messages(&self, id: &str) -> Vec<Value> {
        self.json(&["session", "transcript", id])["messages"].as_array().expect("an array").clone()
    }

    /// Waits for a message that meets a condition.
    #[track_caller]
    pub(crate) fn wait_message(&self, what: &str, id: &str, condition: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, TIMEOUT, || self.messages(id).into_iter().find(|message| condition(message)))
    }
}

impl RunOutput {
    /// Asserts the error code and exit code. Returns the message and the hint.
    #[track_caller]
    pub(crate) fn refused(&self, what: &str, code: &str, exit: i32) -> String {
        let report: Value = serde_json::from_str(self.err.lines().last().unwrap_or_default())
            .unwrap_or_else(|e| panic!("{what}: standard error is not JSON: {e}\n{self:?}"));
        let error = &report["error"];
        assert_eq!((error["code"].as_str(), self.code), (Some(code), Some(exit)), "{what}: {error:#}");
        assert_eq!(self.out, "", "{what} failed but printed a result");
        let message = error["message"].as_str().expect("an error has a message");
        assert!(message.len() > 8, "{what}: {message:?} is too short");
        format!("{message}\n{}", error["hint"].as_str().unwrap_or_default())
    }
}

/// Runs a command until it exits, while reading its output. The test fails if a background process keeps the
/// pipes open, because a shell would also wait for this process.
#[track_caller]
pub(crate) fn finish(mut command: Command, input: Vec<u8>) -> RunOutput {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?} was not started: {e}"));
    let mut stdin = child.stdin.take().expect("piped");
    // The program may exit without reading its input, so an error is ignored.
    std::thread::spawn(move || stdin.write_all(&input).ok());
    let out = drain(child.stdout.take().expect("piped"));
    let err = drain(child.stderr.take().expect("piped"));
    let status =
        wait_for(&format!("the end of {command:?}"), TIMEOUT, || child.try_wait().expect("our child"));
    let text = |pipe: Receiver<Vec<u8>>| {
        let bytes = pipe.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| {
            panic!("{command:?} ended, but a background process keeps its output open");
        });
        String::from_utf8(bytes).expect("the program prints UTF-8")
    };
    RunOutput { code: status.code(), out: text(out), err: text(err) }
}

fn drain(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A read error counts as the end of the output.
        let _ = pipe.read_to_end(&mut bytes);
        sender.send(bytes).ok()
    });
    receiver
}
