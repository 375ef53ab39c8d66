//! Lifecycle hooks of a project: where they are, what the person allows of them, trying them out, and
//! the end of a run that no host could tell them of. During a session its host runs them.

mod editing;
mod listing;
mod running;
#[cfg(test)]
mod tests;

pub(crate) use editing::{allow, save, trust};
pub(crate) use listing::list;
pub(crate) use running::{all_runs, end_owed, reload, runs, test};

use crate::{engine::Engine, preferences, project::Project};
use bc_core::session::Meta;
use bc_hooks::{Facts, Places};
use bc_host::HookSetup;

/// Where a project's hooks are.
pub(crate) fn places(project: &Project) -> Places {
    let root = project.root.canonicalize().unwrap_or_else(|_| project.root.clone());
    let tree = project.main_tree.as_ref().and_then(|tree| tree.canonicalize().ok());
    let boundary = tree.filter(|tree| root.starts_with(tree)).unwrap_or_else(|| root.clone());
    Places { config: preferences::folder(), root, boundary }
}

/// What hooks are told of a session.
fn facts(engine: &Engine, meta: &Meta) -> Facts {
    let root = engine.project.root.display().to_string();
    Facts {
        session_id: Some(meta.id.to_string()),
        cwd: meta.cwd.clone().unwrap_or_else(|| root.clone()),
        project: root,
        bead_id: meta.bead_id.as_ref().map(ToString::to_string),
        agent: meta.agent_id.as_ref().map(ToString::to_string),
        branch: meta.branch.as_ref().map(ToString::to_string),
    }
}

/// What a session's host is told. What may not run is said to whoever starts the session.
pub(crate) fn setup(engine: &Engine, meta: &Meta, warnings: &mut Vec<String>) -> HookSetup {
    let places = places(&engine.project);
    warnings.extend(bc_hooks::load(&places).warnings);
    HookSetup { facts: facts(engine, meta), places }
}
