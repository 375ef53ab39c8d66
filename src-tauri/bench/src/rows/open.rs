//! Opening a conversation at its end: a long one compared with a short one.

use crate::{
    environment::Bench,
    error::BenchError,
    recorded::{self, TextGenerator},
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit, median},
    serving::Serving,
};
use bc_core::ids::SessionId;
use serde_json::json;
use std::time::Instant;

/// The number of openings in each round, of which the median counts.
const OPENINGS: usize = 20;
/// Bytes of messages in the long and the short conversation.
const LONG: usize = 50_000_000;
const SHORT: usize = 5_000_000;

struct Openings {
    serving: Serving,
    project: String,
    long: SessionId,
    short: SessionId,
}

impl Openings {
    /// Reads the last messages as the view of the conversation does. Returns the milliseconds.
    fn open(&mut self, id: SessionId) -> Result<f64, BenchError> {
        let started = Instant::now();
        let page = self.serving.call("session.page", Some(&self.project), json!({"id": id}))?;
        let took = ms_since(started);
        let messages = page["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let at_end =
            messages.last().is_some_and(|message| message["content"].as_str().unwrap_or("").ends_with(END));
        match messages.len() == 200 && at_end {
            true => Ok(took),
            false => {
                Err(BenchError::unexpected_output("session.page", format!("has {} messages", messages.len())))
            }
        }
    }

    fn middle(&mut self, id: SessionId) -> Result<f64, BenchError> {
        let took: Result<Vec<f64>, BenchError> = (0..OPENINGS).map(|_| self.open(id)).collect();
        Ok(median(&took?))
    }

    /// Reads the whole conversation at once. Returns the milliseconds.
    fn whole(&mut self, id: SessionId) -> Result<f64, BenchError> {
        let started = Instant::now();
        self.serving.call_raw("session.transcript", Some(&self.project), json!({"id": id}))?;
        Ok(ms_since(started))
    }
}

/// The text at the end of the last message.
const END: &str = "and that was all";

impl Pair for Openings {
    fn ours(&mut self) -> Result<f64, BenchError> {
        self.middle(self.long)
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        self.middle(self.short)
    }
}

pub(crate) fn open(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(10)?;
    let beads_dir = sandbox.project().join(".beads");
    let mut generator = TextGenerator::new();
    let long = recorded::session(&beads_dir, 0, LONG, &mut generator, END)?;
    let short = recorded::session(&beads_dir, 1, SHORT, &mut generator, END)?;
    let mut serving = Serving::start(&sandbox, &bench.program("beads-console")?)?;
    let project = serving.project()?;
    let mut openings = Openings { serving, project, long, short };
    // The first reading of each conversation is reported separately.
    let first = [openings.open(short)?, openings.open(long)?];
    let samples = rounds(bench.rounds(20), &mut openings)?;
    let whole = [openings.whole(short)?, openings.whole(long)?];
    Ok(samples
        .note(format!(
            "the last 200 messages by `session.page` of the server; the median of {OPENINGS} per round"
        ))
        .aside("the 50 MB one, first opening", Unit::Ms, vec![first[1]])
        .aside("the 5 MB one, first opening", Unit::Ms, vec![first[0]])
        .aside("all of the 50 MB one, `session.transcript`", Unit::Ms, vec![whole[1]])
        .aside("all of the 5 MB one, `session.transcript`", Unit::Ms, vec![whole[0]]))
}
