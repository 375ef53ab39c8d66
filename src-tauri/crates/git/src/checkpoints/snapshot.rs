//! Snapshots: the state of a working tree as a git tree object.

use super::{
    private_index::IndexCopy,
    record::{LeftOut, LeftOutReason},
};
use crate::{
    commit_builder::ObjectId,
    error::GitError,
    program::{path_from, succeeded},
    repo::Repo,
    status::{field_after, is_tracker_data},
};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

const DOING: &str = "save the state of the files";

/// Settings for private indexes: git must not refuse a file because of its line endings, and must not share
/// parts of the user's index.
const SETTINGS: &[&str] = &["-c", "core.safecrlf=false", "-c", "core.splitIndex=false"];

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of untracked files.
    pub(super) untracked: usize,
    /// The maximum size in bytes of one changed or untracked file.
    pub(super) file: u64,
    /// The maximum total size in bytes of changed and untracked files.
    pub(super) all: u64,
}

/// Enough for source code and its pictures, but not for build results that no ignore rule covers.
pub(super) const LIMITS: Limits = Limits { untracked: 5_000, file: 20 << 20, all: 200 << 20 };

/// The maximum number of attempts. An attempt fails if, for example, files vanish during it.
const ATTEMPTS: usize = 3;

/// The state of a working tree. No reference keeps its objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSnapshot {
    pub tree: ObjectId,
    /// The number of files with uncommitted changes.
    pub uncommitted: u32,
    /// The files that are not in the snapshot.
    pub left_out: LeftOut,
    pub submodules: u32,
}

/// The differences between the index and the working tree. Paths are as git prints them.
#[derive(Default)]
struct Found {
    /// Tracked files that differ from the index.
    changed: Vec<Vec<u8>>,
    untracked: Vec<Vec<u8>>,
    /// The number of files that differ from HEAD, including untracked files.
    uncommitted: u32,
}

impl Repo {
    /// Takes a snapshot of the working tree, with a time limit. Only adds objects to the repository; git's garbage
    /// collection removes them later unless a reference keeps them.
    pub fn snapshot(&self, within: Duration) -> Result<TreeSnapshot, GitError> {
        Ok(self.snapshot_with(Instant::now() + within, LIMITS)?.0)
    }

    /// Takes a snapshot, and returns it with the private index from which it was made.
    pub(super) fn snapshot_with(
        &self,
        until: Instant,
        limits: Limits,
    ) -> Result<(TreeSnapshot, IndexCopy), GitError> {
        self.git().check_programs(self.top_level(), &["status"])?;
        let mut attempt = 1;
        loop {
            match self.attempt(until, limits) {
                Err(_) if attempt < ATTEMPTS && Instant::now() < until => attempt += 1,
                result => return result,
            }
        }
    }

    fn attempt(&self, until: Instant, limits: Limits) -> Result<(TreeSnapshot, IndexCopy), GitError> {
        let index = self.copy_index(until)?;
        let found = self.index_differences(&index)?;
        let mut left_out = LeftOut::default();
        let input = chosen(self.top_level(), &found, limits, &mut left_out);
        if !input.removed.is_empty() {
            self.private(&index, &["update-index", "--force-remove", "-z", "--stdin"], input.removed)?;
        }
        if !input.files.is_empty() {
            let args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
            self.private(&index, &args, input.files)?;
        }
        let done = self.private(&index, &["write-tree"], Vec::new())?;
        let tree = self.object_id(DOING, &done)?;
        let submodules = u32::try_from(self.declared_submodules()?.len()).unwrap_or(u32::MAX);
        Ok((TreeSnapshot { tree, uncommitted: found.uncommitted, left_out, submodules }, index))
    }

    fn index_differences(&self, index: &IndexCopy) -> Result<Found, GitError> {
        let args = [
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
        ];
        let out = self.private(index, &args, Vec::new())?;
        let mut found = Found::default();
        let mut fields = out.split(|&byte| byte == 0);
        while let Some(entry) = fields.next() {
            let (path, tree_differs) = match entry {
                [b'?', b' ', path @ ..] => {
                    if !is_tracker_data(&path_from(path)) {
                        found.untracked.push(path.to_owned());
                    }
                    continue;
                }
                [b'1', b' ', _, tree, rest @ ..] => (field_after(rest, 7), *tree != b'.'),
                [b'2', b' ', _, tree, rest @ ..] => {
                    // Skip the old path, which follows.
                    fields.next();
                    (field_after(rest, 8), *tree != b'.')
                }
                [b'u', b' ', rest @ ..] => (field_after(rest, 9), true),
                _ => continue,
            };
            let path = path.ok_or_else(|| self.unreadable(DOING))?;
            if is_tracker_data(&path_from(path)) {
                continue;
            }
            found.uncommitted += 1;
            if tree_differs {
                found.changed.push(path.to_owned());
            }
        }
        found.uncommitted += u32::try_from(found.untracked.len()).unwrap_or(u32::MAX);
        Ok(found)
    }

    /// Runs git on a private index, and returns its output. Fails if git fails.
    pub(super) fn private(
        &self,
        index: &IndexCopy,
        args: &[&str],
        input: Vec<u8>,
    ) -> Result<Vec<u8>, GitError> {
        let args = [SETTINGS, args].concat();
        let done = self.git().on_private_index(DOING, self.top_level(), &args, input, &index.0)?;
        Ok(succeeded(DOING, self.top_level(), done)?.stdout)
    }
}

/// The input of `update-index`: paths, each followed by a NUL.
#[derive(Default)]
struct Input {
    /// Files to add from the tree, or to remove from the index if the tree lacks them.
    files: Vec<u8>,
    /// Files to remove from the index.
    removed: Vec<u8>,
}

/// Chooses the files to read into the private index, up to the limits. Changed files come first, because they matter
/// more than untracked ones.
fn chosen(top: &Path, found: &Found, limits: Limits, left_out: &mut LeftOut) -> Input {
    let mut input = Input::default();
    let mut room = limits.all;
    let mut links = Links::default();
    for bytes in &found.changed {
        let path = path_from(bytes);
        // One of the path's folders is now a link, so the tracked file no longer exists; git refuses such paths.
        if links.is_below_link(top, &path) {
            push(&mut input.removed, bytes);
        } else if let Some(why) = unfit(&top.join(&path), limits, &mut room) {
            // Do not keep the index's older content in the snapshot.
            push(&mut input.removed, bytes);
            left_out.push(path.to_string_lossy().into_owned(), why);
        } else {
            push(&mut input.files, bytes);
        }
    }
    let kept = found.untracked.len().min(limits.untracked);
    for bytes in &found.untracked[..kept] {
        let path = path_from(bytes);
        let why = match bytes.ends_with(b"/") {
            true => Some(LeftOutReason::Repository),
            false => unfit(&top.join(&path), limits, &mut room),
        };
        match why {
            Some(why) => left_out.push(path.to_string_lossy().into_owned(), why),
            None => push(&mut input.files, bytes),
        }
    }
    for bytes in &found.untracked[kept..] {
        left_out.push(path_from(bytes).to_string_lossy().into_owned(), LeftOutReason::TooMany);
    }
    input
}

fn push(paths: &mut Vec<u8>, path: &[u8]) {
    paths.extend_from_slice(path);
    paths.push(0);
}

/// Why a file cannot be in the snapshot. `None` if it can, also for a missing file, a link, or a folder in
/// its place.
fn unfit(path: &Path, limits: Limits, room: &mut u64) -> Option<LeftOutReason> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    if found.len() > limits.file || found.len() > *room {
        return Some(LeftOutReason::TooLarge);
    }
    if fs::File::open(path).is_err() {
        return Some(LeftOutReason::Unreadable);
    }
    *room -= found.len();
    None
}

/// Finds links among the parent folders of paths. Caches the result for each folder.
#[derive(Default)]
struct Links(std::collections::HashMap<std::path::PathBuf, bool>);

impl Links {
    fn is_below_link(&mut self, top: &Path, path: &Path) -> bool {
        let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
            return false;
        };
        if let Some(known) = self.0.get(folder) {
            return *known;
        }
        let is_link = self.is_below_link(top, folder) || top.join(folder).is_symlink();
        self.0.insert(folder.to_owned(), is_link);
        is_link
    }
}
