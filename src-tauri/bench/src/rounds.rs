//! Measures our program and its baseline alternately, so that disturbances affect both.

use crate::{error::BenchError, samples::Samples};
use std::time::Instant;

/// Our program and its baseline, each of which can be measured repeatedly. Both return a value in the row's
/// unit.
pub(crate) trait Pair {
    fn ours(&mut self) -> Result<f64, BenchError>;
    fn baseline(&mut self) -> Result<f64, BenchError>;
}

/// Measures both in `count` rounds. An additional first round, which warms up files and caches, is not
/// counted.
pub(crate) fn rounds(count: usize, pair: &mut dyn Pair) -> Result<Samples, BenchError> {
    let mut samples = Samples::default();
    for round in 0..=count {
        let (ours, baseline) = (pair.ours()?, pair.baseline()?);
        if round > 0 {
            samples.ours.push(ours);
            samples.baseline.push(baseline);
        }
    }
    Ok(samples)
}

/// The time since `started`, in milliseconds.
pub(crate) fn ms_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}
