//! Finds a session by its id or by the id's first digits.

use super::Context;
use crate::args::SessionKey;
use bc_core::{ids::SessionId, session::Meta, text::one_line};
use bc_wire::{
    ApiError, ErrorCode,
    session::{SessionListParams, SessionRef},
};

/// The session with this key, as a parameter of the contract. Fails as [`only`] does.
pub(super) fn resolve_session(key: &SessionKey, context: &Context<'_>) -> Result<SessionRef, ApiError> {
    let id = only(key, "session", "`beads-console session list` shows all sessions", || {
        let all = context.api.session_list(SessionListParams::default())?.sessions;
        Ok(all.into_iter().map(|session| session.meta).collect())
    })?;
    Ok(SessionRef { id })
}

/// The ids of the sessions with these keys.
pub(super) fn resolve_sessions(
    keys: &[SessionKey],
    context: &Context<'_>,
) -> Result<Vec<SessionId>, ApiError> {
    keys.iter().map(|key| Ok(resolve_session(key, context)?.id)).collect()
}

/// The id of the only session of `all` with this key. Fails if no session matches, or several do; the error then
/// lists them. A whole id needs no lookup.
pub(super) fn only(
    key: &SessionKey,
    kind: &str,
    hint: &str,
    all: impl FnOnce() -> Result<Vec<Meta>, ApiError>,
) -> Result<SessionId, ApiError> {
    let digits = match key {
        SessionKey::Whole(id) => return Ok(*id),
        SessionKey::Prefix(digits) => digits,
    };
    let mut found = all()?;
    found.retain(|meta| meta.id.0.simple().to_string().starts_with(digits));
    match found.as_slice() {
        [one] => Ok(one.id),
        [] => {
            Err(ApiError::new(ErrorCode::SessionNotFound, format!("no {kind} starts with {digits}"))
                .hint(hint))
        }
        several => {
            let line = |meta: &Meta| {
                let line = format!("{}  {}", meta.id, one_line(meta.title.as_deref().unwrap_or_default()));
                line.trim_end().to_owned()
            };
            let lines: Vec<String> = several.iter().map(line).collect();
            let message = format!("{} sessions start with {digits}:\n{}", lines.len(), lines.join("\n"));
            Err(ApiError::new(ErrorCode::Usage, message).hint("give more digits"))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser};
    use serde_json::json;

    fn show(key: &str) -> test_doubles::Ran {
        let sessions = [
            test_doubles::session(0xabcd_0001),
            test_doubles::session(0xabcd_0002),
            test_doubles::session(0x1234_0000),
        ];
        FakeProject::new()
            .answers("session.list", json!({"sessions": sessions}))
            .answers("session.show", test_doubles::session(1))
            .run(&["session", "show", key], FakeUser::away())
    }

    #[test]
    fn unique_prefix_finds_the_session() {
        let ran = show("1234");
        assert_eq!(ran.calls[1], ("session.show", json!({"id": "12340000-0000-4000-8000-000000000000"})));
        assert_eq!(show("ABCD0002").code, 0);
    }

    #[test]
    fn full_id_needs_no_lookup() {
        let ran = show("12340000-0000-4000-8000-000000000000");
        assert_eq!(ran.calls.len(), 1);
    }

    #[test]
    fn ambiguous_prefix_lists_matches_and_unknown_prefix_is_not_found() {
        let ran = show("abcd");
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("abcd0001-") && ran.err.contains("abcd0002-"), "{}", ran.err);
        assert_eq!(show("ffff").code, 3);
    }
}
