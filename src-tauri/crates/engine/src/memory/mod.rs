//! The commands on what agents remember, and what an agent is told of it.
//!
//! They need neither the engine nor its lock: a view of the project is enough, so that thirty agents may
//! remember at once while a window is open.
//!
//! `asked` reads, `stored`, `merging` and `importing` write, `told` makes texts for agents, `exchange` is
//! for backups.

mod asked;
mod exchange;
mod importing;
mod merging;
mod stored;
#[cfg(test)]
mod tests;
mod told;

pub(crate) use asked::{context, get, list, proposals, search};
pub(crate) use exchange::{rows, take_in};
pub(crate) use importing::import;
pub(crate) use merging::{merge, unmerge};
pub(crate) use stored::{forget, link, restore, save, unlink};
pub(crate) use told::{for_agent, prime};

use crate::{
    engine::{Engine, now, user_name},
    errors::{chain, file_error, tracker_error},
    programs::Programs,
    project::Project,
};
use bc_beads::{Actor, Environment};
use bc_core::{
    ids::{BeadId, SessionId},
    memory::session_name,
};
use bc_memory::{Caller, KeptIn, MemoryProvider, Place, ProviderError};
use bc_store::SessionStore;
use bc_wire::{ApiError, ErrorCode, memory::MemoryPlace};
use std::path::Path;

/// The stream of work that memories belong to: there is one.
const WORKSTREAM: &str = "main";

/// A view of the project that `start` is in, for commands that need no engine.
///
/// # Errors
/// There is no such project.
pub fn view(start: &Path, programs: Programs) -> Result<Engine, ApiError> {
    let project = Project::find(start)?;
    let why = ApiError::new(ErrorCode::Internal, "this command looks on and changes no session");
    Ok(Engine::reader(project, programs, why))
}

/// Who asks: a session's agent, or a person.
struct Asker {
    caller: Caller,
    agent: String,
    bead: Option<BeadId>,
}

impl Asker {
    /// The session of this name where it has a record, else whoever sits at this machine.
    fn named(project: &Project, session: Option<&str>) -> Asker {
        let record = session.and_then(|name| name.parse::<SessionId>().ok());
        if let Some(asker) = record.and_then(|id| Asker::of_session(project, id)) {
            return asker;
        }
        let user = user_name(project);
        let session = session.map_or_else(|| session_name(now()), str::to_owned);
        let caller = Caller { session, actor: Actor::for_user(&user), workstream: WORKSTREAM.to_owned() };
        Asker { caller, agent: user, bead: None }
    }

    fn of_session(project: &Project, id: SessionId) -> Option<Asker> {
        let dir = SessionStore::at(&project.beads_dir).session(id);
        let meta = dir.meta().ok()?;
        let actor = meta.actor.as_deref().and_then(|name| name.parse().ok());
        let actor = actor.unwrap_or_else(|| Actor::for_session(&user_name(project), id));
        // What it works on now is nearer than what it was started on.
        let current = dir.recovery().ok().and_then(|stores| stores.current_bead);
        let agent = meta.agent_id.map_or_else(|| "claude".to_owned(), |agent| agent.to_string());
        let caller = Caller { session: id.to_string(), actor, workstream: WORKSTREAM.to_owned() };
        Some(Asker { caller, agent, bead: current.or(meta.bead_id) })
    }
}

fn provider(project: &Project, environment: Environment, caller: Caller) -> MemoryProvider {
    let place = Place { root: project.root.clone(), beads_dir: project.beads_dir.clone(), environment };
    MemoryProvider::open(place, caller)
}

fn provider_of(engine: &Engine, caller: Caller) -> MemoryProvider {
    provider(&engine.project, engine.project.environment(), caller)
}

fn place(kept_in: KeptIn) -> MemoryPlace {
    match kept_in {
        KeptIn::Bd => MemoryPlace::Bd,
        KeptIn::Br => MemoryPlace::Br,
        KeptIn::File => MemoryPlace::File,
    }
}

fn provider_error(error: ProviderError) -> ApiError {
    let text = chain(&error);
    match error {
        ProviderError::Invalid(invalid) if invalid.field == "text" && invalid.why.contains("bytes") => {
            ApiError::new(ErrorCode::TextTooLarge, text).hint("keep it in a file, and remember where it is")
        }
        ProviderError::Invalid(_) | ProviderError::LinkedToItself { .. } => {
            ApiError::new(ErrorCode::Usage, text)
        }
        ProviderError::NotLinked { .. } => ApiError::new(ErrorCode::MemoryNotFound, text)
            .hint("`beads-console recall KEY --json` shows what it is linked to"),
        ProviderError::NotFound { .. } => ApiError::new(ErrorCode::MemoryNotFound, text)
            .hint("`beads-console memories` shows what there is"),
        ProviderError::UnknownSession { .. } => ApiError::new(ErrorCode::SessionNotFound, text)
            .hint("`beads-console session list` shows what there is"),
        ProviderError::File { source, .. } => file_error(source),
        ProviderError::Tracker(error) => tracker_error(error),
        _ => ApiError::new(ErrorCode::Io, text),
    }
}
