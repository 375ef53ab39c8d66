//! Connections: accepted, greeted, read in a thread each, which is the owner for what they say.

use crate::{
    client_out::ClientOut,
    frame::{self, Frame},
    owner::{Office, Word},
    protocol::{Hello, PROTOCOL_VERSION, Role, Welcome},
    web,
};
use bc_claude::hooks::EventName;
use bc_core::ids::SessionId;
use bc_process::{
    noticed::Awaited,
    socket::{Bound, Incoming, Stream},
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

/// How long a connection may take to say what it is.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// How long the next piece of context waits for claude to notice that the hook of the one before has ended; where it
/// does not, the order is left to chance.
const NOTICED_WITHIN: Duration = Duration::from_secs(4);

/// How many connections there may be at a time.
const CONNECTIONS_MAX: usize = 512;

/// Which connection.
pub(crate) type ClientId = u64;

/// Accepts for as long as the host lives, once there is an owner; who comes before that waits.
pub(crate) fn serve(bound: Bound, session: SessionId, owner: Receiver<Arc<Office>>) -> io::Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    thread::Builder::new().name("accept".into()).spawn(move || {
        // A host that could not begin needs no connections.
        let Ok(office) = owner.recv() else { return };
        for id in 1.. {
            let stream = match bound.accept() {
                Ok(stream) => stream,
                Err(_) => {
                    // Out of descriptors, most likely: others may close some.
                    thread::sleep(Duration::from_millis(100));
                    continue;
                }
            };
            if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (office, counted) = (Arc::clone(&office), open.clone());
            let started = thread::Builder::new().name("client".into()).spawn(move || {
                converse(id, stream, session, &office);
                counted.fetch_sub(1, Ordering::Relaxed);
            });
            if started.is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    })?;
    Ok(())
}

fn converse(id: ClientId, mut stream: Stream, session: SessionId, office: &Arc<Office>) {
    let Some(role) = greet(&mut stream, session) else { return };
    if matches!(role, Role::Browser | Role::Attach { .. }) {
        // A key goes on its way as soon as it comes, whatever computes meanwhile.
        bc_process::answers_at_once();
    }
    if role == Role::Browser {
        return web::converse(id, stream, office);
    }
    // Claude puts pieces together in the order in which it notices the ends of their hooks.
    let piece = matches!(&role, Role::Hook { event, .. } if *event == EventName::SessionStart.as_str());
    let hook = piece.then(|| Awaited::of(&stream)).flatten();
    let Ok(out) = ClientOut::of(&stream, writer(id, office)) else { return };
    if !office.hear(id, Word::Connected { role, out }) {
        return;
    }
    let mut stream = BufReader::with_capacity(64 << 10, Incoming::of(stream));
    while let Ok(Some(frame)) = frame::read(&mut stream) {
        if !office.hear(id, Word::Frame(frame)) {
            break;
        }
    }
    if let Some(hook) = hook {
        hook.noticed_within(NOTICED_WITHIN);
    }
    let _ = office.hear(id, Word::Left);
}

/// Starts the thread that writes what a client's connection does not take at once.
pub(crate) fn writer(
    id: ClientId,
    office: &Arc<Office>,
) -> impl FnOnce(ClientOut, Stream) -> io::Result<()> + Send + use<> {
    let owner = Arc::clone(office);
    move |queue, stream| {
        let write = move || {
            queue.write_to(stream, || {
                // An owner that is gone needs no word.
                let _ = owner.hear(id, Word::CaughtUp);
            });
        };
        thread::Builder::new().name("client-out".into()).spawn(write).map(drop)
    }
}

/// Reads what the connection wants to be and welcomes it; `None` when it is none of ours.
fn greet(stream: &mut Stream, session: SessionId) -> Option<Role> {
    stream.set_read_timeout(Some(HELLO_WITHIN)).ok()?;
    let hello: Hello = frame::read(stream).ok()??.json().ok()?;
    // A hook of a newer or older build than the host's is still claude's hook.
    let fits = hello.version == PROTOCOL_VERSION || matches!(hello.role, Role::Hook { .. });
    let welcome = match fits {
        true => Welcome::Yes { version: PROTOCOL_VERSION, session },
        false => Welcome::OtherVersion { version: PROTOCOL_VERSION },
    };
    frame::write(stream, &Frame::control(&welcome)).ok()?;
    stream.set_read_timeout(None).ok()?;
    fits.then_some(hello.role)
}
