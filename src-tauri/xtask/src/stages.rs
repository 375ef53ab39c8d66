//! The stages of a run, with their durations and failures.

use crate::error::{XtaskError, with_causes};
use std::time::{Duration, Instant};

#[derive(Debug)]
struct Stage {
    name: &'static str,
    took: Duration,
    ok: bool,
    /// Whether the stage's runner counts its failures individually.
    counted: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Stages(Vec<Stage>);

impl Stages {
    /// Runs a stage. If the stage fails, prints the error immediately; later stages still run.
    pub(crate) fn run(
        &mut self,
        name: &'static str,
        stage: impl FnOnce() -> Result<bool, XtaskError>,
    ) -> bool {
        self.add(name, false, stage)
    }

    /// Like [`Stages::run`], for a stage with individually counted failures.
    pub(crate) fn run_counted(
        &mut self,
        name: &'static str,
        stage: impl FnOnce() -> Result<bool, XtaskError>,
    ) -> bool {
        self.add(name, true, stage)
    }

    fn add(
        &mut self,
        name: &'static str,
        counted: bool,
        stage: impl FnOnce() -> Result<bool, XtaskError>,
    ) -> bool {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let ok = stage().unwrap_or_else(|error| {
            eprintln!("error: {}", with_causes(&error));
            false
        });
        self.0.push(Stage { name, took: started.elapsed(), ok, counted });
        ok
    }

    /// Returns the total number of failures, of which `counted` were counted individually.
    ///
    /// A stage that failed as a whole counts as one failure. For stages with individually counted failures,
    /// the result is the larger of `counted` and the number of failed stages. The latter is larger if, for
    /// example, a stage failed only because required tests were skipped.
    pub(crate) fn failures(&self, counted: usize) -> usize {
        let failed = |kind| self.0.iter().filter(|stage| !stage.ok && stage.counted == kind).count();
        failed(false) + counted.max(failed(true))
    }

    /// Returns a report with one line per stage.
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
        assert_eq!(stages.failures(0), 2);
        let report = stages.report();
        assert!(report.contains("broken  FAILED") && report.ends_with("fine\n"), "{report}");
    }

    fn check(stages: &[bool], counted: &[bool], failed_tests: usize, wanted: usize) {
        let mut all = Stages::default();
        for &ok in stages {
            all.run("stage", || Ok(ok));
        }
        for &ok in counted {
            all.run_counted("tests", || Ok(ok));
        }
        assert_eq!(all.failures(failed_tests), wanted, "{stages:?} {counted:?} {failed_tests}");
    }

    #[test]
    fn failed_tests_are_counted_one_by_one_and_failed_stages_once() {
        check(&[true, true], &[true], 0, 0);
        check(&[true], &[false], 3, 3);
        check(&[false], &[false], 3, 4);
        check(&[true], &[false, false], 5, 5);
        check(&[false], &[true], 0, 1);
        // If required tests were skipped, the stage fails without a failed test.
        check(&[true], &[false], 0, 1);
    }
}
