//! The memories for an agent's context: with its recovery block, and for `prime`.

use super::{Asker, provider, provider_error};
use crate::{
    engine::{Engine, now},
    project::Project,
    recovery,
};
use bc_beads::Environment;
use bc_core::{
    ids::SessionId,
    memory::{self, BUDGET, Filter, Focus, HOW, MemoryEntry, Primed},
    recovery::Facts,
};
use bc_memory::MemoryProvider;
use bc_wire::{ApiError, memory::*, recovery::RecoveryParams};

/// The memories for a session's agent, and how to store new ones: sent at a start, a resume and after a compaction.
///
/// # Errors
/// The memories cannot be read.
pub(crate) fn for_agent(
    project: &Project,
    environment: Environment,
    session: SessionId,
    facts: Option<&Facts>,
) -> Result<String, ApiError> {
    let asker = Asker::named(project, Some(&session.to_string()));
    let provider = provider(project, environment, asker.caller);
    let (primed, _) = ranked(&provider, facts, BUDGET)?;
    Ok(with_how(&primed.text))
}

fn with_how(memories: &str) -> String {
    match memories {
        "" => format!("## Memory\n{HOW}"),
        memories => format!("{memories}\n\n{HOW}"),
    }
}

/// The most relevant memories for the work, as text within a budget.
fn ranked(
    provider: &MemoryProvider,
    facts: Option<&Facts>,
    budget: usize,
) -> Result<(Primed, Vec<String>), ApiError> {
    let found = provider.retrieve_memories(&Filter::default()).map_err(provider_error)?;
    let entries: Vec<MemoryEntry> = found.memories.iter().map(|loaded| loaded.entry.clone()).collect();
    let order = memory::rank(&entries, &focus(facts), now());
    let texts = order.into_iter().map(|at| (&entries[at], found.memories[at].content()));
    Ok((memory::primed(texts, budget), found.warnings))
}

fn focus(facts: Option<&Facts>) -> Focus {
    let Some(facts) = facts else { return Focus::default() };
    let parent = facts.parent.as_ref();
    Focus {
        bead: Some(facts.id.clone()),
        epic: parent.map(|parent| parent.id.clone()).into_iter().collect(),
        text: format!("{} {}", facts.title, parent.map(|parent| parent.title.as_str()).unwrap_or_default()),
    }
}

/// Rules and commands, the state of the work, and memories: everything an agent needs at the start.
pub(crate) fn prime(engine: &Engine, params: &PrimeParams) -> Result<PrimeText, ApiError> {
    let session = params.session.filter(|id| engine.store.session(*id).meta().is_ok());
    let asked = RecoveryParams { bead: params.bead.clone(), session, cwd: params.cwd.clone() };
    let mut problems = Vec::new();
    // The tracker's failure must not suppress the rest.
    let (block, facts) = recovery::block_with_facts(engine, &asked).unwrap_or_else(|error| {
        problems.push(error.message);
        (recovery::without_bead(engine), None)
    });
    let session = session.map(|id| id.to_string());
    let asker = Asker::named(&engine.project, session.as_deref());
    let provider = provider(&engine.project, engine.project.environment(), asker.caller);
    let budget = params.budget.map_or(BUDGET, |budget| budget as usize);
    // Nor must unreadable memories.
    let (primed, warnings) = ranked(&provider, facts.as_ref(), budget)
        .unwrap_or_else(|error| (Primed::default(), vec![error.message]));
    problems.extend(warnings);
    Ok(PrimeText {
        text: format!("{}\n\n{}", block.text, with_how(&primed.text)),
        memories: primed.text,
        keys: primed.keys,
        left_out: u32::try_from(primed.left_out).unwrap_or(u32::MAX),
        bead_id: block.bead_id,
        warnings: problems,
    })
}
