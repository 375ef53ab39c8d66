//! Following claude's transcript files: the conversations of this run, and their subagents' files.

use super::ear::Watch;
use bc_claude::{
    paths::{subagent_id, subagents_dir},
    transcript::{Change, Decoder, Follower, ReadError},
};
use bc_core::{ids::ConversationId, message::Message};
use std::{
    fs, io,
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

/// Messages that are on record already.
#[derive(Default)]
pub(super) struct Recorded {
    /// Their tokens are counted.
    pub(super) counted: Vec<Message>,
    /// Later ones, whose tokens are not.
    pub(super) uncounted: Vec<Message>,
}

impl Recorded {
    fn prime(self, decoder: &mut Decoder) {
        decoder.prime(self.counted);
        decoder.prime_uncounted(self.uncounted);
    }
}

/// The files of one conversation.
struct Conversation {
    id: ConversationId,
    main: Followed,
    subagents: Vec<(PathBuf, Followed)>,
    /// There is no other file of a subagent as long as the system tells of none.
    all_found: bool,
}

/// All that is followed.
pub(super) struct Follow {
    cwd: PathBuf,
    conversations: Vec<Conversation>,
    watch: Watch,
}

impl Follow {
    /// Nothing yet.
    pub(super) fn new(cwd: PathBuf, watch: Watch) -> Follow {
        Follow { cwd, conversations: Vec::new(), watch }
    }

    /// Whether this file is followed.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.conversations.iter().any(|c| c.main.follower.path() == path)
    }

    /// Follows this file, too. `recorded` are the main conversations' messages until now: they are not
    /// recorded again, and their tokens are not counted again.
    pub(super) fn add(&mut self, id: ConversationId, path: &Path, recorded: Recorded) {
        let mut decoder = Decoder::new(&self.cwd);
        recorded.prime(&mut decoder);
        let main = Followed { conversation: id, follower: Follower::new(path), decoder };
        self.conversations.push(Conversation { id, main, subagents: Vec::new(), all_found: false });
    }

    /// Reads what is new everywhere; `names` where files may have got other names since the last time. A file that
    /// cannot be read is told of and tried again later. `recorded` gives the messages that a subagent wrote in an earlier run.
    pub(super) fn read(
        &mut self,
        names: bool,
        recorded: impl Fn(&str) -> Recorded,
        mut take: impl FnMut(Read),
    ) -> Result<(), ReadError> {
        let mut outcome = Ok(());
        for at in 0..self.conversations.len() {
            if !self.conversations[at].all_found {
                self.find_subagents(at, &recorded);
            }
            let conversation = &mut self.conversations[at];
            let mut read = |followed: &mut Followed, main| {
                if let Err(error) = read_one(followed, names, main, &mut take) {
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
    fn find_subagents(&mut self, at: usize, recorded: &impl Fn(&str) -> Recorded) {
        let conversation = &self.conversations[at];
        let Some(parent) = conversation.main.follower.path().parent().map(Path::to_owned) else { return };
        let folder = subagents_dir(conversation.main.follower.path());
        // From above: each is watched before it is looked at whether there is one below.
        let dirs = [Some(parent), folder.parent().map(Path::to_owned), Some(folder.clone())];
        let mut all_found = false;
        for dir in dirs.into_iter().flatten() {
            let is_watched = self.watch.add(dir.clone());
            // One that is not there is told of by the folder above it.
            all_found = is_watched || (all_found && !dir.exists());
            if !is_watched {
                break;
            }
        }
        let entries = fs::read_dir(&folder);
        let looked = entries.as_ref().map_or_else(|e| e.kind() == io::ErrorKind::NotFound, |_| true);
        self.conversations[at].all_found = all_found && looked;
        let Ok(entries) = entries else { return };
        let conversation = &mut self.conversations[at];
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let Some(agent) = subagent_id(&path) else { continue };
            if conversation.subagents.iter().any(|(known, _)| *known == path) {
                continue;
            }
            let mut decoder = Decoder::for_subagent(&self.cwd, agent.clone());
            recorded(&agent).prime(&mut decoder);
            let follower = Follower::new(&path);
            let followed = Followed { conversation: conversation.id, follower, decoder };
            conversation.subagents.push((path, followed));
        }
    }

    /// Whether some file can change without being heard of.
    pub(super) fn is_blind(&mut self) -> bool {
        let folders = self.conversations.iter().filter_map(|c| c.main.follower.path().parent());
        let folders: Vec<PathBuf> = folders.map(Path::to_owned).collect();
        !folders.into_iter().all(|folder| self.watch.add(folder))
    }

    /// A folder that was watched went.
    pub(super) fn watch_again(&mut self) {
        self.watch.forget();
        self.names_changed();
    }

    /// There may be files of subagents that are not followed.
    pub(super) fn names_changed(&mut self) {
        self.conversations.iter_mut().for_each(|conversation| conversation.all_found = false);
    }
}

fn read_one(
    followed: &mut Followed,
    mut names: bool,
    main: bool,
    take: &mut impl FnMut(Read),
) -> Result<(), ReadError> {
    loop {
        let first = followed.follower.offset() == 0;
        let appended = match names {
            true => followed.follower.poll()?,
            false => followed.follower.poll_same()?,
        };
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
        // What is more than a little comes in large pieces.
        names = true;
    }
}
