//! Reads the candidate files of a context pack: files of the working folder that git does not ignore.
//!
//! Named files that are not allowed (outside the folder, links that lead out, `.git`, `.beads`, ignored, binary)
//! are skipped silently: a word in a bead is not a request for that file.

use super::mention::{Lines, Mention};
use bc_git::{GitError, Repo};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// The role of a file for the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The bead names it.
    Named,
    /// It describes how to work on the project.
    Doc,
    /// It configures the project's tools.
    Config,
}

/// A candidate file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Relative to the repository, with `/`.
    pub(super) path: String,
    pub(super) role: Role,
    /// Whether it was named without line numbers.
    pub(super) whole: bool,
    /// The named lines, in the order of naming.
    pub(super) lines: Vec<Lines>,
    /// Its content, or the beginning.
    pub(super) text: String,
    /// Whether `text` is complete.
    pub(super) complete: bool,
}

/// The candidate files, the most relevant first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    /// Whether there are more named files than the limit.
    pub(super) more: bool,
}

/// Why no files can be found.
#[derive(Debug, thiserror::Error)]
pub(super) enum FindError {
    /// The working folder cannot be opened.
    #[error("the working folder {} cannot be opened", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// Git failed to report ignored files.
    #[error("what git ignores is not known")]
    Git(#[source] GitError),
}

/// The convention files of projects, the most relevant first.
const CONVENTIONS: &[(&str, Role)] = &[
    ("AGENTS.md", Role::Doc),
    ("CONTRIBUTING.md", Role::Doc),
    ("STYLE.md", Role::Doc),
    ("docs/STYLE.md", Role::Doc),
    ("docs/ARCHITECTURE.md", Role::Doc),
    ("README.md", Role::Doc),
    ("Cargo.toml", Role::Config),
    ("package.json", Role::Config),
    ("pyproject.toml", Role::Config),
    ("go.mod", Role::Config),
    (".editorconfig", Role::Config),
];
/// Claude reads these automatically, also through links.
const CLAUDES_OWN: &[&str] = &["CLAUDE.md", ".claude/CLAUDE.md"];
/// The tracker's and git's own data.
const CLOSED: &[&str] = &[".git", ".beads"];
/// The maximum number of named files.
const NAMED: usize = 24;
/// How much is read of a file without named lines, in bytes: far more than fits.
const READ: u64 = 256 << 10;
/// How much is read of a file with named lines, which may be far down, in bytes.
const READ_FOR_LINES: u64 = 4 << 20;

/// A file that may be read unless git ignores it.
struct Candidate {
    /// Absolute, without symbolic links.
    file: PathBuf,
    role: Role,
    whole: bool,
    lines: Vec<Lines>,
}

/// Finds the named files and the convention files in the working folder, which is inside `repo`'s tree.
pub(super) fn find(cwd: &Path, repo: &Repo, named: &[Mention]) -> Result<Found, FindError> {
    let open = |path: &Path| {
        path.canonicalize().map_err(|source| FindError::Folder { path: path.to_owned(), source })
    };
    let (root, tree) = (open(cwd)?, open(repo.top_level())?);
    let inside = |name: &str| inside(&root, repo.common_dir(), name);
    let (mut candidates, mut more) = (Vec::<Candidate>::new(), false);
    for mention in named {
        let Some(file) = inside(&mention.path) else { continue };
        let at = match candidates.iter().position(|known| known.file == file) {
            Some(at) => at,
            None if candidates.len() == NAMED => {
                more = true;
                continue;
            }
            None => {
                candidates.push(Candidate { file, role: Role::Named, whole: false, lines: Vec::new() });
                candidates.len() - 1
            }
        };
        match mention.lines {
            Some(lines) => candidates[at].lines.push(lines),
            None => candidates[at].whole = true,
        }
    }
    let claudes: Vec<PathBuf> = CLAUDES_OWN.iter().filter_map(|name| inside(name)).collect();
    for (name, role) in CONVENTIONS {
        let Some(file) = inside(name) else { continue };
        if !claudes.contains(&file) && candidates.iter().all(|known| known.file != file) {
            candidates.push(Candidate { file, role: *role, whole: true, lines: Vec::new() });
        }
    }
    let in_tree = |file: &Path| file.strip_prefix(&tree).map(Path::to_owned).ok();
    let asked: Vec<PathBuf> = candidates.iter().filter_map(|c| in_tree(&c.file)).collect();
    let shown = repo.not_ignored(&asked).map_err(FindError::Git)?;
    let sources = candidates.into_iter().filter_map(|candidate| {
        let path = in_tree(&candidate.file).filter(|path| shown.contains(path))?;
        source(candidate, &path)
    });
    Ok(Found { sources: sources.collect(), more })
}

/// The regular file with this name, without links; `None` if it is not inside the folder.
fn inside(root: &Path, git_dir: &Path, name: &str) -> Option<PathBuf> {
    let file = root.join(name).canonicalize().ok()?;
    let mut parts = file.strip_prefix(root).ok()?.components();
    let closed = parts.any(|part| CLOSED.iter().any(|name| part.as_os_str().eq_ignore_ascii_case(name)));
    (!closed && !file.starts_with(git_dir) && file.metadata().ok()?.is_file()).then_some(file)
}

/// `None` if the file is gone, is not text, or its name does not fit into a heading.
fn source(candidate: Candidate, path: &Path) -> Option<Source> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let path = Some(parts?.join("/")).filter(|path| bc_core::text::plain(path) == *path)?;
    let max = if candidate.lines.is_empty() { READ } else { READ_FOR_LINES };
    let mut bytes = Vec::new();
    bc_store::repository::open(&candidate.file).ok()?.take(max + 1).read_to_end(&mut bytes).ok()?;
    let complete = bytes.len() as u64 <= max;
    if !complete {
        // The last line, and perhaps its last character, is incomplete.
        let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(end);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    Some(Source {
        path,
        role: candidate.role,
        whole: candidate.whole,
        lines: candidate.lines,
        text,
        complete,
    })
}

#[cfg(test)]
mod tests;
