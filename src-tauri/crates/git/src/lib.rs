//! Worktrees, branches, commits and diffs, through the git program.
