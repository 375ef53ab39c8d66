//! Builds the prime: the text that an agent gets at its start.

use super::preview::{block_with_facts, without_bead};
use crate::{
    context::{Context, count},
    memory,
};
use bc_wire::{ApiError, memory::*, recovery::RecoveryParams};

/// Returns the prime, with rules and commands, the state of the work, and the most relevant memories.
/// Failures become warnings.
pub(crate) fn prime(ctx: &Context, params: &PrimeParams) -> Result<PrimeText, ApiError> {
    let session = params.session.filter(|id| ctx.store.session(*id).meta().is_ok());
    let asked = RecoveryParams { bead: params.bead.clone(), session, cwd: params.cwd.clone() };
    let mut problems = Vec::new();
    // A failure of the tracker must not suppress the rest of the text.
    let (block, facts) = block_with_facts(ctx, &asked).unwrap_or_else(|error| {
        problems.push(error.message);
        (without_bead(ctx), None)
    });
    let session = session.map(|id| id.to_string());
    // Unreadable memories also become warnings.
    let (primed, warnings) = memory::within(ctx, session.as_deref(), facts.as_ref(), params.budget);
    problems.extend(warnings);
    Ok(PrimeText {
        text: format!("{}\n\n{}", block.text, memory::with_how(&primed.text)),
        memories: primed.text,
        keys: primed.keys,
        left_out: count(primed.left_out),
        bead_id: block.bead_id,
        warnings: problems,
    })
}
