//! `session …`: what reads, answers and ends. Starting and resuming are in `work`.

use super::{Context, Next, export, resolve, work};
use crate::{
    args::{EndArgs, PermissionArgs, SessionCommand, SessionKey, Text},
    failure::Failure,
    output::{injections, session, transcript},
};
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    session::{
        Delivery, HeldTextRef, PermissionParams, SessionEndParams, SessionEnded, SessionListParams,
        SessionRef, SessionSendParams, SessionView,
    },
};

pub(super) fn run(command: SessionCommand, context: &mut Context<'_>) -> Result<Next, Failure> {
    match command {
        SessionCommand::Start(args) => return work::start(*args, context),
        SessionCommand::Resume(args) => return work::resume(args, context),
        SessionCommand::Attach(one) => return attach(&one.id, context),
        SessionCommand::Send { session, text } => send(&session.id, text, context)?,
        SessionCommand::Pause(one) => {
            let paused = context.api.session_pause(one_of(&one.id, context)?)?;
            changed(&paused, context)?;
        }
        SessionCommand::Interrupt(one) => {
            let session = context.api.session_interrupt(one_of(&one.id, context)?)?;
            changed(&session, context)?;
        }
        SessionCommand::End(args) => end(args, context)?,
        SessionCommand::List { status } => {
            let list = context.api.session_list(SessionListParams { status })?;
            context.print(&list, |list, looks| session::list(&list.sessions, looks))?;
            context.warn(&list.warnings)?;
        }
        SessionCommand::Show { session, injections: true } => {
            let told = context.api.session_injections(one_of(&session.id, context)?)?;
            context.print(&told, |told, looks| injections::list(&told.injections, looks))?;
            context.warn(&told.warnings)?;
        }
        SessionCommand::Show { session, injections: false } => {
            let shown = context.api.session_show(one_of(&session.id, context)?)?;
            context.print(&shown, session::page)?;
        }
        SessionCommand::Transcript(one) => {
            let shown = context.api.session_transcript(one_of(&one.id, context)?)?;
            context.print(&shown, |shown, looks| transcript::conversation(&shown.messages, looks))?;
            context.warn(&shown.warnings)?;
        }
        SessionCommand::Export(args) => export::run(&args, context)?,
        SessionCommand::Delete(one) => {
            let which = one_of(&one.id, context)?;
            let nothing = context.api.session_delete(which)?;
            context.print(&nothing, |_, _| {
                format!("deleted {0}\n  beads-console session restore {0}\n", which.id)
            })?;
        }
        SessionCommand::Restore(one) => {
            let session = context.api.session_restore(trashed(&one.id)?)?;
            changed(&session, context)?;
        }
        SessionCommand::Permission(args) => permission(args, context)?,
        SessionCommand::Retry(args) => {
            let id = one_of(&args.session.id, context)?.id;
            let session = context.api.session_retry(HeldTextRef { id, text: args.text })?;
            changed(&session, context)?;
        }
        SessionCommand::Forget(args) => {
            let id = one_of(&args.session.id, context)?.id;
            let session = context.api.session_forget(HeldTextRef { id, text: args.text })?;
            changed(&session, context)?;
        }
    }
    Ok(Next::Done)
}

pub(super) fn one_of(key: &SessionKey, context: &Context<'_>) -> Result<SessionRef, ApiError> {
    resolve::session(key, context.api).map(|id| SessionRef { id })
}

/// What is in the trash folder is in no list: only its whole id names it.
fn trashed(key: &SessionKey) -> Result<SessionRef, Failure> {
    match key {
        SessionKey::Whole(id) => Ok(SessionRef { id: *id }),
        SessionKey::Prefix(_) => Err(Failure::usage("a deleted session is named by its whole id")),
    }
}

fn changed(session: &SessionView, context: &mut Context<'_>) -> Result<(), Failure> {
    context.print(session, session::line)
}

fn attach(key: &SessionKey, context: &mut Context<'_>) -> Result<Next, Failure> {
    if context.json || context.io.terminal().is_none() {
        return Err(Failure::usage("attach needs a terminal on standard input and output, and no --json"));
    }
    let session = context.api.session_show(one_of(key, context)?)?;
    attachable(&session).map(Next::Attach)
}

/// Only a session whose host runs has a terminal.
fn attachable(session: &SessionView) -> Result<SessionId, Failure> {
    let (id, short) = (session.meta.id, session.meta.id.short());
    match session.live {
        Some(_) => Ok(id),
        None => {
            let (state, _) = session::state(session);
            let message = format!(
                "session {short} has no terminal: it is {}",
                state.trim_start_matches(|c: char| !c.is_alphabetic())
            );
            let error = ApiError::new(ErrorCode::SessionState, message);
            Err(match session.meta.status {
                bc_core::session::Status::Closed => error.hint("start another one on the same bead"),
                _ => error.hint(format!("`beads-console session resume {short} --attach` goes on with it")),
            }
            .into())
        }
    }
}

fn send(key: &SessionKey, text: Text, context: &mut Context<'_>) -> Result<(), Failure> {
    let text = match text {
        Text::Given(text) => text,
        Text::Stdin => context.io.read_text()?,
    };
    if text.trim().is_empty() {
        return Err(Failure::usage("there is no text to send"));
    }
    let id = one_of(key, context)?.id;
    let short = id.short();
    let sent = context.api.session_send(SessionSendParams { id, text })?;
    context.print(&sent, |sent, _| match (sent.delivery, &sent.reason) {
        (Delivery::Sent, _) => "sent\n".to_owned(),
        (Delivery::Held, None) => "held until claude is at its prompt\n".to_owned(),
        (Delivery::Held, Some(reason)) => format!("held: {}\n", bc_core::text::plain(reason)),
        (Delivery::Unconfirmed, _) => {
            format!("typed, but claude did not confirm it\n  beads-console session show {short}\n")
        }
    })
}

fn permission(args: PermissionArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let id = one_of(&args.session.id, context)?.id;
    let session = context.api.session_permission(PermissionParams {
        id,
        request: args.request,
        allow: args.allow,
        message: args.message,
    })?;
    changed(&session, context)
}

/// Closes it. What `--review` needs an agreement for is asked like `bead submit` does.
fn end(args: EndArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let id = one_of(&args.session.id, context)?.id;
    let params = |add_status| SessionEndParams { id, review: args.review, add_status, log: None };
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

fn ended_text(ended: &SessionEnded, looks: &crate::output::Looks) -> String {
    let meta = &ended.session.meta;
    let mut text = session::line(&ended.session, looks);
    // How to move it on, where it is still in progress, is among the warnings.
    if let (Some(bead), Some(status)) = (&meta.bead_id, &ended.bead_status) {
        text.push_str(&format!("  {bead} is {}\n", bc_core::text::one_line(status.as_str())));
    }
    text
}

#[cfg(test)]
mod tests;
