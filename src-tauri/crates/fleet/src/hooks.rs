//! Hooks: who holds which piece of work.
//!
//! The hook is written first where work is put on it or taken off it, and the work item first where the work
//! is done: whatever a crash leaves, the hook and [`bc_core::fleet::settled`] say the same.

use crate::{FleetError, State, files::Kind, work::holder};
use bc_core::{
    fleet::{AgentIdentity, AgentStatus, FleetEventKind, HookRefused, HookState, WorkItem},
    ids::{BeadId, FleetAgentId},
};

impl State {
    /// Gives an agent a piece of work.
    ///
    /// # Errors
    /// The agent or the work is not there, the agent has work, somebody else has this work, it is done, or a
    /// file cannot be written.
    pub fn set_hook(&self, agent: &FleetAgentId, bead: &BeadId) -> Result<HookState, FleetError> {
        let _lock = self.lock()?;
        let known = self.known(agent)?;
        if known.status == AgentStatus::Terminated {
            return Err(HookRefused::Terminated { agent: agent.clone() }.into());
        }
        let Some(item) = self.read::<WorkItem>(Kind::Work, bead.as_str())? else {
            return Err(FleetError::NoWork(bead.to_string()));
        };
        let hooks = self.hooks()?;
        if let Some(other) = holder(&hooks, bead).filter(|hook| hook.agent_id != *agent) {
            let refused = HookRefused::Taken { bead: bead.clone(), agent: other.agent_id.clone() };
            return Err(refused.into());
        }
        let now = self.now();
        let hook = self.change(Kind::Hooks, agent.as_str(), |hook| {
            let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
            Ok(hook.with(&item, now)?)
        })?;
        self.follow(&hook)?;
        self.told(FleetEventKind::HookSet { agent: agent.clone(), bead: bead.clone() })?;
        Ok(hook)
    }

    /// The agent begins what hangs on its hook.
    ///
    /// # Errors
    /// Nothing waits there, or a file cannot be written.
    pub fn activate_hook(&self, agent: &FleetAgentId) -> Result<HookState, FleetError> {
        let _lock = self.lock()?;
        self.known(agent)?;
        let now = self.now();
        let hook = self.change(Kind::Hooks, agent.as_str(), |hook: Option<HookState>| {
            let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
            Ok(hook.activated(now)?)
        })?;
        self.follow(&hook)?;
        if let Some(bead) = hook.bead() {
            self.told(FleetEventKind::HookActivated { agent: agent.clone(), bead: bead.clone() })?;
        }
        Ok(hook)
    }

    /// The agent is done with what hangs on its hook.
    ///
    /// # Errors
    /// It has not begun anything, or a file cannot be written.
    pub fn complete_hook(&self, agent: &FleetAgentId) -> Result<HookState, FleetError> {
        let _lock = self.lock()?;
        self.known(agent)?;
        let now = self.now();
        let hook = self.hook(agent)?.unwrap_or_else(|| HookState::empty(agent.clone(), now));
        let (_, done) = hook.completed(now)?;
        self.put(&done)?;
        let hook = self.change(Kind::Hooks, agent.as_str(), |hook: Option<HookState>| {
            let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
            Ok(hook.completed(now)?.0)
        })?;
        self.told(FleetEventKind::HookCompleted { agent: agent.clone(), bead: done.bead_id })?;
        Ok(hook)
    }

    /// Takes off an agent's hook whatever hangs on it. One that cannot be read is set aside for that.
    ///
    /// # Errors
    /// There is no such agent, or a file cannot be written.
    pub fn clear_hook(&self, agent: &FleetAgentId) -> Result<HookState, FleetError> {
        let _lock = self.lock()?;
        self.known(agent)?;
        let now = self.now();
        let mut held = None;
        let mut clear = || {
            self.change(Kind::Hooks, agent.as_str(), |hook: Option<HookState>| {
                let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
                held = hook.work_item.clone();
                Ok(hook.cleared(now))
            })
        };
        let hook = match clear() {
            Err(FleetError::Corrupt { .. }) => {
                if let Some(aside) = self.set_aside(Kind::Hooks, agent.as_str())? {
                    self.warn(format!(
                        "the hook of {agent} could not be read; it is kept as {}",
                        aside.display()
                    ));
                }
                clear()?
            }
            other => other?,
        };
        if let Some(item) = &held {
            self.settle(&item.bead_id)?;
        }
        let bead = held.map(|item| item.bead_id);
        self.told(FleetEventKind::HookCleared { agent: agent.clone(), bead })?;
        Ok(hook)
    }

    /// Says that an agent's work is to be gone on with by another one; the hook is cleared before.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn work_handed_on(&self, agent: &FleetAgentId, bead: &BeadId) -> Result<(), FleetError> {
        let _lock = self.lock()?;
        self.told(FleetEventKind::WorkHandedOn { agent: agent.clone(), bead: bead.clone() })
    }

    /// An agent's hook; none where nothing ever hung on it, and with a warning where its file cannot be read.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn hook(&self, agent: &FleetAgentId) -> Result<Option<HookState>, FleetError> {
        self.read(Kind::Hooks, agent.as_str())
    }

    /// All hooks, by their agents.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn hooks(&self) -> Result<Vec<HookState>, FleetError> {
        self.all(Kind::Hooks)
    }

    pub(crate) fn known(&self, agent: &FleetAgentId) -> Result<AgentIdentity, FleetError> {
        self.agent(agent)?.ok_or_else(|| FleetError::NoAgent(agent.to_string()))
    }

    /// Writes the work item as it is on its hook.
    fn follow(&self, hook: &HookState) -> Result<(), FleetError> {
        match &hook.work_item {
            Some(item) => self.put(item),
            None => Ok(()),
        }
    }

    fn put(&self, item: &WorkItem) -> Result<(), FleetError> {
        let put = |kept: Option<WorkItem>| {
            // Texts are the work item's own; what hangs on the hook is as old as the hook.
            let kept = kept.unwrap_or_else(|| item.clone());
            Ok(WorkItem {
                status: item.status,
                assignee: item.assignee.clone(),
                hook_status: item.hook_status,
                ..kept
            })
        };
        self.change(Kind::Work, item.bead_id.as_str(), put).map(drop)
    }

    /// Writes the work item as the hooks say it is.
    fn settle(&self, bead: &BeadId) -> Result<(), FleetError> {
        if self.read::<WorkItem>(Kind::Work, bead.as_str())?.is_none() {
            return Ok(());
        }
        let hooks = self.hooks()?;
        let settle = |item: Option<WorkItem>| {
            let item = item.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
            Ok(bc_core::fleet::settled(&item, holder(&hooks, bead)))
        };
        self.change(Kind::Work, bead.as_str(), settle).map(drop)
    }
}
