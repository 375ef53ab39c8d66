//! Hook files, which record the work item of each agent.
//!
//! [`State::set_hook`] writes the hook before the item; completing or clearing a hook writes the item first.
//! After any crash, [`bc_core::fleet::settled`] can therefore compute the correct state from the hook and the
//! item.

use crate::{FleetError, State, files::Kind, work::holder};
use bc_core::{
    fleet::{
        AgentIdentity, AgentStatus, FleetEventKind, HookRefused, HookState, HookStatus, WorkItem, WorkStatus,
        settled,
    },
    ids::{BeadId, FleetAgentId},
};

impl State {
    /// Assigns a work item to an agent.
    ///
    /// # Errors
    ///
    /// The agent does not exist, is terminated or has other work; the item does not exist, is done or is on another
    /// agent's hook; or a file cannot be written.
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
        self.forget_completed(|other| other.agent_id != *agent && other.bead() == Some(bead))?;
        self.log_event(FleetEventKind::HookSet { agent: agent.clone(), bead: bead.clone() })?;
        Ok(hook)
    }

    /// Copies the state of completed hooks to their items, so that it survives the removal of the hooks. This
    /// is necessary because other programs can complete a hook without updating its item. Returns the beads
    /// of the updated items.
    ///
    /// # Errors
    ///
    /// A folder cannot be read, or a file cannot be written.
    pub fn record_completed(&self) -> Result<Vec<BeadId>, FleetError> {
        let is_completed = |hook: &HookState| hook.status == HookStatus::Completed;
        if !self.hooks()?.iter().any(is_completed) {
            return Ok(Vec::new());
        }
        let _lock = self.lock()?;
        self.put_completed()
    }

    /// Like [`State::record_completed`]. The caller holds the lock.
    fn put_completed(&self) -> Result<Vec<BeadId>, FleetError> {
        let hooks = self.hooks()?;
        let mut items: Vec<WorkItem> = self.all(Kind::Work)?;
        // Add the items that exist only as a copy on a hook.
        let completed = hooks.iter().filter(|hook| hook.status == HookStatus::Completed);
        for item in completed.filter_map(|hook| hook.work_item.as_ref()) {
            if !items.iter().any(|known| known.bead_id == item.bead_id) {
                items.push(item.free());
            }
        }
        let mut done = Vec::new();
        for item in items.iter().filter(|item| !item.status.is_over()) {
            let settled = settled(item, &hooks);
            if settled.status != WorkStatus::Done {
                continue;
            }
            self.put(&settled)?;
            if let Some(agent) = settled.assignee {
                self.log_event(FleetEventKind::HookCompleted { agent, bead: settled.bead_id.clone() })?;
            }
            done.push(settled.bead_id);
        }
        Ok(done)
    }

    /// Clears the completed hooks that fulfil `matches`, because their work was reopened or reassigned.
    pub(crate) fn forget_completed(&self, matches: impl Fn(&HookState) -> bool) -> Result<(), FleetError> {
        let now = self.now();
        let outdated = |hook: &HookState| hook.status == HookStatus::Completed && matches(hook);
        for hook in self.hooks()?.into_iter().filter(outdated) {
            self.change(Kind::Hooks, hook.agent_id.as_str(), |kept: Option<HookState>| {
                let kept = kept.unwrap_or_else(|| hook.clone());
                Ok(if outdated(&kept) { kept.cleared(now) } else { kept })
            })?;
        }
        Ok(())
    }

    /// Records that the agent has started the work on its hook.
    ///
    /// # Errors
    ///
    /// The agent does not exist, its hook is not pending, or a file cannot be written.
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
            self.log_event(FleetEventKind::HookActivated { agent: agent.clone(), bead: bead.clone() })?;
        }
        Ok(hook)
    }

    /// Records that the agent has completed the work on its hook.
    ///
    /// # Errors
    ///
    /// The agent does not exist, its hook is not active, or a file cannot be written.
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
        self.log_event(FleetEventKind::HookCompleted { agent: agent.clone(), bead: done.bead_id })?;
        Ok(hook)
    }

    /// Clears an agent's hook. An unreadable file is renamed first.
    ///
    /// # Errors
    ///
    /// The agent does not exist, or a file cannot be written.
    pub fn clear_hook(&self, agent: &FleetAgentId) -> Result<HookState, FleetError> {
        let _lock = self.lock()?;
        self.known(agent)?;
        let now = self.now();
        // Write the item first: while the work is on the hook, the hook determines its state. If the item
        // still named the agent after its hook was cleared, the agent's next completion would mark the item
        // as done.
        self.settle_for_clearing(agent)?;
        let mut held = None;
        let clear = |hook: Option<HookState>| {
            let hook = hook.unwrap_or_else(|| HookState::empty(agent.clone(), now));
            held = hook.work_item.clone();
            Ok(hook.cleared(now))
        };
        let what = format!("the hook of {agent}");
        let hook = self.change_or_restart(Kind::Hooks, agent.as_str(), &what, clear)?;
        if let Some(item) = &held {
            self.settle(&item.bead_id)?;
        }
        let bead = held.map(|item| item.bead_id);
        self.log_event(FleetEventKind::HookCleared { agent: agent.clone(), bead })?;
        Ok(hook)
    }

    /// Logs that another agent continues an agent's work. The caller has already cleared the hook.
    ///
    /// # Errors
    ///
    /// The log cannot be written.
    pub fn work_handed_on(&self, agent: &FleetAgentId, bead: &BeadId) -> Result<(), FleetError> {
        let _lock = self.lock()?;
        self.log_event(FleetEventKind::WorkHandedOn { agent: agent.clone(), bead: bead.clone() })
    }

    /// Returns an agent's hook, or `None` if its file does not exist. An invalid file also yields `None`,
    /// with a warning.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn hook(&self, agent: &FleetAgentId) -> Result<Option<HookState>, FleetError> {
        self.read(Kind::Hooks, agent.as_str())
    }

    /// All hooks, sorted by agent.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn hooks(&self) -> Result<Vec<HookState>, FleetError> {
        self.all(Kind::Hooks)
    }

    pub(crate) fn known(&self, agent: &FleetAgentId) -> Result<AgentIdentity, FleetError> {
        self.agent(agent)?.ok_or_else(|| FleetError::NoAgent(agent.to_string()))
    }

    /// Copies the hook's state to its work item.
    fn follow(&self, hook: &HookState) -> Result<(), FleetError> {
        match &hook.work_item {
            Some(item) => self.put(item),
            None => Ok(()),
        }
    }

    fn put(&self, item: &WorkItem) -> Result<(), FleetError> {
        let put = |kept: Option<WorkItem>| {
            // Keep the item's own text; the hook's copy dates from the assignment.
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

    /// Writes the states that a hook's items will have after the hook is cleared.
    fn settle_for_clearing(&self, agent: &FleetAgentId) -> Result<(), FleetError> {
        let Some(hook) = self.peek::<HookState>(Kind::Hooks, agent.as_str())? else { return Ok(()) };
        match (hook.status, hook.bead()) {
            (HookStatus::Completed, _) => self.put_completed().map(drop),
            (_, Some(bead)) => {
                let bead = bead.clone();
                if self.peek::<WorkItem>(Kind::Work, bead.as_str())?.is_none() {
                    return Ok(());
                }
                let free = |item: Option<WorkItem>| {
                    let item = item.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
                    Ok(if item.status.is_over() { item } else { item.free() })
                };
                self.change(Kind::Work, bead.as_str(), free).map(drop)
            }
            (_, None) => Ok(()),
        }
    }

    /// Writes the work item's state as computed from the hooks.
    fn settle(&self, bead: &BeadId) -> Result<(), FleetError> {
        if self.read::<WorkItem>(Kind::Work, bead.as_str())?.is_none() {
            return Ok(());
        }
        let hooks = self.hooks()?;
        let settle = |item: Option<WorkItem>| {
            let item = item.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
            Ok(settled(&item, &hooks))
        };
        self.change(Kind::Work, bead.as_str(), settle).map(drop)
    }
}
