//! Queued input for the program in the terminal. The actor never waits for this input to be written.

use bc_process::pty::PtyWriter;
use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The maximum amount of queued input, in bytes, which exceeds the longest prompt.
const WAITING_MAX: usize = 1 << 20;

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    /// Whether the thread has taken bytes that are not all written yet.
    writing: bool,
    closed: bool,
}

/// The queue. Dropping it ends its thread and closes its terminal handle.
pub(crate) struct PtyInput {
    shared: Arc<(Mutex<Queue>, Condvar)>,
    /// Writes the bytes that the terminal accepts immediately, so that usually no thread has to wake up.
    writer: PtyWriter,
}

impl PtyInput {
    /// Starts the thread that writes the bytes that the terminal does not accept immediately.
    pub(crate) fn start(mut writer: PtyWriter) -> io::Result<PtyInput> {
        let ours = writer.try_clone()?;
        let shared = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let theirs = shared.clone();
        thread::Builder::new().name("pty-in".into()).spawn(move || {
            while let Some(bytes) = next(&theirs) {
                // A terminal that was hung up accepts no more input.
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

    /// Queues either all bytes or none, and returns whether they were accepted. They are refused if the queue
    /// is full because the program does not read, or if the terminal was closed.
    pub(crate) fn write(&self, bytes: &[u8]) -> bool {
        let mut queue = lock(&self.shared.0);
        if queue.closed || queue.bytes.len() + bytes.len() > WAITING_MAX {
            return false;
        }
        let first = queue.bytes.is_empty() && !queue.writing;
        // The thread will get the same error and handle it.
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
    // Each change is complete, so the data behind a poisoned lock is still valid.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for queued bytes and takes them. Returns `None` if the queue was closed.
fn next(shared: &(Mutex<Queue>, Condvar)) -> Option<Vec<u8>> {
    let nothing_to_do = |queue: &mut Queue| !queue.closed && queue.bytes.is_empty();
    let queue = shared.1.wait_while(lock(&shared.0), nothing_to_do);
    let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
    queue.writing = !queue.closed;
    queue.writing.then(|| std::mem::take(&mut queue.bytes))
}
