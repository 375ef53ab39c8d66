//! The consent to store a secret in a memory.

use super::Context;
use crate::failure::Failure;
use bc_wire::{ApiError, ErrorCode};

/// Calls `store`, whose parameter permits suspected secrets. If it refuses a suspected secret, asks the user and
/// calls it again. Memories are given to every agent, so an agent can neither agree nor pass `--yes` (`yes`).
pub(super) fn store_with_consent<T>(
    yes: bool,
    context: &mut Context<'_>,
    store: impl Fn(bool) -> Result<T, ApiError>,
) -> Result<T, Failure> {
    let by_agent = context.io.by_agent();
    let anyway = yes && !by_agent;
    match store(anyway) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !anyway => {
            if by_agent {
                let hint = "leave it out; only the user can agree to store it, with --yes in a terminal outside of the agent";
                return Err(ApiError { hint: Some(hint.to_owned()), ..refusal }.into());
            }
            match context.agrees(refusal)? {
                true => Ok(store(true)?),
                false => Err(ApiError::new(ErrorCode::ConfirmationNeeded, "nothing was stored").into()),
            }
        }
        other => Ok(other?),
    }
}
