//! Shared by the commands that change a bead: the author, the text argument and the printed confirmation.

use super::Context;
use crate::{
    args::{By, Text},
    failure::Failure,
    output::{bead, session},
    session_env,
};
use bc_wire::bead::{BeadClosed, BeadShown};

/// The author of the change: `--actor`, or the session's actor. `None` means the user's name.
pub(super) fn actor(by: By) -> Option<String> {
    by.actor.or_else(session_env::actor)
}

/// The text of an argument, read from standard input if the argument is `-`.
pub(super) fn read(text: Text, context: &mut Context<'_>) -> Result<String, Failure> {
    match text {
        Text::Given(text) => Ok(text),
        Text::Stdin => Ok(context.io.read_text()?.trim_end().to_owned()),
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
