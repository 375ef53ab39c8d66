//! Starts the link of a session at a place: for a new run, or to reconnect to a host that is still running at
//! the place.

use super::origin::RecordedOrigin;
use crate::{
    context::{
        Context,
        errors::{chain, git_error},
    },
    hooks, hosts, places, worktrees,
};
use bc_core::session::Meta;
use bc_hooks::HookCopies;
use bc_host::{LaunchError, LaunchSpec, Launched};
use bc_remote::{CheckpointId, DoltServer, LinkSpec, NewRun, PlaceAccess};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode};
use std::path::PathBuf;

pub(super) fn new_run(ctx: &Context, spec: LaunchSpec, meta: &Meta) -> NewRun {
    let repo = ctx.project.repo();
    // If git on this machine has no author, git at the place asks the agent to set one.
    let author = repo.and_then(|repo| repo.git().author(repo.top_level()).map_err(git_error));
    let stores = ctx.store.session(meta.id).recovery().unwrap_or_default();
    let setup = worktrees::setup_at_place(ctx, &spec.cwd);
    let hooks = HookCopies::of(&hooks::places(&ctx.project));
    let author = author.ok().flatten();
    let dolt_server = dolt_server(ctx, meta);
    let checkpoint = forked_from(ctx, meta);
    NewRun { spec, meta: meta.clone(), stores, setup, hooks, author, dolt_server, checkpoint }
}

/// The checkpoint from which the session was forked, until the session has messages.
fn forked_from(ctx: &Context, meta: &Meta) -> Option<CheckpointId> {
    let from = RecordedOrigin::of(meta).filter(|_| meta.message_count == 0)?;
    let found = ctx.project.repo().ok()?.checkpoint(from.session, from.checkpoint).ok()??;
    Some(CheckpointId { session: from.session, number: found.number })
}

/// The Dolt server with the project's beads, if the settings of the session's place name its address.
fn dolt_server(ctx: &Context, meta: &Meta) -> Option<DoltServer> {
    let place = places::get(meta.place.as_deref()?).ok()?;
    let (host, port) = places::dolt_server_address(&place.dolt_server?)?;
    let found = bc_beads::served_database(&ctx.project.root, &ctx.project.environment()).ok()??;
    let bc_beads::ServedDatabase { name, user, project_id, tls } = found;
    Some(DoltServer { host, port, database: name, user, project_id, tls })
}

/// Starts the link, which takes over the session's lock. `run` is `None` if the session's host already runs
/// at the place.
pub(super) fn launch(
    ctx: &Context,
    place: PlaceAccess,
    meta: &Meta,
    run: Option<NewRun>,
    lock: SessionLock,
) -> Result<Launched, LaunchError> {
    let spec = spec(ctx, place, meta, run).map_err(|error| LaunchError::Failed { reason: error.message })?;
    bc_remote::launch_link(&ctx.programs.console, &spec, lock)
}

/// The specification of this session's link. Without `run`, no host is started.
pub(super) fn spec(
    ctx: &Context,
    place: PlaceAccess,
    meta: &Meta,
    run: Option<NewRun>,
) -> Result<LinkSpec, ApiError> {
    let missing = |text: &str| ApiError::new(ErrorCode::SessionState, text);
    let branch = meta.branch.clone().ok_or_else(|| missing("the session has no branch"))?;
    let worktree = meta.cwd.clone().ok_or_else(|| missing("the session has no worktree"))?;
    Ok(LinkSpec {
        version: LinkSpec::VERSION,
        session: meta.id,
        project: meta.project_id.clone(),
        beads_dir: ctx.project.beads_dir.clone(),
        project_root: ctx.project.root.clone(),
        socket: hosts::expected_socket_path(meta.id)?,
        place: place.for_session(meta.id),
        branch,
        worktree: PathBuf::from(worktree),
        start: run.map(Box::new),
    })
}

/// Restarts a session's link after the link has exited. The session's host may still be running at the place.
pub(super) fn reconnect(ctx: &Context, meta: &Meta, lock: SessionLock) -> Result<(), ApiError> {
    let place = places::access(meta.place.as_deref().unwrap_or_default())?;
    let launched = launch(ctx, place, meta, None, lock);
    launched.map(drop).map_err(|error| ApiError::new(ErrorCode::HostUnreachable, chain(&error)))
}
