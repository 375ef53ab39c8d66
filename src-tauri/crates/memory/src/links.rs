//! Links between two memories, and from a memory to a bead. As in every tracker, a pair has at most one link in each
//! direction.

use crate::{
    MemoryProvider, ProviderError,
    provider::{Loaded, timestamp_after},
    tracker_backend::is_only_text,
};
use bc_core::{
    ids::BeadId,
    memory::{NewMemory, Relation},
};
use serde_json::{Value, json};

impl MemoryProvider {
    /// Links a memory to another memory or to a bead. `child` and `parent` are keys or ids.
    pub fn link_memories(&self, child: &str, parent: &str, kind: Relation) -> Result<(), ProviderError> {
        let loaded = self.adopted(child)?;
        let parent = match self.adopted(parent) {
            Ok(parent) => parent.entry.id,
            Err(error) => as_bead(error)?,
        };
        if parent == loaded.entry.id {
            return Err(ProviderError::LinkedToItself { key: child.to_owned() });
        }
        let mut edges = edges(&loaded);
        // A new link replaces an existing one to the same parent.
        edges.retain(|edge| !leads_to(edge, &parent));
        edges.push(json!({"issue_id": loaded.entry.id, "depends_on_id": parent, "type": kind.as_str(),
            "created_at": timestamp_after(None), "created_by": self.caller.actor.as_str(), "metadata": "{}"}));
        self.change(&loaded, json!({"dependencies": edges}), |backend, actor| {
            backend.beads.link(&loaded.entry.id, &parent, kind.as_str(), actor)
        })
    }

    /// Removes the links between two memories in both directions, or the link from a memory to a bead.
    pub fn unlink_memories(&self, one: &str, other: &str) -> Result<(), ProviderError> {
        let loaded = self.find(one)?;
        let (id, of_other) = match self.find(other) {
            Ok(other) => (other.entry.id.clone(), Some(other)),
            Err(error) => (as_bead(error)?, None),
        };
        let forward = self.remove_link(&loaded, &id)?;
        let backward = match &of_other {
            Some(other) => self.remove_link(other, &loaded.entry.id)?,
            None => false,
        };
        match forward || backward {
            true => Ok(()),
            false => Err(ProviderError::NotLinked { one: one.to_owned(), other: other.to_owned() }),
        }
    }

    /// Removes the link from a child to a parent. Returns whether the link existed.
    fn remove_link(&self, child: &Loaded, parent: &BeadId) -> Result<bool, ProviderError> {
        let mut edges = edges(child);
        let before = edges.len();
        edges.retain(|edge| !leads_to(edge, parent));
        if edges.len() == before {
            return Ok(false);
        }
        self.change(child, json!({"dependencies": edges}), |backend, actor| {
            backend.beads.unlink(&child.entry.id, parent, actor)
        })?;
        Ok(true)
    }

    /// Finds a memory that must be a bead. If it is only one of bd's own memories, it is stored as a bead first.
    fn adopted(&self, key: &str) -> Result<Loaded, ProviderError> {
        let loaded = self.find(key)?;
        if !is_only_text(&loaded.entry) {
            return Ok(loaded);
        }
        let entry = &loaded.entry;
        let new = NewMemory { key: Some(entry.key.clone()), ..NewMemory::learned("bd", loaded.content()) };
        self.store_memory(NewMemory { memory_type: Some(entry.memory_type), ..new })?;
        self.find(key)
    }
}

/// If no memory has the key, interprets the key as the id of a bead. The tracker checks that the bead exists;
/// the file cannot check this.
fn as_bead(error: ProviderError) -> Result<BeadId, ProviderError> {
    match error {
        ProviderError::NotFound { key } => key.parse().map_err(|_| ProviderError::NotFound { key }),
        error => Err(error),
    }
}

fn edges(of: &Loaded) -> Vec<Value> {
    of.row.get("dependencies").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Whether an edge leads to this parent. Some versions of trackers name the target only as `id`.
fn leads_to(edge: &Value, parent: &BeadId) -> bool {
    let end = ["depends_on_id", "id"].into_iter().find_map(|key| edge.get(key)?.as_str());
    end == Some(parent.as_str())
}
