//! The commands that store, link, forget and restore memories.

use super::{
    asker::{Asker, provider_error, provider_of, storage, user_provider},
    read::{show, shown},
};
use crate::context::Context;
use bc_core::{
    backup::Record,
    memory::{NewMemory, OnBead, Relation},
};
use bc_memory::Action;
use bc_wire::{ApiError, ErrorCode, memory::*};

/// The maximum number of pending memories that are moved from the file into the tracker when a new memory is
/// stored. Each move takes the tracker's program a few tenths of a second.
const MIGRATED_AT_ONCE: usize = 3;

pub(crate) fn save(ctx: &Context, params: MemorySaveParams) -> Result<MemorySaved, ApiError> {
    if !params.anyway {
        refuse_secrets(&params.content)?;
    }
    let asker = Asker::of_command(ctx, params.session.as_deref());
    let bead = match (params.bead, params.no_bead) {
        (Some(_), true) => {
            let text = "a bead and the absence of a bead were given together";
            return Err(ApiError::new(ErrorCode::Usage, text));
        }
        (None, true) => OnBead::None,
        (bead, false) => OnBead::known(bead.or(asker.bead)),
    };
    let new = NewMemory {
        key: params.key,
        agent_id: params.agent.unwrap_or(asker.agent),
        title: params.title,
        content: params.content,
        memory_type: params.memory_type,
        metadata: params.metadata,
        tags: params.tags,
        importance: params.importance,
        bead,
    };
    let provider = provider_of(ctx, asker.caller);
    let stored = provider.store_memory(new).map_err(provider_error)?;
    if stored.warning.is_none() {
        // If a move fails, the memory stays pending.
        let _ = provider.migrate_pending(MIGRATED_AT_ONCE);
    }
    Ok(MemorySaved {
        id: stored.id,
        key: stored.key,
        action: match stored.action {
            Action::Remembered => MemoryAction::Remembered,
            Action::Updated => MemoryAction::Updated,
        },
        kept_in: storage(stored.kept_in),
        warnings: stored.warning.into_iter().collect(),
    })
}

/// The kinds of secrets that the text seems to contain.
pub(super) fn secrets(text: &str) -> Vec<String> {
    let (redacted, _) = bc_redact::redact_text(text);
    let kinds = redacted.split("[removed: ").skip(1).filter_map(|rest| rest.split(']').next());
    let mut kinds: Vec<String> = kinds.map(str::to_owned).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Fails if the text seems to contain secrets, because all agents read the memories and the tracker shares
/// them.
pub(super) fn refuse_secrets(text: &str) -> Result<(), ApiError> {
    let (_, found) = bc_redact::redact_text(text);
    if found == 0 {
        return Ok(());
    }
    let kinds = secrets(text);
    let what = if found == 1 { "a secret" } else { "secrets" };
    let text = format!("the text seems to contain {what} ({}) and was not stored", kinds.join(", "));
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
        .hint("remove it, or store it with --anyway: all agents read it, and it is shared with the tracker"))
}

pub(crate) fn link(ctx: &Context, params: &MemoryLinkParams) -> Result<MemoryShown, ApiError> {
    let kind = params.kind.unwrap_or(Relation::Related);
    user_provider(ctx).link_memories(&params.child, &params.parent, kind).map_err(provider_error)?;
    show(ctx, &params.child)
}

pub(crate) fn unlink(ctx: &Context, params: &MemoryUnlinkParams) -> Result<MemoryShown, ApiError> {
    user_provider(ctx).unlink_memories(&params.key, &params.other).map_err(provider_error)?;
    show(ctx, &params.key)
}

pub(crate) fn forget(ctx: &Context, params: &MemoryRef) -> Result<MemoryShown, ApiError> {
    let provider = user_provider(ctx);
    let mut deleted = provider.delete_memory(&params.key).map_err(provider_error)?;
    deleted.entry.forgotten = true;
    shown(ctx, &provider, deleted)
}

pub(crate) fn restore(ctx: &Context, params: &MemoryRef) -> Result<MemoryShown, ApiError> {
    let provider = user_provider(ctx);
    let restored = provider.restore_memory(&params.key).map_err(provider_error)?;
    shown(ctx, &provider, restored)
}

/// Stores the rows of a backup with their keys and sessions. br does not keep their times.
pub(crate) fn restore_rows(ctx: &Context, rows: &[Record]) -> Result<(), ApiError> {
    user_provider(ctx).restore(rows).map_err(provider_error)
}
