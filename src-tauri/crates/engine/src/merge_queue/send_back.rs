//! Sends a stopped merge request, or a reviewer's requested changes, back to the agent: sends a prompt to the
//! running session, resumes a paused session with the prompt, or starts a new session on the branch.

use super::{branches::session_on, run::wake};
use crate::{
    context::{
        Context,
        errors::{git_error, tracker_error},
    },
    fleet_state::{fleet_error, own_work, state},
    session::{self, ForFleet},
    settings,
};
use bc_core::{
    bead::BeadStatus,
    fleet::{EntryState, MergeRequest, MergeTrouble, QueueRefused},
    ids::{BeadId, BranchName},
    session::Status,
};
use bc_wire::{ApiError, ErrorCode, fleet::*, session::*};
use std::fmt::Write;

/// The maximum number of attempts if a session ends while the text is sent.
const TRIES: usize = 3;

/// Sends a stopped request back to its agent, with the cause. The queue skips the request until the branch is queued
/// again.
pub(crate) fn send_back(ctx: &Context, params: &FleetMergeRef) -> Result<FleetSentBack, ApiError> {
    ctx.writable()?;
    let state = state(ctx);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let request = requests.into_iter().find(|request| request.id == params.id);
    let entry = queue.entry(&params.id).map(|entry| entry.state.clone());
    let (Some(request), Some(entry)) = (request, entry) else {
        return Err(fleet_error(QueueRefused::Unknown(params.id.clone()).into()));
    };
    let trouble = match entry {
        EntryState::Blocked { trouble } | EntryState::Skipped { trouble: Some(trouble) } => trouble,
        _ => {
            let text = format!("{} is not blocked", params.id);
            return Err(ApiError::new(ErrorCode::QueueState, text));
        }
    };
    let sent = tell_agent(ctx, &request.bead_id, &request.source_branch, message_text(&request, &trouble))?;
    state.change_queue(|queue| Ok(queue.skip(&params.id)?)).map_err(fleet_error)?;
    wake(ctx);
    Ok(sent)
}

/// Delivers a prompt to the agent of a bead's branch: to its running session, by resuming a paused session, or
/// by starting a new session.
pub(super) fn tell_agent(
    ctx: &Context,
    bead: &BeadId,
    branch: &BranchName,
    text: String,
) -> Result<FleetSentBack, ApiError> {
    ctx.writable()?;
    for _ in 0..TRIES {
        let on_it = session_on(ctx, bead, Some(branch))?;
        match on_it.as_ref().map(|meta| (meta.id, meta.status)) {
            Some((id, Status::Active)) => {
                let params = SessionSendParams { id, text: text.clone() };
                // If the session ended before it received the text, try again with its new status.
                if session::send_unless_it_ends(ctx, &params)?.is_some() {
                    return Ok(FleetSentBack { session: id, how: SentBackBy::Told });
                }
            }
            Some((id, Status::Paused)) => {
                // The session continues the same work, so it resumes regardless of the bead's status.
                let params = SessionResumeParams {
                    id,
                    prompt: Some(text),
                    size: None,
                    anyway: true,
                    reclaim: true,
                    place: None,
                };
                session::resume(ctx, params)?;
                return Ok(FleetSentBack { session: id, how: SentBackBy::Resumed });
            }
            Some((_, Status::Draft | Status::Closed)) | None => {
                return start_session(ctx, bead, branch, text);
            }
        }
    }
    Err(ApiError::new(ErrorCode::SessionState, format!("the session on {bead} restarts repeatedly"))
        .hint("try again in a moment"))
}

fn start_session(
    ctx: &Context,
    bead: &BeadId,
    branch: &BranchName,
    text: String,
) -> Result<FleetSentBack, ApiError> {
    // The bead is briefly open; the lock prevents its dispatch.
    let _decision = ctx.fleet.decision_lock();
    let own = own_work(ctx, bead)?;
    let before = match own {
        Some(_) => None,
        None => reopen_bead(ctx, bead)?,
    };
    let head = ctx.project.repo()?.at(&ctx.main_tree()?).and_then(|main| main.head());
    let in_main = head.map_err(git_error)?.branch.as_ref() == Some(branch);
    let settings = settings::fleet(&ctx.project);
    let params = SessionStartParams {
        bead_id: Some(bead.clone()),
        branch: Some(branch.to_string()),
        agent: settings.agent,
        mode: settings.mode,
        model: settings.model,
        prompt: Some(text),
        // Never switch the main tree to another branch.
        folder: if in_main { FolderChoice::Auto } else { FolderChoice::Worktree },
        simulated: settings.simulated,
        runner: Some(settings.runner),
        ..SessionStartParams::default()
    };
    let started = match &own {
        Some(item) => session::start_own_work(ctx, item, None, params)?,
        None => {
            let fleet = ForFleet { continues: true, ..ForFleet::default() };
            session::start_for(ctx, params, fleet).inspect_err(|_| {
                // Restore the status: an open bead would be dispatched as new work.
                if let (Some(status), Ok(tracker)) = (&before, ctx.tracker()) {
                    let _ = tracker.set_status(bead, status, &ctx.user_actor());
                }
            })?
        }
    };
    Ok(FleetSentBack { session: started.session.meta.id, how: SentBackBy::Started })
}

/// Reopens a bead that is in review or closed, and returns its previous status; `None` if its status does not
/// need to change.
fn reopen_bead(ctx: &Context, bead: &BeadId) -> Result<Option<BeadStatus>, ApiError> {
    let tracker = ctx.tracker()?;
    let found = tracker.show(bead).map_err(tracker_error)?.bead.status;
    if !matches!(found, BeadStatus::InReview | BeadStatus::Closed) {
        return Ok(None);
    }
    tracker.set_status(bead, &BeadStatus::Open, &ctx.user_actor()).map_err(tracker_error)?;
    Ok(Some(found))
}

fn message_text(request: &MergeRequest, trouble: &MergeTrouble) -> String {
    let MergeRequest { source_branch: source, target_branch: target, bead_id: bead, .. } = request;
    let mut text =
        format!("Your branch {source} ({bead}) could not be merged into {target}: {}.\n", trouble.text);
    if !trouble.files.is_empty() {
        text.push_str("\nFiles with conflicts:\n");
        for file in &trouble.files {
            writeln!(text, "- {} ({})", file.path, file.conflicts).expect("writing to a String cannot fail");
        }
    }
    if !trouble.output.is_empty() {
        write!(text, "\nIts output:\n\n```\n{}\n```\n", trouble.output)
            .expect("writing to a String cannot fail");
    }
    write!(
        text,
        "\nBring {target} into your branch (`git rebase {target}`, or `git merge {target}`), solve this so that \
         both sides' intents are kept, see that the project's checks succeed, and commit. Do not change {target} \
         itself, and do not push. Say when it is done: the branch is queued again then."
    )
    .expect("writing to a String cannot fail");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::fleet::{ConflictFile, MergeStatus, TroubleKind};

    #[test]
    fn the_message_to_an_agent_names_the_cause_and_the_next_step() {
        let request = MergeRequest {
            id: "merge-1".parse().unwrap(),
            source_branch: "work/bc-1".parse().unwrap(),
            target_branch: "main".parse().unwrap(),
            status: MergeStatus::Conflicted,
            bead_id: "BC-1".parse().unwrap(),
            extra: Default::default(),
        };
        let trouble = MergeTrouble {
            kind: TroubleKind::Conflict,
            text: "both changed 1 file".into(),
            hint: None,
            files: vec![ConflictFile { path: "src/a.rs".into(), conflicts: 2 }],
            output: "CONFLICT (content): Merge conflict in src/a.rs".into(),
            at: crate::context::now(),
        };
        let text = message_text(&request, &trouble);
        for part in
            ["work/bc-1 (BC-1)", "into main", "- src/a.rs (2)", "CONFLICT (content)", "git rebase main"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
