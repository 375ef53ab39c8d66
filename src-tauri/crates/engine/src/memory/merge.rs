//! Merges several memories into one, and undoes a merge.
//!
//! The previous text is kept as a forgotten memory, and the metadata records the merge. Therefore, the merge
//! can be undone later, even in another clone.

use super::{
    asker::{provider_error, user_provider},
    read::show,
};
use crate::context::Context;
use bc_core::{
    Extra,
    ids::BeadId,
    memory::{self, Merged, NewMemory, OnBead},
    text::cut,
};
use bc_memory::{Loaded, MemoryProvider};
use bc_wire::{ApiError, ErrorCode, memory::*};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The metadata field that records a merge.
const MERGED: &str = "merged";
/// The suffix of the key under which the previous text is kept.
const BEFORE: &str = " (before a merge)";
/// The maximum length of the memory's own key before this suffix, in characters.
const KEY_PART: usize = 100;

/// The record of the last merge into a memory, with everything that its undo needs.
#[derive(Debug, Serialize, Deserialize)]
struct Merge {
    /// The key under which the previous text is kept.
    before: String,
    /// The keys of the other merged memories.
    others: Vec<String>,
    /// The links that the merge added.
    links: Vec<BeadId>,
}

/// Merges the memories into the first one. The result is stored before the others are forgotten, so a crash in
/// between leaves duplicates but loses nothing.
pub(crate) fn merge(ctx: &Context, params: &MemoryMergeParams) -> Result<MemoryShown, ApiError> {
    let mut keys: Vec<&String> = Vec::new();
    for key in &params.keys {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.len() < 2 {
        return Err(ApiError::new(ErrorCode::Usage, "at least two memories are required"));
    }
    let provider = user_provider(ctx);
    let found = find_all(&provider, keys.iter().map(|key| key.as_str()))?;
    let merged = merged(&found);
    let (first, others) = found.split_first().expect("at least two memories were found");
    let entry = &first.entry;
    let links: Vec<_> = merged.links.iter().filter(|link| !entry.links.contains(link)).collect();
    let before = format!("{}{BEFORE}", cut(&entry.key, KEY_PART));
    store(&provider, NewMemory { key: Some(before.clone()), ..copy(first) })?;
    provider.delete_memory(&before).map_err(provider_error)?;
    let record = Merge {
        before,
        others: others.iter().map(|other| other.entry.key.clone()).collect(),
        links: links.iter().map(|link| link.id.clone()).collect(),
    };
    store(
        &provider,
        NewMemory {
            content: merged.content,
            tags: Some(merged.tags),
            importance: Some(merged.importance),
            metadata: Extra::from_iter([(MERGED.to_owned(), json!(record))]),
            ..copy(first)
        },
    )?;
    for link in links {
        provider.link_memories(&entry.key, link.id.as_str(), link.kind).map_err(provider_error)?;
    }
    for other in others {
        provider.delete_memory(&other.entry.key).map_err(provider_error)?;
    }
    show(ctx, &entry.key)
}

/// Undoes the last merge: restores the previous text and the other memories. Fails if the text has changed
/// since the merge, because that change would be lost.
pub(crate) fn unmerge(ctx: &Context, params: &MemoryRef) -> Result<MemoryShown, ApiError> {
    let provider = user_provider(ctx);
    let first = provider.find(&params.key).map_err(provider_error)?;
    let merge = first.entry.metadata.get(MERGED).cloned().unwrap_or_default();
    let Ok(merge) = serde_json::from_value::<Merge>(merge) else {
        let text = format!("nothing was merged into {:?}", params.key);
        return Err(ApiError::new(ErrorCode::Usage, text));
    };
    let keys = std::iter::once(&merge.before).chain(&merge.others);
    let parts = find_all(&provider, keys.map(String::as_str))?;
    if merged(&parts).content.trim_end() != first.content().trim_end() {
        let text = format!("{:?} has changed since the merge, and the change would be lost", params.key);
        return Err(ApiError::new(ErrorCode::FileRefused, text)
            .hint("its earlier text is among the forgotten memories and can be restored"));
    }
    // Restore the other memories first, so that a crash in between leaves duplicates but loses nothing.
    for other in &merge.others {
        provider.restore_memory(other).map_err(provider_error)?;
    }
    let metadata = Extra::from_iter([(MERGED.to_owned(), Value::Null)]);
    store(&provider, NewMemory { key: Some(first.entry.key.clone()), metadata, ..copy(&parts[0]) })?;
    for link in &merge.links {
        // A failure is ignored, because the link may have been removed since.
        drop(provider.unlink_memories(&first.entry.key, link.as_str()));
    }
    show(ctx, &first.entry.key)
}

fn find_all<'a>(
    provider: &MemoryProvider,
    keys: impl Iterator<Item = &'a str>,
) -> Result<Vec<Loaded>, ApiError> {
    keys.map(|key| provider.find(key).map_err(provider_error)).collect()
}

fn merged(found: &[Loaded]) -> Merged {
    let parts: Vec<_> = found.iter().map(|loaded| (&loaded.entry, loaded.content())).collect();
    memory::merged(&parts)
}

fn store(provider: &MemoryProvider, new: NewMemory) -> Result<(), ApiError> {
    provider.store_memory(new).map_err(provider_error).map(drop)
}

fn copy(of: &Loaded) -> NewMemory {
    let entry = &of.entry;
    NewMemory {
        key: Some(entry.key.clone()),
        agent_id: entry.agent_id.clone().unwrap_or_else(|| "bd".to_owned()),
        title: Some(entry.title.clone()),
        content: of.content().to_owned(),
        memory_type: Some(entry.memory_type),
        metadata: Extra::new(),
        tags: Some(entry.tags.clone()),
        importance: Some(entry.importance),
        bead: OnBead::known(entry.bead_id.clone()),
    }
}
