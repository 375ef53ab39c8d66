//! Writes to disk, compared with the simplest code that gives the same guarantees. Both run in this process
//! and write to the temporary folder's file system.

use crate::{
    environment::Bench,
    error::BenchError,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median, quantile},
};
use bc_store::file::{self, Appender};
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};
use tempfile::TempDir;

/// The number of writes in each round.
const WRITES: usize = 100;

/// A message of two kilobytes, in the format of the session's record.
fn line(n: usize) -> Vec<u8> {
    let text = "what was said, and what was found in the files that were looked at; ".repeat(28);
    format!(r#"{{"id":"m{n:08}","role":"assistant","content":"{text}","timestamp":"2026-11-20T10:00:00Z"}}"#)
        .into_bytes()
}

/// Calls `write` repeatedly and returns the time of each call, in microseconds.
pub(super) fn each(mut write: impl FnMut(usize) -> Result<(), BenchError>) -> Result<Vec<f64>, BenchError> {
    let mut took = Vec::with_capacity(WRITES);
    for n in 0..WRITES {
        let started = Instant::now();
        write(n)?;
        took.push(started.elapsed().as_secs_f64() * 1e6);
    }
    Ok(took)
}

struct Appends {
    ours: Appender,
    plain: File,
    slow: [Vec<f64>; 2],
    _folder: TempDir,
}

impl Pair for Appends {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = each(|n| {
            let appended = self.ours.append(&line(n));
            appended.map_err(|error| BenchError::unexpected_output("the appender", error.to_string()))
        })?;
        self.slow[0].push(quantile(&took, 0.95));
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took = each(|n| {
            let mut line = line(n);
            line.push(b'\n');
            let written = self.plain.write_all(&line).and_then(|()| self.plain.sync_data());
            written.map_err(BenchError::io("the plain file"))
        })?;
        self.slow[1].push(quantile(&took, 0.95));
        Ok(median(&took))
    }
}

fn folder() -> Result<TempDir, BenchError> {
    tempfile::tempdir().map_err(BenchError::io("a folder"))
}

/// Measures appending one line, which is on disk when the call returns.
pub(crate) fn append(bench: &Bench) -> Result<Samples, BenchError> {
    let folder = folder()?;
    let (ours, _) = Appender::open(&folder.path().join("messages.jsonl"))
        .map_err(|error| BenchError::unexpected_output("the appender", error.to_string()))?;
    let plain = OpenOptions::new().create(true).append(true).open(folder.path().join("plain.jsonl"));
    let plain = plain.map_err(BenchError::io("the plain file"))?;
    let mut appends = Appends { ours, plain, slow: Default::default(), _folder: folder };
    let samples = rounds(bench.rounds(30), &mut appends)?;
    let [ours, plain] = appends.slow;
    Ok(samples
        .note(format!("the median of {WRITES} lines of 2 KB per round"))
        .aside("ours, 95 % of lines", Unit::Us, ours)
        .aside("write + fdatasync, 95 % of lines", Unit::Us, plain))
}

struct States {
    ours: PathBuf,
    plain: PathBuf,
    _folder: TempDir,
}

/// The simplest way to replace a file so that it survives a power cut: write a temporary file, sync it,
/// rename it, and sync the folder.
pub(super) fn replace_plainly(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let temporary = path.with_extension("tmp");
    let mut file = OpenOptions::new().create_new(true).write(true).open(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    File::open(path.parent().expect("it is in a folder"))?.sync_all()
}

impl Pair for States {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = each(|n| {
            let replaced = file::replace(&self.ours, &line(n));
            replaced.map_err(|error| BenchError::unexpected_output("the state file", error.to_string()))
        })?;
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took =
            each(|n| replace_plainly(&self.plain, &line(n)).map_err(BenchError::io("the plain state file")))?;
        Ok(median(&took))
    }
}

/// Measures replacing a state file.
pub(crate) fn state(bench: &Bench) -> Result<Samples, BenchError> {
    let folder = folder()?;
    let place = |name: &str| folder.path().join(name);
    for name in ["ours", "plain"] {
        std::fs::create_dir(place(name)).map_err(BenchError::io("a folder"))?;
    }
    let (ours, plain) = (place("ours/meta.json"), place("plain/meta.json"));
    let mut states = States { ours, plain, _folder: folder };
    let samples = rounds(bench.rounds(30), &mut states)?;
    Ok(samples.note(format!("the median of {WRITES} files of 2 KB per round")))
}
