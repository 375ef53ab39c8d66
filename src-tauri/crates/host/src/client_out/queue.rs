//! The queue of one client: its waiting entries, their order, and immediate sends. Starts no thread and never
//! blocks.

use bc_process::socket::{self, Stream};
use std::{
    collections::VecDeque,
    fmt, io,
    net::Shutdown,
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant},
};

/// The maximum amount of queued terminal output, in bytes.
pub(super) const OUTPUT_MAX: usize = 4 << 20;

/// The amount of queued output, in bytes, above which a terminal lags and output briefly waits for it.
pub(super) const LAG_THRESHOLD: usize = 1 << 20;

/// The maximum amount of queued control messages, in bytes.
const CONTROL_MAX: usize = 16 << 20;

/// Consecutive entries of one kind are joined up to this size in bytes, so that a lagging client gets large
/// writes.
const COALESCE_MAX: usize = 64 << 10;

/// The longest time for which output may wait for a lagging client.
const LAG_ALLOWANCE_MAX: Duration = Duration::from_millis(100);

/// A spent lag allowance is restored in this multiple of its duration.
const REGAIN_FACTOR: u32 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// A message, already encoded.
    Message,
    /// Encoded terminal output, which a fresh screen replaces.
    Picture,
}

impl EntryKind {
    pub(super) fn is_picture(self) -> bool {
        self != EntryKind::Message
    }
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) bytes: Vec<u8>,
    pub(super) kind: EntryKind,
}

/// How long a client may still delay output.
#[derive(Debug)]
pub(super) struct LagAllowance {
    pub(super) left: Duration,
    /// When `left` was updated.
    pub(super) at: Instant,
}

impl LagAllowance {
    pub(super) fn earn(&mut self, now: Instant) {
        let earned = now.saturating_duration_since(self.at) / REGAIN_FACTOR;
        (self.left, self.at) = ((self.left + earned).min(LAG_ALLOWANCE_MAX.max(self.left)), now);
    }

    pub(super) fn spend(&mut self, now: Instant) {
        let spent = now.saturating_duration_since(self.at);
        (self.left, self.at) = (self.left.saturating_sub(spent), now);
    }
}

impl Default for LagAllowance {
    fn default() -> LagAllowance {
        LagAllowance { left: LAG_ALLOWANCE_MAX, at: Instant::now() }
    }
}

/// Starts the thread that writes the bytes that the connection does not accept immediately. Most connections
/// never need this thread.
pub(super) type StartWriter = Box<dyn FnOnce(SharedQueue, Stream) -> io::Result<()> + Send>;

/// The start function, until it is used.
#[derive(Default)]
pub(super) struct WriterStart(pub(super) Option<StartWriter>);

impl fmt::Debug for WriterStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WriterStart").field(&self.0.is_some()).finish()
    }
}

/// A queue, and the condition variable for its changes.
pub(super) type SharedQueue = Arc<(Mutex<Queue>, Condvar)>;

#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The unsent part of a frame.
    pub(super) rest: Vec<u8>,
    pub(super) waiting: VecDeque<Entry>,
    pub(super) output: usize,
    pub(super) control: usize,
    /// Whether output was dropped since the last fresh screen.
    pub(super) behind: bool,
    /// Whether the actor was asked for a fresh screen.
    pub(super) screen_requested: bool,
    pub(super) writing: bool,
    pub(super) closing: bool,
    pub(super) dead: bool,
    pub(super) lag_allowance: LagAllowance,
    /// Whether output is currently waiting for this client.
    pub(super) holds_output: bool,
    /// Sends bytes immediately. Its shutdown also ends a blocked write.
    pub(super) stream: Option<Stream>,
    /// Starts the client's writer thread when it first has something to do.
    pub(super) start: WriterStart,
}

impl Queue {
    /// Sends as many bytes as possible immediately and queues the rest after the existing entries.
    pub(super) fn push(&mut self, bytes: &[u8], kind: EntryKind) {
        // After an error, the client's writer thread will get the same error and handle it.
        let free = self.stream.as_ref().filter(|_| self.is_empty());
        match free.and_then(|stream| socket::try_send(stream, bytes).ok()) {
            None | Some(0) => self.enqueue(bytes, kind),
            Some(sent) => self.rest.extend_from_slice(&bytes[sent..]),
        }
    }

    /// Queues a message after all entries. Too many messages disconnect the client.
    pub(super) fn message(&mut self, bytes: &[u8]) {
        if self.control + bytes.len() > CONTROL_MAX {
            self.die();
        } else if !self.closing {
            self.push(bytes, EntryKind::Message);
        }
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
        // All bytes are already written, so no thread is needed.
        if self.is_empty() && self.start.0.is_some() {
            self.die();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.rest.is_empty() && !self.writing
    }

    /// Whether a queued entry can be sent now.
    pub(super) fn is_due(&self) -> bool {
        !self.rest.is_empty() || !self.waiting.is_empty()
    }

    /// Whether a client that has fallen behind needs a fresh screen that has not been requested yet.
    pub(super) fn needs_screen(&self) -> bool {
        self.behind && !self.screen_requested
    }

    /// Whether the client's writer thread, or a thread that waits for the client, has something to do.
    pub(super) fn has_news(&self) -> bool {
        self.is_due() || self.closing || self.dead || self.needs_screen()
    }

    pub(super) fn enqueue(&mut self, bytes: &[u8], kind: EntryKind) {
        *self.counter(kind) += bytes.len();
        match self.waiting.back_mut() {
            Some(last) if last.kind == kind && last.bytes.len() + bytes.len() <= COALESCE_MAX => {
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.waiting.push_back(Entry { bytes: bytes.to_vec(), kind }),
        }
    }

    /// Removes the next entry and returns its bytes.
    pub(super) fn pop(&mut self) -> Option<Vec<u8>> {
        let Entry { bytes, kind } = self.waiting.pop_front()?;
        let counter = self.counter(kind);
        *counter = counter.saturating_sub(bytes.len());
        Some(bytes)
    }

    pub(super) fn counter(&mut self, kind: EntryKind) -> &mut usize {
        if kind.is_picture() { &mut self.output } else { &mut self.control }
    }

    pub(super) fn drop_picture(&mut self) {
        self.waiting.retain(|waiting| !waiting.kind.is_picture());
        self.output = 0;
    }

    pub(super) fn lags(&self) -> bool {
        self.output > LAG_THRESHOLD && !self.behind && !self.dead && !self.closing
    }

    /// Closes the connection immediately.
    pub(super) fn die(&mut self) {
        self.dead = true;
        self.start = WriterStart::default();
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_allowance_regrows_slowly_up_to_its_maximum() {
        let start = Instant::now();
        let mut lag_allowance = LagAllowance { left: LAG_ALLOWANCE_MAX, at: start };
        lag_allowance.spend(start + 2 * LAG_ALLOWANCE_MAX);
        assert_eq!(lag_allowance.left, Duration::ZERO);
        lag_allowance.earn(start + 5 * LAG_ALLOWANCE_MAX);
        assert_eq!(lag_allowance.left, LAG_ALLOWANCE_MAX);
        lag_allowance.earn(start + 500 * LAG_ALLOWANCE_MAX);
        assert_eq!(lag_allowance.left, LAG_ALLOWANCE_MAX);
    }
}
