//! Reads the contents of a backup commit, and prepares the contents of a new one.

use super::conversation_files::{self, Parts};
use crate::context::{count, errors::git_error};
use bc_core::backup::{Conversation, Kind, Manifest, ManifestError, Records, Tie};
use bc_git::{ObjectId, Repo};
use bc_wire::{ApiError, ErrorCode, backup::BackupCounts};
use std::collections::BTreeMap;

const MANIFEST: &str = "manifest.json";
/// The record files, with one JSON record per line.
const FILES: [(&str, Kind); 3] =
    [("beads.jsonl", Kind::Beads), ("memories.jsonl", Kind::Memories), ("sessions.jsonl", Kind::Sessions)];

/// The contents of a backup: its records, and the ids of its files.
pub(super) struct Stored {
    pub(super) beads: Records,
    pub(super) memories: Records,
    pub(super) sessions: Records,
    /// The conversations by session id. Their contents are read on demand.
    pub(super) transcripts: BTreeMap<String, Parts>,
    /// Files that this version does not use, such as those of other versions; the next backup keeps them.
    other: BTreeMap<String, ObjectId>,
}

impl Stored {
    pub(super) fn empty() -> Stored {
        Stored {
            beads: Records::new(Kind::Beads),
            memories: Records::new(Kind::Memories),
            sessions: Records::new(Kind::Sessions),
            transcripts: BTreeMap::new(),
            other: BTreeMap::new(),
        }
    }

    /// Reads these backup commits and merges their contents.
    pub(super) fn of(repo: &Repo, commits: &[ObjectId], folder: &str) -> Result<Stored, ApiError> {
        let mut all = Stored::empty();
        for commit in commits {
            all = all.with(repo, Stored::read(repo, commit, folder)?)?;
        }
        Ok(all)
    }

    fn read(repo: &Repo, commit: &ObjectId, folder: &str) -> Result<Stored, ApiError> {
        let mut files = repo.files_of(commit, folder).map_err(git_error)?;
        let mut stored = Stored::empty();
        let Some(manifest) = files.remove(MANIFEST) else {
            // The branch exists but does not contain a backup of this project.
            stored.other = files;
            return Ok(stored);
        };
        Manifest::parse(&repo.blob(&manifest).map_err(git_error)?).map_err(|error| {
            let text = format!("{folder}/{MANIFEST} in {} is invalid: {error}", commit.as_str());
            match error {
                ManifestError::Newer(_) => ApiError::new(ErrorCode::FileRefused, text),
                ManifestError::Foreign => ApiError::new(ErrorCode::FileRefused, text)
                    .hint("rename that branch: backups need the branch name beads-backup"),
            }
        })?;
        for (name, kind) in FILES {
            if let Some(id) = files.remove(name) {
                *stored.records(kind) = Records::parse(kind, &repo.blob(&id).map_err(git_error)?);
            }
        }
        stored.transcripts = conversation_files::take(&mut files);
        stored.other = files;
        Ok(stored)
    }

    fn records(&mut self, kind: Kind) -> &mut Records {
        match kind {
            Kind::Beads => &mut self.beads,
            Kind::Memories => &mut self.memories,
            Kind::Sessions => &mut self.sessions,
        }
    }

    fn with(self, repo: &Repo, other: Stored) -> Result<Stored, ApiError> {
        let mut transcripts = self.transcripts;
        for (session, theirs) in other.transcripts {
            let merged = match transcripts.get(&session) {
                Some(ours) if *ours != theirs => {
                    let read =
                        |parts| conversation_files::read(repo, parts).map(|text| Conversation::parse(&text));
                    keep(repo, &read(ours)?.with(read(&theirs)?))?
                }
                _ => theirs,
            };
            transcripts.insert(session, merged);
        }
        Ok(Stored {
            beads: self.beads.with(other.beads, Tie::Settled),
            memories: self.memories.with(other.memories, Tie::Settled),
            sessions: self.sessions.with(other.sessions, Tie::Settled),
            transcripts,
            other: self.other.into_iter().chain(other.other).collect(),
        })
    }

    /// A session's conversation; `None` if the backup does not contain it.
    pub(super) fn conversation(&self, repo: &Repo, session: &str) -> Result<Option<Conversation>, ApiError> {
        let read = |parts| Ok(Conversation::parse(&conversation_files::read(repo, parts)?));
        self.transcripts.get(session).map(read).transpose()
    }

    pub(super) fn counts(&self) -> BackupCounts {
        counts(self.beads.len(), self.memories.len(), self.sessions.len(), self.transcripts.len())
    }

    /// Stores the manifest and the records as objects in the repository, and returns all files of the
    /// backup's folder.
    pub(super) fn files(&self, repo: &Repo) -> Result<BTreeMap<String, ObjectId>, ApiError> {
        let mut files = self.other.clone();
        let mut add = |name: &str, bytes: &[u8]| {
            repo.write_blob(bytes).map(|id| files.insert(name.to_owned(), id)).map_err(git_error)
        };
        let (beads, memories, sessions) = (&self.beads, &self.memories, &self.sessions);
        let in_parts = self.transcripts.values().any(|parts| parts.len() > 1);
        let manifest =
            Manifest::new(beads.len(), memories.len(), sessions.len(), self.transcripts.len(), in_parts);
        add(MANIFEST, &manifest.render())?;
        for ((name, _), records) in FILES.iter().zip([beads, memories, sessions]) {
            add(name, &records.render())?;
        }
        for (session, parts) in &self.transcripts {
            for (number, id) in parts.iter().enumerate() {
                files.insert(conversation_files::path_of(session, number), id.clone());
            }
        }
        Ok(files)
    }
}

/// The counts in a commit's manifest; `None` if this project's folder in the commit has no valid manifest.
pub(super) fn counts_of(
    repo: &Repo,
    commit: &ObjectId,
    folder: &str,
) -> Result<Option<BackupCounts>, ApiError> {
    let files = repo.files_of(commit, folder).map_err(git_error)?;
    let bytes = files.get(MANIFEST).map(|id| repo.blob(id)).transpose().map_err(git_error)?;
    let manifest = bytes.and_then(|bytes| Manifest::parse(&bytes).ok());
    Ok(manifest.map(|known| counts(known.beads, known.memories, known.sessions, known.transcripts)))
}

fn counts(beads: usize, memories: usize, sessions: usize, transcripts: usize) -> BackupCounts {
    BackupCounts {
        beads: count(beads),
        memories: count(memories),
        sessions: count(sessions),
        transcripts: count(transcripts),
    }
}

pub(super) fn keep(repo: &Repo, conversation: &Conversation) -> Result<Parts, ApiError> {
    conversation_files::write(repo, &[conversation.render()])
}
