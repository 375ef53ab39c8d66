//! Binding, announcing, running and ending.

use crate::{
    access::Access,
    desk,
    error::ServeError,
    policy, routes,
    shutdown::{Door, Ending},
};
use axum::{http::HeaderValue, serve::ListenerExt};
use bc_bridge::{Backend, assets};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Write},
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    time::Duration,
};
use tokio::{runtime, sync::watch};

/// How a server is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServeOptions {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// How long commands under way are waited for in the end.
    pub grace: Duration,
}

impl Default for ServeOptions {
    /// A free port; ten seconds.
    fn default() -> Self {
        ServeOptions { port: 0, grace: Duration::from_secs(10) }
    }
}

/// What is printed, as one line of JSON, when the server answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The link for a browser; it works once.
    pub url: String,
    /// The port.
    pub port: u16,
    /// The server's process.
    pub pid: u32,
}

/// What every route has at hand.
pub(crate) struct Shared {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) access: Arc<Access>,
    pub(crate) policy: HeaderValue,
    pub(crate) door: Door,
}

/// A server that is bound to its port.
pub struct Server {
    listener: TcpListener,
    port: u16,
    grace: Duration,
    shared: Arc<Shared>,
    ending: Ending,
}

/// Makes links for more browsers.
#[derive(Clone)]
pub struct Links(Arc<Access>);

impl Links {
    /// A link that works once, in the place of one that was not used.
    pub fn fresh(&self) -> Result<String, ServeError> {
        self.0.new_link().map_err(|source| ServeError::Random { source })
    }
}

/// Ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// The server ends in order: no new requests, those under way are answered, clients are told.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Serves until SIGTERM or SIGINT, and prints the [`Announcement`] on standard output when it answers.
/// Meanwhile [`crate::another_link`] is answered.
pub fn serve(server: Server) -> Result<(), ServeError> {
    // A server without a desk is a server all the same: it says so, and gives links in the browser.
    let _desk = desk::open(server.links(), server.port())
        .inspect_err(|error| eprintln!("beads-console: `serve --link` will not be answered: {error}"));
    if let Some(said) = unbuilt(assets::is_built()) {
        eprintln!("{said}");
    }
    let announcement = server.announcement()?;
    let stopper = server.stopper();
    server.run(move || {
        end_on_signals(stopper)?;
        announce(&mut io::stdout().lock(), &announcement).map_err(|source| ServeError::Announce { source })
    })
}

/// What is said in the terminal where there is no UI to serve.
fn unbuilt(built: bool) -> Option<String> {
    let how = assets::HOW_TO_BUILD.join(" && ");
    let said =
        || format!("beads-console: this build has no user interface in it. In the source folder: {how}");
    (!built).then(said)
}

fn announce(out: &mut impl Write, announcement: &Announcement) -> io::Result<()> {
    let line = serde_json::to_string(announcement).expect("it has only text keys");
    writeln!(out, "{line}")?;
    out.flush()
}

impl Server {
    /// Takes the port. From here on connections wait to be answered.
    pub fn bind(options: ServeOptions, backend: Arc<dyn Backend>) -> Result<Server, ServeError> {
        let asked = options.port;
        let listen = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortTaken { port: asked, source },
            _ => ServeError::Listen { port: asked, source },
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, asked)).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let port = listener.local_addr().map_err(listen)?.port();
        let access = Access::new(port).map_err(|source| ServeError::Random { source })?;
        let ending = Ending::new();
        let policy = policy::content_policy(&access);
        let shared = Arc::new(Shared { backend, access: Arc::new(access), policy, door: ending.door() });
        Ok(Server { listener, port, grace: options.grace, shared, ending })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What to tell whoever started it, with a new link.
    pub fn announcement(&self) -> Result<Announcement, ServeError> {
        Ok(Announcement { url: self.links().fresh()?, port: self.port, pid: std::process::id() })
    }

    /// Makes links for more browsers while it runs.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.shared.access))
    }

    /// Ends it while it runs.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.ending.begin())
    }

    /// Answers until it is stopped; `ready` is called when it does. Commands that are still under way
    /// after the grace are left behind.
    pub fn run(self, ready: impl FnOnce() -> Result<(), ServeError>) -> Result<(), ServeError> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .on_thread_start(bc_process::answers_at_once)
            .build()
            .map_err(|source| ServeError::Start { source })?;
        let served = runtime.block_on(self.answer(ready));
        runtime.shutdown_background();
        served
    }

    async fn answer(self, ready: impl FnOnce() -> Result<(), ServeError>) -> Result<(), ServeError> {
        let Server { listener, grace, shared, ending, .. } = self;
        let listener =
            tokio::net::TcpListener::from_std(listener).map_err(|source| ServeError::Start { source })?;
        // A key's echo must not wait for more to send. A connection that cannot be set so works all the same.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let serve = axum::serve(listener, routes::router(shared)).with_graceful_shutdown(ending.begun());
        let begun = ending.begun();
        let serving = tokio::spawn(async move { serve.await });
        // A thread for the first command is there when it comes.
        tokio::task::spawn_blocking(|| ());
        ready()?;
        let all = async {
            let served = serving.await;
            // Ends once the last WebSocket has let go.
            ending.all_gone().await;
            served
        };
        let too_late = async {
            begun.await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            served = all => match served {
                Ok(served) => served.map_err(|source| ServeError::Serve { source }),
                Err(panic) => Err(ServeError::Serve { source: io::Error::other(panic) }),
            },
            () = too_late => Ok(()),
        }
    }
}

/// SIGTERM and SIGINT; elsewhere Ctrl+C.
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
        // Where it cannot be waited for, it ends the program at once, as it does without us.
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
    fn a_server_without_the_interface_says_how_to_build_it_and_one_with_it_says_nothing() {
        let said = unbuilt(false).expect("it has none");
        assert!(assets::HOW_TO_BUILD.iter().all(|line| said.contains(line)), "{said}");
        assert_eq!(unbuilt(true), None);
    }
}
