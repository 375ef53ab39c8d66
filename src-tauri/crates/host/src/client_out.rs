//! What waits to be written to one client, and never more than it may.
//!
//! A terminal that falls behind loses the output that waits for it and gets a fresh screen once it
//! has read what it was given before; a control client that does not read is cut off. Nobody waits
//! for either. What is short and the connection takes at once is sent at once: no thread wakes up for it.

use crate::frame::Frame;
use bc_process::socket::{self, Stream};
use std::{
    collections::VecDeque,
    io::Write,
    net::Shutdown,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Terminal output that may wait, in bytes: what a flood prints while the client is not given the processor.
const OUTPUT_MAX: usize = 4 << 20;

/// Control messages that may wait, in bytes.
const CONTROL_MAX: usize = 16 << 20;

/// Longer frames are left to the client's thread: copying them would hold up the owner.
const AT_ONCE_MAX: usize = 16 << 10;

/// A frame that waits, and whether it belongs to the terminal's picture, which a fresh one replaces.
#[derive(Debug)]
struct Waiting {
    frame: Frame,
    picture: bool,
}

#[derive(Debug, Default)]
struct Queue {
    /// The end of a frame that was sent in part.
    rest: Vec<u8>,
    frames: VecDeque<Waiting>,
    output: usize,
    control: usize,
    /// Output was dropped since the last fresh screen.
    behind: bool,
    /// The owner was told that a fresh screen can be taken.
    asked: bool,
    writing: bool,
    closing: bool,
    dead: bool,
    /// For ending a write that waits for the client, and for what is sent at once.
    stream: Option<Stream>,
}

impl Queue {
    /// Sends it, as far as it goes at once, or lets it wait behind what is waiting already.
    fn push(&mut self, frame: Frame, picture: bool) {
        if !self.sent_at_once(&frame) {
            self.wait(frame, picture);
        }
    }

    /// Whether nothing of it has to wait but what is in `rest`.
    fn sent_at_once(&mut self, frame: &Frame) -> bool {
        let Some(stream) = self.stream.as_ref().filter(|_| self.is_empty()) else { return false };
        if frame.payload.len() > AT_ONCE_MAX {
            return false;
        }
        // What fails here fails again in the client's thread, which knows what to do.
        let Ok(mut bytes) = frame.encoded() else { return false };
        match socket::send_now(stream, &bytes) {
            Ok(sent) if sent > 0 => {
                self.rest = bytes.split_off(sent);
                true
            }
            _ => false,
        }
    }

    fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.rest.is_empty() && !self.writing
    }

    /// Whether the client's thread, or whoever waits for it, has something to do.
    fn has_news(&self) -> bool {
        !self.is_empty() || self.closing || self.dead || (self.behind && !self.asked)
    }

    fn wait(&mut self, frame: Frame, picture: bool) {
        *self.counter(picture) += frame.payload.len();
        self.frames.push_back(Waiting { frame, picture });
    }

    fn pop(&mut self) -> Option<Frame> {
        let Waiting { frame, picture } = self.frames.pop_front()?;
        let counter = self.counter(picture);
        *counter = counter.saturating_sub(frame.payload.len());
        Some(frame)
    }

    fn counter(&mut self, picture: bool) -> &mut usize {
        if picture { &mut self.output } else { &mut self.control }
    }

    fn drop_picture(&mut self) {
        self.frames.retain(|waiting| !waiting.picture);
        self.output = 0;
    }

    fn die(&mut self) {
        self.dead = true;
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
    /// The queue of the client on this connection.
    pub(crate) fn of(stream: &Stream) -> ClientOut {
        let out = ClientOut::default();
        out.queue().stream = stream.try_clone().ok();
        out
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Every change is whole: a panic elsewhere leaves a good queue.
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Queue)) {
        let mut queue = self.queue();
        change(&mut queue);
        // What was sent at once leaves nothing to do for those who wait.
        if queue.has_news() {
            self.shared.1.notify_all();
        }
    }

    /// A message; a client that lets too many wait is given up.
    pub(crate) fn control(&self, frame: Frame) {
        self.change(|queue| {
            if queue.control + frame.payload.len() > CONTROL_MAX {
                queue.die();
            } else if !queue.closing {
                queue.push(frame, false);
            }
        });
    }

    /// Terminal output; dropped, with all that waits, when too much would wait.
    pub(crate) fn output(&self, frame: Frame) {
        self.change(|queue| {
            if queue.behind || queue.closing {
                return;
            }
            if queue.output + frame.payload.len() > OUTPUT_MAX {
                queue.drop_picture();
                queue.behind = true;
            } else {
                queue.push(frame, true);
            }
        });
    }

    /// A fresh screen, whatever its length: the client is up to date with it.
    pub(crate) fn fresh(&self, frames: Vec<Frame>) {
        self.change(|queue| {
            queue.drop_picture();
            (queue.behind, queue.asked) = (false, false);
            frames.into_iter().for_each(|frame| queue.push(frame, true));
        });
    }

    /// Closes the connection once everything was written.
    pub(crate) fn close(&self) {
        self.change(|queue| queue.closing = true);
    }

    /// The connection is gone.
    pub(crate) fn give_up(&self) {
        self.change(Queue::die);
    }

    /// Waits until everything was written, at most `longest`.
    pub(crate) fn drained(&self, longest: Duration) {
        let deadline = Instant::now() + longest;
        let mut queue = self.queue();
        while !queue.dead && !queue.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            queue = self.shared.1.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
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
        let _ = stream.shutdown(Shutdown::Both);
        self.give_up();
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
            if let Some(frame) = queue.pop() {
                // One that is too long for the protocol is none that could be told.
                let Ok(bytes) = frame.encoded() else { return None };
                queue.writing = true;
                return Some(Next::Bytes(bytes));
            }
            if queue.closing {
                return None;
            }
            if queue.behind && !queue.asked {
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
            out.output(Frame::output(at, &[b'x'; 64 * 1024]));
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
        out.fresh(vec![Frame::output(999, b"fresh")]);
        out.close();
        writer.join().unwrap();
        assert_eq!(reader.join().unwrap(), Some(Frame::output(999, b"fresh")));
    }

    #[test]
    fn a_control_client_that_does_not_read_is_given_up() {
        let out = ClientOut::default();
        for _ in 0..20 {
            out.control(Frame { kind: frame::Kind::Control, payload: vec![b' '; 1 << 20] });
        }
        let (ours, mut theirs) = pair();
        out.write_to(ours, || {});
        assert_eq!(theirs.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn everything_is_written_before_the_connection_closes() {
        let (ours, mut theirs) = pair();
        let out = ClientOut::default();
        out.control(Frame::control(&1));
        out.control(Frame::control(&2));
        out.close();
        out.write_to(ours, || {});
        assert_eq!(frame::read(&mut theirs).unwrap().unwrap().json::<u8>().unwrap(), 1);
        assert_eq!(frame::read(&mut theirs).unwrap().unwrap().json::<u8>().unwrap(), 2);
        assert_eq!(frame::read(&mut theirs).unwrap(), None);
    }
}
