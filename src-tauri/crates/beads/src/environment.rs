//! The environment of the trackers' programs: variables, the time limit, and the programs' paths.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

/// The environment of the trackers' programs: [`Environment::from_process`], or fixed values in tests.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The PATH for programs; this process's own if `None`.
    pub path: Option<OsString>,
    /// `BC_BD`: the bd to use.
    pub bd: Option<PathBuf>,
    /// `BC_BR`: the br to use.
    pub br: Option<PathBuf>,
    /// `BEADS_DIR`: overrides the project's own `.beads`. Set it to `None` if the project is already known.
    pub beads_dir: Option<PathBuf>,
    /// The folder for caches of the programs' answers and versions; `None` disables the caches.
    pub cache: Option<PathBuf>,
    /// Additional variables for the tracker's program.
    pub variables: Vec<(OsString, OsString)>,
    /// The time limit for one call to the tracker's program.
    pub timeout: Duration,
}

impl Default for Environment {
    fn default() -> Self {
        Environment {
            path: None,
            bd: None,
            br: None,
            beads_dir: None,
            cache: None,
            variables: Vec::new(),
            timeout: Duration::from_secs(60),
        }
    }
}

impl Environment {
    /// Reads the environment from this process's variables.
    pub fn from_process() -> Self {
        let path = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Environment {
            bd: path("BC_BD"),
            br: path("BC_BR"),
            beads_dir: path("BEADS_DIR"),
            cache: cache_folder(),
            ..Environment::default()
        }
    }

    /// The absolute path of a project's beads, before redirects.
    pub(crate) fn beads_dir(&self, project_root: &Path) -> PathBuf {
        absolute(&project_root.join(self.beads_dir.as_deref().unwrap_or(Path::new(".beads"))))
    }
}

/// The folder `beads-console` in `$XDG_CACHE_HOME` or, if that is not set, in the system's default cache
/// folder. `None` if neither is known.
fn cache_folder() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let base = own.or_else(|| {
        let home = std::env::home_dir().filter(|home| home.is_absolute())?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Caches"),
            "windows" => home.join("AppData/Local"),
            _ => home.join(".cache"),
        })
    })?;
    Some(base.join("beads-console"))
}

/// The absolute path: a tracker's program may run in another working folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
