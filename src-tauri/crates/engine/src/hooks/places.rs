//! The paths of a project's hooks files, and the session facts that hooks receive.

use crate::{
    context::{
        Context, Project,
        paths::{canonical, canonical_or_same},
    },
    settings::preferences,
};
use bc_core::session::Meta;
use bc_hooks::{Facts, Places};
use bc_host::HookSetup;

pub(crate) fn places(project: &Project) -> Places {
    let root = canonical_or_same(&project.root);
    let tree = project.main_tree.as_ref().and_then(|tree| canonical(tree).ok());
    let boundary = tree.filter(|tree| root.starts_with(tree)).unwrap_or_else(|| root.clone());
    Places { config: preferences::folder(), root, boundary }
}

pub(super) fn facts(ctx: &Context, meta: &Meta) -> Facts {
    let root = ctx.project.root.display().to_string();
    Facts {
        session_id: Some(meta.id.to_string()),
        cwd: meta.cwd.clone().unwrap_or_else(|| root.clone()),
        project: root,
        bead_id: meta.bead_id.as_ref().map(ToString::to_string),
        agent: meta.agent_id.as_ref().map(ToString::to_string),
        branch: meta.branch.as_ref().map(ToString::to_string),
    }
}

/// The hook configuration for a session's host. Hooks that are not allowed to run become warnings.
pub(crate) fn setup(ctx: &Context, meta: &Meta, warnings: &mut Vec<String>) -> HookSetup {
    let places = places(&ctx.project);
    warnings.extend(bc_hooks::load(&places).warnings);
    HookSetup { facts: facts(ctx, meta), places }
}
