//! Connections whose clients have not identified themselves yet. Their number is limited: when the limit is
//! reached, a new connection closes the oldest one. Clients that connect and send nothing therefore cannot
//! block other clients.

use crate::{
    descriptors,
    socket::{Bound, Stream},
};
use std::{
    collections::VecDeque,
    io,
    net::Shutdown,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The delay before the next attempt to accept a connection after an error.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);

/// The pending connections of one socket.
pub struct PendingConnections {
    most: usize,
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The open connections, oldest first.
    open: VecDeque<(u64, Stream)>,
    /// The number of open connections and of closed connections whose readers have not finished.
    alive: usize,
}

/// A pending connection. Drop it when its client has identified itself or disconnected.
pub struct Pending {
    all: Arc<PendingConnections>,
    id: u64,
}

impl Default for PendingConnections {
    /// The limit is a 32nd of this process's descriptor limit, but at least 4 and at most 32.
    fn default() -> PendingConnections {
        PendingConnections::new((descriptors::limit() / 32).clamp(4, 32))
    }
}

impl PendingConnections {
    /// Creates a set that is limited to `most` pending connections.
    pub fn new(most: usize) -> PendingConnections {
        PendingConnections { most, state: Mutex::default(), left: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts the next connection and registers it as pending. After an error, such as a lack of
    /// descriptors, closes the oldest pending connection and tries again.
    pub fn accept(self: &Arc<Self>, bound: &Bound) -> (Stream, Pending) {
        loop {
            match bound.accept().and_then(|stream| Ok((self.add(&stream)?, stream))) {
                Ok((pending, stream)) => return (stream, pending),
                Err(_) => {
                    close_oldest(&mut self.lock());
                    thread::sleep(OUT_OF_DESCRIPTORS);
                }
            }
        }
    }

    /// Adds a connection, and closes the oldest pending ones to stay within the limit. Waits while the number
    /// of unfinished readers is at least twice the limit.
    fn add(self: &Arc<Self>, stream: &Stream) -> io::Result<Pending> {
        let stream = stream.try_clone()?;
        let mut state = self.lock();
        while state.open.len() >= self.most {
            close_oldest(&mut state);
        }
        let is_full = |state: &mut State| state.alive >= 2 * self.most;
        let mut state = self.left.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
        let id = state.next;
        state.next += 1;
        state.alive += 1;
        state.open.push_back((id, stream));
        drop(state);
        Ok(Pending { all: Arc::clone(self), id })
    }
}

/// Shuts down the oldest connection. Its reader then drops the corresponding [`Pending`].
fn close_oldest(state: &mut State) {
    if let Some((_, stream)) = state.open.pop_front() {
        // Ignore an error: the connection may already be closed.
        let _ = stream.shutdown(Shutdown::Both);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut state = self.all.lock();
        state.open.retain(|(id, _)| *id != self.id);
        state.alive -= 1;
        drop(state);
        self.all.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::socket::{bind, connect};
    use std::io::{Read, Write};

    #[test]
    fn a_new_connection_closes_the_oldest_pending_one_but_never_an_identified_one() {
        let folder = tempfile::tempdir().unwrap();
        let bound = bind(&folder.path().join("s")).unwrap();
        let pending = Arc::new(PendingConnections::new(2));
        let connected = || {
            let client = connect(bound.path()).unwrap();
            let (stream, held) = pending.accept(&bound);
            (client, stream, held)
        };
        let (mut identified, mut served, held) = connected();
        drop(held);
        let (mut first, mut read, held) = connected();
        let _second = connected();
        let _third = connected();
        assert_eq!(first.read(&mut [0]).unwrap(), 0, "the oldest was not closed");
        assert_eq!(read.read(&mut [0]).unwrap(), 0, "its reader was not closed");
        drop(held);
        served.write_all(b"x").unwrap();
        identified.read_exact(&mut [0]).unwrap();
        let _fourth = connected();
        assert_eq!(pending.lock().open.len(), 2);
    }

    #[test]
    fn accept_waits_for_the_readers_of_closed_connections() {
        let folder = tempfile::tempdir().unwrap();
        let bound = bind(&folder.path().join("s")).unwrap();
        let pending = Arc::new(PendingConnections::new(1));
        let clients: Vec<_> = (0..3).map(|_| connect(bound.path()).unwrap()).collect();
        let (first, _second) = (pending.accept(&bound), pending.accept(&bound));
        thread::scope(|scope| {
            let third = scope.spawn(|| pending.accept(&bound));
            let (mut stream, held) = first;
            assert_eq!(stream.read(&mut [0]).unwrap(), 0);
            assert!(!third.is_finished(), "there are two already");
            drop(held);
            third.join().unwrap();
        });
        drop(clients);
    }
}
