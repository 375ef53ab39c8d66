//! Sends a session's record, events and requests to the link.
//!
//! The record is sent before the event that reports the change. The logs are read at each event and also
//! regularly, because the host writes some lines without an event.

use super::{
    command_queue::CommandQueue,
    folders::ProjectFolders,
    home_requests::{self, Answer, ReceivedRequest},
    hooks,
    link_output::answer,
};
use crate::{
    home_request::{ChangeCommand, HomeAnswer, HomeRequest},
    log_lines::next_lines,
    protocol::FromPlace,
    record_kind::{Log, Prefix, State},
};
use bc_core::{
    ids::SessionId,
    session::Status,
    text::{cut, one_line},
};
use bc_host::{
    Client,
    protocol::{Event, Happening},
};
use bc_process::descendants::{self, Family};
use bc_store::{SessionDir, repository};
use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::Duration,
};

/// The interval at which the files are read and a sign of life is sent, if no event arrives.
const EVERY: Duration = Duration::from_secs(5);

/// The time limit for a dead host's remaining processes to exit gracefully.
const GRACE: Duration = Duration::from_secs(2);

pub(super) enum FollowInput {
    Event(Box<Event>),
    /// The host has exited, or cannot be reached.
    HostEnded,
    StatusAsked,
    /// The host or an agent has a request for the user's machine.
    Asked(ReceivedRequest),
    /// The link has answered the request with this number.
    Answered(u64, Answer),
    LinkEnded,
}

/// Sends the record and events until the link exits, or until the host has exited and all queued commands are
/// answered.
pub(super) fn follow(
    folders: &ProjectFolders,
    session: SessionId,
    have: &BTreeMap<Log, Prefix>,
    sender: SyncSender<FollowInput>,
    received: &Receiver<FollowInput>,
    out: &mut impl Write,
) -> Result<(), String> {
    let Some((dir, _)) = folders.session(session) else {
        return answer(out, &FromPlace::NoSession);
    };
    let mut record = Record::new(dir.clone(), have, out)?;
    let socket = bc_host::socket_path(session).map_err(|error| error.to_string())?;
    let events = Client::connect(&socket).and_then(Client::subscribe);
    let is_running = events.is_ok();
    if is_running {
        let sender = sender.clone();
        home_requests::listen(session, move |request| sender.send(FollowInput::Asked(request)).is_ok())?;
    }
    let (mut waiting, mut number) = (BTreeMap::new(), 0);
    match events {
        Ok(mut events) => drop(thread::spawn(move || {
            while let Ok(Some(event)) = events.next_event() {
                if sender.send(FollowInput::Event(Box::new(event))).is_err() {
                    return;
                }
            }
            let _ = sender.send(FollowInput::HostEnded);
        })),
        Err(error) => tracing::info!(%error, "the session's host does not run"),
    }
    let status = |out: &mut _| match Client::connect(&socket).and_then(|mut client| client.status()) {
        Ok(status) => answer(out, &FromPlace::Status(Box::new(status))),
        // The host has just exited, which the next input reports.
        Err(_) => Ok(()),
    };
    record.send(out)?;
    if is_running {
        status(out)?;
    }
    let mut queued = QueuedCommands::new(&dir);
    let mut ended = !is_running;
    loop {
        if queued.sent.is_none()
            && let Some(change) = queued.queue.first()?
        {
            number += 1;
            queued.sent = Some((number, change.clone()));
            answer(out, &FromPlace::Ask { number, request: HomeRequest::Change(change) })?;
        }
        if ended && queued.sent.is_none() {
            break;
        }
        let next = received.recv_timeout(EVERY);
        record.send(out)?;
        match next {
            Ok(FollowInput::Event(event)) => {
                let is_text = matches!(event.what, Happening::Message { .. } | Happening::Delta { .. });
                let value = serde_json::to_value(&event).map_err(|error| error.to_string())?;
                if !is_text {
                    status(out)?;
                }
                answer(out, &FromPlace::Event(value))?;
            }
            Ok(FollowInput::StatusAsked) => {
                status(out)?;
                // Show the link that the preceding status answers its request.
                answer(out, &FromPlace::Alive)?;
            }
            Ok(FollowInput::Asked(ReceivedRequest { request, answer: to })) => {
                number += 1;
                waiting.insert(number, to);
                answer(out, &FromPlace::Ask { number, request })?;
            }
            Ok(FollowInput::Answered(number, answer)) => {
                if queued.record_answer(number, &answer)? {
                    if queued.sent.is_none() && queued.queue.first()?.is_none() {
                        queued.report_failures(&socket);
                    }
                } else if let Some(to) = waiting.remove(&number) {
                    // An error is ignored, because the host may no longer be waiting.
                    let _ = to.try_send(answer);
                }
            }
            Ok(FollowInput::LinkEnded) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Ok(FollowInput::HostEnded) => ended = true,
            Err(RecvTimeoutError::Timeout) => answer(out, &FromPlace::Alive)?,
        }
    }
    end(folders, &dir)?;
    record.send(out)?;
    answer(out, &FromPlace::Ended)
}

/// Sends the agents' commands that waited for the user's machine, one after the other.
struct QueuedCommands {
    queue: CommandQueue,
    /// The command that was sent but not answered yet, with its request's number.
    sent: Option<(u64, ChangeCommand)>,
    /// The failed commands, one line each.
    failures: Vec<String>,
}

impl QueuedCommands {
    fn new(dir: &SessionDir) -> QueuedCommands {
        QueuedCommands { queue: CommandQueue::of(dir), sent: None, failures: Vec::new() }
    }

    /// If this answers the sent command, marks the command as answered. Returns whether it does.
    fn record_answer(&mut self, number: u64, answer: &Answer) -> Result<bool, String> {
        let Some((_, change)) = self.sent.take_if(|(sent, _)| *sent == number) else { return Ok(false) };
        self.queue.mark_answered(change.id)?;
        let why = match answer {
            Ok(HomeAnswer::Command(output)) if output.code == Some(0) => return Ok(true),
            Ok(HomeAnswer::Command(output)) if output.stderr.trim().is_empty() => output.stdout.clone(),
            Ok(HomeAnswer::Command(output)) => output.stderr.clone(),
            Ok(HomeAnswer::Helper(_)) => "the answer was not understood".to_owned(),
            Err(why) => why.clone(),
        };
        self.failures.push(format!("- `{}`: {}", change.command.line(), cut(&one_line(&why), 300)));
        Ok(true)
    }

    /// Sends the agent a message about the failed commands, which is also visible to the user.
    fn report_failures(&mut self, socket: &Path) {
        if self.failures.is_empty() {
            return;
        }
        let text = format!(
            "Some of the commands that waited for the user's machine failed when it was reachable again:\n{}\n\
             If another agent has your bead now, stop, commit your work on this branch, and say so.",
            self.failures.join("\n")
        );
        match Client::connect(socket).and_then(|mut client| client.send(&text)) {
            Ok(_) => self.failures.clear(),
            // The host has exited. The link reports each failed command to the user.
            Err(error) => {
                tracing::warn!(%error, failed = self.failures.len(), "the agent did not get the report of failed commands")
            }
        }
    }
}

/// Waits until the host has released the session. If the host has died, terminates its processes and
/// interrupts the session.
pub(super) fn end(folders: &ProjectFolders, dir: &SessionDir) -> Result<(), String> {
    let text = |error: bc_store::StoreError| error.to_string();
    let lock = loop {
        if let Some(lock) = dir.try_lock().map_err(text)? {
            break Arc::new(lock);
        }
        // Poll, because no event reports the release of a lock.
        thread::sleep(Duration::from_millis(20));
    };
    let mut meta = lock.meta().map_err(text)?;
    if meta.status != Status::Active {
        return Ok(());
    }
    let family = Family { session: dir.id().to_string(), root: None };
    descendants::end_all(&family, GRACE).map_err(|error| error.to_string())?;
    bc_host::catch_up(&lock, bc_host::now).map_err(text)?;
    let last_alive = lock.heartbeat().map_err(text)?;
    meta = lock.meta().map_err(text)?;
    meta.interrupt(last_alive, bc_host::now()).map_err(|refusal| refusal.to_string())?;
    lock.save_meta(&meta).map_err(text)?;
    hooks::run_owed_end(folders, &lock, &meta);
    Ok(())
}

/// The record, and the part of it that was already sent.
struct Record {
    dir: SessionDir,
    logs: Vec<SentLog>,
    states: Vec<(State, Vec<u8>)>,
}

struct SentLog {
    log: Log,
    /// The offset of the first unsent byte.
    sent: u64,
}

impl Record {
    /// Compares the place's logs with the link's copies, and reports differing logs.
    fn new(dir: SessionDir, have: &BTreeMap<Log, Prefix>, out: &mut impl Write) -> Result<Record, String> {
        let mut logs = Vec::new();
        for log in Log::ALL {
            let sent = have.get(&log).map_or(0, |prefix| prefix.len);
            let same = match (have.get(&log), File::open(log.path(&dir))) {
                (Some(prefix), Ok(file)) => prefix.begins(file).map_err(|error| error.to_string())?,
                (_, Err(_)) => sent == 0,
                (None, Ok(_)) => true,
            };
            match same {
                true => logs.push(SentLog { log, sent }),
                false => answer(out, &FromPlace::Differs { log })?,
            }
        }
        let states = State::ALL.map(|state| (state, Vec::new())).into();
        Ok(Record { dir, logs, states })
    }

    /// Sends the new part of the record: first the logs, then the state files.
    fn send(&mut self, out: &mut impl Write) -> Result<(), String> {
        // Read the state files before the logs, so that a state that reports the session's end is never ahead
        // of the messages.
        let mut states = Vec::new();
        for (state, sent) in &mut self.states {
            let read = repository::read(&state.path(&self.dir), repository::limits::RECORD);
            let Some(bytes) = read.map_err(|error| error.to_string())? else { continue };
            if bytes != *sent {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                states.push(FromPlace::State { file: *state, text });
                *sent = bytes;
            }
        }
        for log in &mut self.logs {
            let Ok(mut file) = File::open(log.log.path(&self.dir)) else { continue };
            while let Some(lines) = next_lines(&mut file, log.sent).map_err(|error| error.to_string())? {
                let (at, bytes) = (log.sent, lines.len() as u64);
                answer(out, &FromPlace::Lines { log: log.log, at, text: lines.into() })?;
                log.sent += bytes;
            }
        }
        states.iter().try_for_each(|state| answer(out, state))
    }
}
