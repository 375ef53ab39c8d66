//! Starts several sessions at once, each in its own worktree. Shared facts are queried once, branches are
//! created together, and beads are claimed with one write if the tracker supports it. A crash leaves the same
//! state as a crash during a single start, or a branch without a worktree.

#[cfg(test)]
mod tests;

use super::{
    agent::{self, Agent},
    drafting::{Drafted, ForFleet, draft},
    launch::IndexUpdate,
    start::{discard, finish_start},
    workspace,
};
use crate::{
    context::{
        Context,
        errors::{git_error, tracker_error},
    },
    recovery,
};
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, SessionId},
    session::Meta,
};
use bc_wire::{
    ApiError,
    session::{FolderChoice, SessionStartParams},
};
use std::{panic::resume_unwind, thread};

pub(crate) type Wanted = (SessionStartParams, ForFleet);

/// Drafts the sessions in this order. Also claims their beads and creates their branches, where that can be
/// done together. The results are in the same order.
pub(crate) fn draft_all(
    ctx: &Context,
    wanted: Vec<Wanted>,
    found: &mut FoundAgents,
) -> Vec<Result<Drafted, ApiError>> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut drafted = drafts(ctx, wanted, found);
    claim_all(ctx, &mut drafted);
    branch_all(ctx, &mut drafted);
    drafted
}

/// Continues a drafted start until claude runs. The index may lag behind: the caller updates it after the
/// last start.
pub(crate) fn start_drafted(ctx: &Context, drafted: Drafted) -> Result<(SessionId, Vec<String>), ApiError> {
    finish_start(ctx, drafted, None, IndexUpdate::Soon)
}

fn drafts(ctx: &Context, wanted: Vec<Wanted>, found: &mut FoundAgents) -> Vec<Result<Drafted, ApiError>> {
    found.find(ctx, &wanted);
    let wanted: Vec<_> =
        wanted.into_iter().filter_map(|wanted| Some((found.of(&wanted.0)?, wanted))).collect();
    let sessions = ctx.session_lock();
    let mut unfinished = workspace::unfinished(ctx, |_| true);
    let ids: Vec<BeadId> = wanted.iter().filter_map(|(_, (params, _))| params.bead_id.clone()).collect();
    let mut shown = ctx.tracker().map(|tracker| tracker.show_all(&ids).into_iter());
    let mut drafted = |(agent, (params, fleet)): (Result<Agent, ApiError>, Wanted)| {
        // Always take the next element, to keep beads and results aligned.
        let bead = match (&params.bead_id, &mut shown) {
            (Some(_), Ok(shown)) => shown.next().transpose().map_err(tracker_error),
            (Some(_), Err(error)) => Err(error.clone()),
            (None, _) => Ok(None),
        };
        ctx.writable()?;
        let bead = bead?;
        let unfinished: &mut Vec<Meta> = unfinished.as_mut().map_err(|error| error.clone())?;
        // Always use a worktree: a start in the main tree would hold the session lock until it completes.
        let params = SessionStartParams { folder: FolderChoice::Worktree, ..params };
        let drafted = draft(ctx, &sessions, agent?, (params, fleet), bead, unfinished)?;
        unfinished.push(drafted.meta.clone());
        Ok(drafted)
    };
    wanted.into_iter().map(&mut drafted).collect()
}

/// Claims the open beads with one write, if the tracker supports it. A bead that is already in progress, for
/// example from an earlier session, is claimed when its session starts.
fn claim_all(ctx: &Context, drafted: &mut [Result<Drafted, ApiError>]) {
    let is_open =
        |drafted: &Drafted| drafted.bead.as_ref().is_some_and(|b| b.bead.status == BeadStatus::Open);
    let open: Vec<usize> = (0..drafted.len()).filter(|&n| drafted[n].as_ref().is_ok_and(is_open)).collect();
    let claims = open.iter().filter_map(|&n| {
        let drafted = drafted[n].as_ref().ok()?;
        Some((drafted.bead.as_ref()?.bead.id.clone(), drafted.actor.clone()))
    });
    let claims: Vec<_> = claims.collect();
    if claims.is_empty() {
        return;
    }
    let claimed = ctx.claims().ok().and_then(|tracker| tracker.claim_all(&claims));
    let Some(claimed) = claimed else { return };
    let mark = recovery::mark(ctx);
    for (n, claimed) in open.into_iter().zip(claimed) {
        match claimed {
            Ok(()) => {
                if let Ok(drafted) = &mut drafted[n] {
                    let stores = |bead| recovery::claimed_with(bead, mark.clone());
                    drafted.claimed = drafted.bead.as_ref().map(stores);
                }
            }
            Err(error) => {
                let refused = Err(tracker_error(error));
                if let Ok(drafted) = std::mem::replace(&mut drafted[n], refused) {
                    let sessions = ctx.session_lock();
                    discard(ctx, &sessions, drafted.lock);
                }
            }
        }
    }
}

/// Creates the branches of sessions whose bead is claimed. If that fails, each session creates its branch together
/// with its worktree.
fn branch_all(ctx: &Context, drafted: &mut [Result<Drafted, ApiError>]) {
    let mut of: Vec<&mut Drafted> = drafted
        .iter_mut()
        .filter_map(|drafted| drafted.as_mut().ok())
        .filter(|drafted| drafted.claimed.is_some() && drafted.workspace.new_branch().is_some())
        .collect();
    let new: Vec<_> = of.iter().filter_map(|drafted| drafted.workspace.new_branch()).collect();
    // A single branch is created just as fast together with its worktree.
    if new.len() < 2 {
        return;
    }
    let made = {
        let _worktrees = ctx.worktree_lock();
        let main = ctx.main_tree().and_then(|main| {
            let repo = ctx.project.repo()?;
            repo.at(&main).and_then(|main| main.create_branches(&new)).map_err(git_error)
        });
        main.is_ok()
    };
    if made {
        of.iter_mut().for_each(|drafted| drafted.workspace.mark_branch_created());
    }
}

/// The programs of sessions that are started together. Each program is looked up once, even if that fails,
/// because an unreachable place fails only after a time limit.
#[derive(Default)]
pub(crate) struct FoundAgents(Vec<(SessionStartParams, Result<Agent, ApiError>)>);

impl FoundAgents {
    /// Looks up the missing programs in parallel.
    fn find(&mut self, ctx: &Context, wanted: &[Wanted]) {
        let mut missing: Vec<&SessionStartParams> = Vec::new();
        for (params, _) in wanted {
            if self.of(params).is_none() && !missing.iter().any(|other| same_program(other, params)) {
                missing.push(params);
            }
        }
        let find = |params: &SessionStartParams| {
            let (runner, place) = (params.runner.as_deref(), params.place.as_deref());
            agent::agent(ctx, params.simulated, &params.agent, runner, place)
        };
        thread::scope(|scope| {
            let running: Vec<_> =
                missing.into_iter().map(|params| (params, scope.spawn(move || find(params)))).collect();
            for (params, thread) in running {
                let found = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                self.0.push((params.clone(), found));
            }
        });
    }

    fn of(&self, params: &SessionStartParams) -> Option<Result<Agent, ApiError>> {
        let found = self.0.iter().find(|(known, _)| same_program(known, params));
        found.map(|(_, agent)| agent.clone())
    }
}

fn same_program(a: &SessionStartParams, b: &SessionStartParams) -> bool {
    (a.simulated, &a.agent, &a.runner, &a.place) == (b.simulated, &b.agent, &b.runner, &b.place)
}
