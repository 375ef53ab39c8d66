//! Speaking with a session's host from another process.

use crate::{
    frame::{self, Frame, FrameError},
    protocol::{
        Call, Event, Hello, HostStatus, Outcome, PROTOCOL_VERSION, Readiness, Refused, Reply, Request, Role,
        Sent, StopKind, Stopped, Verdict, View, Welcome,
    },
    sending::ANSWERED_WITHIN,
};
use bc_core::mode::PermissionMode;
use bc_process::{
    size::Size,
    socket::{self, Stream},
};
use serde::de::DeserializeOwned;
use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    time::Duration,
};

/// How long a host may take for what it can say at once.
const AT_ONCE: Duration = Duration::from_secs(10);

/// How long it may take to say that it takes a browser over; whoever asks can carry the terminal without it.
#[cfg(unix)]
const HANDED_OVER: Duration = Duration::from_secs(2);

/// How long a text may take to be typed and confirmed: the host gives up earlier. Whoever is told that there is no
/// answer would send again what the host may still deliver.
const TYPED: Duration = ANSWERED_WITHIN.saturating_add(AT_ONCE);

/// How long the mode may take to be changed: the host gives up earlier.
const CHANGED: Duration = Duration::from_secs(60);

/// How long an end in order may take, with the hooks of its end: the host goes to harder means earlier.
const STOPPED: Duration = Duration::from_secs(240);

/// What went wrong between us and a host.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens there.
    #[error("the session's host is not running")]
    Away {
        /// The socket.
        socket: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The host is of another build.
    #[error(
        "the session runs under another version of Beads Console (its protocol is {host}, ours {PROTOCOL_VERSION}); \
         pause it with that version, or end its process, and resume it"
    )]
    OtherVersion {
        /// The host's protocol.
        host: u32,
    },
    /// The connection broke, or what came is not understood.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The host ended in the middle.
    #[error("the session's host ended")]
    Ended,
    /// It did not answer in time.
    #[error("the session's host did not answer within {0:?}")]
    TimedOut(Duration),
    /// It refused.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A connection for requests. Not for several threads: connections are cheap.
#[derive(Debug)]
pub struct Client {
    /// Read with a buffer: what is told is mostly short, and its frame's head is not read for itself.
    stream: BufReader<Stream>,
    /// How long the stream waits for more.
    patience: Option<Duration>,
    requests: u64,
    events: VecDeque<Event>,
}

impl Client {
    /// Connects to the host that listens there.
    pub fn connect(socket: &Path) -> Result<Client, ClientError> {
        let stream = BufReader::new(greet(socket, Role::Control)?);
        Ok(Client { stream, patience: None, requests: 0, events: VecDeque::new() })
    }

    /// What the host says of itself.
    pub fn status(&mut self) -> Result<HostStatus, ClientError> {
        self.call(Call::Status, Some(AT_ONCE))
    }

    /// Sends a text to claude's prompt: typed now, or held on disk until that can be. Returns when
    /// claude has it, or it is held, or in doubt.
    pub fn send(&mut self, text: &str) -> Result<Sent, ClientError> {
        self.call(Call::Send { text: text.to_owned() }, Some(TYPED))
    }

    /// Drops a text that is held or in doubt.
    pub fn forget(&mut self, id: &str) -> Result<(), ClientError> {
        self.call(Call::Forget { id: id.to_owned() }, Some(AT_ONCE))
    }

    /// Lets a text that is in doubt be typed once more.
    pub fn retry(&mut self, id: &str) -> Result<(), ClientError> {
        self.call(Call::Retry { id: id.to_owned() }, Some(AT_ONCE))
    }

    /// Presses Esc: ends the turn, or refuses the permission that is asked for.
    pub fn interrupt(&mut self) -> Result<(), ClientError> {
        self.call(Call::Interrupt, Some(AT_ONCE))
    }

    /// Decides a permission request.
    pub fn permission(&mut self, id: &str, verdict: Verdict) -> Result<(), ClientError> {
        self.call(Call::Permission { id: id.to_owned(), verdict }, Some(AT_ONCE))
    }

    /// Changes claude's permission mode, to this one or to claude's next that is not Bypass. The mode
    /// that claude shows then.
    pub fn mode(&mut self, to: Option<PermissionMode>) -> Result<PermissionMode, ClientError> {
        self.call(Call::Mode { to }, Some(CHANGED))
    }

    /// Ends claude in order and pauses or closes the session; returns when that is on disk.
    pub fn stop(&mut self, then: StopKind) -> Result<Stopped, ClientError> {
        self.call(Call::Stop { then }, Some(STOPPED))
    }

    /// Lets the host look what became of its session's beads.
    pub fn beads_changed(&mut self) -> Result<(), ClientError> {
        self.call(Call::BeadsChanged, Some(AT_ONCE))
    }

    /// Lets the host read anew which lifecycle hooks there are.
    pub fn reload_hooks(&mut self) -> Result<(), ClientError> {
        self.call(Call::ReloadHooks, Some(AT_ONCE))
    }

    /// Says how long claude may sit at its prompt before the session is paused, in milliseconds.
    pub fn idle_after(&mut self, ms: Option<u64>) -> Result<(), ClientError> {
        self.call(Call::IdleAfter { ms }, Some(AT_ONCE))
    }

    /// The visible lines of the terminal.
    pub fn screen(&mut self) -> Result<String, ClientError> {
        self.call(Call::Screen, Some(AT_ONCE))
    }

    /// What claude's start came to. `TimedOut` at the deadline: it is still loading.
    pub fn wait_ready(&mut self, within: Duration) -> Result<Readiness, ClientError> {
        self.call(Call::WaitReady, Some(within))
    }

    /// Everything that happens from now on. Consumes the connection.
    pub fn subscribe(mut self) -> Result<Events, ClientError> {
        let _: u64 = self.call(Call::Subscribe, Some(AT_ONCE))?;
        Ok(Events { client: self })
    }

    fn call<T: DeserializeOwned>(&mut self, call: Call, within: Option<Duration>) -> Result<T, ClientError> {
        self.requests += 1;
        let request = self.requests;
        frame::write(self.stream.get_mut(), &Frame::control(&Request { request, call }))?;
        let deadline = within.map(|within| std::time::Instant::now() + within);
        loop {
            let left = deadline.map(|at| at.saturating_duration_since(std::time::Instant::now()));
            let Some(frame) = self.read(left, within)? else { return Err(ClientError::Ended) };
            if let Ok(event) = Event::of(&frame) {
                self.events.push_back(event);
                continue;
            }
            let reply: Reply = frame.json()?;
            // A reply to a request that was given up is of no use any more.
            if reply.reply == request {
                return match reply.outcome {
                    Outcome::Ok(value) => Ok(serde_json::from_value(value).map_err(FrameError::Json)?),
                    Outcome::Error(refused) => Err(refused.into()),
                };
            }
        }
    }

    fn read(
        &mut self,
        left: Option<Duration>,
        within: Option<Duration>,
    ) -> Result<Option<Frame>, ClientError> {
        self.wait(left, within)?;
        match frame::read(&mut self.stream) {
            Err(FrameError::Io(error)) if is_over(&error) => {
                Err(ClientError::TimedOut(within.unwrap_or_default()))
            }
            Err(FrameError::Io(error)) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            other => Ok(other?),
        }
    }

    /// Waits until something is there to be read, or the connection's end; from now on nothing is waited for longer.
    fn wait(&mut self, left: Option<Duration>, within: Option<Duration>) -> Result<(), ClientError> {
        let timed_out = || ClientError::TimedOut(within.unwrap_or_default());
        if left.is_some_and(|left| left.is_zero()) {
            return Err(timed_out());
        }
        if self.patience != left {
            self.stream.get_ref().set_read_timeout(left).map_err(FrameError::Io)?;
            self.patience = left;
        }
        match self.stream.fill_buf() {
            Err(error) if is_over(&error) => Err(timed_out()),
            // Whoever reads meets it again.
            _ => Ok(()),
        }
    }
}

/// Whether the time for a read was over.
fn is_over(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// What happens in a session. A gap in the numbers means that this client was too slow.
#[derive(Debug)]
pub struct Events {
    client: Client,
}

impl Events {
    /// The next one; `None` when the host has ended.
    pub fn next_event(&mut self) -> Result<Option<Event>, ClientError> {
        self.next(None)
    }

    /// The next one within a time.
    pub fn next_within(&mut self, within: Duration) -> Result<Option<Event>, ClientError> {
        self.next(Some(within))
    }

    /// Waits until something is on the connection that was not taken yet, an event or the connection's end.
    ///
    /// # Errors
    /// `TimedOut` at the deadline.
    pub fn wait(&mut self, within: Duration) -> Result<(), ClientError> {
        match self.client.events.is_empty() {
            true => self.client.wait(Some(within), Some(within)),
            false => Ok(()),
        }
    }

    fn next(&mut self, within: Option<Duration>) -> Result<Option<Event>, ClientError> {
        if let Some(event) = self.client.events.pop_front() {
            return Ok(Some(event));
        }
        loop {
            let Some(frame) = self.client.read(within, within)? else { return Ok(None) };
            // Events of versions to come are passed over.
            if let Ok(event) = Event::of(&frame) {
                return Ok(Some(event));
            }
        }
    }
}

/// An attached terminal's connection, for whoever draws it: output and [`crate::protocol::FreshScreen`]
/// frames come, input frames and resize requests go.
pub fn connect_terminal(socket: &Path, size: Size, view: View) -> Result<Stream, ClientError> {
    greet(socket, Role::Attach { size, view })
}

/// A host that takes a browser's connection over: see [`Role::Browser`].
#[cfg(unix)]
#[derive(Debug)]
pub struct HandOver(Stream);

#[cfg(unix)]
impl HandOver {
    /// Connects to the host that listens there.
    pub fn connect(socket: &Path) -> Result<HandOver, ClientError> {
        greet_within(socket, Role::Browser, HANDED_OVER).map(HandOver)
    }

    /// Gives the host a connection that has become a WebSocket, and what was read of it since. What comes back ends
    /// when the browser has gone; the browser is sent away when it ends.
    pub fn give(self, browser: std::os::fd::BorrowedFd<'_>, read: &[u8]) -> Result<Stream, ClientError> {
        let frame = Frame::input(read).encoded()?;
        socket::send_with(&self.0, &frame, browser).map_err(FrameError::Io)?;
        Ok(self.0)
    }
}

fn greet(path: &Path, role: Role) -> Result<Stream, ClientError> {
    greet_within(path, role, AT_ONCE)
}

fn greet_within(path: &Path, role: Role, within: Duration) -> Result<Stream, ClientError> {
    let away = |source| ClientError::Away { socket: path.to_owned(), source };
    let mut stream = socket::connect(path).map_err(away)?;
    stream.set_read_timeout(Some(within)).map_err(FrameError::Io)?;
    frame::write(&mut stream, &Frame::control(&Hello { version: PROTOCOL_VERSION, role }))?;
    let welcome = frame::read(&mut stream)?.ok_or(ClientError::Ended)?;
    stream.set_read_timeout(None).map_err(FrameError::Io)?;
    match welcome.json()? {
        Welcome::Yes { .. } => Ok(stream),
        Welcome::OtherVersion { version } => Err(ClientError::OtherVersion { host: version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sending::{PATIENCE, Progress, Sending, Shown};
    use std::time::Instant;

    #[test]
    fn a_text_is_settled_before_the_client_gives_up_however_slow_claude_is() {
        let sent = Instant::now();
        let plain = |screen| Shown { screen, without_hints: screen };
        let mut now = sent + PATIENCE;
        let mut sending = Sending::default();
        sending.begin("1".into(), "a text".into(), plain("❯"), now);
        let mut last_look = now;
        while sending.on_deadline(now, || true).is_none() {
            (last_look, now) = (now, sending.deadline().unwrap());
        }
        // The same once more, with a claude that shows the text just before it would have been lost.
        sending.begin("1".into(), "a text".into(), plain("❯"), sent + PATIENCE);
        assert_eq!(sending.on_deadline(last_look, || true), None);
        assert!(matches!(sending.on_screen(plain("❯ a text"), true, now), Some(Progress::PressEnter { .. })));
        let end = sending.deadline().unwrap();
        assert!(matches!(sending.on_deadline(end, || true), Some(Progress::Lost { entered: true, .. })));
        assert!(end - sent < TYPED, "{:?} of {TYPED:?}", end - sent);
    }
}
