//! The real programs that tests run: bd, claude and tauri-driver, fetched from their registries into a cache
//! folder that survives between runs.
//!
//! A part is there or it is not: it is installed beside its place and renamed into it.

mod bd;
mod claude;
mod go;
pub(crate) mod packages;
mod staging;
mod tauri_driver;

use crate::{
    command::Step,
    error::{XtaskError, with_causes},
    project::{self, Project},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    thread::JoinHandle,
};

/// Finds a part from the source tree's root and the cache.
type Find = fn(&Path, &Path) -> Result<PathBuf, XtaskError>;

/// A program that tests run.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// The variable by which tests find it, and by which a person gives another one.
    variable: &'static str,
    /// Where it is once it is there.
    place: Find,
    /// Where it is, installed if need be.
    provide: Find,
}

const KINDS: &[Kind] = &[
    Kind { name: "bd", variable: "BC_TEST_BD", place: bd::place, provide: bd::provide },
    Kind { name: "claude", variable: "BC_TEST_CLAUDE", place: claude::place, provide: claude::provide },
];

/// Only where there is a driver for the window's webview.
const ON_LINUX: &[Kind] = &[Kind {
    name: "tauri-driver",
    variable: "BC_TEST_TAURI_DRIVER",
    place: |_, cache| Ok(tauri_driver::place(cache)),
    provide: |_, cache| tauri_driver::provide(cache),
}];

/// The parts of this system.
fn kinds() -> impl Iterator<Item = Kind> {
    let more = if cfg!(target_os = "linux") { ON_LINUX } else { &[] };
    KINDS.iter().chain(more).copied()
}

/// Where the real programs are.
#[derive(Debug, Default)]
pub(crate) struct Parts(Vec<(Kind, Result<PathBuf, XtaskError>)>);

impl Parts {
    /// Says where each is, loudly where it is not; true when all are there.
    pub(crate) fn tell(&self) -> bool {
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

    /// Tells a test where they are, and whether it may be skipped without one.
    pub(crate) fn give(&self, mut step: Step, demanded: bool) -> Step {
        for kind in kinds() {
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

/// Parts on their way.
#[derive(Debug)]
pub(crate) struct Fetching(Vec<(Kind, JoinHandle<Result<PathBuf, XtaskError>>)>);

impl Fetching {
    /// Waits for all.
    pub(crate) fn wait(self) -> Parts {
        let ended = |(kind, handle): (Kind, JoinHandle<_>)| {
            let failed = |_| Err(XtaskError::Part { part: kind.name, why: "xtask failed".to_owned() });
            (kind, handle.join().unwrap_or_else(failed))
        };
        Parts(self.0.into_iter().map(ended).collect())
    }
}

/// The verb: fetches what is not there and says where it all is.
pub(crate) fn parts(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    let all = fetch(project.root()).wait().tell();
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Begins to install what is not there. A path that the user gave in the variable is taken instead.
pub(crate) fn fetch(root: &Path) -> Fetching {
    let start = |kind: Kind| {
        let root = root.to_owned();
        let find = move || given(kind, || (kind.provide)(&root, &project::cache()?));
        (kind, std::thread::spawn(find))
    };
    Fetching(kinds().map(start).collect())
}

/// Only what is there already.
pub(crate) fn present(root: &Path) -> Parts {
    let there = |kind: Kind| {
        let found = given(kind, || {
            let place = (kind.place)(root, &project::cache()?)?;
            let why = || "run `cargo xtask test` once without --fast".to_owned();
            place.is_file().then_some(place).ok_or_else(|| XtaskError::Part { part: kind.name, why: why() })
        });
        (kind, found)
    };
    Parts(kinds().map(there).collect())
}

fn given(kind: Kind, else_: impl FnOnce() -> Result<PathBuf, XtaskError>) -> Result<PathBuf, XtaskError> {
    match std::env::var_os(kind.variable).map(PathBuf::from) {
        Some(path) if path.is_absolute() && path.is_file() => Ok(path),
        Some(path) => Err(XtaskError::Read { path, source: std::io::ErrorKind::NotFound.into() }),
        None => else_(),
    }
}
