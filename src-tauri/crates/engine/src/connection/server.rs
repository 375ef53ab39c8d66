//! The server side of the engine's socket, with one thread for each client. A client's requests are processed
//! in order, and each request is acknowledged before it takes effect. When the engine shuts down, it
//! completes acknowledged requests; clients send the others to the next engine.

use crate::{
    connection::{engine_lock::EngineLock, housekeeping::Housekeeper},
    context::{Context, lock},
    engine::Engine,
    merge_queue::Merger,
};
use bc_process::{
    pending::{Pending, PendingConnections},
    socket::{self, SocketError, Stream},
};
use bc_wire::{
    ApiError, ErrorCode, api,
    envelope::{Hello, PROTOCOL, Reply, Request},
};
use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Read, Write},
    net::Shutdown,
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The maximum length of a request line, in bytes.
const LINE_CAP: u64 = 16 << 20;

/// The read timeout until a client's first request has arrived.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The method of a client that waits for the engine's end. It is never answered; the engine's end closes the
/// connection.
pub(super) const WAIT_FOR_END: &str = "engine.wait_for_end";

/// Serves an engine over a socket until it is dropped.
pub(crate) struct Server {
    socket: PathBuf,
    gate: Arc<Gate>,
    lock: Option<EngineLock>,
    housekeeper: Option<Housekeeper>,
    merger: Mutex<Option<Merger>>,
}

/// Counts the requests in progress, and keeps the connections of clients that wait for the engine's end.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    closing: bool,
    busy: usize,
    /// The connections of clients that wait for this engine's end, by number.
    waiting: BTreeMap<u64, Stream>,
    next_waiting: u64,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, GateState> {
        lock(&self.state)
    }

    /// Registers a request; `false` if the engine is shutting down.
    fn enter(&self) -> bool {
        let mut state = self.lock();
        state.busy += usize::from(!state.closing);
        !state.closing
    }

    fn leave(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }

    /// Keeps the connection open until the client or the engine ends. The engine's end shuts it down.
    fn wait_for_end(&self, stream: Stream, reader: &mut impl Read) -> io::Result<()> {
        let number = {
            let mut state = self.lock();
            if state.closing {
                return Ok(());
            }
            let number = state.next_waiting;
            state.next_waiting += 1;
            state.waiting.insert(number, stream);
            number
        };
        let ended = io::copy(reader, &mut io::sink());
        self.lock().waiting.remove(&number);
        ended.map(drop)
    }

    /// Reports this engine's end to the waiting clients.
    fn end_waiting(&self) {
        for stream in self.lock().waiting.values() {
            // An error means that the client has ended.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// The error if the socket cannot be opened; without a socket, this process cannot be the engine. On a full disk, the
/// caller opens the project read-only.
fn unreachable(error: &SocketError) -> ApiError {
    let text = format!("the engine's socket could not be opened: {error}");
    match error {
        SocketError::Folder { source, .. } | SocketError::Bind { source, .. } if is_full(source) => {
            ApiError::new(ErrorCode::DiskFull, text)
                .hint("free some space or inodes in its folder; until then the project is read-only")
        }
        _ => ApiError::new(ErrorCode::Io, text)
            .hint("set XDG_RUNTIME_DIR to one of your folders with a short path"),
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

impl Server {
    /// Starts listening, announces the socket, and starts the housekeeping.
    pub(crate) fn start(engine: Arc<Engine>, lock: EngineLock) -> Result<Server, ApiError> {
        let path = lock.socket_path().map_err(|e| unreachable(&e))?;
        let listener = socket::bind(&path).map_err(|e| unreachable(&e))?;
        lock.announce(&path)?;
        let gate = Arc::new(Gate::default());
        let for_accept = Arc::clone(&gate);
        let housekeeper = Some(Housekeeper::start(Arc::clone(&engine.ctx), engine.next_sweep()));
        let connections = Arc::new(PendingConnections::default());
        thread::spawn(move || {
            loop {
                let (stream, pending) = connections.accept(&listener);
                let (engine, gate) = (Arc::clone(&engine), Arc::clone(&for_accept));
                // If no thread can be started, the connection is closed.
                let _ = thread::Builder::new().name("client".into()).spawn(move || {
                    // A client that disconnects is not an error.
                    let _ = serve_client(&engine, &gate, stream, pending);
                });
            }
        });
        Ok(Server { socket: path, gate, lock: Some(lock), housekeeper, merger: Mutex::new(None) })
    }

    /// Starts merging the queue. Merging stops when the server is dropped.
    pub(crate) fn keep_merging(&self, ctx: &Arc<Context>) {
        let mut merger = lock(&self.merger);
        merger.get_or_insert_with(|| Merger::start(Arc::clone(ctx)));
    }

    /// Whether this is still the engine of the folder at the project's path.
    pub(crate) fn is_current(&self) -> bool {
        self.lock.as_ref().is_some_and(EngineLock::is_current)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        state.closing = true;
        while state.busy > 0 {
            state = self.gate.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        drop(self.housekeeper.take());
        drop(lock(&self.merger).take());
        // From this point, clients do not find the socket and try to take the lock.
        let _ = bc_store::file::remove(&self.socket);
        drop(self.lock.take());
        self.gate.end_waiting();
    }
}

/// Answers a client's requests until it disconnects. `pending` marks the connection as one without a request yet.
fn serve_client(engine: &Engine, gate: &Gate, stream: Stream, pending: Pending) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    write_line(&mut writer, &Hello { protocol: PROTOCOL, pid: std::process::id(), people: true })?;
    stream.set_read_timeout(Some(FIRST_REQUEST_TIMEOUT))?;
    let mut reader = BufReader::new(stream);
    // Reject data that cannot be a request before buffering a line of it.
    if reader.fill_buf()?.first() != Some(&b'{') {
        return Ok(());
    }
    let mut pending = Some(pending);
    loop {
        let mut line = String::new();
        if reader.by_ref().take(LINE_CAP).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let request: Request = serde_json::from_str(&line)?;
        if pending.take().is_some() {
            reader.get_ref().set_read_timeout(None)?;
        }
        if request.method == WAIT_FOR_END {
            return gate.wait_for_end(writer, &mut reader);
        }
        if !gate.enter() {
            return Ok(());
        }
        let answered = answer(engine, request, &mut writer);
        gate.leave();
        answered?;
    }
}

fn answer(engine: &Engine, request: Request, writer: &mut Stream) -> io::Result<()> {
    let id = request.id;
    write_line(writer, &Reply::Ack { id })?;
    let answered = match &request.person {
        Some(person) => api::dispatch(&engine.acting_for(person), &request.method, request.params),
        None => api::dispatch(engine, &request.method, request.params),
    };
    let reply = match answered {
        Ok(result) => Reply::Result { id, result },
        Err(error) => Reply::Error { id, error },
    };
    write_line(writer, &reply)
}

fn write_line(writer: &mut Stream, value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    writer.write_all(&line)
}
