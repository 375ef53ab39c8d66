//! The one who writes the session's files while the host lives, in a thread of its own so that a slow
//! disk never holds up a terminal.
//!
//! Told of hooks by the owner and of changed files by the system, it reads claude's transcript and
//! appends messages, keeps `meta.json`, beats. What it could not write it keeps and tries again.
//! `outbox.json` is the owner's, for whom a text is only held once it is on disk.
//!
//! What claude says is put into `messages.jsonl`, told, and then synced: whoever hears of it finds it
//! there, and a kill loses none of it. A power cut may take the last moments, which claude itself
//! never syncs either; what is left of them in its transcript is recorded at the next start.

mod counted;
mod ear;
mod follow;
mod keeping;
mod left;
mod record;
mod seen;
mod told;

use crate::owner::Office;
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
use bc_store::{SessionDir, SessionLock, StoreError, file};
use ear::{Bell, Ear, Heard, Watch};
use record::Record;
pub(crate) use record::STOPPED;
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    io,
    path::PathBuf,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// Between two heartbeats.
const BEAT_EVERY: Duration = Duration::from_secs(5);

/// When a host has begun: what only its start needed has been needed then.
const BEGUN_AFTER: Duration = Duration::from_secs(1);

/// How often the last word on a session is tried to be written, a second apart.
const LAST_TRIES: u32 = 5;

/// How claude ended; kept as `exit.json` in the session's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExitNote {
    /// Code or signal.
    pub exit: Exit,
    /// Whether it was asked to.
    pub asked: bool,
    /// What was on its screen, as plain text.
    pub screen: String,
    /// When.
    pub at: Timestamp,
}

/// How the session's claude ended the last time; `None` while none has, or where that was lost.
pub fn read_exit_note(dir: &SessionDir) -> Option<ExitNote> {
    serde_json::from_slice(&file::read(&exit_path(dir)).ok()??).ok()
}

fn exit_path(dir: &SessionDir) -> PathBuf {
    dir.path().join("exit.json")
}

/// What the owner tells.
#[derive(Debug)]
pub(crate) enum Note {
    /// A followed file may have changed.
    Look,
    /// Claude goes on in this conversation.
    Conversation { id: ConversationId, transcript: Option<PathBuf> },
    /// A prompt was submitted.
    Prompted(String),
    /// A tool ran for so many milliseconds.
    ToolRan { id: String, duration_ms: u64 },
    /// Claude's permission mode.
    Mode(PermissionMode),
    /// A turn is over.
    TurnOver,
    /// A turn was stopped before claude had answered anything: claude itself writes nothing of it.
    Stopped { at: Timestamp },
    /// What the conversation has cost until now, in US dollars as claude counts them.
    Cost { id: ConversationId, cost: f64 },
    /// This was put into claude's context.
    Injected(Box<Injection>),
    /// This is remembered of its work now.
    Stores(Box<Stores>),
    /// This is seen of claude.
    Saw(ActivityLine),
    /// Claude and all its processes have ended; this is the last note.
    Finish { event: Event, note: ExitNote },
}

/// What the owner is told.
#[derive(Debug)]
pub(crate) enum News {
    /// Messages that are in their file now, new or grown.
    Recorded(Vec<Message>),
    /// How much was recorded.
    Counts { messages: u64, unknown: u64 },
    /// Writing fails, or works again.
    Trouble(Option<String>),
    /// The session has its new state, or could not be given it.
    Finished(Result<Status, String>),
}

/// The owner's end.
pub(crate) struct Scribe {
    notes: SyncSender<Note>,
    bell: Bell,
    waiting: VecDeque<Note>,
    looking: Arc<AtomicBool>,
}

/// What the scribe begins with.
pub(crate) struct Begin {
    /// The right to write.
    pub(crate) lock: Arc<SessionLock>,
    /// Claude's working folder.
    pub(crate) cwd: PathBuf,
    /// The conversation that is begun or gone on with, and its file where that is known.
    pub(crate) conversation: ConversationId,
    /// Claude's transcript of it, where that is known before any hook says so.
    pub(crate) transcript: Option<PathBuf>,
    /// The commit to count from.
    pub(crate) base_commit: Option<String>,
    /// The time.
    pub(crate) now: fn() -> Timestamp,
}

impl Scribe {
    /// Reads what was recorded so far and starts the thread, which tells nothing before there is an owner.
    ///
    /// # Errors
    /// The session's files cannot be read or written.
    pub(crate) fn start(begin: Begin, owner: Receiver<Weak<Office>>) -> Result<Scribe, StoreError> {
        let (notes, received) = sync_channel(1024);
        let looking = Arc::new(AtomicBool::new(false));
        let lock = begin.lock.clone();
        let thread_error = move |source: io::Error| {
            let path = lock.meta_path();
            StoreError::from(bc_store::FileError::Write { path, source })
        };
        let (bell, watch, ear) = ear::pair(received).map_err(&thread_error)?;
        let record = Record::open(begin, watch)?;
        let looked = looking.clone();
        thread::Builder::new()
            .name("scribe".into())
            .spawn(move || run(record, ear, &owner, &looked))
            .map_err(thread_error)?;
        Ok(Scribe { notes, bell, waiting: VecDeque::new(), looking })
    }

    /// Tells something; never waits.
    pub(crate) fn tell(&mut self, note: Note) {
        self.waiting.push_back(note);
        self.flush();
    }

    /// Says that the transcript may have changed; never waits.
    pub(crate) fn look(&mut self) {
        if !self.looking.swap(true, Ordering::AcqRel) {
            self.tell(Note::Look);
        }
    }

    /// Hands over what could not be handed over before; whether nothing is left.
    pub(crate) fn flush(&mut self) -> bool {
        while let Some(note) = self.waiting.pop_front() {
            match self.notes.try_send(note) {
                Ok(()) => self.bell.ring(),
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

/// Records what claude's transcript and git still have to tell of a session whose host died. Its state
/// is not touched; without a conversation there is nothing to do.
///
/// # Errors
/// The session's files cannot be read or written.
pub fn catch_up(lock: &Arc<SessionLock>, now: fn() -> Timestamp) -> Result<(), StoreError> {
    let meta = lock.meta()?;
    let (Some(last), Some(cwd)) = (meta.claude_sessions.last(), &meta.cwd) else { return Ok(()) };
    let begin = Begin {
        lock: Arc::clone(lock),
        cwd: PathBuf::from(cwd),
        conversation: last.id,
        transcript: None,
        base_commit: meta.base_commit.clone(),
        now,
    };
    // What is there is read once.
    let mut record = Record::open(begin, Watch::deaf())?;
    record.look();
    record.commits();
    record.save_all()
}

fn run(mut record: Record, mut ear: Ear, owner: &Receiver<Weak<Office>>, looking: &AtomicBool) {
    // It lives: the first beat comes when the time for one is over.
    record.began();
    // Where the transcript will be, for whoever has to recover the session. Nobody waited for the disk.
    record.keep_soon();
    record.keep(Instant::now());
    record.look();
    // A host that could not begin needs nobody who writes.
    let Ok(office) = owner.recv() else { return };
    // An owner that is gone needs no word.
    let tell = |news| {
        let _ = office.upgrade().is_some_and(|office| office.learn(news));
    };
    let mut beat_at = Instant::now() + BEAT_EVERY;
    let mut begun_at = Some(Instant::now() + BEGUN_AFTER);
    loop {
        report(&mut record, &tell);
        let until = [record.keep_at(), begun_at].into_iter().flatten().fold(beat_at, Instant::min);
        let heard = ear.next(until);
        let now = Instant::now();
        let beats = now >= beat_at;
        if beats {
            record.beat();
            beat_at = now + BEAT_EVERY;
        }
        // A note may be of anything.
        let names = !matches!(heard, Heard::Changed { names: false });
        let looks = match heard {
            Heard::Note(Note::Finish { event, note }) => {
                finish(&mut record, event, &note, &tell);
                return;
            }
            Heard::Note(note) => {
                if matches!(note, Note::Look) {
                    looking.store(false, Ordering::Release);
                }
                take(&mut record, note);
                true
            }
            Heard::Changed { .. } => true,
            Heard::Nothing => {
                record.keep(now);
                if begun_at.take_if(|at| *at <= now).is_some() {
                    // A moment of rest.
                    bc_process::memory::let_go_of_code();
                }
                // Where the system tells of changes there is nothing to look for.
                beats && record.is_blind()
            }
            Heard::Gone => return,
        };
        if ear.lost() {
            record.watch_again();
        }
        if looks && names {
            record.look();
        } else if looks {
            record.look_at_known();
        }
        // Others wait already, and have for a while.
        if record.is_late(now) {
            record.keep(now);
        }
    }
}

fn take(record: &mut Record, note: Note) {
    match note {
        // The end is taken by whoever asks for notes.
        Note::Look | Note::Finish { .. } => return,
        Note::Conversation { id, transcript } => record.conversation(id, transcript),
        // Claude's transcript says the same in a moment: it is kept with what is counted of that.
        Note::Prompted(prompt) => return record.prompted(&prompt),
        Note::ToolRan { id, duration_ms } => record.tool_ran(&id, duration_ms),
        Note::Mode(mode) => record.mode(mode),
        Note::Stopped { at } => {
            // After the prompt that was stopped.
            record.look();
            record.stopped(at);
        }
        Note::TurnOver => {
            record.look();
            record.commits();
        }
        Note::Cost { id, cost } => record.cost(id, cost),
        // Written at once, each to a file of its own.
        Note::Injected(injection) => return record.injected(*injection),
        Note::Stores(stores) => return record.remember(*stores),
        Note::Saw(line) => {
            record.saw(line);
            return record.keep_seen_soon();
        }
    }
    record.keep_soon();
}

fn report(record: &mut Record, tell: &impl Fn(News)) {
    record.put_down();
    let messages = record.take_recorded();
    if !messages.is_empty() {
        tell(News::Recorded(messages));
    }
    if let Some((messages, unknown)) = record.changed_counts() {
        tell(News::Counts { messages, unknown });
    }
    if let Some(trouble) = record.changed_trouble() {
        tell(News::Trouble(trouble));
    }
}

fn finish(record: &mut Record, event: Event, note: &ExitNote, tell: &impl Fn(News)) {
    record.look();
    record.commits();
    let mut outcome = record.finish(event, note);
    for _ in 1..LAST_TRIES {
        if outcome.is_ok() {
            break;
        }
        // A full disk may get room again; afterwards the next start finds an interrupted session.
        thread::sleep(Duration::from_secs(1));
        outcome = record.finish(event, note);
    }
    record.keep_soon();
    record.keep(Instant::now());
    report(record, tell);
    tell(News::Finished(outcome.map_err(|error| error.to_string())));
}
