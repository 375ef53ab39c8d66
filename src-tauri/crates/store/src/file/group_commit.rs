//! Group commit: many callers append lines with few syncs, and no append returns before its lines are on
//! disk.
//!
//! The first caller that finds no active writer leads a batch: it takes all queued lines, writes them and
//! syncs once. A failed batch is undone as a whole, so that no line follows a torn line.

use std::{
    io,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// The target of batches: a file, or a simulated file in tests.
pub(super) trait Sink {
    /// Appends bytes at the end.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns once all written bytes are on disk.
    fn sync(&mut self) -> io::Result<()>;
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    /// Overwrites the bytes at this offset with the same bytes, because the system may have dropped them.
    fn rewrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;
}

/// Batches appends to a sink. The leader holds the sink's mutex during I/O, but not the queue's mutex, so
/// that other callers can continue to queue lines.
pub(super) struct GroupCommit<S> {
    queue: Mutex<Queue>,
    done: Condvar,
    sink: Mutex<Tracked<S>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<u8>,
    /// The number of the batch that `waiting` will form.
    batch: u64,
    /// All batches with lower numbers have completed.
    ended: u64,
    leading: bool,
    /// Failures of completed batches that some callers have not received yet.
    failures: Vec<Failure>,
    /// The number of callers with lines in `waiting`.
    callers: usize,
}

struct Failure {
    batch: u64,
    kind: io::ErrorKind,
    code: Option<i32>,
    /// The number of callers that have not received the failure yet.
    pending: usize,
}

struct Tracked<S> {
    sink: S,
    /// The number of bytes that are on disk, counted from the start of the file.
    len: u64,
    /// Complete lines that follow `len` and are not known to be on disk.
    unsynced: Vec<u8>,
    /// Whether a failed write may have left bytes after the unsynced lines.
    torn: bool,
    /// Whether the system may have dropped `unsynced` from its cache.
    dropped: bool,
}

impl<S: Sink> GroupCommit<S> {
    /// Creates a group commit for a sink that already contains `len` valid bytes.
    pub(super) fn new(sink: S, len: u64) -> Self {
        GroupCommit {
            queue: Mutex::default(),
            done: Condvar::new(),
            sink: Mutex::new(Tracked { sink, len, unsynced: Vec::new(), torn: false, dropped: false }),
        }
    }

    /// Returns the sink, after the last commit.
    pub(super) fn into_sink(self) -> S {
        self.sink.into_inner().unwrap_or_else(PoisonError::into_inner).sink
    }

    /// Writes lines. They are visible to all programs when this function returns, and on disk after the next
    /// sync. On an error, none of them are kept.
    pub(super) fn write(&self, lines: &[u8]) -> io::Result<()> {
        lock(&self.sink).write(lines)
    }

    /// Returns once all written lines are on disk. On an error, the lines remain visible, and the next sync
    /// retries.
    pub(super) fn sync(&self) -> io::Result<()> {
        lock(&self.sink).sync()
    }

    /// Appends lines. They are on disk when this function returns. On an error, none of them are kept.
    pub(super) fn append(&self, lines: &[u8]) -> io::Result<()> {
        let mut queue = lock(&self.queue);
        queue.waiting.extend_from_slice(lines);
        if !lines.ends_with(b"\n") {
            queue.waiting.push(b'\n');
        }
        queue.callers += 1;
        let mine = queue.batch;
        while queue.ended <= mine {
            if queue.leading {
                queue = self.done.wait(queue).unwrap_or_else(PoisonError::into_inner);
            } else {
                queue = self.lead(queue);
            }
        }
        let Some(at) = queue.failures.iter().position(|failure| failure.batch == mine) else { return Ok(()) };
        let failure = &mut queue.failures[at];
        let error = failure.error();
        failure.pending -= 1;
        if failure.pending == 0 {
            queue.failures.swap_remove(at);
        }
        Err(error)
    }

    /// Writes the waiting batch as the leader. The queue is unlocked during the write.
    fn lead<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        let bytes = std::mem::take(&mut queue.waiting);
        let callers = std::mem::take(&mut queue.callers);
        let batch = queue.batch;
        queue.batch += 1;
        queue.leading = true;
        drop(queue);
        let result = lock(&self.sink).commit(&bytes);
        let mut queue = lock(&self.queue);
        queue.leading = false;
        queue.ended = batch + 1;
        if let Err(error) = result {
            let (kind, code) = (error.kind(), error.raw_os_error());
            queue.failures.push(Failure { batch, kind, code, pending: callers });
        }
        self.done.notify_all();
        queue
    }
}

impl Failure {
    fn error(&self) -> io::Error {
        self.code.map_or_else(|| self.kind.into(), io::Error::from_raw_os_error)
    }
}

impl<S: Sink> Tracked<S> {
    /// Repairs the sink after earlier failures.
    fn repair_tail(&mut self) -> io::Result<()> {
        if self.torn {
            self.sink.truncate(self.end())?;
            self.torn = false;
        }
        if self.dropped {
            self.sink.rewrite(self.len, &self.unsynced)?;
            self.dropped = false;
        }
        Ok(())
    }

    fn end(&self) -> u64 {
        self.len + self.unsynced.len() as u64
    }

    /// Removes the bytes that a failed write left. If the removal fails as well, the next write retries it,
    /// and the next opening of the file moves the torn line to another file.
    fn take_back(&mut self) {
        self.torn = self.sink.truncate(self.end()).is_err();
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.repair_tail()?;
        let written = self.sink.append(lines);
        match written {
            Ok(()) => self.unsynced.extend_from_slice(lines),
            Err(_) => self.take_back(),
        }
        written
    }

    fn sync(&mut self) -> io::Result<()> {
        self.repair_tail()?;
        if self.unsynced.is_empty() {
            return Ok(());
        }
        let synced = self.sink.sync();
        match synced {
            Ok(()) => self.settle(0),
            Err(_) => self.dropped = true,
        }
        synced
    }

    fn commit(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.repair_tail()?;
        if let Err(error) = self.sink.append(bytes).and_then(|()| self.sink.sync()) {
            self.take_back();
            self.dropped = !self.unsynced.is_empty();
            return Err(error);
        }
        self.settle(bytes.len() as u64);
        Ok(())
    }

    /// Records that all written lines, and `more` further bytes, are on disk.
    fn settle(&mut self, more: u64) {
        self.len = self.end() + more;
        self.unsynced = Vec::new();
    }
}

/// Locks a mutex. Its data is consistent between statements, so a poisoned lock is still usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Barrier};

    /// A simulated disk that accepts a limited number of bytes and counts syncs.
    struct Disk {
        shared: Arc<Mutex<State>>,
    }

    #[derive(Default)]
    struct State {
        bytes: Vec<u8>,
        room: usize,
        syncs: usize,
        sync_fails: bool,
        truncate_fails: bool,
    }

    impl Sink for Disk {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            let mut state = lock(&self.shared);
            let fits = bytes.len().min(state.room.saturating_sub(state.bytes.len()));
            state.bytes.extend_from_slice(&bytes[..fits]);
            if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
        fn sync(&mut self) -> io::Result<()> {
            let mut state = lock(&self.shared);
            state.syncs += 1;
            if state.sync_fails { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
        }
        fn truncate(&mut self, len: u64) -> io::Result<()> {
            let mut state = lock(&self.shared);
            if state.truncate_fails {
                return Err(io::ErrorKind::Other.into());
            }
            state.bytes.truncate(usize::try_from(len).expect("a small test file"));
            Ok(())
        }
        fn rewrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let at = usize::try_from(at).expect("a small test file");
            lock(&self.shared).bytes[at..at + bytes.len()].copy_from_slice(bytes);
            Ok(())
        }
    }

    fn disk(room: usize) -> (Arc<Mutex<State>>, GroupCommit<Disk>) {
        let shared = Arc::new(Mutex::new(State { room, ..State::default() }));
        (shared.clone(), GroupCommit::new(Disk { shared }, 0))
    }

    #[test]
    fn a_batch_that_does_not_fit_leaves_nothing_and_later_batches_succeed() {
        let (state, commit) = disk(10);
        commit.append(b"one\n").unwrap();
        let error = commit.append(b"much too long\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(lock(&state).bytes, b"one\n");
        commit.append(b"two\n").unwrap();
        assert_eq!(lock(&state).bytes, b"one\ntwo\n");
    }

    #[test]
    fn a_failed_undo_of_a_torn_batch_is_retried_before_the_next_batch() {
        let (state, commit) = disk(6);
        commit.append(b"one\n").unwrap();
        lock(&state).truncate_fails = true;
        commit.append(b"two\n").unwrap_err();
        assert_eq!(lock(&state).bytes, b"one\ntw");
        commit.append(b"3\n").unwrap_err();
        lock(&state).truncate_fails = false;
        commit.append(b"4\n").unwrap();
        assert_eq!(lock(&state).bytes, b"one\n4\n");
    }

    #[test]
    fn lines_lost_by_a_failed_sync_are_rewritten_in_place() {
        let (state, commit) = disk(usize::MAX);
        commit.append(b"one\n").unwrap();
        commit.write(b"two\n").unwrap();
        lock(&state).sync_fails = true;
        commit.sync().unwrap_err();
        commit.append(b"refused\n").unwrap_err();
        assert_eq!(lock(&state).bytes, b"one\ntwo\n", "the unsynced line stays visible");
        // Simulate a system that zeroes a dropped page.
        lock(&state).bytes[4..].fill(0);
        lock(&state).sync_fails = false;
        commit.write(b"three\n").unwrap();
        commit.sync().unwrap();
        assert_eq!(lock(&state).bytes, b"one\ntwo\nthree\n");
    }

    #[test]
    fn unchanged_files_are_not_synced_again() {
        let (state, commit) = disk(usize::MAX);
        commit.write(b"one\n").unwrap();
        for _ in 0..3 {
            commit.sync().unwrap();
        }
        commit.write(b"two\n").unwrap();
        commit.append(b"three").unwrap();
        commit.sync().unwrap();
        let state = lock(&state);
        assert_eq!((state.syncs, state.bytes.as_slice()), (2, &b"one\ntwo\nthree\n"[..]));
    }

    #[test]
    fn a_failed_line_does_not_affect_lines_waiting_for_the_sync() {
        let (state, commit) = disk(10);
        commit.write(b"one\n").unwrap();
        lock(&state).truncate_fails = true;
        commit.write(b"much too long\n").unwrap_err();
        lock(&state).truncate_fails = false;
        commit.sync().unwrap();
        assert_eq!(lock(&state).bytes, b"one\n");
    }

    #[test]
    fn concurrent_lines_reach_the_disk_with_at_most_one_sync_each() {
        let (state, commit) = disk(usize::MAX);
        let start = Barrier::new(8);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (commit, start, state) = (&commit, &start, &state);
                scope.spawn(move || {
                    start.wait();
                    for n in 0..50 {
                        let line = format!("{thread}:{n}\n");
                        commit.append(line.as_bytes()).unwrap();
                        let text = String::from_utf8(lock(state).bytes.clone()).unwrap();
                        assert!(text.lines().any(|l| l == line.trim_end()), "{line:?} is missing");
                    }
                });
            }
        });
        let state = lock(&state);
        assert_eq!(state.bytes.iter().filter(|&&b| b == b'\n').count(), 400);
        assert!(state.syncs <= 400);
    }

    #[test]
    fn every_caller_of_a_failed_batch_gets_the_error() {
        let (state, commit) = disk(0);
        let failed = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| commit.append(b"x\n").is_err())).collect();
            threads.into_iter().map(|t| t.join().unwrap()).filter(|failed| *failed).count()
        });
        assert_eq!(failed, 8);
        assert!(lock(&state).bytes.is_empty());
        assert!(lock(&commit.queue).failures.is_empty(), "the failure was kept after all callers had it");
    }
}
