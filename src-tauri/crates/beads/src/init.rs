//! Sets up a tracker in a project that has none.

use crate::{
    Environment, Layout, TrackerError,
    cli::{Cli, Request, probe_bd},
    detect::{classic_bd, locate},
    environment::absolute,
    jsonl::{GITIGNORE, METADATA, config_yaml, is_prefix},
};
use bc_core::text::slug;
use bc_store::file;
use std::path::{Path, PathBuf};

/// The tracker to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InitChoice {
    /// The embedded store; bd and br can take the file over at any time.
    #[default]
    Embedded,
    /// bd with its Dolt database, without its git hooks and agent files.
    Bd,
}

/// The created tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initialized {
    pub beads_dir: PathBuf,
    pub prefix: String,
}

/// The version of the installed bd; `None` if bd is not installed. Fails if the program is not a supported
/// bd.
pub fn bd_version(project_root: &Path, environment: &Environment) -> Result<Option<String>, TrackerError> {
    let root = absolute(project_root);
    Cli::find("bd", &root, &root.join(".beads"), environment).map(|cli| probe_bd(&cli)).transpose()
}

/// Creates `.beads` in a project without beads. `prefix` is the prefix of ids; by default it comes from the
/// folder's name. An existing `.beads` without beads (with our sessions) is accepted, and nothing in it is
/// replaced.
pub fn init(
    project_root: &Path,
    prefix: Option<&str>,
    choice: InitChoice,
    environment: &Environment,
) -> Result<Initialized, TrackerError> {
    let root = absolute(project_root);
    let prefix = match prefix {
        Some(prefix) if is_prefix(prefix.trim_end_matches('-')) => prefix.trim_end_matches('-').to_owned(),
        Some(_) => {
            let why = "it must have at most 32 letters, digits, - and _, and start with a letter or digit"
                .to_owned();
            return Err(TrackerError::InvalidInput { field: "prefix", why });
        }
        None => default_prefix(&root),
    };
    if let Some(beads) = locate(&root, environment)? {
        return Err(match beads.layout {
            Layout::ClassicBd => TrackerError::ReadOnly { why: classic_bd(beads.path).why() },
            _ => TrackerError::AlreadyThere { beads_dir: beads.path },
        });
    }
    let beads_dir = environment.beads_dir(&root);
    match choice {
        InitChoice::Embedded => embedded(&beads_dir, &prefix)?,
        InitChoice::Bd => bd(&root, &beads_dir, &prefix, environment)?,
    }
    Ok(Initialized { beads_dir, prefix })
}

fn embedded(beads_dir: &Path, prefix: &str) -> Result<(), TrackerError> {
    let failed = |source| TrackerError::File { operation: "creating the beads", source };
    file::create_dir(beads_dir).map_err(failed)?;
    // Write the beads last, so that a folder with beads has all other files.
    for (name, content) in [
        (".gitignore", GITIGNORE),
        ("config.yaml", config_yaml(prefix).as_str()),
        ("metadata.json", METADATA),
        ("issues.jsonl", ""),
    ] {
        let path = beads_dir.join(name);
        if !path.exists() {
            file::replace(&path, content.as_bytes()).map_err(failed)?;
        }
    }
    Ok(())
}

fn bd(root: &Path, beads_dir: &Path, prefix: &str, environment: &Environment) -> Result<(), TrackerError> {
    let cli = Cli::required("bd", root, beads_dir, environment)?;
    probe_bd(&cli)?;
    let flags = ["init", "--non-interactive", "--quiet", "--skip-hooks", "--skip-agents"];
    let request = Request::new("init", flags).flag("prefix", prefix);
    let done = cli.run(&request)?;
    match done.ok() && locate(root, environment)?.is_some() {
        true => Ok(()),
        false => Err(TrackerError::Failed {
            program: "bd",
            operation: "init",
            said: crate::json::refusal(&done.stdout, &done.stderr).message,
        }),
    }
}

/// The default prefix of ids: the folder's name in lower case, with `-` for each run of characters other than
/// ASCII letters and digits, cut to 24 characters. `bd` if nothing else is left.
pub fn default_prefix(project_root: &Path) -> String {
    let name = project_root.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut prefix = slug(&name);
    prefix.truncate(24);
    let prefix = prefix.trim_end_matches('-');
    if prefix.is_empty() { "bd".to_owned() } else { prefix.to_owned() }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_comes_from_the_folders_name() {
        for (path, expect) in [
            ("/x/My App", "my-app"),
            ("/x/-rf --all", "rf-all"),
            ("/x/été 'q\" ß", "t-q"),
            ("/x/日本語", "bd"),
            ("/", "bd"),
            ("/x/abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx"),
        ] {
            assert_eq!(default_prefix(Path::new(path)), expect, "{path}");
            assert!(is_prefix(expect));
        }
    }

    #[test]
    fn a_folder_with_sessions_is_initialized_and_one_with_beads_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".beads/sessions")).unwrap();
        std::fs::write(dir.path().join(".beads/.gitignore"), "mine\n").unwrap();
        let environment = Environment::default();
        let made = init(dir.path(), Some("abc-"), InitChoice::Embedded, &environment).unwrap();
        assert_eq!(made.prefix, "abc");
        assert_eq!(std::fs::read_to_string(dir.path().join(".beads/.gitignore")).unwrap(), "mine\n");
        let again = init(dir.path(), None, InitChoice::Embedded, &environment).unwrap_err();
        assert!(matches!(again, TrackerError::AlreadyThere { .. }), "{again}");
    }

    #[test]
    fn a_prefix_that_could_be_an_option_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        for bad in ["-x", "", "a b", "a/b", "é"] {
            let error =
                init(dir.path(), Some(bad), InitChoice::Embedded, &Environment::default()).unwrap_err();
            assert!(matches!(error, TrackerError::InvalidInput { field: "prefix", .. }), "{bad:?}");
        }
    }
}
