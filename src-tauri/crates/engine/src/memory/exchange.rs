//! Exports all memories to a backup, and imports them from one.

use super::{Asker, provider_error, provider_of};
use crate::engine::Engine;
use bc_core::{backup::Record, memory::Filter};
use bc_memory::MemoryProvider;
use bc_wire::ApiError;

fn provider(engine: &Engine) -> MemoryProvider {
    provider_of(engine, Asker::named(&engine.project, None).caller)
}

/// All memories with all fields, including forgotten ones.
///
/// # Errors
/// The current memories cannot be read; an outdated copy must not be backed up.
pub(crate) fn rows(engine: &Engine) -> Result<Vec<Record>, ApiError> {
    let everything = Filter { forgotten: true, ..Filter::default() };
    let found = provider(engine).retrieve_memories(&everything).map_err(provider_error)?;
    Ok(found.memories.iter().map(|loaded| loaded.row().clone()).collect())
}

/// Imports rows unchanged.
pub(crate) fn take_in(engine: &Engine, rows: &[Record]) -> Result<(), ApiError> {
    provider(engine).restore(rows).map_err(provider_error)
}
