//! The run time of the hook relay, for which claude waits at every hook. The host at the other end of the
//! socket answers at once.

use crate::{
    environment::Bench,
    error::BenchError,
    rounds::{Pair, rounds},
    samples::{Samples, median},
};
use bc_core::ids::SessionId;
use bc_host::{
    frame::{self, Frame, Kind},
    protocol::{PROTOCOL_VERSION, Welcome},
    spec::SOCKET_VARIABLE,
};
use bc_process::socket::{self, Bound};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::Instant,
};
use uuid::Uuid;

/// The number of starts in each round, of which the median counts.
const STARTS: usize = 10;

struct Relays {
    sandbox: Sandbox,
    program: PathBuf,
    socket: PathBuf,
    payload: Vec<u8>,
}

/// Answers every hook with no decision, as an idle host does.
fn answer(host: &Bound) -> Option<()> {
    loop {
        let mut stream = host.accept().ok()?;
        let mut converse = || -> Option<()> {
            frame::read(&mut stream).ok()??;
            let welcome = Welcome::Yes { version: PROTOCOL_VERSION, session: SessionId(Uuid::nil()) };
            frame::write(&mut stream, &Frame::control(&welcome)).ok()?;
            frame::read(&mut stream).ok()??;
            let payload = b"{}".to_vec();
            frame::write(&mut stream, &Frame { kind: Kind::Control, payload }).ok()
        };
        converse();
    }
}

impl Relays {
    fn run(&self, mut command: Command, answer: &str) -> Result<f64, BenchError> {
        let started = Instant::now();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(BenchError::io("a hook's relay"))?;
        let mut stdin = child.stdin.take().expect("it was piped");
        // This fails if the program ends without reading its input; its output and status are checked below.
        let _ = stdin.write_all(&self.payload);
        drop(stdin);
        let done = child.wait_with_output().map_err(BenchError::io("a hook's relay"))?;
        let took = started.elapsed().as_secs_f64() * 1e3;
        match done.stdout == answer.as_bytes() && done.status.success() {
            true => Ok(took),
            false => Err(BenchError::unexpected_output("the relay", String::from_utf8_lossy(&done.stdout))),
        }
    }

    fn ours(&self) -> Result<f64, BenchError> {
        let mut command = self.sandbox.command(&self.program);
        command.args(["hook", "PostToolUse"]).env(SOCKET_VARIABLE, &self.socket);
        self.run(command, "{}\n")
    }

    fn baseline(&self) -> Result<f64, BenchError> {
        let mut command = self.sandbox.command("/bin/sh");
        command.args(["-c", "/bin/true"]);
        self.run(command, "")
    }
}

impl Pair for Relays {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took: Result<Vec<f64>, BenchError> = (0..STARTS).map(|_| Relays::ours(self)).collect();
        Ok(median(&took?))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took: Result<Vec<f64>, BenchError> = (0..STARTS).map(|_| Relays::baseline(self)).collect();
        Ok(median(&took?))
    }
}

pub(crate) fn relay(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(1)?;
    let socket = sandbox.root().join("run").join("relay.sock");
    let host = socket::bind(&socket)
        .map_err(|error| BenchError::unexpected_output("a socket", error.to_string()))?;
    thread::spawn(move || answer(&host));
    let payload = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_response": "a line of output\n".repeat(120)});
    let program = bench.program("beads-console")?;
    let mut relays = Relays { sandbox, program, socket, payload: payload.to_string().into_bytes() };
    let samples = rounds(bench.rounds(30), &mut relays)?;
    Ok(samples.note(format!(
        "`PostToolUse` with 2 KB of input, a host that answers at once; the median of {STARTS} starts per round"
    )))
}
