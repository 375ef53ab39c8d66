//! Chooses the folder in which a session works. Performs no I/O: the caller gathers the facts.
//!
//! By default, a session works in the worktree that has its branch checked out, if any, else in the main
//! tree. If another active session uses the main tree on another branch, the session gets a new worktree. The
//! branch of an active session's folder is never switched.

use bc_core::ids::{BranchName, SessionId};
use bc_wire::{ApiError, ErrorCode, session::FolderChoice};
use std::path::PathBuf;

/// The facts about the repository and its sessions that determine the folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The main tree's branch; `None` for a detached HEAD.
    pub head: Option<BranchName>,
    pub branch_exists: bool,
    /// The tracked files of the main tree with uncommitted changes; empty if they cannot affect the choice.
    pub dirty: Vec<String>,
    /// The other sessions that are active or being started in the main tree.
    pub others_in_main: Vec<SessionId>,
    /// The linked worktree that has the wanted branch checked out.
    pub worktree_with_branch: Option<PathBuf>,
    pub others_in_worktree: Vec<SessionId>,
    pub has_commits: bool,
}

/// A session's folder, and the way to prepare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Folder {
    /// The main tree, unchanged.
    Stay,
    /// The main tree, switched to the session's branch.
    Switch {
        branch: BranchName,
        /// Whether to create the branch from HEAD.
        create: bool,
    },
    /// The worktree that has the branch checked out.
    Reuse { path: PathBuf },
    Worktree {
        branch: BranchName,
        /// Whether to create the branch.
        create: bool,
    },
}

/// Chooses the folder. Returns the reason if no folder can be used.
pub(crate) fn decide(
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    facts: &Facts,
) -> Result<Folder, ApiError> {
    let Some(branch) = wanted else { return Ok(Folder::Stay) };
    if let Some(path) = &facts.worktree_with_branch {
        return reuse(choice, branch, path, facts);
    }
    if facts.head.as_ref() == Some(branch) {
        return match choice {
            FolderChoice::Worktree => Err(ApiError::new(
                ErrorCode::BranchInUse,
                format!(
                    "{branch} is checked out in the repository itself, so it cannot be used in a worktree"
                ),
            )
            .hint("omit --worktree, or choose another branch with --branch")),
            FolderChoice::Auto | FolderChoice::Repository => Ok(Folder::Stay),
        };
    }
    let create = !facts.branch_exists;
    let worktree = || match facts.has_commits {
        true => Ok(Folder::Worktree { branch: branch.clone(), create }),
        false => {
            Err(ApiError::new(ErrorCode::NoCommits, "the repository has no commit yet, which worktrees need")
                .hint("create a first commit"))
        }
    };
    match (choice, facts.others_in_main.first()) {
        (FolderChoice::Worktree, _) | (FolderChoice::Auto, Some(_)) => worktree(),
        (FolderChoice::Repository, Some(other)) => Err(ApiError::new(
            ErrorCode::FolderInUse,
            format!("session {} is active in the repository on another branch", other.short()),
        )
        .hint("omit --no-worktree, or pause that session first")),
        (FolderChoice::Auto | FolderChoice::Repository, None) => switch(branch, create, facts),
    }
}

/// Switches the main tree to the branch. A new branch starts at HEAD and keeps uncommitted changes. Checking
/// out an existing branch would mix its files with these changes, so it requires a clean tree.
fn switch(branch: &BranchName, create: bool, facts: &Facts) -> Result<Folder, ApiError> {
    if create || facts.dirty.is_empty() {
        return Ok(Folder::Switch { branch: branch.clone(), create });
    }
    let shown: Vec<_> = facts.dirty.iter().take(5).map(String::as_str).collect();
    let more = match facts.dirty.len().saturating_sub(5) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Err(ApiError::new(
        ErrorCode::DirtyTree,
        format!("{branch} cannot be checked out over uncommitted changes: {}{more}", shown.join(", ")),
    )
    .hint("commit or stash them, or start with --worktree"))
}

fn reuse(
    choice: FolderChoice,
    branch: &BranchName,
    path: &std::path::Path,
    facts: &Facts,
) -> Result<Folder, ApiError> {
    let in_use = |text: String, hint: &str| Err(ApiError::new(ErrorCode::BranchInUse, text).hint(hint));
    if choice == FolderChoice::Repository {
        return in_use(
            format!("{branch} is checked out in the worktree {}", path.display()),
            "omit --no-worktree to work in that worktree",
        );
    }
    match facts.others_in_worktree.first() {
        Some(other) => in_use(
            format!("session {} is active on {branch} in {}", other.short(), path.display()),
            "attach to it, or choose another branch with --branch",
        ),
        None => Ok(Folder::Reuse { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(name: &str) -> BranchName {
        name.parse().unwrap()
    }

    fn facts() -> Facts {
        Facts { head: Some(branch("main")), has_commits: true, ..Facts::default() }
    }

    fn other() -> Vec<SessionId> {
        vec!["00000000-0000-4000-8000-000000000001".parse().unwrap()]
    }

    fn code(choice: FolderChoice, facts: &Facts) -> ErrorCode {
        decide(choice, Some(&branch("feat/x")), facts).unwrap_err().code
    }

    #[test]
    fn without_a_branch_the_session_stays_in_the_main_tree() {
        assert_eq!(decide(FolderChoice::Auto, None, &facts()), Ok(Folder::Stay));
    }

    #[test]
    fn a_new_branch_carries_changes_along() {
        let facts = Facts { dirty: vec!["a.rs".into()], ..facts() };
        let expected = Folder::Switch { branch: branch("feat/x"), create: true };
        assert_eq!(decide(FolderChoice::Auto, Some(&branch("feat/x")), &facts), Ok(expected));
    }

    #[test]
    fn an_existing_branch_is_not_checked_out_over_changes() {
        let facts = Facts { dirty: vec!["a.rs".into()], branch_exists: true, ..facts() };
        assert_eq!(code(FolderChoice::Auto, &facts), ErrorCode::DirtyTree);
    }

    #[test]
    fn another_session_in_the_repository_means_a_worktree() {
        let facts = Facts { others_in_main: other(), ..facts() };
        let expected = Folder::Worktree { branch: branch("feat/x"), create: true };
        assert_eq!(decide(FolderChoice::Auto, Some(&branch("feat/x")), &facts), Ok(expected));
        assert_eq!(code(FolderChoice::Repository, &facts), ErrorCode::FolderInUse);
    }

    #[test]
    fn two_sessions_on_the_same_branch_share_the_repository() {
        let facts = Facts { others_in_main: other(), head: Some(branch("feat/x")), ..facts() };
        assert_eq!(decide(FolderChoice::Auto, Some(&branch("feat/x")), &facts), Ok(Folder::Stay));
        assert_eq!(code(FolderChoice::Worktree, &facts), ErrorCode::BranchInUse);
    }

    #[test]
    fn a_worktree_that_has_the_branch_is_used_unless_a_session_works_in_it() {
        let free = Facts { worktree_with_branch: Some("/w".into()), branch_exists: true, ..facts() };
        let expected = Folder::Reuse { path: "/w".into() };
        assert_eq!(decide(FolderChoice::Auto, Some(&branch("feat/x")), &free), Ok(expected));
        let taken = Facts { others_in_worktree: other(), ..free };
        assert_eq!(code(FolderChoice::Worktree, &taken), ErrorCode::BranchInUse);
    }

    #[test]
    fn a_repository_without_commits_has_no_worktrees() {
        let facts = Facts { has_commits: false, ..facts() };
        assert_eq!(code(FolderChoice::Worktree, &facts), ErrorCode::NoCommits);
    }
}
