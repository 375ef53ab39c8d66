//! `session end`: closes the session and, if requested, moves its bead to in review and saves the execution
//! log in the bead's notes.

use super::{Context, bead_change::Consents, session_lookup::resolve_session, start_resume::needs_terminal};
use crate::{
    args::EndArgs,
    failure::Failure,
    output::{Style, session, session_end},
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
        return context.print_warned(&preview, &preview.warnings, session_end::preview);
    }
    let log = log(&args, which, context)?;
    let (api, id, review) = (context.api, which.id, args.review);
    let consents = Consents { add_status: args.yes, without_commit: args.without_commit };
    let ended = consents.ask(context, declined, |Consents { add_status, without_commit }| {
        let log = log.clone();
        api.session_end(SessionEndParams { id, review, add_status, without_commit, log })
    })?;
    context.print_warned(&ended, &ended.warnings, ended_text)
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
        needs_terminal(true, "--edit", context)?;
        let preview = context.api.session_end_preview(which)?;
        context.warn(&preview.warnings)?;
        return Ok(Some(context.io.edit(&preview.log)?.trim().to_owned()));
    }
    Ok(args.log.clone().map(|text| context.read_trimmed(text)).transpose()?)
}

fn ended_text(ended: &SessionEnded, style: &Style) -> String {
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
