//! Serves local clients. Terminals and most requests are forwarded to the place's host. The link itself
//! answers subscriptions and status requests.

use super::{connection::control_socket, shared::Shared};
use crate::{
    access::Sharing,
    child_output::read_beginning,
    forward::forward,
    verbs::{CONNECT, PLACE_VERB},
};
use bc_core::session::Status;
use bc_host::{
    frame::{self, Frame},
    protocol::{
        Call, Hello, Outcome, PROTOCOL_VERSION, Refused, RefusedCode, Reply, Request, Role, Stopped, Welcome,
    },
};
use bc_process::{
    pending::PendingConnections,
    piped::{Piped, PipedChild},
    run::{Finished, Program},
    socket::{Bound, Stream},
};
use bc_store::SessionStore;
use serde_json::Value;
use std::{
    io::{self, BufReader},
    net::Shutdown,
    process::{ChildStdin, ChildStdout},
    sync::Arc,
    thread,
    time::Duration,
};

/// The maximum length of a client's first message, in bytes.
const HELLO_MAX: usize = 16 << 10;

/// The time limit for a client's hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// How long a status request waits for the place's first status, and how long most other requests wait for
/// the resulting status.
const STATUS_WITHIN: Duration = Duration::from_secs(3);

/// How long a stop request waits until the session's end is recorded on this machine.
const RECORDED_WITHIN: Duration = Duration::from_secs(60);

/// How long a stop request waits for the recorded end after the connection was lost.
const LOST_STOP_WITHIN: Duration = Duration::from_secs(10);

/// The time limit for listing the places.
const LISTED_WITHIN: Duration = Duration::from_secs(20);

/// Accepts clients until the link exits.
pub(super) fn serve(bound: Bound, shared: Arc<Shared>) -> io::Result<()> {
    let pending = Arc::new(PendingConnections::default());
    thread::Builder::new().name("accept".into()).spawn(move || {
        loop {
            let (stream, unknown) = pending.accept(&bound);
            let shared = Arc::clone(&shared);
            // If the thread cannot be started, the connection is closed.
            let _ = thread::Builder::new().name("client".into()).spawn(move || {
                let mut unknown = Some(unknown);
                let _ = serve_client(stream, &shared, || drop(unknown.take()));
            });
        }
    })?;
    Ok(())
}

fn serve_client(mut stream: Stream, shared: &Shared, known: impl FnOnce()) -> Option<()> {
    stream.set_read_timeout(Some(HELLO_WITHIN)).ok()?;
    let first = frame::read_up_to(&mut stream, HELLO_MAX).ok()??;
    stream.set_read_timeout(None).ok()?;
    let hello: Hello = first.json().ok()?;
    match hello.role {
        // Claude and its hooks run at the place, so no hook connects to the link.
        Role::Hook { .. } => None,
        Role::Attach { .. } => {
            known();
            let mut host = HostConnection::open(shared).ok()?;
            frame::write(&mut host.stdin, &first).ok()?;
            host.forward_all(stream)
        }
        Role::Control if hello.version != PROTOCOL_VERSION => {
            let welcome = Welcome::OtherVersion { version: PROTOCOL_VERSION };
            frame::write(&mut stream, &Frame::control(&welcome)).ok()
        }
        Role::Control => {
            let welcome = Welcome::Yes { version: PROTOCOL_VERSION, session: shared.spec.session };
            frame::write(&mut stream, &Frame::control(&welcome)).ok()?;
            let mut stream = BufReader::new(stream);
            let mut known = Some(known);
            let mut host = None;
            while let Some(frame) = frame::read(&mut stream).ok()? {
                if let Some(known) = known.take() {
                    known();
                }
                let request: Request = frame.json().ok()?;
                if matches!(request.call, Call::Subscribe) {
                    return subscribe(stream.into_inner(), request.request, shared);
                }
                shared.begin_request();
                let outcome = answer(&mut host, &frame, &request, shared);
                let reply = Reply { reply: request.request, outcome };
                let written = frame::write(stream.get_mut(), &Frame::control(&reply));
                shared.end_request();
                written.ok()?;
            }
            Some(())
        }
    }
}

/// Adds the subscriber, and reads until the subscriber disconnects.
fn subscribe(stream: Stream, request: u64, shared: &Shared) -> Option<()> {
    let mut reader = stream.try_clone().ok()?;
    shared.subscribe(stream, request);
    let _ = io::copy(&mut reader, &mut io::sink());
    Some(())
}

/// Answers a request. `connection` is the connection to the place's host, which is opened on demand.
fn answer(
    connection: &mut Option<HostConnection>,
    frame: &Frame,
    request: &Request,
    shared: &Shared,
) -> Outcome {
    if matches!(request.call, Call::Status) {
        let Some(status) = shared.status(STATUS_WITHIN) else {
            let unknown = || "the place has not reported yet".to_owned();
            return refused(shared.unreachable_reason().unwrap_or_else(unknown));
        };
        return serde_json::to_value(status).map_or_else(|error| refused(error.to_string()), Outcome::Ok);
    }
    if let Some(why) = shared.unreachable_reason() {
        if !matches!(request.call, Call::Stop { .. }) {
            return refused(why);
        }
        let place = &shared.spec.place.name;
        if !is_removed(place) {
            return refused(format!(
                "{why}; to give the session up, remove the place: beads-console places remove {place}"
            ));
        }
        shared.give_up();
        shared.wait_finished(RECORDED_WITHIN);
        let message = format!("the place {place} was removed; the session is interrupted on this machine");
        return Outcome::Error(Refused { code: RefusedCode::State, message });
    }
    let host = match connection {
        Some(host) => host,
        None => match HostConnection::open_for_requests(shared) {
            Ok(host) => connection.insert(host),
            Err(why) => return refused(why),
        },
    };
    let outcome = match host.call(frame, request.request) {
        Ok(outcome) => outcome,
        Err(why) => {
            tracing::warn!(%why, "a request was cut off");
            *connection = None;
            if matches!(request.call, Call::Stop { .. })
                && let Some(stopped) = recorded_stop(shared)
            {
                return stopped;
            }
            let place = &shared.spec.place.name;
            return refused(format!(
                "the connection to {place} was lost during the request, which may have been carried out"
            ));
        }
    };
    match request.call {
        // The caller reads the session's files next, so the reply waits until they record the end.
        Call::Stop { .. } if matches!(outcome, Outcome::Ok(_)) => shared.wait_finished(RECORDED_WITHIN),
        Call::WaitReady | Call::Screen => {}
        _ => shared.refresh_status(STATUS_WITHIN),
    }
    outcome
}

/// The result of a stop request whose answer was lost, once the link has copied the session's end. The place closes
/// the shared connection when it has sent the record, which can be before the answer arrives.
fn recorded_stop(shared: &Shared) -> Option<Outcome> {
    shared.wait_finished(LOST_STOP_WITHIN);
    let meta = SessionStore::at(&shared.spec.beads_dir).session(shared.spec.session).meta().ok()?;
    if meta.status == Status::Active {
        return None;
    }
    let stopped = Stopped { status: meta.status, left: Vec::new(), unsaved: None };
    serde_json::to_value(stopped).ok().map(Outcome::Ok)
}

/// Whether the user has removed the place. Only the engine reads settings, so the link runs `beads-console places
/// list`.
fn is_removed(place: &str) -> bool {
    let listed = std::env::current_exe().ok().and_then(|console| {
        Program::new(console).args(["places", "list", "--json"]).timeout(LISTED_WITHIN).run().ok()
    });
    let listed = listed.filter(Finished::ok);
    let places = listed.and_then(|done| serde_json::from_slice::<Value>(&done.stdout).ok());
    let Some(places) = places.as_ref().and_then(|listed| listed["places"].as_array()) else { return false };
    places.iter().all(|known| known["name"] != place)
}

fn refused(message: String) -> Outcome {
    Outcome::Error(Refused { code: RefusedCode::Unreachable, message })
}

/// A connection to the place's host.
struct HostConnection {
    child: PipedChild,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl HostConnection {
    fn open(shared: &Shared) -> Result<HostConnection, String> {
        let control = control_socket(shared.spec.session).map_err(|error| error.to_string())?;
        let session = shared.spec.session.to_string();
        let args = [PLACE_VERB, CONNECT, &session];
        let started = shared.spec.place.start(Sharing::Uses(&control), &args);
        let Piped { child, stdin, stdout, stderr } = started.map_err(|error| error.to_string())?;
        thread::spawn(move || {
            let said = read_beginning(stderr);
            if !said.trim().is_empty() {
                tracing::warn!(said = %bc_core::text::one_line(&said), "a connection to the place's host ended");
            }
        });
        Ok(HostConnection { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Opens a connection for requests.
    fn open_for_requests(shared: &Shared) -> Result<HostConnection, String> {
        let mut host = HostConnection::open(shared)?;
        let hello = Hello { version: PROTOCOL_VERSION, role: Role::Control };
        frame::write(&mut host.stdin, &Frame::control(&hello)).map_err(|error| error.to_string())?;
        let welcome = frame::read(&mut host.stdout).map_err(|error| error.to_string())?;
        let place = &shared.spec.place.name;
        match welcome.and_then(|frame| frame.json().ok()) {
            Some(Welcome::Yes { .. }) => Ok(host),
            Some(Welcome::OtherVersion { .. }) => {
                Err(format!("the session at {place} runs under another version of Beads Console"))
            }
            None => Err(format!("the session's host at {place} does not answer")),
        }
    }

    fn call(&mut self, request: &Frame, number: u64) -> Result<Outcome, String> {
        frame::write(&mut self.stdin, request).map_err(|error| error.to_string())?;
        loop {
            let frame = frame::read(&mut self.stdout).map_err(|error| error.to_string())?;
            let frame = frame.ok_or("the connection to the place ended during the request")?;
            match frame.json::<Reply>() {
                Ok(reply) if reply.reply == number => return Ok(reply.outcome),
                _ => {}
            }
        }
    }

    /// Forwards bytes in both directions until either side closes.
    fn forward_all(self, stream: Stream) -> Option<()> {
        let HostConnection { child, mut stdin, mut stdout } = self;
        let mut from_client = stream.try_clone().ok()?;
        let mut to_client = stream.try_clone().ok()?;
        thread::spawn(move || {
            let _ = forward(&mut from_client, &mut stdin);
            // Dropping the pipe closes the host's input.
            drop(stdin);
        });
        let _ = forward(&mut stdout, &mut to_client);
        let _ = stream.shutdown(Shutdown::Both);
        drop(child);
        Some(())
    }
}
