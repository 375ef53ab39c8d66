//! Ending in order: who stays connected is told, and is waited for.

use axum::extract::ws::{CloseCode, CloseFrame, Message};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// How long a client has to answer a goodbye.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// The server's own end of it.
pub(crate) struct Ending {
    begin: watch::Sender<bool>,
    alive: mpsc::Sender<()>,
    gone: mpsc::Receiver<()>,
}

/// Lets guests in: those who stay connected.
#[derive(Clone)]
pub(crate) struct Door {
    begun: watch::Receiver<bool>,
    alive: mpsc::WeakSender<()>,
}

/// Held by a guest until it has gone.
pub(crate) struct Guest {
    begun: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Ending {
    pub(crate) fn new() -> Ending {
        let (begin, _) = watch::channel(false);
        let (alive, gone) = mpsc::channel(1);
        Ending { begin, alive, gone }
    }

    /// Where guests come in.
    pub(crate) fn door(&self) -> Door {
        Door { begun: self.begin.subscribe(), alive: self.alive.downgrade() }
    }

    /// What begins it, from elsewhere.
    pub(crate) fn begin(&self) -> watch::Sender<bool> {
        self.begin.clone()
    }

    /// Waits until it has begun.
    pub(crate) fn begun(&self) -> impl Future<Output = ()> + use<> {
        begun(self.begin.subscribe())
    }

    /// Lets nobody in any more, and waits until all have gone.
    pub(crate) async fn all_gone(self) {
        let Ending { alive, mut gone, .. } = self;
        drop(alive);
        while gone.recv().await.is_some() {}
    }
}

impl Door {
    /// A new guest; `None` once nobody is let in.
    pub(crate) fn enter(&self) -> Option<Guest> {
        Some(Guest { begun: self.begun.clone(), _alive: self.alive.upgrade()? })
    }
}

impl Guest {
    /// Waits until the server is to end.
    pub(crate) fn asked_to_go(&self) -> impl Future<Output = ()> + use<> {
        begun(self.begun.clone())
    }
}

async fn begun(mut begun: watch::Receiver<bool>) {
    // An error means that the server is gone already.
    let _ = begun.wait_for(|begun| *begun).await;
}

/// The message that ends a WebSocket.
pub(crate) fn goodbye(code: CloseCode, why: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: why.into() }))
}

/// Hears a client out after the goodbye: a connection that is closed with something unread is reset, and
/// what the client has not read yet is lost with it.
pub(crate) async fn farewell(listening: impl Future<Output = ()>) {
    // One that does not answer is cut.
    let _ = tokio::time::timeout(FAREWELL, listening).await;
}
