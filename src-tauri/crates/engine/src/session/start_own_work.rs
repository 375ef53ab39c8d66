//! Starts a session on one of the fleet's own work items, which no tracker has.

use super::{drafting::ForFleet, start::start_for};
use crate::context::Context;
use bc_core::{fleet::WorkItem, ids::FleetAgentId, prompt};
use bc_wire::{
    ApiError,
    session::{SessionStartParams, SessionStarted},
};

/// Starts a session on a work item. By default, its branch is named after the item, and its prompt is the item's
/// text.
pub(crate) fn start_own_work(
    ctx: &Context,
    item: &WorkItem,
    agent: Option<FleetAgentId>,
    params: SessionStartParams,
) -> Result<SessionStarted, ApiError> {
    let params = SessionStartParams {
        bead_id: None,
        title: Some(item.title.clone()),
        objective: Some(item.title.clone()),
        branch: params.branch.or_else(|| Some(format!("work/{}", item.bead_id))),
        prompt: params.prompt.or_else(|| Some(prompt::own_work(item))),
        ..params
    };
    start_for(ctx, params, ForFleet { agent, own_work: Some(item.bead_id.clone()), continues: false })
}
