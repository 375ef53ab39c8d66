//! The bounded output queue of one client.
//!
//! A terminal that falls behind loses its queued output and gets a fresh screen once it has read everything
//! sent so far. A control client that does not read is disconnected. The actor waits for neither.
//!
//! Program output waits only briefly for a lagging terminal, and only part of the time. Therefore, a client
//! that is as fast as the program but briefly got no CPU time loses nothing, and a slow client hardly slows
//! down the program. Bytes that the connection accepts immediately are sent without waking a thread.

mod queue;

use crate::{frame::Frame, protocol::FreshScreen};
use bc_process::{size::Size, socket::Stream};
use queue::{EntryKind, OUTPUT_MAX, Queue, SharedQueue, WriterStart};
use std::{
    io::{self, Write},
    sync::{Arc, MutexGuard, PoisonError},
    time::Instant,
};

/// The maximum size of a part of a snapshot in one frame, in bytes.
const CHUNK: usize = 1 << 20;

/// The output queue of one client. Clones share the queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientOut {
    shared: SharedQueue,
}

impl ClientOut {
    /// Creates the queue for the client on this connection. `start` must run [`ClientOut::write_to`] on its
    /// own thread. It is called when that thread first has something to do.
    pub(crate) fn of(
        stream: &Stream,
        start: impl FnOnce(ClientOut, Stream) -> io::Result<()> + Send + 'static,
    ) -> io::Result<ClientOut> {
        let start = |shared, stream| start(ClientOut { shared }, stream);
        let out = ClientOut::default();
        let mut queue = out.queue();
        (queue.stream, queue.start) = (Some(stream.try_clone()?), WriterStart(Some(Box::new(start))));
        drop(queue);
        Ok(out)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Each change is complete, so the data behind a poisoned lock is still valid.
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Queue) -> T) -> T {
        let mut queue = self.queue();
        let changed = change(&mut queue);
        if queue.has_news()
            && let Some(start) = queue.start.0.take()
        {
            let not_connected = || io::Error::from(io::ErrorKind::NotConnected);
            let stream = queue.stream.as_ref().ok_or_else(not_connected).and_then(Stream::try_clone);
            if stream.and_then(|stream| start(Arc::clone(&self.shared), stream)).is_err() {
                queue.die();
            }
        }
        // After an immediate send, the waiting threads have nothing to do, and a thread that is writing
        // checks for more entries anyway.
        let caught_up = queue.holds_output && !queue.lags();
        if caught_up || (queue.has_news() && (!queue.writing || queue.dead)) {
            self.shared.1.notify_all();
        }
        changed
    }

    /// Queues a message. Disconnects the client if too many messages are unread.
    pub(crate) fn control(&self, frame: &Frame) {
        self.change(|queue| match frame.encoded() {
            Ok(bytes) => queue.message(&bytes),
            // A message that exceeds the protocol's limit cannot be sent.
            Err(_) => queue.die(),
        });
    }

    /// Queues an encoded frame of terminal output, unless the client has fallen behind or the connection is
    /// closing. If the queue is too long, drops this frame and the queued output. Returns whether the client
    /// lags.
    pub(crate) fn output(&self, frame: &[u8]) -> bool {
        self.change(|queue| {
            if queue.behind || queue.closing {
                return false;
            }
            if queue.output + frame.len() > OUTPUT_MAX {
                queue.drop_picture();
                queue.behind = true;
            } else {
                queue.push(frame, EntryKind::Picture);
            }
            queue.lags()
        })
    }

    /// Waits for a lagging client, at most for the rest of its lag allowance.
    pub(crate) fn wait_for_lagging(&self) {
        let mut queue = self.queue();
        queue.lag_allowance.earn(Instant::now());
        queue.holds_output = true;
        let (longest, lags) = (queue.lag_allowance.left, |queue: &mut Queue| queue.lags());
        let waited = self.shared.1.wait_timeout_while(queue, longest, lags);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.holds_output = false;
        queue.lag_allowance.spend(Instant::now());
    }

    /// Queues a fresh screen of any length for a terminal of this size. Afterwards the client is up to date,
    /// and output continues from the offset.
    pub(crate) fn fresh(&self, size: Size, offset: u64, snapshot: &[u8]) {
        self.change(|queue| {
            if queue.closing {
                return;
            }
            queue.drop_picture();
            (queue.behind, queue.screen_requested) = (false, false);
            let head = Frame::control(&FreshScreen { fresh_screen: size, bytes: snapshot.len() as u64 });
            let chunks = snapshot.chunks(CHUNK).map(|chunk| Frame::output(offset, chunk));
            for frame in std::iter::once(head).chain(chunks) {
                match frame.encoded() {
                    Ok(bytes) => queue.push(&bytes, EntryKind::Picture),
                    Err(_) => return queue.die(),
                }
            }
        });
    }

    /// Closes the connection after all entries are written.
    pub(crate) fn close(&self) {
        self.change(Queue::close);
    }

    /// Drops queued terminal output.
    pub(crate) fn drop_output(&self) {
        self.change(Queue::drop_picture);
    }

    /// Closes the connection immediately.
    pub(crate) fn disconnect(&self) {
        self.change(Queue::die);
    }

    /// Waits until all entries are written or the connection is closed. Returns false if `deadline` passes
    /// first.
    pub(crate) fn drained(&self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let is_writing = |queue: &mut Queue| !queue.dead && !queue.is_empty();
        let waited = self.shared.1.wait_timeout_while(self.queue(), left, is_writing);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Writes queued bytes until the connection ends. Runs on the client's writer thread. Calls `caught_up`
    /// each time a client that had fallen behind has read everything sent so far.
    pub(crate) fn write_to(&self, mut stream: Stream, caught_up: impl Fn()) {
        while let Some(next) = self.next() {
            match next {
                Next::CaughtUp => caught_up(),
                Next::Bytes(bytes) => {
                    let written = stream.write_all(&bytes).is_ok();
                    let mut queue = self.queue();
                    queue.writing = false;
                    if !written {
                        queue.die();
                    }
                    // Wake a thread that waits until all entries are written.
                    if queue.is_empty() {
                        self.shared.1.notify_all();
                    }
                }
            }
        }
        // This also ends the thread that reads from the connection.
        self.change(Queue::die);
    }

    fn next(&self) -> Option<Next> {
        let mut queue = self.queue();
        loop {
            if queue.dead {
                return None;
            }
            if !queue.rest.is_empty() {
                queue.writing = true;
                return Some(Next::Bytes(std::mem::take(&mut queue.rest)));
            }
            if let Some(bytes) = queue.pop() {
                queue.writing = true;
                if queue.holds_output && !queue.lags() {
                    self.shared.1.notify_all();
                }
                return Some(Next::Bytes(bytes));
            }
            if queue.closing && queue.is_empty() {
                return None;
            }
            if queue.needs_screen() && queue.waiting.is_empty() {
                queue.screen_requested = true;
                return Some(Next::CaughtUp);
            }
            queue = self.shared.1.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

enum Next {
    Bytes(Vec<u8>),
    CaughtUp,
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::{queue::LAG_THRESHOLD, *};
    use crate::frame;
    use std::{io::Read, sync::mpsc::sync_channel, thread, time::Duration};

    fn pair() -> (Stream, Stream) {
        std::os::unix::net::UnixStream::pair().unwrap()
    }

    #[test]
    fn a_slow_terminal_gets_a_fresh_screen() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        let (sender, caught_up) = sync_channel(8);
        let writer = {
            let out = out.clone();
            thread::spawn(move || out.write_to(ours, || sender.send(()).unwrap()))
        };
        // Nothing reads this connection: the output far exceeds the socket's and the queue's capacity,
        // without any wait.
        for at in 0..200 {
            out.output(&Frame::output(at, &[b'x'; 64 * 1024]).encoded().unwrap());
        }
        assert!(out.queue().behind && out.queue().output <= OUTPUT_MAX);
        let reader = thread::spawn(move || {
            let mut last = None;
            while let Ok(Some(frame)) = frame::read(&mut theirs) {
                last = Some(frame);
            }
            last
        });
        caught_up.recv_timeout(Duration::from_secs(20)).unwrap();
        out.fresh(Size::new(24, 80), 999, b"fresh");
        out.close();
        writer.join().unwrap();
        assert_eq!(reader.join().unwrap(), Some(Frame::output(999, b"fresh")));
    }

    #[test]
    fn a_writer_thread_starts_only_when_the_connection_blocks() {
        let (ours, mut theirs) = pair();
        let (sender, started) = sync_channel(1);
        let out = ClientOut::of(&ours, move |out, stream| {
            let writer = thread::spawn(move || out.write_to(stream, || {}));
            sender.send(writer).map_err(io::Error::other)
        });
        let out = out.unwrap();
        out.control(&Frame::control(&1));
        assert_eq!(frame::read(&mut theirs).unwrap(), Some(Frame::control(&1)));
        assert!(started.try_recv().is_err());
        let long = Frame { kind: frame::Kind::Control, payload: vec![b' '; 1 << 20] };
        out.control(&long);
        let writer = started.recv().unwrap();
        out.close();
        assert_eq!(frame::read(&mut theirs).unwrap(), Some(long));
        assert_eq!(frame::read(&mut theirs).unwrap(), None);
        writer.join().unwrap();
    }

    #[test]
    fn a_connection_that_never_blocked_closes_without_a_thread() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::of(&ours, |_, _| unreachable!("nothing had to wait")).unwrap();
        out.control(&Frame::control(&1));
        out.close();
        assert!(out.drained(Instant::now() + Duration::from_secs(20)));
        assert_eq!(frame::read(&mut theirs).unwrap(), Some(Frame::control(&1)));
        assert_eq!(frame::read(&mut theirs).unwrap(), None);
    }

    #[test]
    fn output_waits_for_a_lagging_terminal_only_up_to_its_allowance() {
        let out = ClientOut::default();
        let frame = Frame::output(0, &[b'x'; LAG_THRESHOLD]).encoded().unwrap();
        assert!(out.output(&frame));
        out.wait_for_lagging();
        // Nothing was written meanwhile, and the allowance is used up.
        assert!(out.queue().lags() && out.queue().lag_allowance.left.is_zero());
        while !out.queue().behind {
            out.output(&frame);
        }
        // A client that has fallen behind does not delay output.
        assert!(!out.output(&frame) && !out.queue().lags());
    }

    #[test]
    fn a_terminal_that_keeps_reading_is_waited_for_and_loses_nothing() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        let lagging = Frame::output(0, &[b'x'; LAG_THRESHOLD]);
        assert!(out.output(&lagging.encoded().unwrap()));
        // With a practically unlimited allowance, only writing ends the wait.
        out.queue().lag_allowance.left = Duration::from_secs(3600);
        let waiting = {
            let out = out.clone();
            thread::spawn(move || out.wait_for_lagging())
        };
        let writer = {
            let out = out.clone();
            thread::spawn(move || out.write_to(ours, || {}))
        };
        assert_eq!(frame::read(&mut theirs).unwrap(), Some(lagging));
        waiting.join().unwrap();
        assert!(!out.queue().behind && !out.queue().lags());
        out.close();
        writer.join().unwrap();
    }

    #[test]
    fn a_control_client_that_does_not_read_is_disconnected() {
        let out = ClientOut::default();
        for _ in 0..20 {
            out.control(&Frame { kind: frame::Kind::Control, payload: vec![b' '; 1 << 20] });
        }
        let (ours, mut theirs) = pair();
        out.write_to(ours, || {});
        assert_eq!(theirs.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn everything_is_written_before_the_connection_closes() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        out.control(&Frame::control(&1));
        out.control(&Frame::control(&2));
        out.close();
        out.write_to(ours, || {});
        assert_eq!(frame::read(&mut theirs).unwrap().unwrap().json::<u8>().unwrap(), 1);
        assert_eq!(frame::read(&mut theirs).unwrap().unwrap().json::<u8>().unwrap(), 2);
        assert_eq!(frame::read(&mut theirs).unwrap(), None);
    }
}
