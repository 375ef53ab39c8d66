//! The speed of a terminal in a browser: the time from a key to the drawn character, and the throughput of a
//! large output. Our page and gotty's are measured, each in a separate Chromium.

use super::{files::replace_plainly, flood::rate};
use crate::{
    environment::Bench,
    error::BenchError,
    machine,
    pages::{Gotty, TerminalPage},
    rounds::{Pair, rounds},
    samples::{Budget, Samples, Unit, quantile},
    serving::{Serving, TITLE},
};
use bc_bench::output::Flood;
use bc_testkit::Sandbox;
use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// The number of keys in each round.
const KEYS: usize = 100;

/// The number of beads in the tracker whose changes keep the server busy.
const BUSY_BEADS: usize = 100_000;
const BETWEEN_CHANGES: Duration = Duration::from_millis(250);

/// Our page and gotty's, with the servers that they need.
struct Pages {
    ours: TerminalPage,
    gotty: TerminalPage,
    _serving: Serving,
    _gotty: Gotty,
    _sandbox: Sandbox,
}

impl Pages {
    fn open(bench: &Bench, webgl: bool) -> Result<Pages, BenchError> {
        Pages::of(bench, bench.project(1)?, webgl)
    }

    fn of(bench: &Bench, sandbox: Sandbox, webgl: bool) -> Result<Pages, BenchError> {
        let folder = bench.programs_with_bench_agent(&sandbox)?;
        let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
        let project = serving.project()?;
        serving.session(&project)?;
        let peer = Gotty::start(bench, &sandbox)?;
        let ours = TerminalPage::ours(&serving, TITLE, webgl)?;
        let gotty = TerminalPage::gotty(&peer, webgl)?;
        machine::wait_idle();
        Ok(Pages { ours, gotty, _serving: serving, _gotty: peer, _sandbox: sandbox })
    }
}

struct Keys {
    pages: Pages,
    part: f64,
    /// The times of the keys of all rounds, in milliseconds.
    ours: Vec<f64>,
    gotty: Vec<f64>,
}

impl Pair for Keys {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = self.pages.ours.keys(KEYS)?;
        self.ours.extend(&took);
        Ok(quantile(&took, self.part))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took = self.pages.gotty.keys(KEYS)?;
        self.gotty.extend(&took);
        Ok(quantile(&took, self.part))
    }
}

/// Changes one bead after another in the tracker's file, on a separate thread, until this value is dropped.
struct BusyTracker {
    end: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
}

impl BusyTracker {
    fn start(project: PathBuf) -> Result<BusyTracker, BenchError> {
        let file = project.join(".beads/issues.jsonl");
        let text = fs::read_to_string(&file).map_err(BenchError::io("issues.jsonl"))?;
        let end = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&end);
        let writer = thread::spawn(move || {
            for change in 1.. {
                let from = format!("Bead number {}:", change * 997 % BUSY_BEADS);
                let text = text.replacen(&from, &format!("{from} (changed {change})"), 1);
                // If the file could not be written, the server would be idle and the result wrong, so this
                // panics.
                replace_plainly(&file, text.as_bytes()).expect("the tracker's file is writable");
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(BETWEEN_CHANGES);
            }
        });
        Ok(BusyTracker { end, writer: Some(writer) })
    }
}

impl Drop for BusyTracker {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        // A panic of the thread has been printed already.
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

/// Measures the keys while the server follows a large tracker that changes continuously.
pub(crate) fn keys_while_busy(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(BUSY_BEADS)?;
    let project = sandbox.project().to_owned();
    let pages = Pages::of(bench, sandbox, false)?;
    let busy = BusyTracker::start(project)?;
    let mut keys = Keys { pages, part: 0.95, ours: Vec::new(), gotty: Vec::new() };
    let samples = rounds(bench.rounds(8), &mut keys)?;
    drop(busy);
    Ok(samples
        .note(format!(
            "{KEYS} keys per round; meanwhile the file of {BUSY_BEADS} beads is replaced every {} ms, which our server \
             reads; gotty's page has the same machine, but reads nothing",
            BETWEEN_CHANGES.as_millis()
        ))
        .aside("ours, every key", Unit::Ms, keys.ours)
        .aside("gotty's page, every key", Unit::Ms, keys.gotty))
}

/// Measures the keys; `part` is the quantile that counts in each round.
pub(crate) fn keys(bench: &Bench, webgl: bool, part: f64) -> Result<Samples, BenchError> {
    let pages = Pages::open(bench, webgl)?;
    let mut keys = Keys { pages, part, ours: Vec::new(), gotty: Vec::new() };
    let samples = rounds(bench.rounds(8), &mut keys)?;
    let budget = Budget::KeyToGlyph.ms();
    let within = quantile(&keys.ours, 0.95) <= budget;
    Ok(samples
        .note(format!(
            "{KEYS} keys per round, from the browser's event to the frame in which xterm.js has drawn the glyph; \
             gotty's page never uses WebGL, ours only on a graphics processor; our budget of {budget} ms at p95 \
             is {}",
            if within { "kept" } else { "EXCEEDED" }
        ))
        .aside("ours, every key", Unit::Ms, keys.ours)
        .aside("gotty's page, every key", Unit::Ms, keys.gotty))
}

/// Measures the throughput of a large output, in megabytes per second.
pub(crate) fn flood(bench: &Bench) -> Result<Samples, BenchError> {
    let mut pages = Pages::open(bench, false)?;
    let mut round = |bytes: u64| -> Result<[f64; 2], BenchError> {
        let flood = Flood::new(bytes);
        Ok([rate(&flood, pages.ours.flood(&flood)?), rate(&flood, pages.gotty.flood(&flood)?)])
    };
    let (bytes, warm_up) = if bench.quick { (10_000_000, 1_000_000) } else { (200_000_000, 10_000_000) };
    round(warm_up)?;
    let mut samples = Samples::default();
    for _ in 0..bench.rounds(2) {
        let [ours, gotty] = round(bytes)?;
        samples.ours.push(ours);
        samples.baseline.push(gotty);
    }
    Ok(samples.note(format!(
        "{} MB until the last line is drawn, without WebGL; gotty sends every byte, our server only as much as the \
         page can draw",
        bytes / 1_000_000
    )))
}
