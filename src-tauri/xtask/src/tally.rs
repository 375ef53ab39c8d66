//! Counts tests in the output of `cargo test`.
//!
//! A test without a required real program prints `SKIPPED name: why` and passes in libtest, but is counted as
//! skipped. Ignored long tests are counted separately. On request, libtest shows the output of passing tests
//! in a separate section. Of this section, only `SKIPPED` lines and `COUNTED` lines (a test's amount of work)
//! are shown.

use std::ops::AddAssign;

/// The numbers of passed, failed and skipped tests in a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, more: &Counts) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.skipped += more.skipped;
    }
}

/// Counts the results in the output of `cargo test -- --show-output`.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    /// The names of the failed tests, in order.
    failures: Vec<String>,
    ignored: usize,
    /// The distinct `SKIPPED` lines, in order.
    lacking: Vec<String>,
    /// The test program that has not printed its result yet, if any.
    running: Option<String>,
    /// Test programs that exited without a result, which means that they crashed.
    crashed: Vec<String>,
    in_successes: bool,
}

impl Tally {
    /// Processes a line. Returns whether to show it.
    pub(crate) fn line(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        if text.starts_with("SKIPPED ") {
            let new = !self.lacking.iter().any(|seen| seen == text);
            if new {
                self.lacking.push(text.to_owned());
            }
            return new;
        }
        if text.starts_with("COUNTED ") {
            return true;
        }
        if let Some(program) = text.strip_prefix("Running ").or_else(|| text.strip_prefix("Doc-tests ")) {
            self.program_ended();
            self.running = Some(program.to_owned());
        } else if let Some(result) = line.strip_prefix("test result: ") {
            self.result(result);
            self.in_successes = false;
        } else if let Some(name) =
            line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
        {
            self.failures.push(name.to_owned());
        } else if line == "successes:" {
            self.in_successes = true;
        } else if line == "failures:" {
            self.in_successes = false;
        }
        !self.in_successes
    }

    /// Returns the counts of the run. If cargo failed (`clean` is false) without a failed test, counts one
    /// failure.
    pub(crate) fn counts(&mut self, clean: bool) -> Counts {
        self.program_ended();
        let mut failed = self.failed + self.crashed.len();
        if !clean && failed == 0 {
            failed = 1;
        }
        let passed = self.passed.saturating_sub(self.lacking.len());
        Counts { passed, failed, skipped: self.lacking.len() }
    }

    /// Returns the number of ignored long tests.
    pub(crate) fn left_out(&self) -> usize {
        self.ignored
    }

    /// Returns the `SKIPPED` lines of tests without a required program.
    pub(crate) fn lacking(&self) -> &[String] {
        &self.lacking
    }

    /// Returns the names of the failed tests.
    pub(crate) fn failures(&self) -> &[String] {
        &self.failures
    }

    pub(crate) fn crashed(&self) -> &[String] {
        &self.crashed
    }

    fn result(&mut self, text: &str) {
        let numbers = text.split(['.', ';']).filter_map(|piece| {
            let mut words = piece.split_whitespace();
            Some((words.next()?.parse::<usize>().ok()?, words.next()?))
        });
        for (number, kind) in numbers {
            match kind {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
        self.running = None;
    }

    fn program_ended(&mut self) {
        self.crashed.extend(self.running.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(text: &str) -> (Tally, Vec<&str>) {
        let mut tally = Tally::default();
        let shown = text.lines().filter(|line| tally.line(line)).collect();
        (tally, shown)
    }

    fn counts(passed: usize, failed: usize, skipped: usize) -> Counts {
        Counts { passed, failed, skipped }
    }

    #[test]
    fn results_are_summed_over_the_test_programs() {
        let (mut tally, _) = tally(
            "     Running unittests src/lib.rs (a)\n\
             test result: ok. 44 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.98s\n\
             \u{20}  Doc-tests bc_git\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        );
        assert_eq!((tally.counts(false), tally.left_out()), (counts(47, 2, 0), 1));
    }

    #[test]
    fn failed_tests_are_named() {
        let (tally, _) = tally("test a::b ... ok\ntest a::c ... FAILED\nfailures:\n    a::c");
        assert_eq!(tally.failures(), ["a::c"]);
    }

    #[test]
    fn a_test_that_lacks_a_program_is_skipped_and_not_passed() {
        let (mut tally, shown) = tally(
            "     Running unittests src/lib.rs (a)\n\
             test real ... ok\n\
             \n\
             successes:\n\
             ---- real stdout ----\n\
             chatter\n\
             SKIPPED real: BC_TEST_BD is not set\n\
             COUNTED crashes: 7 states\n\
             \n\
             successes:\n\
             \u{20}   real\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured",
        );
        assert_eq!(tally.counts(true), counts(1, 0, 1));
        assert_eq!(tally.lacking(), ["SKIPPED real: BC_TEST_BD is not set"]);
        assert!(shown.contains(&"SKIPPED real: BC_TEST_BD is not set"));
        assert!(shown.contains(&"COUNTED crashes: 7 states"));
        assert!(!shown.contains(&"chatter"), "{shown:?}");
    }

    #[test]
    fn a_test_program_that_crashes_is_a_failure() {
        let (mut tally, _) = tally(
            "     Running unittests src/lib.rs (a)\n\
             running 2 tests\n\
             error: test failed, to rerun pass `-p a --lib`\n\
             \u{20}    Running unittests src/lib.rs (b)\n\
             test result: ok. 1 passed; 0 failed; 0 ignored",
        );
        assert_eq!(tally.counts(false), counts(1, 1, 0));
        assert_eq!(tally.crashed(), ["unittests src/lib.rs (a)"]);
    }

    #[test]
    fn a_build_that_fails_is_a_failure() {
        assert_eq!(tally("error: could not compile").0.counts(false), counts(0, 1, 0));
        assert_eq!(tally("").0.counts(true), counts(0, 0, 0));
    }
}
