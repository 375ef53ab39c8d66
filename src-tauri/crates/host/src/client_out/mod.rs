//! What waits to be written to one client, and never more than it may.
//!
//! A terminal that falls behind loses the output that waits for it and gets a fresh screen once it
//! has read what it was given before; a control client that does not read is cut off. The owner waits for
//! neither, and what is printed for a terminal only a moment, and only a part of the time: a client that
//! is as fast as the program but was not given the processor just then loses nothing by it, and one that
//! is slow hardly slows the program down. What the connection takes at once is sent at once: no thread
//! wakes up for it.
//!
//! A browser is told the same in its own way ([`crate::web`]), and no more of the terminal than it draws.

mod queue;

use crate::{
    frame::{self, Frame},
    protocol::FreshScreen,
    web::told::{self, Progress},
};
use bc_process::{size::Size, socket::Stream};
use queue::{OUTPUT_MAX, Queue, Sort, Start};
use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};
use tungstenite::protocol::frame::coding::CloseCode;

/// How much of a snapshot goes into one frame.
const CHUNK: usize = 1 << 20;

/// The queue of one client; cloned handles are the same queue.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientOut {
    shared: Arc<(Mutex<Queue>, Condvar)>,
}

impl ClientOut {
    /// The queue of the client on this connection. `start` has [`ClientOut::write_to`] run in a thread of its own, once
    /// there is something for that to do.
    pub(crate) fn of(
        stream: &Stream,
        start: impl FnOnce(ClientOut, Stream) -> io::Result<()> + Send + 'static,
    ) -> io::Result<ClientOut> {
        let out = ClientOut::default();
        let mut queue = out.queue();
        (queue.stream, queue.start) = (Some(stream.try_clone()?), Start(Some(Box::new(start))));
        drop(queue);
        Ok(out)
    }

    /// The other side of the connection is a browser's WebSocket.
    pub(crate) fn for_browser(self) -> ClientOut {
        self.queue().browser = Some(Progress::default());
        self
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Every change is whole: a panic elsewhere leaves a good queue.
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Queue) -> T) -> T {
        let mut queue = self.queue();
        let changed = change(&mut queue);
        if queue.has_news()
            && let Some(start) = queue.start.0.take()
        {
            let gone = || io::Error::from(io::ErrorKind::NotConnected);
            let stream = queue.stream.as_ref().ok_or_else(gone).and_then(Stream::try_clone);
            if stream.and_then(|stream| start(self.clone(), stream)).is_err() {
                queue.die();
            }
        }
        // What was sent at once leaves nothing to do for those who wait, and a thread that is writing looks
        // for more by itself.
        let caught_up = queue.holds_up && !queue.lags();
        if caught_up || (queue.has_news() && (!queue.writing || queue.dead)) {
            self.shared.1.notify_all();
        }
        changed
    }

    /// A message; a client that lets too many wait is given up. A browser asks for nothing and is told nothing.
    pub(crate) fn control(&self, frame: &Frame) {
        self.change(|queue| match frame.encoded() {
            Ok(_) if queue.browser.is_some() => {}
            Ok(bytes) => queue.message(&bytes),
            // One that is too long for the protocol is none that could be told.
            Err(_) => queue.die(),
        });
    }

    /// A browser's protocol has something to say by itself.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        self.change(|queue| queue.reply(bytes));
    }

    /// A browser has drawn everything before this offset of what it was sent.
    pub(crate) fn drawn(&self, offset: u64) {
        self.change(|queue| {
            if let Some(browser) = &mut queue.browser {
                browser.drawn(offset);
            }
        });
    }

    /// Nobody sees the terminal any more: what waits of its picture is dropped.
    pub(crate) fn hide(&self) {
        self.change(Queue::drop_picture);
    }

    /// An encoded frame of terminal output; dropped, with all that waits, when too much would wait. Whether the
    /// client lags.
    pub(crate) fn output(&self, frame: &[u8]) -> bool {
        self.change(|queue| {
            if queue.behind || queue.closing {
                return false;
            }
            if queue.output + frame.len() > OUTPUT_MAX {
                queue.drop_picture();
                queue.behind = true;
            } else if queue.browser.is_some() {
                queue.push(frame::bare_output(frame), Sort::Printed);
            } else {
                queue.push(frame, Sort::Picture);
            }
            queue.lags()
        })
    }

    /// Waits a moment for a client that lags, as long as there is patience with it.
    pub(crate) fn catch_up(&self) {
        let mut queue = self.queue();
        queue.patience.earn(Instant::now());
        queue.holds_up = true;
        let (longest, lags) = (queue.patience.left, |queue: &mut Queue| queue.lags());
        let waited = self.shared.1.wait_timeout_while(queue, longest, lags);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.holds_up = false;
        queue.patience.spend(Instant::now());
    }

    /// A fresh screen of this size, whatever its length: the client is up to date with it, and output goes on
    /// from the offset.
    pub(crate) fn fresh(&self, size: Size, offset: u64, snapshot: &[u8]) {
        self.change(|queue| {
            if queue.closing {
                return;
            }
            queue.drop_picture();
            (queue.behind, queue.asked) = (false, false);
            if queue.browser.is_some() {
                queue.push(&told::screen(size), Sort::Picture);
                return queue.push(snapshot, Sort::Screen);
            }
            let head = Frame::control(&FreshScreen { fresh_screen: size, bytes: snapshot.len() as u64 });
            let chunks = snapshot.chunks(CHUNK).map(|chunk| Frame::output(offset, chunk));
            for frame in std::iter::once(head).chain(chunks) {
                match frame.encoded() {
                    Ok(bytes) => queue.push(&bytes, Sort::Picture),
                    Err(_) => return queue.die(),
                }
            }
        });
    }

    /// The session's program has ended: closes the connection once everything was written.
    pub(crate) fn close(&self) {
        self.change(|queue| {
            if queue.browser.is_some() {
                queue.message(&told::ended());
                queue.message(&told::goodbye(CloseCode::Normal, "nothing follows"));
            }
            queue.close();
        });
    }

    /// Whoever let a browser in is going: closes the connection, whatever of the picture waits.
    pub(crate) fn dismiss(&self) {
        self.change(|queue| {
            queue.drop_picture();
            queue.message(&told::goodbye(CloseCode::Away, "the server is ending"));
            queue.close();
        });
    }

    /// The connection is gone.
    pub(crate) fn give_up(&self) {
        self.change(Queue::die);
    }

    /// Waits until everything was written, and a browser that was told goodbye has gone, until `deadline`; whether that
    /// is so.
    pub(crate) fn drained(&self, deadline: Instant) -> bool {
        let mut queue = self.queue();
        while !queue.dead && (!queue.is_empty() || (queue.closing && queue.browser.is_some())) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            queue = self.shared.1.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Writes what comes until the connection ends; the client's own thread runs this. `caught_up` is
    /// called once each time a client that fell behind has read what it was given.
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
                    // For whoever waits until everything was written.
                    if queue.is_empty() {
                        self.shared.1.notify_all();
                    }
                }
            }
        }
        // The reading half learns of it, too.
        self.change(Queue::finish);
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
                if queue.holds_up && !queue.lags() {
                    self.shared.1.notify_all();
                }
                return Some(Next::Bytes(bytes));
            }
            if queue.closing && queue.is_empty() {
                return None;
            }
            if queue.has_caught_up() && queue.waiting.is_empty() {
                queue.asked = true;
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
    use super::{queue::LAGS, *};
    use std::{io::Read, sync::mpsc::sync_channel, thread, time::Duration};

    fn pair() -> (Stream, Stream) {
        std::os::unix::net::UnixStream::pair().unwrap()
    }

    #[test]
    fn a_slow_terminal_is_cut_over_to_a_fresh_screen() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        let (sender, caught_up) = sync_channel(8);
        let writer = {
            let out = out.clone();
            thread::spawn(move || out.write_to(ours, || sender.send(()).unwrap()))
        };
        // Nobody reads: far more than the socket and the queue hold, without ever waiting.
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
    fn a_thread_is_started_only_for_what_the_connection_does_not_take_at_once() {
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
    fn a_connection_that_never_needed_a_thread_closes_without_one() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::of(&ours, |_, _| unreachable!("nothing had to wait")).unwrap();
        out.control(&Frame::control(&1));
        out.close();
        assert!(out.drained(Instant::now() + Duration::from_secs(20)));
        assert_eq!(frame::read(&mut theirs).unwrap(), Some(Frame::control(&1)));
        assert_eq!(frame::read(&mut theirs).unwrap(), None);
    }

    #[test]
    fn what_is_printed_is_held_up_for_a_moment_by_a_terminal_that_lags_and_no_longer() {
        let out = ClientOut::default();
        let frame = Frame::output(0, &[b'x'; LAGS]).encoded().unwrap();
        assert!(out.output(&frame));
        out.catch_up();
        // Nothing was written meanwhile, and no patience is left.
        assert!(out.queue().lags() && out.queue().patience.left.is_zero());
        while !out.queue().behind {
            out.output(&frame);
        }
        // Cut over it holds up nothing.
        assert!(!out.output(&frame) && !out.queue().lags());
    }

    #[test]
    fn a_terminal_that_reads_on_is_waited_for_and_loses_nothing() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        let lagging = Frame::output(0, &[b'x'; LAGS]);
        assert!(out.output(&lagging.encoded().unwrap()));
        // As if there were no end of patience: it is the writing that ends this.
        out.queue().patience.left = Duration::from_secs(3600);
        let waiting = {
            let out = out.clone();
            thread::spawn(move || out.catch_up())
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
    fn a_control_client_that_does_not_read_is_given_up() {
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
