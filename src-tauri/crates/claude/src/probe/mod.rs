//! Checks for a usable claude, and provides hints if there is none.
//!
//! Starts no conversation: it only runs `--version` and `auth status`.

mod login;
mod policy;
mod program;
mod trust;

pub use policy::{HooksOff, hooks_off};
pub use trust::is_trusted;

use self::program::program;
use crate::{
    paths::{Env, Places, home},
    version::Version,
};
use bc_process::find;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

/// The environment variable with the absolute path of the claude to use; no other one is searched then.
pub const OVERRIDE: &str = "BEADS_CONSOLE_CLAUDE";

/// The result of the check.
#[derive(Debug, Clone, PartialEq)]
pub enum Probe {
    /// Claude is usable.
    Ready {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// Claude was not found.
    Missing {
        /// The searched places besides PATH.
        looked_at: Vec<PathBuf>,
    },
    /// The program does not answer like claude.
    Broken {
        /// The program.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// Claude is too old.
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        found: Version,
        /// The oldest supported version.
        needs: Version,
    },
    /// Claude is not logged in.
    NotLoggedIn {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// Claude's hooks are disabled, so that nothing could be recorded.
    HooksDisabled {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
        /// The cause.
        by: HooksOff,
    },
}

impl Probe {
    /// Whether claude is usable.
    pub fn is_ready(&self) -> bool {
        matches!(self, Probe::Ready { .. })
    }

    /// The result in one sentence.
    pub fn message(&self) -> String {
        match self {
            Probe::Ready { path, version } => format!("claude {version} at {} is ready", path.display()),
            Probe::Missing { .. } => "claude was not found".to_owned(),
            Probe::Broken { path, why } => {
                format!("{} does not answer as claude does: {why}", path.display())
            }
            Probe::TooOld { path, found, needs } => {
                format!("claude {found} at {} is too old: {needs} or newer is needed", path.display())
            }
            Probe::NotLoggedIn { path, .. } => format!("claude at {} is not logged in", path.display()),
            Probe::HooksDisabled { by, .. } => {
                format!("claude's hooks are switched off by {by}; without them a session cannot be recorded")
            }
        }
    }

    /// The remedy; `None` if none is needed.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Probe::Ready { .. } => return None,
            Probe::Missing { looked_at } => {
                let places: Vec<String> = looked_at.iter().map(|path| path.display().to_string()).collect();
                format!(
                    "install Claude Code (npm install -g @anthropic-ai/claude-code) or name it in {OVERRIDE}; \
                     looked at PATH and {}",
                    places.join(", ")
                )
            }
            Probe::Broken { path, .. } => {
                format!("try `{} --version`; another one can be named in {OVERRIDE}", path.display())
            }
            Probe::TooOld { path, .. } => format!("run `{} update`", path.display()),
            Probe::NotLoggedIn { path, .. } => {
                format!("run `{} auth login`, or set ANTHROPIC_API_KEY", path.display())
            }
            Probe::HooksDisabled { by, .. } => by.hint(),
        })
    }
}

/// Finds claude and checks the requirements for working in `cwd`.
pub fn probe(env: &Env, cwd: &Path) -> Probe {
    let path = match locate(env) {
        Ok(path) => path,
        Err(looked_at) => return Probe::Missing { looked_at },
    };
    let version = match version(&path, env) {
        Ok(version) => version,
        Err(why) => return Probe::Broken { path, why },
    };
    if version < Version::OLDEST {
        return Probe::TooOld { path, found: version, needs: Version::OLDEST };
    }
    if let Some(by) = hooks_off(Places::of(env).as_ref(), cwd) {
        return Probe::HooksDisabled { path, version, by };
    }
    if login::logged_in(&path, env, cwd) == Some(false) {
        return Probe::NotLoggedIn { path, version };
    }
    Probe::Ready { path, version }
}

/// The program: the one that the user named, or the first in PATH and the usual places.
///
/// # Errors
///
/// The searched places besides PATH.
pub fn locate(env: &Env) -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(named) = env.get(OVERRIDE).map(PathBuf::from) {
        return match named.is_absolute() && find::find(&named.to_string_lossy(), None).is_some() {
            true => Ok(named),
            false => Err(vec![named]),
        };
    }
    if let Some(path) = env.get("PATH").and_then(|path| find::find("claude", Some(path))) {
        return Ok(path);
    }
    let name = if cfg!(windows) { "claude.exe" } else { "claude" };
    let usual: Vec<PathBuf> = home(env)
        .iter()
        .flat_map(|home| [home.join(".local/bin"), home.join(".claude/local")])
        .map(|dir| dir.join(name))
        .collect();
    match usual.iter().find(|path| find::find(&path.to_string_lossy(), None).is_some()) {
        Some(path) => Ok(path.clone()),
        None => Err(usual),
    }
}

/// Identifies an installed program: its path, size and time.
type Installed = (PathBuf, u64, Option<SystemTime>);

/// The answer of `--version`, cached while the file is unchanged.
fn version(path: &Path, env: &Env) -> Result<Version, String> {
    static KNOWN: OnceLock<Mutex<HashMap<Installed, Version>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    let meta = path.metadata().map_err(|error| error.to_string())?;
    let installed = (path.to_owned(), meta.len(), meta.modified().ok());
    if let Some(version) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&installed) {
        return Ok(*version);
    }
    let done = program(path, env).arg("--version").run().map_err(|error| error.to_string())?;
    if !done.ok() {
        let said = bc_core::text::cut(&bc_core::text::one_line(&done.err()), 200);
        return Err(format!(
            "`--version` ended with {}: {said}",
            done.code.map_or("a signal".into(), |c| c.to_string())
        ));
    }
    let version: Version =
        done.out().parse().map_err(|error: crate::version::NoVersion| error.to_string())?;
    known.lock().unwrap_or_else(PoisonError::into_inner).insert(installed, version);
    Ok(version)
}

#[cfg(test)]
mod tests;
