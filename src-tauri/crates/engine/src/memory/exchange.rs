//! Whole memories, out for a backup and in from one.

use super::{Asker, provider_error, provider_of};
use crate::engine::Engine;
use bc_core::{backup::Record, memory::Filter};
use bc_memory::MemoryProvider;
use bc_wire::ApiError;

fn provider(engine: &Engine) -> MemoryProvider {
    provider_of(engine, Asker::named(&engine.project, None).caller)
}

/// Every memory with all its fields, forgotten ones too.
///
/// # Errors
/// They cannot be read, or not as they are now: what was said last is no backup.
pub(crate) fn rows(engine: &Engine) -> Result<Vec<Record>, ApiError> {
    let everything = Filter { forgotten: true, ..Filter::default() };
    let found = provider(engine).retrieve_memories(&everything).map_err(provider_error)?;
    Ok(found.memories.iter().map(|loaded| loaded.row().clone()).collect())
}

/// Takes rows in as they are.
pub(crate) fn take_in(engine: &Engine, rows: &[Record]) -> Result<(), ApiError> {
    provider(engine).take_in(rows).map_err(provider_error)
}
