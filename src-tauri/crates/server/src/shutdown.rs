//! The graceful shutdown, which notifies connected clients and waits until they have disconnected.

use crate::people::Holder;
use axum::extract::ws::{CloseCode, CloseFrame, Message, close_code};
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

/// The time limit for a client's answer to the close frame.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The server's side of the shutdown, which starts the shutdown and waits for the WebSockets.
pub(crate) struct Shutdown {
    trigger: watch::Sender<bool>,
    alive: mpsc::Sender<()>,
    closed: mpsc::Receiver<()>,
    permits: Arc<Semaphore>,
}

/// The connections' side of the shutdown, which registers WebSockets and notifies them when the shutdown
/// starts.
#[derive(Clone)]
pub(crate) struct WebSockets {
    started: watch::Receiver<bool>,
    alive: mpsc::WeakSender<()>,
    permits: Arc<Semaphore>,
}

/// A registered WebSocket. Dropping this value unregisters it.
pub(crate) struct Registration {
    started: watch::Receiver<bool>,
    holder: Holder,
    _alive: mpsc::Sender<()>,
    _permit: OwnedSemaphorePermit,
}

impl Shutdown {
    /// Creates both sides, for at most `limit` simultaneous WebSockets.
    pub(crate) fn new(limit: usize) -> Shutdown {
        let (trigger, _) = watch::channel(false);
        let (alive, closed) = mpsc::channel(1);
        Shutdown { trigger, alive, closed, permits: Arc::new(Semaphore::new(limit)) }
    }

    pub(crate) fn websockets(&self) -> WebSockets {
        WebSockets {
            started: self.trigger.subscribe(),
            alive: self.alive.downgrade(),
            permits: Arc::clone(&self.permits),
        }
    }

    pub(crate) fn trigger(&self) -> watch::Sender<bool> {
        self.trigger.clone()
    }

    /// Stops registering WebSockets, and waits until all of them are closed.
    pub(crate) async fn all_closed(self) {
        let Shutdown { alive, mut closed, .. } = self;
        drop(alive);
        while closed.recv().await.is_some() {}
    }
}

impl WebSockets {
    /// Registers a WebSocket. Returns `None` if there is no space or the server is shutting down.
    pub(crate) fn register(&self, holder: Holder) -> Option<Registration> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        Some(Registration {
            started: self.started.clone(),
            holder,
            _alive: self.alive.upgrade()?,
            _permit: permit,
        })
    }

    pub(crate) fn started(&self) -> impl Future<Output = ()> + use<> {
        started(self.started.clone())
    }
}

impl Registration {
    /// Waits until the shutdown starts or the WebSocket's access is revoked. Returns the close frame.
    pub(crate) fn close_requested(&self) -> impl Future<Output = Message> + use<> {
        let (started, revoked) = (started(self.started.clone()), self.holder.revoked());
        async move {
            tokio::select! {
                () = started => close_frame(close_code::AWAY, "the server is ending"),
                () = revoked => close_frame(close_code::POLICY, "access was revoked"),
            }
        }
    }
}

async fn started(mut started: watch::Receiver<bool>) {
    // An error means that the server no longer exists.
    let _ = started.wait_for(|started| *started).await;
}

pub(crate) fn close_frame(code: CloseCode, why: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: why.into() }))
}

/// Reads from a client until the client has closed the connection, for at most [`CLOSE_TIMEOUT`]. Otherwise,
/// unread data would make the system reset the connection, and the client would lose data that it has not
/// read yet.
pub(crate) async fn await_close(listening: impl Future<Output = ()>) {
    // The result is ignored, because a client that does not answer in time is disconnected anyway.
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, listening).await;
}
