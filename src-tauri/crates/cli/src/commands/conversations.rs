//! `session conversations`, `session adopt` and `transcript decode`.

use super::{Context, Next, print, start_resume};
use crate::{
    args::{AdoptArgs, ConversationsArgs, SessionKey},
    failure::Failure,
    io::Io,
    output::{conversations, session},
};
use bc_core::ids::ConversationId;
use bc_wire::{
    ApiError, ErrorCode,
    session::{AdoptParams, ConversationsParams, SessionResumeParams, TranscriptDecoded},
};

/// Lists the conversations that belong to no session.
pub(super) fn list(args: ConversationsArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let found = context.api.session_conversations(ConversationsParams { text: args.search })?;
    context.print_warned(&found, &found.warnings, conversations::list)
}

/// Adopts a conversation, and continues it unless `--no-resume` is given.
pub(super) fn adopt(args: AdoptArgs, context: &mut Context<'_>) -> Result<Next, Failure> {
    start_resume::needs_terminal(args.attach, "--attach", context)?;
    let prompt = args.prompt.map_or(Ok(String::new()), |text| context.read_trimmed(text))?;
    let conversation = named(&args.conversation, context)?;
    let mut adopted = context.api.session_adopt(AdoptParams {
        conversation,
        bead_id: args.bead,
        title: args.title,
        anyway: args.anyway,
    })?;
    let id = adopted.session.meta.id;
    let mut attach = args.attach;
    if !args.no_resume {
        let params = SessionResumeParams {
            id,
            prompt: Some(prompt),
            size: context.io.terminal(),
            anyway: false,
            reclaim: false,
            place: None,
        };
        // If claude cannot continue now, the adopted session is kept, and the error becomes a warning.
        match context.api.session_resume(params) {
            Ok(resumed) => {
                adopted.session = resumed.session;
                adopted.warnings.extend(resumed.warnings);
            }
            Err(error) => {
                attach = false;
                adopted.warnings.extend([
                    format!("the session is paused, because it could not be continued: {error}"),
                    format!("continue it later with `beads-console session resume {}`", id.short()),
                ]);
            }
        }
    }
    context.print(&adopted, |adopted, style| session::started(&adopted.session, "adopted", style))?;
    context.warn(&adopted.warnings)?;
    Ok(if attach { Next::Attach(id) } else { Next::Done })
}

/// The conversation with this id, or the only one with an id that starts with these digits.
fn named(key: &SessionKey, context: &Context<'_>) -> Result<ConversationId, Failure> {
    let digits = match key {
        SessionKey::Whole(id) => return Ok(ConversationId(id.0)),
        SessionKey::Prefix(digits) => digits,
    };
    let found = context.api.session_conversations(ConversationsParams::default())?.conversations;
    let fits = |id: &ConversationId| id.0.simple().to_string().starts_with(digits.as_str());
    let fitting: Vec<ConversationId> = found.iter().map(|one| one.id).filter(fits).collect();
    match fitting.as_slice() {
        [one] => Ok(*one),
        [] => Err(ApiError::new(ErrorCode::SessionNotFound, format!("no conversation begins with {digits}"))
            .hint("`beads-console session conversations` lists them")
            .into()),
        several => Err(ApiError::new(
            ErrorCode::Usage,
            format!("{} conversations begin with {digits}", several.len()),
        )
        .hint("use more digits")
        .into()),
    }
}

pub(crate) fn decoded(decoded: &TranscriptDecoded, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    print(decoded, json, io, conversations::decoded)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser};
    use bc_wire::{ApiError, ErrorCode};
    use serde_json::json;

    const ID: &str = "9e107d9d-372b-4683-8d3d-9e8f0f1c2d3e";

    fn listed() -> serde_json::Value {
        let one = json!({"id": ID, "title": "Mend the\u{1b}[2J lexer", "cwd": "/w/app", "branch": "main",
            "started_at": "2026-01-19T10:00:00Z", "last_at": "2026-01-19T11:00:00Z", "bytes": 52428800,
            "in_use": true, "found": ["…the place…"]});
        json!({"conversations": [one]})
    }

    fn session() -> serde_json::Value {
        json!({"session": test_doubles::session(1), "warnings": []})
    }

    #[test]
    fn conversations_are_listed_with_their_places() {
        let fake = FakeProject::new().answers("session.conversations", listed());
        let ran = fake.run(&["session", "conversations", "--search", "place"], FakeUser::away());
        assert_eq!(ran.calls[0].1["text"], "place");
        for part in ["9e107d9d", "Mend the lexer", "52 MB", "in use", "…the place…"] {
            assert!(ran.out.contains(part), "{part}: {}", ran.out);
        }
        assert!(!ran.out.contains('\u{1b}'));
    }

    #[test]
    fn an_adopted_conversation_is_continued_without_a_prompt() {
        let fake = || {
            FakeProject::new()
                .answers("session.conversations", listed())
                .answers("session.adopt", session())
                .answers("session.resume", session())
        };
        let ran = fake().run(&["session", "adopt", "9e10", "--bead", "bc-1"], FakeUser::away());
        let methods: Vec<_> = ran.calls.iter().map(|call| call.0).collect();
        assert_eq!(methods, ["session.conversations", "session.adopt", "session.resume"]);
        assert_eq!((&ran.calls[1].1["conversation"], &ran.calls[2].1["prompt"]), (&json!(ID), &json!("")));
        let ran = fake().run(&["session", "adopt", ID, "--no-resume"], FakeUser::away());
        assert_eq!(ran.calls.len(), 1);
        assert_eq!(fake().run(&["session", "adopt", "ffff"], FakeUser::away()).code, 3);
    }

    #[test]
    fn a_session_that_cannot_be_continued_is_still_adopted() {
        let fake = FakeProject::new().answers("session.adopt", session());
        let error = ApiError::new(ErrorCode::ClaudeMissing, "no claude");
        let fake = fake.refuses_unless("session.resume", "anyway", error);
        let ran = fake.run(&["session", "adopt", ID], FakeUser::away());
        assert_eq!(ran.code, 0);
        assert!(ran.err.contains("could not be continued: no claude"), "{}", ran.err);
    }
}
