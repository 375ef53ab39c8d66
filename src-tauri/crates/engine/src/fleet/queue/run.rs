//! Merging what waits: one request after the other, by one program at a time. A step is written down before it
//! is done, so that whoever comes after a crash knows what to look at.

use super::{
    check::GONE,
    log::{self, Log},
    steps::{Merge, Then, trouble},
    tree,
};
use crate::{
    engine::{Engine, now},
    errors::{file_error, git_error},
    fleet::{fleet_error, state},
};
use bc_core::fleet::{
    Current, EntryState, MergeQueue, MergeRequest, MergeStep, QueueRefused, TargetNow, TroubleKind,
};
use bc_fleet::{FleetError, State};
use bc_process::kept::Leash;
use bc_store::lock::FileLock;
use bc_wire::{ApiError, ErrorCode};

/// Why merging stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merged {
    /// Nothing more waits, or what waits is paused or blocked.
    All,
    /// Another program is at it.
    Elsewhere,
    /// Whoever merges was to stop.
    Told,
}

/// Whoever merges: asked between two steps, and held while a check runs.
pub(super) trait Watch {
    /// Whether nothing more is to be begun.
    fn is_over(&self) -> bool;
    /// This request is being merged; a check of it can be let go by the leash.
    fn at(&self, current: &Current) -> Leash;
}

/// Merges until nothing is left to do.
pub(super) fn run(
    engine: &Engine,
    watch: &dyn Watch,
    told: &mut dyn FnMut(&[u8]),
) -> Result<Merged, ApiError> {
    let state = state(engine);
    let (queue, _) = state.queue().map_err(fleet_error)?;
    // Nothing is made for a project that merges nothing.
    if queue.current.is_none() && queue.next().is_none() {
        return Ok(Merged::All);
    }
    let Some(_lock) = state.merging_lock().map_err(fleet_error)? else { return Ok(Merged::Elsewhere) };
    let mut current = left_behind(engine, &state)?;
    loop {
        let begun = match current.take() {
            Some(current) => Some(current),
            None if watch.is_over() => return Ok(Merged::Told),
            None => begun(engine, &state)?,
        };
        let Some(begun) = begun else { break };
        if !merge(engine, &state, begun, watch, told)? {
            return Ok(Merged::Told);
        }
    }
    let (queue, _) = state.queue().map_err(fleet_error)?;
    let keep: Vec<_> = queue.entries.into_iter().map(|entry| entry.id).collect();
    log::forget_others(engine, &keep);
    Ok(Merged::All)
}

/// What a program that died was at, and where to go on.
fn left_behind(engine: &Engine, state: &State) -> Result<Option<Current>, ApiError> {
    let (queue, requests) = state.queue().map_err(fleet_error)?;
    let Some(current) = queue.current else { return Ok(None) };
    // Its check may be ending just now.
    let lock = state.console("check.lock").map_err(fleet_error)?;
    let gone = FileLock::exclusive(&lock, GONE).map_err(file_error)?;
    if gone.is_none() {
        return Err(ApiError::new(ErrorCode::QueueState, "the check of an earlier merge does not end")
            .hint(format!("end it; it holds {}", lock.display())));
    }
    let repo = engine.project.repo()?;
    tree::forget(state, &repo)?;
    gone_on(state, &repo, &current, &requests)
}

/// The request whose turn it is. One that landed before goes on from there, if that stands where it landed.
fn begun(engine: &Engine, state: &State) -> Result<Option<Current>, ApiError> {
    let begun = changed(state, |queue| Ok(queue.begin(now())))?;
    match begun {
        Some(current) if current.step != (MergeStep::Prepare {}) => {
            let (_, requests) = state.queue().map_err(fleet_error)?;
            gone_on(state, &engine.project.repo()?, &current, &requests)
        }
        begun => Ok(begun),
    }
}

/// The step to go on with, as the target is now.
fn gone_on(
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
    changed(state, |queue| {
        queue.step(&current.id, step.clone(), now())?;
        // To go on is no new try.
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
    // A commit that is not there any more is in no history.
    let candidate = step.candidate().and_then(|hash| repo.commit_of(hash).ok());
    Ok(match candidate {
        Some(candidate) if repo.is_ancestor(&candidate, &tip).map_err(git_error)? => TargetNow::HasIt,
        Some(_) if seen == Some(tip.as_str()) => TargetNow::AsSeen,
        _ => TargetNow::Other,
    })
}

/// Merges one request as far as it goes; `false` where whoever merges was to stop.
fn merge(
    engine: &Engine,
    state: &State,
    mut current: Current,
    watch: &dyn Watch,
    told: &mut dyn FnMut(&[u8]),
) -> Result<bool, ApiError> {
    let (_, requests) = state.queue().map_err(fleet_error)?;
    let Some(request) = requests.into_iter().find(|request| request.id == current.id) else {
        return Ok(true);
    };
    let mut log = Log::open(engine, &current.id, told);
    loop {
        // What may have landed is brought to its end: little is left of it.
        if watch.is_over() && !current.step.may_have_landed() {
            return Ok(false);
        }
        let leash = watch.at(&current);
        // Whoever took it out a moment ago could not let go of what was not begun.
        if matches!(current.step, MergeStep::Check { .. }) && !is_wanted(engine, &current) {
            return Ok(true);
        }
        let merge = Merge::of(engine, state, request.clone(), &current, &leash)?;
        let id = &current.id;
        let then = merge.take(&current.step, &mut log).unwrap_or_else(|error| {
            Then::Stopped(trouble(TroubleKind::Git, error.message, error.hint.as_deref()))
        });
        let now = now();
        let next = match then {
            Then::Left => return Ok(!watch.is_over()),
            Then::Step(step) => changed(state, |queue| {
                queue.step(id, step.clone(), now)?;
                Ok(queue.current.clone())
            }),
            Then::Merged { commit, note } => {
                changed(state, |queue| queue.merged(id, commit.clone(), note.clone(), now).map(|()| None))
            }
            Then::Stopped(trouble) => {
                log.line("blocked", &trouble.text);
                changed(state, |queue| queue.block(id, trouble.clone()).map(|()| None))
            }
        };
        match next {
            Ok(Some(next)) => current = next,
            Ok(None) => return Ok(true),
            // It was taken out meanwhile.
            Err(error) if error.code == ErrorCode::QueueState => return Ok(true),
            Err(error) => return Err(error),
        }
    }
}

fn changed<T>(
    state: &State,
    mut change: impl FnMut(&mut MergeQueue) -> Result<T, QueueRefused>,
) -> Result<T, ApiError> {
    state.change_queue(|queue| change(queue).map_err(FleetError::from)).map_err(fleet_error)
}

/// Whether a request still is to be merged by whoever is at it.
pub(super) fn is_wanted(engine: &Engine, current: &Current) -> bool {
    let Ok((queue, _)) = state(engine).queue() else { return true };
    let waits = queue.entry(&current.id).is_some_and(|entry| matches!(entry.state, EntryState::Waiting {}));
    waits && queue.current.is_some_and(|now| now.id == current.id)
}
