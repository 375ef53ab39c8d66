//! A client that follows a session's terminal output: it detects missing bytes and maintains the state of the
//! screen.

use bc_host::{
    connect_terminal,
    frame::{self, Frame},
    protocol::{FreshScreen, View},
};
use bc_process::{screen::Screen, size::Size, socket::Stream};
use bc_testkit::wait_until;
use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
    net::Shutdown,
    path::Path,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(120);

/// All watchers have the same size, so that no watcher resizes the session's terminal.
const SIZE: (u16, u16) = (30, 100);

/// A terminal client that stays attached to a session's host until the client is dropped or the host ends.
pub(crate) struct Watcher {
    state: Arc<Mutex<State>>,
    stream: Stream,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The host may already have closed the connection.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

#[derive(Default)]
struct State {
    screen: Option<Screen>,
    /// The number of bytes of a whole screen that have not arrived yet; 0 if no whole screen is being
    /// received.
    screen_bytes_left: u64,
    /// The offset of the next live byte in the complete output of the program.
    next: u64,
    watched: u64,
    fresh: u64,
    gaps: Vec<String>,
    ended: bool,
}

impl Watcher {
    /// Attaches to the host.
    pub(crate) fn attach(socket: &Path) -> Watcher {
        let size = Size::new(SIZE.0, SIZE.1);
        let mut stream = connect_terminal(socket, size, View::Whole).unwrap();
        let own_stream = stream.try_clone().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let reader_state = Arc::clone(&state);
        thread::spawn(move || {
            while let Ok(Some(frame)) = frame::read(&mut stream) {
                reader_state.lock().expect("no thread panics while it holds this lock").take(&frame);
            }
            reader_state.lock().expect("no thread panics while it holds this lock").ended = true;
        });
        let watcher = Watcher { state, stream: own_stream };
        watcher.wait_until("the first screen", |state| state.fresh > 0 && state.screen_bytes_left == 0);
        watcher
    }

    /// Waits until this number of live bytes has arrived since the attachment, or until the host has ended.
    pub(crate) fn wait_watched(&self, bytes: u64) {
        self.wait_until("output", |state| state.watched >= bytes || state.ended);
    }

    /// The offset in the program's output, and a hash of the whole screen at this offset; `None` during a refresh.
    pub(crate) fn screen_state(&self) -> Option<(u64, u64)> {
        let mut hasher = DefaultHasher::new();
        let state = self.state.lock().expect("no thread panics while it holds this lock");
        state.screen.as_ref().filter(|_| state.screen_bytes_left == 0)?.snapshot().hash(&mut hasher);
        Some((state.next, hasher.finish()))
    }

    /// The number of live bytes, and the number of whole screens that the host sent because this client was
    /// slow. Asserts that no bytes are missing.
    pub(crate) fn seen(&self) -> (u64, u64) {
        let state = self.state.lock().expect("no thread panics while it holds this lock");
        assert!(state.gaps.is_empty(), "bytes are missing: {:?}", state.gaps);
        (state.watched, state.fresh - 1)
    }

    #[track_caller]
    fn wait_until(&self, what: &str, condition: impl Fn(&State) -> bool) {
        wait_until(what, TIMEOUT, || {
            condition(&self.state.lock().expect("no thread panics while it holds this lock"))
        });
    }
}

impl State {
    fn take(&mut self, frame: &Frame) {
        if let Ok(fresh) = frame.json::<FreshScreen>() {
            self.screen = Some(Screen::new(fresh.fresh_screen));
            (self.screen_bytes_left, self.fresh) = (fresh.bytes, self.fresh + 1);
        } else if let Some((offset, bytes)) = frame.as_output() {
            let len = bytes.len() as u64;
            if let Some(screen) = &mut self.screen {
                screen.feed(bytes);
            }
            if self.screen_bytes_left > 0 {
                (self.screen_bytes_left, self.next) = (self.screen_bytes_left.saturating_sub(len), offset);
            } else {
                if offset != self.next {
                    self.gaps.push(format!("{offset} came after {}", self.next));
                }
                (self.next, self.watched) = (offset + len, self.watched + len);
            }
        }
    }
}
