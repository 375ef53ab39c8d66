//! Actions on a session's changes: revert, commit, publish, open in an editor, comment.

mod comments;
mod commit_files;
mod editor;
mod file_lines;
mod publish;
mod revert;
#[cfg(test)]
mod tests;
mod tree_files;

pub(crate) use comments::{comments, set_comments};
pub(crate) use commit_files::{commit, commit_preview};
pub(super) use commit_files::{commit_in, preview_of};
pub(super) use editor::content_of;
pub(crate) use editor::open_file;
pub(crate) use file_lines::file_lines;
pub(super) use file_lines::lines_of;
pub(crate) use publish::{publish_preview, pull_request, push};
pub(super) use revert::forget;
pub(crate) use revert::{revert, reverts, undo_revert};
pub(super) use revert::{revert_in, reverts_of, undo_in};
