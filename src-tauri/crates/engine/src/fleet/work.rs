//! Commands on work items and hooks.

use super::{fleet_error, state};
use crate::{
    engine::Engine,
    errors::tracker_error,
    session::{self, ForFleet},
};
use bc_beads::TrackerError;
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    fleet::{HookState, Priority, WorkItem, WorkStatus},
    ids::{BeadId, FleetAgentId},
    prompt,
};
use bc_fleet::{Assignment, State, Texts};
use bc_wire::{
    ApiError, ErrorCode,
    fleet::*,
    session::{SessionStartParams, SessionStarted},
};

pub(crate) fn create_work(
    engine: &Engine,
    params: &FleetWorkCreateParams,
) -> Result<FleetWorkShown, ApiError> {
    let state = state(engine);
    let item = state.create_work_item(&params.title, &params.description, params.priority);
    shown(&state, Some(item.map_err(fleet_error)?))
}

/// The work item; it counts as done if the tracker says that its bead is closed.
pub(crate) fn work(engine: &Engine, params: &FleetWorkRef) -> Result<FleetWorkShown, ApiError> {
    let state = state(engine);
    let mut item = state.work_item(&params.bead).map_err(fleet_error)?;
    if let Some(item) = &mut item
        && !item.status.is_over()
        && bead(engine, &params.bead)?.is_some_and(|bead| bead.bead.status == BeadStatus::Closed)
    {
        item.status = WorkStatus::Done;
    }
    shown(&state, item)
}

pub(crate) fn work_items(engine: &Engine) -> Result<FleetWork, ApiError> {
    let state = state(engine);
    let work = state.work_items().map_err(fleet_error)?;
    Ok(FleetWork { work, warnings: state.take_warnings() })
}

pub(crate) fn set_work_status(
    engine: &Engine,
    params: &FleetWorkStatusParams,
) -> Result<FleetWorkShown, ApiError> {
    let state = state(engine);
    let item = state.update_work_status(&params.bead, params.status).map_err(fleet_error)?;
    shown(&state, Some(item))
}

/// Assigns a bead to an agent. A tracker bead becomes a work item, if it exists and is workable.
pub(crate) fn set_hook(engine: &Engine, params: &FleetHookParams) -> Result<FleetHookShown, ApiError> {
    let state = state(engine);
    let given = given(engine, params, bead(engine, &params.bead)?)?;
    let hook = state.assign_all(&[given]).map_err(fleet_error)?.pop().transpose().map_err(fleet_error)?;
    hooked(&state, hook)
}

/// Like [`set_hook`] for several assignments; the result of each.
pub(super) fn hand_out(
    engine: &Engine,
    params: &[FleetHookParams],
) -> Result<Vec<Result<(), ApiError>>, ApiError> {
    let ids: Vec<BeadId> = params.iter().map(|params| params.bead.clone()).collect();
    let shown: Vec<Result<Option<BeadDetail>, ApiError>> = match engine.tracker() {
        Ok(tracker) => tracker.show_all(&ids).into_iter().map(there).collect(),
        Err(error) => ids.iter().map(|_| Err(error.clone())).collect(),
    };
    let given: Vec<_> = params.iter().zip(shown).map(|(params, bead)| given(engine, params, bead?)).collect();
    let good: Vec<Assignment> = given.iter().filter_map(|given| given.as_ref().ok()).cloned().collect();
    let mut done = state(engine).assign_all(&good).map_err(fleet_error)?.into_iter();
    let outcome = |given: Result<Assignment, ApiError>| {
        given?;
        done.next().map_or(Ok(()), |done| done.map(drop).map_err(fleet_error))
    };
    Ok(given.into_iter().map(outcome).collect())
}

/// What an agent is given, as the tracker has it; an error where that cannot be worked on.
fn given(
    engine: &Engine,
    params: &FleetHookParams,
    shown: Option<BeadDetail>,
) -> Result<Assignment, ApiError> {
    let (mut id, mut texts) = (params.bead.clone(), None);
    if let Some(shown) = shown {
        let bead = &shown.bead;
        let workable = matches!(bead.status, BeadStatus::Open | BeadStatus::InProgress);
        if !workable {
            let text = format!("{} is {}: it cannot be assigned to an agent", bead.id, bead.status.as_str());
            return Err(ApiError::new(ErrorCode::BeadState, text));
        }
        if let Some(by) = bead.assignee.as_deref().filter(|by| !engine.user_actor().is_person(by)) {
            let text = format!("{} is claimed by {by}: it cannot be assigned to an agent", bead.id);
            return Err(ApiError::new(ErrorCode::BeadClaimed, text));
        }
        let priority = Priority::of_bead(bead.priority);
        id = bead.id.clone();
        texts = Some(Texts { title: bead.title.clone(), description: shown.description.clone(), priority });
    }
    Ok(Assignment { agent: params.agent.clone(), bead: id, texts })
}

pub(crate) fn activate_hook(engine: &Engine, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(engine);
    let hook = state.activate_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn complete_hook(engine: &Engine, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(engine);
    let hook = state.complete_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn clear_hook(engine: &Engine, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(engine);
    let hook = state.clear_hook(&params.id).map_err(fleet_error)?;
    hooked(&state, Some(hook))
}

pub(crate) fn hook(engine: &Engine, params: &FleetAgentRef) -> Result<FleetHookShown, ApiError> {
    let state = state(engine);
    let hook = state.hook(&params.id).map_err(fleet_error)?;
    hooked(&state, hook)
}

/// The tracker's bead with this id; `None` if it has none.
pub(super) fn bead(engine: &Engine, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
    there(engine.tracker()?.show(id))
}

fn there(shown: Result<BeadDetail, TrackerError>) -> Result<Option<BeadDetail>, ApiError> {
    match shown {
        Ok(bead) => Ok(Some(bead)),
        Err(TrackerError::NotFound { .. }) => Ok(None),
        Err(error) => Err(tracker_error(error)),
    }
}

/// The work item with this id that exists only in the fleet's files.
pub(crate) fn own_work(engine: &Engine, id: &BeadId) -> Result<Option<WorkItem>, ApiError> {
    if !id.is_of_fleet() || bead(engine, id)?.is_some() {
        return Ok(None);
    }
    state(engine).work_item(id).map_err(fleet_error)
}

/// Starts a session on a fleet-only work item, on the branch named after it. The prompt is the given one, or the
/// work item's text.
pub(super) fn start_on_own(
    engine: &Engine,
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
    session::start_for(engine, params, ForFleet { agent, own_work: Some(item.bead_id.clone()), again: false })
}

fn shown(state: &State, work: Option<WorkItem>) -> Result<FleetWorkShown, ApiError> {
    Ok(FleetWorkShown { work, warnings: state.take_warnings() })
}

fn hooked(state: &State, hook: Option<HookState>) -> Result<FleetHookShown, ApiError> {
    Ok(FleetHookShown { hook, warnings: state.take_warnings() })
}
