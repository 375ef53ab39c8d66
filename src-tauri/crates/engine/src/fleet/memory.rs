//! What an engine remembers of its fleet while it runs. None of it is needed after a restart.

use crate::engine::now;
use bc_beads::Listing;
use bc_core::{Timestamp, ids::FleetAgentId, session::Meta};
use bc_fleet::State;
use bc_store::{KnownSessions, SessionStore, StoreError};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// After what time a start is tried again that failed for a reason that stops everybody.
const AGAIN: chrono::Duration = chrono::Duration::seconds(60);

/// It.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The state, where it was last: what crashes left in it was cleared away then.
    state: Mutex<Option<State>>,
    /// One decision at a time: what it was made from must still be true when it is carried out.
    turn: Mutex<()>,
    /// Agents whose session is being opened.
    starting: Mutex<BTreeSet<FleetAgentId>>,
    /// The tracker's beads and the mark with which they were listed.
    pub(super) listed: Mutex<Option<(String, Arc<Listing>)>>,
    /// The sessions' records as they were read last: there may be thousands, and a busy fleet is looked at many
    /// times a minute.
    known: Mutex<KnownSessions>,
    /// Why nothing could be started the last time, where that stops everybody.
    stopped: Mutex<Option<Stopped>>,
}

impl Memory {
    /// The state in that folder, with nothing in it to be warned of yet.
    pub(super) fn state(&self, dir: PathBuf) -> State {
        let mut kept = held(&self.state);
        match &*kept {
            Some(state) if state.dir() == dir => state.again(),
            _ => kept.insert(State::at(dir, now)).again(),
        }
    }

    /// Every session's record; only what changed since the last time is read.
    pub(super) fn sessions(&self, store: &SessionStore) -> Result<Vec<Arc<Meta>>, StoreError> {
        store.list_known(&mut held(&self.known))
    }

    /// Held while it is decided who gets what, and what becomes of those who have something.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        held(&self.turn)
    }

    pub(super) fn starting(&self) -> BTreeSet<FleetAgentId> {
        held(&self.starting).clone()
    }

    /// Marks an agent's session as being opened until what is returned is dropped; `None` where it is
    /// being opened already.
    pub(super) fn start(&self, agent: &FleetAgentId) -> Option<Starting<'_>> {
        let new = held(&self.starting).insert(agent.clone());
        new.then(|| Starting { memory: self, agent: agent.clone() })
    }

    /// Why nothing is started unasked, and until when.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        held(&self.stopped).clone()
    }

    /// Nothing is started unasked for a while: what failed for one would fail for all.
    pub(super) fn stop(&self, why: String) {
        *held(&self.stopped) = Some(Stopped { why, until: now() + AGAIN });
    }

    /// Takes that back.
    pub(super) fn go_on(&self) {
        *held(&self.stopped) = None;
    }
}

/// Why nothing is started unasked.
#[derive(Debug, Clone)]
pub(super) struct Stopped {
    pub(super) why: String,
    pub(super) until: Timestamp,
}

pub(super) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While it lives, the agent's session is being opened.
pub(super) struct Starting<'a> {
    memory: &'a Memory,
    agent: FleetAgentId,
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        held(&self.memory.starting).remove(&self.agent);
    }
}
