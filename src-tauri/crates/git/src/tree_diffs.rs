//! Differences between two commits, or between a commit and the working tree, per file, as text.

use crate::{
    ObjectId,
    content_ids::ContentIds,
    error::GitError,
    file_diff::{FileDiff, up_to_most},
    program::path_from,
    repo::Repo,
    status::is_tracker_data,
    untracked,
};
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

/// The maximum number of files in a list of differences.
const FILES_MAX: usize = 500;

/// Whether whitespace counts as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spaces {
    /// Whitespace counts, as in git.
    Count,
    /// Whitespace is ignored: a file with only such changes has no hunks and no lines.
    Ignore,
}

/// Files with differences, at most 500.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDiffs {
    /// Sorted by path.
    pub files: Vec<FileDiff>,
    /// Whether files are left out because there are too many.
    pub cut: bool,
}

/// The working tree compared with a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeDiffs {
    /// Files with committed or uncommitted differences, including untracked files, without `.beads/`.
    pub diffs: FileDiffs,
    /// Paths of files with uncommitted changes, including untracked files.
    pub uncommitted: Vec<String>,
}

impl Repo {
    /// Differences between two commits. Runs no program of the user or the repository.
    pub fn file_diffs(&self, from: &ObjectId, to: &ObjectId, spaces: Spaces) -> Result<FileDiffs, GitError> {
        let files = self.differences(&[from.as_str(), to.as_str()], spaces)?;
        Ok(within(files))
    }

    /// Differences between the trees of two checkpoints, without `.beads/`.
    pub fn checkpoint_diffs(
        &self,
        from: &ObjectId,
        to: &ObjectId,
        spaces: Spaces,
    ) -> Result<FileDiffs, GitError> {
        let mut files = self.differences(&[from.as_str(), to.as_str()], spaces)?;
        files.retain(|file| !is_tracker_data(Path::new(&file.path)));
        Ok(within(files))
    }

    /// Differences between a commit and the working tree, without `.beads/`.
    pub fn tree_diffs(&self, from: &ObjectId, spaces: Spaces) -> Result<TreeDiffs, GitError> {
        let mut files = self.differences(&[from.as_str()], spaces)?;
        files.retain(|file| !is_tracker_data(Path::new(&file.path)));
        let status = self.status_file_by_file()?;
        let room = FILES_MAX.saturating_sub(files.len()) + 1;
        self.name_contents(&mut files);
        let paths: Vec<_> = status.untracked.iter().take(room).collect();
        let mut untracked: Vec<_> =
            paths.iter().map(|path| FileDiff::new(path.display().to_string(), 'A')).collect();
        // Hash before reading: if a file changes in between, its id belongs to the older content, so the file
        // counts as changed since the review.
        self.name_contents(&mut untracked);
        let untracked: Vec<FileDiff> = untracked
            .into_iter()
            .zip(paths)
            .map(|(FileDiff { contents, .. }, path)| FileDiff {
                contents,
                ..untracked::read(self.top_level(), path)
            })
            .collect();
        for file in untracked {
            match files.iter().position(|other| other.letter == 'D' && other.path == file.path) {
                Some(at) => self.replace_deletion(&mut files, at, file)?,
                None => files.push(file),
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let changed = status.changed.into_iter().map(|file| file.path);
        let uncommitted = changed.chain(status.untracked).map(|path| path.display().to_string());
        Ok(TreeDiffs { diffs: within(files), uncommitted: uncommitted.collect() })
    }

    /// Corrects the entry of a file that is in the tree but not in the index. Git lists the file as deleted,
    /// but it is unchanged or modified.
    fn replace_deletion(&self, files: &mut Vec<FileDiff>, at: usize, file: FileDiff) -> Result<(), GitError> {
        const DOING: &str = "compare two versions";
        if files[at].contents.was_content_of(&file.contents) {
            files.remove(at);
            return Ok(());
        }
        let args = ["hash-object", "-w", "--", &file.path];
        let written = self.git.ask(DOING, self.top_level(), args)?;
        let is = written.out().trim().to_owned();
        let Some(was) = files[at].contents.old().map(str::to_owned).filter(|_| written.ok()) else {
            files[at] = FileDiff { letter: 'M', ..file };
            return Ok(());
        };
        let patch = self.diff(DOING, ["--unified=3", &was, &is])?.out();
        let hunks = patch.lines().skip_while(|line| !line.starts_with("@@"));
        let changed = |sign: char| hunks.clone().filter(|line| line.starts_with(sign)).count();
        let count = |sign| u32::try_from(changed(sign)).unwrap_or(u32::MAX);
        let lines = file.lines.map(|_| (count('+'), count('-')));
        files[at] = FileDiff { letter: 'M', lines, ..file };
        set_hunks(&mut files[at], &patch);
        Ok(())
    }

    fn differences(&self, revisions: &[&str], spaces: Spaces) -> Result<Vec<FileDiff>, GitError> {
        const DOING: &str = "compare two versions";
        let run = |form: &[&str]| {
            let mut args = vec!["-M", "--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/"];
            if spaces == Spaces::Ignore {
                args.push("--ignore-all-space");
            }
            args.extend(form);
            args.extend(revisions);
            args.push("--");
            self.diff(DOING, args)
        };
        let list = run(&["--raw", "--numstat", "-z", "--no-abbrev"])?;
        let mut files = listed(&list.stdout).ok_or_else(|| self.unreadable(DOING))?;
        // If the patch cannot be read, for example because it is too long, files are listed without hunks.
        let patch =
            run(&["--patch", "--unified=3", "--full-index", "--submodule=short"]).map(|done| done.out()).ok();
        let patches = patch.as_deref().map(split);
        for file in &mut files {
            match patches.as_ref().map(|patches| patches.get(head_of(file).as_str())) {
                Some(Some(patch)) => {
                    file.contents.complete(patch);
                    set_hunks(file, patch);
                }
                // Without a patch, only whitespace differs, or the index entry is outdated.
                Some(None) => file.lines = file.lines.or(Some((0, 0))),
                None => file.cut = file.lines.is_some(),
            }
        }
        let same =
            |file: &FileDiff| file.letter == 'M' && file.lines == Some((0, 0)) && file.hunks.is_empty();
        let has_patch =
            |file: &FileDiff| patches.as_ref().is_none_or(|all| all.contains_key(head_of(file).as_str()));
        // Git also lists unchanged files whose index entry is outdated.
        files.retain(|file| spaces == Spaces::Ignore || !same(file) || has_patch(file));
        Ok(files)
    }
}

fn within(mut files: Vec<FileDiff>) -> FileDiffs {
    let cut = files.len() > FILES_MAX;
    files.truncate(FILES_MAX);
    FileDiffs { files, cut }
}

fn set_hunks(file: &mut FileDiff, patch: &str) {
    let hunks = patch.find("\n@@").map_or("", |at| &patch[at + 1..]);
    (file.hunks, file.cut) = up_to_most(hunks);
}

/// Splits a patch into one part per file, keyed by the part's first line. No line of a hunk starts with
/// `diff --git`. A file whose kind changed appears as a deletion and an addition; the addition counts.
fn split(patch: &str) -> HashMap<&str, &str> {
    let mut starts: Vec<usize> = patch.match_indices("\ndiff --git ").map(|(at, _)| at + 1).collect();
    if patch.starts_with("diff --git ") {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([patch.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &patch[*start..end]);
    parts.map(|part| (part.lines().next().unwrap_or_default(), part)).collect()
}

/// The first line of a file's patch.
fn head_of(file: &FileDiff) -> String {
    let from = file.from.as_ref().unwrap_or(&file.path);
    format!("diff --git {} {}", quoted("a/", from), quoted("b/", &file.path))
}

/// A path as git writes it in a patch, with `core.quotePath` off.
fn quoted(prefix: &str, path: &str) -> String {
    let plain = |byte: u8| byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0x7f);
    if path.bytes().all(plain) {
        return format!("{prefix}{path}");
    }
    let mut text = format!("\"{prefix}");
    for char in path.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\u{7}' => text.push_str("\\a"),
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\u{b}' => text.push_str("\\v"),
            '\u{c}' => text.push_str("\\f"),
            '\r' => text.push_str("\\r"),
            '\0'..='\u{1f}' | '\u{7f}' => text.push_str(&format!("\\{:03o}", char as u32)),
            char => text.push(char),
        }
    }
    text + "\""
}

/// Parses git's list: first raw lines (`:modes hashes letter`, the path, and the new path after a move), then line
/// counts, again with the paths.
fn listed(bytes: &[u8]) -> Option<Vec<FileDiff>> {
    let mut fields = bytes.split(|byte| *byte == 0).filter(|field| !field.is_empty()).peekable();
    let path = |field: &[u8]| path_from(field).display().to_string();
    let mut files = BTreeMap::new();
    while let Some(head) = fields.next_if(|field| field.first() == Some(&b':')) {
        let letter = head.split(|byte| *byte == b' ').nth(4)?.first().copied()? as char;
        let first = path(fields.next()?);
        let mut file = match letter {
            'R' | 'C' => FileDiff { from: Some(first), ..FileDiff::new(path(fields.next()?), letter) },
            _ => FileDiff::new(first, letter),
        };
        file.contents = ContentIds::of_raw(head)?;
        files.entry(file.path.clone()).or_insert(file);
    }
    while let Some(counts) = fields.next() {
        let mut counts = counts.splitn(3, |byte| *byte == b'\t');
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse().ok();
        let (added, removed) = (counts.next()?, counts.next()?);
        let of = match counts.next()? {
            // The two names of a moved file follow as separate fields.
            [] => fields.next().and(fields.next())?,
            of => of,
        };
        let (lines, is_text) = (number(added).zip(number(removed)), added != b"-");
        if let Some(file) = files.get_mut(&path(of)).filter(|_| is_text) {
            file.lines = lines;
        }
    }
    Some(files.into_values().collect())
}
