//! The queue of one client: what waits, what may go, and what is sent at once. No thread, no waiting.

use super::ClientOut;
use crate::web::told::Progress;
use bc_process::socket::{self, Stream};
use std::{
    collections::VecDeque,
    fmt, io,
    net::Shutdown,
    time::{Duration, Instant},
};

/// Terminal output that may wait, in bytes.
pub(super) const OUTPUT_MAX: usize = 4 << 20;

/// With more than this waiting for it a terminal lags, and is given a moment.
pub(super) const LAGS: usize = 1 << 20;

/// Control messages that may wait, in bytes.
const CONTROL_MAX: usize = 16 << 20;

/// Output is put together up to so much: a client that lags is written to in large pieces.
const TOGETHER: usize = 64 << 10;

/// How long what is printed may be held up for a client that lags.
const PATIENCE: Duration = Duration::from_millis(100);

/// Patience comes back in so many times the time that it lasts.
const EARNED_IN: u32 = 3;

/// What kind of a thing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
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
    pub(super) fn is_picture(self) -> bool {
        self != Sort::Message
    }

    /// Whether it is the terminal's bytes for a browser, which have no head yet.
    pub(super) fn is_bare(self) -> bool {
        matches!(self, Sort::Printed | Sort::Screen)
    }
}

/// What waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) bytes: Vec<u8>,
    pub(super) sort: Sort,
}

/// How long a client may still hold up what is printed for it.
#[derive(Debug)]
pub(super) struct Patience {
    pub(super) left: Duration,
    /// When it was seen how much is left.
    pub(super) at: Instant,
}

impl Patience {
    pub(super) fn earn(&mut self, now: Instant) {
        let earned = now.saturating_duration_since(self.at) / EARNED_IN;
        (self.left, self.at) = ((self.left + earned).min(PATIENCE.max(self.left)), now);
    }

    pub(super) fn spend(&mut self, now: Instant) {
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
pub(super) type StartWriter = Box<dyn FnOnce(ClientOut, Stream) -> io::Result<()> + Send>;

/// That, until it was needed.
#[derive(Default)]
pub(super) struct Start(pub(super) Option<StartWriter>);

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Start").field(&self.0.is_some()).finish()
    }
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The end of a frame that was sent in part.
    pub(super) rest: Vec<u8>,
    pub(super) waiting: VecDeque<Waiting>,
    pub(super) output: usize,
    pub(super) control: usize,
    /// Output was dropped since the last fresh screen.
    pub(super) behind: bool,
    /// The owner was told that a fresh screen can be taken.
    pub(super) asked: bool,
    pub(super) writing: bool,
    pub(super) closing: bool,
    pub(super) dead: bool,
    pub(super) patience: Patience,
    /// How far a browser has come; `None` for any other client.
    pub(super) browser: Option<Progress>,
    /// What is printed is held up just now.
    pub(super) holds_up: bool,
    /// For ending a write that waits for the client, and for what is sent at once.
    pub(super) stream: Option<Stream>,
    /// For the first time that the client's thread has something to do.
    pub(super) start: Start,
}

impl Queue {
    /// Sends it, as far as it goes at once, or lets it wait behind what is waiting already.
    pub(super) fn push(&mut self, bytes: &[u8], sort: Sort) {
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
    pub(super) fn reply(&mut self, bytes: &[u8]) {
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
    pub(super) fn message(&mut self, bytes: &[u8]) {
        if self.control + bytes.len() > CONTROL_MAX {
            self.die();
        } else if !self.closing {
            self.push(bytes, Sort::Message);
        }
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
        // No thread is needed for what is written already.
        if self.is_empty() && self.start.0.is_some() {
            self.finish();
        }
    }

    /// How much of it the connection takes now.
    pub(super) fn sent_at_once(&self, bytes: &[u8]) -> usize {
        match &self.stream {
            // What fails here fails again in the client's thread, which knows what to do.
            Some(stream) => socket::send_now(stream, bytes).unwrap_or(0),
            None => 0,
        }
    }

    /// Whether so many bytes of this sort may be sent now.
    pub(super) fn may_go(&self, bytes: usize, sort: Sort) -> bool {
        !sort.is_bare() || self.browser.as_ref().is_some_and(|browser| browser.has_room(bytes))
    }

    /// The terminal's bytes as they go to a browser.
    pub(super) fn framed(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.browser.get_or_insert_default().message(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.rest.is_empty() && !self.writing
    }

    /// Whether something can be sent.
    pub(super) fn is_due(&self) -> bool {
        let may_go = |first: &Waiting| self.may_go(first.bytes.len(), first.sort);
        !self.rest.is_empty() || self.waiting.front().is_some_and(may_go)
    }

    /// Whether a client that fell behind can be given a fresh screen and was not yet.
    pub(super) fn has_caught_up(&self) -> bool {
        self.behind && !self.asked && self.browser.as_ref().is_none_or(Progress::is_drawn)
    }

    /// Whether the client's thread, or whoever waits for it, has something to do.
    pub(super) fn has_news(&self) -> bool {
        self.is_due() || self.closing || self.dead || self.has_caught_up()
    }

    pub(super) fn wait(&mut self, bytes: &[u8], sort: Sort) {
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
    pub(super) fn pop(&mut self) -> Option<Vec<u8>> {
        let first = self.waiting.front()?;
        if !self.may_go(first.bytes.len(), first.sort) {
            return None;
        }
        let Waiting { bytes, sort } = self.waiting.pop_front()?;
        let counter = self.counter(sort);
        *counter = counter.saturating_sub(bytes.len());
        Some(if sort.is_bare() { self.framed(&bytes) } else { bytes })
    }

    pub(super) fn counter(&mut self, sort: Sort) -> &mut usize {
        if sort.is_picture() { &mut self.output } else { &mut self.control }
    }

    pub(super) fn drop_picture(&mut self) {
        self.waiting.retain(|waiting| !waiting.sort.is_picture());
        self.output = 0;
    }

    /// Nothing more is said. A browser is heard to the end: a connection that is closed with something unread is
    /// reset, and what the browser has not read yet is lost with it.
    pub(super) fn finish(&mut self) {
        self.start = Start::default();
        match (&self.browser, &self.stream) {
            (Some(_), Some(stream)) => drop(stream.shutdown(Shutdown::Write)),
            _ => self.die(),
        }
    }

    pub(super) fn lags(&self) -> bool {
        self.output > LAGS && !self.behind && !self.dead && !self.closing
    }

    pub(super) fn die(&mut self) {
        self.dead = true;
        self.start = Start::default();
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
