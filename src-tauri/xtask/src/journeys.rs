//! Runs the end-to-end tests in `tests/e2e`, in Debian's Chromium and in the desktop window: installs their
//! packages, runs them and counts the results.

use crate::{
    command::Step,
    display::Display,
    error::{XtaskError, with_causes},
    npm,
    parts::{Parts, packages},
    project::Project,
    tally::Counts,
};
use std::path::PathBuf;

/// The settings that all runs share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Journeys<'a> {
    pub(crate) project: &'a Project,
    pub(crate) parts: &'a Parts,
    /// Whether a skipped test counts as a failure.
    pub(crate) demanded: bool,
    /// Whether to run the long journeys, and to take pictures of all sizes in both themes.
    pub(crate) all: bool,
}

impl Journeys<'_> {
    /// Runs the browser tests and adds their counts. Returns true if no test failed. If no browser is
    /// installed, skips the tests, or returns an error if all tests are required.
    pub(crate) fn in_browser(self, counts: &mut Counts, noted: &mut Vec<String>) -> Result<bool, XtaskError> {
        let step = self.step("index.test.js")?.env_remove("BC_TEST_CHROMIUM");
        let step = match packages::provide_browser() {
            Ok(browser) => step.env("BC_TEST_CHROMIUM", browser),
            Err(error) if self.demanded => return Err(error),
            Err(error) => {
                eprintln!("{}", with_causes(&error));
                step
            }
        };
        self.run_and_count(step, counts, noted)
    }

    /// Runs the desktop window's tests on a separate display and adds their counts. Returns true if no test
    /// failed.
    pub(crate) fn in_window(self, counts: &mut Counts, noted: &mut Vec<String>) -> Result<bool, XtaskError> {
        let display = Display::open()?;
        self.run_and_count(display.give(self.step("window.test.js")?), counts, noted)
    }

    fn folder(self) -> PathBuf {
        self.project.root().join("tests").join("e2e")
    }

    /// Creates a step that runs a script with Node, after installing the tests' packages.
    fn step(self, script: &str) -> Result<Step, XtaskError> {
        if !npm::install(&self.folder())? {
            let why = "npm ci failed".to_owned();
            return Err(XtaskError::Part { part: "the journeys' packages", why });
        }
        let programs = self.project.program("beads-console");
        let step = Step::new("node")
            .args(["--test", "--test-reporter=tap", script])
            .dir(&self.folder())
            .env("BC_TEST_PROGRAMS", programs.parent().expect("a program is in a folder"));
        let step = if self.all { step.env("BC_TEST_ALL", "1") } else { step };
        Ok(self.parts.give(step, self.demanded))
    }

    fn run_and_count(
        self,
        step: Step,
        counts: &mut Counts,
        noted: &mut Vec<String>,
    ) -> Result<bool, XtaskError> {
        let mut own = Counts::default();
        let status = step.stream(|line| {
            count(&mut own, line);
            noted.extend(note(line));
            println!("{line}");
        })?;
        if !status.success() && own.failed == 0 {
            own.failed = 1;
        }
        *counts += &own;
        Ok(own.failed == 0)
    }
}

/// Returns the line to repeat at the end of the run. Returns `None` unless `line` reports a failed test, or a
/// test that passed only in its second run.
fn note(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(flaky) = line.strip_prefix("# FLAKY ") {
        return Some(format!("FLAKY {flaky}"));
    }
    let (_, name) = line.strip_prefix("not ok ")?.split_once(" - ")?;
    Some(format!("FAILED {name}"))
}

/// Adds a line of Node's summary, such as `# pass 9`. A cancelled test exceeded its time limit and counts as
/// failed.
fn count(counts: &mut Counts, line: &str) {
    let mut words = line.strip_prefix("# ").unwrap_or_default().split(' ');
    let (Some(kind), Some(Ok(number)), None) =
        (words.next(), words.next().map(str::parse::<usize>), words.next())
    else {
        return;
    };
    match kind {
        "pass" => counts.passed += number,
        "fail" | "cancelled" => counts.failed += number,
        "skipped" => counts.skipped += number,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_and_flaky_tests_are_noted() {
        assert_eq!(note("    not ok 3 - a card opens").as_deref(), Some("FAILED a card opens"));
        assert_eq!(note("# FLAKY a: it passed").as_deref(), Some("FLAKY a: it passed"));
        assert_eq!(note("    ok 3 - not ok 4 - b"), None);
        assert_eq!(note("# fail 0"), None);
    }

    #[test]
    fn only_the_summary_is_counted() {
        let mut counts = Counts::default();
        let text = "ok 1 - a\n# Subtest: pass 3\n# tests 9\n# pass 5\n# fail 1\n# cancelled 2\n# skipped 1";
        text.lines().for_each(|line| count(&mut counts, line));
        assert_eq!(counts, Counts { passed: 5, failed: 3, skipped: 1 });
    }
}
