//! Checks whether a usable claude is installed, and otherwise suggests a remedy.
//!
//! The check starts no conversation: it only runs `--version` and `auth status`.

mod installation;
mod launcher;
mod locate;
mod login;
mod other_system;
mod policy;
mod program;
mod shim;
mod trust;

pub use installation::Installation;
pub use launcher::Launcher;
pub use locate::OVERRIDE;
pub use other_system::OtherSystem;
pub use policy::{HooksOff, hooks_off};
pub use trust::is_trusted;

use self::{
    launcher::{NoLauncher, launcher},
    locate::locate,
    program::program,
};
use crate::{
    paths::{Env, Places},
    version::Version,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The result of the check for a usable claude.
#[derive(Debug, Clone, PartialEq)]
pub enum Probe {
    Ready {
        /// The path at which claude was found, before shims are resolved.
        path: PathBuf,
        version: Version,
        launcher: Launcher,
    },
    Missing {
        /// The searched paths, without the folders in PATH.
        looked_at: Vec<PathBuf>,
    },
    /// The claude that was found belongs to another system.
    OfOtherSystem {
        path: PathBuf,
        system: OtherSystem,
    },
    /// The file is not a program or shim that can be started without a shell.
    NotStartable {
        path: PathBuf,
        why: String,
    },
    /// `--version` failed, or its output is not claude's.
    Broken {
        path: PathBuf,
        why: String,
    },
    TooOld {
        path: PathBuf,
        found: Version,
        needs: Version,
    },
    NotLoggedIn {
        path: PathBuf,
        version: Version,
    },
    /// Settings disable claude's hooks, so sessions could not be recorded.
    HooksDisabled {
        path: PathBuf,
        version: Version,
        by: HooksOff,
    },
}

impl Probe {
    /// Whether a session with the real claude can start.
    pub fn is_ready(&self) -> bool {
        matches!(self, Probe::Ready { .. })
    }

    /// The result in one sentence.
    pub fn message(&self) -> String {
        match self {
            Probe::Ready { path, version, .. } => format!("claude {version} at {} is ready", path.display()),
            Probe::Missing { .. } => "claude was not found".to_owned(),
            Probe::OfOtherSystem { path, system } => {
                format!("claude at {} belongs to {}", path.display(), system.name())
            }
            Probe::NotStartable { path, why } => {
                format!("{} cannot be started directly: {why}", path.display())
            }
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

    /// The remedy; `None` if claude is ready.
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
            Probe::OfOtherSystem { system, .. } => format!(
                "install Claude Code in this system, too, or run Beads Console in {}: each has its own login and \
                 conversations",
                system.name()
            ),
            Probe::NotStartable { .. } => format!("name the program itself in {OVERRIDE}"),
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

/// Finds claude and checks that it is recent enough, logged in, and allowed to run hooks in `cwd`.
pub fn probe(env: &Env, cwd: &Path) -> Probe {
    let path = match locate(env) {
        Ok(path) => path,
        Err(looked_at) => return Probe::Missing { looked_at },
    };
    let launcher = match launcher(&path, env) {
        Ok(launcher) => launcher,
        Err(NoLauncher::System(system)) => return Probe::OfOtherSystem { path, system },
        Err(NoLauncher::Because(why)) => return Probe::NotStartable { path, why },
    };
    let version = match version(&launcher, env) {
        Ok(version) => version,
        Err(why) => return Probe::Broken { path, why },
    };
    if version < Version::OLDEST {
        return Probe::TooOld { path, found: version, needs: Version::OLDEST };
    }
    if let Some(by) = hooks_off(Places::of(env).as_ref(), cwd) {
        return Probe::HooksDisabled { path, version, by };
    }
    if login::logged_in(&launcher, env, cwd) == Some(false) {
        return Probe::NotLoggedIn { path, version };
    }
    Probe::Ready { path, version, launcher }
}

/// The other claudes in PATH and in the usual places, each with its kind of installation. This program does
/// not use them.
pub fn others(env: &Env, used: &Launcher) -> Vec<(PathBuf, Installation)> {
    let file = |launcher: &Launcher| launcher.file().canonicalize().ok();
    let mut seen = vec![file(used)];
    let mut others = Vec::new();
    for path in locate::all(env) {
        let Ok(other) = launcher(&path, env) else { continue };
        let of = file(&other);
        if !seen.contains(&of) {
            others.push((path, other.installation));
            seen.push(of);
        }
    }
    others
}

/// Identifies an installed program by its path, size and modification time.
type Installed = (PathBuf, u64, Option<SystemTime>);

/// The version that claude reports, cached while claude's file is unchanged.
fn version(launcher: &Launcher, env: &Env) -> Result<Version, String> {
    static KNOWN: Mutex<BTreeMap<Installed, Version>> = Mutex::new(BTreeMap::new());
    let path = launcher.file();
    let meta = path.metadata().map_err(|error| error.to_string())?;
    let installed = (path.to_owned(), meta.len(), meta.modified().ok());
    if let Some(version) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&installed) {
        return Ok(*version);
    }
    let done = program(launcher, env).arg("--version").run().map_err(|error| error.to_string())?;
    if !done.ok() {
        let output = bc_core::text::cut(&bc_core::text::one_line(&done.err()), 200);
        return Err(format!(
            "`--version` ended with {}: {output}",
            done.code.map_or("a signal".into(), |c| c.to_string())
        ));
    }
    let version: Version =
        done.out().parse().map_err(|error: crate::version::NoVersion| error.to_string())?;
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(installed, version);
    Ok(version)
}

#[cfg(test)]
mod tests;
