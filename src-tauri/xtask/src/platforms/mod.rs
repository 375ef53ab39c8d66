//! `cargo xtask platforms`: checks the workspace, including tests, for other operating systems. The desktop
//! shell is left out if the window's libraries cannot be provided. Warnings are errors.
//!
//! The check only compiles the code; the submodules `static_programs` and `wine` also link it. Debian's Rust
//! provides the source of the standard library; zig or MinGW provides the C compiler, and zig the macOS headers.
//! Each target has its own folder in `target/platforms`, so that a second check takes only seconds.

mod c_compiler;
mod static_programs;
mod target;
pub(crate) mod wine;

use crate::{
    command::Step,
    error::{XtaskError, with_causes},
    files,
    parts::{packages, zig},
    project::{self, Project},
    tally::Counts,
};
pub(crate) use static_programs::{build_static_programs, command as static_programs};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};
use target::{Compiler, TARGETS, Target};

#[derive(Debug)]
struct Outcome {
    target: &'static Target,
    ok: bool,
    /// A description of the checked packages.
    extent: String,
    took: Duration,
}

/// `cargo xtask platforms`: checks all targets, or only the target `only`.
pub(crate) fn platforms(project: &Project, only: Option<&str>) -> Result<ExitCode, XtaskError> {
    let chosen: Vec<&Target> = TARGETS.iter().filter(|t| only.is_none_or(|only| t.triple == only)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
        eprintln!("error: {} is not one of the targets: {}", only.unwrap_or_default(), known.join(", "));
        return Ok(ExitCode::from(2));
    }
    let outcomes = check_all(project, &chosen)?;
    Ok(if outcomes.iter().all(|outcome| outcome.ok) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the targets that this compiler has already checked successfully. Another check of them takes only
/// seconds to minutes.
pub(crate) fn warm(project: &Project) -> Vec<&'static Target> {
    let Ok(rustc) = rustc_version() else { return Vec::new() };
    let warm = |target: &&Target| {
        std::fs::read_to_string(warm_mark(&folder(project, target))).is_ok_and(|kept| kept == rustc)
    };
    TARGETS.iter().filter(warm).collect()
}

pub(crate) fn all() -> Vec<&'static Target> {
    TARGETS.iter().collect()
}

/// The stage of `cargo xtask test`: counts one result per target. Returns true if no check failed.
pub(crate) fn run(
    project: &Project,
    targets: &[&'static Target],
    demanded: bool,
    counts: &mut Counts,
) -> Result<bool, XtaskError> {
    let outcomes = match check_all(project, targets) {
        Ok(outcomes) => outcomes,
        // The user declined to install the tools, or they cannot be installed on this machine.
        Err(error) if !demanded => {
            for target in targets {
                eprintln!("SKIPPED the check for {}: {}", target.triple, with_causes(&error));
            }
            counts.skipped += targets.len();
            return Ok(true);
        }
        Err(error) => return Err(error),
    };
    let passed = outcomes.iter().filter(|outcome| outcome.ok).count();
    counts.passed += passed;
    counts.failed += outcomes.len() - passed;
    Ok(passed == outcomes.len())
}

fn check_all(project: &Project, targets: &[&'static Target]) -> Result<Vec<Outcome>, XtaskError> {
    packages::provide_std_source()?;
    let rustc = rustc_version()?;
    let mut zig_path = None;
    if targets.iter().any(|target| target.compiler == Compiler::Mingw) {
        packages::provide_mingw()?;
    }
    if targets.iter().any(|target| matches!(target.compiler, Compiler::Zig(_))) {
        zig_path = Some(zig::provide(&project::cache()?)?);
    }
    let mut outcomes = Vec::new();
    for target in targets {
        eprintln!("\n{}", target.triple);
        outcomes.push(check(project, target, zig_path.as_deref(), &rustc)?);
    }
    println!("\n{}", table(&outcomes));
    Ok(outcomes)
}

fn check(
    project: &Project,
    target: &'static Target,
    zig: Option<&Path>,
    rustc: &str,
) -> Result<Outcome, XtaskError> {
    let started = Instant::now();
    let shell = shell_libraries(target);
    let (mut step, folder) = cargo(project, target, zig, "check")?;
    step = step.args([
        "--workspace",
        "--all-targets",
        "--keep-going",
        "-Zwarnings",
        "--config",
        "build.warnings=\"deny\"",
    ]);
    if shell.is_err() {
        step = step.args(SHELL.iter().flat_map(|name| ["--exclude", name]));
    }
    let ok = step.dir(project.root()).run()?.success();
    if ok {
        files::save(&warm_mark(&folder), rustc)?;
    }
    let extent = match (shell, target.host_descriptions) {
        (Ok(()), false) => "all packages".to_owned(),
        (Ok(()), true) => {
            "all packages, with this machine's descriptions of the window's libraries".to_owned()
        }
        (Err(error), _) => format!("without {}: {}", SHELL.join(" and "), with_causes(&error)),
    };
    Ok(Outcome { target, ok, extent, took: started.elapsed() })
}

/// Returns a cargo command for a target, and the target's folder.
fn cargo(
    project: &Project,
    target: &Target,
    zig: Option<&Path>,
    command: &str,
) -> Result<(Step, PathBuf), XtaskError> {
    let folder = files::created(folder(project, target))?;
    let mut step = Step::new("/usr/bin/cargo")
        .args([command, "--target", target.triple, "-Zbuild-std=std,panic_abort,test"])
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTDOC", "/usr/bin/rustdoc")
        // Allow `-Z` options on the stable compiler.
        .env("RUSTC_BOOTSTRAP", "1");
    // Cargo and rustup set these variables for xtask. They would select another compiler.
    for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER"] {
        step = step.env_remove(name);
    }
    if let (Compiler::Zig(name), Some(zig)) = (target.compiler, zig) {
        step = c_compiler::give(step, target, name, zig, &folder)?;
    }
    if target.host_descriptions {
        step = step.env("PKG_CONFIG_ALLOW_CROSS", "1");
    }
    Ok((step, folder))
}

/// The packages that depend on the window's libraries.
const SHELL: [&str; 2] = ["beads-console-desktop", "empty-window"];

/// Provides the pkg-config files of the window's C libraries, if the target needs them. Only versions and
/// flags are read; they are the same for all architectures.
fn shell_libraries(target: &Target) -> Result<(), XtaskError> {
    if target.host_descriptions { packages::provide_window() } else { Ok(()) }
}

fn rustc_version() -> Result<String, XtaskError> {
    Step::new("/usr/bin/rustc").args(["-V"]).read()
}

fn folder(project: &Project, target: &Target) -> PathBuf {
    project.root().join("target/platforms").join(target.triple)
}

/// Returns the path of a file that records the compiler version of the last successful check.
fn warm_mark(folder: &Path) -> PathBuf {
    folder.join("checked-with")
}

fn table(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|outcome| outcome.target.triple.len()).max().unwrap_or(0);
    let line = |outcome: &Outcome| {
        let word = if outcome.ok { "ok" } else { "FAILED" };
        let (triple, seconds) = (outcome.target.triple, outcome.took.as_secs_f64());
        format!("{triple:width$}  {word:6}  {seconds:7.1} s  {}\n", outcome.extent)
    };
    outcomes.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_each_target_with_its_result_and_extent() {
        let outcome = |target, ok, extent: &str| Outcome {
            target,
            ok,
            extent: extent.to_owned(),
            took: Duration::from_millis(12_340),
        };
        let text = table(&[
            outcome(&TARGETS[0], true, "all packages"),
            outcome(&TARGETS[1], false, "without the shell"),
        ]);
        assert_eq!(
            text,
            "x86_64-pc-windows-gnu  ok         12.3 s  all packages\n\
             aarch64-apple-darwin   FAILED     12.3 s  without the shell\n"
        );
    }

    #[test]
    fn every_package_that_needs_the_window_is_in_the_workspace() {
        let project = Project::find().unwrap();
        for name in SHELL {
            assert!(project.metadata.packages.iter().any(|package| package.name.as_str() == name), "{name}");
        }
    }
}
