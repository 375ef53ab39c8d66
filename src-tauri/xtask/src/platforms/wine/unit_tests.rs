//! Runs the packages' unit tests and their integration tests named `run` and `faults`, built for Windows.

use super::{
    environment::{Wine, windows_path},
    expectations::Expectations,
};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
    project::Project,
    tally::Counts,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The packages whose tests do not run under Wine: the window, the benchmarks, the AppImage runtime and xtask.
pub(super) const NOT_RUN: [&str; 5] =
    ["beads-console-desktop", "empty-window", "bc-bench", "bc-appimage", "xtask"];

#[derive(Debug, PartialEq, Eq)]
struct TestProgram {
    package: String,
    /// The package's folder, in which its tests run.
    folder: PathBuf,
    path: PathBuf,
}

#[derive(Debug)]
pub(super) struct PackageResult {
    pub(super) package: String,
    pub(super) counts: Counts,
    pub(super) failures: Vec<String>,
}

/// The time limit for one run of a test program, in seconds. libtest reports a test that takes longer than 60
/// seconds.
const LIMIT: u32 = 150;

/// The maximum number of runs of a test program. After a run that did not complete, the next run skips the
/// tests that hung and the tests that have passed.
const MAX_RUNS: usize = 20;

/// Builds all test programs with `cargo` and runs them, or only those of the package `only`. Returns the
/// results per package, or `None` if the build failed.
pub(super) fn run(
    project: &Project,
    cargo: Step,
    wine: &Wine,
    only: Option<&str>,
    list: &Expectations,
) -> Result<Option<Vec<PackageResult>>, XtaskError> {
    let mut programs = Vec::new();
    let step = cargo.args([
        "--no-run",
        "--lib",
        "--bins",
        "--test",
        "run",
        "--test",
        "faults",
        "--message-format=json-render-diagnostics",
    ]);
    let status = step.dir(project.root()).stream(|line| match built(line) {
        Some(program) => programs.push(program),
        None if line.starts_with('{') => {}
        None => println!("{line}"),
    })?;
    if !status.success() {
        return Ok(None);
    }
    programs.sort_by(|one, other| (&one.package, &one.path).cmp(&(&other.package, &other.path)));
    let mut results: Vec<PackageResult> = Vec::new();
    for program in programs.iter().filter(|program| only.is_none_or(|only| program.package == only)) {
        let result = run_program(wine, program, &list.of(&program.package))?;
        match results.last_mut().filter(|last| last.package == result.package) {
            Some(last) => {
                last.counts.passed += result.counts.passed;
                last.counts.failed += result.counts.failed;
                last.failures.extend(result.failures);
            }
            None => results.push(result),
        }
    }
    Ok(Some(results))
}

/// Returns the test program that a cargo message reports, if any.
fn built(line: &str) -> Option<TestProgram> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let id = message["package_id"].as_str()?;
    // The id has the form `path+file:///…/git#bc-git@0.1.0` or `…/bc-git#0.1.0`.
    let end = id.rsplit_once('#')?.1;
    let package = match end.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => manifest.parent()?.file_name()?.to_str()?.to_owned(),
    };
    let path = message["executable"].as_str()?.into();
    is_test.then(|| TestProgram { package, folder: manifest.parent().unwrap_or(manifest).to_owned(), path })
}

fn run_program(
    wine: &Wine,
    program: &TestProgram,
    listed: &[(&str, &str)],
) -> Result<PackageResult, XtaskError> {
    let package = &program.package;
    println!("     Running {package} under Wine ({})", program.path.display());
    let mut outcomes = Outcomes::default();
    let mut end = None;
    for _ in 0..MAX_RUNS {
        let left_out = listed.iter().map(|(name, _)| *name).chain(outcomes.names()).collect::<Vec<_>>();
        // `--exact` also applies to the names to skip. Without positional names, all other tests run.
        let skips = left_out.iter().flat_map(|name| ["--skip", name]);
        let step = wine.step(LIMIT, &program.path).args(["--test-threads=2", "--exact"]).args(skips);
        let step = step.env("PROPTEST_RNG_SEED", "20261120").env("RUST_BACKTRACE", "0");
        // Cargo normally sets this variable, with which tests find their expected output.
        let step = step.env("CARGO_MANIFEST_DIR", windows_path(&program.folder)).dir(&program.folder);
        let before = outcomes.ended.len();
        // Write the output to a file, because a process left behind by a test would keep a pipe open.
        let ended = step.run_into(&wine.log()?);
        for line in wine.end_processes()?.lines().filter(|line| outcomes.line(line)) {
            println!("{line}");
        }
        if outcomes.complete {
            break;
        }
        outcomes.forget_failures();
        if outcomes.mark_hung() == 0 && outcomes.ended.len() == before {
            let why = ended.err().map(|error| with_causes(&error)).unwrap_or_default();
            end = Some(format!("{package} ended without a result: {why}"));
            break;
        }
    }
    let failed = outcomes.ended.iter().filter(|(_, end)| !matches!(end, End::Passed | End::Ignored));
    let mut failures: Vec<String> = failed.map(|(name, end)| format!("{package} {name} {end:?}")).collect();
    failures.extend(end);
    let passed = outcomes.ended.values().filter(|end| **end == End::Passed).count();
    let counts = Counts {
        passed: passed.saturating_sub(outcomes.lacking),
        failed: failures.len(),
        skipped: listed.len() + outcomes.lacking,
    };
    Ok(PackageResult { package: package.clone(), counts, failures })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    Ignored,
    Hung,
}

/// The results in the output of a test program, accumulated over all its runs.
#[derive(Debug, Default)]
struct Outcomes {
    ended: BTreeMap<String, End>,
    /// Tests that have been running for more than a minute.
    slow: BTreeSet<String>,
    /// The number of tests that were skipped because a real program is missing.
    lacking: usize,
    /// Whether the last run completed.
    complete: bool,
}

impl Outcomes {
    /// Processes a line. Returns whether to show it.
    fn line(&mut self, line: &str) -> bool {
        if line.starts_with("SKIPPED ") {
            self.lacking += 1;
        }
        self.complete |= line.starts_with("test result: ");
        let Some(rest) = line.strip_prefix("test ") else { return true };
        if let Some((name, _)) = rest.split_once(" has been running for over ") {
            self.slow.insert(name.to_owned());
            return true;
        }
        let Some((name, end)) = rest.split_once(" ... ") else { return true };
        let end = match end {
            end if end.starts_with("ok") => End::Passed,
            end if end.starts_with("ignored") => End::Ignored,
            _ => End::Failed,
        };
        let name = name.strip_suffix(" - should panic").unwrap_or(name);
        self.ended.insert(name.to_owned(), end);
        end == End::Failed
    }

    /// Marks the tests that have been running for more than a minute as hung, and returns their number.
    fn mark_hung(&mut self) -> usize {
        let hung: Vec<String> = std::mem::take(&mut self.slow)
            .into_iter()
            .filter(|name| !self.ended.contains_key(name))
            .collect();
        let number = hung.len();
        self.ended.extend(hung.into_iter().map(|name| (name, End::Hung)));
        number
    }

    /// Forgets the failures of a run that did not complete, so that these tests run again. They may have failed
    /// only because the programs that they started were killed together with the test program.
    fn forget_failures(&mut self) {
        self.ended.retain(|_, end| *end != End::Failed);
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.ended.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_in_cargos_messages() {
        let message = |test: bool, id: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{id}","manifest_path":"/w/crates/git/Cargo.toml",
                "profile":{{"test":{test}}},"executable":"/w/target/a.exe"}}"#
            )
        };
        let program = |package: &str| TestProgram {
            package: package.to_owned(),
            folder: "/w/crates/git".into(),
            path: "/w/target/a.exe".into(),
        };
        assert_eq!(built(&message(true, "path+file:///w/crates/git#bc-git@0.1.0")), Some(program("bc-git")));
        assert_eq!(built(&message(true, "path+file:///w/crates/git#0.1.0")), Some(program("git")));
        assert_eq!(built(&message(false, "path+file:///w/crates/git#bc-git@0.1.0")), None);
        assert_eq!(built("   Compiling bc-git"), None);
    }

    #[test]
    fn a_test_that_hangs_is_named_and_the_others_keep_their_results() {
        let mut outcomes = Outcomes::default();
        for line in [
            "test a::one ... ok",
            "test a::two ... FAILED",
            "test a::three has been running for over 60 seconds",
            "test a::four has been running for over 60 seconds",
            "test a::four ... ok",
            "SKIPPED a::one: BC_TEST_BD is not set",
            "test a::five - should panic ... ok",
            "test a::six ... ignored",
        ] {
            outcomes.line(line);
        }
        assert!(!outcomes.complete);
        assert_eq!((outcomes.mark_hung(), outcomes.lacking), (1, 1));
        let of = |end: End| {
            outcomes.ended.iter().filter(move |ended| *ended.1 == end).map(|ended| ended.0.as_str())
        };
        assert_eq!(of(End::Passed).collect::<Vec<_>>(), ["a::five", "a::four", "a::one"]);
        assert_eq!(of(End::Failed).collect::<Vec<_>>(), ["a::two"]);
        assert_eq!(of(End::Hung).collect::<Vec<_>>(), ["a::three"]);
        outcomes.forget_failures();
        assert!(
            !outcomes.names().any(|name| name == "a::two") && outcomes.names().any(|name| name == "a::three")
        );
        outcomes.line("test result: ok. 1 passed");
        assert!(outcomes.complete);
    }
}
