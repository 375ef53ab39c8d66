//! What a session's agent is told so that it finds its way again, and what is left on its bead:
//! built from the tracker and git here, put into claude's context by the session's host.
//!
//! A host asks by an errand, run in a process of its own ([`run_errand`]): it works for a host that no
//! engine is there for. An engine asks directly. Both find the bead unchanged, by the tracker's mark,
//! without running its program.
//!
//! `sources` is where things are asked, `ledger` what is found out and done, `shown` the block for
//! people.

mod ledger;
mod shown;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use shown::{injections, show, shown_with_facts, without_bead};

use crate::{
    engine::{Engine, now},
    errors::chain,
    memory,
    project::Project,
    project_settings, recover,
};
use bc_beads::{Actor, Environment, ListFilter};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::{BeadId, SessionId},
    recovery::{Change, Facts, Known, Stores},
    session::{Meta, Status},
};
use bc_host::{
    Client, ContextPiece, ERRAND_VERSION, Errand, MEMORIES_SOURCE, RECOVERY_SOURCE, Report, Wanted, Ways,
};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, settings::SettingsInForce};
use ledger::Ledger;
use sources::{Sources, Tracked};
use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

/// How long the tracker's program may take for a block that claude waits for; the host waits longer
/// and then gives the last one.
const BLOCK_WITHIN: Duration = Duration::from_secs(4);

/// How long block and memories may take together, so that the host still waits for them.
const TOLD_WITHIN: Duration = Duration::from_millis(3_500);
/// How often a tracker's program is asked for memories, at most.
const QUESTIONS_FOR_MEMORIES: u32 = 2;

/// Which of the comments are made, and when the agent is reminded.
#[derive(Debug, Clone, Copy)]
struct Switches {
    commits: bool,
    files: bool,
    checkpoints: bool,
    remind_after: u64,
}

impl From<&SettingsInForce> for Switches {
    fn from(settings: &SettingsInForce) -> Switches {
        Switches {
            commits: settings.comment_commits,
            files: settings.comment_files,
            checkpoints: settings.checkpoint_comments,
            remind_after: u64::from(settings.remind_after_turns),
        }
    }
}

/// Runs an errand of a session's host.
///
/// # Errors
/// It is of another version, or there is no such project.
pub fn run_errand(errand: Errand) -> Result<Report, ApiError> {
    if errand.version != ERRAND_VERSION {
        let text = format!("the errand is of version {}, this program runs {ERRAND_VERSION}", errand.version);
        return Err(ApiError::new(ErrorCode::Internal, text)
            .hint("the program was replaced under a running session: pause and resume the session"));
    }
    let began = Instant::now();
    let project = Project::find(&errand.project_root)?;
    let mut environment = project.environment();
    if errand.wanted == Wanted::Block {
        environment.timeout = BLOCK_WITHIN;
    }
    let sources = Tracked::new(&project, environment.clone(), errand.cwd.clone());
    let switches = Switches::from(&project_settings::in_force(&project));
    let before = errand.stores.known.clone();
    let mut ledger = Ledger::new(&sources, errand.session, errand.actor.as_deref(), switches, errand.stores);
    let mut memories = None;
    match errand.wanted {
        Wanted::Block => {
            ledger.renew_block(now());
            let facts = current_facts(ledger.stores());
            // The block is not held up for them: a tracker that is slow now is asked for what it said last.
            let left = TOLD_WITHIN.saturating_sub(began.elapsed());
            let timeout = (left / QUESTIONS_FOR_MEMORIES).max(Duration::from_millis(1));
            let environment = Environment { timeout, ..environment };
            memories = memory::for_agent(&project, environment, errand.session, facts).ok();
        }
        Wanted::Look => ledger.look(),
        Wanted::Checkpoint { last } => ledger.checkpoint(&last),
    }
    let bead_status =
        errand.bead.and_then(|bead| moved_on(&sources, &bead, before.as_ref(), ledger.stores()));
    let ways = Ways { commands: sources.commands(), remind_after: switches.remind_after };
    let (changes, problems) = ledger.done();
    Ok(Report { version: ERRAND_VERSION, changes, ways: Some(ways), bead_status, problems, memories })
}

/// The state of a session's own bead where something changed and it is not the session's in progress:
/// everything else is of no interest.
fn moved_on(
    sources: &dyn Sources,
    bead: &BeadId,
    before: Option<&Known>,
    after: &Stores,
) -> Option<BeadStatus> {
    let known = after.known.as_ref()?;
    let changed = known.mark.is_empty() || before.is_none_or(|before| before.mark != known.mark);
    if !changed || known.held.contains(bead) {
        return None;
    }
    // What cannot be asked now is asked when something changes again.
    sources.show(bead).ok().flatten().map(|detail| detail.bead.status)
}

/// What whoever begins a session knows of its work.
#[derive(Debug, Default)]
pub(crate) struct Begins {
    /// What is remembered of its bead ([`claimed`]); `None` where its file says it.
    pub(crate) stores: Option<Stores>,
    /// Whether its folder has nothing but what is committed: it was just made.
    pub(crate) untouched: bool,
}

/// A bead was just claimed for a session that is about to begin: it is the current one. `before` is
/// the bead as it was.
pub(crate) fn claimed(engine: &Engine, before: &BeadDetail) -> Stores {
    claimed_with(before, mark(engine))
}

/// What differs after every change of the tracker; `None` where there is no such thing.
pub(crate) fn mark(engine: &Engine) -> Option<String> {
    bc_beads::change_mark(&engine.project.root, &engine.project.environment()).ok().flatten()
}

/// The same as [`claimed`], with the tracker's mark from after the claim.
pub(crate) fn claimed_with(before: &BeadDetail, mark: Option<String>) -> Stores {
    let mut stores = Stores::default();
    let id = &before.bead.id;
    stores.claim(id);
    if let Some(mark) = mark {
        let facts = Facts { status: BeadStatus::InProgress, ..Facts::from(before) };
        stores.known = Some(Known { mark, held: [id.clone()].into(), facts: Some(facts), comments: 0 });
    }
    stores
}

/// What is known of the bead that a session works on.
fn current_facts(stores: &Stores) -> Option<&Facts> {
    let facts = stores.known.as_ref()?.facts.as_ref()?;
    (stores.current_bead.as_ref() == Some(&facts.id)).then_some(facts)
}

/// The first pieces of context of a session that is about to be launched, fresh: where its work stands, and
/// what is known here.
pub(crate) fn at_launch(
    engine: &Engine,
    lock: &SessionLock,
    meta: &Meta,
    begins: Begins,
    warnings: &mut Vec<String>,
) -> Vec<ContextPiece> {
    // Broken stores are replaced: what is lost is a list of files.
    let stores = begins.stores.unwrap_or_else(|| lock.recovery().unwrap_or_default());
    let cwd = meta.cwd.as_deref().map_or(engine.project.root.as_path(), Path::new);
    let mut sources = Tracked::of(engine, cwd.to_owned());
    sources.untouched = begins.untouched;
    let mut ledger = ledger(engine, &sources, meta, stores);
    ledger.renew_block(now());
    let text = ledger.stores().last_block.clone();
    let text = text.unwrap_or_else(|| bc_core::recovery::static_prime(&sources.commands()));
    let facts = current_facts(ledger.stores());
    let memories = memory::for_agent(&engine.project, engine.project.environment(), meta.id, facts);
    let memories = memories.unwrap_or_else(|error| {
        warnings.push(format!("the session is told no memories: {error}"));
        String::new()
    });
    if let Err(error) = lock.save_recovery(ledger.stores()) {
        warnings.push(format!("what is known of the session's bead was not kept: {}", chain(&error)));
    }
    let (_, problems) = ledger.done();
    warnings.extend(problems);
    let piece = |source: &str, text| ContextPiece { source: source.to_owned(), text };
    vec![piece(RECOVERY_SOURCE, text), piece(MEMORIES_SOURCE, memories)]
}

fn ledger<'a>(engine: &Engine, sources: &'a dyn Sources, meta: &Meta, stores: Stores) -> Ledger<'a> {
    let switches = Switches::from(&project_settings::in_force(&engine.project));
    Ledger::new(sources, meta.id, meta.actor.as_deref(), switches, stores)
}

/// A bead was changed here: sessions that work on it know at once, and leave what there is to leave.
/// That this fails is no failure of the change.
pub(crate) fn bead_changed(engine: &Engine, bead: &BeadId) {
    for meta in engine.metas().unwrap_or_default() {
        let dir = engine.store.session(meta.id);
        let own = meta.bead_id.as_ref() == Some(bead);
        let works_on = || dir.recovery().is_ok_and(|stores| stores.current_bead.as_ref() == Some(bead));
        match meta.status {
            Status::Active if own || works_on() => tell_host(engine, meta.id),
            // Of those that rest only the bead's own are looked at: there may be thousands of others.
            Status::Paused | Status::Closed if own && works_on() => {
                // The host of one that just ended lets go of it a moment later.
                if let Ok(Some(lock)) = recover::free_soon(&dir) {
                    settle(engine, &lock, &meta);
                }
            }
            Status::Active | Status::Paused | Status::Closed | Status::Draft => {}
        }
    }
}

/// Beads changed, by whomever: sessions whose bead is in review now are told. One question to the
/// tracker for all of them.
pub(crate) fn reviewed(engine: &Engine) {
    let active = engine.metas().unwrap_or_default().into_iter();
    let active: Vec<Meta> = active.filter(|m| m.status == Status::Active && m.bead_id.is_some()).collect();
    if active.is_empty() {
        return;
    }
    let filter = ListFilter { statuses: vec![BeadStatus::InReview], ..ListFilter::board() };
    let listed = engine.tracker().ok().and_then(|tracker| tracker.list(&filter).ok());
    let in_review: BTreeSet<BeadId> =
        listed.into_iter().flat_map(|listing| listing.beads).map(|bead| bead.id).collect();
    for meta in active.iter().filter(|m| m.bead_id.as_ref().is_some_and(|id| in_review.contains(id))) {
        tell_host(engine, meta.id);
    }
}

fn tell_host(engine: &Engine, id: SessionId) {
    // A host that cannot be told looks by itself when its turn is over.
    let socket = crate::session::host_socket(&engine.project, id);
    let told = socket.ok().and_then(|socket| Client::connect(&socket).ok()?.beads_changed().ok());
    let _ = told;
}

/// Looks what became of the bead of a session that nobody runs.
fn settle(engine: &Engine, lock: &SessionLock, meta: &Meta) {
    let Ok(stores) = lock.recovery() else { return };
    let cwd = meta.cwd.as_deref().map_or(engine.project.root.as_path(), Path::new);
    let sources = Tracked::of(engine, cwd.to_owned());
    let mut ledger = ledger(engine, &sources, meta, stores);
    ledger.look();
    // What is not kept is found again.
    let _ = lock.save_recovery(ledger.stores());
}

/// The actor that a name stands for.
fn actor(name: Option<&str>) -> Option<Actor> {
    name.and_then(|name| name.parse().ok())
}

/// Whether a bead in this state is done as far as its session is concerned.
fn is_done(status: &BeadStatus) -> bool {
    matches!(status, BeadStatus::Closed | BeadStatus::InReview | BeadStatus::Tombstone)
}

/// The bead that is let go.
fn released(bead: &BeadId) -> Change {
    Change::Closed(bead.clone())
}
