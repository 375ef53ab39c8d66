//! What a session changed, as git has it: its folder or its branch beside the commit that it began from; of one
//! that is closed, the commits that were recorded.
//!
//! Deliberately not in here: what others changed while it was paused (`resume::changes`).

use super::{own::Own, resume};
use crate::{
    diffs::file_diff,
    engine::Engine,
    errors::{git_error, store_error},
};
use bc_core::{
    session::{Meta, Status},
    work::CommitLine,
};
use bc_git::{FileDiffs, ObjectId, Repo, Spaces};
use bc_wire::{ApiError, diff::DiffChange, session::*};
use std::path::Path;

pub(crate) fn changes(engine: &Engine, params: &SessionChangesParams) -> Result<SessionChanges, ApiError> {
    let meta = engine.store.session(params.id).meta().map_err(store_error)?;
    let main = engine.project.repo()?;
    let spaces = if params.ignore_space { Spaces::Ignore } else { Spaces::Count };
    if meta.status == Status::Closed {
        return recorded(&main, &meta, spaces);
    }
    let folder = meta.cwd.as_deref().map(Path::new).filter(|path| path.is_dir());
    let here = folder.and_then(|folder| Some((main.at(folder).ok()?, folder)));
    let Some((here, folder)) = here else {
        return of_branch(&main, &meta, spaces, "its folder is not there: what is in no commit is not shown");
    };
    let head = here.head().map_err(git_error)?;
    if head.branch != meta.branch {
        let why = "its folder has another branch checked out: what is in no commit is not shown";
        return of_branch(&main, &meta, spaces, why);
    }
    let tip = head.commit.map(|hash| main.commit_of(&hash)).transpose().map_err(git_error)?;
    of_folder(&here, folder, &meta, tip.as_ref(), spaces)
}

/// The folder as it is.
fn of_folder(
    here: &Repo,
    folder: &Path,
    meta: &Meta,
    tip: Option<&ObjectId>,
    spaces: Spaces,
) -> Result<SessionChanges, ApiError> {
    let base = base(here, meta, tip)?;
    let tree = here.tree_diffs(&base.compared(here)?, spaces).map_err(git_error)?;
    let mut changes = base.into_changes(here, meta, ChangesOf::Folder, tip)?;
    set_files(&mut changes, tree.diffs);
    if !meta.worktree {
        // A worktree was made for it: whatever is in there is its own.
        let own = Own::of(meta, folder);
        let is_own = |path: &str| own.has(&here.top_level().join(path));
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

/// The branch, where the folder cannot be looked at.
fn of_branch(main: &Repo, meta: &Meta, spaces: Spaces, why: &str) -> Result<SessionChanges, ApiError> {
    let tip = match &meta.branch {
        Some(branch) => main.tip(branch).map_err(git_error)?,
        None => None,
    };
    let Some(tip) = tip else {
        let gone = "neither its folder nor its branch is there any more";
        return Ok(SessionChanges { notes: vec![gone.to_owned()], ..empty(ChangesOf::Branch) });
    };
    let tip = main.commit_of(&tip).map_err(git_error)?;
    let base = base(main, meta, Some(&tip))?;
    let diffs = main.file_diffs(&base.compared(main)?, &tip, spaces).map_err(git_error)?;
    let mut changes = base.into_changes(main, meta, ChangesOf::Branch, Some(&tip))?;
    set_files(&mut changes, diffs);
    changes.notes.push(why.to_owned());
    Ok(changes)
}

/// The commits that were recorded, as far as they are still there.
fn recorded(main: &Repo, meta: &Meta, spaces: Spaces) -> Result<SessionChanges, ApiError> {
    let known = main.commits_known(&meta.commits).map_err(git_error)?;
    let last = meta.commits.iter().rev().find(|hash| known.iter().any(|commit| commit.hash == **hash));
    let gone = meta.commits.len() - known.len();
    let note = (gone > 0).then(|| format!("{gone} of its commits are no longer in the repository"));
    let Some(last) = last else {
        return Ok(SessionChanges { notes: note.into_iter().collect(), ..empty(ChangesOf::Commits) });
    };
    let tip = main.commit_of(last).map_err(git_error)?;
    let base = base(main, &Meta { base_branch: None, ..meta.clone() }, Some(&tip))?;
    let diffs = main.file_diffs(&base.compared(main)?, &tip, spaces).map_err(git_error)?;
    let mut changes = base.into_changes(main, meta, ChangesOf::Commits, Some(&tip))?;
    set_files(&mut changes, diffs);
    changes.notes.extend(note);
    Ok(changes)
}

/// What is compared with.
struct Base {
    /// None: there was no commit before.
    commit: Option<ObjectId>,
    /// Whether it is where the branch left the one that it was made from.
    of_branch: bool,
}

/// Where the session's branch left the one that it was made from, while it has anything that that one has not;
/// else the commit that the session began at, or what of it is left after a rebase.
fn base(repo: &Repo, meta: &Meta, tip: Option<&ObjectId>) -> Result<Base, ApiError> {
    let began = meta.base_commit.as_deref().and_then(|hash| repo.commit_of(hash).ok());
    let Some(tip) = tip else { return Ok(Base { commit: None, of_branch: false }) };
    let onto = match &meta.base_branch {
        Some(branch) => repo.tip(branch).map_err(git_error)?,
        None => None,
    };
    if let Some(onto) = onto {
        let onto = repo.commit_of(&onto).map_err(git_error)?;
        if !repo.is_ancestor(tip, &onto).map_err(git_error)?
            && let Some(fork) = repo.fork_point(tip, &onto).map_err(git_error)?
        {
            return Ok(Base { commit: Some(fork), of_branch: true });
        }
    }
    let of_branch = meta.base_branch.is_some();
    let Some(began) = began else { return Ok(Base { commit: None, of_branch: false }) };
    let fork = repo.fork_point(tip, &began).map_err(git_error)?;
    Ok(Base { commit: Some(fork.unwrap_or(began)), of_branch })
}

impl Base {
    fn compared(&self, repo: &Repo) -> Result<ObjectId, ApiError> {
        self.commit.clone().map_or_else(|| repo.nothing().map_err(git_error), Ok)
    }

    fn into_changes(
        self,
        repo: &Repo,
        meta: &Meta,
        of: ChangesOf,
        tip: Option<&ObjectId>,
    ) -> Result<SessionChanges, ApiError> {
        let base = self.commit.as_ref().map(ObjectId::as_str);
        let all = match tip {
            Some(tip) => repo.commits_between(base, tip.as_str()).map_err(git_error)?,
            None => Vec::new(),
        };
        // While it runs, the last turn's commits are not in its record yet.
        let live = meta.status == Status::Active;
        let (commits, others): (Vec<CommitLine>, Vec<CommitLine>) =
            all.into_iter().map(resume::line).partition(|commit| live || meta.commits.contains(&commit.hash));
        let note = match others.len() {
            0 => None,
            1 => Some("one commit that is not the session's is in it, too".to_owned()),
            n => Some(format!("{n} commits that are not the session's are in it, too")),
        };
        Ok(SessionChanges {
            base: self.commit.map(|commit| commit.as_str().to_owned()),
            base_branch: meta.base_branch.clone().filter(|_| self.of_branch),
            commits,
            notes: note.into_iter().collect(),
            ..empty(of)
        })
    }
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
