//! A store's content as seen by a program that opens the store, and its comparison with the content before
//! and after an operation.

use bc_core::{
    Timestamp,
    ids::SessionId,
    message::{Message, Role, fold},
    recovery::{Injection, Reason},
    session::{Draft, Meta},
};
use bc_store::{
    SessionDir, SessionStore, file,
    session::{Index, Outbox, Trashed},
};
use std::{collections::BTreeMap, fs, path::Path};
use uuid::Uuid;

/// The files outside of sessions.
const FILES: [&str; 5] =
    ["sessions/index.json", "sessions/project.json", "sessions/.gitignore", "export.md", "CLAUDE.md"];
const INDEX: usize = 0;
const PROJECT: usize = 1;

/// The store's content, except for data that a power cut may lose: the heartbeat and the host's record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    sessions: BTreeMap<SessionId, Session>,
    trash: BTreeMap<SessionId, Session>,
    problems: Vec<String>,
    files: Vec<Option<Vec<u8>>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Session {
    meta: Meta,
    deleted_at: Option<Timestamp>,
    /// The results of reading the small files, as debug text.
    small: String,
    messages: Vec<Message>,
    injections: Vec<Injection>,
}

impl Seen {
    /// Reads the content without changing it.
    pub(crate) fn of(root: &Path) -> Seen {
        let store = SessionStore::at(root);
        let listing = store.list().unwrap();
        let sessions: BTreeMap<_, _> = listing
            .sessions
            .into_iter()
            .map(|meta| (meta.id, Session::of(&store.session(meta.id), meta)))
            .collect();
        let (trashed, unread) = store.trashed().unwrap();
        let trash = trashed.into_iter().map(|trashed| {
            let id = trashed.meta.id;
            (id, Session::in_bin(&store.path().join(".trash").join(id.to_string()), trashed))
        });
        // An older copy of an existing session can disappear at any time.
        let trash = trash.filter(|(id, _)| !sessions.contains_key(id)).collect();
        let read = |name: &str| file::read(&root.join(name)).unwrap();
        Seen {
            sessions,
            trash,
            problems: listing.problems.iter().chain(&unread).map(ToString::to_string).collect(),
            files: FILES.map(read).into(),
        }
    }

    /// Checks that this state is `before`, `after`, or a state in between. Some of the appended lines may be
    /// present; every other change must be present completely or not at all.
    pub(crate) fn is_between(&self, before: &Seen, after: &Seen) -> Result<(), String> {
        if ![before, after].iter().any(|known| known.without_lines() == self.without_lines()) {
            return Err("it is neither the old nor the new state".into());
        }
        for (place, session) in self.all() {
            let (was, becomes) = match (before.at(place), after.at(place)) {
                (None, None) => return Err(format!("{place:?} belongs to no session")),
                (Some(one), None) | (None, Some(one)) => (one, one),
                (Some(was), Some(becomes)) => (was, becomes),
            };
            if !is_partly(&session.messages, &was.messages, &becomes.messages) {
                return Err(format!("unexpected messages: {:#?}", session.messages));
            }
            if !is_partly(&session.injections, &was.injections, &becomes.injections) {
                return Err(format!("unexpected injections: {:#?}", session.injections));
            }
        }
        Ok(())
    }

    /// Like [`Self::is_between`], for an operation that replaces the files outside of sessions one by one.
    pub(crate) fn is_on_the_way(&self, before: &Seen, after: &Seen) -> Result<(), String> {
        for (at, file) in self.files.iter().enumerate() {
            if *file != before.files[at] && *file != after.files[at] {
                return Err(format!("{file:?} is neither the old nor the new content"));
            }
        }
        let alone = |seen: &Seen| Seen { files: vec![], ..seen.clone() };
        alone(self).is_between(&alone(before), &alone(after))
    }

    /// Returns this content with a fixed project id, so that different runs can be compared.
    pub(crate) fn of_any_run(&self) -> Seen {
        let mut seen = self.clone();
        let project = seen.files[PROJECT].take();
        seen.files[PROJECT] =
            project.map(|bytes| match serde_json::from_slice::<serde_json::Value>(&bytes) {
                Ok(file) if file["project_id"].is_string() => b"an id".to_vec(),
                _ => bytes,
            });
        seen
    }

    pub(crate) fn without_index(&self) -> Seen {
        let mut seen = self.clone();
        seen.files[INDEX] = None;
        seen
    }

    /// Returns this content with the trash of `other`.
    pub(crate) fn with_bin_of(&self, other: &Seen) -> Seen {
        Seen { trash: other.trash.clone(), ..self.clone() }
    }

    /// Returns all sessions: whether each is in the trash, its id, and its content.
    fn all(&self) -> impl Iterator<Item = ((bool, SessionId), &Session)> {
        let sessions = self.sessions.iter().map(|(id, session)| ((false, *id), session));
        sessions.chain(self.trash.iter().map(|(id, session)| ((true, *id), session)))
    }

    fn at(&self, (in_bin, id): (bool, SessionId)) -> Option<&Session> {
        if in_bin { self.trash.get(&id) } else { self.sessions.get(&id) }
    }

    fn without_lines(&self) -> Seen {
        let mut seen = self.clone();
        for session in seen.sessions.values_mut().chain(seen.trash.values_mut()) {
            session.messages.clear();
            session.injections.clear();
        }
        seen
    }
}

impl Session {
    fn of(dir: &SessionDir, meta: Meta) -> Session {
        // A power cut can leave these files in any state; reading them must not panic.
        let _ = (dir.heartbeat().unwrap(), dir.host());
        let small = format!(
            "{:?} {:?} {:?} {:?}",
            dir.outbox(),
            dir.context(),
            dir.recovery(),
            dir.workdir_snapshot()
        );
        let injections = dir.injections().unwrap().injections;
        Session { meta, deleted_at: None, small, messages: dir.transcript().unwrap().messages, injections }
    }

    /// Returns the content of a deleted session.
    fn in_bin(folder: &Path, trashed: Trashed) -> Session {
        let read = |name: &str| file::read(&folder.join(name)).unwrap();
        let small = ["outbox.json", "context.json", "recovery.json", "left.json"].map(read);
        let lines = |name: &str| read(name).unwrap_or_default();
        let messages = lines("messages.jsonl");
        let injections = lines("injections.jsonl");
        Session {
            meta: trashed.meta,
            deleted_at: Some(trashed.deleted_at),
            small: format!("{small:?}"),
            messages: fold(
                messages.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()),
            ),
            injections: injections
                .split(|b| *b == b'\n')
                .filter_map(|line| serde_json::from_slice(line).ok())
                .collect(),
        }
    }
}

/// Whether every old line is unchanged or has its new value, and all further lines are new lines in their
/// order.
fn is_partly<T: PartialEq>(lines: &[T], was: &[T], becomes: &[T]) -> bool {
    let kept = was.len();
    let mut more = becomes[kept.min(becomes.len())..].iter();
    lines.len() >= kept
        && (0..kept).all(|at| lines[at] == was[at] || becomes.get(at) == Some(&lines[at]))
        && lines[kept..].iter().all(|line| more.any(|known| known == line))
}

/// The actions of a process after a takeover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Going {
    /// Continues writing in every session.
    On,
    /// Opens all files and syncs their current state.
    Nowhere,
}

/// Takes over a store after a crash, and performs the actions of `going` in every session. Returns the
/// content that it saw at the start.
pub(crate) fn take_over(root: &Path, going: Going) -> Seen {
    let store = SessionStore::open(root).unwrap();
    let at_start = Seen::of(root);
    for meta in store.list().unwrap().sessions {
        let lock = store.session(meta.id).try_lock().unwrap().expect("the lock is free");
        let before = lock.transcript().unwrap().messages;
        let (writer, _) = lock.message_writer().unwrap();
        match going {
            Going::On => {
                writer.append(&message(99, "after the crash")).unwrap();
                lock.injection_writer().unwrap().append(&injection("after")).unwrap();
                let now = lock.transcript().unwrap();
                assert_eq!(now.messages[..before.len()], before, "earlier messages were lost");
                assert_eq!(now.messages.last(), Some(&message(99, "after the crash")));
            }
            Going::Nowhere => {
                if lock.outbox().unwrap().items.is_empty() {
                    lock.save_outbox(&Outbox::default()).unwrap();
                }
                if lock.workdir_snapshot().unwrap().is_none() {
                    lock.clear_workdir_snapshot().unwrap();
                }
                if lock.injections_path().exists() {
                    lock.injection_writer().unwrap();
                }
            }
        }
        let names = fs::read_dir(lock.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let litter = names.filter(|name| name.to_string_lossy().starts_with(file::TEMPORARY_PREFIX));
        assert_eq!(litter.count(), 0, "temporary files remained");
    }
    let (index, listing) = store.sync_index().unwrap();
    assert_eq!(index, Index::of(&listing.sessions));
    let kept = file::read(&store.path().join("index.json")).unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Index>(&kept).unwrap(), index);
    store.project_id(None).unwrap();
    at_start
}

pub(crate) fn id(n: u8) -> SessionId {
    SessionId(Uuid::from_u128(u128::from(n)))
}

pub(crate) fn at(minutes: i64) -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap() + chrono::Duration::minutes(minutes)
}

/// Returns a draft created `n` minutes after ten o'clock.
pub(crate) fn meta(n: u8) -> Meta {
    Meta::draft(Draft::new(id(n), "proj-1".parse().unwrap(), at(i64::from(n))))
}

pub(crate) fn message(n: u8, content: &str) -> Message {
    Message::new(format!("msg_{n}"), Role::User, content, at(i64::from(n)))
}

pub(crate) fn injection(text: &str) -> Injection {
    Injection::new(at(0), Reason::Start, "recovery", text.to_owned())
}
