//! Exporting and backing up a long conversation, compared with reading its file.

use crate::{
    environment::Bench,
    error::BenchError,
    recorded::{self, TextGenerator},
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit, median},
};
use bc_core::ids::SessionId;
use bc_store::SessionStore;
use bc_testkit::Sandbox;
use std::{path::PathBuf, process::Stdio, time::Instant};

/// The number of messages in the conversation.
const MESSAGES: usize = 300_000;

/// The average size of a turn (two messages of [`TextGenerator`]), in bytes.
const TURN: usize = 6_200;

struct Exports {
    sandbox: Sandbox,
    program: PathBuf,
    id: SessionId,
    read: usize,
    backups: Vec<f64>,
}

impl Exports {
    fn run(&self, line: &[&str]) -> Result<f64, BenchError> {
        let started = Instant::now();
        let mut command = self.sandbox.command(&self.program);
        command.args(line).stdin(Stdio::null());
        let done = command.output().map_err(BenchError::io("beads-console"))?;
        match done.status.success() {
            true => Ok(ms_since(started)),
            false => Err(BenchError::unexpected_output(
                "beads-console",
                String::from_utf8_lossy(&done.stderr).into_owned(),
            )),
        }
    }
}

impl Pair for Exports {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let target = self.sandbox.root().join("export.json");
        if target.exists() {
            std::fs::remove_file(&target).map_err(BenchError::io("the last export"))?;
        }
        let target = target.display().to_string();
        self.run(&["session", "export", &self.id.to_string(), "--format", "json", "-o", &target])
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let store = SessionStore::at(&self.sandbox.project().join(".beads"));
        let read = store.session(self.id).transcript();
        let read =
            read.map_err(|error| BenchError::unexpected_output("the transcript", error.to_string()))?;
        let took = ms_since(started);
        self.read = read.messages.len();
        Ok(took)
    }
}

pub(crate) fn export(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(10)?;
    let messages = if bench.quick { MESSAGES / 30 } else { MESSAGES };
    let bytes = messages / 2 * TURN;
    let id =
        recorded::session(&sandbox.project().join(".beads"), 0, bytes, &mut TextGenerator::new(), "the end")?;
    let program = bench.program("beads-console")?;
    let mut exports = Exports { sandbox, program, id, read: 0, backups: Vec::new() };
    let samples = rounds(bench.rounds(5), &mut exports)?;
    // Removes the backup branch, so that each backup renders and hashes the whole conversation again. Its
    // objects from earlier rounds remain in the repository.
    for _ in 0..bench.rounds(3) {
        exports.sandbox.git(["update-ref", "-d", "refs/heads/beads-backup"]);
        let took = exports.run(&["backup", "--transcripts"])?;
        exports.backups.push(took);
    }
    let backup = median(&exports.backups);
    Ok(samples
        .note(format!(
            "{} messages, {:.0} MB; ours: `session export --format json -o`, process start to exit, secrets struck out; baseline: \
             the same file read into messages; a backup with conversations takes {backup:.0} ms",
            exports.read,
            bytes as f64 / 1e6
        ))
        .aside("`backup` with conversations, the first one", Unit::Ms, exports.backups))
}
