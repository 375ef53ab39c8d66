//! The throughput of a program's output through the server to a client that only reads it, without a browser.

use crate::{
    bare::{BarePty, BareSocket},
    environment::Bench,
    error::BenchError,
    rounds::{Pair, rounds},
    samples::{Samples, Unit},
    serving::Serving,
    watching::Watching,
};
use bc_bench::output::Flood;
use std::time::Duration;

struct Floods {
    _serving: Serving,
    ours: Watching,
    socket: Watching,
    _socket: BareSocket,
    pty: BarePty,
    pty_alone: Vec<f64>,
    flood: Flood,
}

/// The throughput of a flood, in megabytes per second.
pub(super) fn rate(flood: &Flood, took: Duration) -> f64 {
    flood.length() as f64 / 1e6 / took.as_secs_f64()
}

impl Pair for Floods {
    fn ours(&mut self) -> Result<f64, BenchError> {
        Ok(rate(&self.flood, self.ours.flood(&self.flood)?))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        self.pty_alone.push(rate(&self.flood, self.pty.flood(&self.flood)?));
        Ok(rate(&self.flood, self.socket.flood(&self.flood)?))
    }
}

pub(crate) fn flood(bench: &Bench) -> Result<Samples, BenchError> {
    let bytes = if bench.quick { 20 << 20 } else { 200_000_000 };
    let sandbox = bench.project(1)?;
    let folder = bench.programs_with_bench_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    let session = serving.session(&project)?;
    let ours = Watching::begin(serving.terminal(&project, &session)?, "our server", "ready")?;
    let socket = BareSocket::start(bench, &sandbox)?;
    let bare = Watching::begin(socket.open()?, "the bare server", "")?;
    let pty = BarePty::start(bench, &sandbox)?;
    let mut floods = Floods {
        _serving: serving,
        ours,
        socket: bare,
        _socket: socket,
        pty,
        pty_alone: Vec::new(),
        flood: Flood::new(bytes),
    };
    let samples = rounds(bench.rounds(5), &mut floods)?;
    Ok(samples
        .note(format!(
            "{} MB, every byte compared; a client that draws nothing but acknowledges like the UI",
            bytes / 1_000_000
        ))
        .aside("a bare PTY reader, the same output", Unit::MbPerS, floods.pty_alone))
}
