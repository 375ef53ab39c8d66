//! Binds, announces, runs and stops the server.

use crate::{
    access::Access,
    announcement::{Announcement, Printed},
    connections::{self, Connections, Limits},
    control_socket,
    error::ServeError,
    links::Links,
    origin::Origin,
    people::Presence,
    policy, routes,
    shared::Shared,
    shutdown::Shutdown,
};
use bc_bridge::{Backend, assets};
use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tokio::{runtime, sync::watch};

/// The settings of a server: its address, its saved state, and its time limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeOptions {
    /// The port on 127.0.0.1; `None` or 0 for any free port.
    pub port: Option<u16>,
    /// The port to try first if `port` does not name one. If it cannot be bound, the server uses any free port.
    pub preferred: Option<u16>,
    /// The time limit for running commands to finish during the shutdown.
    pub grace: Duration,
    /// The time limit for a connection without access.
    pub strangers_within: Duration,
    /// The folder in which the tabs' access is saved. Without a folder, tabs need a new link after a restart.
    pub state: Option<PathBuf>,
    /// The address of the reverse proxy or tunnel through which browsers reach the server. Without it, the
    /// server answers at 127.0.0.1 and localhost.
    pub origin: Option<Origin>,
}

impl Default for ServeOptions {
    /// Any free port, 10 s for running commands, 15 s for connections without access, no state folder, no
    /// proxy.
    fn default() -> Self {
        ServeOptions {
            port: None,
            preferred: None,
            grace: Duration::from_secs(10),
            strangers_within: Duration::from_secs(15),
            state: None,
            origin: None,
        }
    }
}

/// A server that is bound to its port but does not answer yet; see [`Server::run`].
pub struct Server {
    listener: TcpListener,
    port: u16,
    grace: Duration,
    shared: Arc<Shared>,
    connections: Arc<Connections>,
    shutdown: Shutdown,
}

/// Stops a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Starts the graceful shutdown and returns immediately. The server refuses new requests, finishes
    /// running ones, and notifies connected clients.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Serves until SIGTERM or SIGINT, and also answers [`crate::another_link`]. Prints the [`Announcement`] on
/// standard output once the server is ready.
pub fn serve(server: Server, printed: Printed) -> Result<(), ServeError> {
    // The server also works without a control socket. It then prints a notice, and the browser can still
    // create links.
    let _control_socket = control_socket::open(server.links(), server.port())
        .inspect_err(|error| eprintln!("beads-console: `serve --link` is not available: {error}"));
    if let Some(notice) = unbuilt(assets::is_built()) {
        eprintln!("{notice}");
    }
    let announcement = server.announcement()?;
    let stopper = server.stopper();
    server.run(move || {
        end_on_signals(stopper)?;
        let print = announcement.print_start(printed, &mut io::stdout().lock());
        print.map_err(|source| ServeError::Announce { source })
    })
}

/// The notice for the terminal if the UI was not built.
fn unbuilt(built: bool) -> Option<String> {
    let how = assets::HOW_TO_BUILD.join(" && ");
    let notice = || {
        format!("beads-console: this build contains no user interface. Build it in the source folder: {how}")
    };
    (!built).then(notice)
}

impl Server {
    /// Binds the port. From then on, the system queues connections until [`Server::run`] accepts them.
    pub fn bind(options: ServeOptions, backend: Arc<dyn Backend>) -> Result<Server, ServeError> {
        let ServeOptions { port, preferred, grace, strangers_within, state, origin } = options;
        let listener = listen(port, preferred)?;
        let failed = |source| ServeError::Listen { port: port.unwrap_or_default(), source };
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let access = Access::new(port, origin, state);
        let limits = Limits::for_descriptors(bc_process::descriptors::limit());
        let shutdown = Shutdown::new(limits.websockets);
        let policy = policy::content_policy(&access);
        let presence = Arc::new(Presence::default());
        let weak = Arc::downgrade(&backend);
        presence.on_change(move || {
            if let Some(backend) = weak.upgrade() {
                backend.people_changed();
            }
        });
        let access = Arc::new(access);
        let shared =
            Arc::new(Shared { backend, access, presence, policy, websockets: shutdown.websockets() });
        let connections = Connections::new(limits, strangers_within);
        Ok(Server { listener, port, grace, shared, connections, shutdown })
    }

    /// The port that the server is bound to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The server's address, and a new link.
    pub fn announcement(&self) -> Result<Announcement, ServeError> {
        Announcement::of(&self.links(), self.port)
    }

    /// A handle for creating links while [`Server::run`] is blocking.
    pub fn links(&self) -> Links {
        Links::new(Arc::clone(&self.shared.access), Arc::clone(&self.shared.presence))
    }

    /// A handle for stopping the server while [`Server::run`] is blocking.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.shutdown.trigger())
    }

    /// Serves until the server is stopped, and calls `ready` once the server is ready. Commands that are
    /// still running after the grace period are abandoned.
    pub fn run(self, ready: impl FnOnce() -> Result<(), ServeError>) -> Result<(), ServeError> {
        tracing::info!(port = self.port, "server started");
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|source| ServeError::Start { source })?;
        let served = runtime.block_on(self.answer(ready));
        runtime.shutdown_background();
        match &served {
            Ok(()) => tracing::info!("server ends"),
            Err(error) => tracing::error!(%error, "server failed"),
        }
        served
    }

    async fn answer(self, ready: impl FnOnce() -> Result<(), ServeError>) -> Result<(), ServeError> {
        let Server { listener, grace, shared, connections, shutdown, .. } = self;
        let listener =
            tokio::net::TcpListener::from_std(listener).map_err(|source| ServeError::Start { source })?;
        let websockets = shared.websockets.clone();
        let started = websockets.started();
        let serving =
            tokio::spawn(connections::serve(listener, routes::router(shared), connections, websockets));
        // Starts the thread for the first command in advance.
        tokio::task::spawn_blocking(|| ());
        ready()?;
        let all = async {
            let served = serving.await;
            // Returns once the last WebSocket is closed.
            shutdown.all_closed().await;
            served
        };
        let too_late = async {
            started.await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            served = all => served.map_err(|panic| ServeError::Serve { source: io::Error::other(panic) }),
            () = too_late => Ok(()),
        }
    }
}

/// Listens on `port` if it is set and not 0; otherwise on `preferred`, or on any free port if that fails.
fn listen(port: Option<u16>, preferred: Option<u16>) -> Result<TcpListener, ServeError> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let named = port.filter(|&port| port != 0);
    if let (None, Some(preferred)) = (named, preferred)
        && let Ok(listener) = bind(preferred)
    {
        return Ok(listener);
    }
    let requested = named.unwrap_or_default();
    bind(requested).map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortTaken { port: requested, source },
        _ => ServeError::Listen { port: requested, source },
    })
}

/// Starts the shutdown on SIGTERM or SIGINT; on systems other than Unix, on Ctrl+C.
fn end_on_signals(stopper: Stopper) -> Result<(), ServeError> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).map_err(|source| ServeError::Signals { source });
        let (mut terminate, mut interrupt) =
            (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            stopper.stop();
        });
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        // If waiting fails, Ctrl+C keeps its default behaviour and ends the program immediately.
        if tokio::signal::ctrl_c().await.is_ok() {
            stopper.stop();
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_the_ui_prints_how_to_build_it() {
        let notice = unbuilt(false).expect("it has none");
        assert!(assets::HOW_TO_BUILD.iter().all(|line| notice.contains(line)), "{notice}");
        assert_eq!(unbuilt(true), None);
    }
}
