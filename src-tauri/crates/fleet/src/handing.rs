//! Handing out work to many agents at a time, and beginning it: what would be one change of a file after the other is
//! written together, so that the disk is waited for once and not once for each.
//!
//! What a crash leaves of it is what it would leave of the single changes: a piece of work is there before a hook has
//! it, and what it says of its hook is worth what the hook says ([`settled`]).

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

/// A piece of work for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Who gets it.
    pub agent: FleetAgentId,
    /// What.
    pub bead: BeadId,
    /// What the tracker says of it; `None` where it is the fleet's own.
    pub texts: Option<Texts>,
}

/// What a piece of work is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// Its title.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// How urgent it is.
    pub priority: Priority,
}

/// What is written for one of them.
struct Handed {
    work: Planned<WorkItem>,
    hook: Planned<HookState>,
    events: Vec<FleetEventKind>,
}

impl State {
    /// Gives each its work, as [`State::put_work_item`] and [`State::set_hook`] do for one: a piece of work that was done
    /// once is open again. What comes of one is nobody else's matter.
    ///
    /// # Errors
    /// The state cannot be locked, or a folder of it cannot be read.
    pub fn hand_out(&self, given: &[Given]) -> Result<Vec<Result<HookState, FleetError>>, FleetError> {
        let mut seen = BTreeSet::new();
        // What one gets decides what comes of the next one with the same.
        if !given.iter().all(|given| seen.insert(given.agent.as_str()) && seen.insert(given.bead.as_str())) {
            return Ok(given.iter().map(|given| self.hand(given)).collect());
        }
        let (handed, whole) = {
            let _lock = self.lock()?;
            let mut hooks = self.hooks()?;
            let handed: Vec<_> = given.iter().map(|given| self.handed(given, &mut hooks)).collect();
            let whole = self.write_handed(&handed)?;
            (handed, whole)
        };
        let each = handed.into_iter().zip(given).map(|(handed, given)| {
            let Handed { hook: Planned { value: hook, .. }, events, .. } = handed?;
            if whole {
                return Ok(hook);
            }
            let lock = self.lock()?;
            if self.hook(&given.agent)?.as_ref() != Some(&hook) {
                drop(lock);
                // Another program changed something meanwhile, or there is no room: by itself.
                return self.hand(given);
            }
            self.told_all(events)?;
            Ok(hook)
        });
        Ok(each.collect())
    }

    /// One by itself.
    fn hand(&self, given: &Given) -> Result<HookState, FleetError> {
        if let Some(texts) = &given.texts {
            let item = self.put_work_item(&given.bead, &texts.title, &texts.description, texts.priority)?;
            if item.status.is_over() {
                self.update_work_status(&given.bead, WorkStatus::Open)?;
            }
        }
        self.set_hook(&given.agent, &given.bead)
    }

    /// What is to be written for one, with the hooks as they will be then.
    fn handed(&self, given: &Given, hooks: &mut Vec<HookState>) -> Result<Handed, FleetError> {
        let Given { agent, bead, texts } = given;
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
            // It was done once, and the tracker says that it is open again: the tracker wins.
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
        Ok(Handed { work, hook, events })
    }

    /// Writes it all; `false` where not all could be written as it was meant.
    fn write_handed(&self, handed: &[Result<Handed, FleetError>]) -> Result<bool, FleetError> {
        let good = || handed.iter().filter_map(|handed| handed.as_ref().ok());
        // The work first: a hook must not name what is not there.
        let work: Vec<_> = good().filter_map(|handed| handed.work.write.as_ref()).collect();
        let hooks: Vec<_> = good().filter_map(|handed| handed.hook.write.as_ref()).collect();
        if !self.write_all(&work).unwrap_or(false) || !self.write_all(&hooks).unwrap_or(false) {
            return Ok(false);
        }
        self.told_all(good().flat_map(|handed| handed.events.iter().cloned()).collect())?;
        Ok(true)
    }

    /// Writes that the agent has this session, and that it begins what hangs on its hook, if something waits there:
    /// [`State::set_agent_session`] and [`State::activate_hook`] at a time.
    ///
    /// # Errors
    /// There is no such agent, or a file cannot be written.
    pub fn begin_work(&self, agent: &FleetAgentId, session: SessionId) -> Result<(), FleetError> {
        {
            let _lock = self.lock()?;
            match self.begun(agent, session) {
                Ok(true) => return Ok(()),
                // What can be written is, one after the other.
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
        self.told_all(events)?;
        Ok(true)
    }
}

/// The piece of work with what is said of it now.
fn texts_into(item: Option<WorkItem>, bead: &BeadId, texts: Option<&Texts>) -> Result<WorkItem, FleetError> {
    let Some(texts) = texts else { return item.ok_or_else(|| FleetError::NoWork(bead.to_string())) };
    let Texts { title, description, priority } = texts.clone();
    Ok(match item {
        Some(item) => WorkItem { title, description, priority, ..item },
        None => WorkItem::new(bead.clone(), title, description, priority),
    })
}

/// The piece of work as it is on its hook; its texts are its own.
fn on_hook(item: WorkItem, hook: &HookState) -> WorkItem {
    let Some(hung) = &hook.work_item else { return item };
    WorkItem { status: hung.status, assignee: hung.assignee.clone(), hook_status: hung.hook_status, ..item }
}
