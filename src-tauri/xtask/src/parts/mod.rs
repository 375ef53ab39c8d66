//! The real programs that tests run: bd and claude, fetched from their registries into a cache folder
//! that survives between runs.
//!
//! A part is there or it is not: it is installed beside its place and renamed into it.

mod bd;
mod claude;
mod go;
pub(crate) mod packages;
mod staging;

use crate::{
    error::{XtaskError, with_causes},
    project::{self, Project},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    thread::JoinHandle,
};

/// The variable by which tests find bd.
pub(crate) const BD: &str = "BC_TEST_BD";
/// The variable by which tests find claude.
pub(crate) const CLAUDE: &str = "BC_TEST_CLAUDE";

/// Where the real programs are.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) bd: Result<PathBuf, XtaskError>,
    pub(crate) claude: Result<PathBuf, XtaskError>,
}

impl Default for Parts {
    fn default() -> Self {
        let none = |part| Err(XtaskError::Part { part, why: "it was not looked for".to_owned() });
        Parts { bd: none("bd"), claude: none("claude") }
    }
}

impl Parts {
    /// Says where each is, loudly where it is not; true when all are there.
    pub(crate) fn tell(&self) -> bool {
        for (name, part) in [("bd", &self.bd), ("claude", &self.claude)] {
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
        self.bd.is_ok() && self.claude.is_ok()
    }
}

/// Parts on their way.
#[derive(Debug)]
pub(crate) struct Fetching {
    bd: JoinHandle<Result<PathBuf, XtaskError>>,
    claude: JoinHandle<Result<PathBuf, XtaskError>>,
}

impl Fetching {
    /// Waits for both.
    pub(crate) fn wait(self) -> Parts {
        let ended = |part, handle: JoinHandle<_>| {
            handle.join().unwrap_or_else(|_| Err(XtaskError::Part { part, why: "xtask failed".to_owned() }))
        };
        Parts { bd: ended("bd", self.bd), claude: ended("claude", self.claude) }
    }
}

/// The verb: fetches what is not there and says where it all is.
pub(crate) fn parts(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    let all = fetch(project.root().to_owned()).wait().tell();
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Begins to install what is not there. A path that the user gave in the variable is taken instead.
pub(crate) fn fetch(root: PathBuf) -> Fetching {
    let of_claude = root.clone();
    Fetching {
        bd: std::thread::spawn(move || given(BD, || bd::provide(&root, &project::cache()?))),
        claude: std::thread::spawn(move || given(CLAUDE, || claude::provide(&of_claude, &project::cache()?))),
    }
}

/// Only what is there already.
pub(crate) fn present(root: &Path) -> Parts {
    let there = |part: &'static str, place: PathBuf| match place.is_file() {
        true => Ok(place),
        false => Err(XtaskError::Part { part, why: "run `cargo xtask test` once without --fast".to_owned() }),
    };
    Parts {
        bd: given(BD, || there("bd", bd::place(root, &project::cache()?)?)),
        claude: given(CLAUDE, || there("claude", claude::place(root, &project::cache()?)?)),
    }
}

fn given(name: &str, else_: impl FnOnce() -> Result<PathBuf, XtaskError>) -> Result<PathBuf, XtaskError> {
    match std::env::var_os(name).map(PathBuf::from) {
        Some(path) if path.is_absolute() && path.is_file() => Ok(path),
        Some(path) => Err(XtaskError::Read { path, source: std::io::ErrorKind::NotFound.into() }),
        None => else_(),
    }
}
