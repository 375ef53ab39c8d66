//! The sessions' recovery data: at a launch, for a host's helper request, and after a change to a bead.

use super::{
    ledger::Ledger,
    sources::{Sources, Tracked},
};
use crate::{
    context::{Context, Project, errors::chain, now},
    hosts, memory, settings,
};
use bc_beads::{Environment, ListFilter};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::{BeadId, SessionId},
    recovery::{Facts, Known, Stores},
    session::{Meta, Status},
};
use bc_host::{
    Client, ContextPiece, HELPER_VERSION, HelperReport, HelperRequest, HelperTask, MEMORIES_SOURCE,
    RECOVERY_SOURCE, ReminderSettings,
};
use bc_store::{SessionLock, SessionStore};
use bc_wire::{ApiError, ErrorCode};

use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

/// The time limit for each run of the tracker's program while claude waits for the block. The host waits
/// equally long for the whole report, and then uses the last block.
const BLOCK_TIMEOUT: Duration = Duration::from_secs(4);

/// The time budget for block and memories together: the memories get the time that the block leaves.
const CONTEXT_TIMEOUT: Duration = Duration::from_millis(3_500);
/// The maximum number of tracker queries for memories.
const MEMORY_QUERIES: u32 = 2;

/// Answers a helper request from a session's host.
///
/// # Errors
/// The request's version is not supported, or the project does not exist.
pub fn run_helper_request(request: HelperRequest) -> Result<HelperReport, ApiError> {
    if request.version != HELPER_VERSION {
        let text = format!(
            "unsupported helper request version {}; this program supports {HELPER_VERSION}",
            request.version
        );
        return Err(ApiError::new(ErrorCode::Internal, text)
            .hint("the program was replaced under a running session: pause and resume the session"));
    }
    let start = Instant::now();
    let project = Project::find(&request.project_root)?;
    bc_log::set_session(&request.session.to_string());
    bc_log::set_project(&project.root);
    let mut environment = project.environment();
    if request.task == HelperTask::Block {
        environment.timeout = BLOCK_TIMEOUT;
    }
    let sources = Tracked::new(&project, environment.clone(), request.cwd.clone());
    let sources = match SessionStore::at(&project.beads_dir).session(request.session).meta() {
        Ok(meta) => sources.for_session(&meta),
        // Without a record, the session's files count as local.
        Err(_) => sources,
    };
    let in_force = settings::in_force(&project);
    let remind_after = u64::from(in_force.remind_after_turns);
    let before = request.stores.known.clone();
    let mut ledger =
        Ledger::new(&sources, request.session, request.actor.as_deref(), in_force, request.stores);
    let mut memories = None;
    match request.task {
        HelperTask::Block => {
            ledger.renew_block(now());
            let facts = current_facts(ledger.stores());
            // Memories must not delay the block: if the tracker is slow, the host uses the last known memories.
            let left = CONTEXT_TIMEOUT.saturating_sub(start.elapsed());
            let timeout = (left / MEMORY_QUERIES).max(Duration::from_millis(1));
            let environment = Environment { timeout, ..environment };
            memories = memory::for_agent(&project, environment, request.session, facts).ok();
        }
        HelperTask::CheckBeads => ledger.check(),
        HelperTask::Checkpoint { last } => ledger.add_progress_comment(&last),
    }
    let bead_status =
        request.bead.and_then(|bead| moved_on(&sources, &bead, before.as_ref(), ledger.stores()));
    let reminders = ReminderSettings { commands: sources.commands(), remind_after };
    let (changes, problems) = ledger.into_changes();
    Ok(HelperReport {
        version: HELPER_VERSION,
        changes,
        reminders: Some(reminders),
        bead_status,
        problems,
        memories,
    })
}

/// The status of a session's own bead, if the tracker changed and the session no longer has the bead in
/// progress; otherwise `None`.
fn moved_on(
    sources: &dyn Sources,
    bead: &BeadId,
    before: Option<&Known>,
    after: &Stores,
) -> Option<BeadStatus> {
    let known = after.known.as_ref()?;
    let changed = known.mark.is_empty() || before.is_none_or(|before| before.mark != known.mark);
    if !changed || known.in_progress.contains(bead) {
        return None;
    }
    // If the query fails, the next change triggers another query.
    sources.show(bead).ok().flatten().map(|detail| detail.bead.status)
}

/// Facts about a new session that its start has already gathered, to save queries.
#[derive(Debug, Default)]
pub(crate) struct StartFacts {
    /// The stores for its bead ([`claimed`]); `None` to use the saved stores.
    pub(crate) stores: Option<Stores>,
    /// Whether its folder was just created and contains only committed files.
    pub(crate) untouched: bool,
}

/// The stores of a new session that has just claimed its bead. `before` is the bead before the claim.
pub(crate) fn claimed(ctx: &Context, before: &BeadDetail) -> Stores {
    claimed_with(before, mark(ctx))
}

/// The tracker's mark, which differs after every change; `None` if the tracker has no mark or fails.
pub(crate) fn mark(ctx: &Context) -> Option<String> {
    bc_beads::change_mark(&ctx.project.root, &ctx.project.environment()).ok().flatten()
}

/// Like [`claimed`], with the tracker's mark after the claim.
pub(crate) fn claimed_with(before: &BeadDetail, mark: Option<String>) -> Stores {
    let mut stores = Stores::default();
    let id = &before.bead.id;
    stores.claim(id);
    if let Some(mark) = mark {
        let facts = Facts { status: BeadStatus::InProgress, ..Facts::from(before) };
        stores.known =
            Some(Known { mark, in_progress: [id.clone()].into(), facts: Some(facts), comments: 0 });
    }
    stores
}

/// The stored facts about the session's current bead; `None` if they are about another bead.
fn current_facts(stores: &Stores) -> Option<&Facts> {
    let facts = stores.known.as_ref()?.facts.as_ref()?;
    (stores.current_bead.as_ref() == Some(&facts.id)).then_some(facts)
}

/// The recovery block and the memories, which are the first context pieces of a session at its launch.
pub(crate) fn at_launch(
    ctx: &Context,
    lock: &SessionLock,
    meta: &Meta,
    facts_of_start: StartFacts,
    warnings: &mut Vec<String>,
) -> Vec<ContextPiece> {
    // Damaged stores are replaced by empty stores, so that they do not prevent the launch.
    let stores = facts_of_start.stores.unwrap_or_else(|| lock.recovery().unwrap_or_default());
    let cwd = meta.cwd.as_deref().map_or(ctx.project.root.as_path(), Path::new);
    let mut sources = Tracked::of(ctx, cwd.to_owned()).for_session(meta);
    sources.untouched = facts_of_start.untouched;
    let mut ledger = ledger(ctx, &sources, meta, stores);
    ledger.renew_block(now());
    let text = ledger.stores().last_block.clone();
    let text = text.unwrap_or_else(|| bc_core::recovery::static_prime(&sources.commands()));
    let facts = current_facts(ledger.stores());
    let memories = memory::for_agent(&ctx.project, ctx.project.environment(), meta.id, facts);
    let memories = memories.unwrap_or_else(|error| {
        warnings.push(format!("the session gets no memories: {error}"));
        String::new()
    });
    if let Err(error) = lock.save_recovery(ledger.stores()) {
        warnings.push(format!("the recovery data of the session's bead was not saved: {}", chain(&error)));
    }
    let (_, problems) = ledger.into_changes();
    warnings.extend(problems);
    let piece = |source: &str, text| ContextPiece { source: source.to_owned(), text };
    vec![piece(RECOVERY_SOURCE, text), piece(MEMORIES_SOURCE, memories)]
}

fn ledger<'a>(ctx: &Context, sources: &'a dyn Sources, meta: &Meta, stores: Stores) -> Ledger<'a> {
    Ledger::new(sources, meta.id, meta.actor.as_deref(), settings::in_force(&ctx.project), stores)
}

/// Called after this program changed a bead: notifies the hosts of sessions that work on it, and adds the
/// pending comments of its ended or paused sessions. A failure of this function does not affect the change.
pub(crate) fn bead_changed(ctx: &Context, bead: &BeadId) {
    for meta in ctx.metas().unwrap_or_default() {
        let dir = ctx.store.session(meta.id);
        let own = meta.bead_id.as_ref() == Some(bead);
        let works_on = || dir.recovery().is_ok_and(|stores| stores.current_bead.as_ref() == Some(bead));
        match meta.status {
            Status::Active if own || works_on() => notify_host(ctx, meta.id),
            // Of the inactive sessions, only those started for this bead are checked: a project can have
            // thousands of other sessions.
            Status::Paused | Status::Closed if own && works_on() => {
                // The host of a session that has just ended releases the lock shortly afterwards.
                if let Ok(Some(lock)) = hosts::lock_when_free(&dir) {
                    update_ledger(ctx, &lock, &meta);
                }
            }
            Status::Active | Status::Paused | Status::Closed | Status::Draft => {}
        }
    }
}

/// Notifies the hosts of active sessions whose bead is in review. Called after any change of beads; one query covers
/// all sessions.
pub(crate) fn reviewed(ctx: &Context) {
    let active = ctx.metas().unwrap_or_default().into_iter();
    let active: Vec<Meta> = active.filter(|m| m.status == Status::Active && m.bead_id.is_some()).collect();
    if active.is_empty() {
        return;
    }
    let filter = ListFilter { statuses: vec![BeadStatus::InReview], ..ListFilter::board() };
    let listed = ctx.tracker().ok().and_then(|tracker| tracker.list(&filter).ok());
    let in_review: BTreeSet<BeadId> =
        listed.into_iter().flat_map(|listing| listing.beads).map(|bead| bead.id).collect();
    for meta in active.iter().filter(|m| m.bead_id.as_ref().is_some_and(|id| in_review.contains(id))) {
        notify_host(ctx, meta.id);
    }
}

fn notify_host(ctx: &Context, id: SessionId) {
    // A host that misses this message checks its beads at the end of claude's turn.
    let socket = hosts::active_host_socket(&ctx.project, id);
    let _ = socket.ok().and_then(|socket| Client::connect(&socket).ok()?.beads_changed().ok());
}

/// Checks the bead of a session that has no host, and saves the result.
fn update_ledger(ctx: &Context, lock: &SessionLock, meta: &Meta) {
    let Ok(stores) = lock.recovery() else { return };
    let cwd = meta.cwd.as_deref().map_or(ctx.project.root.as_path(), Path::new);
    let sources = Tracked::of(ctx, cwd.to_owned()).for_session(meta);
    let mut ledger = ledger(ctx, &sources, meta, stores);
    ledger.check();
    // If saving fails, the next check repeats the same work.
    let _ = lock.save_recovery(ledger.stores());
}
