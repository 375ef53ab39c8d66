//! Shared by the commands that change a bead: the author, the user's consents and the printed confirmation.

use super::Context;
use crate::{
    args::AuthorArgs,
    failure::Failure,
    output::{bead, session},
    session_env,
};
use bc_wire::{
    ApiError, ErrorCode,
    bead::{BeadClosed, BeadShown},
};

/// The author of the change: `--actor`, or the session's actor. `None` means the user's name.
pub(super) fn actor(by: AuthorArgs) -> Option<String> {
    by.actor.or_else(session_env::actor)
}

/// The user's consents for a move of a bead to in review.
#[derive(Clone, Copy)]
pub(super) struct Consents {
    /// Add a missing custom status to the tracker.
    pub(super) add_status: bool,
    /// Move the bead even if its work has no commit.
    pub(super) without_commit: bool,
}

impl Consents {
    /// Runs a command that moves a bead to in review. On a terminal, asks for each consent that the command
    /// needs, and runs it again. Fails with the error of `declined` if the user declines, and with the
    /// command's error if the user cannot be asked.
    pub(super) fn ask<T>(
        mut self,
        context: &mut Context<'_>,
        declined: impl FnOnce(ErrorCode) -> ApiError,
        run: impl Fn(Consents) -> Result<T, ApiError>,
    ) -> Result<T, Failure> {
        loop {
            let (code, agreed) = match run(self) {
                Err(refusal) if refusal.code == ErrorCode::CommitMissing && !self.without_commit => {
                    self.without_commit = context.agrees_without_commit(refusal)?;
                    (ErrorCode::CommitMissing, self.without_commit)
                }
                Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !self.add_status => {
                    self.add_status = context.agrees(refusal)?;
                    (ErrorCode::ConfirmationNeeded, self.add_status)
                }
                result => return Ok(result?),
            };
            if !agreed {
                return Err(declined(code).into());
            }
        }
    }
}

/// Prints the closed bead, and the next one if it was started.
pub(super) fn closed(done: &BeadClosed, verb: &str, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(done, |done, style| {
        let next = done.next.as_ref().map(session::next_started).unwrap_or_default();
        bead::changed(&done.shown.bead.bead, verb, style) + &next
    })?;
    context.warn(&done.warnings)
}

pub(super) fn changed(shown: &BeadShown, verb: &str, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(shown, |shown, style| bead::changed(&shown.bead.bead, verb, style))
}
