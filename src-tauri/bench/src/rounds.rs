//! Alternating rounds of our program and its baseline, so that disturbances affect both.

use crate::{error::BenchError, samples::Samples};

/// Two comparable measurements.
pub(crate) trait Pair {
    /// One sample of ours.
    fn ours(&mut self) -> Result<f64, BenchError>;
    /// One sample of the baseline.
    fn beside(&mut self) -> Result<f64, BenchError>;
}

/// Measures both alternately. The first round warms up files and caches and is not counted.
pub(crate) fn rounds(count: usize, pair: &mut dyn Pair) -> Result<Samples, BenchError> {
    let mut samples = Samples::default();
    for round in 0..=count {
        let (ours, beside) = (pair.ours()?, pair.beside()?);
        if round > 0 {
            samples.ours.push(ours);
            samples.beside.push(beside);
        }
    }
    Ok(samples)
}
