//! `session …`: dispatches the commands. Those with only a call and its output are in this module, with
//! `attach` and `permission`; the others are in separate modules.

use super::{
    Context, Next, change_edits, context_pack, conversations, export, permission_answers, queued,
    search_metrics, session_checkpoints, session_end, session_lookup::resolve_session, session_trash,
    start_resume, viewed_files,
};
use crate::{
    args::{PermissionArgs, SessionCommand, SessionKey},
    failure::Failure,
    output::{
        changes as changed_files, hooks, injections, needs as needs_list, search_metrics as found, session,
        timeline, transcript,
    },
};
use bc_core::session::Status;
use bc_wire::{
    ApiError, ErrorCode,
    project::Nothing,
    search::SessionFindParams,
    session::{
        HeldTextRef, PermissionAnswer, PermissionParams, SessionChangesParams, SessionListParams,
        SessionModeParams, SessionRef,
    },
};

pub(super) fn run(command: SessionCommand, context: &mut Context<'_>) -> Result<Next, Failure> {
    match command {
        SessionCommand::Start(args) => return start_resume::start(*args, context),
        SessionCommand::Adopt(args) => return conversations::adopt(args, context),
        SessionCommand::Conversations(args) => conversations::list(args, context)?,
        SessionCommand::Context(args) => context_pack::preview(*args, context)?,
        SessionCommand::Resume(args) => return start_resume::resume(args, context),
        SessionCommand::Attach(one) => return attach(&one.id, context),
        SessionCommand::Send { session, text, attach } => queued::send(&session.id, text, &attach, context)?,
        SessionCommand::Queued(args) => queued::change(args, context)?,
        SessionCommand::Pause(one) => {
            let paused = context.api.session_pause(resolve_session(&one.id, context)?)?;
            context.print(&paused, session::line)?;
            if let Some(live) = paused.live.filter(|_| paused.meta.status == Status::Active) {
                context.warn(&live.troubles)?;
            }
        }
        SessionCommand::Interrupt(one) => {
            let session = context.api.session_interrupt(resolve_session(&one.id, context)?)?;
            context.print(&session, session::line)?;
        }
        SessionCommand::End(args) => session_end::end(args, context)?,
        SessionCommand::List { status } => {
            let list = context.api.session_list(SessionListParams { status })?;
            context
                .print_warned(&list, &list.warnings, |list, style| session::list(&list.sessions, style))?;
        }
        SessionCommand::Needs { .. } => {
            let needs = context.api.session_needs(Nothing {})?;
            context.print_warned(&needs, &needs.warnings, needs_list::list)?;
        }
        SessionCommand::Show { session, injections: true, .. } => {
            let shown = context.api.session_injections(resolve_session(&session.id, context)?)?;
            context.print_warned(&shown, &shown.warnings, |shown, style| {
                injections::list(&shown.injections, style)
            })?;
        }
        SessionCommand::Show { session, hooks: true, .. } => {
            let shown = context.api.session_hook_runs(resolve_session(&session.id, context)?)?;
            context.print_warned(&shown, &shown.warnings, |shown, style| hooks::runs(&shown.runs, style))?;
        }
        SessionCommand::Show { session, .. } => {
            let shown = context.api.session_show(resolve_session(&session.id, context)?)?;
            context.print(&shown, session::page)?;
        }
        SessionCommand::Transcript { session, find: Some(text) } => {
            let id = resolve_session(&session.id, context)?.id;
            let params = SessionFindParams { id, text, skip: 0, limit: Some(500) };
            let places = context.api.session_find(params)?;
            context.print(&places, found::within)?;
        }
        SessionCommand::Timeline(one) => {
            let shown = context.api.session_timeline(resolve_session(&one.id, context)?)?;
            context.print_warned(&shown, &shown.warnings, timeline::page)?;
        }
        SessionCommand::Changes { session, diff, ignore_space } => {
            let id = resolve_session(&session.id, context)?.id;
            let changes = context.api.session_changes(SessionChangesParams { id, ignore_space })?;
            context.print(&changes, |shown, style| changed_files::page(shown, diff, style))?;
        }
        SessionCommand::Revert(args) => change_edits::revert(&args, context)?,
        SessionCommand::Commit(args) => change_edits::commit(&args, context)?,
        SessionCommand::Viewed(args) => viewed_files::viewed(&args, context)?,
        SessionCommand::Transcript { session, find: None } => {
            let shown = context.api.session_transcript(resolve_session(&session.id, context)?)?;
            context.print(&shown, |shown, style| transcript::conversation(&shown.messages, style))?;
            context.warn(&shown.warnings)?;
        }
        SessionCommand::Search(args) => search_metrics::search(args, context)?,
        SessionCommand::Metrics(args) => search_metrics::metrics(&args, context)?,
        SessionCommand::Export(args) => export::run(&args, context)?,
        SessionCommand::Delete(args) => session_trash::delete(&args, context)?,
        SessionCommand::Trash => session_trash::trash(context)?,
        SessionCommand::Checkpoints(args) => session_checkpoints::list(&args, context)?,
        SessionCommand::Restore(args) => session_checkpoints::restore(&args, context)?,
        SessionCommand::Fork(args) => return session_checkpoints::fork(args, context),
        SessionCommand::Cleanup => session_trash::cleanup(context)?,
        SessionCommand::Permission(args) => permission(&args, context)?,
        SessionCommand::Mode(args) => {
            let id = resolve_session(&args.session.id, context)?.id;
            let session = context.api.session_mode(SessionModeParams { id, mode: args.mode })?;
            context.print(&session, |session, _| format!("{} mode\n", session.meta.mode.title()))?;
        }
        SessionCommand::Retry(args) => {
            let id = resolve_session(&args.session.id, context)?.id;
            let session = context.api.session_retry(HeldTextRef { id, text: args.text })?;
            context.print(&session, session::line)?;
        }
        SessionCommand::Forget(args) => {
            let id = resolve_session(&args.session.id, context)?.id;
            let session = context.api.session_forget(HeldTextRef { id, text: args.text })?;
            context.print(&session, session::line)?;
        }
    }
    Ok(Next::Done)
}

fn attach(key: &SessionKey, context: &mut Context<'_>) -> Result<Next, Failure> {
    if context.json || context.io.terminal().is_none() {
        return Err(Failure::usage(
            "attach needs a terminal on standard input and output, and works without --json only",
        ));
    }
    let session = context.api.session_show(resolve_session(key, context)?)?;
    // Only a session with a running host has a terminal.
    if session.live.is_some() {
        return Ok(Next::Attach(session.meta.id));
    }
    let short = session.meta.id.short();
    let message = format!("session {short} has no terminal: it is {}", session.state.word().to_lowercase());
    let hint = match session.meta.status {
        Status::Closed => "start another session on the same bead".to_owned(),
        _ => format!("`beads-console session resume {short} --attach` resumes it"),
    };
    Err(ApiError::new(ErrorCode::SessionState, message).hint(hint).into())
}

fn permission(args: &PermissionArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let id = resolve_session(&args.session.id, context)?.id;
    let answers = match args.answers.is_empty() && args.choices.is_empty() {
        true => Vec::new(),
        false => permission_answers::answers(args, &context.api.session_show(SessionRef { id })?)?,
    };
    let session = context.api.session_permission(PermissionParams {
        id,
        request: args.request.clone(),
        answer: match args {
            PermissionArgs { always: true, .. } => PermissionAnswer::Always,
            PermissionArgs { deny: true, .. } => PermissionAnswer::Deny,
            PermissionArgs { .. } => PermissionAnswer::Allow,
        },
        message: args.message.clone(),
        answers,
        mode: args.mode,
    })?;
    context.print(&session, session::line)
}

#[cfg(test)]
mod tests;
