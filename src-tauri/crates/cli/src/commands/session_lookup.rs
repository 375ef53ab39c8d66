//! Finds a session by the first digits of its id.

use super::Context;
use crate::args::SessionKey;
use bc_core::{ids::SessionId, text::one_line};
use bc_wire::{
    ApiError, ErrorCode,
    api::Api,
    session::{SessionListParams, SessionRef, SessionView},
};

/// The id of the session with this key. Fails if no session matches, or several do; the error then lists them.
pub(super) fn session(key: &SessionKey, api: &dyn Api) -> Result<SessionId, ApiError> {
    let digits = match key {
        SessionKey::Whole(id) => return Ok(*id),
        SessionKey::Prefix(digits) => digits,
    };
    let all = api.session_list(SessionListParams::default())?.sessions;
    let fits = |session: &&SessionView| session.meta.id.0.simple().to_string().starts_with(digits);
    let found: Vec<&SessionView> = all.iter().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok(one.meta.id),
        [] => Err(ApiError::new(ErrorCode::SessionNotFound, format!("no session starts with {digits}"))
            .hint("`beads-console session list` shows all sessions")),
        several => Err(ambiguous(digits, several.iter().map(|s| (s.meta.id, s.meta.title.as_deref())))),
    }
}

/// The session with this key, as a parameter of the contract. Fails as [`session`] does.
pub(super) fn resolve_session(key: &SessionKey, context: &Context<'_>) -> Result<SessionRef, ApiError> {
    session(key, context.api).map(|id| SessionRef { id })
}

/// The error for several matching sessions, which lists them.
pub(super) fn ambiguous<'a>(
    digits: &str,
    sessions: impl Iterator<Item = (SessionId, Option<&'a str>)>,
) -> ApiError {
    let lines: Vec<String> = sessions
        .map(|(id, title)| format!("{id}  {}", one_line(title.unwrap_or_default())))
        .map(|line| line.trim_end().to_owned())
        .collect();
    let message = format!("{} sessions start with {digits}:\n{}", lines.len(), lines.join("\n"));
    ApiError::new(ErrorCode::Usage, message).hint("give more digits")
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
