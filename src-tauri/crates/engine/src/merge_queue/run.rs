//! Merges the waiting requests, one at a time; only one program merges at any time. Each step is recorded before it
//! is taken, so that the next program can continue after a crash.

use super::{
    check::EARLIER_CHECK_TIMEOUT,
    log::{self, Log},
    merge_tree,
    steps::{Merge, StepResult, trouble},
};
use crate::{
    context::{
        Context,
        errors::{file_error, git_error},
        now,
    },
    fleet_state::{fleet_error, state},
};
use bc_core::fleet::{
    Current, EntryState, MergeQueue, MergeRequest, MergeStep, QueueRefused, TargetNow, TroubleKind,
};
use bc_fleet::{FleetError, State};
use bc_store::lock::FileLock;
use bc_wire::{ApiError, ErrorCode};

/// Why merging stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merged {
    /// No request can be merged now: the queue is empty, paused or blocked.
    All,
    /// Another program is merging, so nothing was merged.
    Elsewhere,
    /// The engine is closing.
    Stopped,
}

/// Merges until no request can be merged, or until [`Context::queue_waker`] stops it.
pub(super) fn run(ctx: &Context, on_output: &mut dyn FnMut(&[u8])) -> Result<Merged, ApiError> {
    let state = state(ctx);
    let (queue, _) = state.queue().map_err(fleet_error)?;
    // Do not create files for a project that has nothing to merge.
    if queue.current.is_none() && queue.next().is_none() {
        return Ok(Merged::All);
    }
    let Some(_lock) = state.merging_lock().map_err(fleet_error)? else { return Ok(Merged::Elsewhere) };
    let mut current = interrupted_merge(ctx, &state)?;
    loop {
        let begun = match current.take() {
            Some(current) => Some(current),
            None if ctx.queue_waker.is_over() => return Ok(Merged::Stopped),
            None => begin_next(ctx, &state)?,
        };
        let Some(begun) = begun else { break };
        if !merge(ctx, &state, begun, on_output)? {
            return Ok(Merged::Stopped);
        }
    }
    let (queue, _) = state.queue().map_err(fleet_error)?;
    let keep: Vec<_> = queue.entries.into_iter().map(|entry| entry.id).collect();
    log::remove_other_logs(ctx, &keep);
    Ok(Merged::All)
}

/// The unfinished merge of a program that died, with the step at which to continue.
fn interrupted_merge(ctx: &Context, state: &State) -> Result<Option<Current>, ApiError> {
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let Some(current) = queue.current else { return Ok(None) };
    // The processes of that merge's check may still be exiting, so wait for them.
    let lock = state.console("check.lock").map_err(fleet_error)?;
    let gone = FileLock::exclusive(&lock, EARLIER_CHECK_TIMEOUT).map_err(file_error)?;
    if gone.is_none() {
        return Err(ApiError::new(ErrorCode::QueueState, "the check of an earlier merge does not end")
            .hint(format!("end the process that holds {}", lock.display())));
    }
    let repo = ctx.project.repo()?;
    merge_tree::discard_recorded(state, &repo)?;
    resume_step(state, &repo, &current, &requests)
}

/// Begins the next request. A retried request whose merge already landed continues after that step, if the target
/// still contains the merge.
fn begin_next(ctx: &Context, state: &State) -> Result<Option<Current>, ApiError> {
    let begun = change_queue(state, |queue| Ok(queue.begin(now())))?;
    match begun {
        Some(current) if current.step != (MergeStep::Prepare {}) => {
            let (_, requests) = state.queue().map_err(fleet_error)?;
            resume_step(state, &ctx.project.repo()?, &current, &requests)
        }
        begun => Ok(begun),
    }
}

/// Records and returns the step to continue with, given the target's current state.
fn resume_step(
    state: &State,
    repo: &bc_git::Repo,
    current: &Current,
    requests: &[MergeRequest],
) -> Result<Option<Current>, ApiError> {
    let request = requests.iter().find(|request| request.id == current.id);
    let step = match request {
        Some(request) => current.step.after_a_crash(target_now(repo, request, &current.step)?),
        None => MergeStep::Prepare {},
    };
    let tries = current.tries;
    change_queue(state, |queue| {
        queue.step(&current.id, step.clone(), now())?;
        // Continuing does not count as another attempt.
        if let Some(current) = &mut queue.current {
            current.tries = tries;
        }
        Ok(queue.current.clone())
    })
}

fn target_now(repo: &bc_git::Repo, request: &MergeRequest, step: &MergeStep) -> Result<TargetNow, ApiError> {
    let name = format!("refs/heads/{}", request.target_branch);
    let Some(tip) = repo.reference(&name).map_err(git_error)? else { return Ok(TargetNow::Other) };
    let seen = match step {
        MergeStep::Move { target, .. } => Some(target.as_str()),
        _ => None,
    };
    // A candidate that no longer exists cannot be in the target's history.
    let candidate = step.candidate().and_then(|hash| repo.commit_of(hash).ok());
    Ok(match candidate {
        Some(candidate) if repo.is_ancestor(&candidate, &tip).map_err(git_error)? => TargetNow::HasIt,
        Some(_) if seen == Some(tip.as_str()) => TargetNow::AsSeen,
        _ => TargetNow::Other,
    })
}

/// Merges one request as far as possible; `false` if merging was stopped.
fn merge(
    ctx: &Context,
    state: &State,
    mut current: Current,
    on_output: &mut dyn FnMut(&[u8]),
) -> Result<bool, ApiError> {
    let (_, requests) = state.queue().map_err(fleet_error)?;
    let Some(request) = requests.into_iter().find(|request| request.id == current.id) else {
        return Ok(true);
    };
    let mut log = Log::open(ctx, &current.id, on_output);
    loop {
        // Even if merging should stop, complete a merge that may have landed, because only short steps remain.
        if ctx.queue_waker.is_over() && !current.step.may_have_landed() {
            return Ok(false);
        }
        let stop_handle = ctx.queue_waker.announce(&current);
        // If the request was removed just before, there was no check to cancel, so do not start one.
        if matches!(current.step, MergeStep::Check { .. }) && !is_wanted(ctx, &current) {
            return Ok(true);
        }
        let merge = Merge::of(ctx, state, request.clone(), &current, &stop_handle)?;
        let id = &current.id;
        let then = merge.take(&current.step, &mut log).unwrap_or_else(|error| {
            StepResult::Stopped(trouble(TroubleKind::Git, error.message, error.hint.as_deref()))
        });
        let now = now();
        let next = match then {
            StepResult::Cancelled => return Ok(!ctx.queue_waker.is_over()),
            StepResult::Step(step) => change_queue(state, |queue| {
                queue.step(id, step.clone(), now)?;
                Ok(queue.current.clone())
            }),
            StepResult::Merged { commit, note } => change_queue(state, |queue| {
                queue.merged(id, commit.clone(), note.clone(), now).map(|()| None)
            }),
            StepResult::Stopped(trouble) => {
                log.line("blocked", &trouble.text);
                change_queue(state, |queue| queue.block(id, trouble.clone()).map(|()| None))
            }
        };
        match next {
            Ok(Some(next)) => current = next,
            Ok(None) => return Ok(true),
            // The request was removed meanwhile.
            Err(error) if error.code == ErrorCode::QueueState => return Ok(true),
            Err(error) => return Err(error),
        }
    }
}

fn change_queue<T>(
    state: &State,
    mut change: impl FnMut(&mut MergeQueue) -> Result<T, QueueRefused>,
) -> Result<T, ApiError> {
    state.change_queue(|queue| change(queue).map_err(FleetError::from)).map_err(fleet_error)
}

/// Call this after a change of the queue. Wakes the merging thread, and cancels the running check if its request was
/// removed from the queue.
pub(crate) fn wake(ctx: &Context) {
    if let Some((current, stop)) = ctx.queue_waker.wake()
        && !is_wanted(ctx, &current)
    {
        stop.stop();
    }
}

/// Whether the current request should still be merged; also `true` if the queue cannot be read.
fn is_wanted(ctx: &Context, current: &Current) -> bool {
    let Ok((queue, _)) = state(ctx).queue() else { return true };
    let waits = queue.entry(&current.id).is_some_and(|entry| matches!(entry.state, EntryState::Waiting {}));
    waits && queue.current.is_some_and(|now| now.id == current.id)
}
