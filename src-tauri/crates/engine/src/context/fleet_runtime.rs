//! The fleet's in-memory state in an engine. This state does not need to survive a restart.

use super::{git_exclude, locks::lock, time::now};
use bc_beads::Listing;
use bc_core::{Timestamp, ids::FleetAgentId, session::Meta};
use bc_fleet::State;
use bc_store::{RecordCache, SessionStore, StoreError};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

/// How long automatic starts are suspended after a failure that affects all agents.
const RETRY_AFTER: chrono::Duration = chrono::Duration::seconds(60);

/// Proof that the fleet's decision lock is held.
#[derive(Debug, Default)]
pub(crate) struct Decision(());

#[derive(Debug, Default)]
pub(crate) struct FleetRuntime {
    /// The fleet's state on disk, opened on first use.
    state: Mutex<Option<State>>,
    decision: Mutex<Decision>,
    /// The agents whose session is being opened, each with its place; `None` for this machine.
    starting: Mutex<BTreeMap<FleetAgentId, Option<String>>>,
    /// The tracker's beads, with the tracker's mark that was read before them.
    pub(crate) listed: Mutex<Option<(String, Arc<Listing>)>>,
    /// A cache of the sessions' records: a project can have thousands of sessions, and a busy fleet reads
    /// their records many times a minute.
    sessions: Mutex<RecordCache>,
    /// Set after a failure that affects all agents. No agent is started automatically until the suspension ends.
    suspended: Mutex<Option<Suspension>>,
}

impl FleetRuntime {
    /// The fleet's state in this folder, without the warnings of earlier callers. A new folder inside the
    /// project's repository is excluded from git.
    pub(crate) fn state(&self, dir: PathBuf, project: &Path) -> State {
        let mut cached = lock(&self.state);
        match &*cached {
            Some(state) if state.dir() == dir => state.again(),
            _ => {
                let project = project.to_owned();
                let state = State::at(dir, now).when_made(move |made| {
                    let failed = git_exclude::exclude(&project, made).err()?;
                    Some(format!("{} could not be excluded from git: {failed}", made.display()))
                });
                cached.insert(state).again()
            }
        }
    }

    /// The records of all sessions. Only changed records are read again.
    pub(crate) fn sessions(&self, store: &SessionStore) -> Result<Vec<Arc<Meta>>, StoreError> {
        store.list_cached(&mut lock(&self.sessions))
    }

    /// Takes the lock to hold while work is assigned or reconciled, so that a decision is still valid when it
    /// takes effect.
    pub(crate) fn decision_lock(&self) -> MutexGuard<'_, Decision> {
        lock(&self.decision)
    }

    /// The agents whose session is being opened, each with its place; `None` for this machine.
    pub(crate) fn starting(&self) -> BTreeMap<FleetAgentId, Option<String>> {
        lock(&self.starting).clone()
    }

    /// Marks an agent's session as being opened at a place until the guard is dropped; `None` if the session
    /// is already being opened.
    pub(crate) fn begin_start(
        &self,
        _: &Decision,
        agent: &FleetAgentId,
        place: Option<&str>,
    ) -> Option<StartGuard<'_>> {
        match lock(&self.starting).entry(agent.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(new) => {
                new.insert(place.map(str::to_owned));
                Some(StartGuard { state: self, agent: agent.clone() })
            }
        }
    }

    /// The current suspension of automatic starts; `None` if it has ended or was lifted.
    pub(crate) fn suspension(&self) -> Option<Suspension> {
        lock(&self.suspended).clone().filter(|suspension| suspension.until > now())
    }

    /// Suspends automatic starts for [`RETRY_AFTER`], because the failure would affect every agent.
    pub(crate) fn suspend(&self, why: String) {
        self.suspend_until(why, now() + RETRY_AFTER);
    }

    fn suspend_until(&self, why: String, until: Timestamp) {
        *lock(&self.suspended) = Some(Suspension { why, until });
    }

    pub(crate) fn lift_suspension(&self) {
        *lock(&self.suspended) = None;
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Suspension {
    pub(crate) why: String,
    pub(crate) until: Timestamp,
}

/// Marks an agent's session as being opened until it is dropped.
pub(crate) struct StartGuard<'a> {
    state: &'a FleetRuntime,
    agent: FleetAgentId,
}

impl Drop for StartGuard<'_> {
    fn drop(&mut self) {
        lock(&self.state.starting).remove(&self.agent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_ends_at_its_time() {
        let fleet = FleetRuntime::default();
        fleet.suspend("no claude".into());
        assert_eq!(fleet.suspension().map(|suspension| suspension.why).as_deref(), Some("no claude"));
        fleet.suspend_until("no claude".into(), now());
        assert!(fleet.suspension().is_none(), "an ended suspension must not cause more reconciliations");
    }
}
