//! Determines a session's changes with git, by comparing its folder or branch with its base commit. A closed
//! session's folder is compared only if it is unchanged since the session's end; otherwise, the last recorded
//! commit is compared. The folder of a session at a place is compared at the place.
//!
//! Changes by others during a pause are in `resume::changes`.

use super::{
    change_base::{Base, base},
    own_files::{OwnFiles, open_folder},
    place_files::FilesAtPlace,
};
use crate::context::{
    Context,
    diffs::{commit_line, file_diff},
    errors::git_error,
};
use bc_core::{
    session::{Meta, Status},
    work::CommitLine,
};
use bc_git::{FileDiffs, ObjectId, Repo, Spaces};
use bc_store::session::fingerprint;
use bc_wire::{
    ApiError, ErrorCode,
    diff::{DiffChange, FileDiff},
    session::*,
};
use std::path::{Path, PathBuf};

pub(crate) fn changes(ctx: &Context, params: &SessionChangesParams) -> Result<SessionChanges, ApiError> {
    let meta = ctx.meta(params.id)?;
    let Some(files) = FilesAtPlace::of(ctx, &meta)? else { return local_changes(ctx, meta, params) };
    files.changes(params).or_else(|error| {
        let why = format!("{}: uncommitted changes are not shown", error.message());
        of_branch(&ctx.project.repo()?, &meta, spaces(params), &why)
    })
}

fn spaces(params: &SessionChangesParams) -> Spaces {
    if params.ignore_space { Spaces::Ignore } else { Spaces::Count }
}

/// The changes of a session whose folder is on this machine.
pub(super) fn local_changes(
    ctx: &Context,
    meta: Meta,
    params: &SessionChangesParams,
) -> Result<SessionChanges, ApiError> {
    let main = ctx.project.repo()?;
    let spaces = spaces(params);
    if meta.status == Status::Closed {
        return match unchanged_folder(ctx, &main, &meta) {
            Some((worktree, folder, tip)) => of_folder(&worktree, &folder, &meta, tip.as_ref(), spaces),
            None => of_commits(&main, &meta, spaces),
        };
    }
    let Some((worktree, folder)) = open_folder(&main, &meta) else {
        let why = "its folder does not exist: uncommitted changes are not shown";
        return of_branch(&main, &meta, spaces, why);
    };
    let head = worktree.head().map_err(git_error)?;
    if head.branch != meta.branch {
        let why = "its folder has another branch checked out: uncommitted changes are not shown";
        return of_branch(&main, &meta, spaces, why);
    }
    let tip = head.commit.map(|hash| main.commit_of(&hash)).transpose().map_err(git_error)?;
    of_folder(&worktree, &folder, &meta, tip.as_ref(), spaces)
}

/// The working folder of a session that is not closed, with its branch checked out.
pub(super) struct SessionTree {
    pub(super) meta: Meta,
    pub(super) worktree: Repo,
    folder: PathBuf,
    tip: Option<ObjectId>,
}

impl SessionTree {
    /// The folder on this machine in which the session's changes can be edited.
    ///
    /// # Errors
    /// The session is closed, its folder does not exist, or another branch is checked out in it.
    pub(super) fn of(ctx: &Context, meta: Meta) -> Result<SessionTree, ApiError> {
        let refused = |why: &str| ApiError::new(ErrorCode::SessionState, why);
        if meta.status == Status::Closed {
            return Err(refused("the session is closed: its changes can only be viewed"));
        }
        let main = ctx.project.repo()?;
        let Some((worktree, folder)) = open_folder(&main, &meta) else {
            return Err(
                refused("the session's folder does not exist").hint("resume the session to recreate it")
            );
        };
        let head = worktree.head().map_err(git_error)?;
        if head.branch != meta.branch {
            return Err(refused("the session's folder has another branch checked out"));
        }
        let tip = head.commit.map(|hash| main.commit_of(&hash)).transpose().map_err(git_error)?;
        Ok(SessionTree { meta, worktree, folder, tip })
    }

    /// The commit that the changes are compared with; the empty tree if the session started without a commit
    /// or that commit no longer exists.
    pub(super) fn base(&self) -> Result<ObjectId, ApiError> {
        base(&self.worktree, &self.meta, self.tip.as_ref())?.commit_or_empty(&self.worktree)
    }

    /// The session's changes, including whitespace-only changes.
    pub(super) fn changes(&self) -> Result<SessionChanges, ApiError> {
        of_folder(&self.worktree, &self.folder, &self.meta, self.tip.as_ref(), Spaces::Count)
    }

    /// The session's change to one file; an error if the session did not change the file.
    pub(super) fn file(&self, path: &str) -> Result<FileDiff, ApiError> {
        let found = self.changes()?.files.into_iter().find(|file| file.path == path);
        found.ok_or_else(|| {
            let text = format!("{} has no changes of this session", bc_core::text::one_line(path));
            ApiError::new(ErrorCode::Usage, text).hint("`beads-console session changes ID` names the files")
        })
    }
}

fn of_folder(
    worktree: &Repo,
    folder: &Path,
    meta: &Meta,
    tip: Option<&ObjectId>,
    spaces: Spaces,
) -> Result<SessionChanges, ApiError> {
    let base = base(worktree, meta, tip)?;
    let tree = worktree.tree_diffs(&base.commit_or_empty(worktree)?, spaces).map_err(git_error)?;
    let mut changes = changes_since(base, worktree, meta, ChangesOf::Folder, tip)?;
    set_files(&mut changes, tree.diffs);
    if !meta.worktree {
        // In a worktree, all changes count as the session's. In the main tree, some changes can be older than
        // the session.
        let own = OwnFiles::of(meta, folder);
        let is_own = |path: &str| own.has(&worktree.top_level().join(path));
        let (kept, before) = std::mem::take(&mut changes.files)
            .into_iter()
            .partition(|file| file.change == DiffChange::Deleted || is_own(&file.path));
        changes.files = kept;
        changes.before = Vec::into_iter(before).map(|file| file.path).collect();
    }
    let is_shown = |path: &String| changes.files.iter().any(|file| file.path == *path);
    changes.uncommitted = tree.uncommitted.into_iter().filter(is_shown).collect();
    Ok(changes)
}

/// The folder and commit of a closed session, if its files, commit and branch are exactly as the session left them.
fn unchanged_folder(ctx: &Context, main: &Repo, meta: &Meta) -> Option<(Repo, PathBuf, Option<ObjectId>)> {
    let left = ctx.store.session(meta.id).workdir_snapshot().ok()??;
    let (worktree, folder) = open_folder(main, meta)?;
    let head = worktree.head().ok()?;
    let same = |(path, before): (&String, &Option<String>)| fingerprint(&folder.join(path)) == *before;
    let unchanged = head.branch == meta.branch
        && head.commit == left.head
        && left.files.iter().all(same)
        && worktree.uncommitted().ok()? == left.tree;
    let tip = head.commit.map(|hash| main.commit_of(&hash)).transpose().ok()?;
    unchanged.then_some((worktree, folder, tip))
}

/// The committed changes on the session's branch, used if its folder is missing, has another branch checked
/// out, or is at a place that does not answer.
fn of_branch(main: &Repo, meta: &Meta, spaces: Spaces, why: &str) -> Result<SessionChanges, ApiError> {
    let tip = match &meta.branch {
        Some(branch) => main.tip(branch).map_err(git_error)?,
        None => None,
    };
    let Some(tip) = tip else {
        let missing = "its folder and its branch no longer exist";
        return Ok(SessionChanges { notes: vec![missing.to_owned()], ..empty(ChangesOf::Branch) });
    };
    let tip = main.commit_of(&tip).map_err(git_error)?;
    let base = base(main, meta, Some(&tip))?;
    let mut changes = committed(base, main, meta, ChangesOf::Branch, &tip, spaces)?;
    changes.notes.push(why.to_owned());
    Ok(changes)
}

/// The changes from the session's start to its last recorded commit that still exists, including other
/// commits in between.
fn of_commits(main: &Repo, meta: &Meta, spaces: Spaces) -> Result<SessionChanges, ApiError> {
    let known = main.commits_known(&meta.commits).map_err(git_error)?;
    let last = meta.commits.iter().rev().find(|hash| known.iter().any(|commit| commit.hash == **hash));
    let missing = meta.commits.len() - known.len();
    let note = (missing > 0).then(|| format!("{missing} of its commits no longer exist"));
    let Some(last) = last else {
        return Ok(SessionChanges { notes: note.into_iter().collect(), ..empty(ChangesOf::Commits) });
    };
    let tip = main.commit_of(last).map_err(git_error)?;
    let base = base(main, &Meta { base_branch: None, ..meta.clone() }, Some(&tip))?;
    let mut changes = committed(base, main, meta, ChangesOf::Commits, &tip, spaces)?;
    changes.notes.extend(note);
    Ok(changes)
}

fn committed(
    base: Base,
    main: &Repo,
    meta: &Meta,
    of: ChangesOf,
    tip: &ObjectId,
    spaces: Spaces,
) -> Result<SessionChanges, ApiError> {
    let diffs = main.file_diffs(&base.commit_or_empty(main)?, tip, spaces).map_err(git_error)?;
    let mut changes = changes_since(base, main, meta, of, Some(tip))?;
    set_files(&mut changes, diffs);
    Ok(changes)
}

fn changes_since(
    base: Base,
    repo: &Repo,
    meta: &Meta,
    of: ChangesOf,
    tip: Option<&ObjectId>,
) -> Result<SessionChanges, ApiError> {
    let base_commit = base.commit.as_ref().map(ObjectId::as_str);
    let all = match tip {
        Some(tip) => repo.commits_between(base_commit, tip.as_str()).map_err(git_error)?,
        None => Vec::new(),
    };
    // The record of a live session lacks the commits of its current turn.
    let live = meta.status == Status::Active;
    let (commits, others): (Vec<CommitLine>, Vec<CommitLine>) =
        all.into_iter().map(commit_line).partition(|commit| live || meta.commits.contains(&commit.hash));
    let note = match others.len() {
        0 => None,
        1 => Some("includes one commit from outside the session".to_owned()),
        n => Some(format!("includes {n} commits from outside the session")),
    };
    Ok(SessionChanges {
        base: base.commit.map(|commit| commit.as_str().to_owned()),
        base_branch: meta.base_branch.clone().filter(|_| base.on_base_branch),
        commits,
        notes: note.into_iter().collect(),
        ..empty(of)
    })
}

fn set_files(changes: &mut SessionChanges, diffs: FileDiffs) {
    changes.files = diffs.files.into_iter().map(file_diff).collect();
    changes.cut = diffs.cut;
}

fn empty(of: ChangesOf) -> SessionChanges {
    SessionChanges {
        of,
        base: None,
        base_branch: None,
        commits: Vec::new(),
        files: Vec::new(),
        cut: false,
        uncommitted: Vec::new(),
        before: Vec::new(),
        notes: Vec::new(),
    }
}
