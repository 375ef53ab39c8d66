//! Alternating rounds of our program and its baseline, so that disturbances affect both.

use crate::{error::BenchError, samples::Samples};

/// Our program and its baseline, as two comparable measurements.
pub(crate) trait Pair {
    /// Measures our program once.
    fn ours(&mut self) -> Result<f64, BenchError>;
    /// Measures the baseline once.
    fn baseline(&mut self) -> Result<f64, BenchError>;
}

/// Measures both alternately in `count` rounds. An additional first round warms up files and caches and is not
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
