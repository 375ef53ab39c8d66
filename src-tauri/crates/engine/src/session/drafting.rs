//! Checks the bead of a new session and chooses its branch and folder under the session lock, and writes them
//! to the draft. After that, the draft reserves them, and the start holds the draft's own lock.

use super::{
    agent::Agent,
    origin::Origin,
    plan::{unattended_among, wanted_branch, workable},
    workspace::{self, Workspace},
};
use crate::context::{Context, Sessions, errors::store_error, now};
use bc_beads::Actor;
use bc_core::{
    bead::BeadDetail,
    fleet::LOCAL_RUNNER,
    ids::{BeadId, FleetAgentId, SessionId},
    recovery::Stores,
    session::{Draft, Meta},
};
use bc_store::SessionLock;
use bc_wire::{ApiError, session::SessionStartParams};
use uuid::Uuid;

/// A session's relation to the fleet.
#[derive(Debug, Default)]
pub(crate) struct ForFleet {
    pub(crate) agent: Option<FleetAgentId>,
    /// The id of the fleet's work item, if the session works on a work item instead of a bead.
    pub(crate) own_work: Option<BeadId>,
    /// Whether the session continues existing work; in that case, the bead's status and assignee are not
    /// checked.
    pub(crate) continues: bool,
}

/// A session whose draft is written, with everything that its start needs.
pub(crate) struct Drafted {
    pub(super) meta: Meta,
    /// The session's own lock: the right to write its files.
    pub(super) lock: SessionLock,
    pub(super) agent: Agent,
    pub(super) actor: Actor,
    /// The session's bead, in its state before the start.
    pub(super) bead: Option<BeadDetail>,
    pub(super) workspace: Workspace,
    pub(super) params: SessionStartParams,
    /// The recovery stores, if the bead is already claimed.
    pub(super) claimed: Option<Stores>,
    /// For a fork: the original session's checkpoint and conversation.
    pub(super) origin: Option<Origin>,
}

/// Chooses the branch and folder, and writes the draft. The caller has already read the bead and the
/// unfinished sessions.
pub(super) fn draft(
    ctx: &Context,
    _: &Sessions,
    agent: Agent,
    (params, fleet): (SessionStartParams, ForFleet),
    bead: Option<BeadDetail>,
    unfinished: &[Meta],
) -> Result<Drafted, ApiError> {
    match (&bead, params.bead_id.as_ref().or(fleet.own_work.as_ref())) {
        (Some(bead), _) if !fleet.continues => {
            unattended_among(unfinished, &bead.bead.id)?;
            workable(ctx, bead)?;
        }
        (_, Some(work)) => unattended_among(unfinished, work)?,
        (_, None) => {}
    }
    let id = SessionId(Uuid::new_v4());
    let branch = wanted_branch(ctx, params.branch.as_deref(), bead.as_ref(), params.folder, Some(id))?;
    let workspace = workspace::decide_among(ctx, params.folder, branch.as_ref(), unfinished)?;
    let actor = ctx.session_actor(id);
    let title = bead.as_ref().map(|bead| bead.bead.title.clone());
    let objective = params.objective.clone().filter(|text| !text.trim().is_empty());
    let mut meta = Meta::draft(Draft {
        bead_id: params.bead_id.clone().or(fleet.own_work),
        agent_id: params.agent.clone(),
        title: params.title.clone().or_else(|| title.clone()),
        objective: objective.or(title),
        mode: params.mode,
        model: params.model.clone(),
        actor: Some(actor.as_str().to_owned()),
        simulated: params.simulated,
        fleet_agent: fleet.agent,
        ..Draft::new(id, ctx.project_id()?, now())
    });
    meta.runner = params.runner.clone().filter(|name| name != LOCAL_RUNNER);
    meta.place = params.place.clone();
    meta.branch = workspace.branch.clone();
    meta.base_branch = workspace.base_branch.clone();
    meta.cwd = Some(workspace.cwd.display().to_string());
    meta.worktree = workspace.worktree;
    let lock = ctx.store.create(&meta).map_err(store_error)?;
    Ok(Drafted { meta, lock, agent, actor, bead, workspace, params, claimed: None, origin: None })
}
