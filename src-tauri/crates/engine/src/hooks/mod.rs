//! Lifecycle hooks of a project: their places and permissions, test runs, and the end event for runs whose host
//! died. During a session, its host runs them.

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

/// The places of a project's hooks.
pub(crate) fn places(project: &Project) -> Places {
    let root = project.root.canonicalize().unwrap_or_else(|_| project.root.clone());
    let tree = project.main_tree.as_ref().and_then(|tree| tree.canonicalize().ok());
    let boundary = tree.filter(|tree| root.starts_with(tree)).unwrap_or_else(|| root.clone());
    Places { config: preferences::folder(), root, boundary }
}

/// The session's facts for hooks.
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

/// The hook configuration for a session's host. Hooks that may not run are reported as warnings.
pub(crate) fn setup(engine: &Engine, meta: &Meta, warnings: &mut Vec<String>) -> HookSetup {
    let places = places(&engine.project);
    warnings.extend(bc_hooks::load(&places).warnings);
    HookSetup { facts: facts(engine, meta), places }
}
