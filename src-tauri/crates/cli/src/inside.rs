//! What the environment says where the program is run from within a session, by its agent.

use bc_core::ids::SessionId;
use bc_process::descendants::SESSION_MARKER;

/// The session that this program is run in.
pub(crate) fn session() -> Option<SessionId> {
    std::env::var(SESSION_MARKER).ok()?.parse().ok()
}

/// Whose name the session's work on beads goes by. Outside a session the engine knows the person.
pub(crate) fn actor() -> Option<String> {
    session()?;
    std::env::var("BD_ACTOR").ok().filter(|name| !name.is_empty())
}
