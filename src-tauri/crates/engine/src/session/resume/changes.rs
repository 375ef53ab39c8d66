//! Detects changes made outside a session during its pause: other commits on its branch and base branch,
//! changes to the session's files, and uncommitted files.
//!
//! The folder's state at the pause is in the session's `left.json`. If this file is missing (the host was
//! killed), changes to the session's files are detected by modification times instead of contents.

use crate::{
    context::{
        Context,
        diffs::commit_line,
        errors::{git_error, store_error},
    },
    session::own_files::open_folder,
};
use bc_core::{
    session::Meta,
    text::one_line,
    work::{CommitLine, FileChange, FileLine},
};
use bc_git::{Commit, Repo};
use bc_store::session::{WorkdirSnapshot, fingerprint};
use bc_wire::{ApiError, session::*};
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The maximum number of the session's files that are checked by modification time.
const FILES_MAX: usize = 1_000;

/// Detects the changes. A failure is reported in the field `unknown` of the result.
pub(super) fn since_pause(ctx: &Context, meta: &Meta) -> OutsideChanges {
    match detect(ctx, meta) {
        Ok(changes) => changes,
        Err(error) => OutsideChanges { unknown: Some(error.to_string()), ..OutsideChanges::default() },
    }
}

fn detect(ctx: &Context, meta: &Meta) -> Result<OutsideChanges, ApiError> {
    let left = ctx.store.session(meta.id).workdir_snapshot().map_err(store_error)?;
    let main = ctx.project.repo()?;
    let opened = open_folder(&main, meta);
    let worktree = opened.as_ref().map(|(worktree, _)| worktree);
    let base = meta.base_branch.clone().filter(|base| meta.branch.as_ref() != Some(base));
    let commits = on_branch(&main, worktree, meta, left.as_ref())?;
    let mut changes = OutsideChanges {
        user_commits: by_user(&commits, worktree.unwrap_or(&main)),
        commits,
        base_commits: match &base {
            Some(base) => on_base(&main, base, meta, left.as_ref())?,
            None => Vec::new(),
        },
        base,
        ..OutsideChanges::default()
    };
    let Some((worktree, folder)) = opened else {
        changes.unknown =
            Some("the session's folder does not exist, so its files cannot be compared".to_owned());
        return Ok(changes);
    };
    if worktree.head().map_err(git_error)?.branch != meta.branch {
        changes.unknown =
            Some("its folder has another branch checked out, so files cannot be compared".to_owned());
        return Ok(changes);
    }
    changes.files = files(&folder, meta, left.as_ref());
    changes.tree = tree(&worktree, left.as_ref())?;
    // Do not list one of the session's files again among the uncommitted files.
    changes.tree.retain(|tree| changes.files.iter().all(|known| known.path != tree.file.path));
    Ok(changes)
}

/// Commits on the session's branch since the pause that the session did not make.
fn on_branch(
    main: &Repo,
    worktree: Option<&Repo>,
    meta: &Meta,
    left: Option<&WorkdirSnapshot>,
) -> Result<Vec<CommitLine>, ApiError> {
    let tip = match &meta.branch {
        Some(branch) => main.tip(branch).map_err(git_error)?,
        None => match worktree {
            Some(worktree) => worktree.head().map_err(git_error)?.commit,
            None => None,
        },
    };
    let Some(tip) = tip else { return Ok(Vec::new()) };
    let known = left.and_then(|left| left.head.as_deref());
    // If the commit recorded at the pause no longer exists (after a rebase and garbage collection), list all
    // commits since the session's start.
    let since = known.and_then(|head| main.commits_between(Some(head), &tip).ok());
    let commits = match (since, meta.base_commit.as_deref()) {
        (Some(commits), _) => commits,
        (None, Some(base)) => main.commits_between(Some(base), &tip).map_err(git_error)?,
        (None, None) => return Ok(Vec::new()),
    };
    Ok(commits.into_iter().filter(|c| !meta.commits.contains(&c.hash)).map(commit_line).collect())
}

/// The hashes of the commits whose author has the user's name in git.
fn by_user(commits: &[CommitLine], repo: &Repo) -> Vec<String> {
    if commits.is_empty() {
        return Vec::new();
    }
    let user = repo.author_name();
    commits.iter().filter(|c| user.as_ref() == Some(&c.author)).map(|c| c.hash.clone()).collect()
}

/// Commits on the base branch since the pause.
fn on_base(
    main: &Repo,
    base: &bc_core::ids::BranchName,
    meta: &Meta,
    left: Option<&WorkdirSnapshot>,
) -> Result<Vec<CommitLine>, ApiError> {
    let Some(tip) = main.tip(base).map_err(git_error)? else { return Ok(Vec::new()) };
    if let Some(before) = left.and_then(|left| left.base.as_deref())
        && let Ok(commits) = main.commits_between(Some(before), &tip)
    {
        return Ok(commits.into_iter().map(commit_line).collect());
    }
    let (Some(begin), Some(paused)) = (meta.base_commit.as_deref(), meta.paused_at) else {
        return Ok(Vec::new());
    };
    let commits = main.commits_between(Some(begin), &tip).map_err(git_error)?;
    let later = |c: &Commit| c.at.is_some_and(|at| at > paused) && !meta.commits.contains(&c.hash);
    Ok(commits.into_iter().filter(later).map(commit_line).collect())
}

/// The session's files that changed since the pause.
fn files(folder: &Path, meta: &Meta, left: Option<&WorkdirSnapshot>) -> Vec<FileLine> {
    let line = |path: &String, change| FileLine { path: path.clone(), change };
    match left {
        Some(left) => left
            .files
            .iter()
            .filter_map(|(path, before)| {
                let change = match (before, fingerprint(&folder.join(path))) {
                    (Some(before), Some(now)) if *before != now => FileChange::Modified,
                    (Some(_), None) => FileChange::Deleted,
                    (None, Some(_)) => FileChange::New,
                    _ => return None,
                };
                Some(line(path, change))
            })
            .collect(),
        None => {
            let Some(paused) = meta.paused_at.map(SystemTime::from) else { return Vec::new() };
            let changed = |path: &PathBuf| {
                let meta = std::fs::metadata(path).ok();
                meta.and_then(|meta| meta.modified().ok()).is_some_and(|at| at > paused)
            };
            let touched = meta.files_touched.iter().take(FILES_MAX);
            touched
                .filter(|path| changed(&folder.join(path)))
                .map(|path| line(path, FileChange::Modified))
                .collect()
        }
    }
}

fn tree(worktree: &Repo, left: Option<&WorkdirSnapshot>) -> Result<Vec<TreeFile>, ApiError> {
    let now = worktree.uncommitted().map_err(git_error)?;
    let before = |file: &FileLine| left.is_some_and(|left| left.tree.contains(file));
    Ok(now.into_iter().map(|file| TreeFile { before_pause: before(&file), file }).collect())
}

/// The changes for the resume prompt, one line each; `None` if no change is known and the detection was incomplete.
pub(super) fn lines(changes: &OutsideChanges) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let commit = |c: &CommitLine| format!("{} {} ({})", c.short(), one_line(&c.subject), one_line(&c.author));
    lines.extend(changes.commits.iter().map(|c| match changes.user_commits.contains(&c.hash) {
        true => format!("commit by the user {}", commit(c)),
        false => format!("commit {}", commit(c)),
    }));
    if let Some(base) = &changes.base {
        lines.extend(changes.base_commits.iter().map(|c| format!("commit on {base} {}", commit(c))));
    }
    lines.extend(changes.files.iter().map(|file| {
        let what = match file.change {
            FileChange::New => "was created",
            FileChange::Modified => "was modified",
            FileChange::Deleted => "was deleted",
        };
        format!("{} {what}", one_line(&file.path))
    }));
    let new_in_tree = changes.tree.iter().filter(|tree| !tree.before_pause).map(|tree| &tree.file);
    let unnamed = new_in_tree.filter(|file| changes.files.iter().all(|known| known.path != file.path));
    lines.extend(
        unnamed.map(|file| format!("{} is {} and not committed", one_line(&file.path), file.change.as_str())),
    );
    (!lines.is_empty() || changes.unknown.is_none()).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_described() {
        let file = |path: &str, change| FileLine { path: path.into(), change };
        let commit = |hash: &str, subject: &str| CommitLine {
            hash: hash.into(),
            subject: subject.into(),
            author: "Bob".into(),
            at: None,
        };
        let changes = OutsideChanges {
            unknown: None,
            commits: vec![commit("aaaaaaaabbbb", "fix\u{1b}[2J it"), commit("bbbbbbbbcccc", "typo")],
            user_commits: vec!["bbbbbbbbcccc".into()],
            base: Some("main".parse().unwrap()),
            base_commits: vec![commit("ccccccccdddd", "other")],
            files: vec![file("a.rs", FileChange::Modified), file("b.rs", FileChange::Deleted)],
            tree: vec![
                TreeFile { file: file("a.rs", FileChange::Modified), before_pause: false },
                TreeFile { file: file("new.txt", FileChange::New), before_pause: false },
                TreeFile { file: file("mine.rs", FileChange::Modified), before_pause: true },
            ],
        };
        assert_eq!(
            lines(&changes).unwrap(),
            [
                "commit aaaaaaaa fix it (Bob)",
                "commit by the user bbbbbbbb typo (Bob)",
                "commit on main cccccccc other (Bob)",
                "a.rs was modified",
                "b.rs was deleted",
                "new.txt is new and not committed",
            ]
        );
    }

    #[test]
    fn no_changes_differ_from_unknown_changes() {
        assert_eq!(lines(&OutsideChanges::default()), Some(vec![]));
        let unknown = OutsideChanges { unknown: Some("gone".into()), ..OutsideChanges::default() };
        assert_eq!(lines(&unknown), None);
    }
}
