//! The journeys of `tests/e2e` in Debian's Chromium: their packages, their run, their numbers.

use crate::{
    command::{Step, which},
    error::XtaskError,
    parts::{self, Parts, packages},
    project::Project,
    tally::Counts,
};

/// Installs the journeys' packages, which bring no browser, and the browser, unless they are there.
fn provide(project: &Project) -> Result<std::path::PathBuf, XtaskError> {
    let browser = packages::provide_browser()?;
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let npm = which(name).ok_or_else(|| XtaskError::Missing {
        program: "npm".to_owned(),
        hint: "install Node 20.19 or newer, which brings it",
    })?;
    let install = Step::new(npm).args(["ci", "--no-audit", "--no-fund"]);
    let line = install.line().to_owned();
    let status = install.dir(&project.root().join("tests").join("e2e")).run()?;
    if status.success() { Ok(browser) } else { Err(XtaskError::Ended { line, status }) }
}

/// Walks all journeys and adds their numbers; true when none failed.
pub(crate) fn walk(
    project: &Project,
    parts: &Parts,
    demanded: bool,
    counts: &mut Counts,
) -> Result<bool, XtaskError> {
    let browser = provide(project)?;
    let programs = project.program("beads-console");
    let programs = programs.parent().expect("a program is in a folder");
    let mut step = Step::new("node")
        .args(["--test", "--test-reporter=tap", "index.test.js"])
        .dir(&project.root().join("tests").join("e2e"))
        .env("BC_TEST_PROGRAMS", programs)
        .env("BC_TEST_CHROMIUM", browser);
    for (name, part) in [(parts::BD, &parts.bd), (parts::CLAUDE, &parts.claude)] {
        step = match part {
            Ok(path) => step.env(name, path),
            Err(_) => step.env_remove(name),
        };
    }
    step = if demanded { step.env("BC_TEST_DEMAND", "1") } else { step.env_remove("BC_TEST_DEMAND") };
    let mut walked = Counts::default();
    let status = step.stream(|line| {
        count(&mut walked, line);
        println!("{line}");
    })?;
    if !status.success() && walked.failed == 0 {
        walked.failed = 1;
    }
    counts.passed += walked.passed;
    counts.skipped += walked.skipped;
    counts.failed += walked.failed;
    Ok(walked.failed == 0)
}

/// Takes a line of Node's summary: `# pass 9`. A test that ran out of time is cancelled and has failed.
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
    fn the_summary_is_counted_and_nothing_else() {
        let mut counts = Counts::default();
        let text = "ok 1 - a\n# Subtest: pass 3\n# tests 9\n# pass 5\n# fail 1\n# cancelled 2\n# skipped 1";
        text.lines().for_each(|line| count(&mut counts, line));
        assert_eq!(counts, Counts { passed: 5, failed: 3, skipped: 1 });
    }
}
