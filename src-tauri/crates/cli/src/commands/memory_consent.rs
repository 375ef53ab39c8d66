//! The consent to store a secret in a memory.

use super::Context;
use crate::failure::Failure;
use bc_wire::ApiError;

/// Whether the user, not an agent, passed `--yes`. Memories are given to every agent, so only the user can
/// agree to store a secret.
pub(super) fn user_passed_yes(yes: bool, context: &Context<'_>) -> bool {
    yes && !context.io.by_agent()
}

/// Asks the user whether to store a secret. Always refuses an agent.
pub(super) fn secret_agreed(refusal: ApiError, context: &mut Context<'_>) -> Result<bool, Failure> {
    if !context.io.by_agent() {
        return context.agrees(refusal);
    }
    let hint =
        "leave it out; only the user can agree to store it, with --yes in a terminal outside of the agent";
    Err(ApiError { hint: Some(hint.to_owned()), ..refusal }.into())
}
