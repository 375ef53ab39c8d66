//! The commands that list, search and show memories, and propose new ones. Also reads all memories for a
//! backup.

use super::asker::{everything, known_keys, provider_error, storage, user_provider};
use crate::context::{Context, count, errors::store_error};
use bc_core::{
    backup::Record,
    memory::{self, Filter, MemoryEntry},
};
use bc_memory::{Loaded, MemoryProvider, Retrieved};
use bc_wire::{ApiError, memory::*, session::SessionRef};
use std::collections::{BTreeSet, HashSet};

/// The default number of results of a search.
const FOUND: usize = 10;
/// The maximum number of pending memories that a list moves from the file into the tracker.
const MIGRATED_AT_ONCE: usize = 10;
/// The number of recent sessions searched for uses of a memory.
const SESSIONS_SEARCHED: usize = 200;

fn filter(params: &MemoryListParams) -> Filter {
    Filter {
        agent_id: params.agent.clone(),
        memory_type: params.memory_type,
        tags: params.tags.clone(),
        session_id: params.session.clone(),
        limit: None,
        forgotten: params.forgotten,
    }
}

pub(crate) fn list(ctx: &Context, params: &MemoryListParams) -> Result<MemoryList, ApiError> {
    let provider = user_provider(ctx);
    let everything = Filter { forgotten: params.forgotten, ..Filter::default() };
    let Retrieved { memories, warnings } = provider.retrieve_memories(&everything).map_err(provider_error)?;
    if warnings.is_empty() {
        // The tracker answers, so move pending memories into it. If a move fails, the memory stays pending.
        let _ = provider.migrate_pending(MIGRATED_AT_ONCE);
    }
    let texts: Vec<(&MemoryEntry, &str)> =
        memories.iter().filter(|m| !m.entry.forgotten).map(|m| (&m.entry, m.content())).collect();
    let groups = memory::duplicates(&texts);
    let duplicates =
        groups.iter().map(|group| group.iter().map(|&at| texts[at].0.key.clone()).collect()).collect();
    let facets = facets(&memories);
    let filter = filter(params);
    let mut entries: Vec<MemoryEntry> = memories.into_iter().map(|loaded| loaded.entry).collect();
    entries.retain(|entry| filter.lets_through(entry) && is_on(entry, params));
    let total = count(entries.len());
    entries.truncate(params.limit.map_or(usize::MAX, |limit| limit as usize));
    Ok(MemoryList {
        memories: entries,
        total,
        kept_in: storage(provider.kept_in()),
        facets,
        duplicates,
        warnings,
    })
}

pub(crate) fn search(ctx: &Context, params: &MemorySearchParams) -> Result<MemoryList, ApiError> {
    let provider = user_provider(ctx);
    let found = provider.search_memories(&params.query, &filter(&params.filter)).map_err(provider_error)?;
    let Retrieved { memories, warnings } = found;
    let facets = facets(&memories);
    let words = memory::words(&params.query);
    let mut memories: Vec<Loaded> =
        memories.into_iter().filter(|loaded| is_on(&loaded.entry, &params.filter)).collect();
    // Memories with more of the words in their key, title or tags come first. The sort is stable.
    memories.sort_by_key(|loaded| std::cmp::Reverse(in_names(&loaded.entry, &words)));
    let total = count(memories.len());
    let limit = params.filter.limit.map_or(FOUND, |limit| limit as usize);
    let memories = memories.into_iter().take(limit).map(|loaded| loaded.entry).collect();
    Ok(MemoryList {
        memories,
        total,
        kept_in: storage(provider.kept_in()),
        facets,
        duplicates: Vec::new(),
        warnings,
    })
}

fn in_names(memory: &MemoryEntry, words: &[String]) -> usize {
    let names = format!("{} {} {}", memory.key, memory.title, memory.tags.join(" ")).to_lowercase();
    words.iter().filter(|word| names.contains(word.as_str())).count()
}

fn is_on(memory: &MemoryEntry, params: &MemoryListParams) -> bool {
    params.bead.is_none() || params.bead == memory.bead_id
}

fn facets(memories: &[Loaded]) -> MemoryFacets {
    let (mut agents, mut tags) = (BTreeSet::new(), BTreeSet::new());
    let mut sessions: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for Loaded { entry, .. } in memories {
        agents.extend(entry.agent_id.clone());
        tags.extend(entry.tags.iter().cloned());
        if let Some(session) = entry.session_id.as_ref().filter(|session| seen.insert(session.as_str())) {
            sessions.push(session.clone());
        }
    }
    MemoryFacets { agents: agents.into_iter().collect(), sessions, tags: tags.into_iter().collect() }
}

/// All memories with all fields, including forgotten ones, for a backup. If the tracker fails, the memories
/// from its last answer are used.
///
/// # Errors
/// The memory file cannot be read.
pub(crate) fn rows(ctx: &Context) -> Result<Vec<Record>, ApiError> {
    let found = user_provider(ctx).retrieve_memories(&everything()).map_err(provider_error)?;
    Ok(found.memories.iter().map(|loaded| loaded.row().clone()).collect())
}

/// The memory with this key, without recording an access.
pub(super) fn show(ctx: &Context, key: &str) -> Result<MemoryShown, ApiError> {
    get(ctx, &MemoryGetParams { key: key.to_owned(), used: false })
}

pub(crate) fn get(ctx: &Context, params: &MemoryGetParams) -> Result<MemoryShown, ApiError> {
    let provider = user_provider(ctx);
    let found = provider.find(&params.key).map_err(provider_error)?;
    if params.used {
        // If the access cannot be recorded, show the text anyway.
        let _ = provider.mark_memory_accessed(&found.entry.key);
    }
    shown(ctx, &provider, found)
}

/// The memory with its linked memories and its uses.
pub(super) fn shown(
    ctx: &Context,
    provider: &MemoryProvider,
    loaded: Loaded,
) -> Result<MemoryShown, ApiError> {
    let all = provider.retrieve_memories(&Filter::default()).map_err(provider_error)?;
    let memory = loaded.whole();
    let mut linked = Vec::new();
    for other in all.memories.iter().map(|loaded| &loaded.entry) {
        let link = |kind, is_child| LinkedMemory {
            id: other.id.clone(),
            key: other.key.clone(),
            title: other.title.clone(),
            kind,
            is_child,
        };
        linked.extend(memory.links.iter().filter(|l| l.id == other.id).map(|l| link(l.kind, false)));
        linked.extend(other.links.iter().filter(|l| l.id == memory.id).map(|l| link(l.kind, true)));
    }
    let uses = uses(ctx, &memory.key)?;
    Ok(MemoryShown { memory, linked, uses, warnings: all.warnings })
}

/// The times at which recent sessions got the memory in their context, latest first.
fn uses(ctx: &Context, key: &str) -> Result<Vec<MemoryUse>, ApiError> {
    let mut metas = ctx.metas()?;
    metas.sort_by_key(|meta| std::cmp::Reverse(meta.last_activated_at.unwrap_or(meta.created_at)));
    let mark = memory::mark_in_text(key);
    let mut uses = Vec::new();
    for meta in metas.iter().take(SESSIONS_SEARCHED) {
        // An unreadable session does not affect the others.
        let Ok(read) = ctx.store.session(meta.id).injections() else { continue };
        let with_memory = read.injections.into_iter().filter(|injection| {
            injection.source == bc_host::MEMORIES_SOURCE && injection.text.contains(&mark)
        });
        uses.extend(with_memory.map(|injection| MemoryUse {
            session_id: meta.id,
            at: injection.at,
            reason: injection.reason,
        }));
    }
    uses.sort_by_key(|used| std::cmp::Reverse(used.at));
    Ok(uses)
}

/// The memories that a session's transcript suggests, except stored and forgotten memories.
pub(crate) fn proposals(ctx: &Context, params: &SessionRef) -> Result<Proposals, ApiError> {
    let dir = ctx.store.session(params.id);
    dir.meta().map_err(store_error)?;
    let transcript = dir.transcript().map_err(store_error)?;
    let known = known_keys(&user_provider(ctx))?;
    Ok(Proposals { proposals: memory::proposals(&transcript.messages, &known) })
}
