//! Assigns work to many agents in one operation, and records that an agent has begun its work. The files of
//! assignments are written and synced together; if that fails, they are written separately.
//!
//! A crash leaves a state that separate writes could also leave: a hook never refers to a missing work item,
//! and the hook determines the item's state ([`settled`]).

use crate::{
    FleetError, State,
    files::{Kind, Planned},
    work::{check_texts, holder},
};
use bc_core::{
    fleet::{
        AgentStatus, FleetEventKind, HookRefused, HookState, HookStatus, Priority, WorkItem, WorkStatus,
    },
    ids::{BeadId, FleetAgentId, SessionId},
};
use std::collections::BTreeSet;

/// A requested assignment of one bead to one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub agent: FleetAgentId,
    pub bead: BeadId,
    /// The bead's text for its work item. `None` for a work item that exists only in the fleet; it keeps its
    /// text.
    pub texts: Option<Texts>,
}

/// The text of a work item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The title. It must not be blank, and has at most 1,000 bytes.
    pub title: String,
    /// The description. It can be empty, and has at most one mebibyte.
    pub description: String,
    /// The bead's priority in the tracker.
    pub priority: Priority,
}

/// The writes of one assignment, and the events to log after them.
struct PlannedAssignment {
    work: Planned<WorkItem>,
    hook: Planned<HookState>,
    events: Vec<FleetEventKind>,
}

impl State {
    /// Makes all assignments, each like [`State::put_work_item`] followed by [`State::set_hook`]. Completed
    /// work on a tracked bead is reopened. Each assignment succeeds or fails independently. The results are
    /// in the order of the assignments.
    ///
    /// # Errors
    ///
    /// The state cannot be locked, or one of its folders cannot be read.
    pub fn assign_all(&self, given: &[Assignment]) -> Result<Vec<Result<HookState, FleetError>>, FleetError> {
        let mut seen = BTreeSet::new();
        // Assignments with the same agent or bead depend on each other, so make them one by one.
        if !given.iter().all(|given| seen.insert(given.agent.as_str()) && seen.insert(given.bead.as_str())) {
            return Ok(given.iter().map(|given| self.assign_one(given)).collect());
        }
        let (plans, whole) = {
            let _lock = self.lock()?;
            let mut hooks = self.hooks()?;
            let plans: Vec<_> = given.iter().map(|given| self.plan_assignment(given, &mut hooks)).collect();
            let whole = self.write_planned(&plans)?;
            if whole {
                let done = given.iter().zip(&plans).filter(|(_, plan)| plan.is_ok());
                let beads: BTreeSet<&BeadId> = done.map(|(given, _)| &given.bead).collect();
                self.forget_completed(|hook| hook.bead().is_some_and(|bead| beads.contains(bead)))?;
            }
            (plans, whole)
        };
        let results = plans.into_iter().zip(given).map(|(plan, given)| {
            let PlannedAssignment { hook: Planned { value: hook, .. }, events, .. } = plan?;
            if whole {
                return Ok(hook);
            }
            let lock = self.lock()?;
            if self.hook(&given.agent)?.as_ref() != Some(&hook) {
                drop(lock);
                // Another program changed a file meanwhile, or the disk is full. Make this assignment
                // separately.
                return self.assign_one(given);
            }
            self.log_all(events)?;
            Ok(hook)
        });
        Ok(results.collect())
    }

    /// Makes a single assignment with separate writes.
    fn assign_one(&self, given: &Assignment) -> Result<HookState, FleetError> {
        if let Some(texts) = &given.texts {
            let item = self.put_work_item(&given.bead, &texts.title, &texts.description, texts.priority)?;
            if item.status.is_over() {
                self.update_work_status(&given.bead, WorkStatus::Open)?;
            }
        }
        self.set_hook(&given.agent, &given.bead)
    }

    /// Plans the writes of one assignment, and applies the assignment to `hooks`.
    fn plan_assignment(
        &self,
        given: &Assignment,
        hooks: &mut Vec<HookState>,
    ) -> Result<PlannedAssignment, FleetError> {
        let Assignment { agent, bead, texts } = given;
        if self.known(agent)?.status == AgentStatus::Terminated {
            return Err(HookRefused::Terminated { agent: agent.clone() }.into());
        }
        if let Some(texts) = texts {
            check_texts(&texts.title, &texts.description)?;
        }
        let mut events = Vec::new();
        let now = self.now();
        let mut hook = None;
        let work = self.plan(Kind::Work, bead.as_str(), |item: Option<WorkItem>| {
            if item.is_none() && texts.is_some() {
                events.push(FleetEventKind::WorkCreated { bead: bead.clone() });
            }
            let mut item = with_texts(item, bead, texts.as_ref())?;
            if let Some(other) = holder(hooks, bead).filter(|hook| hook.agent_id != *agent) {
                let refused = HookRefused::Taken { bead: bead.clone(), agent: other.agent_id.clone() };
                return Err(refused.into());
            }
            // The item was completed, but the tracker's bead is open again. The tracker takes precedence.
            if texts.is_some() && item.status.is_over() {
                item.status = WorkStatus::Open;
                events.push(FleetEventKind::WorkStatus { bead: bead.clone(), status: WorkStatus::Open });
            }
            let planned = self.plan(Kind::Hooks, agent.as_str(), |hook: Option<HookState>| {
                let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
                Ok(hook.with(&item, now)?)
            })?;
            let item = with_state_of(item, &planned.value);
            hook = Some(planned);
            Ok(item)
        })?;
        let hook = hook.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
        hooks.retain(|other| other.agent_id != *agent);
        hooks.push(hook.value.clone());
        events.push(FleetEventKind::HookSet { agent: agent.clone(), bead: bead.clone() });
        Ok(PlannedAssignment { work, hook, events })
    }

    /// Writes the valid plans and logs their events. Returns `false` if a write failed. In that case no event
    /// is logged, but some files may already have been written.
    fn write_planned(&self, plans: &[Result<PlannedAssignment, FleetError>]) -> Result<bool, FleetError> {
        let good = || plans.iter().filter_map(|plan| plan.as_ref().ok());
        // Write the work items first, because a hook must not refer to a missing item.
        let work: Vec<_> = good().filter_map(|plan| plan.work.write.as_ref()).collect();
        let hooks: Vec<_> = good().filter_map(|plan| plan.hook.write.as_ref()).collect();
        if !self.write_all(&work).unwrap_or(false) || !self.write_all(&hooks).unwrap_or(false) {
            return Ok(false);
        }
        self.log_all(good().flat_map(|plan| plan.events.iter().cloned()).collect())?;
        Ok(true)
    }

    /// Records that an agent has begun its work: sets its session and, if its hook is pending, activates the
    /// hook.
    ///
    /// # Errors
    ///
    /// The agent does not exist, or a file cannot be written.
    pub fn begin_work(&self, agent: &FleetAgentId, session: SessionId) -> Result<(), FleetError> {
        self.set_agent_session(agent, Some(session))?;
        if self.hook(agent)?.is_none_or(|hook| hook.status != HookStatus::Pending) {
            return Ok(());
        }
        match self.activate_hook(agent) {
            // Another process has changed the hook meanwhile.
            Ok(_) | Err(FleetError::Refused(HookRefused::Status { .. })) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Returns the work item with this text, creating it if necessary. Without text, the item must exist and
/// keeps its current text.
fn with_texts(item: Option<WorkItem>, bead: &BeadId, texts: Option<&Texts>) -> Result<WorkItem, FleetError> {
    let Some(texts) = texts else { return item.ok_or_else(|| FleetError::NoWork(bead.to_string())) };
    let Texts { title, description, priority } = texts.clone();
    Ok(match item {
        Some(item) => WorkItem { title, description, priority, ..item },
        None => WorkItem::new(bead.clone(), title, description, priority),
    })
}

/// Returns the work item with its hook's state. The item keeps its own text.
fn with_state_of(item: WorkItem, hook: &HookState) -> WorkItem {
    let Some(on_hook) = &hook.work_item else { return item };
    let (status, hook_status) = (on_hook.status, on_hook.hook_status);
    WorkItem { status, assignee: on_hook.assignee.clone(), hook_status, ..item }
}
