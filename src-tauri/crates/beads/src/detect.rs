//! Determines the tracker of a project's beads from the project's files, and only then looks up its program.

use crate::{
    TrackerError, classic, classic_bd,
    cli::{self, Cli, missing},
    environment::{Environment, absolute},
    jsonl::{Embedded, View},
    place::{self, Layout, jsonl_file, layout},
    read_only::ReadOnly,
    tracker::Tracker,
};
use bc_store::repository::{self, Repository, limits};
use std::path::{Path, PathBuf};

/// The location of a project's beads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeadsDir {
    /// The folder, with redirects followed.
    pub path: PathBuf,
    /// The tracker to which the folder's files belong.
    pub layout: Layout,
}

/// Finds a project's beads; `None` if it has none.
pub fn locate(project_root: &Path, environment: &Environment) -> Result<Option<BeadsDir>, TrackerError> {
    let dir = environment.beads_dir(project_root);
    repository::check_folder(&dir)
        .map_err(|source| TrackerError::File { operation: "looking for the beads", source })?;
    let dir = follow_redirect(&dir)?;
    Ok(layout(&dir).map(|layout| BeadsDir { path: dir, layout }))
}

/// The value of [`Tracker::change_mark`], read from files without running the tracker's program. `None` also
/// if the project has no beads.
pub fn change_mark(project_root: &Path, environment: &Environment) -> Result<Option<String>, TrackerError> {
    match locate(project_root, environment)? {
        Some(beads) => place::change_mark(&beads.path),
        None => Ok(None),
    }
}

/// Opens a project's beads. `project_root` is the main tree if the project is a git worktree.
///
/// A bd or br project whose program is missing opens read-only from its JSONL, with a notice. Without a JSONL
/// the result is [`TrackerError::ProgramMissing`]. The beads of a classic bd always open read-only.
pub fn open(project_root: &Path, environment: &Environment) -> Result<Box<dyn Tracker>, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else {
        return Err(TrackerError::NoBeads { root });
    };
    match beads.layout {
        Layout::Jsonl => Ok(Box::new(Embedded::open(beads.path))),
        Layout::Dolt => match Cli::find("bd", &root, &beads.path, environment) {
            Some(cli) => Ok(Box::new(cli::open_bd(cli)?)),
            None => read_only(beads.path, "bd", cli::INSTALL_BD),
        },
        Layout::Br => match Cli::find("br", &root, &beads.path, environment) {
            Some(cli) => Ok(Box::new(cli::open_br(cli)?)),
            None => read_only(beads.path, "br", cli::INSTALL_BR),
        },
        Layout::ClassicBd => Ok(Box::new(classic_bd(beads.path))),
    }
}

/// The beads of a bd before 0.58, read-only, from its database or else from its export.
pub(crate) fn classic_bd(beads_dir: PathBuf) -> ReadOnly {
    let owner = classic_bd::owner(&beads_dir);
    match classic::Database::open(&beads_dir) {
        Ok(database) => {
            let whose = format!("they belong to {owner}, whose SQLite database Beads Console only reads");
            ReadOnly::new(beads_dir, whose, UPGRADE_BD, database)
        }
        Err(error) => {
            let whose = format!("they belong to {owner}, whose SQLite database cannot be read ({error})");
            ReadOnly::new(beads_dir.clone(), whose, RENEW_EXPORT, View::new(beads_dir))
        }
    }
}

const UPGRADE_BD: &str =
    "to change them, upgrade to bd 1.2.1 or newer (bd, docs/getting-started/upgrading.md)";
const RENEW_EXPORT: &str = "run `bd sync --flush-only` with that bd to renew the export, or upgrade to bd 1.2.1 or newer \
     (bd, docs/getting-started/upgrading.md)";

fn read_only(
    beads_dir: PathBuf,
    program: &'static str,
    install: &'static str,
) -> Result<Box<dyn Tracker>, TrackerError> {
    if jsonl_file(&beads_dir).is_file() {
        let whose = format!("they belong to {program}, which was not found in PATH");
        return Ok(Box::new(ReadOnly::new(beads_dir.clone(), whose, install, View::new(beads_dir))));
    }
    Err(missing(program, &beads_dir))
}

/// Follows one redirect as bd and br do. A redirect that git tracks may only lead into the same repository; one
/// that git does not track was made by the user and may lead anywhere. Relative paths start at the project's
/// folder, as in bd and older br, or else at the `.beads` folder, as in newer br.
fn follow_redirect(dir: &Path) -> Result<PathBuf, TrackerError> {
    let file = dir.join("redirect");
    let bytes = repository::read(&file, limits::POINTER)
        .map_err(|source| TrackerError::File { operation: "reading the redirect of the beads", source })?;
    let Some(bytes) = bytes else { return Ok(dir.to_owned()) };
    let text = String::from_utf8_lossy(&bytes);
    let Some(target) = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
    else {
        return Ok(dir.to_owned());
    };
    let bases = [dir.parent().unwrap_or(dir), dir];
    match bases.iter().map(|base| base.join(target)).find(|path| path.is_dir()) {
        // Resolve `..` and links, so that the same folder always has the same path.
        Some(path) => {
            let target = std::fs::canonicalize(&path).unwrap_or(path);
            match is_allowed(&file, &target) {
                true => Ok(target),
                false => Err(TrackerError::RedirectOutside { file, target }),
            }
        }
        None => Err(TrackerError::BadRedirect { file, target: target.to_owned() }),
    }
}

fn is_allowed(redirect: &Path, target: &Path) -> bool {
    let resolved = |path: &Path| path.canonicalize().map(bc_core::paths::plain).ok();
    let Some(folder) = redirect.parent().and_then(resolved) else { return true };
    let Some(own) = Repository::around(&folder) else { return true };
    let around_target = || Repository::around(&resolved(target)?);
    let is_worktree = |other: Repository| other.is_same(&own) && other.holds(target);
    own.holds(target) || around_target().is_some_and(is_worktree) || !own.tracks(&folder.join("redirect"))
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
    fn the_files_determine_the_tracker() {
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
    fn redirects_may_be_absolute_or_relative_to_the_project_or_the_beads_folder() {
        let shared = folder(&[("target/.beads/issues.jsonl", "")]);
        let target = fs::canonicalize(shared.path().join("target/.beads")).unwrap();
        let check = |text: &str| {
            let redirect = shared.path().join("project/.beads/redirect");
            fs::create_dir_all(redirect.parent().unwrap()).unwrap();
            fs::write(&redirect, text).unwrap();
            let found = locate(&shared.path().join("project"), &nothing_installed()).unwrap().unwrap();
            assert_eq!(found.path, target, "{text:?}");
        };
        check("../target/.beads\n");
        check("../../target/.beads\n");
        check(&format!("# a comment\n\n{}\n", target.display()));
    }

    #[test]
    fn a_tracked_redirect_may_not_leave_the_repository() {
        let index = "DIRC\0\0\0\x02\0\0\0\x01 .beads/redirect\0";
        let place = folder(&[
            ("clone/.git/index", index),
            ("clone/inner/.beads/issues.jsonl", ""),
            ("other/.git/HEAD", ""),
            ("other/.beads/issues.jsonl", ""),
        ]);
        let clone = place.path().join("clone");
        let located = |target: &str| {
            let redirect = clone.join(".beads/redirect");
            fs::create_dir_all(redirect.parent().unwrap()).unwrap();
            fs::write(&redirect, target).unwrap();
            locate(&clone, &nothing_installed())
        };
        assert!(located("inner/.beads\n").unwrap().is_some());
        let error = located("../other/.beads\n").unwrap_err();
        assert!(matches!(&error, TrackerError::RedirectOutside { .. }), "{error}");
        // A redirect of the user, which git does not track, may lead anywhere.
        fs::write(clone.join(".git/index"), "DIRC\0\0\0\x02\0\0\0\0").unwrap();
        assert!(located("../other/.beads\n").unwrap().is_some());
    }

    #[test]
    fn a_redirect_to_a_missing_folder_is_an_error() {
        let dir = folder(&[(".beads/redirect", "../gone/.beads\n")]);
        let error = open(dir.path(), &nothing_installed()).err().unwrap();
        assert!(
            matches!(&error, TrackerError::BadRedirect { target, .. } if target == "../gone/.beads"),
            "{error}"
        );
    }

    #[test]
    fn a_project_without_beads_is_an_error_with_a_remedy() {
        let dir = folder(&[]);
        let error = open(dir.path(), &nothing_installed()).err().unwrap();
        assert!(error.to_string().contains("beads-console init"), "{error}");
    }

    #[test]
    fn without_its_program_a_project_is_read_only_or_an_error_with_a_remedy() {
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
    fn a_classic_database_is_named_with_the_age_of_its_data() {
        let dir = folder(&[(".beads/config.yaml", "")]);
        fs::write(dir.path().join(".beads/beads.db"), classic_bd::tests::database()).unwrap();
        let described = || {
            let tracker = open(dir.path(), &nothing_installed()).unwrap();
            let beads = tracker.list(&crate::ListFilter::board()).unwrap().beads.len();
            let error =
                tracker.create(&crate::NewBead::titled("x"), &crate::Actor::for_user("me")).unwrap_err();
            assert!(matches!(error, TrackerError::ReadOnly { .. }), "{error}");
            let refused = crate::init(dir.path(), None, crate::InitChoice::Embedded, &nothing_installed());
            assert!(
                matches!(&refused, Err(TrackerError::ReadOnly { why }) if why.contains("bd 0.49.1")),
                "{refused:?}"
            );
            (beads, tracker.describe().notice.unwrap())
        };
        let (beads, notice) = described();
        assert_eq!(beads, 0);
        assert!(notice.contains("bd 0.49.1") && notice.contains("no beads were exported"), "{notice}");
        assert!(!notice.contains("install br"), "{notice}");
        fs::write(dir.path().join(".beads/issues.jsonl"), "{\"id\":\"a-1\",\"title\":\"T\"}\n").unwrap();
        let (beads, notice) = described();
        assert_eq!(beads, 1);
        assert!(
            notice.contains("the export issues.jsonl of 20") && notice.contains("upgrading.md"),
            "{notice}"
        );
    }

    #[test]
    fn beads_dir_overrides_the_projects_folder() {
        let dir = folder(&[("a/.beads/issues.jsonl", ""), ("b/.beads/issues.jsonl", "")]);
        let beads_dir = Some(dir.path().join("b/.beads"));
        let environment = Environment { beads_dir, ..nothing_installed() };
        let found = locate(&dir.path().join("a"), &environment).unwrap().unwrap();
        assert_eq!(found.path, dir.path().join("b/.beads"));
    }
}
