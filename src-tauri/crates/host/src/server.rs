//! Accepts connections and reads each of them on its own thread, which passes the messages to the actor.

use crate::{
    actor::{ActorHandle, ClientMessage},
    client_id::ClientId,
    client_out::ClientOut,
    client_writer,
    frame::{self, Frame},
    protocol::{Hello, PROTOCOL_VERSION, Role, Welcome},
};
use bc_claude::hooks::EventName;
use bc_core::ids::SessionId;
use bc_process::{
    descriptors,
    exit_reaped::ReapWatch,
    pending::{Pending, PendingConnections},
    socket::{Bound, PolledReader, Stream},
};
use std::{
    io::{self, BufReader},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::Receiver,
    },
    thread,
    time::Duration,
};

/// The time limit for a client's hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// How long the next share of the context waits for claude to reap the previous hook. After this time, the
/// order of the shares is undefined.
const REAPED_WITHIN: Duration = Duration::from_secs(4);

/// The maximum length of a connection's first message, in bytes.
const HELLO_MAX: usize = 16 << 10;

/// The maximum number of clients, if there are enough file descriptors.
const CLIENTS_MAX: usize = 512;

/// The number of file descriptors per client: one each for reading, writing and the writer thread.
const DESCRIPTORS_EACH: usize = 3;

/// Accepts connections until the host exits. Connections made before there is an actor wait for it.
pub(crate) fn serve(bound: Bound, session: SessionId, actor: Receiver<Arc<ActorHandle>>) -> io::Result<()> {
    let pending = Arc::new(PendingConnections::default());
    let clients = Arc::new(Clients::default());
    thread::Builder::new().name("accept".into()).spawn(move || {
        // If the host could not start, no connections are accepted.
        let Ok(actor) = actor.recv() else { return };
        for id in 1.. {
            let (stream, unknown) = pending.accept(&bound);
            let (actor, clients) = (Arc::clone(&actor), Arc::clone(&clients));
            // If the thread cannot be started, the connection is closed.
            let _ = thread::Builder::new().name("client".into()).spawn(move || {
                serve_client(id, stream, session, &actor, &clients, unknown);
            });
        }
    })?;
    Ok(())
}

/// The number of clients that have identified themselves.
#[derive(Default)]
struct Clients(AtomicUsize);

impl Clients {
    /// Counts a client until the returned value is dropped. Returns `None` at the limit.
    fn enter(&self) -> Option<Client<'_>> {
        let most = (descriptors::limit() / 2 / DESCRIPTORS_EACH).min(CLIENTS_MAX);
        let others = self.0.fetch_add(1, Ordering::Relaxed);
        let client = Client(self);
        (others < most).then_some(client)
    }
}

/// Counts a client until this value is dropped.
struct Client<'a>(&'a Clients);

impl Drop for Client<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn serve_client(
    id: ClientId,
    mut stream: Stream,
    session: SessionId,
    actor: &Arc<ActorHandle>,
    clients: &Clients,
    unknown: Pending,
) {
    let Some(role) = greet(&mut stream, session) else { return };
    // A control client counts as identified after its first request.
    let mut unknown = (role == Role::Control).then_some(unknown);
    let mut known = if unknown.is_none() { clients.enter() } else { None };
    if unknown.is_none() && known.is_none() {
        return;
    }
    // Claude joins the shares of the context in the order in which it reaps their hooks.
    let has_share = matches!(&role, Role::Hook { event, .. } if *event == EventName::SessionStart.as_str());
    let hook = has_share.then(|| ReapWatch::of(&stream)).flatten();
    let Ok(out) = ClientOut::of(&stream, client_writer::writer(id, actor)) else { return };
    if !actor.handle_client(id, ClientMessage::Connected { role, out }) {
        return;
    }
    let mut stream = BufReader::with_capacity(64 << 10, PolledReader::new(stream));
    while let Ok(Some(frame)) = frame::read(&mut stream) {
        if unknown.take().is_some() {
            known = clients.enter();
            if known.is_none() {
                break;
            }
        }
        if !actor.handle_client(id, ClientMessage::Frame(frame)) {
            break;
        }
    }
    if let Some(hook) = hook {
        hook.wait_reaped(REAPED_WITHIN);
    }
    let _ = actor.handle_client(id, ClientMessage::Disconnected);
    drop(known);
}

/// Reads and answers the hello. Returns `None` if the client is not accepted.
fn greet(stream: &mut Stream, session: SessionId) -> Option<Role> {
    stream.set_read_timeout(Some(HELLO_WITHIN)).ok()?;
    let hello: Hello = frame::read_up_to(stream, HELLO_MAX).ok()??.json().ok()?;
    // Hooks of every version are accepted, because claude may still run another build's relay.
    let fits = hello.version == PROTOCOL_VERSION || matches!(hello.role, Role::Hook { .. });
    let welcome = match fits {
        true => Welcome::Yes { version: PROTOCOL_VERSION, session },
        false => Welcome::OtherVersion { version: PROTOCOL_VERSION },
    };
    frame::write(stream, &Frame::control(&welcome)).ok()?;
    stream.set_read_timeout(None).ok()?;
    fits.then_some(hello.role)
}
