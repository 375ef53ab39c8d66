//! Exports all memories for a backup, and imports them from a backup.

use super::asker::{everything, provider_error, user_provider};
use crate::context::Context;
use bc_core::backup::Record;
use bc_wire::ApiError;

/// All memories with all fields, including forgotten ones. If the tracker fails, the memories from its last
/// answer are used.
///
/// # Errors
/// The memory file cannot be read.
pub(crate) fn rows(ctx: &Context) -> Result<Vec<Record>, ApiError> {
    let found = user_provider(ctx).retrieve_memories(&everything()).map_err(provider_error)?;
    Ok(found.memories.iter().map(|loaded| loaded.row().clone()).collect())
}

/// Stores the rows of a backup with their keys and sessions. br does not keep their times.
pub(crate) fn restore_rows(ctx: &Context, rows: &[Record]) -> Result<(), ApiError> {
    user_provider(ctx).restore(rows).map_err(provider_error)
}
