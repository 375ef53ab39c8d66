//! Exports all memories for a backup, and imports them from a backup.

use super::asker::{Asker, provider_error, provider_of};
use crate::context::Context;
use bc_core::{backup::Record, memory::Filter};
use bc_memory::MemoryProvider;
use bc_wire::ApiError;

fn provider(ctx: &Context) -> MemoryProvider {
    provider_of(ctx, Asker::of_command(ctx, None).caller)
}

/// All memories with all fields, including forgotten ones. If the tracker fails, the memories from its last
/// answer are used.
///
/// # Errors
/// The memory file cannot be read.
pub(crate) fn rows(ctx: &Context) -> Result<Vec<Record>, ApiError> {
    let everything = Filter { forgotten: true, ..Filter::default() };
    let found = provider(ctx).retrieve_memories(&everything).map_err(provider_error)?;
    Ok(found.memories.iter().map(|loaded| loaded.row().clone()).collect())
}

/// Stores the rows of a backup with their keys and sessions. br does not keep their times.
pub(crate) fn restore_rows(ctx: &Context, rows: &[Record]) -> Result<(), ApiError> {
    provider(ctx).restore(rows).map_err(provider_error)
}
