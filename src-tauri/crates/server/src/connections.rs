//! Limits the number of connections, and the time that a connection may take to authenticate.
//!
//! A connection is a *stranger* until one of its requests has a valid token or exchanges a link. The number
//! of strangers and their time are limited. At the limit, a new stranger closes the oldest one, so that
//! half-open requests cannot lock out the user's browser. Connections with access have a separate limit.
//! WebSockets ([`crate::shutdown`]) leave this register, which then no longer closes them.

use crate::shutdown::WebSockets;
use axum::{Router, http::Request};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{
    collections::VecDeque,
    future::pending,
    io,
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// The maximum time for a request's headers, and between two requests on one connection.
const HEADERS_TIMEOUT: Duration = Duration::from_secs(60);

/// The minimum time before another stranger can close this one. A browser sends its token well within this
/// time.
const STRANGER_MIN_TIME: Duration = Duration::from_millis(500);

/// The time limit for strangers to finish after the shutdown has started.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The delay after a failed accept, usually because the system has run out of file descriptors.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    strangers: usize,
    admitted: usize,
    /// The maximum number of WebSockets.
    pub(crate) websockets: usize,
}

impl Limits {
    /// Limits that leave about half of the process's file descriptors to projects, sessions and programs.
    pub(crate) fn for_descriptors(descriptors: usize) -> Limits {
        Limits {
            strangers: (descriptors / 8).clamp(4, 128),
            admitted: (descriptors / 8).clamp(8, 512),
            websockets: (descriptors / 4).clamp(8, 4096),
        }
    }
}

/// All connections except WebSockets.
pub(crate) struct Connections {
    limits: Limits,
    strangers_within: Duration,
    state: Mutex<State>,
    /// Notified when a connection is admitted or leaves the register.
    left: Notify,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The strangers, oldest first.
    strangers: VecDeque<Stranger>,
    admitted: usize,
}

struct Stranger {
    id: u64,
    since: Instant,
    close: Arc<Notify>,
}

/// A connection in the register. Dropping this value removes the connection from the register.
pub(crate) struct Connection {
    all: Arc<Connections>,
    id: u64,
    close: Arc<Notify>,
    admitted: AtomicBool,
}

impl Connections {
    pub(crate) fn new(limits: Limits, strangers_within: Duration) -> Arc<Connections> {
        Arc::new(Connections { limits, strangers_within, state: Mutex::default(), left: Notify::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>) -> Arc<Connection> {
        let mut state = self.lock();
        let (id, close) = (state.next, Arc::new(Notify::new()));
        state.next += 1;
        state.strangers.push_back(Stranger { id, since: Instant::now(), close: Arc::clone(&close) });
        drop(state);
        Arc::new(Connection { all: Arc::clone(self), id, close, admitted: AtomicBool::new(false) })
    }

    /// Waits until there is space for a stranger. At the limit, closes the oldest stranger after its minimum
    /// time.
    async fn room(&self) {
        loop {
            let left = self.left.notified();
            let Some(undisturbed) = self.full_until() else { return };
            if undisturbed <= Instant::now() {
                return self.close_oldest();
            }
            tokio::select! {
                () = left => {}
                () = sleep_until(undisturbed) => {}
            }
        }
    }

    /// The time at which the oldest stranger may be closed; `None` if there is still space.
    fn full_until(&self) -> Option<Instant> {
        let state = self.lock();
        let is_full = state.strangers.len() >= self.limits.strangers;
        state.strangers.front().filter(|_| is_full).map(|oldest| oldest.since + STRANGER_MIN_TIME)
    }

    fn close_oldest(&self) {
        if let Some(oldest) = self.lock().strangers.pop_front() {
            oldest.close.notify_one();
        }
    }
}

impl Connection {
    /// Marks the connection as authenticated. Returns false if too many other connections have access.
    pub(crate) fn admit(&self) -> bool {
        if self.admitted.load(Ordering::Acquire) {
            return true;
        }
        let mut state = self.all.lock();
        if state.admitted >= self.all.limits.admitted {
            return false;
        }
        // Two requests on one connection are never handled concurrently.
        if !self.admitted.swap(true, Ordering::AcqRel) {
            state.admitted += 1;
            state.strangers.retain(|stranger| stranger.id != self.id);
        }
        drop(state);
        self.all.left.notify_one();
        true
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut state = self.all.lock();
        match self.admitted.load(Ordering::Acquire) {
            true => state.admitted -= 1,
            false => state.strangers.retain(|stranger| stranger.id != self.id),
        }
        drop(state);
        self.all.left.notify_one();
    }
}

/// Accepts connections until the server is stopped, and then waits until all connections are closed.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Arc<Connections>,
    websockets: WebSockets,
) {
    let mut tasks = JoinSet::new();
    let mut ended = pin!(websockets.started());
    loop {
        let next = async {
            connections.room().await;
            listener.accept().await
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            () = &mut ended => break,
        };
        match accepted {
            Ok((stream, _)) => {
                // Small packets are sent immediately, so that typed keys are echoed sooner. An error is
                // ignored, because a connection also works without this option.
                let _ = stream.set_nodelay(true);
                tasks.spawn(answer(stream, router.clone(), connections.enter(), websockets.started()));
            }
            Err(error) if concerns_one_connection(&error) => {}
            Err(_) => {
                connections.close_oldest();
                tokio::time::sleep(OUT_OF_DESCRIPTORS).await;
            }
        }
        while tasks.try_join_next().is_some() {}
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

/// Whether the error affects only one connection, and not the listener.
fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Answers the requests on one connection until it ends, is upgraded, or must be closed.
async fn answer(
    stream: TcpStream,
    router: Router,
    connection: Arc<Connection>,
    shutdown: impl Future<Output = ()>,
) {
    let (routes, ours) = (TowerToHyperService::new(router), Arc::clone(&connection));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&ours));
        routes.call(request)
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let (mut http, mut shutdown) = (pin!(http), pin!(shutdown));
    let mut ends = false;
    let mut strangers_until = Some(Instant::now() + connection.all.strangers_within);
    loop {
        let too_late = async {
            match strangers_until {
                Some(until) => sleep_until(until).await,
                None => pending().await,
            }
        };
        tokio::select! {
            // An error is ignored, because a failed connection affects only its client.
            _ = http.as_mut() => return,
            () = connection.close.notified() => return,
            () = too_late => match connection.admitted.load(Ordering::Acquire) {
                true => strangers_until = None,
                false => return,
            },
            () = &mut shutdown, if !ends => {
                ends = true;
                http.as_mut().graceful_shutdown();
                strangers_until = Some(Instant::now() + SHUTDOWN_TIMEOUT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(strangers: usize) -> Arc<Connections> {
        let limits = Limits { strangers, admitted: 2, websockets: 1 };
        Connections::new(limits, Duration::from_secs(3600))
    }

    #[tokio::test]
    async fn the_oldest_unauthenticated_connection_is_closed_and_never_an_authenticated_one() {
        let all = register(2);
        let (first, second) = (all.enter(), all.enter());
        assert!(first.admit());
        all.room().await;
        let third = all.enter();
        let before = Instant::now();
        all.room().await;
        assert!(before.elapsed() >= STRANGER_MIN_TIME, "the second one was not given its time");
        second.close.notified().await;
        let fourth = all.enter();
        assert!(third.admit() && !fourth.admit(), "the limit of admitted connections is reached");
        assert!(first.admit(), "a connection that has access keeps it");
        drop((first, second, third, fourth));
        let state = all.lock();
        assert_eq!((state.strangers.len(), state.admitted), (0, 0));
    }

    #[tokio::test]
    async fn a_freed_place_is_used_immediately() {
        let all = register(1);
        let only = all.enter();
        let before = Instant::now();
        let leaves = async {
            tokio::task::yield_now().await;
            drop(only);
        };
        tokio::join!(all.room(), leaves);
        assert!(before.elapsed() < STRANGER_MIN_TIME);
    }

    #[test]
    fn half_of_the_descriptors_are_reserved() {
        for descriptors in [64, 128, 1024, 4096, 1 << 20] {
            let Limits { strangers, admitted, websockets } = Limits::for_descriptors(descriptors);
            assert!(strangers + admitted + websockets <= descriptors / 2, "{descriptors}");
        }
        assert_eq!(Limits::for_descriptors(1024), Limits { strangers: 128, admitted: 128, websockets: 256 });
    }
}
