//! The memories in an agent's context, for sessions and for `prime`.

use super::asker::{Asker, provider, provider_error};
use crate::context::{Context, Project, now};
use bc_beads::Environment;
use bc_core::{
    ids::SessionId,
    memory::{self, BUDGET, Filter, Focus, HOW, MemoryEntry, Primed},
    recovery::Facts,
};
use bc_memory::MemoryProvider;
use bc_wire::ApiError;

/// The text for a session's agent: the most relevant memories, and how to store new ones. The text is sent
/// when a session starts or resumes, and after a compaction.
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

/// Adds the instructions for storing new memories.
pub(crate) fn with_how(memories: &str) -> String {
    match memories {
        "" => format!("## Memory\n{HOW}"),
        memories => format!("{memories}\n\n{HOW}"),
    }
}

/// The most relevant memories for the work, as text of at most `budget` characters, with warnings.
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

/// The most relevant memories for a session's agent or the user, within the budget. A failure becomes a warning.
pub(crate) fn within(
    ctx: &Context,
    session: Option<&str>,
    facts: Option<&Facts>,
    budget: Option<u32>,
) -> (Primed, Vec<String>) {
    let asker = Asker::of_command(ctx, session);
    let provider = provider(&ctx.project, ctx.project.environment(), asker.caller);
    let budget = budget.map_or(BUDGET, |budget| budget as usize);
    ranked(&provider, facts, budget).unwrap_or_else(|error| (Primed::default(), vec![error.message]))
}
