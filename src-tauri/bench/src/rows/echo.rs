//! The time from a key to its echo: through the server to a program in a terminal, and back.

use crate::{
    bare::{BarePty, BareSocket},
    environment::Bench,
    error::BenchError,
    machine,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median, quantile},
    serving::Serving,
    watching::Watching,
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{thread, time::Duration};

/// The number of keys in each round.
pub(super) const KEYS: usize = 200;
/// The pause between keys. All effects of the previous key have ended by then.
const PAUSE: Duration = Duration::from_millis(4);

/// The programs of one round. The system assigns processors to a program at its start, which affects how fast
/// it wakes up. So each round starts new programs.
struct Started {
    session: String,
    ours: Watching,
    pty: BarePty,
    socket: Watching,
    _socket: BareSocket,
}

struct Echoes<'a> {
    bench: &'a Bench,
    sandbox: Sandbox,
    serving: Serving,
    project: String,
    started: Option<Started>,
    parts: [Vec<f64>; 2],
    relayed: Vec<f64>,
    slow: Vec<f64>,
}

impl Echoes<'_> {
    fn start(&mut self) -> Result<Started, BenchError> {
        let session = self.serving.session(&self.project)?;
        let ours = Watching::begin(self.serving.terminal(&self.project, &session)?, "our server", "ready")?;
        let bare = BareSocket::start(self.bench, &self.sandbox)?;
        let socket = Watching::begin(bare.open()?, "the bare server", "")?;
        let pty = BarePty::start(self.bench, &self.sandbox)?;
        machine::wait_idle();
        Ok(Started { session, ours, pty, socket, _socket: bare })
    }

    /// Measures a minimal relay between a WebSocket and a PTY, after the other measurements of the round.
    fn relay(&self) -> Result<f64, BenchError> {
        let server = BareSocket::relay(self.bench, &self.sandbox)?;
        let mut relay = Watching::begin(server.open()?, "the bare relay", "ready")?;
        machine::wait_idle();
        Ok(median(&keys(|key| relay.echo(key))?))
    }

    fn started(&mut self) -> Result<&mut Started, BenchError> {
        self.started.as_mut().ok_or_else(|| BenchError::unexpected_output("a round", "must start with ours"))
    }
}

pub(super) fn keys(
    mut press: impl FnMut(u8) -> Result<Duration, BenchError>,
) -> Result<Vec<f64>, BenchError> {
    let mut took = Vec::new();
    for n in 0..KEYS {
        thread::sleep(PAUSE);
        took.push(press(b'a' + (n % 26) as u8)?.as_secs_f64() * 1e6);
    }
    Ok(took)
}

impl Pair for Echoes<'_> {
    fn ours(&mut self) -> Result<f64, BenchError> {
        if let Some(before) = self.started.take() {
            self.serving.call("session.pause", Some(&self.project), json!({ "id": before.session }))?;
        }
        let mut started = self.start()?;
        let took = keys(|key| started.ours.echo(key))?;
        self.started = Some(started);
        self.slow.push(quantile(&took, 0.95));
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = self.started()?;
        let pty = median(&keys(|key| started.pty.echo(key))?);
        let socket = median(&keys(|key| started.socket.echo(key))?);
        self.parts[0].push(pty);
        self.parts[1].push(socket);
        self.relayed.push(self.relay()?);
        Ok(pty + socket)
    }
}

pub(crate) fn echo(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(1)?;
    let folder = bench.programs_with_bench_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    let parts = [Vec::new(), Vec::new()];
    let (relayed, slow) = (Vec::new(), Vec::new());
    let mut echoes = Echoes { bench, sandbox, serving, project, started: None, parts, relayed, slow };
    let samples = rounds(bench.rounds(15), &mut echoes)?;
    let [pty, socket] = echoes.parts;
    Ok(samples
        .note(format!("the median of {KEYS} keys per round, one every 4 ms; each round starts new programs"))
        .aside("a bare PTY's echo", Unit::Us, pty)
        .aside("a bare WebSocket's echo", Unit::Us, socket)
        .aside("a bare relay's echo, WebSocket and PTY in one program", Unit::Us, echoes.relayed)
        .aside("ours, 95 % of keys", Unit::Us, echoes.slow))
}
