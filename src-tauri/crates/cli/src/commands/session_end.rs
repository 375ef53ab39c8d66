//! `session end`: closes the session and, if requested, moves its bead to in review and saves the execution
//! log in the bead's notes.

use super::{Context, session_lookup::resolve_session};
use crate::{
    args::{EndArgs, Text},
    failure::Failure,
    output::{session, session_end},
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{SessionEndParams, SessionEnded, SessionRef},
};

/// Ends the session. If `--review` needs consent or a commit is missing, asks as `bead submit` does.
pub(super) fn end(args: EndArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let which = resolve_session(&args.session.id, context)?;
    if args.preview {
        let preview = context.api.session_end_preview(which)?;
        context.print(&preview, session_end::preview)?;
        return context.warn(&preview.warnings);
    }
    let log = log(&args, which, context)?;
    let mut params = SessionEndParams {
        id: which.id,
        review: args.review,
        add_status: args.yes,
        without_commit: args.without_commit,
        log,
    };
    let ended = loop {
        match context.api.session_end(params.clone()) {
            Err(refusal) if refusal.code == ErrorCode::CommitMissing && !params.without_commit => {
                if !context.agrees_without_commit(refusal)? {
                    return Err(declined(ErrorCode::CommitMissing).into());
                }
                params.without_commit = true;
            }
            Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !params.add_status => {
                if !context.agrees(refusal)? {
                    return Err(declined(ErrorCode::ConfirmationNeeded).into());
                }
                params.add_status = true;
            }
            answer => break answer?,
        }
    };
    context.print(&ended, ended_text)?;
    context.warn(&ended.warnings)
}

fn declined(code: ErrorCode) -> ApiError {
    ApiError::new(code, "nothing was changed: the session keeps running")
        .hint("`session end` without --review only closes the session")
}

/// The log to save. `None` leaves the decision to the engine, which saves the log if the session ends for
/// review.
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

fn ended_text(ended: &SessionEnded, style: &crate::output::Style) -> String {
    let meta = &ended.session.meta;
    let mut text = session::line(&ended.session, style);
    // If the bead is still in progress, the engine's warning states the next step.
    if let (Some(bead), Some(status)) = (&meta.bead_id, &ended.bead_status) {
        text.push_str(&format!("  {bead} is {}\n", bc_core::text::one_line(status.as_str())));
        if ended.log_saved {
            text.push_str(&format!("  execution log saved in the notes of {bead}\n"));
        }
    }
    if let Some(next) = &ended.next {
        text.push_str(&session::next_started(next));
    }
    text
}
