//! The environment of a command that an agent runs inside a session.

use bc_core::ids::SessionId;
use bc_process::descendants::SESSION_MARKER;

/// The session in which this process runs; `None` outside a session.
pub(crate) fn session() -> Option<SessionId> {
    std::env::var(SESSION_MARKER).ok()?.parse().ok()
}

/// Whether an agent runs this program. Claude sets `CLAUDECODE` for its tools; every process of a session, or
/// one of its ancestors, has the session's marker.
pub(crate) fn by_agent() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    set(SESSION_MARKER) || set("CLAUDECODE") || bc_process::descendants::has_marked_ancestor(SESSION_MARKER)
}

/// The actor for the session's changes to beads, from `BD_ACTOR`. `None` outside a session, where the engine
/// uses the user's name.
pub(crate) fn actor() -> Option<String> {
    session()?;
    std::env::var("BD_ACTOR").ok().filter(|name| !name.is_empty())
}
