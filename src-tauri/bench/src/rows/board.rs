//! The time from the start of the server to the JSON of its board.

use crate::{
    environment::Bench,
    error::BenchError,
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit},
    serving::Serving,
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{path::PathBuf, process::Stdio, time::Instant};

const BEADS: usize = 1_000;

struct Boards {
    sandbox: Sandbox,
    project: String,
    ours: PathBuf,
    bare: PathBuf,
    bytes: usize,
    announced: Vec<f64>,
}

impl Pair for Boards {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let mut serving = Serving::start(&self.sandbox, &self.ours)?;
        self.announced.push(ms_since(started));
        let board = serving.call_raw("bead.list", Some(&self.project), json!({}))?;
        let took = ms_since(started);
        self.bytes = board.len();
        Ok(took)
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let mut command = self.sandbox.command(&self.bare);
        command.arg("read").arg(self.sandbox.project().join(".beads/issues.jsonl")).stderr(Stdio::null());
        let done = command.output().map_err(BenchError::io("bc-bench-bare"))?;
        let took = ms_since(started);
        match done.stdout.is_empty() {
            true => Err(BenchError::unexpected_output("bc-bench-bare", "read nothing")),
            false => Ok(took),
        }
    }
}

pub(crate) fn board(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(BEADS)?;
    let ours = bench.program("beads-console")?;
    let mut first = Serving::start(&sandbox, &ours)?;
    let project = first.project()?;
    let list = first.call("bead.list", Some(&project), json!({}))?;
    let found = list["beads"].as_array().map_or(0, Vec::len);
    if found != BEADS {
        return Err(BenchError::unexpected_output("bead.list", format!("has {found} beads of {BEADS}")));
    }
    drop(first);
    let bare = bench.program("bc-bench-bare")?;
    let mut boards = Boards { sandbox, project, ours, bare, bytes: 0, announced: Vec::new() };
    let samples = rounds(bench.rounds(40), &mut boards)?;
    Ok(samples
        .note(format!(
            "embedded store; ours: process start, one line, link, token, {} bytes of JSON over HTTP; baseline: a process that \
             reads issues.jsonl and writes it to a pipe",
            boards.bytes
        ))
        .aside("until the link is exchanged", Unit::Ms, boards.announced))
}
