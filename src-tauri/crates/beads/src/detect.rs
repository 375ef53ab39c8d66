//! Whose beads these are. The project's files decide; only then the program is sought.

use crate::{
    TrackerError,
    cli::{self, Cli},
    jsonl::{Embedded, ReadOnly},
    place::{self, jsonl_file, layout},
    tracker::Tracker,
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

/// What the surroundings say; [`Environment::from_process`] in the program, given in tests.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Where programs are sought; this process's PATH where `None`.
    pub path: Option<OsString>,
    /// `BC_BD`: the bd to use.
    pub bd: Option<PathBuf>,
    /// `BC_BR`: the br to use.
    pub br: Option<PathBuf>,
    /// `BEADS_DIR`: it wins over the project's own `.beads`. Leave it out where the project was named
    /// by the user.
    pub beads_dir: Option<PathBuf>,
    /// Variables for the tracker's program, on top of this process's own.
    pub variables: Vec<(OsString, OsString)>,
    /// How long one call of the tracker's program may take.
    pub timeout: Duration,
}

impl Default for Environment {
    fn default() -> Self {
        Environment {
            path: None,
            bd: None,
            br: None,
            beads_dir: None,
            variables: Vec::new(),
            timeout: Duration::from_secs(60),
        }
    }
}

impl Environment {
    /// From this process's variables.
    pub fn from_process() -> Self {
        let path = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Environment {
            bd: path("BC_BD"),
            br: path("BC_BR"),
            beads_dir: path("BEADS_DIR"),
            ..Environment::default()
        }
    }
}

/// Whose files these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// bd with Dolt.
    Dolt,
    /// bd before 0.58, with SQLite and its daemon.
    ClassicBd,
    /// br, with SQLite.
    Br,
    /// Only JSONL: nobody's program is needed.
    Jsonl,
}

/// Where a project's beads are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeadsDir {
    /// The folder, redirects followed.
    pub path: PathBuf,
    /// Whose it is.
    pub layout: Layout,
}

/// Finds a project's beads; `None` where it has none.
pub fn locate(project_root: &Path, environment: &Environment) -> Result<Option<BeadsDir>, TrackerError> {
    let dir = match &environment.beads_dir {
        Some(dir) => project_root.join(dir),
        None => project_root.join(".beads"),
    };
    let dir = follow_redirect(&absolute(&dir))?;
    Ok(layout(&dir).map(|layout| BeadsDir { path: dir, layout }))
}

/// What [`Tracker::change_mark`] says, without the tracker's program: files are read and nothing runs.
pub fn change_mark(project_root: &Path, environment: &Environment) -> Result<Option<String>, TrackerError> {
    match locate(project_root, environment)? {
        Some(beads) => place::change_mark(&beads.path),
        None => Ok(None),
    }
}

/// Opens a project's beads. `project_root` is the main tree where the project is a git worktree.
///
/// A Dolt or SQLite project whose program is missing opens read-only from its JSONL, with a notice,
/// or is [`TrackerError::ProgramMissing`] where it has none.
pub fn open(project_root: &Path, environment: &Environment) -> Result<Box<dyn Tracker>, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else {
        return Err(TrackerError::NoBeads { root });
    };
    match beads.layout {
        Layout::Jsonl => Ok(Box::new(Embedded::open(beads.path))),
        Layout::Dolt => match program("bd", environment.bd.as_ref(), environment) {
            Some(program) => {
                let cli = Cli::new("bd", program, &root, &beads.path, environment);
                Ok(Box::new(cli::open_bd(cli)?))
            }
            None => read_only(beads.path, "bd", cli::INSTALL_BD),
        },
        Layout::Br => match program("br", environment.br.as_ref(), environment) {
            Some(program) => {
                let cli = Cli::new("br", program, &root, &beads.path, environment);
                Ok(Box::new(cli::open_br(cli)?))
            }
            None => read_only(beads.path, "br", cli::INSTALL_BR),
        },
        Layout::ClassicBd => read_only(
            beads.path,
            "a bd before 0.58",
            "its SQLite files need bd's own migration to Dolt (bd, docs/getting-started/upgrading.md)",
        ),
    }
}

fn read_only(
    beads_dir: PathBuf,
    program: &'static str,
    install: &'static str,
) -> Result<Box<dyn Tracker>, TrackerError> {
    if jsonl_file(&beads_dir).is_file() {
        let why = format!("they belong to {program}, which is not here; {install}");
        return Ok(Box::new(ReadOnly::open(beads_dir, why)));
    }
    Err(TrackerError::ProgramMissing { program, beads_dir, install })
}

/// The program that the user named, else the first one in PATH.
pub(crate) fn program(name: &str, named: Option<&PathBuf>, environment: &Environment) -> Option<PathBuf> {
    match named {
        Some(named) => Some(named.clone()),
        None => bc_process::find::find(name, environment.path.as_deref()),
    }
}

/// The path from the root of the file system; the program's own working folder must not matter.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// One step, as bd and br do it. What is relative counts from the project's folder, as in bd and
/// older br, else from the `.beads` folder, as in newer br.
fn follow_redirect(dir: &Path) -> Result<PathBuf, TrackerError> {
    let file = dir.join("redirect");
    let bytes = bc_store::file::read(&file)
        .map_err(|source| TrackerError::File { operation: "reading the redirect of the beads", source })?;
    let Some(bytes) = bytes else { return Ok(dir.to_owned()) };
    let text = String::from_utf8_lossy(&bytes);
    let Some(target) = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
    else {
        return Ok(dir.to_owned());
    };
    let bases = [dir.parent().unwrap_or(dir), dir];
    match bases.iter().map(|base| base.join(target)).find(|path| path.is_dir()) {
        // Without `..` in it, so that it is the same text for everybody.
        Some(path) => Ok(std::fs::canonicalize(&path).unwrap_or(path)),
        None => Err(TrackerError::BadRedirect { file, target: target.to_owned() }),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        dir
    }

    fn nothing_installed() -> Environment {
        Environment { path: Some("/nonexistent".into()), ..Environment::default() }
    }

    #[test]
    fn the_files_decide_whose_beads_these_are() {
        let check = |files: &[(&str, &str)], expect: Option<Layout>| {
            let dir = folder(files);
            let found = locate(dir.path(), &nothing_installed()).unwrap().map(|beads| beads.layout);
            assert_eq!(found, expect, "{files:?}");
        };
        check(&[], None);
        check(&[(".beads/sessions/index.json", "{}")], None);
        check(&[(".beads/issues.jsonl", "")], Some(Layout::Jsonl));
        check(&[(".beads/beads.jsonl", "")], Some(Layout::Jsonl));
        check(&[(".beads/config.yaml", "issue_prefix: x\n")], Some(Layout::Jsonl));
        check(&[(".beads/metadata.json", "{\"backend\":\"dolt\"}")], Some(Layout::Dolt));
        check(&[(".beads/embeddeddolt/x", ""), (".beads/issues.jsonl", "")], Some(Layout::Dolt));
        check(&[(".beads/dolt/x", "")], Some(Layout::Dolt));
        check(&[(".beads/beads.db", ""), (".beads/issues.jsonl", "")], Some(Layout::Br));
        check(&[(".beads/beads.db", ""), (".beads/daemon.log", "")], Some(Layout::ClassicBd));
        check(&[(".beads/beads.db", ""), (".beads/.local_version", "")], Some(Layout::ClassicBd));
        check(&[(".beads/metadata.json", "not json")], Some(Layout::Jsonl));
    }

    #[test]
    fn a_redirect_is_followed_from_the_project_from_beads_and_absolutely() {
        let shared = folder(&[("there/.beads/issues.jsonl", "")]);
        let target = fs::canonicalize(shared.path().join("there/.beads")).unwrap();
        let check = |text: &str| {
            let redirect = shared.path().join("here/.beads/redirect");
            fs::create_dir_all(redirect.parent().unwrap()).unwrap();
            fs::write(&redirect, text).unwrap();
            let found = locate(&shared.path().join("here"), &nothing_installed()).unwrap().unwrap();
            assert_eq!(found.path, target, "{text:?}");
        };
        check("../there/.beads\n");
        check("../../there/.beads\n");
        check(&format!("# a comment\n\n{}\n", target.display()));
    }

    #[test]
    fn a_redirect_to_nowhere_is_named() {
        let dir = folder(&[(".beads/redirect", "../gone/.beads\n")]);
        let error = open(dir.path(), &nothing_installed()).err().unwrap();
        assert!(
            matches!(&error, TrackerError::BadRedirect { target, .. } if target == "../gone/.beads"),
            "{error}"
        );
    }

    #[test]
    fn no_beads_says_what_to_do() {
        let dir = folder(&[]);
        let error = open(dir.path(), &nothing_installed()).err().unwrap();
        assert!(error.to_string().contains("beads-console init"), "{error}");
    }

    #[test]
    fn a_project_whose_program_is_missing_is_read_only_or_says_what_to_install() {
        let row = "{\"id\":\"a-1\",\"title\":\"T\",\"status\":\"open\"}\n";
        let dir = folder(&[(".beads/embeddeddolt/x", ""), (".beads/issues.jsonl", row)]);
        let tracker = open(dir.path(), &nothing_installed()).unwrap();
        let info = tracker.describe();
        assert_eq!(info.kind, crate::TrackerKind::ReadOnly);
        assert!(info.notice.unwrap().contains("bd"));
        assert_eq!(tracker.list(&crate::ListFilter::board()).unwrap().beads.len(), 1);
        let id = "a-1".parse().unwrap();
        let error = tracker.claim(&id, &crate::Actor::for_user("me")).unwrap_err();
        assert!(matches!(error, TrackerError::ReadOnly { .. }), "{error}");

        let dir = folder(&[(".beads/embeddeddolt/x", "")]);
        let error = open(dir.path(), &nothing_installed()).err().unwrap();
        assert!(matches!(error, TrackerError::ProgramMissing { program: "bd", .. }), "{error}");
    }

    #[test]
    fn beads_dir_wins_over_the_projects_own() {
        let dir = folder(&[("a/.beads/issues.jsonl", ""), ("b/.beads/issues.jsonl", "")]);
        let beads_dir = Some(dir.path().join("b/.beads"));
        let environment = Environment { beads_dir, ..nothing_installed() };
        let found = locate(&dir.path().join("a"), &environment).unwrap().unwrap();
        assert_eq!(found.path, dir.path().join("b/.beads"));
    }
}
