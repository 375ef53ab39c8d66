//! Queued input for the program in the terminal. The actor never waits for it.

use bc_process::pty::PtyWriter;
use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The limit of queued input, in bytes: more than the longest text, far more than a user types.
const WAITING_MAX: usize = 1 << 20;

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    /// Whether the thread has taken bytes and not written all of them yet.
    writing: bool,
    closed: bool,
}

/// The queue; dropping it ends its thread and closes its terminal handle.
pub(crate) struct PtyInput {
    shared: Arc<(Mutex<Queue>, Condvar)>,
    /// For bytes that the terminal accepts immediately, which are nearly all: no thread has to wake up.
    writer: PtyWriter,
}

impl PtyInput {
    /// Starts the thread that writes what the terminal does not accept immediately.
    pub(crate) fn start(mut writer: PtyWriter) -> io::Result<PtyInput> {
        let ours = writer.try_clone()?;
        let shared = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let theirs = shared.clone();
        thread::Builder::new().name("pty-in".into()).spawn(move || {
            while let Some(bytes) = next(&theirs) {
                // A terminal that was hung up accepts nothing more.
                let written = writer.write_all(&bytes);
                let mut queue = lock(&theirs.0);
                queue.writing = false;
                if written.is_err() {
                    queue.closed = true;
                    break;
                }
            }
        })?;
        Ok(PtyInput { shared, writer: ours })
    }

    /// Queues all of the bytes or none, and returns whether they were accepted. They are refused when the program
    /// reads nothing and the queue is full, or when the terminal was closed.
    pub(crate) fn write(&self, bytes: &[u8]) -> bool {
        let mut queue = lock(&self.shared.0);
        if queue.closed || queue.bytes.len() + bytes.len() > WAITING_MAX {
            return false;
        }
        let first = queue.bytes.is_empty() && !queue.writing;
        // The thread meets the same error and handles it.
        let taken = if first { self.writer.write_now(bytes).unwrap_or(0) } else { 0 };
        if taken < bytes.len() {
            queue.bytes.extend_from_slice(&bytes[taken..]);
            self.shared.1.notify_all();
        }
        true
    }
}

impl Drop for PtyInput {
    fn drop(&mut self) {
        lock(&self.shared.0).closed = true;
        self.shared.1.notify_all();
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    // Each change is complete, so a poisoned lock is still usable.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

fn next(shared: &(Mutex<Queue>, Condvar)) -> Option<Vec<u8>> {
    let mut queue = lock(&shared.0);
    loop {
        if queue.closed {
            return None;
        }
        if !queue.bytes.is_empty() {
            queue.writing = true;
            return Some(std::mem::take(&mut queue.bytes));
        }
        queue = shared.1.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}
