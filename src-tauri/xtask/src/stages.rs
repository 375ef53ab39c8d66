//! The stages of a run: what each took, and which failed.

use crate::error::{XtaskError, with_causes};
use std::time::{Duration, Instant};

#[derive(Debug)]
struct Stage {
    name: &'static str,
    took: Duration,
    ok: bool,
}

/// The stages so far.
#[derive(Debug, Default)]
pub(crate) struct Stages(Vec<Stage>);

impl Stages {
    /// Runs a stage. Its error is printed at once and does not keep the next stage from running.
    pub(crate) fn run(
        &mut self,
        name: &'static str,
        stage: impl FnOnce() -> Result<bool, XtaskError>,
    ) -> bool {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let ok = stage().unwrap_or_else(|error| {
            eprintln!("error: {}", with_causes(&error));
            false
        });
        self.0.push(Stage { name, took: started.elapsed(), ok });
        ok
    }

    /// How many failed.
    pub(crate) fn failed(&self) -> usize {
        self.0.iter().filter(|stage| !stage.ok).count()
    }

    /// One line a stage.
    pub(crate) fn report(&self) -> String {
        let line = |stage: &Stage| {
            let end = if stage.ok { "" } else { "  FAILED" };
            format!("{:>8.1} s  {}{end}\n", stage.took.as_secs_f64(), stage.name)
        };
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_stage_is_counted_and_named_and_the_next_one_runs() {
        let mut stages = Stages::default();
        assert!(!stages.run("broken", || Err(XtaskError::NoCache)));
        assert!(!stages.run("refused", || Ok(false)));
        assert!(stages.run("fine", || Ok(true)));
        assert_eq!(stages.failed(), 2);
        let report = stages.report();
        assert!(report.contains("broken  FAILED") && report.ends_with("fine\n"), "{report}");
    }
}
