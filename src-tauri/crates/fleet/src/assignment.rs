//! Assigns work to many agents at once, and starts it. Changes that would be separate writes are written
//! together, with one wait for the disk.
//!
//! A crash leaves the same states as separate changes: a work item exists before a hook refers to it, and the
//! hook determines the item's state ([`settled`]).

use crate::{
    FleetError, State,
    agents::with_session,
    files::{Kind, Planned},
    work::{check_texts, holder},
};
use bc_core::{
    fleet::{
        AgentIdentity, AgentStatus, FleetEventKind, HookRefused, HookState, HookStatus, Priority, WorkItem,
        WorkStatus,
    },
    ids::{BeadId, FleetAgentId, SessionId},
};
use std::collections::BTreeSet;

/// Work for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The agent.
    pub agent: FleetAgentId,
    /// The bead.
    pub bead: BeadId,
    /// The tracker's texts; `None` for work of the fleet itself.
    pub texts: Option<Texts>,
}

/// The description of a work item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// Its title.
    pub title: String,
    /// The description.
    pub description: String,
    /// The priority.
    pub priority: Priority,
}

/// The planned writes of one assignment.
struct PlannedAssignment {
    work: Planned<WorkItem>,
    hook: Planned<HookState>,
    events: Vec<FleetEventKind>,
}

impl State {
    /// Assigns all of it, as [`State::put_work_item`] and [`State::set_hook`] do for one: completed work is
    /// opened again. The assignments succeed or fail independently.
    ///
    /// # Errors
    ///
    /// The state cannot be locked, or one of its folders cannot be read.
    pub fn assign_all(&self, given: &[Assignment]) -> Result<Vec<Result<HookState, FleetError>>, FleetError> {
        let mut seen = BTreeSet::new();
        // Assignments with the same agent or bead depend on each other.
        if !given.iter().all(|given| seen.insert(given.agent.as_str()) && seen.insert(given.bead.as_str())) {
            return Ok(given.iter().map(|given| self.hand(given)).collect());
        }
        let (handed, whole) = {
            let _lock = self.lock()?;
            let mut hooks = self.hooks()?;
            let handed: Vec<_> = given.iter().map(|given| self.plan_assignment(given, &mut hooks)).collect();
            let whole = self.write_planned(&handed)?;
            if whole {
                let done = given.iter().zip(&handed).filter(|(_, handed)| handed.is_ok());
                let beads: BTreeSet<&BeadId> = done.map(|(given, _)| &given.bead).collect();
                self.forget_completed(|hook| hook.bead().is_some_and(|bead| beads.contains(bead)))?;
            }
            (handed, whole)
        };
        let each = handed.into_iter().zip(given).map(|(handed, given)| {
            let PlannedAssignment { hook: Planned { value: hook, .. }, events, .. } = handed?;
            if whole {
                return Ok(hook);
            }
            let lock = self.lock()?;
            if self.hook(&given.agent)?.as_ref() != Some(&hook) {
                drop(lock);
                // Another program made a change meanwhile, or the disk is full: assign them one by one.
                return self.hand(given);
            }
            self.log_all(events)?;
            Ok(hook)
        });
        Ok(each.collect())
    }

    /// A single assignment.
    fn hand(&self, given: &Assignment) -> Result<HookState, FleetError> {
        if let Some(texts) = &given.texts {
            let item = self.put_work_item(&given.bead, &texts.title, &texts.description, texts.priority)?;
            if item.status.is_over() {
                self.update_work_status(&given.bead, WorkStatus::Open)?;
            }
        }
        self.set_hook(&given.agent, &given.bead)
    }

    /// The planned writes of one assignment, and the hooks after it.
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
            let mut item = texts_into(item, bead, texts.as_ref())?;
            if let Some(other) = holder(hooks, bead).filter(|hook| hook.agent_id != *agent) {
                let refused = HookRefused::Taken { bead: bead.clone(), agent: other.agent_id.clone() };
                return Err(refused.into());
            }
            // It was completed before, and the tracker has it open again: the tracker wins.
            if texts.is_some() && item.status.is_over() {
                item.status = WorkStatus::Open;
                events.push(FleetEventKind::WorkStatus { bead: bead.clone(), status: WorkStatus::Open });
            }
            let planned = self.plan(Kind::Hooks, agent.as_str(), |hook: Option<HookState>| {
                let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
                Ok(hook.with(&item, now)?)
            })?;
            let item = on_hook(item, &planned.value);
            hook = Some(planned);
            Ok(item)
        })?;
        let hook = hook.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
        hooks.retain(|other| other.agent_id != *agent);
        hooks.push(hook.value.clone());
        events.push(FleetEventKind::HookSet { agent: agent.clone(), bead: bead.clone() });
        Ok(PlannedAssignment { work, hook, events })
    }

    /// Writes everything; `false` if any write failed.
    fn write_planned(&self, handed: &[Result<PlannedAssignment, FleetError>]) -> Result<bool, FleetError> {
        let good = || handed.iter().filter_map(|handed| handed.as_ref().ok());
        // Work items first: a hook must not refer to a missing item.
        let work: Vec<_> = good().filter_map(|handed| handed.work.write.as_ref()).collect();
        let hooks: Vec<_> = good().filter_map(|handed| handed.hook.write.as_ref()).collect();
        if !self.write_all(&work).unwrap_or(false) || !self.write_all(&hooks).unwrap_or(false) {
            return Ok(false);
        }
        self.log_all(good().flat_map(|handed| handed.events.iter().cloned()).collect())?;
        Ok(true)
    }

    /// Sets the agent's session and activates a pending hook: [`State::set_agent_session`] and
    /// [`State::activate_hook`] in one write.
    ///
    /// # Errors
    ///
    /// The agent does not exist, or a file cannot be written.
    pub fn begin_work(&self, agent: &FleetAgentId, session: SessionId) -> Result<(), FleetError> {
        {
            let _lock = self.lock()?;
            match self.begun(agent, session) {
                Ok(true) => return Ok(()),
                // Fall back to separate writes.
                Ok(false) | Err(FleetError::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.set_agent_session(agent, Some(session))?;
        let waits = self.hook(agent)?.is_some_and(|hook| hook.status == HookStatus::Pending);
        if waits {
            self.activate_hook(agent)?;
        }
        Ok(())
    }

    fn begun(&self, id: &FleetAgentId, session: SessionId) -> Result<bool, FleetError> {
        let (now, mut events) = (self.now(), Vec::new());
        let agent = self.plan(Kind::Agents, id.as_str(), |agent: Option<AgentIdentity>| {
            let agent = agent.ok_or_else(|| FleetError::NoAgent(id.to_string()))?;
            let with = with_session(&agent, Some(session));
            if with != agent {
                events.push(FleetEventKind::AgentSession { agent: id.clone(), session: Some(session) });
            }
            Ok(with)
        })?;
        let mut writes = vec![agent.write];
        if let Some(hook) = self.hook(id)?.filter(|hook| hook.status == HookStatus::Pending) {
            let hook = self.plan(Kind::Hooks, id.as_str(), |known: Option<HookState>| {
                Ok(known.unwrap_or_else(|| hook.clone()).activated(now)?)
            })?;
            if let (Some(item), Some(bead)) = (&hook.value.work_item, hook.value.bead()) {
                let work = self.plan(Kind::Work, bead.as_str(), |kept: Option<WorkItem>| {
                    Ok(on_hook(kept.unwrap_or_else(|| item.clone()), &hook.value))
                })?;
                events.push(FleetEventKind::HookActivated { agent: id.clone(), bead: bead.clone() });
                writes.push(work.write);
            }
            writes.push(hook.write);
        }
        let writes: Vec<_> = writes.iter().flatten().collect();
        if !self.write_all(&writes)? {
            return Ok(false);
        }
        self.log_all(events)?;
        Ok(true)
    }
}

/// The work item with the tracker's current texts.
fn texts_into(item: Option<WorkItem>, bead: &BeadId, texts: Option<&Texts>) -> Result<WorkItem, FleetError> {
    let Some(texts) = texts else { return item.ok_or_else(|| FleetError::NoWork(bead.to_string())) };
    let Texts { title, description, priority } = texts.clone();
    Ok(match item {
        Some(item) => WorkItem { title, description, priority, ..item },
        None => WorkItem::new(bead.clone(), title, description, priority),
    })
}

/// The work item with the state of its hook; it keeps its own texts.
fn on_hook(item: WorkItem, hook: &HookState) -> WorkItem {
    let Some(hung) = &hook.work_item else { return item };
    WorkItem { status: hung.status, assignee: hung.assignee.clone(), hook_status: hung.hook_status, ..item }
}
