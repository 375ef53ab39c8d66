//! Writing memories.

use super::{
    Asker,
    asked::{get, shown},
    place, provider_error, provider_of,
};
use crate::engine::Engine;
use bc_core::memory::{self, Filter, NewMemory, Relation};
use bc_memory::{Action, MemoryProvider};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode, memory::*};
use serde_json::json;
use std::collections::HashSet;

/// How many memories that wait in the file are moved into the tracker along with a new one: each costs the
/// tracker's program some tenths of a second.
const SETTLED_AT_ONCE: usize = 3;
/// How much of a Markdown file is read.
const IMPORT_MAX: usize = 4 << 20;

pub(crate) fn save(engine: &Engine, params: MemorySaveParams) -> Result<MemorySaved, ApiError> {
    if !params.anyway {
        refuse_secrets(&params.content)?;
    }
    let asker = Asker::named(&engine.project, params.session.as_deref());
    let new = NewMemory {
        key: params.key,
        agent_id: params.agent.unwrap_or(asker.agent),
        title: params.title,
        content: params.content,
        memory_type: params.memory_type,
        metadata: params.metadata,
        tags: params.tags,
        importance: params.importance,
        bead_id: params.bead.or(asker.bead),
    };
    let provider = provider_of(engine, asker.caller);
    let stored = provider.store_memory(new).map_err(provider_error)?;
    if stored.warning.is_none() {
        // What cannot be moved now waits on.
        let _ = provider.settle(SETTLED_AT_ONCE);
    }
    Ok(MemorySaved {
        id: stored.id,
        key: stored.key,
        action: match stored.action {
            Action::Remembered => MemoryAction::Remembered,
            Action::Updated => MemoryAction::Updated,
        },
        kept_in: place(stored.kept_in),
        warnings: stored.warning.into_iter().collect(),
    })
}

/// A secret that is remembered is told to every agent and travels with the tracker.
fn refuse_secrets(text: &str) -> Result<(), ApiError> {
    let (struck, found) = bc_redact::strike_text(text);
    if found == 0 {
        return Ok(());
    }
    let mut kinds: Vec<&str> =
        struck.split("[removed: ").skip(1).filter_map(|rest| rest.split(']').next()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let what = if found == 1 { "a secret" } else { "secrets" };
    let text = format!("the text seems to hold {what} ({}), and was not stored", kinds.join(", "));
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, text).hint(
        "leave it out, or store it with --anyway: every agent is told it, and it travels with the tracker",
    ))
}

fn writing(engine: &Engine) -> MemoryProvider {
    provider_of(engine, Asker::named(&engine.project, None).caller)
}

pub(crate) fn link(engine: &Engine, params: &MemoryLinkParams) -> Result<MemoryShown, ApiError> {
    let kind = params.kind.unwrap_or(Relation::Related);
    writing(engine).link_memories(&params.child, &params.parent, kind).map_err(provider_error)?;
    get(engine, &MemoryGetParams { key: params.child.clone(), used: false })
}

/// The first one is stored with what the others add before those are forgotten: a crash in between leaves
/// something twice, and nothing out.
pub(crate) fn merge(engine: &Engine, params: &MemoryMergeParams) -> Result<MemoryShown, ApiError> {
    let mut keys: Vec<&String> = Vec::new();
    for key in &params.keys {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.len() < 2 {
        return Err(ApiError::new(ErrorCode::Usage, "two memories or more are wanted"));
    }
    let provider = writing(engine);
    let found: Result<Vec<_>, _> = keys.iter().map(|key| provider.find(key)).collect();
    let found = found.map_err(provider_error)?;
    let parts: Vec<_> = found.iter().map(|loaded| (&loaded.entry, loaded.content())).collect();
    let one = memory::merged(&parts);
    let first = &found[0].entry;
    let new = NewMemory {
        key: Some(first.key.clone()),
        title: Some(first.title.clone()),
        tags: Some(one.tags),
        importance: Some(one.importance),
        ..NewMemory::learned(first.agent_id.clone().unwrap_or_default(), one.content)
    };
    let new = match new.agent_id.is_empty() {
        true => NewMemory { agent_id: Asker::named(&engine.project, None).agent, ..new },
        false => new,
    };
    provider.store_memory(new).map_err(provider_error)?;
    for link in one.links.iter().filter(|link| !first.links.contains(link)) {
        provider.link_memories(&first.key, link.id.as_str(), link.kind).map_err(provider_error)?;
    }
    for other in &found[1..] {
        provider.delete_memory(&other.entry.key).map_err(provider_error)?;
    }
    get(engine, &MemoryGetParams { key: first.key.clone(), used: false })
}

pub(crate) fn forget(engine: &Engine, params: &MemoryRef) -> Result<MemoryShown, ApiError> {
    let provider = writing(engine);
    let mut gone = provider.delete_memory(&params.key).map_err(provider_error)?;
    gone.entry.forgotten = true;
    shown(engine, &provider, gone)
}

pub(crate) fn restore(engine: &Engine, params: &MemoryRef) -> Result<MemoryShown, ApiError> {
    let provider = writing(engine);
    let back = provider.restore_memory(&params.key).map_err(provider_error)?;
    shown(engine, &provider, back)
}

/// Every point of a Markdown file as a memory; one that is known already, or was forgotten, is left alone, so
/// that the same file twice changes nothing.
pub(crate) fn import(engine: &Engine, params: &MemoryImportParams) -> Result<MemoryImported, ApiError> {
    let name = params.path.as_deref().unwrap_or("MEMORY.md");
    let path = engine.project.root.join(name);
    let bytes = file::read(&path)
        .map_err(crate::errors::file_error)?
        .ok_or_else(|| ApiError::new(ErrorCode::Usage, format!("there is no {}", path.display())))?;
    if bytes.len() > IMPORT_MAX {
        let text = format!("{} has {} bytes, and at most {IMPORT_MAX} are read", path.display(), bytes.len());
        return Err(ApiError::new(ErrorCode::TextTooLarge, text));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        ApiError::new(ErrorCode::Usage, format!("{} is not text: UTF-8 is wanted", path.display()))
    })?;
    if !params.anyway {
        refuse_secrets(&text)?;
    }
    let asker = Asker::named(&engine.project, None);
    let provider = provider_of(engine, asker.caller);
    let everything = Filter { forgotten: true, ..Filter::default() };
    let there = provider.retrieve_memories(&everything).map_err(provider_error)?;
    let mut there: HashSet<String> = there.memories.into_iter().map(|loaded| loaded.entry.key).collect();
    let mut imported = MemoryImported { keys: Vec::new(), known: 0, warnings: Vec::new() };
    for item in memory::from_markdown(&text) {
        let key = memory::derived_key(&item.text);
        if !there.insert(key.clone()) {
            imported.known += 1;
            continue;
        }
        let mut new = NewMemory { key: Some(key), ..NewMemory::learned(asker.agent.clone(), item.text) };
        new.memory_type = Some(memory::MemoryType::Context);
        new.tags = item.section.as_deref().map(section_tag).map(|tag| vec![tag]);
        new.metadata.insert("imported_from".to_owned(), json!(name));
        let stored = provider.store_memory(new).map_err(provider_error)?;
        imported.keys.push(stored.key);
        if let Some(warning) = stored.warning.filter(|warning| !imported.warnings.contains(warning)) {
            imported.warnings.push(warning);
        }
    }
    Ok(imported)
}

/// A heading as a tag: without what separates labels.
fn section_tag(section: &str) -> String {
    let tag: String = section.chars().map(|c| if c == ',' || c == ':' { ' ' } else { c }).collect();
    bc_core::text::cut(&bc_core::text::one_line(&tag), 60)
}
