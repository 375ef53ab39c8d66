//! The throughput of a program's output to a client that is attached to the session's host.

use super::flood::rate;
use crate::{
    bare::BarePty,
    environment::Bench,
    error::BenchError,
    hosting::{Attached, Hosting},
    rounds::{Pair, rounds},
    samples::Samples,
};
use bc_bench::output::Flood;
use std::time::Instant;

struct Attachments {
    _host: Hosting,
    ours: Attached,
    /// The number of bytes that the program had printed before the flood.
    from: u64,
    pty: BarePty,
    flood: Flood,
}

impl Pair for Attachments {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let asked = Instant::now();
        self.ours.input(&self.flood.request())?;
        let mut taken = 0;
        while taken < self.flood.length() {
            let (from, flood) = (self.from, &self.flood);
            // A new screen would have another offset or other bytes. Both are reported as wrong bytes.
            let next = self.ours.output(|offset, bytes| match offset < from {
                // Output from before the flood is skipped.
                true => Some(0),
                false => (offset == from + taken && flood.is_at(taken, bytes)).then_some(bytes.len() as u64),
            })?;
            let Some(length) = next else {
                return Err(BenchError::WrongBytes { what: "the attached client".to_owned(), offset: taken });
            };
            taken += length;
        }
        self.from += taken;
        Ok(rate(&self.flood, asked.elapsed()))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        Ok(rate(&self.flood, self.pty.flood(&self.flood)?))
    }
}

pub(crate) fn attach(bench: &Bench) -> Result<Samples, BenchError> {
    let bytes = if bench.quick { 50_000_000 } else { 1_000_000_000 };
    let sandbox = bench.project(1)?;
    let mut host = Hosting::prepare(bench, &sandbox, bench.program("bc-bench-agent")?, &[])?;
    host.launch()?;
    let mut ours = host.attach()?;
    // Reads until the agent has printed that it is ready, which is its only output so far.
    let from = "ready\r\n".len() as u64;
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("ready") {
        ours.output(|_, bytes| seen.extend_from_slice(bytes))?;
    }
    let pty = BarePty::start(bench, &sandbox)?;
    let mut attachments = Attachments { _host: host, ours, from, pty, flood: Flood::new(bytes) };
    let samples = rounds(bench.rounds(4), &mut attachments)?;
    Ok(samples.note(format!("{} MB per round; every byte compared, none lost", bytes / 1_000_000)))
}
