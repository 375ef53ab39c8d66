//! Back to whoever worked on it: their session is told, goes on, or a new one works on the branch.

use crate::{
    engine::Engine,
    errors::{git_error, tracker_error},
    fleet::{
        fleet_error, settings, state,
        work::{own_work, start_on_own},
    },
    session::{self, ForFleet},
};
use bc_core::{
    bead::BeadStatus,
    fleet::{EntryState, MergeRequest, MergeTrouble, QueueRefused},
    ids::{BeadId, BranchName},
    session::Status,
};
use bc_wire::{ApiError, ErrorCode, fleet::*, session::*};
use std::fmt::Write;

/// How often a session may end while it is told something.
const TRIES: usize = 3;

/// Sends a request that was stopped back to its agent, with all that is known of why. It is left aside until the
/// branch is queued again, so that others have their turn.
pub(crate) fn send_back(engine: &Engine, params: &FleetMergeRef) -> Result<FleetSentBack, ApiError> {
    engine.writable()?;
    let state = state(engine);
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let request = requests.into_iter().find(|request| request.id == params.id);
    let entry = queue.entry(&params.id).map(|entry| entry.state.clone());
    let (Some(request), Some(entry)) = (request, entry) else {
        return Err(fleet_error(QueueRefused::Unknown(params.id.clone()).into()));
    };
    let trouble = match entry {
        EntryState::Blocked { trouble } | EntryState::Skipped { trouble: Some(trouble) } => trouble,
        _ => {
            let text = format!("nothing stands in the way of {}", params.id);
            return Err(ApiError::new(ErrorCode::QueueState, text));
        }
    };
    let sent = tell(engine, &request.bead_id, &request.source_branch, words(&request, &trouble))?;
    state.change_queue(|queue| Ok(queue.skip(&params.id)?)).map_err(fleet_error)?;
    engine.queue_bell.ring(engine);
    Ok(sent)
}

/// Gets a text to whoever works on a bead's branch.
pub(super) fn tell(
    engine: &Engine,
    bead: &BeadId,
    branch: &BranchName,
    text: String,
) -> Result<FleetSentBack, ApiError> {
    engine.writable()?;
    for _ in 0..TRIES {
        let on_it = super::add::session_on(engine, bead, Some(branch))?;
        match on_it.as_ref().map(|meta| (meta.id, meta.status)) {
            Some((id, Status::Active)) => {
                let params = SessionSendParams { id, text: text.clone() };
                // One that is just ending has heard nothing: what it has become decides.
                if session::send_unless_it_ends(engine, &params)?.is_some() {
                    return Ok(FleetSentBack { session: id, how: SentBackBy::Told });
                }
            }
            Some((id, Status::Paused)) => {
                // It is the same work, whatever its bead says by now.
                let params = SessionResumeParams {
                    id,
                    prompt: Some(text),
                    size: None,
                    anyway: true,
                    reclaim: true,
                    place: None,
                };
                session::resume(engine, params)?;
                return Ok(FleetSentBack { session: id, how: SentBackBy::Resumed });
            }
            Some((_, Status::Draft | Status::Closed)) | None => return started(engine, bead, branch, text),
        }
    }
    Err(ApiError::new(
        ErrorCode::SessionState,
        format!("the session on {bead} ends and begins again all the time"),
    )
    .hint("try again in a moment"))
}

fn started(
    engine: &Engine,
    bead: &BeadId,
    branch: &BranchName,
    text: String,
) -> Result<FleetSentBack, ApiError> {
    // What is open for a moment here is not handed to an agent.
    let _turn = engine.fleet.turn();
    let own = own_work(engine, bead)?;
    let before = match own {
        Some(_) => None,
        None => opened(engine, bead)?,
    };
    let head = engine.project.repo()?.at(&engine.main_tree()?).and_then(|main| main.head());
    let in_main = head.map_err(git_error)?.branch.as_ref() == Some(branch);
    let settings = settings(&engine.project);
    let params = SessionStartParams {
        bead_id: Some(bead.clone()),
        title: None,
        objective: None,
        branch: Some(branch.to_string()),
        agent: settings.agent,
        mode: settings.mode,
        model: settings.model,
        prompt: Some(text),
        // The person's own tree is never switched to another branch.
        folder: if in_main { FolderChoice::Auto } else { FolderChoice::Worktree },
        context: ContextChoice::default(),
        simulated: settings.simulated,
        runner: Some(settings.runner),
        size: None,
    };
    let started = match &own {
        Some(item) => start_on_own(engine, item, None, params)?,
        None => {
            let fleet = ForFleet { again: true, ..ForFleet::default() };
            session::start_for(engine, params, fleet).inspect_err(|_| {
                // Left open it would be handed out as if nothing had been done.
                if let (Some(status), Ok(tracker)) = (&before, engine.tracker()) {
                    let _ = tracker.set_status(bead, status, &engine.user_actor());
                }
            })?
        }
    };
    Ok(FleetSentBack { session: started.session.meta.id, how: SentBackBy::Started })
}

/// Opens a bead that was done, or said to be; what it was before that.
fn opened(engine: &Engine, bead: &BeadId) -> Result<Option<BeadStatus>, ApiError> {
    let tracker = engine.tracker()?;
    let found = tracker.show(bead).map_err(tracker_error)?.bead.status;
    if !matches!(found, BeadStatus::InReview | BeadStatus::Closed) {
        return Ok(None);
    }
    tracker.set_status(bead, &BeadStatus::Open, &engine.user_actor()).map_err(tracker_error)?;
    Ok(Some(found))
}

/// What the agent is told: what happened, exactly, and what to do.
fn words(request: &MergeRequest, trouble: &MergeTrouble) -> String {
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
    fn an_agent_is_told_what_happened_exactly_and_what_to_do() {
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
            at: crate::engine::now(),
        };
        let text = words(&request, &trouble);
        for part in
            ["work/bc-1 (BC-1)", "into main", "- src/a.rs (2)", "CONFLICT (content)", "git rebase main"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
