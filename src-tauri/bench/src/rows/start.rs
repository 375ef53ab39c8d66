//! The time from the start of a session's host to the first byte of its program.

use crate::{
    environment::Bench,
    error::BenchError,
    hosting::Hosting,
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit},
};
use bc_process::{
    descendants::Signal,
    pty::{self, PtyCommand},
};
use bc_testkit::Sandbox;
use std::{io::Read, path::PathBuf, time::Instant};

struct Starts<'a> {
    bench: &'a Bench,
    sandbox: Sandbox,
    sim: PathBuf,
    listening: Vec<f64>,
}

impl Pair for Starts<'_> {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let mut host = Hosting::prepare(self.bench, &self.sandbox, self.sim.clone(), &[])?;
        let started = Instant::now();
        host.launch()?;
        self.listening.push(ms_since(started));
        let mut attached = host.attach()?;
        // Waits for output of the program. Until it has printed something, the screen has the offset 0 and
        // contains only resets.
        loop {
            let has_output =
                attached.output(|offset, bytes| offset > 0 || !bytes.starts_with(b"\x1b[0m\x1b[r"))?;
            if has_output {
                return Ok(ms_since(started));
            }
        }
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let command = PtyCommand {
            program: self.sim.clone(),
            args: Vec::new(),
            cwd: self.sandbox.project().to_owned(),
            env: self.sandbox.env().iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect(),
            size: bc_process::size::Size::new(24, 80),
        };
        let started = Instant::now();
        let mut agent = pty::start(&command).map_err(|error| {
            BenchError::unexpected_output("the simulated agent", format!("was not started: {error}"))
        })?;
        let read = agent.reader.read(&mut [0; 4096]).map_err(BenchError::io("the bare PTY"))?;
        let took = ms_since(started);
        // The agent's exit is not measured.
        let _ = agent.pty.signal(Signal::Kill);
        let _ = agent.child.wait();
        if read == 0 {
            Err(BenchError::unexpected_output("the simulated agent", "printed nothing"))
        } else {
            Ok(took)
        }
    }
}

pub(crate) fn start(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(1)?;
    let sim = bench.program("beads-console-sim")?;
    let mut starts = Starts { bench, sandbox, sim, listening: Vec::new() };
    let samples = rounds(bench.rounds(40), &mut starts)?;
    Ok(samples.note("the simulated agent; ours until an attached client has its first byte").aside(
        "until the host listens and has started the program",
        Unit::Ms,
        starts.listening,
    ))
}
