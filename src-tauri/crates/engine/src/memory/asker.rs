//! The caller of a memory command, and its access to the memories.

use crate::context::{
    Context, Project,
    errors::{chain, file_error, tracker_error},
    now, recorded_actor, user_name,
};
use bc_beads::{Actor, Environment};
use bc_core::{
    ids::{BeadId, SessionId},
    memory::{Filter, session_name},
};
use bc_memory::{Caller, KeptIn, MemoryProvider, Place, ProviderError};
use bc_store::SessionStore;
use bc_wire::{ApiError, ErrorCode, memory::MemoryPlace};
use std::collections::HashSet;

/// The workstream of all memories. The format supports several workstreams; this program uses one.
const WORKSTREAM: &str = "main";

/// The caller of a memory command: a session's agent, the user, or a person with access.
pub(super) struct Asker {
    pub(super) caller: Caller,
    pub(super) agent: String,
    pub(super) bead: Option<BeadId>,
}

impl Asker {
    /// The agent of the session with this id if it exists, else the user of this machine.
    pub(super) fn named(project: &Project, session: Option<&str>) -> Asker {
        Asker::or_user(project, session, || user_name(project))
    }

    /// The agent of the session with this id if it exists, else the user or person for whom the command runs.
    pub(super) fn of_command(ctx: &Context, session: Option<&str>) -> Asker {
        Asker::or_user(&ctx.project, session, || ctx.user_actor().user().to_owned())
    }

    fn or_user(project: &Project, session: Option<&str>, user: impl FnOnce() -> String) -> Asker {
        let record = session.and_then(|name| name.parse::<SessionId>().ok());
        if let Some(asker) = record.and_then(|id| Asker::of_session(project, id)) {
            return asker;
        }
        let user = user();
        let session = session.map_or_else(|| session_name(now()), str::to_owned);
        let caller = Caller { session, actor: Actor::for_user(&user), workstream: WORKSTREAM.to_owned() };
        Asker { caller, agent: user, bead: None }
    }

    fn of_session(project: &Project, id: SessionId) -> Option<Asker> {
        let dir = SessionStore::at(&project.beads_dir).session(id);
        let meta = dir.meta().ok()?;
        let actor = recorded_actor(&meta).unwrap_or_else(|| Actor::for_session(&user_name(project), id));
        // The session's current bead is more relevant than the bead with which the session started.
        let current = dir.recovery().ok().and_then(|stores| stores.current_bead);
        let agent = meta.agent_id.map_or_else(|| "claude".to_owned(), |agent| agent.to_string());
        let caller = Caller { session: id.to_string(), actor, workstream: WORKSTREAM.to_owned() };
        Some(Asker { caller, agent, bead: current.or(meta.bead_id) })
    }
}

pub(super) fn provider(project: &Project, environment: Environment, caller: Caller) -> MemoryProvider {
    let place = Place { root: project.root.clone(), beads_dir: project.beads_dir.clone(), environment };
    MemoryProvider::open(place, caller)
}

pub(super) fn provider_of(ctx: &Context, caller: Caller) -> MemoryProvider {
    provider(&ctx.project, ctx.project.environment(), caller)
}

/// The memories with the user or person as the caller, even if an agent runs the command.
pub(super) fn user_provider(ctx: &Context) -> MemoryProvider {
    provider_of(ctx, Asker::of_command(ctx, None).caller)
}

/// All memories, including forgotten ones.
pub(super) fn everything() -> Filter {
    Filter { forgotten: true, ..Filter::default() }
}

/// The keys of all memories, including forgotten ones.
pub(super) fn known_keys(provider: &MemoryProvider) -> Result<HashSet<String>, ApiError> {
    let found = provider.retrieve_memories(&everything()).map_err(provider_error)?;
    Ok(found.memories.into_iter().map(|loaded| loaded.entry.key).collect())
}

pub(super) fn storage(kept_in: KeptIn) -> MemoryPlace {
    match kept_in {
        KeptIn::Bd => MemoryPlace::Bd,
        KeptIn::Br => MemoryPlace::Br,
        KeptIn::File => MemoryPlace::File,
    }
}

pub(super) fn provider_error(error: ProviderError) -> ApiError {
    let text = chain(&error);
    match error {
        ProviderError::Invalid(invalid) if invalid.field == "text" && invalid.why.contains("bytes") => {
            ApiError::new(ErrorCode::TextTooLarge, text)
                .hint("save the text in a file, and remember its path")
        }
        ProviderError::Invalid(_) | ProviderError::LinkedToItself { .. } => {
            ApiError::new(ErrorCode::Usage, text)
        }
        ProviderError::NotLinked { .. } => ApiError::new(ErrorCode::MemoryNotFound, text)
            .hint("`beads-console recall KEY --json` shows what it is linked to"),
        ProviderError::NotFound { .. } => {
            ApiError::new(ErrorCode::MemoryNotFound, text).hint("`beads-console memories` lists the memories")
        }
        ProviderError::UnknownSession { .. } => ApiError::new(ErrorCode::SessionNotFound, text)
            .hint("`beads-console session list` lists the sessions"),
        ProviderError::File { source, .. } => file_error(source),
        ProviderError::Tracker(error) => tracker_error(error),
        _ => ApiError::new(ErrorCode::Io, text),
    }
}
