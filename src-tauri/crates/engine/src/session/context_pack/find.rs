//! Reads the candidate files of a context pack: files of the working folder that git does not ignore.
//!
//! Forbidden files are never in a pack: files outside the folder, links that lead out of it, `.git`, `.beads`,
//! ignored and binary files. If the text of a bead names such a file, it is skipped silently; if the user or a
//! template names it, it is reported as missing.

use super::mention::{Lines, Mention};
use crate::context::paths::canonical;
use bc_git::{GitError, Repo};
use bc_wire::session::PackKind;
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// A file that is a candidate for the pack, before it is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    /// The path relative to the working folder, with `/`.
    pub(super) path: String,
    pub(super) role: PackKind,
    pub(super) whole: bool,
    pub(super) lines: Vec<Lines>,
    /// The relevance, from 0 to 1.
    pub(super) relevance: f64,
    pub(super) reason: String,
}

impl Wanted {
    /// A candidate with the mentioned lines, or as a whole file if the mention has no lines.
    pub(super) fn at(role: PackKind, mention: &Mention, relevance: f64, reason: &str) -> Wanted {
        Wanted {
            path: mention.path.clone(),
            role,
            whole: mention.lines.is_none(),
            lines: mention.lines.into_iter().collect(),
            relevance,
            reason: reason.to_owned(),
        }
    }
}

/// A candidate that was read, a list of definitions or commits, or the template's own text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Source {
    /// The path relative to the repository, with `/`. For a list, its title.
    pub(super) path: String,
    pub(super) role: PackKind,
    /// Whether the whole file is wanted, not only `lines`.
    pub(super) whole: bool,
    /// The wanted lines, in the order in which they were named.
    pub(super) lines: Vec<Lines>,
    /// The file's content, or its beginning if the file is long.
    pub(super) text: String,
    /// Whether `text` is complete.
    pub(super) complete: bool,
    /// The relevance, from 0 to 1.
    pub(super) relevance: f64,
    /// The reasons why the source is relevant, as shown to the user.
    pub(super) reasons: Vec<String>,
}

/// The candidates, in the order in which they fill the pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    /// Whether the bead names more files than the limit.
    pub(super) more: bool,
    /// Files named by the user or a template that are forbidden or cannot be read.
    pub(super) missing: Vec<Wanted>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum FindError {
    #[error("the working folder {} cannot be opened", .path.display())]
    Folder {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("git failed to list the ignored files")]
    Git(#[source] GitError),
}

/// The convention and configuration files of projects, in the order in which they fill the pack.
const CONVENTIONS: &[(&str, PackKind)] = &[
    ("AGENTS.md", PackKind::Convention),
    ("CONTRIBUTING.md", PackKind::Convention),
    ("STYLE.md", PackKind::Convention),
    ("docs/STYLE.md", PackKind::Convention),
    ("docs/ARCHITECTURE.md", PackKind::Convention),
    ("README.md", PackKind::Convention),
    ("Cargo.toml", PackKind::Config),
    ("package.json", PackKind::Config),
    ("pyproject.toml", PackKind::Config),
    ("go.mod", PackKind::Config),
    (".editorconfig", PackKind::Config),
];
/// The files that claude reads automatically. If such a file is a link, the link's target is not included again.
const CLAUDES_OWN: &[&str] = &["CLAUDE.md", ".claude/CLAUDE.md"];
/// Folders of git and the tracker, which are never read.
const CLOSED: &[&str] = &[".git", ".beads"];
/// The maximum number of files that are taken from the bead's text.
const NAMED: usize = 24;
/// The maximum number of bytes read from a file without named lines; far more than fits into a pack.
const READ: u64 = 256 << 10;
/// The maximum number of bytes read from a file with named lines; the lines can be near its end.
const READ_FOR_LINES: u64 = 4 << 20;

/// The relevance of a convention or configuration file.
const OF_CONVENTION: f64 = 0.3;

/// A file that may be read unless git ignores it.
struct Candidate {
    /// Absolute, without symbolic links.
    file: PathBuf,
    /// The entries that name this file, in their order.
    wanted: Vec<Wanted>,
}

/// Finds the wanted files and the [`CONVENTIONS`] in the working folder, which is inside `repo`'s tree.
pub(super) fn find(cwd: &Path, repo: &Repo, wanted: Vec<Wanted>) -> Result<Found, FindError> {
    let (root, tree) = (open_folder(cwd)?, open_folder(repo.top_level())?);
    let inside = |name: &str| inside(&root, repo.common_dir(), name);
    let mut found = Found::default();
    let (mut candidates, mut named) = (Vec::<Candidate>::new(), 0);
    for wanted in wanted {
        let Some(file) = inside(&wanted.path) else {
            found.miss(wanted);
            continue;
        };
        match candidates.iter_mut().find(|known| known.file == file) {
            Some(known) => known.wanted.push(wanted),
            None if wanted.role == PackKind::Named && named == NAMED => found.more = true,
            None => {
                named += usize::from(wanted.role == PackKind::Named);
                candidates.push(Candidate { file, wanted: vec![wanted] });
            }
        }
    }
    let claudes: Vec<PathBuf> = CLAUDES_OWN.iter().filter_map(|name| inside(name)).collect();
    for (name, role) in CONVENTIONS {
        let Some(file) = inside(name) else { continue };
        if !claudes.contains(&file) && candidates.iter().all(|known| known.file != file) {
            let mention = Mention { path: (*name).to_owned(), lines: None };
            let reason = match role {
                PackKind::Config => "configures the project's tools",
                _ => "describes how to work on the project",
            };
            let wanted = Wanted::at(*role, &mention, OF_CONVENTION, reason);
            candidates.push(Candidate { file, wanted: vec![wanted] });
        }
    }
    let in_tree = |file: &Path| file.strip_prefix(&tree).map(Path::to_owned).ok();
    let asked: Vec<PathBuf> = candidates.iter().filter_map(|c| in_tree(&c.file)).collect();
    let shown = repo.not_ignored(&asked).map_err(FindError::Git)?;
    for candidate in candidates {
        let path = in_tree(&candidate.file).filter(|path| shown.contains(path));
        match path.and_then(|path| source(&candidate, &path)) {
            Some(source) => found.sources.push(source),
            None => candidate.wanted.into_iter().for_each(|wanted| found.miss(wanted)),
        }
    }
    Ok(found)
}

impl Found {
    fn miss(&mut self, wanted: Wanted) {
        if matches!(wanted.role, PackKind::Added | PackKind::Template) {
            self.missing.push(wanted);
        }
    }
}

/// The folder's path without symbolic links.
pub(super) fn open_folder(path: &Path) -> Result<PathBuf, FindError> {
    canonical(path).map_err(|source| FindError::Folder { path: path.to_owned(), source })
}

/// The resolved path of the regular file with this name; `None` if there is none inside the folder, or if it
/// is forbidden.
pub(super) fn inside(root: &Path, git_dir: &Path, name: &str) -> Option<PathBuf> {
    let file = canonical(&root.join(name)).ok()?;
    let mut parts = file.strip_prefix(root).ok()?.components();
    let closed = parts.any(|part| CLOSED.iter().any(|name| part.as_os_str().eq_ignore_ascii_case(name)));
    (!closed && !file.starts_with(git_dir) && file.metadata().ok()?.is_file()).then_some(file)
}

/// Reads a candidate. `None` if the file cannot be read, is not text, or has a name that cannot appear in a
/// heading.
fn source(candidate: &Candidate, path: &Path) -> Option<Source> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let path = Some(parts?.join("/")).filter(|path| bc_core::text::plain(path) == *path)?;
    let wanted = &candidate.wanted;
    let lines: Vec<Lines> = wanted.iter().flat_map(|wanted| wanted.lines.iter().copied()).collect();
    let max = if lines.is_empty() { READ } else { READ_FOR_LINES };
    let (text, complete) = read(&candidate.file, max)?;
    let mut reasons: Vec<String> = Vec::new();
    for wanted in wanted.iter().filter(|wanted| !wanted.reason.is_empty()) {
        if !reasons.contains(&wanted.reason) {
            reasons.push(wanted.reason.clone());
        }
    }
    Some(Source {
        path,
        role: wanted.first()?.role,
        whole: wanted.iter().any(|wanted| wanted.whole),
        lines,
        text,
        complete,
        relevance: wanted.iter().map(|wanted| wanted.relevance).fold(0.0, f64::max),
        reasons,
    })
}

/// The text of a file, at most `max` bytes, and whether it is complete; `None` if it cannot be read or is not
/// text.
pub(super) fn read(file: &Path, max: u64) -> Option<(String, bool)> {
    let mut bytes = Vec::new();
    bc_store::repository::open(file).ok()?.take(max + 1).read_to_end(&mut bytes).ok()?;
    let complete = bytes.len() as u64 <= max;
    if !complete {
        // Remove the last line, which is incomplete and may end within a character.
        let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(end);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    Some((text, complete))
}

#[cfg(test)]
mod tests;
