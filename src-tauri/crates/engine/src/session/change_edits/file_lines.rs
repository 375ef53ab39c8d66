//! Reads lines of a changed file, to show more context around its hunks.

use super::tree_files;
use crate::{
    context::{Context, count},
    session::{
        changes::SessionTree,
        place_files::{FileCommand, FilesAtPlace},
    },
};
use bc_wire::{ApiError, ErrorCode, session::*};

/// The maximum number of lines in one result.
const MOST: usize = 2_000;

pub(crate) fn file_lines(ctx: &Context, params: &FileLinesParams) -> Result<FileLines, ApiError> {
    let meta = ctx.meta(params.id)?;
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        return Ok(files.run(FileCommand::FileLines(params.clone()))?);
    }
    lines_of(&SessionTree::of(ctx, meta)?, params)
}

pub(in crate::session) fn lines_of(
    tree: &SessionTree,
    params: &FileLinesParams,
) -> Result<FileLines, ApiError> {
    let file = tree.file(&params.path)?;
    let state = tree_files::state(&tree_files::path_in_tree(&tree.worktree, &file.path)?)?;
    let refused = |why: &str| ApiError::new(ErrorCode::FileRefused, format!("{}: {why}", file.path));
    let state = state.ok_or_else(|| refused("it does not exist"))?;
    let text = String::from_utf8(state.bytes).map_err(|_| refused("it is not a text"))?;
    let total = text.lines().count();
    let from = (params.from.max(1) as usize - 1).min(total);
    let to = (params.to as usize).clamp(from, total).min(from + MOST);
    let lines = text.lines().skip(from).take(to - from).map(str::to_owned).collect();
    Ok(FileLines { lines, total: count(total) })
}
