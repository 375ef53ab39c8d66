//! Memories as pinned beads of bd or br. With bd, each memory that is not too long is also one of bd's own
//! memories with the same key. So `bd memories` and `bd prime` list it, and this program shows the memories
//! of `bd remember`.
//!
//! bd's own memory is written before the bead, so a crash in between leaves a memory that bd knows. The bead
//! stores a hash of bd's text. If bd's text no longer has this hash, it was changed with bd and is used.
//! Otherwise the bead's text is used, because the bead may have been edited.

use crate::cache::{self, CachedAnswer};
use bc_beads::{Actor, Environment, NewPinned, PinnedBead, PinnedBeads, TrackerError, TrackerKind};
use bc_core::{
    ids::BeadId,
    memory::{self, HASH, KEY, MemoryEntry, NewMemory, from_row, memory_id, title_of},
};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// The prefix of the label that names a memory's type.
const LABEL: &str = "memory:";

pub(crate) struct TrackerBackend {
    pub(crate) beads: Box<dyn PinnedBeads>,
    pub(crate) root: PathBuf,
    pub(crate) beads_dir: PathBuf,
    pub(crate) environment: Environment,
}

impl TrackerBackend {
    /// Returns the rows of all memories. Runs the tracker's program unless the cached answer has the
    /// tracker's current mark.
    pub(crate) fn rows(&self) -> Result<Vec<Map<String, Value>>, TrackerError> {
        let before = cache::read(&self.beads_dir);
        let mark = bc_beads::change_mark(&self.root, &self.environment)?;
        if let (Some(answer), Some(mark)) = (&before, &mark)
            && answer.mark == *mark
        {
            return Ok(self.combined(answer.clone()));
        }
        let rows = self.beads.rows(LABEL)?;
        let texts = self.beads.texts()?;
        let answer = CachedAnswer::new(mark.clone().unwrap_or_default(), rows, texts, before.as_ref());
        if mark.is_some() {
            cache::write(&self.beads_dir, &answer);
        }
        Ok(self.combined(answer))
    }

    /// The rows of the cached answer, however old it is, for use if the program fails. Empty if nothing is
    /// cached.
    pub(crate) fn last_rows(&self) -> Vec<Map<String, Value>> {
        cache::read(&self.beads_dir).map(|answer| self.combined(answer)).unwrap_or_default()
    }

    /// Combines the beads with bd's own memories. Each memory has one row.
    fn combined(&self, answer: CachedAnswer) -> Vec<Map<String, Value>> {
        let mut rows = answer.rows;
        let texts = answer.texts.unwrap_or_default();
        let mut named: BTreeSet<String> = BTreeSet::new();
        for row in &mut rows {
            let Some(entry) = from_row(row) else { continue };
            let hash = row.get("metadata").and_then(|metadata| metadata.get(HASH)?.as_str());
            match (texts.get(&entry.key), hash) {
                (Some(text), Some(hash)) if hash_of(text) != hash => {
                    row.insert("description".to_owned(), json!(text));
                    row.insert("title".to_owned(), json!(title_of(text)));
                    row.insert("status".to_owned(), json!("pinned"));
                }
                (None, Some(_)) if answer.dropped.contains(&entry.key) => {
                    row.insert("status".to_owned(), json!("closed"));
                }
                _ => {}
            }
            named.insert(entry.key);
        }
        let without_bead = texts.iter().filter(|(key, _)| !named.contains(*key));
        rows.extend(without_bead.map(|(key, text)| self.row_of_text(key, text)));
        rows
    }

    /// Converts one of bd's own memories without a bead to a row.
    fn row_of_text(&self, key: &str, text: &str) -> Map<String, Value> {
        let row = json!({
            "id": memory_id(&self.beads.prefix(), key),
            "title": title_of(text),
            "description": text,
            "status": "pinned",
            "priority": 2,
            "issue_type": "task",
            "labels": ["agent:bd", "memory:context"],
            "metadata": {KEY: key, "source": "bd remember"},
        });
        match row {
            Value::Object(row) => row,
            _ => unreachable!("an object was written"),
        }
    }

    /// Stores a checked memory. Returns its id, and whether it replaced a memory with the same key that was
    /// not forgotten.
    pub(crate) fn store(
        &self,
        new: NewMemory,
        session: &str,
        workstream: &str,
        actor: &Actor,
    ) -> Result<(BeadId, bool), TrackerError> {
        let key = new.key().to_owned();
        let mirrored = self.beads.takes_text(&new.content);
        let exists = match mirrored {
            true => self.beads.put_text(&key, &new.content)?,
            // Remove the old text of this key from bd's own memories, because it would override this memory.
            false => {
                self.beads.drop_text(&key)?;
                true
            }
        };
        let old = if exists { self.find(&key)? } else { None };
        let session = old.as_ref().and_then(|entry| entry.session_id.as_deref()).unwrap_or(session);
        let new = match &old {
            Some(entry) => new.over(entry),
            None => new,
        };
        let id = memory_id(&self.beads.prefix(), &key);
        let row = memory::to_row(&id, &new, session, workstream, actor.as_str(), "");
        let mut bead = pinned(id, &row);
        if mirrored {
            bead.metadata.insert(HASH.to_owned(), json!(hash_of(&new.content)));
        }
        let id = self.beads.keep(&bead, old.as_ref().map(|entry| &entry.id), actor)?;
        Ok((id, old.is_some_and(|entry| !entry.forgotten)))
    }

    /// The tracker's current memory with this key; a forgotten memory only if no other exists.
    fn find(&self, key: &str) -> Result<Option<MemoryEntry>, TrackerError> {
        let rows = self.beads.rows(LABEL)?;
        let entries = rows.iter().filter_map(from_row).filter(|entry| entry.key == key);
        Ok(entries.max_by_key(|entry| (!entry.forgotten, entry.updated_at)))
    }

    /// Imports whole rows: with bd in one run and with their times, otherwise one by one.
    pub(crate) fn import_all(&self, rows: &[Map<String, Value>], actor: &Actor) -> Result<(), TrackerError> {
        if self.beads.kind() != TrackerKind::Bd {
            return rows.iter().try_for_each(|row| self.import(row, actor));
        }
        let rows_before = match self.beads.rows(LABEL) {
            // In a fresh clone, the import creates the database.
            Err(TrackerError::DatabaseMissing { .. }) => Vec::new(),
            other => other?,
        };
        let known: BTreeMap<String, BeadId> =
            rows_before.iter().filter_map(from_row).map(|entry| (entry.key, entry.id)).collect();
        let (mut beads, mut texts) = (Vec::new(), BTreeMap::new());
        for row in rows {
            let Some(entry) = from_row(row) else { continue };
            let mut row = row.clone();
            let text = memory::content_of(&row).to_owned();
            let mirrored = self.beads.takes_text(&text);
            if mirrored && !entry.forgotten {
                texts.insert(entry.key.clone(), text.clone());
            }
            if is_only_text(&entry) {
                continue;
            }
            if let Some(id) = known.get(&entry.key) {
                row.insert("id".to_owned(), json!(id));
            }
            if let (true, Some(Value::Object(metadata))) = (mirrored, row.get_mut("metadata")) {
                metadata.insert(HASH.to_owned(), json!(hash_of(&text)));
            }
            beads.push(row);
        }
        bc_beads::import(&self.root, &self.environment, &beads, &texts).map(drop)
    }

    /// Stores a row of the file as a bead and, if bd takes its text, as one of bd's own memories.
    pub(crate) fn import(&self, row: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError> {
        let Some(entry) = from_row(row) else { return Ok(()) };
        let mut bead = pinned(memory_id(&self.beads.prefix(), &entry.key), row);
        if self.beads.takes_text(&bead.description) {
            self.beads.put_text(&entry.key, &bead.description)?;
            bead.metadata.insert(HASH.to_owned(), json!(hash_of(&bead.description)));
        }
        let known = match self.beads.kind() {
            // br assigns its own ids, so find an earlier import by its key.
            TrackerKind::Br => self.find(&entry.key)?.map(|entry| entry.id),
            _ => None,
        };
        let id = self.beads.keep(&bead, known.as_ref(), actor)?;
        for link in &entry.links {
            // A failure is ignored, because the link's target may no longer exist.
            let _ = self.beads.link(&id, &link.id, link.kind.as_str(), actor);
        }
        Ok(())
    }

    /// Stores new rows of the file as beads in one run of the program; `false` if the tracker does not support this.
    pub(crate) fn import_new(
        &self,
        rows: &[Map<String, Value>],
        actor: &Actor,
    ) -> Result<bool, TrackerError> {
        let new = rows.iter().filter_map(|row| Some((from_row(row)?.key, row)));
        let new: Vec<NewPinned> = new.map(|(key, row)| self.new_pinned(key, row.clone())).collect();
        self.beads.make_many(&new, actor)
    }

    fn new_pinned(&self, key: String, mut row: Map<String, Value>) -> NewPinned {
        row.insert("id".to_owned(), json!(memory_id(&self.beads.prefix(), &key)));
        let text = memory::content_of(&row).to_owned();
        if !self.beads.takes_text(&text) {
            return NewPinned { row, text: None };
        }
        if let Some(Value::Object(metadata)) = row.get_mut("metadata") {
            metadata.insert(HASH.to_owned(), json!(hash_of(&text)));
        }
        NewPinned { row, text: Some((key, text)) }
    }

    pub(crate) fn forget(&self, entry: &MemoryEntry, actor: &Actor) -> Result<(), TrackerError> {
        self.beads.drop_text(&entry.key)?;
        match is_only_text(entry) {
            true => Ok(()),
            false => self.beads.set_closed(&entry.id, Some("forgotten"), actor),
        }
    }

    pub(crate) fn restore(
        &self,
        entry: &MemoryEntry,
        content: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        if self.beads.takes_text(content) {
            self.beads.put_text(&entry.key, content)?;
        }
        self.beads.set_closed(&entry.id, None, actor)
    }

    pub(crate) fn note(
        &self,
        entry: &MemoryEntry,
        metadata: &Map<String, Value>,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        match is_only_text(entry) {
            true => Ok(()),
            false => self.beads.note(&entry.id, metadata, actor),
        }
    }
}

/// Whether a memory is only one of bd's own memories, without a bead that can be changed.
pub(crate) fn is_only_text(entry: &MemoryEntry) -> bool {
    entry.metadata.get("source").and_then(Value::as_str) == Some("bd remember") && entry.created_at.is_none()
}

fn pinned(id: BeadId, row: &Map<String, Value>) -> PinnedBead {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let labels = row.get("labels").and_then(Value::as_array).into_iter().flatten();
    PinnedBead {
        id,
        title: text("title"),
        description: text("description"),
        issue_type: text("issue_type"),
        priority: row.get("priority").and_then(Value::as_u64).and_then(|n| u8::try_from(n).ok()).unwrap_or(2),
        labels: labels.filter_map(Value::as_str).map(str::to_owned).collect(),
        assignee: Some(text("assignee")).filter(|name| !name.is_empty()),
        metadata: row.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default(),
    }
}

/// A short hash of a string (FNV-1a), only for comparison, not for security.
fn hash_of(text: &str) -> String {
    let hash = text
        .trim_end()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}
