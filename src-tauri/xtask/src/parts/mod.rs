//! The real programs that tests run (bd, claude and tauri-driver), and gotty, with which the benchmarks
//! compare our terminal. They are fetched from their registries into a cache folder that persists between
//! runs. Submodules provide further tools, such as zig.
//!
//! An installation is atomic: it is prepared next to its final path, and then renamed.

mod claude;
mod go;
mod go_program;
pub(crate) mod packages;
mod pypi;
mod staging;
mod tauri_driver;
#[cfg(target_os = "linux")]
pub(crate) mod windows_git;
#[cfg(target_os = "linux")]
pub(crate) mod zig;

pub(crate) use staging::Staging;

use crate::{
    command::Step,
    error::{XtaskError, with_causes},
    project::{self, Project},
};
use go_program::{BD, DOLT, GOTTY, OLDEST_BD};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    thread::JoinHandle,
};

/// A function that finds a program, given the root of the source tree and the cache folder.
type Find = fn(&Path, &Path) -> Result<PathBuf, XtaskError>;

/// A program that tests or benchmarks run.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// The variable that passes the path to tests. The user can set it to choose another program.
    variable: &'static str,
    /// Returns the path at which the program is or would be installed.
    place: Find,
    /// Returns the path, and installs the program if necessary.
    provide: Find,
}

const BD_NAME: &str = "bd";

const KINDS: &[Kind] = &[
    Kind {
        name: BD_NAME,
        variable: "BC_TEST_BD",
        place: |root, cache| BD.place(root, cache),
        provide: |root, cache| BD.provide(root, cache),
    },
    Kind { name: "claude", variable: "BC_TEST_CLAUDE", place: claude::place, provide: claude::provide },
];

/// Additional programs that tests run on Linux.
const ON_LINUX: &[Kind] = &[Kind {
    name: "tauri-driver",
    variable: "BC_TEST_TAURI_DRIVER",
    place: |_, cache| Ok(tauri_driver::place(cache)),
    provide: |_, cache| tauri_driver::provide(cache),
}];

/// A program that only long tests need.
const SERVER: Kind = Kind {
    name: "dolt",
    variable: "BC_TEST_DOLT",
    place: |root, cache| DOLT.place(root, cache),
    provide: |root, cache| DOLT.provide(root, cache),
};

/// A program that only the benchmarks need.
const PEER: Kind = Kind {
    name: "gotty",
    variable: "BC_BENCH_GOTTY",
    place: |root, cache| GOTTY.place(root, cache),
    provide: |root, cache| GOTTY.provide(root, cache),
};

/// Returns the programs that tests run on this system.
fn kinds() -> impl Iterator<Item = Kind> {
    let more = if cfg!(target_os = "linux") { ON_LINUX } else { &[] };
    KINDS.iter().chain(more).copied()
}

/// The path of each program, or the reason why it is missing.
#[derive(Debug, Default)]
pub(crate) struct Parts(Vec<(Kind, Result<PathBuf, XtaskError>)>);

impl Parts {
    /// Prints the path of each program, or the reason why it is missing. Returns true if no program is
    /// missing.
    pub(crate) fn print(&self) -> bool {
        for (Kind { name, .. }, part) in &self.0 {
            match part {
                Ok(path) => eprintln!("{name}: {}", path.display()),
                Err(error) => {
                    let stars = "*".repeat(72);
                    eprintln!(
                        "{stars}\n{}\nTests that need {name} are skipped.\n{stars}",
                        with_causes(error)
                    );
                }
            }
        }
        self.0.iter().all(|(_, part)| part.is_ok())
    }

    /// Passes the paths to a test, and also whether a test without a required program fails.
    pub(crate) fn give(&self, mut step: Step, demanded: bool) -> Step {
        for kind in kinds().chain([SERVER, PEER]) {
            step = step.env_remove(kind.variable);
        }
        for (kind, part) in &self.0 {
            if let Ok(path) = part {
                step = step.env(kind.variable, path);
            }
        }
        if demanded { step.env("BC_TEST_DEMAND", "1") } else { step.env_remove("BC_TEST_DEMAND") }
    }
}

#[derive(Debug)]
pub(crate) struct Fetching(Vec<(Kind, JoinHandle<Result<PathBuf, XtaskError>>)>);

impl Fetching {
    pub(crate) fn wait(self) -> Parts {
        let ended = |(kind, handle): (Kind, JoinHandle<_>)| {
            let failed = |_| Err(XtaskError::Part { part: kind.name, why: "xtask failed".to_owned() });
            (kind, handle.join().unwrap_or_else(failed))
        };
        Parts(self.0.into_iter().map(ended).collect())
    }
}

/// `cargo xtask parts`: fetches missing programs and prints all paths.
pub(crate) fn parts(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    let all = fetch(project.root(), false).wait().print();
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Starts to install missing programs in the background; with `long`, also those that only long tests need. A
/// path that the user set in a program's variable takes precedence.
pub(crate) fn fetch(root: &Path, long: bool) -> Fetching {
    let start = |kind: Kind| {
        let root = root.to_owned();
        let find = move || set_by_user_or(kind, || (kind.provide)(&root, &project::cache()?));
        (kind, std::thread::spawn(find))
    };
    let more = long.then_some(SERVER);
    Fetching(kinds().chain(more).map(start).collect())
}

/// Returns the programs that are already installed, without fetching any.
pub(crate) fn present(root: &Path) -> Parts {
    let find = |kind: Kind| {
        let found = set_by_user_or(kind, || {
            let place = (kind.place)(root, &project::cache()?)?;
            let why = || "run `cargo xtask test` once without --fast".to_owned();
            place.is_file().then_some(place).ok_or_else(|| XtaskError::Part { part: kind.name, why: why() })
        });
        (kind, found)
    };
    Parts(kinds().map(find).collect())
}

/// Returns the programs for the benchmarks: the tests' programs if they are installed, and gotty, which is
/// built if necessary.
pub(crate) fn for_bench(root: &Path) -> Parts {
    let Parts(mut parts) = present(root);
    parts.push((PEER, set_by_user_or(PEER, || (PEER.provide)(root, &project::cache()?))));
    Parts(parts)
}

/// Returns the tests' programs with the oldest accepted bd, which is built if necessary.
pub(crate) fn with_oldest_bd(root: &Path) -> Parts {
    let Parts(mut parts) = present(root);
    for (kind, part) in parts.iter_mut().filter(|(kind, _)| kind.name == BD_NAME) {
        let name = "the oldest accepted bd";
        *kind = Kind { name, ..*kind };
        *part = project::cache().and_then(|cache| OLDEST_BD.provide(root, &cache));
    }
    Parts(parts)
}

fn set_by_user_or(
    kind: Kind,
    find: impl FnOnce() -> Result<PathBuf, XtaskError>,
) -> Result<PathBuf, XtaskError> {
    match std::env::var_os(kind.variable).map(PathBuf::from) {
        Some(path) if path.is_absolute() && path.is_file() => Ok(path),
        Some(path) => Err(XtaskError::Read { path, source: std::io::ErrorKind::NotFound.into() }),
        None => find(),
    }
}
