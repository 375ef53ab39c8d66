//! `session end`: closes it, moves its bead on, leaves the execution log in the bead's notes.

use super::{Context, resolve::one_of};
use crate::{
    args::{EndArgs, Text},
    failure::Failure,
    output::{ending, session},
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{SessionEndParams, SessionEnded, SessionRef},
};

/// What `--review` needs an agreement for is asked like `bead submit` does.
pub(super) fn end(args: EndArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let which = one_of(&args.session.id, context)?;
    if args.preview {
        let preview = context.api.session_end_preview(which)?;
        context.print(&preview, ending::preview)?;
        return context.warn(&preview.warnings);
    }
    let log = log(&args, which, context)?;
    let params =
        |add_status| SessionEndParams { id: which.id, review: args.review, add_status, log: log.clone() };
    let ended = match context.api.session_end(params(args.yes)) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !args.yes => {
            match context.agrees(refusal)? {
                true => context.api.session_end(params(true))?,
                false => {
                    let message = "nothing was changed: the session goes on";
                    let error = ApiError::new(ErrorCode::ConfirmationNeeded, message);
                    return Err(error.hint("`session end` without --review only closes it").into());
                }
            }
        }
        answer => answer?,
    };
    context.print(&ended, ended_text)?;
    context.warn(&ended.warnings)
}

/// What is to be saved; `None` leaves it to the engine, which saves the log of a review.
fn log(args: &EndArgs, which: SessionRef, context: &mut Context<'_>) -> Result<Option<String>, Failure> {
    if args.no_log {
        return Ok(Some(String::new()));
    }
    if args.edit {
        if context.io.terminal().is_none() {
            return Err(Failure::usage("--edit needs a terminal on standard input and output"));
        }
        let preview = context.api.session_end_preview(which)?;
        context.warn(&preview.warnings)?;
        return Ok(Some(context.io.edit(&preview.log)?.trim().to_owned()));
    }
    Ok(match &args.log {
        None => None,
        Some(Text::Given(text)) => Some(text.clone()),
        Some(Text::Stdin) => Some(context.io.read_text()?.trim_end().to_owned()),
    })
}

fn ended_text(ended: &SessionEnded, looks: &crate::output::Looks) -> String {
    let meta = &ended.session.meta;
    let mut text = session::line(&ended.session, looks);
    // How to move it on, where it is still in progress, is among the warnings.
    if let (Some(bead), Some(status)) = (&meta.bead_id, &ended.bead_status) {
        text.push_str(&format!("  {bead} is {}\n", bc_core::text::one_line(status.as_str())));
        if ended.log_saved {
            text.push_str(&format!("  the execution log is in the notes of {bead}\n"));
        }
    }
    text
}
