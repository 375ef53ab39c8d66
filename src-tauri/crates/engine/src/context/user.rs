//! The name of this machine's user in the tracker.

use super::project::Project;

/// The user's name in the tracker, looked up in the same order as in bd. Claims with bd and with this program
/// then have the same actor.
pub(crate) fn user_name(project: &Project) -> String {
    let variable = |key: &str| std::env::var(key).ok().filter(|value| !value.trim().is_empty());
    let of_git = || project.repo().ok()?.user_name();
    variable("BD_ACTOR")
        .or_else(|| variable("BEADS_ACTOR"))
        .or_else(of_git)
        .or_else(|| ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable))
        // The variables can contain a session's actor: `ann/1a2b3c4d` belongs to ann.
        .map(|name| name.split('/').next().unwrap_or_default().trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "user".to_owned())
}
