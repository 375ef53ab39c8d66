//! Which claude is here, and whether a session can be started with it. Nothing is started but
//! `--version`, `--help` and `auth status`.

use crate::paths::ClaudeHome;
use bc_process::{
    find,
    run::{Program, RunError},
};
use serde_json::Value;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::Duration,
};

/// The variable that names the claude to use.
pub const VARIABLE: &str = "BEADS_CONSOLE_CLAUDE";

/// How long each question may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// The oldest version whose hooks tell of permissions and prompts as the host needs it.
pub const OLDEST: Version = Version(2, 1, 0);

/// A version of claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// What a version can do, read from its `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Whether the mode that asks is called `manual`; `default` before.
    pub manual_mode: bool,
    /// Whether `--agent NAME` selects an agent prompt.
    pub agent_flag: bool,
}

impl Abilities {
    /// Those of the newest version that was tried.
    pub fn newest() -> Abilities {
        Abilities { manual_mode: true, agent_flag: true }
    }

    fn of(help: &str) -> Abilities {
        Abilities { manual_mode: help.contains("\"manual\""), agent_flag: help.contains("--agent <") }
    }
}

/// A claude that a session can be started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// The program.
    pub path: PathBuf,
    /// Its version.
    pub version: Version,
    /// What it can do.
    pub abilities: Abilities,
}

/// Why no session can be started with claude.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    /// There is none.
    #[error("Claude Code is not installed: no program called claude is in PATH or in its usual places")]
    Missing,
    /// Something called claude is not it.
    #[error("{} is not Claude Code: asked for its version it said {said:?}", .path.display())]
    OtherProgram {
        /// The program.
        path: PathBuf,
        /// What it said, cut.
        said: String,
    },
    /// It could not be asked.
    #[error("{} could not be asked {question}", .path.display())]
    Run {
        /// The program.
        path: PathBuf,
        /// For what.
        question: &'static str,
        /// Why.
        #[source]
        source: RunError,
    },
    /// It is too old.
    #[error("Claude Code {found} is too old: {OLDEST} or newer is needed")]
    TooOld {
        /// What is here.
        found: Version,
    },
    /// It has no account.
    #[error("Claude Code is not logged in")]
    NotLoggedIn,
    /// Its hooks are switched off, and without them nothing is known of what it does.
    #[error("Claude Code's hooks are switched off by {} ({setting})", .file.display())]
    HooksDisabled {
        /// Whose setting.
        file: PathBuf,
        /// Which.
        setting: &'static str,
    },
}

/// Where claude is: the one that [`VARIABLE`] names, the first in PATH, or in its usual places.
pub fn locate() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
        return find::find(&named.to_string_lossy(), None);
    }
    let home = std::env::home_dir();
    let usual = [".local/bin/claude", ".claude/local/claude"];
    find::find("claude", None).or_else(|| {
        let places = usual.iter().filter_map(|place| Some(home.as_ref()?.join(place)));
        places.filter_map(|path| find::find(path.to_str()?, None)).next()
    })
}

/// Asks the claude here whether a session in `project` can be started with it.
pub fn probe(project: &Path) -> Result<Ready, NotReady> {
    let path = locate().ok_or(NotReady::Missing)?;
    let said = ask(&path, "for its version", ["--version"])?.1;
    let version = parse_version(&said).ok_or_else(|| NotReady::OtherProgram {
        path: path.clone(),
        said: bc_core::text::cut(&bc_core::text::one_line(&said), 120),
    })?;
    if version < OLDEST {
        return Err(NotReady::TooOld { found: version });
    }
    let abilities = Abilities::of(&ask(&path, "for its options", ["--help"])?.1);
    let (code, status) = ask(&path, "whether it is logged in", ["auth", "status"])?;
    let logged_in = serde_json::from_str::<Value>(&status).ok().and_then(|v| v.get("loggedIn")?.as_bool());
    if logged_in == Some(false) || (logged_in.is_none() && code == Some(1)) {
        return Err(NotReady::NotLoggedIn);
    }
    match hooks_disabled(project, ClaudeHome::from_process().as_ref()) {
        Some((file, setting)) => Err(NotReady::HooksDisabled { file, setting }),
        None => Ok(Ready { path, version, abilities }),
    }
}

fn ask<const N: usize>(
    path: &Path,
    question: &'static str,
    args: [&str; N],
) -> Result<(Option<i32>, String), NotReady> {
    let done = Program::new(path).args(args.map(OsStr::new)).timeout(PATIENCE).cap(1 << 20).run();
    let done = done.map_err(|source| NotReady::Run { path: path.to_owned(), question, source })?;
    Ok((done.code, done.out()))
}

/// `2.1.329 (Claude Code)`; anything else is another program.
fn parse_version(said: &str) -> Option<Version> {
    let line = said.lines().find(|l| l.contains("Claude Code"))?;
    let mut parts = line.split_whitespace().next()?.split('.').map(|n| {
        n.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok()
    });
    Some(Version(parts.next()??, parts.next()??, parts.next()??))
}

/// The setting that switches hooks off, an organisation's first.
fn hooks_disabled(project: &Path, home: Option<&ClaudeHome>) -> Option<(PathBuf, &'static str)> {
    let managed = managed_settings();
    if flag(&managed, "allowManagedHooksOnly") {
        return Some((managed, "allowManagedHooksOnly"));
    }
    let mut files = vec![managed];
    files.extend(home.map(|home| home.folder.join("settings.json")));
    files.extend(["settings.json", "settings.local.json"].map(|name| project.join(".claude").join(name)));
    files.into_iter().find(|file| flag(file, "disableAllHooks")).map(|file| (file, "disableAllHooks"))
}

fn flag(file: &Path, key: &str) -> bool {
    let text = bc_store::file::read(file).ok().flatten().unwrap_or_default();
    let settings = serde_json::from_slice::<Value>(&text).unwrap_or(Value::Null);
    settings.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// Where an organisation puts settings that its users cannot change.
fn managed_settings() -> PathBuf {
    let folder = match std::env::consts::OS {
        "macos" => "/Library/Application Support/ClaudeCode",
        "windows" => "C:\\Program Files\\ClaudeCode",
        _ => "/etc/claude-code",
    };
    Path::new(folder).join("managed-settings.json")
}
