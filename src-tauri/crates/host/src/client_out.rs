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

use crate::{
    frame::{self, Frame},
    protocol::FreshScreen,
    web::told::{self, Progress},
};
use bc_process::{
    size::Size,
    socket::{self, Stream},
};
use std::{
    collections::VecDeque,
    fmt,
    io::{self, Write},
    net::Shutdown,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tungstenite::protocol::frame::coding::CloseCode;

/// Terminal output that may wait, in bytes.
const OUTPUT_MAX: usize = 4 << 20;

/// With more than this waiting for it a terminal lags, and is given a moment.
const LAGS: usize = 1 << 20;

/// Control messages that may wait, in bytes.
const CONTROL_MAX: usize = 16 << 20;

/// Output is put together up to so much: a client that lags is written to in large pieces.
const TOGETHER: usize = 64 << 10;

/// How long what is printed may be held up for a client that lags.
const PATIENCE: Duration = Duration::from_millis(100);

/// Patience comes back in so many times the time that it lasts.
const EARNED_IN: u32 = 3;

/// How much of a snapshot goes into one frame.
const CHUNK: usize = 1 << 20;

/// What kind of a thing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A message, as it goes over the socket.
    Message,
    /// A part of the terminal's picture, which a fresh one replaces, as it goes over the socket.
    Picture,
    /// What the program printed, for a browser: it gets its head when it goes.
    Printed,
    /// The same of a whole screen, which nothing is put together with.
    Screen,
}

impl Sort {
    fn is_picture(self) -> bool {
        self != Sort::Message
    }

    /// Whether it is the terminal's bytes for a browser, which have no head yet.
    fn is_bare(self) -> bool {
        matches!(self, Sort::Printed | Sort::Screen)
    }
}

/// What waits.
#[derive(Debug)]
struct Waiting {
    bytes: Vec<u8>,
    sort: Sort,
}

/// How long a client may still hold up what is printed for it.
#[derive(Debug)]
struct Patience {
    left: Duration,
    /// When it was seen how much is left.
    at: Instant,
}

impl Patience {
    fn earn(&mut self, now: Instant) {
        let earned = now.saturating_duration_since(self.at) / EARNED_IN;
        (self.left, self.at) = ((self.left + earned).min(PATIENCE.max(self.left)), now);
    }

    fn spend(&mut self, now: Instant) {
        let spent = now.saturating_duration_since(self.at);
        (self.left, self.at) = (self.left.saturating_sub(spent), now);
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { left: PATIENCE, at: Instant::now() }
    }
}

/// Starts the thread that writes what the connection does not take at once, which for most connections is nothing.
type StartWriter = Box<dyn FnOnce(ClientOut, Stream) -> io::Result<()> + Send>;

/// That, until it was needed.
#[derive(Default)]
struct Start(Option<StartWriter>);

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Start").field(&self.0.is_some()).finish()
    }
}

#[derive(Debug, Default)]
struct Queue {
    /// The end of a frame that was sent in part.
    rest: Vec<u8>,
    waiting: VecDeque<Waiting>,
    output: usize,
    control: usize,
    /// Output was dropped since the last fresh screen.
    behind: bool,
    /// The owner was told that a fresh screen can be taken.
    asked: bool,
    writing: bool,
    closing: bool,
    dead: bool,
    patience: Patience,
    /// How far a browser has come; `None` for any other client.
    browser: Option<Progress>,
    /// What is printed is held up just now.
    holds_up: bool,
    /// For ending a write that waits for the client, and for what is sent at once.
    stream: Option<Stream>,
    /// For the first time that the client's thread has something to do.
    start: Start,
}

impl Queue {
    /// Sends it, as far as it goes at once, or lets it wait behind what is waiting already.
    fn push(&mut self, bytes: &[u8], sort: Sort) {
        if !self.is_empty() || self.stream.is_none() || !self.may_go(bytes.len(), sort) {
            return self.wait(bytes, sort);
        }
        let framed = sort.is_bare().then(|| self.framed(bytes));
        let whole = framed.as_deref().unwrap_or(bytes);
        match self.sent_at_once(whole) {
            0 if framed.is_none() => self.wait(bytes, sort),
            sent => self.rest.extend_from_slice(&whole[sent..]),
        }
    }

    /// A message before what a browser's terminal waits for: that may go only once the browser has drawn more.
    fn reply(&mut self, bytes: &[u8]) {
        match self.waiting.iter().position(|waiting| waiting.sort.is_bare()) {
            Some(at) if !self.closing && self.control + bytes.len() <= CONTROL_MAX => {
                self.control += bytes.len();
                self.waiting.insert(at, Waiting { bytes: bytes.to_vec(), sort: Sort::Message });
            }
            Some(_) => {}
            None => self.message(bytes),
        }
    }

    /// A message behind all that waits; a client that lets too many wait is given up.
    fn message(&mut self, bytes: &[u8]) {
        if self.control + bytes.len() > CONTROL_MAX {
            self.die();
        } else if !self.closing {
            self.push(bytes, Sort::Message);
        }
    }

    fn close(&mut self) {
        self.closing = true;
        // No thread is needed for what is written already.
        if self.is_empty() && self.start.0.is_some() {
            self.finish();
        }
    }

    /// How much of it the connection takes now.
    fn sent_at_once(&self, bytes: &[u8]) -> usize {
        match &self.stream {
            // What fails here fails again in the client's thread, which knows what to do.
            Some(stream) => socket::send_now(stream, bytes).unwrap_or(0),
            None => 0,
        }
    }

    /// Whether so many bytes of this sort may be sent now.
    fn may_go(&self, bytes: usize, sort: Sort) -> bool {
        !sort.is_bare() || self.browser.as_ref().is_some_and(|browser| browser.has_room(bytes))
    }

    /// The terminal's bytes as they go to a browser.
    fn framed(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.browser.get_or_insert_default().message(bytes)
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.rest.is_empty() && !self.writing
    }

    /// Whether something can be sent.
    fn is_due(&self) -> bool {
        let may_go = |first: &Waiting| self.may_go(first.bytes.len(), first.sort);
        !self.rest.is_empty() || self.waiting.front().is_some_and(may_go)
    }

    /// Whether a client that fell behind can be given a fresh screen and was not yet.
    fn has_caught_up(&self) -> bool {
        self.behind && !self.asked && self.browser.as_ref().is_none_or(Progress::is_drawn)
    }

    /// Whether the client's thread, or whoever waits for it, has something to do.
    fn has_news(&self) -> bool {
        self.is_due() || self.closing || self.dead || self.has_caught_up()
    }

    fn wait(&mut self, bytes: &[u8], sort: Sort) {
        *self.counter(sort) += bytes.len();
        match self.waiting.back_mut() {
            Some(last)
                if last.sort == sort
                    && sort != Sort::Screen
                    && last.bytes.len() + bytes.len() <= TOGETHER =>
            {
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.waiting.push_back(Waiting { bytes: bytes.to_vec(), sort }),
        }
    }

    /// The next that may be sent, as it goes over the socket.
    fn pop(&mut self) -> Option<Vec<u8>> {
        let first = self.waiting.front()?;
        if !self.may_go(first.bytes.len(), first.sort) {
            return None;
        }
        let Waiting { bytes, sort } = self.waiting.pop_front()?;
        let counter = self.counter(sort);
        *counter = counter.saturating_sub(bytes.len());
        Some(if sort.is_bare() { self.framed(&bytes) } else { bytes })
    }

    fn counter(&mut self, sort: Sort) -> &mut usize {
        if sort.is_picture() { &mut self.output } else { &mut self.control }
    }

    fn drop_picture(&mut self) {
        self.waiting.retain(|waiting| !waiting.sort.is_picture());
        self.output = 0;
    }

    /// Nothing more is said. A browser is heard to the end: a connection that is closed with something unread is
    /// reset, and what the browser has not read yet is lost with it.
    fn finish(&mut self) {
        self.start = Start::default();
        match (&self.browser, &self.stream) {
            (Some(_), Some(stream)) => drop(stream.shutdown(Shutdown::Write)),
            _ => self.die(),
        }
    }

    fn lags(&self) -> bool {
        self.output > LAGS && !self.behind && !self.dead && !self.closing
    }

    fn die(&mut self) {
        self.dead = true;
        self.start = Start::default();
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

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
    use super::*;
    use crate::frame;
    use std::{io::Read, sync::mpsc::sync_channel, thread};

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
    fn patience_comes_back_slowly_and_up_to_its_whole() {
        let start = Instant::now();
        let mut patience = Patience { left: PATIENCE, at: start };
        patience.spend(start + 2 * PATIENCE);
        assert_eq!(patience.left, Duration::ZERO);
        patience.earn(start + 5 * PATIENCE);
        assert_eq!(patience.left, PATIENCE);
        patience.earn(start + 500 * PATIENCE);
        assert_eq!(patience.left, PATIENCE);
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
