//! What a user feels of a terminal in a browser: the time from a key to its glyph, and a flood of output. Our
//! page and gotty's, each in its own Chromium.

use super::flood::rate;
use crate::{
    error::BenchError,
    machine,
    pages::{Gotty, TerminalPage},
    place::Bench,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, quantile},
    serving::{Serving, TITLE},
};
use bc_bench::output::Flood;
use bc_testkit::Sandbox;

/// Keys per round.
const KEYS: usize = 100;

/// Budget from a key to its glyph at p95, in milliseconds: the next frame of a usual screen.
const BUDGET: f64 = 16.0;

/// Both pages, and their servers.
struct Pages {
    ours: TerminalPage,
    gotty: TerminalPage,
    _serving: Serving,
    _gotty: Gotty,
    _sandbox: Sandbox,
}

impl Pages {
    fn open(bench: &Bench, webgl: bool) -> Result<Pages, BenchError> {
        let sandbox = bench.project(1)?;
        let folder = bench.with_agent(&sandbox)?;
        let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
        let project = serving.project()?;
        serving.session(&project)?;
        let peer = Gotty::start(bench, &sandbox)?;
        let ours = TerminalPage::ours(&serving, TITLE, webgl)?;
        let gotty = TerminalPage::gotty(&peer, webgl)?;
        machine::rest();
        Ok(Pages { ours, gotty, _serving: serving, _gotty: peer, _sandbox: sandbox })
    }
}

struct Keys {
    pages: Pages,
    part: f64,
    /// The keys of all rounds.
    ours: Vec<f64>,
    gotty: Vec<f64>,
}

impl Pair for Keys {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = self.pages.ours.keys(KEYS)?;
        self.ours.extend(&took);
        Ok(quantile(&took, self.part))
    }

    fn beside(&mut self) -> Result<f64, BenchError> {
        let took = self.pages.gotty.keys(KEYS)?;
        self.gotty.extend(&took);
        Ok(quantile(&took, self.part))
    }
}

/// The rows for a key: `part` is the quantile of the keys of a round.
pub(crate) fn keys(bench: &Bench, webgl: bool, part: f64) -> Result<Samples, BenchError> {
    let pages = Pages::open(bench, webgl)?;
    let mut keys = Keys { pages, part, ours: Vec::new(), gotty: Vec::new() };
    let samples = rounds(bench.rounds(8), &mut keys)?;
    let within = quantile(&keys.ours, 0.95) <= BUDGET;
    Ok(samples
        .note(format!(
            "{KEYS} keys per round, from the browser's event to the frame in which xterm.js has drawn the glyph; \
             gotty's page never \
             uses WebGL, ours only on a graphics processor; our budget of {BUDGET} ms at p95 is {}",
            if within { "kept" } else { "EXCEEDED" }
        ))
        .aside("ours, every key", Unit::Ms, keys.ours)
        .aside("gotty's page, every key", Unit::Ms, keys.gotty))
}

/// The row for a flood.
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
        samples.beside.push(gotty);
    }
    Ok(samples.note(format!(
        "{} MB until the last line is drawn, without WebGL; gotty sends every byte, we send what the page \
         keeps up with",
        bytes / 1_000_000
    )))
}
