//! A key through the server to a program in a terminal and back.

use crate::{
    bare::{BarePty, BareSocket},
    error::BenchError,
    place::Bench,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median, quantile},
    serving::Serving,
    watching::Watching,
};
use std::{thread, time::Duration};

/// Keys in a round.
const KEYS: usize = 200;
/// Between two keys: whatever the first one set in motion has come to rest.
const PAUSE: Duration = Duration::from_millis(4);

struct Echoes {
    _serving: Serving,
    ours: Watching,
    pty: BarePty,
    socket: Watching,
    _socket: BareSocket,
    parts: [Vec<f64>; 2],
    slow: Vec<f64>,
}

fn keys(mut press: impl FnMut(u8) -> Result<Duration, BenchError>) -> Result<Vec<f64>, BenchError> {
    let mut took = Vec::new();
    for n in 0..KEYS {
        thread::sleep(PAUSE);
        took.push(press(b'a' + (n % 26) as u8)?.as_secs_f64() * 1e6);
    }
    Ok(took)
}

impl Pair for Echoes {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = keys(|key| self.ours.echo(key))?;
        self.slow.push(quantile(&took, 0.95));
        Ok(median(&took))
    }

    fn beside(&mut self) -> Result<f64, BenchError> {
        let pty = median(&keys(|key| self.pty.echo(key))?);
        let socket = median(&keys(|key| self.socket.echo(key))?);
        self.parts[0].push(pty);
        self.parts[1].push(socket);
        Ok(pty + socket)
    }
}

/// The row.
pub(crate) fn echo(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(1)?;
    let folder = bench.with_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    let session = serving.session(&project)?;
    let ours = Watching::begin(serving.terminal(&project, &session)?, "our server", "ready")?;
    let socket = BareSocket::start(bench, &sandbox)?;
    let bare = Watching::begin(socket.open()?, "the bare server", "")?;
    let pty = BarePty::start(bench, &sandbox)?;
    let parts = [Vec::new(), Vec::new()];
    let mut echoes =
        Echoes { _serving: serving, ours, pty, socket: bare, _socket: socket, parts, slow: Vec::new() };
    let samples = rounds(bench.rounds(15), &mut echoes)?;
    let [pty, socket] = echoes.parts;
    Ok(samples
        .note(format!("the middle of {KEYS} keys a round, one every 4 ms"))
        .aside("a bare PTY's echo", Unit::Us, pty)
        .aside("a bare WebSocket's echo", Unit::Us, socket)
        .aside("ours, 95 % of keys", Unit::Us, echoes.slow))
}
