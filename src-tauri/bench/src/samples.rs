//! The results of a row, and their statistics. Nothing is measured here.

use serde::Serialize;

/// The unit of a row's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Megabytes (10⁶) per second.
    MbPerS,
    /// MiB; for memory, shared pages count in proportion.
    Mib,
    /// Percent, usually of one core.
    Percent,
}

impl Unit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Ms => "ms",
            Unit::Us => "µs",
            Unit::MbPerS => "MB/s",
            Unit::Mib => "MiB",
            Unit::Percent => "%",
        }
    }
}

/// The time that a user accepts at p95, on any machine, by the kind of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Budget {
    /// From a key to the drawn character: the next frame of a usual screen.
    KeyToGlyph,
    /// From a click to its answer.
    Answer,
    /// Until a list is shown.
    List,
    Start,
}

impl Budget {
    /// The accepted time in milliseconds.
    pub(crate) fn ms(self) -> f64 {
        match self {
            Budget::KeyToGlyph => 16.0,
            Budget::Answer => 50.0,
            Budget::List => 100.0,
            Budget::Start => 1000.0,
        }
    }
}

/// The target for a row's result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub(crate) enum Goal {
    /// Our result divided by the baseline's is at most this.
    RatioAtMost(f64),
    /// Our result divided by the baseline's is at least this.
    RatioAtLeast(f64),
    /// Our own result is at most this.
    AtMost(f64),
}

/// Additional results of a row, which are shown but have no goal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Aside {
    pub(crate) what: String,
    pub(crate) unit: Unit,
    pub(crate) values: Vec<f64>,
}

/// The results of a row: one value per round for ours and for the baseline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Samples {
    pub(crate) ours: Vec<f64>,
    #[serde(rename = "beside")]
    pub(crate) baseline: Vec<f64>,
    pub(crate) asides: Vec<Aside>,
    pub(crate) notes: Vec<String>,
}

impl Samples {
    /// Our result divided by the baseline's, for each round. Disturbances affect both and so cancel out.
    pub(crate) fn ratios(&self) -> Vec<f64> {
        self.ours.iter().zip(&self.baseline).map(|(ours, baseline)| ours / baseline).collect()
    }

    /// Our p95 in milliseconds; `None` if the unit is not a time, or without a result.
    pub(crate) fn p95_ms(&self, unit: Unit) -> Option<f64> {
        let p95 = quantile(&self.ours, 0.95);
        match unit {
            _ if p95.is_nan() => None,
            Unit::Ms => Some(p95),
            Unit::Us => Some(p95 / 1e3),
            Unit::MbPerS | Unit::Mib | Unit::Percent => None,
        }
    }

    /// Whether the median of all rounds meets the goal.
    pub(crate) fn meets(&self, goal: Goal) -> bool {
        match goal {
            Goal::RatioAtMost(most) => median(&self.ratios()) <= most,
            Goal::RatioAtLeast(least) => median(&self.ratios()) >= least,
            Goal::AtMost(most) => median(&self.ours) <= most,
        }
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Samples {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn aside(mut self, what: impl Into<String>, unit: Unit, values: Vec<f64>) -> Samples {
        self.asides.push(Aside { what: what.into(), unit, values });
        self
    }
}

/// The quantile `part` (0 to 1) of the values, interpolated; NaN if there are none.
pub(crate) fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = part * last as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

/// The median of the values; NaN if there are none.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_values() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
        assert_eq!(quantile(&[0.0, 10.0], 0.9), 9.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_goal_applies_to_the_median_of_the_rounds() {
        let samples =
            Samples { ours: vec![2.0, 30.0, 4.4], baseline: vec![2.0, 10.0, 4.0], ..Samples::default() };
        assert!(samples.meets(Goal::RatioAtMost(1.1)) && !samples.meets(Goal::RatioAtMost(1.05)));
        assert!(samples.meets(Goal::RatioAtLeast(1.1)) && samples.meets(Goal::AtMost(4.4)));
        assert!(!Samples::default().meets(Goal::AtMost(1.0)), "nothing measured meets nothing");
    }
}
