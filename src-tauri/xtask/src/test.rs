//! `cargo xtask test`: set up, check style, run every test, and end with one line of numbers.

use crate::{
    browser,
    command::Step,
    error::XtaskError,
    parts::{self, Parts, packages},
    project::Project,
    stages::Stages,
    tally::{Counts, Tally},
    tidy, ui,
};
use std::process::ExitCode;

/// How much is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only the tests, with the parts that are there already.
    Fast,
    /// Style and tests, with the real parts.
    Normal,
    /// Also the journeys in a browser, and the tests that are ignored because they take long.
    Full,
}

/// Runs it all. With `demanded`, a test that is skipped for want of a part is a failure.
pub(crate) fn test(project: &Project, depth: Depth, demanded: bool) -> Result<ExitCode, XtaskError> {
    let mut stages = Stages::default();
    let mut counts = Counts::default();
    let packages = stages.run("packages", || packages::provide().map(|()| true));
    if !packages {
        return Ok(finish(&stages, counts));
    }
    // The parts download and build for minutes the first time: meanwhile the project builds.
    let fetching = (depth != Depth::Fast).then(|| parts::fetch(project.root().to_owned()));
    if depth != Depth::Fast {
        stages.run("format", || cargo(project, &["fmt", "--all", "--check"]));
        stages.run("tidy", || tidy::check(project));
    }
    // The programs carry the UI in them, so it is built first.
    let ui =
        stages.run("ui packages", || ui::install(project)) && stages.run("ui build", || ui::build(project));
    if depth != Depth::Fast {
        // Without the desktop shell, which is no default member: it needs a webview to be built.
        stages.run("clippy", || cargo(project, &["clippy", "--all-targets", "--", "-D", "warnings"]));
        stages.run("contract", || ui::codegen(project, true));
    }
    if ui {
        stages.run("ui check", || ui::check(project));
        stages.run("ui tests", || ui::tests(project));
    }
    // Programs first: tests of one crate run the programs of another.
    let built = stages.run("build", || cargo(project, &["build", "--bins"]))
        && stages.run("build tests", || cargo(project, &["test", "--no-run"]));
    let mut parts = Parts::default();
    stages.run("parts", || {
        parts = match fetching {
            Some(fetching) => fetching.wait(),
            None => parts::present(project.root()),
        };
        Ok(parts.tell() || !demanded)
    });
    if built {
        stages.run("tests", || {
            let mut tally = Tally::default();
            let status = tests(&parts, depth, demanded).dir(project.root()).stream(|line| {
                if tally.line(line) {
                    println!("{line}");
                }
            })?;
            counts = tally.counts(status.success());
            for program in tally.crashed() {
                eprintln!("CRASHED {program}");
            }
            let lacking = tally.lacking();
            for line in lacking {
                eprintln!("{line}");
            }
            if demanded && !lacking.is_empty() {
                eprintln!("error: {} tests were skipped where every part is demanded", lacking.len());
            }
            Ok(counts.failed == 0 && (lacking.is_empty() || !demanded))
        });
    }
    // They wait on a browser, a server and claude at once, and take minutes.
    if built && depth == Depth::Full {
        stages.run("browser", || browser::walk(project, &parts, demanded, &mut counts));
    }
    Ok(finish(&stages, counts))
}

fn cargo(project: &Project, args: &[&str]) -> Result<bool, XtaskError> {
    Ok(Step::cargo().args(args).dir(project.root()).run()?.success())
}

fn tests(parts: &Parts, depth: Depth, demanded: bool) -> Step {
    let mut step = Step::cargo().args(["test", "--no-fail-fast", "--", "--show-output"]);
    if depth == Depth::Full {
        step = step.args(["--include-ignored"]);
    }
    for (name, part) in [(parts::BD, &parts.bd), (parts::CLAUDE, &parts.claude)] {
        step = match part {
            Ok(path) => step.env(name, path),
            Err(_) => step.env_remove(name),
        };
    }
    // A red run must be red again: what is drawn at random is drawn from a fixed seed.
    let step = step.env("PROPTEST_RNG_SEED", "20261120");
    if demanded { step.env("BC_TEST_DEMAND", "1") } else { step.env_remove("BC_TEST_DEMAND") }
}

/// The times, then the line of numbers.
fn finish(stages: &Stages, counts: Counts) -> ExitCode {
    eprintln!("\n{}", stages.report());
    let failed = failures(stages, &counts);
    println!("{} passed, {failed} failed, {} skipped", counts.passed, counts.skipped);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A failed stage counts as one failure, but for that of the tests, whose failures are counted one by one.
fn failures(stages: &Stages, counts: &Counts) -> usize {
    stages.failed() + counts.failed.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stages: &[bool], failed_tests: usize, wanted: usize) {
        let mut all = Stages::default();
        for &ok in stages {
            all.run("stage", || Ok(ok));
        }
        let counts = Counts { passed: 7, failed: failed_tests, skipped: 0 };
        assert_eq!(failures(&all, &counts), wanted, "{stages:?} {failed_tests}");
    }

    #[test]
    fn failed_tests_are_counted_one_by_one_and_failed_stages_once() {
        check(&[true, true], 0, 0);
        check(&[true, false], 3, 3);
        check(&[false, false], 3, 4);
        check(&[false, true], 0, 1);
        // Tests were skipped where none may be: their stage fails without a failed test.
        check(&[true, false], 0, 1);
    }
}
