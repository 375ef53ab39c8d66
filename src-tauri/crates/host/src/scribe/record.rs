//! The session's files, kept up to date with what was read and told.

use super::{
    Begin, ExitNote,
    counted::{COST, Counted},
    ear::Watch,
    exit_path,
    follow::{Follow, Recorded},
    keeping::Due,
    left,
    seen::Seen,
    told::Told,
};
use bc_claude::transcript::Change;
use bc_core::{
    Extra, Timestamp,
    ids::ConversationId,
    message::{Message, MessageKind, Role},
    mode::PermissionMode,
    recovery::{Injection, Stores},
    session::{ClaudeSession, Event, Meta, Status},
    timeline::{ActivityLine, Happened},
};
use bc_git::Repo;
use bc_store::{SessionLock, StoreError, file, session::MessageWriter};
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

/// The field of a conversation in `meta.json` that counts lines that could not be read.
const UNKNOWN: &str = "unknown_lines";

/// What the ids of messages begin with that say of a turn that it was stopped, which claude does not.
pub(crate) const STOPPED: &str = "stopped-";

/// Places in [`Record::troubles`].
pub(super) const WRITING: usize = 0;
pub(super) const KEEPING: usize = 1;
const READING: usize = 2;
const BEATING: usize = 3;
pub(super) const INJECTIONS: usize = 4;
pub(super) const REMEMBERING: usize = 5;
pub(super) const SEEING: usize = 6;

pub(super) struct Record {
    pub(super) lock: Arc<SessionLock>,
    pub(super) meta: Meta,
    pub(super) saved: Meta,
    pub(super) writer: MessageWriter,
    pub(super) told: Told,
    pub(super) seen: Seen,
    /// Every message's id, and the subagents that wrote before this run. The texts are on disk only.
    pub(super) ids: HashSet<String>,
    subagents: HashSet<String>,
    /// The ids of messages whose host was killed before it had saved what it counted of them.
    uncounted: HashSet<String>,
    pub(super) due: Due,
    follow: Follow,
    cwd: PathBuf,
    base_commit: Option<String>,
    now: fn() -> Timestamp,
    counted: HashMap<(ConversationId, bool), Counted>,
    pub(super) unwritten: Vec<Message>,
    pub(super) recorded: Vec<Message>,
    told_counts: (u64, u64),
    /// What failed the last time that it was tried, by what it is.
    pub(super) troubles: [Option<String>; 7],
    told_trouble: Option<String>,
}

impl Record {
    pub(super) fn open(begin: Begin, watch: Watch) -> Result<Record, StoreError> {
        let lock = begin.lock;
        let meta = lock.meta()?;
        let (writer, _) = lock.message_writer()?;
        let messages = lock.transcript()?.messages;
        file::remove(&exit_path(lock.dir()))?;
        lock.clear_left()?;
        // Both are in one file, the number of messages and what was counted of them.
        let counted = usize::try_from(meta.message_count).unwrap_or(usize::MAX);
        let mut record = Record {
            saved: meta.clone(),
            meta,
            writer,
            told: Told::default(),
            seen: Seen::default(),
            subagents: messages.iter().filter_map(|message| message.subagent.clone()).collect(),
            uncounted: messages.iter().skip(counted).map(|message| message.id.clone()).collect(),
            ids: messages.into_iter().map(|message| message.id).collect(),
            due: Due::default(),
            follow: Follow::new(begin.cwd.clone(), watch),
            cwd: begin.cwd,
            base_commit: begin.base_commit,
            now: begin.now,
            counted: HashMap::new(),
            unwritten: Vec::new(),
            recorded: Vec::new(),
            told_counts: (0, 0),
            troubles: Default::default(),
            told_trouble: None,
            lock,
        };
        let known = record.meta.claude_sessions.iter().find(|c| c.id == begin.conversation);
        let transcript =
            known.and_then(|c| c.transcript_path.clone()).map(PathBuf::from).or(begin.transcript);
        record.conversation(begin.conversation, transcript);
        Ok(record)
    }

    pub(super) fn beat(&mut self) {
        self.troubles[BEATING] = self.lock.beat((self.now)()).err().map(|error| error.to_string());
    }

    /// Claude goes on in this conversation; it is the last one of the session from now on.
    pub(super) fn conversation(&mut self, id: ConversationId, transcript: Option<PathBuf>) {
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
        if let Some(path) = transcript.filter(|path| !self.follow.has(path)) {
            self.put_down();
            let recorded = recorded(&self.lock, &self.uncounted, |subagent| subagent.is_none());
            // Another conversation's file may tell of them again.
            for message in &recorded.uncounted {
                self.uncounted.remove(&message.id);
            }
            self.follow.add(id, &path, recorded);
        }
    }

    /// A prompt was submitted in the current conversation.
    pub(super) fn prompted(&mut self, prompt: &str) {
        if let Some(current) = self.meta.claude_sessions.last_mut() {
            current.prompted = true;
        }
        self.meta.name_after(prompt);
    }

    /// Claude's permission mode is this one now: a resume begins with it.
    pub(super) fn mode(&mut self, mode: PermissionMode) {
        self.meta.mode = mode;
    }

    /// A tool ran for so long.
    pub(super) fn tool_ran(&mut self, tool_use: &str, duration_ms: u64) {
        for (key, change) in self.follow.tool_ran(tool_use, duration_ms) {
            self.change(key, change);
        }
    }

    /// The turn was stopped before claude had answered anything.
    pub(super) fn stopped(&mut self, at: Timestamp) {
        let id = format!("{STOPPED}{}", uuid::Uuid::new_v4());
        let mut message = Message::new(id, Role::System, "Stopped before claude answered", at);
        message.kind = Some(MessageKind::Interrupted);
        self.unwritten.push(message);
    }

    /// This was put into claude's context.
    pub(super) fn injected(&mut self, injection: Injection) {
        self.told.add(injection);
        self.put_told();
    }

    /// This is remembered of the session's work.
    pub(super) fn remember(&mut self, stores: Stores) {
        self.told.remember(stores);
        self.put_told();
    }

    /// A host begins with the session's open interval.
    pub(super) fn began(&mut self) {
        if let Some(interval) = self.meta.active_intervals.last().map(|interval| interval.start) {
            self.saw(ActivityLine::new((self.now)(), Happened::Began { interval }));
        }
    }

    /// This is seen of claude.
    pub(super) fn saw(&mut self, line: ActivityLine) {
        self.seen.add(line);
    }

    /// Whether some file can change without being heard of, or could not be read.
    pub(super) fn is_blind(&mut self) -> bool {
        self.follow.is_blind() || self.troubles[READING].is_some()
    }

    /// A folder that was watched went.
    pub(super) fn watch_again(&mut self) {
        self.follow.watch_again();
    }

    /// Reads what is new in claude's files.
    pub(super) fn look(&mut self) {
        self.follow.names_changed();
        self.look_where(true);
    }

    /// The same where no file came or got another name since the last look.
    pub(super) fn look_at_known(&mut self) {
        self.look_where(false);
    }

    fn look_where(&mut self, names: bool) {
        let mut reads = Vec::new();
        let (lock, subagents, uncounted) = (&self.lock, &self.subagents, &self.uncounted);
        let earlier = |agent: &str| match subagents.contains(agent) {
            true => recorded(lock, uncounted, |subagent| subagent == Some(agent)),
            false => Recorded::default(),
        };
        let read = self.follow.read(names, earlier, |read| reads.push(read));
        self.troubles[READING] = read.err().map(|error| error.to_string());
        let mut known = HashSet::new();
        for read in reads {
            let key = (read.conversation, read.main);
            if read.from_start && read.main {
                let fresh = Counted::new(&self.meta, key);
                match self.counted.get_mut(&key) {
                    Some(counted) if counted.is_shown() => {
                        counted.unknown = 0;
                        known.insert(key);
                    }
                    _ => drop(self.counted.insert(key, fresh)),
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

    /// What a conversation has cost until now, as its status line says.
    pub(super) fn cost(&mut self, id: ConversationId, cost: f64) {
        let key = (id, true);
        self.counted.entry(key).or_insert_with(|| Counted::new(&self.meta, key)).shows(cost);
        self.sum_up(id);
    }

    fn change(&mut self, key: (ConversationId, bool), change: Change) {
        let counted = self.counted.entry(key).or_insert_with(|| Counted::new(&self.meta, key));
        match change {
            Change::Message(message) => {
                if message.role == Role::User && message.kind.is_none() && message.subagent.is_none() {
                    let conversation = self.meta.claude_sessions.iter_mut().find(|c| c.id == key.0);
                    if let Some(conversation) = conversation {
                        conversation.prompted = true;
                    }
                    self.meta.name_after(&message.content);
                }
                self.unwritten.push(message);
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
            Change::Cost(cost) => counted.costs(cost),
            Change::Title { text, by_person: true } => self.meta.title = Some(bc_core::text::one_line(&text)),
            Change::Title { by_person: false, .. } | Change::Compacted { .. } | Change::TurnEnded { .. } => {}
            Change::Unknown { .. } | Change::Malformed { .. } => counted.unknown += 1,
        }
    }

    /// Puts what was counted for the conversation's files into its entry, and the sums into the session.
    fn sum_up(&mut self, id: ConversationId) {
        let of = |main| self.counted.get(&(id, main));
        let cost = of(true).map_or(0.0, Counted::total);
        let unknown: u64 = [true, false].into_iter().filter_map(of).map(|c| c.unknown).sum();
        if let Some(conversation) = self.meta.claude_sessions.iter_mut().find(|c| c.id == id) {
            if cost > 0.0 {
                conversation.extra.insert(COST.to_owned(), cost.into());
            }
            if unknown > 0 {
                conversation.extra.insert(UNKNOWN.to_owned(), unknown.into());
            }
        }
        let all = &self.meta.claude_sessions;
        let costs: Vec<f64> = all.iter().filter_map(|c| c.extra.get(COST)?.as_f64()).collect();
        if !costs.is_empty() {
            self.meta.cost_usd = Some(costs.iter().sum());
        }
        self.meta.unknown_transcript_lines = all.iter().filter_map(|c| c.extra.get(UNKNOWN)?.as_u64()).sum();
    }

    /// Asks git for the commits since the session began. Without a repository there are none.
    pub(super) fn commits(&mut self) {
        let Ok(repo) = Repo::discover(&self.cwd) else { return };
        if let Ok(commits) = repo.commits_since(self.base_commit.as_deref()) {
            self.meta.commits = commits.into_iter().map(|commit| commit.hash).collect();
        }
    }

    /// Gives the session its last state of this run. Either all of it is on disk afterwards, or the
    /// session is still active there and this can be tried again.
    pub(super) fn finish(&mut self, event: Event, note: &ExitNote) -> Result<Status, StoreError> {
        self.save_all()?;
        let path = exit_path(self.lock.dir());
        let bytes = serde_json::to_vec_pretty(note)
            .map_err(|source| StoreError::Encode { path: path.clone(), source })?;
        file::replace(&path, &bytes)?;
        // Without it a resume can tell less, and no more than that.
        let _ = self.lock.save_left(&left::look(&self.meta, &self.cwd, (self.now)()));
        let before = self.meta.clone();
        // Refused means that an earlier try got this far: only active sessions have a host.
        if self.meta.transition(event, (self.now)()).is_ok() {
            if let Err(error) = self.save_all() {
                self.meta = before;
                return Err(error);
            }
            let (paused, closed) = (self.meta.pause_reason, self.meta.close_reason);
            self.saw(ActivityLine::new((self.now)(), Happened::Ended { paused, closed }));
        }
        self.lock.clear_host(std::process::id())?;
        Ok(self.meta.status)
    }

    pub(super) fn take_recorded(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.recorded)
    }

    pub(super) fn changed_counts(&mut self) -> Option<(u64, u64)> {
        let counts = (self.meta.message_count, self.meta.unknown_transcript_lines);
        (std::mem::replace(&mut self.told_counts, counts) != counts).then_some(counts)
    }

    pub(super) fn changed_trouble(&mut self) -> Option<Option<String>> {
        let now = self.troubles.iter().flatten().next().cloned();
        (std::mem::replace(&mut self.told_trouble, now.clone()) != now).then_some(now)
    }
}

/// The messages on disk whose author is wanted. The file was read when the host began; should that fail
/// now, messages keep their place and tokens are counted again.
fn recorded(
    lock: &SessionLock,
    uncounted: &HashSet<String>,
    wanted: impl Fn(Option<&str>) -> bool,
) -> Recorded {
    let messages = lock.transcript().map(|transcript| transcript.messages).unwrap_or_default();
    let wanted = messages.into_iter().filter(|message| wanted(message.subagent.as_deref()));
    let (uncounted, counted) = wanted.partition(|message| uncounted.contains(&message.id));
    Recorded { counted, uncounted }
}

#[cfg(test)]
mod tests;
