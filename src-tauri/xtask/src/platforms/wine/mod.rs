//! `cargo xtask platforms --wine`: runs the Windows build under Wine.
//!
//! Wine is not Windows: it accepts some paths of Linux and lacks parts. `cannot.txt` lists by name the tests that it
//! cannot run, each with its reason.

mod environment;
mod expectations;
mod unit_tests;

use self::{environment::Wine, expectations::Expectations, unit_tests::PackageResult};
use super::target::{TARGETS, Target};
use crate::{
    error::{XtaskError, with_causes},
    project::Project,
    tally::Counts,
};
use std::process::ExitCode;

/// The target that Wine runs.
fn windows() -> &'static Target {
    &TARGETS[0]
}

/// The command: the tests of all packages, or of the named one.
pub(crate) fn command(project: &Project, only: Option<&str>) -> Result<ExitCode, XtaskError> {
    let ok = run_tests(project, only, &mut Counts::default())?;
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The stage of `cargo xtask test --full`: counts each test; true if none failed.
pub(crate) fn run(project: &Project, demanded: bool, counts: &mut Counts) -> Result<bool, XtaskError> {
    match run_tests(project, None, counts) {
        // Wine was refused or cannot be installed here.
        Err(error) if !demanded => {
            eprintln!("SKIPPED the Windows build under Wine: {}", with_causes(&error));
            counts.skipped += 1;
            Ok(true)
        }
        result => result,
    }
}

fn run_tests(project: &Project, only: Option<&str>, counts: &mut Counts) -> Result<bool, XtaskError> {
    let list = Expectations::own().map_err(|why| XtaskError::trial("Wine", &why))?;
    let (cargo, _) = super::cargo(project, windows(), None, "test")?;
    let cargo = cargo.args(unit_tests::NOT_RUN.iter().flat_map(|name| ["--exclude", name]));
    let wine = Wine::open(project)?;
    let Some(results) = unit_tests::run(project, cargo, &wine, only, &list)? else {
        counts.failed += 1;
        return Ok(false);
    };
    println!("\n{}", table(&results));
    for result in &results {
        for (name, reason) in list.of(&result.package) {
            println!("SKIPPED {} {name}: {reason}", result.package);
        }
    }
    for failure in results.iter().flat_map(|result| &result.failures) {
        println!("FAILED under Wine: {failure}");
    }
    for result in &results {
        counts.passed += result.counts.passed;
        counts.failed += result.counts.failed;
        counts.skipped += result.counts.skipped;
    }
    Ok(results.iter().all(|result| result.counts.failed == 0))
}

/// One line per package.
fn table(results: &[PackageResult]) -> String {
    let line = |result: &PackageResult| {
        let Counts { passed, failed, skipped } = result.counts;
        format!("{:15} {passed:5} passed {failed:4} failed {skipped:4} skipped\n", result.package)
    };
    results.iter().map(line).collect()
}
