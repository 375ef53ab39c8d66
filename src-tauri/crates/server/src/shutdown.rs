//! The graceful shutdown, which notifies connected clients and waits until they have disconnected.

use crate::people::Holder;
use axum::extract::ws::{CloseCode, CloseFrame, Message, close_code};
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

/// The time limit for a client's answer to the close frame.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// The server's side of the shutdown, which starts the shutdown and waits for the guests.
pub(crate) struct Ending {
    begin: watch::Sender<bool>,
    alive: mpsc::Sender<()>,
    gone: mpsc::Receiver<()>,
    places: Arc<Semaphore>,
}

/// The connections' side of the shutdown, which registers long-lived connections (guests) and tells them when
/// the shutdown has started.
#[derive(Clone)]
pub(crate) struct Door {
    begun: watch::Receiver<bool>,
    alive: mpsc::WeakSender<()>,
    places: Arc<Semaphore>,
}

/// A registered long-lived connection. Dropping this value unregisters it.
pub(crate) struct Guest {
    begun: watch::Receiver<bool>,
    holder: Holder,
    _alive: mpsc::Sender<()>,
    _place: OwnedSemaphorePermit,
}

impl Ending {
    /// Creates both sides, for at most `places` simultaneous guests.
    pub(crate) fn new(places: usize) -> Ending {
        let (begin, _) = watch::channel(false);
        let (alive, gone) = mpsc::channel(1);
        Ending { begin, alive, gone, places: Arc::new(Semaphore::new(places)) }
    }

    pub(crate) fn door(&self) -> Door {
        Door {
            begun: self.begin.subscribe(),
            alive: self.alive.downgrade(),
            places: Arc::clone(&self.places),
        }
    }

    pub(crate) fn begin(&self) -> watch::Sender<bool> {
        self.begin.clone()
    }

    pub(crate) fn begun(&self) -> impl Future<Output = ()> + use<> {
        begun(self.begin.subscribe())
    }

    /// Stops admitting guests, and waits until all guests have left.
    pub(crate) async fn all_gone(self) {
        let Ending { alive, mut gone, .. } = self;
        drop(alive);
        while gone.recv().await.is_some() {}
    }
}

impl Door {
    /// Registers a guest. Returns `None` if there is no space or the server is shutting down.
    pub(crate) fn enter(&self, holder: Holder) -> Option<Guest> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(Guest { begun: self.begun.clone(), holder, _alive: self.alive.upgrade()?, _place: place })
    }

    pub(crate) fn begun(&self) -> impl Future<Output = ()> + use<> {
        begun(self.begun.clone())
    }
}

impl Guest {
    /// Waits until the shutdown starts or the guest's access is revoked. Returns the close frame.
    pub(crate) fn asked_to_go(&self) -> impl Future<Output = Message> + use<> {
        let (begun, revoked) = (begun(self.begun.clone()), self.holder.revoked());
        async move {
            tokio::select! {
                () = begun => goodbye(close_code::AWAY, "the server is ending"),
                () = revoked => goodbye(close_code::POLICY, "access was revoked"),
            }
        }
    }
}

async fn begun(mut begun: watch::Receiver<bool>) {
    // An error means that the server no longer exists.
    let _ = begun.wait_for(|begun| *begun).await;
}

pub(crate) fn goodbye(code: CloseCode, why: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: why.into() }))
}

/// Reads from a client until the client has closed the connection, for at most [`FAREWELL`]. Otherwise,
/// unread data would make the system reset the connection, and the client would lose data that it has not
/// read yet.
pub(crate) async fn farewell(listening: impl Future<Output = ()>) {
    // The result is ignored, because a client that does not answer in time is disconnected anyway.
    let _ = tokio::time::timeout(FAREWELL, listening).await;
}
