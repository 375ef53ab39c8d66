//! `cargo xtask test`: sets up, runs the checks and tests of a [`Depth`], and prints a final line of counts.

use crate::{
    command::Step,
    display::Display,
    error::{XtaskError, with_causes},
    journeys::Journeys,
    parts::{self, Parts, packages},
    project::Project,
    stages::Stages,
    tally::{Counts, Tally},
    tidy, ui, versions,
};
use std::process::ExitCode;

#[cfg(target_os = "linux")]
use crate::{
    clean_roots,
    platforms::{self, wine::Part},
};

/// The extent of a test run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only the tests, with the programs that are already installed.
    Fast,
    /// Style, tests, and end-to-end tests in the desktop window and in a browser, with the real programs.
    Normal,
    /// Like `Normal`, with the long tests, the oldest bd, other versions of claude, the packages, and the
    /// builds for other systems.
    Full,
}

impl Depth {
    /// Returns the cargo command that builds our packages. Builds with and without clippy do not share
    /// artifacts, so a run uses only one of them.
    fn cargo(self) -> Step {
        match self {
            Depth::Fast => Step::cargo(),
            Depth::Normal | Depth::Full => Step::linting_cargo(),
        }
    }
}

/// Runs the depth's stages. With `demanded`, a test that is skipped because a program is missing counts as
/// a failure.
pub(crate) fn test(project: &Project, depth: Depth, demanded: bool) -> Result<ExitCode, XtaskError> {
    let mut stages = Stages::default();
    let mut counts = Counts::default();
    // These lines are printed again at the end, because users rarely read the whole output.
    let mut noted = Vec::new();
    let packages = stages.run("packages", || packages::provide().map(|()| true));
    if !packages {
        return Ok(finish(&stages, counts, &noted));
    }
    if depth != Depth::Fast
        && let Err(error) = packages::provide_tracer()
            .and(packages::provide_ssh())
            .and(packages::provide_proxy())
            .and(packages::provide_containers())
    {
        // Continue the run: each test that needs a missing program reports it.
        eprintln!("{}", with_causes(&error));
    }
    if depth == Depth::Full
        && let Err(error) = packages::provide_volumes()
    {
        eprintln!("{}", with_causes(&error));
    }
    let mut window = false;
    if depth != Depth::Fast {
        stages.run("window packages", || {
            window = provide_window(demanded)?;
            Ok(true)
        });
    }
    // Use the same selections in all stages, so that the shell is built only once, with the same features.
    let selections = project.selections(window);
    // The first download and build of the real programs takes minutes, so run it during our own build.
    let fetching = (depth != Depth::Fast).then(|| parts::fetch(project.root(), depth == Depth::Full));
    if depth != Depth::Fast {
        stages.run("format", || cargo(project, &["fmt", "--all", "--check"]));
        stages.run("tidy", || tidy::check(project));
    }
    // Build the UI first, because the programs embed it.
    let ui =
        stages.run("ui packages", || ui::install(project)) && stages.run("ui build", || ui::build(project));
    if depth != Depth::Fast {
        stages.run("contract", || ui::codegen(project, true));
    }
    if ui && depth != Depth::Fast {
        stages.run("ui lint", || ui::lint(project));
    }
    if ui {
        stages.run("ui check", || ui::check(project));
        stages.run("ui tests", || ui::tests(project));
    }
    // Build the programs first, because tests of one crate run programs of another.
    let built = stages.run("build", || each(project, depth, &selections, &["build", "--bins"]))
        && stages.run("build tests", || each(project, depth, &selections, &["test", "--no-run"]));
    let mut parts = Parts::default();
    stages.run("parts", || {
        parts = match fetching {
            Some(fetching) => fetching.wait(),
            None => parts::present(project.root()),
        };
        Ok(parts.print() || !demanded)
    });
    if built {
        stages.run_counted("tests", || {
            RustTests { project, selections: &selections, parts: &parts, window, depth, demanded }
                .run(&mut counts, &mut noted)
        });
    }
    let journeys = Journeys { project, parts: &parts, demanded, all: depth == Depth::Full };
    if built && window {
        stages.run_counted("window", || journeys.in_window(&mut counts, &mut noted));
    } else if depth != Depth::Fast {
        eprintln!("SKIPPED the desktop window's tests");
        counts.skipped += 1;
    }
    if built && depth != Depth::Fast {
        stages.run_counted("browser", || journeys.in_browser(&mut counts, &mut noted));
    }
    if built && depth == Depth::Full {
        stages.run_counted("oldest bd", || with_oldest_bd(project, demanded, &mut counts));
        stages.run_counted("versions of claude", || versions::run(project, &mut counts));
        #[cfg(target_os = "linux")]
        stages.run_counted("packages", || clean_roots::run(project, &mut counts));
    }
    #[cfg(target_os = "linux")]
    {
        // The first check of a target takes about 10 minutes, so only `--full` performs it.
        let targets = match depth {
            Depth::Fast => Vec::new(),
            Depth::Normal => platforms::warm(project),
            Depth::Full => platforms::all(),
        };
        if !targets.is_empty() {
            stages.run_counted("platforms", || platforms::run(project, &targets, demanded, &mut counts));
        }
        let part = match depth {
            Depth::Fast => None,
            Depth::Normal => platforms::wine::is_warm(project).then_some(Part::Journey),
            Depth::Full => Some(Part::All),
        };
        if let Some(part) = part {
            stages.run_counted("wine", || platforms::wine::run(project, part, demanded, &mut counts));
        }
    }
    Ok(finish(&stages, counts, &noted))
}

/// Runs the tests in [`OF_BD`] with the oldest accepted version of bd.
fn with_oldest_bd(project: &Project, demanded: bool, counts: &mut Counts) -> Result<bool, XtaskError> {
    let parts = parts::with_oldest_bd(project.root());
    let mut all = parts.print() || !demanded;
    for args in OF_BD {
        let step = Step::linting_cargo().args(["test", "--no-fail-fast", "--package"]).args(*args);
        let step = parts.give(step.args(["--show-output"]), demanded);
        let mut tally = Tally::default();
        let status = step.dir(project.root()).stream(|line| {
            if tally.line(line) {
                println!("{line}");
            }
        })?;
        let ran = tally.counts(status.success());
        all &= ran.failed == 0 && (ran.skipped == 0 || !demanded);
        *counts += &ran;
    }
    Ok(all)
}

/// The tests that use a real bd, as arguments for `cargo test`.
const OF_BD: &[&[&str]] = &[
    &["bc-beads", "real_bd", "--"],
    &["bc-cli", "--test", "cli", "--", "bd", "journey", "beads", "bead_edits", "session_states", "recovery"],
];

/// Provides the packages that build and test the desktop window. If that fails, prints the reason and returns
/// false, or returns the error if all programs are `demanded`.
fn provide_window(demanded: bool) -> Result<bool, XtaskError> {
    let provided = match cfg!(target_os = "linux") {
        true => packages::provide_window().and_then(|()| packages::provide_window_driver()),
        false => {
            let why = "its tests support only Linux".to_owned();
            Err(XtaskError::Part { part: "the desktop window's driver", why })
        }
    };
    match provided {
        Err(error) if !demanded => {
            let stars = "*".repeat(72);
            eprintln!("{stars}\n{}\nThe desktop window is not tested.\n{stars}", with_causes(&error));
            Ok(false)
        }
        provided => provided.map(|()| true),
    }
}

/// Runs a cargo command for each selection of packages.
fn each(
    project: &Project,
    depth: Depth,
    selections: &[Vec<String>],
    command: &[&str],
) -> Result<bool, XtaskError> {
    for selection in selections {
        let step = depth.cargo().args(command).args(selection);
        if !step.dir(project.root()).run()?.success() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn cargo(project: &Project, args: &[&str]) -> Result<bool, XtaskError> {
    Ok(Step::cargo().args(args).dir(project.root()).run()?.success())
}

/// The tests of `cargo test`, and the settings for running them.
#[derive(Debug, Clone, Copy)]
struct RustTests<'a> {
    project: &'a Project,
    selections: &'a [Vec<String>],
    parts: &'a Parts,
    window: bool,
    depth: Depth,
    demanded: bool,
}

impl RustTests<'_> {
    /// Runs all tests. Returns true if no test failed and, with `demanded`, no test was skipped. Unless a
    /// test program crashed, failed tests are run a second time, without the others, because a test can fail
    /// by chance on a busy machine. As in the browser tests, a test that then passes is reported as FLAKY and
    /// does not count as failed.
    fn run(self, counts: &mut Counts, noted: &mut Vec<String>) -> Result<bool, XtaskError> {
        let (mut tally, clean) = self.pass(&[])?;
        *counts = tally.counts(clean);
        let first = tally.failures();
        if counts.failed > 0 && first.len() == counts.failed {
            println!("\n{} failed tests run a second time", first.len());
            let (again, _) = self.pass(first)?;
            let (failed, passed): (Vec<_>, Vec<_>) =
                first.iter().partition(|name| again.failures().contains(name));
            noted.extend(passed.iter().map(|name| format!("FLAKY {name}: it passed in its second run")));
            noted.extend(failed.iter().map(|name| format!("FAILED {name}")));
            counts.passed += passed.len();
            counts.failed = failed.len();
        }
        noted.extend(tally.crashed().iter().map(|program| format!("CRASHED {program}")));
        if tally.left_out() > 0 {
            eprintln!("{} long tests run only with --full", tally.left_out());
        }
        let lacking = tally.lacking();
        noted.extend_from_slice(lacking);
        if self.demanded && !lacking.is_empty() {
            noted.push(format!(
                "error: {} tests were skipped, but all programs are required in this run",
                lacking.len()
            ));
        }
        Ok(counts.failed == 0 && (lacking.is_empty() || !self.demanded))
    }

    /// Runs the tests with these names, or all tests if `names` is empty. Also returns whether cargo
    /// succeeded.
    fn pass(self, names: &[String]) -> Result<(Tally, bool), XtaskError> {
        let display = if self.window { Some(Display::open()?) } else { None };
        let mut tally = Tally::default();
        let mut clean = true;
        for selection in self.selections {
            let step = self.step(selection, names).dir(self.project.root());
            let step = display.iter().fold(step, |step, display| display.give(step));
            let status = step.stream(|line| {
                if tally.line(line) {
                    println!("{line}");
                }
            })?;
            clean &= status.success();
        }
        Ok((tally, clean))
    }

    fn step(self, selection: &[String], names: &[String]) -> Step {
        let step = self.depth.cargo().args(["test", "--no-fail-fast"]).args(selection);
        let mut step = step.args(["--", "--show-output"]);
        if self.depth == Depth::Full {
            step = step.args(["--include-ignored"]);
        }
        if !names.is_empty() {
            step = step.args(["--exact"]).args(names);
        }
        // Use a fixed seed, so that failures of property tests can be reproduced.
        self.parts.give(step.env("PROPTEST_RNG_SEED", "20261120"), self.demanded)
    }
}

/// Prints the durations, the noted tests, and the line of counts. Returns the exit code.
fn finish(stages: &Stages, counts: Counts, noted: &[String]) -> ExitCode {
    eprintln!("\n{}", stages.report());
    for line in noted {
        println!("{line}");
    }
    let failed = stages.failures(counts.failed);
    println!("{} passed, {failed} failed, {} skipped", counts.passed, counts.skipped);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
