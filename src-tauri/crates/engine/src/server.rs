//! The engine's end of its socket: a thread a client, requests in order, acknowledged before they are
//! acted on. Ending the engine waits for what was acknowledged and lets the rest ask elsewhere.

use crate::{engine::Engine, fleet::queue::Merger, housekeeping::Housekeeper, locks::EngineLock};
use bc_process::socket::{self, Stream};
use bc_wire::{
    ApiError, ErrorCode, api,
    envelope::{Hello, PROTOCOL, Reply, Request},
};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// A request line longer than this is not one of ours.
const LINE_CAP: u64 = 16 << 20;

/// Serves an engine until it is dropped.
pub(crate) struct Server {
    socket: PathBuf,
    gate: Arc<Gate>,
    lock: Option<EngineLock>,
    keeper: Option<Housekeeper>,
    merger: Mutex<Option<Merger>>,
}

/// Counts what was acknowledged and is not answered yet.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    closing: bool,
    busy: usize,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request in; `false` once the engine is ending.
    fn enter(&self) -> bool {
        let mut state = self.lock();
        state.busy += usize::from(!state.closing);
        !state.closing
    }

    fn leave(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }
}

impl Server {
    /// Listens, and tells the others where.
    pub(crate) fn start(engine: Arc<Engine>, lock: EngineLock) -> Result<Server, ApiError> {
        let unreachable = |e: &dyn std::fmt::Display| {
            ApiError::new(ErrorCode::Io, format!("the engine's socket could not be opened: {e}"))
                .hint("set XDG_RUNTIME_DIR to a folder of yours with a short path")
        };
        let path = lock.socket_path().map_err(|e| unreachable(&e))?;
        let listener = socket::bind(&path).map_err(|e| unreachable(&e))?;
        lock.announce(&path)?;
        let gate = Arc::new(Gate::default());
        let for_accept = Arc::clone(&gate);
        let keeper = Some(Housekeeper::start(Arc::clone(&engine)));
        thread::spawn(move || {
            while let Ok(stream) = listener.accept() {
                let (engine, gate) = (Arc::clone(&engine), Arc::clone(&for_accept));
                thread::spawn(move || {
                    // A client that goes away is not an error of the engine.
                    let _ = talk(&engine, &gate, stream);
                });
            }
        });
        Ok(Server { socket: path, gate, lock: Some(lock), keeper, merger: Mutex::new(None) })
    }

    /// Merges what waits from now on, until it ends.
    pub(crate) fn keep_merging(&self, engine: &Arc<Engine>) {
        let mut merger = self.merger.lock().unwrap_or_else(PoisonError::into_inner);
        merger.get_or_insert_with(|| Merger::start(Arc::clone(engine)));
    }

    /// Whether it is still the engine of the folder at the project's path.
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
        drop(self.keeper.take());
        drop(self.merger.lock().unwrap_or_else(PoisonError::into_inner).take());
        // Whoever connects from here on finds no socket and takes the lock for itself.
        let _ = bc_store::file::remove(&self.socket);
        drop(self.lock.take());
    }
}

fn talk(engine: &Engine, gate: &Gate, stream: Stream) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    write_line(&mut writer, &Hello { protocol: PROTOCOL, pid: std::process::id() })?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.by_ref().take(LINE_CAP).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let request: Request = serde_json::from_str(&line)?;
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
    let reply = match api::dispatch(engine, &request.method, request.params) {
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
