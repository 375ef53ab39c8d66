//! Reads the candidate files of a context pack: files of the working folder that git does not ignore.
//!
//! Files that are not allowed (outside the folder, links that lead out, `.git`, `.beads`, ignored, binary) are never
//! read. A word in a bead is not a request for such a file, so that it is skipped silently; a file that the user or a
//! template names is reported as missing.

use super::mention::{Lines, Mention};
use bc_git::{GitError, Repo};
use bc_wire::session::PackKind;
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// A file that may be in the pack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    /// Relative to the working folder, with `/`.
    pub(super) path: String,
    pub(super) role: PackKind,
    /// Whether it is wanted as a whole.
    pub(super) whole: bool,
    pub(super) lines: Vec<Lines>,
    /// 0 to 1.
    pub(super) relevance: f64,
    pub(super) reason: String,
}

impl Wanted {
    /// A file with certain lines, or as a whole.
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

/// A readable candidate, or a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Source {
    /// Relative to the repository, with `/`; the title of a list.
    pub(super) path: String,
    pub(super) role: PackKind,
    /// Whether it is wanted as a whole.
    pub(super) whole: bool,
    /// The wanted lines, in the order of naming.
    pub(super) lines: Vec<Lines>,
    /// Its content, or the beginning.
    pub(super) text: String,
    /// Whether `text` is complete.
    pub(super) complete: bool,
    /// 0 to 1.
    pub(super) relevance: f64,
    /// Why it is wanted.
    pub(super) reasons: Vec<String>,
}

/// The candidates, in the order in which they fill the pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    /// Whether there are more named files than the limit.
    pub(super) more: bool,
    /// Wanted files of the user and of a template that cannot be read.
    pub(super) missing: Vec<Wanted>,
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

/// The relevance of the convention files.
const OF_CONVENTION: f64 = 0.3;

/// A file that may be read unless git ignores it.
struct Candidate {
    /// Absolute, without symbolic links.
    file: PathBuf,
    /// The wishes for this file, the first one first.
    wanted: Vec<Wanted>,
}

/// Finds the wanted files and the convention files in the working folder, which is inside `repo`'s tree.
pub(super) fn find(cwd: &Path, repo: &Repo, wanted: Vec<Wanted>) -> Result<Found, FindError> {
    let open = |path: &Path| {
        path.canonicalize()
            .map(bc_core::paths::plain)
            .map_err(|source| FindError::Folder { path: path.to_owned(), source })
    };
    let (root, tree) = (open(cwd)?, open(repo.top_level())?);
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

/// The regular file with this name, without links; `None` if it is not inside the folder.
pub(super) fn inside(root: &Path, git_dir: &Path, name: &str) -> Option<PathBuf> {
    let file = root.join(name).canonicalize().map(bc_core::paths::plain).ok()?;
    let mut parts = file.strip_prefix(root).ok()?.components();
    let closed = parts.any(|part| CLOSED.iter().any(|name| part.as_os_str().eq_ignore_ascii_case(name)));
    (!closed && !file.starts_with(git_dir) && file.metadata().ok()?.is_file()).then_some(file)
}

/// `None` if the file is gone, is not text, or its name does not fit into a heading.
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

/// The text of a file, at most `max` bytes, and whether it is complete; `None` if it is not text.
pub(super) fn read(file: &Path, max: u64) -> Option<(String, bool)> {
    let mut bytes = Vec::new();
    bc_store::repository::open(file).ok()?.take(max + 1).read_to_end(&mut bytes).ok()?;
    let complete = bytes.len() as u64 <= max;
    if !complete {
        // The last line, and perhaps its last character, is incomplete.
        let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(end);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    Some((text, complete))
}

#[cfg(test)]
mod tests;
