//! A client for a session's host, for use in other processes.

use crate::{
    frame::{self, Frame, FrameError},
    prompt_typing::ANSWERED_WITHIN,
    protocol::{
        Call, Event, Hello, HostStatus, Outcome, PROTOCOL_VERSION, Readiness, Refused, Reply, Request, Role,
        Sent, StopKind, Stopped, Verdict, View, Welcome,
    },
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
    time::{Duration, Instant},
};

/// The time limit for requests that the host answers immediately.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// The time limit for typing and confirming a prompt. The host's own limit is shorter, so that a caller does
/// not send a prompt again while the host is still delivering it.
const TYPED_WITHIN: Duration = ANSWERED_WITHIN.saturating_add(ANSWER_WITHIN);

/// The time limit for a mode change. The host's own limit is shorter.
const MODE_CHANGE_WITHIN: Duration = Duration::from_secs(60);

/// The time limit for a graceful end including its hooks. The host kills claude earlier.
const STOP_WITHIN: Duration = Duration::from_secs(240);

/// The reason that communication with a host failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Connecting to the socket failed, usually because the host has exited.
    #[error("the session's host is not running")]
    Away {
        socket: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The host uses another version of the protocol.
    #[error(
        "the session runs under another version of Beads Console (its protocol is {host}, ours is {PROTOCOL_VERSION}); \
         pause it with that version or end its process, then resume it"
    )]
    OtherVersion {
        /// The host's protocol version.
        host: u32,
    },
    /// The connection broke, or a message could not be decoded.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The host exited during the request.
    #[error("the session's host ended")]
    Ended,
    /// The host did not answer in time.
    #[error("the session's host did not answer within {0:?}")]
    TimedOut(Duration),
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A connection for requests. Each thread should use its own, because connections are cheap.
#[derive(Debug)]
pub struct Client {
    /// Buffered, so that the header and payload of a short frame take one read.
    stream: BufReader<Stream>,
    /// The stream's current read timeout; `None` for no limit.
    read_timeout: Option<Duration>,
    requests: u64,
    events: VecDeque<Event>,
}

impl Client {
    /// Connects to the host that listens on this socket.
    pub fn connect(socket: &Path) -> Result<Client, ClientError> {
        let stream = BufReader::new(greet(socket, Role::Control)?);
        Ok(Client { stream, read_timeout: None, requests: 0, events: VecDeque::new() })
    }

    /// The host's status: claude's activity, the prompt queue, open permission requests, and problems.
    pub fn status(&mut self) -> Result<HostStatus, ClientError> {
        self.call(Call::Status, ANSWER_WITHIN)
    }

    /// Sends a prompt to claude. The host saves it on disk, and types it immediately or as soon as it can.
    /// Returns when the prompt is confirmed, held, or in doubt.
    pub fn send(&mut self, text: &str) -> Result<Sent, ClientError> {
        self.call(Call::Send { text: text.to_owned() }, TYPED_WITHIN)
    }

    /// Removes a prompt that is held, in doubt, or returned by claude.
    pub fn forget(&mut self, id: &str) -> Result<(), ClientError> {
        self.call(Call::Forget { id: id.to_owned() }, ANSWER_WITHIN)
    }

    /// Queues a prompt again that is in doubt or was returned by claude.
    pub fn retry(&mut self, id: &str) -> Result<(), ClientError> {
        self.call(Call::Retry { id: id.to_owned() }, ANSWER_WITHIN)
    }

    /// Presses Esc, which ends the turn or refuses the open permission request. Does nothing at the prompt,
    /// or just after another Esc.
    pub fn interrupt(&mut self) -> Result<(), ClientError> {
        self.call(Call::Interrupt, ANSWER_WITHIN)
    }

    /// Decides a permission request. Refused if the request is closed or the verdict does not fit it.
    pub fn permission(&mut self, id: &str, verdict: Verdict) -> Result<(), ClientError> {
        self.call(Call::Permission { id: id.to_owned(), verdict }, ANSWER_WITHIN)
    }

    /// Changes claude's permission mode to `to`, or without it to claude's next mode other than Bypass. Returns
    /// the mode that claude then shows.
    pub fn mode(&mut self, to: Option<PermissionMode>) -> Result<PermissionMode, ClientError> {
        self.call(Call::Mode { to }, MODE_CHANGE_WITHIN)
    }

    /// Replaces the wording of a queued prompt.
    pub fn edit_text(&mut self, id: &str, text: &str) -> Result<(), ClientError> {
        self.call(Call::EditText { id: id.to_owned(), text: text.to_owned() }, ANSWER_WITHIN)
    }

    /// Moves a queued prompt before another one, or to the end.
    pub fn move_text(&mut self, id: &str, before: Option<&str>) -> Result<(), ClientError> {
        let before = before.map(str::to_owned);
        self.call(Call::MoveText { id: id.to_owned(), before }, ANSWER_WITHIN)
    }

    /// Makes a queued prompt the next one, and stops a running turn. Refused while a permission request is
    /// open.
    pub fn send_now(&mut self, id: &str) -> Result<(), ClientError> {
        self.call(Call::SendNow { id: id.to_owned() }, ANSWER_WITHIN)
    }

    /// Ends claude gracefully, and pauses or closes the session. Returns when the new state is saved, or when
    /// it cannot be saved yet because the disk is full.
    pub fn stop(&mut self, then: StopKind) -> Result<Stopped, ClientError> {
        self.call(Call::Stop { then }, STOP_WITHIN)
    }

    /// Asks the host to check its session's beads.
    pub fn beads_changed(&mut self) -> Result<(), ClientError> {
        self.call(Call::BeadsChanged, ANSWER_WITHIN)
    }

    /// Asks the host to reload the lifecycle hooks.
    pub fn reload_hooks(&mut self) -> Result<(), ClientError> {
        self.call(Call::ReloadHooks, ANSWER_WITHIN)
    }

    /// Sets how long claude may be idle before the session is paused, in milliseconds; `None` for no limit.
    pub fn idle_after(&mut self, ms: Option<u64>) -> Result<(), ClientError> {
        self.call(Call::IdleAfter { ms }, ANSWER_WITHIN)
    }

    /// The visible lines of the terminal.
    pub fn screen(&mut self) -> Result<String, ClientError> {
        self.call(Call::Screen, ANSWER_WITHIN)
    }

    /// Waits for the outcome of claude's start, and returns it.
    ///
    /// # Errors
    /// `TimedOut` at the deadline, while claude is still loading.
    pub fn wait_ready(&mut self, within: Duration) -> Result<Readiness, ClientError> {
        self.call(Call::WaitReady, within)
    }

    /// Subscribes to all events from now on. Consumes the connection.
    pub fn subscribe(mut self) -> Result<Events, ClientError> {
        let _: u64 = self.call(Call::Subscribe, ANSWER_WITHIN)?;
        Ok(Events { client: self })
    }

    fn call<T: DeserializeOwned>(&mut self, call: Call, within: Duration) -> Result<T, ClientError> {
        self.requests += 1;
        let request = self.requests;
        frame::write(self.stream.get_mut(), &Frame::control(&Request { request, call }))?;
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let frame = self.read(Some(left), Some(within))?.ok_or(ClientError::Ended)?;
            if let Ok(event) = Event::of(&frame) {
                self.events.push_back(event);
                continue;
            }
            let reply: Reply = frame.json()?;
            // The reply to an abandoned request is ignored.
            if reply.reply == request {
                return match reply.outcome {
                    Outcome::Ok(value) => Ok(serde_json::from_value(value).map_err(FrameError::Json)?),
                    Outcome::Error(refused) => Err(refused.into()),
                };
            }
        }
    }

    /// Reads a frame within the time `left` of the limit `within`. Returns `None` when the host has exited.
    fn read(
        &mut self,
        left: Option<Duration>,
        within: Option<Duration>,
    ) -> Result<Option<Frame>, ClientError> {
        self.wait(left, within)?;
        match frame::read(&mut self.stream) {
            Err(FrameError::Io(error)) if is_timeout(&error) => {
                Err(ClientError::TimedOut(within.unwrap_or_default()))
            }
            Err(FrameError::Io(error)) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            other => Ok(other?),
        }
    }

    /// Waits for data or the end of the connection. Later reads use the same timeout.
    fn wait(&mut self, left: Option<Duration>, within: Option<Duration>) -> Result<(), ClientError> {
        let timed_out = || ClientError::TimedOut(within.unwrap_or_default());
        if left.is_some_and(|left| left.is_zero()) {
            return Err(timed_out());
        }
        if self.read_timeout != left {
            self.stream.get_ref().set_read_timeout(left).map_err(FrameError::Io)?;
            self.read_timeout = left;
        }
        match self.stream.fill_buf() {
            Err(error) if is_timeout(&error) => Err(timed_out()),
            // The following read reports the error again.
            _ => Ok(()),
        }
    }
}

/// Whether a read timed out.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// The events of a session. A gap in their numbers indicates missed events.
#[derive(Debug)]
pub struct Events {
    client: Client,
}

impl Events {
    /// Returns the next event, or `None` when the host has exited.
    pub fn next_event(&mut self) -> Result<Option<Event>, ClientError> {
        self.next(None)
    }

    /// Like [`Events::next_event`], with a time limit.
    ///
    /// # Errors
    /// Also returns `TimedOut` at the deadline.
    pub fn next_within(&mut self, within: Duration) -> Result<Option<Event>, ClientError> {
        self.next(Some(within))
    }

    /// Waits for an unread event or the end of the connection.
    ///
    /// # Errors
    /// Returns `TimedOut` at the deadline.
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
            // Unknown events of later versions are skipped.
            if let Ok(event) = Event::of(&frame) {
                return Ok(Some(event));
            }
        }
    }
}

/// Connects an attached terminal, which the caller draws. The host sends output frames and
/// [`crate::protocol::FreshScreen`] frames; the caller sends input frames and resize requests.
pub fn connect_terminal(socket: &Path, size: Size, view: View) -> Result<Stream, ClientError> {
    greet(socket, Role::Attach { size, view })
}

fn greet(path: &Path, role: Role) -> Result<Stream, ClientError> {
    let away = |source| ClientError::Away { socket: path.to_owned(), source };
    let mut stream = socket::connect(path).map_err(away)?;
    stream.set_read_timeout(Some(ANSWER_WITHIN)).map_err(FrameError::Io)?;
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
    use crate::{
        prompt_box::PromptBox,
        prompt_typing::{ANSWER_DELAY_MAX, Progress, PromptTyping},
    };

    #[test]
    fn the_host_answers_for_a_prompt_before_the_client_times_out() {
        let sent = Instant::now();
        let shown = PromptBox { typed: "a text".into(), above: 0, mode: None, focused: true };
        let mut now = sent + ANSWER_DELAY_MAX;
        let mut typing = PromptTyping::default();
        typing.begin("1".into(), "a text".into(), vec![], now);
        let mut last_check = now;
        while typing.on_deadline(now, || true).is_none() {
            (last_check, now) = (now, typing.deadline().unwrap());
        }
        // Repeat with a claude that shows the text just before the host's time limit.
        typing.begin("1".into(), "a text".into(), vec![], sent + ANSWER_DELAY_MAX);
        assert_eq!(typing.on_deadline(last_check, || true), None);
        assert!(matches!(typing.on_screen(Some(&shown), true, now), Some(Progress::PressEnter { .. })));
        let end = typing.deadline().unwrap();
        assert!(matches!(typing.on_deadline(end, || true), Some(Progress::Lost { entered: true, .. })));
        assert!(end - sent < TYPED_WITHIN, "{:?} of {TYPED_WITHIN:?}", end - sent);
    }
}
