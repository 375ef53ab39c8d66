//! The commands for work items and for agents' hooks.

use crate::{
    context::{Context, errors::bead_if_found},
    fleet_state::{fleet_error, state},
};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    fleet::{HookState, Priority, WorkItem, WorkStatus},
    ids::BeadId,
};
use bc_fleet::{Assignment, State, Texts};
use bc_wire::{ApiError, ErrorCode, fleet::*};

pub(crate) fn create_work(ctx: &Context, params: &FleetWorkCreateParams) -> Result<FleetWorkShown, ApiError> {
    let state = state(ctx);
    let item = state.create_work_item(&params.title, &params.description, params.priority);
    shown(&state, Some(item.map_err(fleet_error)?))
}

/// The work item. If its bead is closed in the tracker, its status is shown as done.
pub(crate) fn work(ctx: &Context, params: &FleetWorkRef) -> Result<FleetWorkShown, ApiError> {
    let state = state(ctx);
    let mut item = state.work_item(&params.bead).map_err(fleet_error)?;
    if let Some(item) = &mut item
        && !item.status.is_over()
        && ctx.find_bead(&params.bead)?.is_some_and(|bead| bead.bead.status == BeadStatus::Closed)
    {
        item.status = WorkStatus::Done;
    }
    shown(&state, item)
}

pub(crate) fn work_items(ctx: &Context) -> Result<FleetWork, ApiError> {
    let state = state(ctx);
    let work = state.work_items().map_err(fleet_error)?;
    Ok(FleetWork { work, warnings: state.take_warnings() })
}

pub(crate) fn set_work_status(
    ctx: &Context,
    params: &FleetWorkStatusParams,
) -> Result<FleetWorkShown, ApiError> {
    let state = state(ctx);
    let item = state.update_work_status(&params.bead, params.status).map_err(fleet_error)?;
    shown(&state, Some(item))
}

/// Assigns a bead or work item to an agent. Fails if the bead cannot be worked on or the agent's hook refuses
/// it.
pub(crate) fn set_hook(ctx: &Context, params: &FleetHookParams) -> Result<FleetHookShown, ApiError> {
    let state = state(ctx);
    let assignment = assignment(ctx, params, ctx.find_bead(&params.bead)?)?;
    let hook =
        state.assign_all(&[assignment]).map_err(fleet_error)?.pop().transpose().map_err(fleet_error)?;
    hooked(&state, hook)
}

/// Like [`set_hook`] for several assignments; returns their results in the same order.
pub(super) fn assign_all(
    ctx: &Context,
    params: &[FleetHookParams],
) -> Result<Vec<Result<(), ApiError>>, ApiError> {
    let ids: Vec<BeadId> = params.iter().map(|params| params.bead.clone()).collect();
    let shown: Vec<Result<Option<BeadDetail>, ApiError>> = match ctx.tracker() {
        Ok(tracker) => tracker.show_all(&ids).into_iter().map(bead_if_found).collect(),
        Err(error) => ids.iter().map(|_| Err(error.clone())).collect(),
    };
    let assignments: Vec<_> =
        params.iter().zip(shown).map(|(params, bead)| assignment(ctx, params, bead?)).collect();
    let good: Vec<Assignment> =
        assignments.iter().filter_map(|assignment| assignment.as_ref().ok()).cloned().collect();
    let mut done = state(ctx).assign_all(&good).map_err(fleet_error)?.into_iter();
    let outcome = |assignment: Result<Assignment, ApiError>| {
        assignment?;
        done.next().map_or(Ok(()), |done| done.map(drop).map_err(fleet_error))
    };
    Ok(assignments.into_iter().map(outcome).collect())
}

/// An assignment, with the text of the bead if the tracker has it. Fails if the bead is neither open nor in
/// progress, or if another user has claimed it.
fn assignment(
    ctx: &Context,
    params: &FleetHookParams,
    shown: Option<BeadDetail>,
) -> Result<Assignment, ApiError> {
    let (mut id, mut texts) = (params.bead.clone(), None);
    if let Some(shown) = shown {
        let bead = &shown.bead;
        if !matches!(bead.status, BeadStatus::Open | BeadStatus::InProgress) {
            let text = format!("{} is {}: it cannot be assigned to an agent", bead.id, bead.status.as_str());
            return Err(ApiError::new(ErrorCode::BeadState, text));
        }
        if let Some(by) = bead.assignee.as_deref().filter(|by| !ctx.user_actor().is_person(by)) {
            let text = format!("{} is claimed by {by}: it cannot be assigned to an agent", bead.id);
            return Err(ApiError::new(ErrorCode::BeadClaimed, text));
        }
        let priority = Priority::of_bead(bead.priority);
        id = bead.id.clone();
        texts = Some(Texts { title: bead.title.clone(), description: shown.description.clone(), priority });
    }
    Ok(Assignment { agent: params.agent.clone(), bead: id, texts })
}

pub(crate) fn activate_hook(ctx: &Context, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(ctx);
    let hook = state.activate_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn complete_hook(ctx: &Context, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(ctx);
    let hook = state.complete_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn clear_hook(ctx: &Context, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(ctx);
    let hook = state.clear_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn hook(ctx: &Context, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(ctx);
    let hook = state.hook(&params.id).map_err(fleet_error)?;
    hooked(&state, hook)
}

fn shown(state: &State, work: Option<WorkItem>) -> Result<FleetWorkShown, ApiError> {
    Ok(FleetWorkShown { work, warnings: state.take_warnings() })
}

fn hooked(state: &State, hook: Option<HookState>) -> Result<FleetHookShown, ApiError> {
    Ok(FleetHookShown { hook, warnings: state.take_warnings() })
}
