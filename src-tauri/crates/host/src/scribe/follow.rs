//! Following claude's transcript files: the conversations of this run, and their subagents' files.

use super::Wake;
use bc_claude::{
    paths::{subagent_id, subagents_dir},
    transcript::{Change, Decoder, Follower, ReadError},
};
use bc_core::{ids::ConversationId, message::Message};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// One transcript file.
struct Followed {
    conversation: ConversationId,
    follower: Follower,
    decoder: Decoder,
}

/// What was read in one file.
pub(super) struct Read {
    /// Whose conversation it is.
    pub(super) conversation: ConversationId,
    /// Whether it is read from its beginning, for the first time or again.
    pub(super) from_start: bool,
    /// Whether it is the main conversation's file.
    pub(super) main: bool,
    /// What was decoded.
    pub(super) changes: Vec<Change>,
}

/// The files of one conversation.
struct Conversation {
    id: ConversationId,
    main: Followed,
    subagents: Vec<(PathBuf, Followed)>,
}

/// All that is followed.
pub(super) struct Follow {
    cwd: PathBuf,
    conversations: Vec<Conversation>,
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
}

impl Follow {
    /// Nothing yet. Without a watcher of the system, hooks and heartbeats alone tell when to look.
    pub(super) fn new(cwd: PathBuf, wake: Wake) -> Follow {
        let changed = move |event: notify::Result<notify::Event>| {
            // Our own reading opens the files: being woken by that would never end.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                wake.wake();
            }
        };
        let watcher = notify::recommended_watcher(changed).ok();
        Follow { cwd, conversations: Vec::new(), watcher, watched: BTreeSet::new() }
    }

    /// Whether this file is followed.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.conversations.iter().any(|c| c.main.follower.path() == path)
    }

    /// Follows this file, too. `recorded` are the main conversations' messages until now: they are not
    /// recorded or counted again.
    pub(super) fn add(&mut self, id: ConversationId, path: &Path, recorded: Vec<Message>) {
        let mut decoder = Decoder::new(&self.cwd);
        decoder.prime(recorded);
        let main = Followed { conversation: id, follower: Follower::new(path), decoder };
        self.conversations.push(Conversation { id, main, subagents: Vec::new() });
    }

    /// Reads what is new everywhere. A file that cannot be read is told of and tried again later.
    /// `recorded` gives the messages that a subagent wrote in an earlier run.
    pub(super) fn read(
        &mut self,
        recorded: impl Fn(&str) -> Vec<Message>,
        mut take: impl FnMut(Read),
    ) -> Result<(), ReadError> {
        let mut outcome = Ok(());
        for at in 0..self.conversations.len() {
            self.find_subagents(at, &recorded);
            let conversation = &mut self.conversations[at];
            let mut read = |followed: &mut Followed, main| {
                if let Err(error) = read_one(followed, main, &mut take) {
                    outcome = Err(error);
                }
            };
            read(&mut conversation.main, true);
            for (_, followed) in &mut conversation.subagents {
                read(followed, false);
            }
        }
        outcome
    }

    /// A tool ran for so long: in whichever file its call is. What has changed, and in which
    /// conversation, in its main file or not.
    pub(super) fn tool_ran(
        &mut self,
        tool_use: &str,
        duration_ms: u64,
    ) -> Vec<((ConversationId, bool), Change)> {
        let mut all = Vec::new();
        for Conversation { main, subagents, .. } in &mut self.conversations {
            let files = subagents.iter_mut().map(|(_, followed)| (false, followed));
            for (is_main, followed) in std::iter::once((true, main)).chain(files) {
                let changes = followed.decoder.ran(tool_use, duration_ms);
                all.extend(changes.into_iter().map(|change| ((followed.conversation, is_main), change)));
            }
        }
        all
    }

    /// Looks for the files of subagents, and has the system tell of changes in what is there by now.
    fn find_subagents(&mut self, at: usize, recorded: &impl Fn(&str) -> Vec<Message>) {
        let conversation = &self.conversations[at];
        let Some(parent) = conversation.main.follower.path().parent().map(Path::to_owned) else { return };
        let folder = subagents_dir(conversation.main.follower.path());
        for dir in [parent, folder.clone()] {
            self.watch(dir);
        }
        let Ok(entries) = fs::read_dir(&folder) else { return };
        let conversation = &mut self.conversations[at];
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let Some(agent) = subagent_id(&path) else { continue };
            if conversation.subagents.iter().any(|(known, _)| *known == path) {
                continue;
            }
            let mut decoder = Decoder::for_subagent(&self.cwd, agent.clone());
            decoder.prime(recorded(&agent));
            let follower = Follower::new(&path);
            let followed = Followed { conversation: conversation.id, follower, decoder };
            conversation.subagents.push((path, followed));
        }
    }

    fn watch(&mut self, dir: PathBuf) {
        let Some(watcher) = &mut self.watcher else { return };
        if !self.watched.contains(&dir)
            && dir.is_dir()
            && watcher.watch(&dir, RecursiveMode::NonRecursive).is_ok()
        {
            self.watched.insert(dir);
        }
    }
}

fn read_one(followed: &mut Followed, main: bool, take: &mut impl FnMut(Read)) -> Result<(), ReadError> {
    loop {
        let first = followed.follower.offset() == 0;
        let appended = followed.follower.poll()?;
        if appended.restarted {
            followed.decoder.restarted();
        }
        let from_start = appended.restarted || (first && !appended.bytes.is_empty());
        let changes = followed.decoder.feed(&appended.bytes);
        if from_start || !changes.is_empty() {
            take(Read { conversation: followed.conversation, from_start, main, changes });
        }
        if !appended.more {
            return Ok(());
        }
    }
}
