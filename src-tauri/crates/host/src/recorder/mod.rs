//! Writes the session's files while the host runs, on its own thread, so that a slow disk never blocks a terminal.
//!
//! The actor reports hooks and the kernel reports changed files. The recorder then reads claude's transcript, appends
//! messages, updates `meta.json` and writes heartbeats. Failed writes are kept and retried. `outbox.json` belongs to
//! the actor, because a text is only held once it is on disk.
//!
//! A message is appended to `messages.jsonl`, then published, then synced. So a published message is in the file, and
//! no kill loses it. A power cut may lose the last moments, which claude itself never syncs either; the next start
//! records what its transcript still has.

mod activity_log;
mod file_totals;
mod flush;
mod injection_log;
mod input;
mod partial;
mod record;
mod transcripts;
mod workdir_snapshot;

use crate::actor::ActorHandle;
use bc_core::{
    Timestamp,
    ids::ConversationId,
    message::Message,
    mode::PermissionMode,
    recovery::{Injection, Stores},
    session::{Event, Status},
    timeline::ActivityLine,
};
use bc_process::pty::Exit;
use bc_store::{SessionDir, SessionLock, StoreError};
use input::{FolderWatch, InputEvent, NoteSender, RecorderInput};
pub(crate) use partial::Displayed;
pub(crate) use record::STOPPED;
use record::SessionRecord;
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    io,
    path::PathBuf,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, TrySendError},
    },
    thread,
    time::{Duration, Instant},
};

/// The time between two heartbeats.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(5);

/// How often the session's final state is written before the host gives up. A full disk does not count.
const LAST_TRIES: u32 = 5;

/// The time between two of these attempts.
const LAST_RETRY: Duration = Duration::from_secs(1);

/// Claude's end, saved as `exit.json` in the session's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExitNote {
    /// The exit code or signal.
    pub exit: Exit,
    /// Whether the end was requested.
    pub asked: bool,
    /// The last screen as plain text.
    pub screen: String,
    /// When claude ended.
    pub at: Timestamp,
}

/// The last end of the session's claude; `None` if there was none, or if it was lost.
pub fn read_exit_note(dir: &SessionDir) -> Option<ExitNote> {
    serde_json::from_slice(
        &bc_store::repository::read(&exit_path(dir), bc_store::repository::limits::RECORD).ok()??,
    )
    .ok()
}

fn exit_path(dir: &SessionDir) -> PathBuf {
    dir.path().join("exit.json")
}

/// A note of the actor.
#[derive(Debug)]
pub(crate) enum Note {
    /// A transcript file may have changed.
    TranscriptChanged,
    /// Claude continues in this conversation.
    Conversation { id: ConversationId, transcript: Option<PathBuf> },
    /// A prompt was submitted.
    Prompted(String),
    /// A tool ran for this many milliseconds.
    ToolRan { id: String, duration_ms: u64 },
    /// Claude's permission mode.
    Mode(PermissionMode),
    /// A turn is over.
    TurnOver,
    /// Claude has shown this part of a reply.
    Displayed(Displayed),
    /// A turn begins and no other one runs: earlier shown text that is missing in the transcript will never appear
    /// there.
    TurnBegins,
    /// A turn was stopped before claude answered: claude itself does not record that.
    Stopped { at: Timestamp },
    /// The conversation's cost so far, in US dollars as claude counts.
    Cost { id: ConversationId, cost: f64 },
    /// A text was injected into claude's context.
    Injected(Box<Injection>),
    /// The current recovery stores.
    Stores(Box<Stores>),
    /// An activity line.
    Saw(ActivityLine),
    /// Claude and all its processes have ended; this is the last note.
    Finish { event: Event, note: ExitNote },
}

/// An event for the actor.
#[derive(Debug)]
pub(crate) enum RecorderEvent {
    /// Messages that are now in their file, new or grown.
    Recorded(Vec<Message>),
    /// The number of recorded messages and unreadable lines.
    Counts { messages: u64, unknown: u64 },
    /// Writing fails, or works again.
    Trouble(Option<String>),
    /// The disk is too full for the session's final state; the recorder keeps trying.
    Unsaved(String),
    /// The session has its final state, or writing it failed.
    Finished(Result<Status, String>),
}

/// The actor's handle to the recorder.
pub(crate) struct Recorder {
    notes: NoteSender,
    waiting: VecDeque<Note>,
    change_pending: Arc<AtomicBool>,
}

/// The recorder's setup.
pub(crate) struct RecorderSetup {
    /// The session's lock, which permits writing.
    pub(crate) lock: Arc<SessionLock>,
    /// Claude's working folder.
    pub(crate) cwd: PathBuf,
    /// The conversation that is started or resumed.
    pub(crate) conversation: ConversationId,
    /// Claude's transcript file, if it is known before any hook reports it.
    pub(crate) transcript: Option<PathBuf>,
    /// Commits after this one belong to the session.
    pub(crate) base_commit: Option<String>,
    /// The clock.
    pub(crate) now: fn() -> Timestamp,
}

impl Recorder {
    /// Reads the existing record and starts the thread, which publishes nothing before there is an actor.
    ///
    /// # Errors
    /// The session's files cannot be read or written.
    pub(crate) fn start(
        begin: RecorderSetup,
        actor: Receiver<Weak<ActorHandle>>,
    ) -> Result<Recorder, StoreError> {
        let change_pending = Arc::new(AtomicBool::new(false));
        let lock = begin.lock.clone();
        let thread_error = move |source: io::Error| {
            let path = lock.meta_path();
            StoreError::from(bc_store::FileError::Write { path, source })
        };
        let (notes, watch, input) = input::channel(1024);
        let record = SessionRecord::open(begin, watch)?;
        let pending_flag = change_pending.clone();
        thread::Builder::new()
            .name("recorder".into())
            .spawn(move || run(record, input, &actor, &pending_flag))
            .map_err(thread_error)?;
        Ok(Recorder { notes, waiting: VecDeque::new(), change_pending })
    }

    /// Sends a note; never waits.
    pub(crate) fn send(&mut self, note: Note) {
        self.waiting.push_back(note);
        self.flush();
    }

    /// Reports that the transcript may have changed; never waits.
    pub(crate) fn transcript_changed(&mut self) {
        if !self.change_pending.swap(true, Ordering::AcqRel) {
            self.send(Note::TranscriptChanged);
        }
    }

    /// Sends queued notes. Returns whether none is left.
    pub(crate) fn flush(&mut self) -> bool {
        while let Some(note) = self.waiting.pop_front() {
            match self.notes.try_send(note) {
                Ok(()) => {}
                Err(TrySendError::Full(note)) => {
                    self.waiting.push_front(note);
                    return false;
                }
                Err(TrySendError::Disconnected(_)) => self.waiting.clear(),
            }
        }
        true
    }
}

/// Records what claude's transcript and git still have of a session whose host died. The session's state does not
/// change. Without a conversation this does nothing.
///
/// # Errors
/// The session's files cannot be read or written.
pub fn catch_up(lock: &Arc<SessionLock>, now: fn() -> Timestamp) -> Result<(), StoreError> {
    let meta = lock.meta()?;
    let (Some(last), Some(cwd)) = (meta.claude_sessions.last(), &meta.cwd) else { return Ok(()) };
    let begin = RecorderSetup {
        lock: Arc::clone(lock),
        cwd: PathBuf::from(cwd),
        conversation: last.id,
        transcript: None,
        base_commit: meta.base_commit.clone(),
        now,
    };
    // Everything is read once, without a watch.
    let mut record = SessionRecord::open(begin, FolderWatch::disabled())?;
    record.read_all();
    record.read_file_ends();
    record.record_partials();
    record.commits();
    record.save_all()?;
    record.flush_partials();
    Ok(())
}

fn run(
    mut record: SessionRecord,
    mut input: RecorderInput,
    actor: &Receiver<Weak<ActorHandle>>,
    change_pending: &AtomicBool,
) {
    // The start counts as a heartbeat.
    record.began();
    // Saves the transcript's location for a recovery of the session. Nothing waits for the disk here.
    record.flush_soon();
    record.flush(Instant::now());
    record.read_all();
    // A host that could not start needs no recorder.
    let Ok(actor) = actor.recv() else { return };
    // The receiver was dropped.
    let publish = |event| {
        let _ = actor.upgrade().is_some_and(|actor| actor.handle_recorder(event));
    };
    let mut beat_at = Instant::now() + HEARTBEAT_EVERY;
    loop {
        report(&mut record, &publish);
        let input_event = input.next(record.flush_at().map_or(beat_at, |at| at.min(beat_at)));
        let now = Instant::now();
        let beats = now >= beat_at;
        if beats {
            record.beat();
            beat_at = now + HEARTBEAT_EVERY;
        }
        // A note may concern any file.
        let names = !matches!(input_event, InputEvent::Changed { names: false });
        let reads = match input_event {
            InputEvent::Note(Note::Finish { event, note }) => {
                finish(&mut record, &mut input, event, &note, &publish);
                return;
            }
            InputEvent::Note(note) => {
                if matches!(note, Note::TranscriptChanged) {
                    change_pending.store(false, Ordering::Release);
                }
                take(&mut record, note);
                true
            }
            InputEvent::Changed { .. } => true,
            InputEvent::Nothing => {
                record.flush(now);
                // If the kernel reports changes, no polling is needed.
                beats && record.needs_polling()
            }
            InputEvent::Gone => return,
        };
        if input.lost() {
            record.rewatch();
        }
        if reads && names {
            record.read_all();
        } else if reads {
            record.read_known_files();
        }
        // Other input is waiting and has delayed the flush.
        if record.is_overdue(now) {
            record.flush(now);
        }
    }
}

fn take(record: &mut SessionRecord, note: Note) {
    match note {
        // The caller handles the end.
        Note::TranscriptChanged | Note::Finish { .. } => return,
        Note::Conversation { id, transcript } => record.conversation(id, transcript),
        // The transcript repeats this in a moment: it is saved together with the counts.
        Note::Prompted(prompt) => return record.prompted(&prompt),
        Note::ToolRan { id, duration_ms } => record.tool_ran(&id, duration_ms),
        Note::Mode(mode) => record.mode(mode),
        Note::Displayed(piece) => return record.displayed(piece),
        Note::TurnBegins => {
            record.read_all();
            record.record_partials();
        }
        Note::Stopped { at } => {
            // Recorded after the stopped prompt.
            record.read_all();
            record.stopped(at);
        }
        Note::TurnOver => {
            record.read_all();
            record.commits();
        }
        Note::Cost { id, cost } => record.cost(id, cost),
        // Written at once, each to its own file.
        Note::Injected(injection) => return record.injected(*injection),
        Note::Stores(stores) => return record.remember(*stores),
        Note::Saw(line) => {
            record.saw(line);
            return record.flush_activity_soon();
        }
    }
    record.flush_soon();
}

fn report(record: &mut SessionRecord, publish: &impl Fn(RecorderEvent)) {
    record.append_messages();
    let messages = record.take_recorded();
    if !messages.is_empty() {
        publish(RecorderEvent::Recorded(messages));
    }
    if let Some((messages, unknown)) = record.changed_counts() {
        publish(RecorderEvent::Counts { messages, unknown });
    }
    if let Some(trouble) = record.changed_trouble() {
        publish(RecorderEvent::Trouble(trouble));
    }
}

fn finish(
    record: &mut SessionRecord,
    input: &mut RecorderInput,
    event: Event,
    note: &ExitNote,
    publish: &impl Fn(RecorderEvent),
) {
    record.read_all();
    record.read_file_ends();
    record.record_partials();
    record.commits();
    let (mut event, mut failed) = (event, 0);
    let outcome = loop {
        let error = match record.finish(event, note) {
            Ok(status) => break Ok(status),
            Err(error) => error,
        };
        match error.is_disk_full() {
            true => publish(RecorderEvent::Unsaved(error.to_string())),
            false => failed += 1,
        }
        if failed == LAST_TRIES {
            // The next start finds an interrupted session.
            break Err(error);
        }
        match wait_for_retry(input) {
            Some(later) => event = later.unwrap_or(event),
            None => return,
        }
    };
    if outcome.is_ok() {
        // The resulting messages are on disk.
        record.flush_partials();
    }
    record.flush_soon();
    record.flush(Instant::now());
    report(record, publish);
    publish(RecorderEvent::Finished(outcome.map_err(|error| error.to_string())));
}

/// Waits for the next attempt. Returns the event that replaces the session's last one, if the actor sent one; `None`
/// when the actor is gone.
fn wait_for_retry(input: &mut RecorderInput) -> Option<Option<Event>> {
    let until = Instant::now() + LAST_RETRY;
    while Instant::now() < until {
        match input.next(until) {
            InputEvent::Note(Note::Finish { event, .. }) => return Some(Some(event)),
            InputEvent::Gone => return None,
            InputEvent::Note(_) | InputEvent::Changed { .. } | InputEvent::Nothing => {}
        }
    }
    Some(None)
}
