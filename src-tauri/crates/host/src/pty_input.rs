//! What waits to be read by the program in the terminal. The owner never waits for it.

use bc_process::pty::PtyWriter;
use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// How much may wait, in bytes: more than the longest text, far more than anybody types.
const WAITING_MAX: usize = 1 << 20;

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    /// The thread has taken bytes and not written all of them yet.
    writing: bool,
    closed: bool,
}

/// The queue; dropping it ends its thread and lets go of the terminal.
pub(crate) struct PtyInput {
    shared: Arc<(Mutex<Queue>, Condvar)>,
    /// For what the terminal takes at once, which is nearly everything: no thread has to wake up for it.
    writer: PtyWriter,
}

impl PtyInput {
    /// Writes in a thread of its own what the terminal does not take at once.
    pub(crate) fn start(mut writer: PtyWriter) -> io::Result<PtyInput> {
        let ours = writer.try_clone()?;
        let shared = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let theirs = shared.clone();
        thread::Builder::new().name("pty-in".into()).spawn(move || {
            while let Some(bytes) = next(&theirs) {
                // A terminal that was hung up takes nothing more.
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

    /// Whether the bytes will be written, all or none: none when the program reads nothing and too
    /// much waits already, or when the terminal is gone.
    pub(crate) fn write(&self, bytes: &[u8]) -> bool {
        let mut queue = lock(&self.shared.0);
        if queue.closed || queue.bytes.len() + bytes.len() > WAITING_MAX {
            return false;
        }
        let first = queue.bytes.is_empty() && !queue.writing;
        // An error is met again, and told, by the thread.
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
    // Bytes are only ever added or taken as a whole.
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
