//! Finds programs in a repository's own configuration that git would run: filters, merge drivers, transports.
//! The user trusts their own configuration. A repository's configuration may come from an archive or an
//! agent.
//!
//! Invariant: a git command that could run such a program starts only after the user allowed the program
//! ([`bc_hooks::GitPrograms`]). Programs that are never needed are disabled instead (`program::SETTINGS`, and
//! the options of a diff).

use crate::{
    error::GitError,
    gitdir_fast_path::discovery,
    program::{Git, line, path_from},
};
use bc_hooks::{GitPrograms, State, settings_folder};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// When git runs the program of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Filters: when git reads or writes files of the working tree.
    Tree,
    /// Merge drivers: when git combines two versions.
    Combine,
    /// Ssh commands, credential helpers, a remote's own programs and similar: when git contacts a remote.
    Network,
}

/// Every setting that names a program contains one of these strings, in lower case. A configuration with
/// includes is not searched for them, because [`discovery`] refuses such repositories.
const HINTS: &[&str] = &[
    "[filter",
    "[merge",
    "[credential",
    "[protocol",
    "[gpg",
    "[lfs",
    "sshcommand",
    "gitproxy",
    "askpass",
    "alternaterefscommand",
    "uploadpack",
    "receivepack",
    "vcs",
];

/// What git may do with these arguments, and therefore which programs it may run.
pub(crate) fn needs<S: AsRef<OsStr>>(args: &[S]) -> Vec<When> {
    let mut words = args.iter().map(|arg| arg.as_ref().to_string_lossy());
    let mut verb = None;
    while let Some(word) = words.next() {
        match word.as_ref() {
            "-c" | "--git-dir" => drop(words.next()),
            option if option.starts_with('-') => {}
            found => {
                verb = Some(found.to_owned());
                break;
            }
        }
    }
    let rest: Vec<_> = words.collect();
    let has = |word: &str| rest.iter().any(|other| other == word);
    match verb.as_deref().unwrap_or_default() {
        "status" | "diff" | "add" | "apply" | "checkout" | "restore" | "rm" | "switch" | "reset"
        | "update-index" | "checkout-index" => vec![When::Tree],
        "worktree" if !has("list") && !has("prune") => vec![When::Tree],
        "hash-object" if !has("--no-filters") && !has("--stdin") => vec![When::Tree],
        "commit" | "merge" | "rebase" => vec![When::Tree, When::Combine],
        "fetch" | "push" | "ls-remote" | "clone" => vec![When::Network],
        _ => Vec::new(),
    }
}

/// When git runs the program of this setting; `None` if it names no program.
fn when(key: &str, value: &str) -> Option<When> {
    let (section, name) = (key.split('.').next()?, key.rsplit('.').next()?);
    let nested = key.matches('.').count() > 1;
    if value.is_empty() {
        return None;
    }
    match (section, name) {
        ("filter", "clean" | "smudge" | "process") => Some(When::Tree),
        // The filter of Git LFS runs these programs.
        ("lfs", "path") if key.starts_with("lfs.customtransfer.") => Some(When::Tree),
        ("lfs", "clean" | "smudge") if key.starts_with("lfs.extension.") => Some(When::Tree),
        ("merge", "driver") if nested => Some(When::Combine),
        ("core", "sshcommand" | "gitproxy" | "askpass" | "alternaterefscommand") => Some(When::Network),
        ("credential", "helper") => Some(When::Network),
        ("remote", "uploadpack" | "receivepack" | "vcs") => Some(When::Network),
        // A signed push runs this program; other signatures are disabled.
        ("gpg", "program" | "defaultkeycommand") => Some(When::Network),
        // Addresses such as `ext::sh …` are commands; git refuses them by default.
        ("protocol", "allow") if value != "never" => Some(When::Network),
        _ => None,
    }
}

/// The settings of a repository that name programs.
struct Named {
    file: PathBuf,
    /// The working tree in which the programs would run.
    tree: PathBuf,
    settings: Vec<(String, String)>,
    /// Whether git fetches missing objects on access, as in a partial clone.
    fetches_lazily: bool,
}

impl Git {
    /// Refuses a command that may run a program from the repository's configuration, unless the user allowed
    /// it.
    pub(crate) fn check_programs<S: AsRef<OsStr>>(&self, dir: &Path, args: &[S]) -> Result<(), GitError> {
        let mut needs = needs(args);
        let Some(named) = self.named(dir, !needs.is_empty())? else { return Ok(()) };
        if named.fetches_lazily {
            needs.push(When::Network);
        }
        let matters =
            |(key, value): &(String, String)| when(key, value).is_some_and(|when| needs.contains(&when));
        if !named.settings.iter().any(matters) {
            return Ok(());
        }
        match named.inspect().is_ok_and(|found| self.state(&found) == State::Trusted) {
            true => Ok(()),
            false => Err(GitError::ProgramsNotAllowed {
                path: named.file,
                settings: named.settings.into_iter().filter(matters).map(|(key, _)| key).collect(),
            }),
        }
    }

    /// Whether the user allowed these programs.
    pub(crate) fn state(&self, found: &GitPrograms) -> State {
        found.state(settings_folder(|name| self.variable(name)).as_deref())
    }

    /// All programs that the configuration of the repository around a folder names; `None` if it names none.
    pub(crate) fn programs(&self, dir: &Path) -> Result<Option<Programs>, GitError> {
        let named = self.named(dir, true)?.filter(|named| !named.settings.is_empty());
        Ok(named.map(|named| Programs { found: named.inspect(), path: named.file }))
    }

    /// The settings that name programs; `None` if no program would run. Without `thoroughly`, checks only
    /// repositories that are found without git.
    fn named(&self, dir: &Path, thoroughly: bool) -> Result<Option<Named>, GitError> {
        const DOING: &str = "read the repository's settings";
        if let Some(found) = discovery::find(dir) {
            let text = fs::read(found.main_root.join(".git/config")).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
            if !HINTS.iter().any(|hint| text.contains(hint)) {
                return Ok(None);
            }
        } else if !thoroughly {
            return Ok(None);
        }
        let place = self.ask_unchecked(DOING, dir, &["rev-parse", "--show-toplevel", "--git-common-dir"])?;
        let mut lines = place.stdout.splitn(2, |&byte| byte == b'\n');
        let (Some(tree), Some(common), true) = (lines.next(), lines.next(), place.ok()) else {
            // No repository, or no working tree: no program would run.
            return Ok(None);
        };
        let tree = path_from(tree);
        let common = dir.join(path_from(line(common)));
        let mut all = self.settings_in(dir, "--local")?;
        if all.iter().any(|(key, value)| key == "extensions.worktreeconfig" && value != "false") {
            all.extend(self.settings_in(dir, "--worktree")?);
        }
        let lazily = |(key, _): &(String, String)| {
            key == "extensions.partialclone" || (key.starts_with("remote.") && key.ends_with(".promisor"))
        };
        let fetches_lazily = all.iter().any(lazily);
        let file = common.canonicalize().map(bc_core::paths::plain).unwrap_or(common).join("config");
        all.retain(|(key, value)| when(key, value).is_some());
        Ok(Some(Named { file, tree, settings: all, fetches_lazily }))
    }

    fn settings_in(&self, dir: &Path, scope: &str) -> Result<Vec<(String, String)>, GitError> {
        let args = ["config", scope, "--includes", "--list", "-z"];
        let done = self.ask_unchecked("read the repository's settings", dir, &args)?;
        let records = done.stdout.split(|&byte| byte == 0).filter(|record| !record.is_empty());
        Ok(records
            .map(|record| {
                let text = String::from_utf8_lossy(record);
                let (key, value) = text.split_once('\n').unwrap_or((&text, ""));
                (key.to_owned(), value.to_owned())
            })
            .collect())
    }
}

/// The programs in a repository's configuration.
#[derive(Debug)]
pub struct Programs {
    /// The configuration file.
    pub path: PathBuf,
    /// The programs, or why they cannot be allowed.
    pub found: Result<GitPrograms, String>,
}

impl Named {
    fn inspect(&self) -> Result<GitPrograms, String> {
        let tree = self.tree.canonicalize().map(bc_core::paths::plain).unwrap_or_else(|_| self.tree.clone());
        GitPrograms::inspect(&self.file, &self.settings, &tree)
    }
}
