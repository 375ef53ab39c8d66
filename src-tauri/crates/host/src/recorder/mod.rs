//! Writes the session's files while the host runs, on a separate thread, so that a slow disk never blocks a
//! terminal.
//!
//! The actor reports hook events and the kernel reports changed files. The recorder then reads claude's
//! transcript, appends messages, updates `meta.json` and writes heartbeats. Failed writes are kept and
//! retried, except of images. The actor itself writes `outbox.json`, because a prompt counts as held only
//! once it is on disk.
//!
//! A message is appended to `messages.jsonl`, then published, then synced. Therefore a published message is
//! in the file, and no kill loses it. A power cut can lose the last moments, which claude itself never syncs
//! either. The next start records the messages that are still in claude's transcript.

mod activity_log;
mod file_totals;
mod flush;
mod flush_due;
mod injection_log;
mod input;
mod note;
mod partial;
mod record;
mod transcripts;
mod workdir_snapshot;

use crate::exit_note::ExitNote;
use bc_core::{Timestamp, session::Event};
use bc_store::{SessionLock, StoreError};
use input::{FolderWatch, InputEvent, NoteSender, RecorderInput};
pub(crate) use note::{Note, RecorderEvent};
pub(crate) use partial::Displayed;
use record::SessionRecord;
pub(crate) use record::{RecorderSetup, STOPPED};
use std::{
    collections::VecDeque,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, TrySendError},
    },
    thread,
    time::{Duration, Instant},
};

/// The time between two heartbeats.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(5);

/// How many times saving the final state may fail before the recorder stops retrying. A full disk does not
/// count.
const LAST_TRIES: u32 = 5;

/// The delay between two attempts to save the final state.
const LAST_RETRY: Duration = Duration::from_secs(1);

/// Passes an event to the actor.
pub(crate) type Publish = Box<dyn Fn(RecorderEvent) + Send>;

/// The actor's handle to the recorder.
pub(crate) struct Recorder {
    notes: NoteSender,
    waiting: VecDeque<Note>,
    change_pending: Arc<AtomicBool>,
}

impl Recorder {
    /// Reads the existing record and starts the thread, which publishes no events until `actor` delivers a
    /// [`Publish`].
    ///
    /// # Errors
    /// Fails if the session's files cannot be read or written, or the thread cannot be started.
    pub(crate) fn start(setup: RecorderSetup, actor: Receiver<Publish>) -> Result<Recorder, StoreError> {
        let change_pending = Arc::new(AtomicBool::new(false));
        let lock = setup.lock.clone();
        let thread_error = move |source: io::Error| {
            let path = lock.meta_path();
            StoreError::from(bc_store::FileError::Write { path, source })
        };
        let (notes, watch, input) = input::channel(1024);
        let record = SessionRecord::open(setup, watch)?;
        let pending_flag = change_pending.clone();
        thread::Builder::new()
            .name("recorder".into())
            .spawn(move || run(record, input, &actor, &pending_flag))
            .map_err(thread_error)?;
        Ok(Recorder { notes, waiting: VecDeque::new(), change_pending })
    }

    /// Sends a note without blocking.
    pub(crate) fn send(&mut self, note: Note) {
        self.waiting.push_back(note);
        self.flush();
    }

    /// Reports that the transcript may have changed, without blocking.
    pub(crate) fn transcript_changed(&mut self) {
        if !self.change_pending.swap(true, Ordering::AcqRel) {
            self.send(Note::TranscriptChanged);
        }
    }

    /// Sends queued notes. Returns whether the queue is empty.
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

/// Records the data of a session whose host has died, from claude's transcript and from git. The session's
/// state does not change. Does nothing if the session has no conversation or no working folder.
///
/// # Errors
/// Fails if the session's files cannot be read or written.
pub fn catch_up(lock: &Arc<SessionLock>, now: fn() -> Timestamp) -> Result<(), StoreError> {
    let meta = lock.meta()?;
    let (Some(last), Some(cwd)) = (meta.claude_sessions.last(), &meta.cwd) else { return Ok(()) };
    let setup = RecorderSetup {
        lock: Arc::clone(lock),
        cwd: PathBuf::from(cwd),
        conversation: last.id,
        transcript: None,
        base_commit: meta.base_commit.clone(),
        now,
    };
    // All files are read once, without a watch.
    let mut record = SessionRecord::open(setup, FolderWatch::disabled())?;
    record.read_to_end();
    record.save_all()?;
    record.flush_partials();
    Ok(())
}

fn run(
    mut record: SessionRecord,
    mut input: RecorderInput,
    actor: &Receiver<Publish>,
    change_pending: &AtomicBool,
) {
    // The first heartbeat follows after `HEARTBEAT_EVERY`.
    record.record_start();
    // Save the transcript's location for a recovery of the session. No other thread waits for this write.
    record.flush_soon();
    record.flush(Instant::now());
    record.read_all();
    // If the host could not start, the recorder is not needed.
    let Ok(publish) = actor.recv() else { return };
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
                handle_note(&mut record, note);
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
        // Steady input may have delayed the flush.
        if record.is_overdue(now) {
            record.flush(now);
        }
    }
}

fn handle_note(record: &mut SessionRecord, note: Note) {
    match note {
        // The caller handles `Finish`.
        Note::TranscriptChanged | Note::Finish { .. } => return,
        Note::Conversation { id, transcript } => record.set_conversation(id, transcript),
        // The prompt will appear in the transcript in a moment, and is then saved together with the counts.
        Note::Prompted(prompt) => return record.prompted(&prompt),
        Note::ToolRan { id, duration_ms } => record.tool_ran(&id, duration_ms),
        Note::Mode(mode) => record.meta.mode = mode,
        Note::Displayed(piece) => return record.displayed(piece),
        Note::TurnBegins => {
            record.read_all();
            record.record_partials();
        }
        Note::Stopped { at } => {
            // The stop is recorded after the stopped prompt.
            record.read_all();
            record.record_stop(at);
        }
        Note::TurnOver => {
            record.read_all();
            record.record_commits();
        }
        Note::Cost { id, cost } => record.cost(id, cost),
        // Injections and stores are written immediately, each to its own file.
        Note::Injected(injection) => return record.injected(*injection),
        Note::Stores(stores) => return record.set_stores(*stores),
        Note::Activity(line) => {
            record.activity_log.add(line);
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
    record.read_to_end();
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
        // The partial messages are on disk, so they can be removed from the file of shown parts.
        record.flush_partials();
    }
    record.flush_soon();
    record.flush(Instant::now());
    report(record, publish);
    publish(RecorderEvent::Finished(outcome.map_err(|error| error.to_string())));
}

/// Waits until the next attempt. Returns the event that replaces the session's final one, if the actor sent
/// one; `None` if the actor has exited.
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
