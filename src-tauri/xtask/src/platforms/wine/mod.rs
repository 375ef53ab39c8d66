//! `cargo xtask platforms --wine`: runs the Windows build under Wine.
//!
//! Wine differs from Windows: it accepts some Linux paths and lacks some functions. `cannot.txt` lists the
//! tests that Wine cannot run, each with its reason.

mod environment;
mod expectations;
mod http;
mod journey;
mod unit_tests;

use self::{environment::Wine, expectations::Expectations, unit_tests::PackageResult};
use super::target::{TARGETS, Target};
use crate::{
    error::{XtaskError, with_causes},
    project::Project,
    tally::Counts,
};
use std::process::ExitCode;

fn windows() -> &'static Target {
    &TARGETS[0]
}

/// The part of the stage that a command selects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    /// The tests of all packages and the journey.
    All,
    /// The tests of a single package.
    Package(&'a str),
    Journey,
}

pub(crate) fn command(project: &Project, part: Part<'_>) -> Result<ExitCode, XtaskError> {
    let wine = Wine::open(project)?;
    let ok = run_part(project, &wine, part, &mut Counts::default())?;
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether Wine was used before, so that the journey takes only a few minutes.
pub(crate) fn is_warm(project: &Project) -> bool {
    Wine::is_ready(project)
}

/// The stage of `cargo xtask test`: counts each test. Returns true if no test failed.
pub(crate) fn run(
    project: &Project,
    part: Part<'_>,
    demanded: bool,
    counts: &mut Counts,
) -> Result<bool, XtaskError> {
    match Wine::open(project) {
        Ok(wine) => run_part(project, &wine, part, counts),
        // The user declined to install Wine, or it cannot be installed on this machine.
        Err(error) if !demanded => {
            eprintln!("SKIPPED the Windows build under Wine: {}", with_causes(&error));
            counts.skipped += 1;
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

fn run_part(project: &Project, wine: &Wine, part: Part<'_>, counts: &mut Counts) -> Result<bool, XtaskError> {
    let tests = match part {
        Part::All => run_tests(project, wine, None, counts)?,
        Part::Package(name) => run_tests(project, wine, Some(name), counts)?,
        Part::Journey => true,
    };
    let journey = match part {
        Part::All | Part::Journey => run_journey(project, wine, counts)?,
        Part::Package(_) => true,
    };
    Ok(tests && journey)
}

fn run_journey(project: &Project, wine: &Wine, counts: &mut Counts) -> Result<bool, XtaskError> {
    let (cargo, folder) = super::cargo(project, windows(), None, "build")?;
    let cargo = cargo.args(["--workspace"]).args(excluded());
    let result = journey::run(project, cargo, wine, &folder.join(windows().triple).join("debug"))?;
    let Counts { passed, failed, skipped } = &result;
    println!("\njourney         {passed:5} passed {failed:4} failed {skipped:4} skipped\n");
    *counts += &result;
    Ok(result.failed == 0)
}

fn run_tests(
    project: &Project,
    wine: &Wine,
    only: Option<&str>,
    counts: &mut Counts,
) -> Result<bool, XtaskError> {
    let list = Expectations::own().map_err(|why| XtaskError::trial("Wine", &why))?;
    let (cargo, _) = super::cargo(project, windows(), None, "test")?;
    let cargo = cargo.args(["--workspace"]).args(excluded());
    let Some(results) = unit_tests::run(project, cargo, wine, only, &list)? else {
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
        *counts += &result.counts;
    }
    Ok(results.iter().all(|result| result.counts.failed == 0))
}

fn excluded() -> impl Iterator<Item = &'static str> {
    unit_tests::NOT_RUN.iter().flat_map(|name| ["--exclude", name])
}

/// Returns a table with one line per package.
fn table(results: &[PackageResult]) -> String {
    let line = |result: &PackageResult| {
        let Counts { passed, failed, skipped } = result.counts;
        format!("{:15} {passed:5} passed {failed:4} failed {skipped:4} skipped\n", result.package)
    };
    results.iter().map(line).collect()
}
