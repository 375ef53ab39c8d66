//! The session's files, which are updated from claude's transcripts and from events that the host reports.

use super::{
    activity_log::ActivityLog,
    file_totals::{COST, FileTotals},
    flush_due::FlushDue,
    injection_log::InjectionLog,
    input::FolderWatch,
    partial::{Displayed, Partials},
    transcripts::{Recorded, TranscriptFiles},
    workdir_snapshot,
};
use crate::{
    clock::clock_ahead,
    exit_note::{ExitNote, exit_note_path},
};
use bc_claude::transcript::{Change, ImageData, UNREADABLE};
use bc_core::{
    Extra, Timestamp,
    ids::ConversationId,
    message::{Message, MessageKind, Role},
    recovery::{Injection, Stores},
    session::{ClaudeSession, Event, Meta, Status},
    timeline::{ActivityLine, Happened},
};
use bc_git::Repo;
use bc_store::{SessionLock, StoreError, file, session::MessageWriter};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

/// The fields of a conversation in `meta.json` that count transcript lines that this program does not know or
/// cannot read, in total and by kind.
const UNKNOWN: &str = "unknown_lines";
const UNKNOWN_KINDS: &str = "unknown_kinds";

/// The maximum number of kinds. Further kinds are counted together, because their names come from claude's
/// transcript.
const KINDS_MAX: usize = 32;
const OTHER_KINDS: &str = "other";

/// The id prefix of messages that mark a stopped turn, which claude itself does not record.
pub(crate) const STOPPED: &str = "stopped-";

/// Indexes of [`SessionRecord::troubles`].
pub(super) const WRITING: usize = 0;
pub(super) const FLUSHING: usize = 1;
const TRANSCRIPT: usize = 2;
const HEARTBEAT: usize = 3;
pub(super) const INJECTIONS: usize = 4;
pub(super) const RECOVERY: usize = 5;
pub(super) const ACTIVITY: usize = 6;
pub(super) const PARTIALS: usize = 7;
const IMAGES: usize = 8;

pub(crate) struct RecorderSetup {
    /// The session's lock, which permits writing.
    pub(crate) lock: Arc<SessionLock>,
    /// Claude's working folder.
    pub(crate) cwd: PathBuf,
    /// The conversation to start or resume.
    pub(crate) conversation: ConversationId,
    /// Claude's transcript file, if it is known before a hook reports it.
    pub(crate) transcript: Option<PathBuf>,
    /// The last commit before the session. Later commits belong to the session.
    pub(crate) base_commit: Option<String>,
    pub(crate) now: fn() -> Timestamp,
}

pub(super) struct SessionRecord {
    pub(super) lock: Arc<SessionLock>,
    pub(super) meta: Meta,
    pub(super) saved: Meta,
    pub(super) writer: MessageWriter,
    pub(super) injection_log: InjectionLog,
    pub(super) activity_log: ActivityLog,
    pub(super) partials: Partials,
    /// The ids of all messages. The text of messages is only on disk.
    pub(super) ids: HashSet<String>,
    /// The subagents that have messages from earlier runs.
    subagents: HashSet<String>,
    /// The ids of messages whose counts were not saved because the host was killed.
    uncounted: HashSet<String>,
    pub(super) due: FlushDue,
    transcripts: TranscriptFiles,
    cwd: PathBuf,
    base_commit: Option<String>,
    now: fn() -> Timestamp,
    totals: HashMap<(ConversationId, bool), FileTotals>,
    pub(super) unwritten: Vec<Message>,
    pub(super) recorded: Vec<Message>,
    published_counts: (u64, u64),
    /// The current failure of each kind.
    pub(super) troubles: [Option<String>; 9],
    published_trouble: Option<String>,
}

impl SessionRecord {
    pub(super) fn open(setup: RecorderSetup, watch: FolderWatch) -> Result<SessionRecord, StoreError> {
        let lock = setup.lock;
        let meta = lock.meta()?;
        let (writer, _) = lock.message_writer()?;
        let messages = lock.transcript()?.messages;
        file::remove(&exit_note_path(lock.dir()))?;
        lock.clear_workdir_snapshot()?;
        // `meta.json` counts this many messages. The tokens of later messages are not counted yet.
        let totals = usize::try_from(meta.message_count).unwrap_or(usize::MAX);
        let mut record = SessionRecord {
            saved: meta.clone(),
            meta,
            writer,
            injection_log: InjectionLog::default(),
            activity_log: ActivityLog::default(),
            partials: Partials::open(lock.dir(), &messages),
            subagents: messages.iter().filter_map(|message| message.subagent.clone()).collect(),
            uncounted: messages.iter().skip(totals).map(|message| message.id.clone()).collect(),
            ids: messages.into_iter().map(|message| message.id).collect(),
            due: FlushDue::default(),
            transcripts: TranscriptFiles::new(setup.cwd.clone(), clock_ahead(), watch),
            cwd: setup.cwd,
            base_commit: setup.base_commit,
            now: setup.now,
            totals: HashMap::new(),
            unwritten: Vec::new(),
            recorded: Vec::new(),
            published_counts: (0, 0),
            troubles: Default::default(),
            published_trouble: None,
            lock,
        };
        let known = record.meta.claude_sessions.iter().find(|c| c.id == setup.conversation);
        let transcript =
            known.and_then(|c| c.transcript_path.clone()).map(PathBuf::from).or(setup.transcript);
        record.set_conversation(setup.conversation, transcript);
        Ok(record)
    }

    pub(super) fn beat(&mut self) {
        self.troubles[HEARTBEAT] = self.lock.beat((self.now)()).err().map(|error| error.to_string());
    }

    /// Makes this conversation the session's last one, because claude has started or resumed it.
    pub(super) fn set_conversation(&mut self, id: ConversationId, transcript: Option<PathBuf>) {
        let path = transcript.as_ref().and_then(|path| path.to_str()).map(str::to_owned);
        let sessions = &mut self.meta.claude_sessions;
        match sessions.iter().position(|c| c.id == id) {
            Some(at) => {
                let mut known = sessions.remove(at);
                known.transcript_path = path.or(known.transcript_path);
                sessions.push(known);
            }
            None => sessions.push(ClaudeSession {
                id,
                transcript_path: path,
                started_at: (self.now)(),
                prompted: false,
                extra: Extra::new(),
            }),
        }
        if let Some(path) = transcript.filter(|path| !self.transcripts.has(path)) {
            self.append_messages();
            let recorded = recorded(&self.lock, &self.uncounted, |subagent| subagent.is_none());
            // Another conversation's file may contain these messages again.
            for message in &recorded.uncounted {
                self.uncounted.remove(&message.id);
            }
            self.transcripts.add(id, &path, recorded);
        }
    }

    /// Records that a prompt was submitted in the current conversation, and sets a missing title.
    pub(super) fn prompted(&mut self, prompt: &str) {
        if let Some(current) = self.meta.claude_sessions.last_mut() {
            current.prompted = true;
        }
        self.meta.name_after(prompt);
    }

    pub(super) fn tool_ran(&mut self, tool_use: &str, duration_ms: u64) {
        for (key, change) in self.transcripts.tool_ran(tool_use, duration_ms) {
            self.change(key, change);
        }
    }

    /// Stores a part of a reply that claude has shown.
    pub(super) fn displayed(&mut self, piece: Displayed) {
        self.partials.add(piece);
        self.flush_partials_soon();
    }

    /// Reads and records everything that remains after claude has exited, except its exit.
    pub(super) fn read_to_end(&mut self) {
        self.read_all();
        for (key, change) in self.transcripts.finish() {
            self.change(key, change);
            self.sum_up(key.0);
        }
        self.record_partials();
        self.record_commits();
    }

    /// Records shown text that claude will not write to its transcript any more.
    pub(super) fn record_partials(&mut self) {
        if self.partials.is_empty() {
            return;
        }
        self.append_messages();
        // If this fails, the shown text stays in its file until the next start.
        let Ok(read) = self.lock.transcript() else { return };
        let waiting = self.unwritten.iter().cloned();
        let recorded: Vec<Message> = read.messages.into_iter().chain(waiting).collect();
        let left = self.partials.take_unrecorded(&recorded);
        self.unwritten.extend(left);
        self.flush_partials_soon();
    }

    /// Records that the turn was stopped before claude answered.
    pub(super) fn record_stop(&mut self, at: Timestamp) {
        let id = format!("{STOPPED}{}", uuid::Uuid::new_v4());
        let mut message = Message::new(id, Role::System, "Stopped before Claude replied", at);
        message.kind = Some(MessageKind::Interrupted);
        self.unwritten.push(message);
    }

    /// Records text that was injected into claude's context.
    pub(super) fn injected(&mut self, injection: Injection) {
        self.injection_log.add(injection);
        self.write_context_log();
    }

    pub(super) fn set_stores(&mut self, stores: Stores) {
        self.injection_log.set_stores(stores);
        self.write_context_log();
    }

    /// Records the start of a host, with the session's open interval.
    pub(super) fn record_start(&mut self) {
        if let Some(interval) = self.meta.active_intervals.last().map(|interval| interval.start) {
            self.activity_log.add(ActivityLine::new((self.now)(), Happened::Began { interval }));
        }
    }

    /// Whether a file may change without being reported, or could not be read.
    pub(super) fn needs_polling(&mut self) -> bool {
        self.transcripts.needs_polling() || self.troubles[TRANSCRIPT].is_some()
    }

    /// Called when a watched folder may have been removed.
    pub(super) fn rewatch(&mut self) {
        self.transcripts.rewatch();
    }

    /// Searches for new transcript files, and reads new content of all of them.
    pub(super) fn read_all(&mut self) {
        self.transcripts.names_changed();
        self.read_known_files();
    }

    /// Reads new content of all transcript files. Searches for new files only if some may be unknown.
    pub(super) fn read_known_files(&mut self) {
        let mut reads = Vec::new();
        let (lock, subagents, uncounted) = (&self.lock, &self.subagents, &self.uncounted);
        let earlier = |agent: &str| match subagents.contains(agent) {
            true => recorded(lock, uncounted, |subagent| subagent == Some(agent)),
            false => Recorded::default(),
        };
        let read = self.transcripts.read(earlier, |read| reads.push(read));
        self.troubles[TRANSCRIPT] = read.err().map(|error| error.to_string());
        let mut known = HashSet::new();
        for read in reads {
            let key = (read.conversation, read.main);
            if read.from_start && read.main {
                let fresh = FileTotals::new(&self.meta, key);
                match self.totals.get_mut(&key) {
                    Some(totals) if totals.has_status_line_cost() => {
                        totals.unknown.clear();
                        known.insert(key);
                    }
                    _ => drop(self.totals.insert(key, fresh)),
                }
            }
            for change in read.changes {
                if !(matches!(change, Change::Cost(_)) && known.contains(&key)) {
                    self.change(key, change);
                }
            }
            self.sum_up(read.conversation);
        }
        self.meta.message_count = self.ids.len() as u64;
    }

    /// Records a conversation's cost so far, as reported by claude's status line.
    pub(super) fn cost(&mut self, id: ConversationId, cost: f64) {
        let key = (id, true);
        self.totals.entry(key).or_insert_with(|| FileTotals::new(&self.meta, key)).add_status_line_cost(cost);
        self.sum_up(id);
    }

    fn change(&mut self, key: (ConversationId, bool), change: Change) {
        let totals = self.totals.entry(key).or_insert_with(|| FileTotals::new(&self.meta, key));
        match change {
            Change::Message(mut message) => {
                self.partials.arrived(&mut message);
                if message.role == Role::User && message.kind.is_none() && message.subagent.is_none() {
                    let conversation = self.meta.claude_sessions.iter_mut().find(|c| c.id == key.0);
                    if let Some(conversation) = conversation {
                        conversation.prompted = true;
                    }
                    self.meta.name_after(&message.content);
                }
                self.unwritten.push(message);
            }
            // If this fails, the conversation mentions the image but does not show it.
            Change::Image(ImageData { name, bytes }) => {
                let saved = self.lock.save_image(&name, &bytes);
                self.troubles[IMAGES] = saved.err().map(|error| error.to_string());
            }
            Change::FileTouched(path) => {
                if !self.meta.files_touched.contains(&path) {
                    self.meta.files_touched.push(path);
                }
            }
            Change::Usage(usage) => {
                self.meta.tokens.add(usage);
                self.meta.total_tokens = Some(self.meta.tokens.total());
            }
            Change::InheritedUsage(_) => {}
            Change::Cost(cost) => totals.add_transcript_cost(cost),
            Change::Title { text, by_person: true } => self.meta.title = Some(bc_core::text::one_line(&text)),
            Change::Title { by_person: false, .. } => {}
            Change::Unknown { kind } => totals.add_unknown(kind),
            Change::Malformed => totals.add_unknown(UNREADABLE.to_owned()),
        }
    }

    /// Updates the conversation's entry with the totals of its files, and then the session's sums.
    fn sum_up(&mut self, id: ConversationId) {
        let of = |main| self.totals.get(&(id, main));
        let cost = of(true).map_or(0.0, FileTotals::total);
        let mut unknown: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, count) in [true, false].into_iter().filter_map(of).flat_map(|totals| &totals.unknown) {
            *unknown.entry(kind.clone()).or_default() += count;
        }
        if let Some(conversation) = self.meta.claude_sessions.iter_mut().find(|c| c.id == id) {
            if cost > 0.0 {
                conversation.extra.insert(COST.to_owned(), cost.into());
            }
            if !unknown.is_empty() {
                conversation.extra.insert(UNKNOWN.to_owned(), unknown.values().sum::<u64>().into());
                conversation.extra.insert(UNKNOWN_KINDS.to_owned(), serde_json::json!(unknown));
            }
        }
        let all = &self.meta.claude_sessions;
        let costs: Vec<f64> = all.iter().filter_map(|c| c.extra.get(COST)?.as_f64()).collect();
        if !costs.is_empty() {
            self.meta.cost_usd = Some(costs.iter().sum());
        }
        self.meta.unknown_transcript_lines = all.iter().filter_map(|c| c.extra.get(UNKNOWN)?.as_u64()).sum();
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        let of_all = all.iter().filter_map(|c| c.extra.get(UNKNOWN_KINDS)?.as_object()).flatten();
        for (kind, count) in of_all {
            let room = kinds.len() < KINDS_MAX || kinds.contains_key(kind);
            let kind = if room { kind.as_str() } else { OTHER_KINDS };
            *kinds.entry(kind.to_owned()).or_default() += count.as_u64().unwrap_or(0);
        }
        self.meta.unknown_kinds = kinds;
    }

    /// Records the commits since the session began. Does nothing outside a repository.
    pub(super) fn record_commits(&mut self) {
        let Ok(repo) = Repo::discover(&self.cwd) else { return };
        if let Ok(commits) = repo.commits_since(self.base_commit.as_deref()) {
            self.meta.commits = commits.into_iter().map(|commit| commit.hash).collect();
        }
    }

    /// Saves the session's state at the end of this run. The call can be repeated after an error.
    pub(super) fn finish(&mut self, event: Event, note: &ExitNote) -> Result<Status, StoreError> {
        self.save_all()?;
        let path = exit_note_path(self.lock.dir());
        let bytes = serde_json::to_vec_pretty(note)
            .map_err(|source| StoreError::Encode { path: path.clone(), source })?;
        file::replace(&path, &bytes)?;
        // Without the snapshot, a resume reports fewer changes to the working folder.
        let _ = self.lock.save_workdir_snapshot(&workdir_snapshot::take(&self.meta, &self.cwd, (self.now)()));
        let before = self.meta.clone();
        // An error means that an earlier attempt already changed the state, because only active sessions have
        // a host.
        if self.meta.transition(event, (self.now)()).is_ok() {
            if let Err(error) = self.save_all() {
                self.meta = before;
                return Err(error);
            }
            let (paused, closed) = (self.meta.pause_reason, self.meta.close_reason);
            self.activity_log.add(ActivityLine::new((self.now)(), Happened::Ended { paused, closed }));
        }
        self.lock.clear_host(std::process::id())?;
        Ok(self.meta.status)
    }

    pub(super) fn take_recorded(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.recorded)
    }

    pub(super) fn changed_counts(&mut self) -> Option<(u64, u64)> {
        let counts = (self.meta.message_count, self.meta.unknown_transcript_lines);
        (std::mem::replace(&mut self.published_counts, counts) != counts).then_some(counts)
    }

    pub(super) fn changed_trouble(&mut self) -> Option<Option<String>> {
        let now = self.troubles.iter().flatten().next().cloned();
        (std::mem::replace(&mut self.published_trouble, now.clone()) != now).then_some(now)
    }
}

/// Returns the messages on disk whose author is `wanted`. If the file has become unreadable since the start,
/// returns none: the messages stay in the record, but their tokens are counted again.
fn recorded(
    lock: &SessionLock,
    uncounted: &HashSet<String>,
    wanted: impl Fn(Option<&str>) -> bool,
) -> Recorded {
    let messages = lock.transcript().map(|transcript| transcript.messages).unwrap_or_default();
    let wanted = messages.into_iter().filter(|message| wanted(message.subagent.as_deref()));
    let (uncounted, totals) = wanted.partition(|message| uncounted.contains(&message.id));
    Recorded { totals, uncounted }
}

#[cfg(test)]
mod tests;
