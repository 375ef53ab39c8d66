//! What a branch changes since it left another, file by file, as text.

use crate::{ObjectId, error::GitError, program::path_from, repo::Repo};

/// So many files are told in full; a person looks at no more, and the rest is counted.
const FILES: usize = 500;

/// So much of one file's difference, in bytes.
const DIFF: usize = 64 << 10;

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Relative to the root.
    pub path: String,
    /// Where it was, if it was moved.
    pub from: Option<String>,
    /// Git's letter: `A`, `M`, `D`, `R`, `C` or `T`.
    pub letter: char,
    /// New and gone lines; none where it is no text.
    pub lines: Option<(u32, u32)>,
    /// Its hunks.
    pub hunks: String,
    /// Whether there is more of it.
    pub cut: bool,
}

/// The files that differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDiffs {
    /// In the order of their names.
    pub files: Vec<FileDiff>,
    /// Whether there are more.
    pub cut: bool,
}

impl Repo {
    /// What lies between two commits. No program of the person's or the repository's takes part in it.
    pub fn file_diffs(&self, from: &ObjectId, to: &ObjectId) -> Result<FileDiffs, GitError> {
        const DOING: &str = "compare two commits";
        let run = |form: &[&str]| {
            let mut args = vec!["diff", "--no-ext-diff", "--no-textconv", "--no-color", "-M"];
            args.extend(form);
            args.extend([from.as_str(), to.as_str(), "--"]);
            self.git.read(DOING, self.top_level(), args)
        };
        let unreadable = || GitError::Unreadable {
            doing: DOING,
            dir: self.top_level().to_owned(),
            what: "it has another form than was expected".to_owned(),
        };
        let listed =
            listed(&run(&["--raw", "--numstat", "-z", "--no-abbrev"])?.stdout).ok_or_else(unreadable)?;
        let cut = listed.len() > FILES;
        // A difference that is too long to be read is left out; which files differ is told all the same.
        let patch = run(&["--patch", "--unified=3", "--submodule=short"]).map(|done| done.out()).ok();
        let mut patches = patch.as_deref().map(split).unwrap_or_default().into_iter();
        let files = listed.into_iter().take(FILES).map(|file| {
            let patch = patches.next();
            // What became another kind of file is told as one that goes and one that comes.
            match (file.letter, patch) {
                ('T', Some(_)) => with_hunks(file, patches.next()),
                (_, patch) => with_hunks(file, patch),
            }
        });
        let files = files.collect();
        Ok(FileDiffs { files, cut })
    }
}

fn with_hunks(file: FileDiff, patch: Option<&str>) -> FileDiff {
    let Some(patch) = patch else { return FileDiff { cut: file.lines.is_some(), ..file } };
    let hunks = patch.find("\n@@").map_or("", |at| &patch[at + 1..]);
    let end = match hunks.len() > DIFF {
        true => hunks.as_bytes()[..DIFF].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1),
        false => hunks.len(),
    };
    FileDiff { cut: end < hunks.len(), hunks: hunks[..end].to_owned(), ..file }
}

/// One text a file: a line of a hunk never begins so.
fn split(patch: &str) -> Vec<&str> {
    const HEAD: &str = "diff --git ";
    let mut starts: Vec<usize> = patch.match_indices("\ndiff --git ").map(|(at, _)| at + 1).collect();
    if patch.starts_with(HEAD) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([patch.len()]);
    starts.iter().zip(ends).map(|(start, end)| &patch[*start..end]).collect()
}

/// Raw lines first (`:modes hashes letter`, the path, and where it was moved to), then counts of lines in the same order.
fn listed(bytes: &[u8]) -> Option<Vec<FileDiff>> {
    let mut fields = bytes.split(|byte| *byte == 0).filter(|field| !field.is_empty()).peekable();
    let path = |field: &[u8]| path_from(field).display().to_string();
    let mut files = Vec::new();
    while let Some(head) = fields.next_if(|field| field.first() == Some(&b':')) {
        let letter = head.split(|byte| *byte == b' ').nth(4)?.first().copied()? as char;
        let first = path(fields.next()?);
        let moved = matches!(letter, 'R' | 'C');
        let (path, from) = match moved {
            true => (path(fields.next()?), Some(first)),
            false => (first, None),
        };
        files.push(FileDiff { path, from, letter, lines: None, hunks: String::new(), cut: false });
    }
    for file in &mut files {
        let counts = std::str::from_utf8(fields.next()?).ok()?;
        let mut counts = counts.split('\t');
        file.lines = counts.next()?.parse().ok().zip(counts.next()?.parse().ok());
        if file.from.is_some() {
            // The two names follow by themselves.
            fields.next()?;
            fields.next()?;
        }
    }
    Some(files)
}
