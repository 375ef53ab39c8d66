//! Follows claude's transcript files: the files of this run's conversations and of their subagents.

use super::input::FolderWatch;
use bc_claude::{
    paths::{subagent_id, subagents_dir},
    transcript::{Change, Decoder, Follower, ReadError},
};
use bc_core::{ids::ConversationId, message::Message};
use chrono::TimeDelta;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

struct TranscriptFile {
    conversation: ConversationId,
    follower: Follower,
    decoder: Decoder,
}

/// New content of one file.
pub(super) struct Read {
    pub(super) conversation: ConversationId,
    /// Whether the file is read from its beginning, for the first time or again.
    pub(super) from_start: bool,
    /// Whether it is the conversation's main file.
    pub(super) main: bool,
    pub(super) changes: Vec<Change>,
}

/// Messages that are already recorded.
#[derive(Default)]
pub(super) struct Recorded {
    /// Messages whose tokens are counted.
    pub(super) totals: Vec<Message>,
    /// Later messages, whose tokens are not counted.
    pub(super) uncounted: Vec<Message>,
}

impl Recorded {
    fn prime(self, decoder: &mut Decoder) {
        decoder.prime(self.totals);
        decoder.prime_uncounted(self.uncounted);
    }
}

struct Conversation {
    id: ConversationId,
    main: TranscriptFile,
    subagents: Vec<(PathBuf, TranscriptFile)>,
    /// Whether all subagent files are known. Reset when new files may exist.
    all_found: bool,
}

/// All followed files.
pub(super) struct TranscriptFiles {
    cwd: PathBuf,
    clock_ahead: TimeDelta,
    conversations: Vec<Conversation>,
    watch: FolderWatch,
}

impl TranscriptFiles {
    /// Starts without any file. This machine's clock is ahead of the user's clock by `clock_ahead`.
    pub(super) fn new(cwd: PathBuf, clock_ahead: TimeDelta, watch: FolderWatch) -> TranscriptFiles {
        TranscriptFiles { cwd, clock_ahead, conversations: Vec::new(), watch }
    }

    /// Whether this is a followed conversation's main file.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.conversations.iter().any(|c| c.main.follower.path() == path)
    }

    /// Adds a conversation's main file. The messages in `recorded` are not recorded again, and counted tokens
    /// are not counted again.
    pub(super) fn add(&mut self, id: ConversationId, path: &Path, recorded: Recorded) {
        let mut decoder = Decoder::new(&self.cwd).with_clock_ahead(self.clock_ahead);
        recorded.prime(&mut decoder);
        let main = TranscriptFile { conversation: id, follower: Follower::new(path), decoder };
        self.conversations.push(Conversation { id, main, subagents: Vec::new(), all_found: false });
    }

    /// Reads new content of all files. An unreadable file is reported and retried later. `recorded` returns a
    /// subagent's messages from an earlier run.
    pub(super) fn read(
        &mut self,
        recorded: impl Fn(&str) -> Recorded,
        mut take: impl FnMut(Read),
    ) -> Result<(), ReadError> {
        let mut outcome = Ok(());
        for at in 0..self.conversations.len() {
            if !self.conversations[at].all_found {
                self.find_subagents(at, &recorded);
            }
            let conversation = &mut self.conversations[at];
            let mut read = |file: &mut TranscriptFile, main| {
                if let Err(error) = read_one(file, main, &mut take) {
                    outcome = Err(error);
                }
            };
            read(&mut conversation.main, true);
            for (_, file) in &mut conversation.subagents {
                read(file, false);
            }
        }
        outcome
    }

    /// Reads complete last lines that lack a newline, because nothing more will be written.
    pub(super) fn finish(&mut self) -> Vec<((ConversationId, bool), Change)> {
        self.decode(Decoder::finish)
    }

    /// Passes a tool's duration to the decoders. Returns the changes, each with its conversation and whether it
    /// is from the main file.
    pub(super) fn tool_ran(
        &mut self,
        tool_use: &str,
        duration_ms: u64,
    ) -> Vec<((ConversationId, bool), Change)> {
        self.decode(|decoder| decoder.ran(tool_use, duration_ms))
    }

    fn decode(
        &mut self,
        decode: impl Fn(&mut Decoder) -> Vec<Change>,
    ) -> Vec<((ConversationId, bool), Change)> {
        let mut all = Vec::new();
        for Conversation { main, subagents, .. } in &mut self.conversations {
            let files = subagents.iter_mut().map(|(_, file)| (false, file));
            for (is_main, file) in std::iter::once((true, main)).chain(files) {
                let changes = decode(&mut file.decoder);
                all.extend(changes.into_iter().map(|change| ((file.conversation, is_main), change)));
            }
        }
        all
    }

    /// Finds the subagents' files and watches their folders.
    fn find_subagents(&mut self, at: usize, recorded: &impl Fn(&str) -> Recorded) {
        let conversation = &self.conversations[at];
        let Some(parent) = conversation.main.follower.path().parent().map(Path::to_owned) else { return };
        let folder = subagents_dir(conversation.main.follower.path());
        // From the top down, so that each folder is watched before its subfolder is checked.
        let dirs = [Some(parent), folder.parent().map(Path::to_owned), Some(folder.clone())];
        let mut all_found = false;
        for dir in dirs.into_iter().flatten() {
            let is_watched = self.watch.add(dir.clone());
            // The parent's watch reports when a missing folder is created.
            all_found = is_watched || (all_found && !dir.exists());
            if !is_watched {
                break;
            }
        }
        let entries = fs::read_dir(&folder);
        let listed = entries.as_ref().map_or_else(|e| e.kind() == io::ErrorKind::NotFound, |_| true);
        self.conversations[at].all_found = all_found && listed;
        let Ok(entries) = entries else { return };
        let conversation = &mut self.conversations[at];
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let Some(agent) = subagent_id(&path) else { continue };
            if conversation.subagents.iter().any(|(known, _)| *known == path) {
                continue;
            }
            let mut decoder =
                Decoder::for_subagent(&self.cwd, agent.clone()).with_clock_ahead(self.clock_ahead);
            recorded(&agent).prime(&mut decoder);
            let follower = Follower::new(&path);
            let file = TranscriptFile { conversation: conversation.id, follower, decoder };
            conversation.subagents.push((path, file));
        }
    }

    /// Watches the folders of the main files. Returns whether one of them was not watched until now, so that
    /// changes in it were not reported.
    pub(super) fn needs_polling(&mut self) -> bool {
        let folders = self.conversations.iter().filter_map(|c| c.main.follower.path().parent());
        let unwatched: Vec<PathBuf> =
            folders.filter(|dir| !self.watch.has(dir)).map(Path::to_owned).collect();
        let unreported = !unwatched.is_empty();
        for folder in unwatched {
            self.watch.add(folder);
        }
        unreported
    }

    /// Called when a watched folder may have been removed.
    pub(super) fn rewatch(&mut self) {
        self.watch.forget();
        self.names_changed();
    }

    /// Called when new subagent files may exist.
    pub(super) fn names_changed(&mut self) {
        self.conversations.iter_mut().for_each(|conversation| conversation.all_found = false);
    }
}

fn read_one(file: &mut TranscriptFile, main: bool, take: &mut impl FnMut(Read)) -> Result<(), ReadError> {
    loop {
        let first = file.follower.offset() == 0;
        let appended = file.follower.poll()?;
        if appended.restarted {
            file.decoder.restarted();
        }
        let from_start = appended.restarted || (first && !appended.bytes.is_empty());
        let changes = file.decoder.feed(&appended.bytes);
        if from_start || !changes.is_empty() {
            take(Read { conversation: file.conversation, from_start, main, changes });
        }
        if !appended.more {
            return Ok(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // These are claude's files, written as claude writes them.
mod tests {
    use super::{super::input, *};

    #[test]
    fn a_file_written_before_its_new_folder_is_watched_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("project").join("t.jsonl");
        let (_notes, watch, _input) = input::channel(1);
        let mut files = TranscriptFiles::new(dir.path().to_owned(), TimeDelta::zero(), watch);
        files.add("00000000-0000-4000-8000-000000000009".parse().unwrap(), &path, Recorded::default());
        let read = |files: &mut TranscriptFiles| {
            let mut changes = 0;
            files.read(|_| Recorded::default(), |read| changes += read.changes.len()).unwrap();
            changes
        };
        assert_eq!(read(&mut files), 0);
        assert!(files.needs_polling(), "the folder does not exist");

        fs::create_dir(path.parent().unwrap()).unwrap();
        let message = r#"{"role":"user","content":"hello"}"#;
        let ids = r#""uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-20T10:00:00Z""#;
        fs::write(&path, format!("{{\"type\":\"user\",{ids},\"message\":{message}}}\n")).unwrap();
        assert!(files.needs_polling(), "nothing reported the file");
        assert!(read(&mut files) > 0);
        assert!(!files.needs_polling());
    }
}
