//! The page's open event feeds and terminals.

use crate::events::Following;
use bc_bridge::{Backend, FlowLimits, Terminal};
use bc_core::ids::SessionId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The feeds and terminals that the page has open, each under a number.
pub(crate) struct Clients {
    backend: Arc<dyn Backend>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    last: u32,
    following: HashMap<u32, Following>,
    terminals: HashMap<u32, Arc<Terminal>>,
}

impl Open {
    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}

impl Clients {
    pub(crate) fn new(backend: Arc<dyn Backend>) -> Clients {
        Clients { backend, open: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        Arc::clone(&self.backend)
    }

    /// Sends the events after `since` to the page, or only new events if `since` is `None`. Returns the
    /// feed's number.
    pub(crate) fn follow(&self, since: Option<u64>, send: impl Fn(&str) -> bool + Send + 'static) -> u32 {
        let following = Following::start(self.backend.events(since), send);
        let mut open = self.lock();
        let id = open.next();
        open.following.insert(id, following);
        id
    }

    /// Records that the page has handled `count` events of this feed in total.
    pub(crate) fn taken(&self, id: u32, count: u64) {
        if let Some(following) = self.lock().following.get(&id) {
            following.taken(count);
        }
    }

    pub(crate) fn unfollow(&self, id: u32) {
        let following = self.lock().following.remove(&id);
        drop(following);
    }

    pub(crate) fn attach(&self, project: &str, session: SessionId) -> (u32, Arc<Terminal>) {
        let terminal = Terminal::attach(self.backend(), project, session, FlowLimits::DEFAULT);
        let terminal = Arc::new(terminal);
        let mut open = self.lock();
        let id = open.next();
        open.terminals.insert(id, Arc::clone(&terminal));
        (id, terminal)
    }

    pub(crate) fn terminal(&self, id: u32) -> Option<Arc<Terminal>> {
        self.lock().terminals.get(&id).map(Arc::clone)
    }

    pub(crate) fn detach(&self, id: u32) {
        let terminal = self.lock().terminals.remove(&id);
        if let Some(terminal) = terminal {
            terminal.close();
        }
    }

    /// Closes all feeds and terminals, because the page was closed or is reloading.
    pub(crate) fn forget(&self) {
        let mut open = self.lock();
        let (following, terminals) =
            (std::mem::take(&mut open.following), std::mem::take(&mut open.terminals));
        drop(open);
        drop(following);
        terminals.values().for_each(|terminal| terminal.close());
    }
}
