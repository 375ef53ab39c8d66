//! Recovery blocks for users and scripts, and the log of the text injected into a session.

use super::sources::{Sources, Tracked};
use crate::context::{
    Context,
    errors::{chain, store_error},
    now,
};
use bc_core::{
    ids::BeadId,
    recovery::{Facts, block, static_prime},
    session::Meta,
};
use bc_wire::{ApiError, ErrorCode, recovery::*, session::SessionRef};
use std::path::{Path, PathBuf};

/// The block for the named bead, else for the given session's bead. If neither is given, the block for the
/// user's latest bead in progress. Without a bead, the prime text.
pub(crate) fn show(ctx: &Context, params: &RecoveryParams) -> Result<RecoveryBlock, ApiError> {
    block_with_facts(ctx, params).map(|(block, _)| block)
}

/// Like [`show`], with the facts from which the block was built.
pub(crate) fn block_with_facts(
    ctx: &Context,
    params: &RecoveryParams,
) -> Result<(RecoveryBlock, Option<Facts>), ApiError> {
    let meta = params.session.map(|id| ctx.meta(id)).transpose()?;
    let sources = Tracked::of(ctx, folder(ctx, params, meta.as_ref()));
    // The caller can name a folder outside the session's folder, with files on this machine.
    let is_own = |own: &str| params.cwd.as_ref().is_none_or(|cwd| Path::new(cwd).starts_with(own));
    let sources = match &meta {
        Some(meta) if meta.cwd.as_deref().is_some_and(is_own) => sources.for_session(meta),
        _ => sources,
    };
    let commands = sources.commands();
    let (bead, because) = bead(ctx, &sources, params)?;
    let mut facts = None;
    let text = match &bead {
        None => static_prime(&commands),
        Some(id) => {
            let Some(detail) = sources.show(id)? else {
                return Err(ApiError::new(ErrorCode::BeadNotFound, format!("bead {id} does not exist"))
                    .hint("`beads-console bead list` lists the beads"));
            };
            // If git fails, report no uncommitted files.
            let files = sources.uncommitted().unwrap_or_default();
            block(facts.insert(Facts::from(&detail)), &files, &commands, now())
        }
    };
    Ok((RecoveryBlock { bytes: text.len() as u64, text, bead_id: bead, because }, facts))
}

/// The prime text, used if the block cannot be built.
pub(crate) fn without_bead(ctx: &Context) -> RecoveryBlock {
    let text = static_prime(&Tracked::of(ctx, ctx.project.root.clone()).commands());
    RecoveryBlock { bytes: text.len() as u64, text, bead_id: None, because: Because::Nothing }
}

/// The folder whose uncommitted files are listed: the caller's, else the session's, else the project's root.
fn folder(ctx: &Context, params: &RecoveryParams, meta: Option<&Meta>) -> PathBuf {
    let cwd = params.cwd.clone().or_else(|| meta?.cwd.clone()).map(PathBuf::from);
    cwd.filter(|cwd| cwd.is_dir()).unwrap_or_else(|| ctx.project.root.clone())
}

fn bead(
    ctx: &Context,
    sources: &Tracked<'_>,
    params: &RecoveryParams,
) -> Result<(Option<BeadId>, Because), ApiError> {
    if let Some(bead) = &params.bead {
        return Ok((Some(bead.clone()), Because::Named));
    }
    if let Some(id) = params.session {
        let dir = ctx.store.session(id);
        let meta = dir.meta().map_err(store_error)?;
        let known = dir.recovery_path();
        // A session of an earlier version has no stores, so use the bead in its record.
        let bead = match Path::new(&known).exists() {
            true => dir.recovery().map_err(store_error)?.current_bead,
            false => meta.bead_id,
        };
        return Ok((bead, Because::Session));
    }
    let mine = ctx.user_actor();
    let latest = sources.tracker()?.in_progress(None).map_err(crate::context::errors::tracker_error)?;
    let latest =
        latest.into_iter().find(|bead| bead.assignee.as_deref().is_some_and(|by| mine.is_person(by)));
    Ok(latest.map_or((None, Because::Nothing), |bead| (Some(bead.id), Because::Latest)))
}

pub(crate) fn injections(ctx: &Context, params: &SessionRef) -> Result<Injections, ApiError> {
    let dir = ctx.store.session(params.id);
    dir.meta().map_err(store_error)?;
    let read = dir.injections().map_err(store_error)?;
    let warnings = read.problems.iter().map(|problem| chain(problem)).collect();
    Ok(Injections { injections: read.injections, warnings })
}
