//! Restores files of a checkpoint. The current state is first kept as another checkpoint, except in a new working
//! tree. Restoring that checkpoint undoes the restore.
//!
//! A restore has four steps: it keeps the current state, writes the new files into a private folder, deletes
//! files, and moves the new files to their paths. The process may be killed at any time. Until the deletions
//! begin, the working tree is unchanged; from then on, each file has its old or its new content. Repeating the
//! restore completes it.

use super::{
    private_index::{IndexCopy, unused_name},
    record::{Checkpoint, LeftOut, VERSION},
    snapshot::{LIMITS, TreeSnapshot},
    tree_files::{self, SkippedFile},
};
use crate::{
    commit_builder::ObjectId,
    error::GitError,
    program::{path_from, refusal},
    repo::Repo,
    status::is_tracker_data,
};
use bc_core::{Timestamp, ids::SessionId};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The time limit for a restore: enough for a large tree on a slow disk.
const WITHIN: Duration = Duration::from_secs(600);

/// After this many files that cannot be written, the remaining files are not tried.
const UNWRITABLE_MAX: usize = 100;

/// The modes with which git lists a submodule, and a file that one of the trees lacks.
const SUBMODULE: &[u8] = b"160000";
const ABSENT: &[u8] = b"000000";

/// The result of a restore.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppliedRestore {
    /// The checkpoint of the state before the restore. `None` if there was nothing to write or delete.
    pub before: Option<Checkpoint>,
    /// Changed and new files.
    pub written: Vec<String>,
    pub deleted: Vec<String>,
    /// Files that were not restored although they differ.
    pub skipped: Vec<SkippedFile>,
    /// The number of submodules, which were not changed.
    pub submodules: u32,
}

/// The reason that a restore failed. No file of the working tree was changed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreFailure {
    #[error(transparent)]
    Git(#[from] GitError),
    /// Files changed while the restore was prepared.
    #[error("{} changed at the same time: nothing was restored, try again", .files.join(", "))]
    ChangedMeanwhile {
        /// The first few files.
        files: Vec<String>,
    },
    /// A later version wrote the checkpoint.
    #[error("checkpoint {number} was made by a later version of Beads Console: update it first")]
    LaterVersion { number: u32 },
}

/// The changes of a restore, by paths relative to the tree.
#[derive(Default)]
pub(super) struct Plan {
    /// Files to write. The flag is `true` if the file replaces an existing one.
    writes: Vec<(PathBuf, bool)>,
    deletes: Vec<PathBuf>,
    skipped: Vec<SkippedFile>,
}

impl Repo {
    /// Restores `files` of a checkpoint (folders end in `/`), or all of them if `files` is empty. The index, HEAD and
    /// ignored files stay unchanged.
    pub fn restore_checkpoint(
        &self,
        session: SessionId,
        to: &Checkpoint,
        files: &[String],
        at: Timestamp,
    ) -> Result<AppliedRestore, RestoreFailure> {
        if to.record.version > VERSION {
            return Err(RestoreFailure::LaterVersion { number: to.number });
        }
        let until = Instant::now() + WITHIN;
        let (now, index) = self.snapshot_with(until, LIMITS)?;
        let plan = self.plan(&now, to, files)?;
        if plan.writes.is_empty() && plan.deletes.is_empty() {
            let (skipped, submodules) = (plan.skipped, now.submodules);
            return Ok(AppliedRestore { skipped, submodules, ..AppliedRestore::default() });
        }
        let before = self.keep_before_restore(session, (&now, &index), to.number, files, at)?;
        let staged = self.stage(&to.tree, &plan, until)?;
        self.check_unchanged(&index, &plan)?;
        let applied = self.apply(plan, &staged);
        Ok(AppliedRestore { before: Some(before), submodules: now.submodules, ..applied })
    }

    /// Writes a checkpoint's files into a new working tree that contains exactly the files of its HEAD. Returns the
    /// files that could not be written.
    pub fn fill_from_checkpoint(&self, to: &Checkpoint) -> Result<Vec<SkippedFile>, GitError> {
        self.git().check_programs(self.top_level(), &["checkout-index"])?;
        let done = self.git().read("read HEAD", self.top_level(), ["rev-parse", "HEAD^{tree}"])?;
        let tree = self.object_id("read HEAD", &done.stdout)?;
        let left_out = LeftOut::default();
        let fresh = TreeSnapshot { tree, uncommitted: 0, left_out, submodules: 0 };
        let plan = self.plan(&fresh, to, &[])?;
        let staged = self.stage(&to.tree, &plan, Instant::now() + WITHIN)?;
        Ok(self.apply(plan, &staged).skipped)
    }

    pub(super) fn plan(
        &self,
        now: &TreeSnapshot,
        to: &Checkpoint,
        files: &[String],
    ) -> Result<Plan, GitError> {
        let args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index"];
        let args = args.into_iter().chain([now.tree.as_str(), to.tree.as_str()]);
        let done = self.git().read("compare with a checkpoint", self.top_level(), args)?;
        let mut plan = Plan::default();
        let mut fields = done.stdout.split(|&byte| byte == 0);
        // If a record does not name all left-out files, a file that the checkpoint lacks may be one of them.
        let all_named = to.record.left_out.more == 0 && now.left_out.more == 0;
        while let (Some(head), Some(bytes)) = (fields.next(), fields.next()) {
            let path = path_from(bytes);
            let name = path.to_string_lossy().into_owned();
            let mut modes = head.strip_prefix(b":").unwrap_or(head).split(|&byte| byte == b' ');
            let (old, new) = (modes.next().unwrap_or_default(), modes.next().unwrap_or_default());
            let selected = files.is_empty() || files.iter().any(|file| is_in(&name, file));
            if !selected || is_tracker_data(&path) {
                continue;
            }
            if old == SUBMODULE || new == SUBMODULE {
                plan.skipped.push(SkippedFile { path: name, why: "submodules are not restored".to_owned() });
                continue;
            }
            if let Some(why) = left_out(&name, &to.record.left_out, &now.left_out) {
                plan.skipped.push(SkippedFile { path: name, why });
            } else if new != ABSENT {
                plan.writes.push((path, old != ABSENT));
            } else if all_named {
                plan.deletes.push(path);
            } else {
                let why = "the checkpoint may lack it because there were too many files".to_owned();
                plan.skipped.push(SkippedFile { path: name, why });
            }
        }
        Ok(plan)
    }

    /// Writes the files into a private folder, through the repository's filters.
    fn stage(&self, tree: &ObjectId, plan: &Plan, until: Instant) -> Result<Staging, GitError> {
        let staging = self.staging_folder()?;
        if plan.writes.is_empty() {
            return Ok(staging);
        }
        let mut index = self.empty_index(until)?;
        index.0.env.push(("GIT_ATTR_SOURCE", tree.as_str().to_owned()));
        self.private(&index, &["read-tree", tree.as_str()], Vec::new())?;
        let folder = staging.0.to_str().ok_or_else(|| self.not_text(&staging.0))?;
        let prefix = format!("--prefix={folder}/");
        let args = ["checkout-index", "--quiet", &prefix, "-z", "--stdin"];
        let is_staged = |path: &Path| fs::symlink_metadata(staging.0.join(path)).is_ok();
        let mut pending: Vec<&Path> = plan.writes.iter().map(|(path, _)| path.as_path()).collect();
        let mut failed = None;
        // Git stops at a file that it cannot write, for example because its LFS object is missing. The next run
        // continues after that file.
        for _ in 0..UNWRITABLE_MAX {
            let doing = "write a checkpoint's files";
            let mut input = Vec::new();
            for path in &pending {
                input.extend_from_slice(bytes_of(path).as_ref());
                input.push(0);
            }
            let done = self.git().on_private_index(doing, self.top_level(), &args, input, &index.0)?;
            if done.ok() {
                return Ok(staging);
            }
            failed = Some(refusal(doing, self.top_level(), &done));
            pending.retain(|path| !is_staged(path));
            pending = pending.split_off(1.min(pending.len()));
            if pending.is_empty() {
                break;
            }
        }
        match failed.filter(|_| !plan.writes.iter().any(|(path, _)| is_staged(path))) {
            None => Ok(staging),
            Some(error) => Err(error),
        }
    }

    fn not_text(&self, path: &Path) -> GitError {
        let said = format!("the path {} is not UTF-8", path.display());
        GitError::Failed { doing: "restore files", dir: self.top_level().to_owned(), said }
    }

    /// A new folder on the disk of the working tree: in the git folder, or in the tree itself if the git folder is on
    /// another disk.
    fn staging_folder(&self) -> Result<Staging, GitError> {
        let name = unused_name("restore");
        let own = self.private_folder()?;
        let folder = match same_disk(&own, self.top_level()) {
            true => own.join(name),
            false => self.top_level().join(format!(".beads-console-{name}")),
        };
        fs::create_dir(&folder).map_err(|error| self.io("create", &folder, &error))?;
        Ok(Staging(folder))
    }

    /// Fails if a file that the plan changes has changed since the snapshot.
    pub(super) fn check_unchanged(&self, index: &IndexCopy, plan: &Plan) -> Result<(), RestoreFailure> {
        let args = ["diff-files", "--name-only", "-z", "--ignore-submodules=all"];
        let out = self.private(index, &args, Vec::new())?;
        let changed: HashSet<PathBuf> =
            out.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(path_from).collect();
        let touched = plan.writes.iter().map(|(path, _)| path).chain(&plan.deletes);
        let files: Vec<String> = touched
            .filter(|path| changed.contains(*path))
            .take(5)
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        match files.is_empty() {
            true => Ok(()),
            false => Err(RestoreFailure::ChangedMeanwhile { files }),
        }
    }

    /// Deletes and moves the files. The result has no checkpoint and no number of submodules.
    fn apply(&self, plan: Plan, staged: &Staging) -> AppliedRestore {
        let mut skipped = plan.skipped;
        let mut record = |done: &mut Vec<String>, path: &Path, result: Result<(), String>| {
            let path = path.to_string_lossy().into_owned();
            match result {
                Ok(()) => done.push(path),
                Err(why) => skipped.push(SkippedFile { path, why }),
            }
        };
        let (mut written, mut deleted) = (Vec::new(), Vec::new());
        for path in &plan.deletes {
            record(&mut deleted, path, tree_files::remove(self.top_level(), path));
        }
        for (path, replaces) in &plan.writes {
            let result = tree_files::put(self.top_level(), path, &staged.0.join(path), *replaces);
            record(&mut written, path, result);
        }
        AppliedRestore { written, deleted, skipped, ..AppliedRestore::default() }
    }
}

/// A private folder with new files. Dropping the value removes the folder.
struct Staging(PathBuf);

impl Drop for Staging {
    fn drop(&mut self) {
        // If this fails in the git folder, `private_folder` removes the rest later.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_in(path: &str, file: &str) -> bool {
    match file.ends_with('/') {
        true => path.starts_with(file),
        false => path == file,
    }
}

fn left_out(path: &str, then: &LeftOut, now: &LeftOut) -> Option<String> {
    if then.covers(path) {
        return Some("the checkpoint does not have it: it was too large, or could not be read".to_owned());
    }
    now.covers(path)
        .then(|| "its current state could not be kept: it is too large, or cannot be read".to_owned())
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> std::borrow::Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().into()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> std::borrow::Cow<'_, [u8]> {
    path.to_string_lossy().into_owned().into_bytes().into()
}

#[cfg(unix)]
fn same_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let disk = |path: &Path| fs::metadata(path).ok().map(|found| found.dev());
    disk(one).is_some() && disk(one) == disk(other)
}

#[cfg(not(unix))]
fn same_disk(_one: &Path, _other: &Path) -> bool {
    true
}
