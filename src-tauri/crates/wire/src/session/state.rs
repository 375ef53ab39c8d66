//! The state of a session as one value, which is the same in every view and on the command line. It is
//! computed from the record and the host's state.

use super::{Activity, FailureKind, HeldState, Live};
use bc_core::session::{Meta, PauseReason, Status};
use serde::{Deserialize, Serialize};

/// A session's state, as shown to users.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// The session was never started.
    Draft,
    /// Claude is starting.
    Starting,
    /// Claude is working, a prompt is being typed, or claude's activity is unknown.
    #[default]
    Active,
    /// A queued prompt waits: claude's turn is over, but its input box may not be free.
    Queued,
    /// The API failed, and claude retries.
    Retrying,
    /// A limit stopped the turn.
    RateLimited,
    /// A dialog is open in claude's terminal: the user must close it.
    DialogOpen,
    /// The turn is over and claude waits for the user's next message.
    YourTurn,
    /// Claude asks for a permission, an answer, trust or a login, or an API failure ended its last turn.
    NeedsYou,
    /// Claude has ended and the session is being paused.
    Ending,
    /// Paused by the user, after idle time, or because another session took its place.
    Paused,
    /// Claude exited, and the session is paused.
    Exited,
    /// The session's process died.
    Interrupted,
    /// The session has ended.
    Closed,
}

impl SessionState {
    /// The state of a session with this record and live data.
    pub fn of(meta: &Meta, live: Option<&Live>) -> SessionState {
        match meta.status {
            Status::Draft => SessionState::Draft,
            Status::Closed => SessionState::Closed,
            Status::Paused => match meta.pause_reason {
                Some(PauseReason::Interrupted) => SessionState::Interrupted,
                Some(PauseReason::Exited) => SessionState::Exited,
                Some(PauseReason::User | PauseReason::Inactivity | PauseReason::Superseded) | None => {
                    SessionState::Paused
                }
            },
            // Without live data, the host either does not listen yet or has just died.
            Status::Active => live.map_or(SessionState::Starting, |live| running(meta, live)),
        }
    }

    /// The label, which is the same in every view and on the command line. The UI has the labels in
    /// `ui/src/words/session.ts`.
    pub fn word(self) -> &'static str {
        match self {
            SessionState::Draft => "Draft",
            SessionState::Starting => "Starting",
            SessionState::Active => "Working",
            SessionState::Queued => "Queued",
            SessionState::Retrying => "Retrying",
            SessionState::RateLimited => "Rate limited",
            SessionState::YourTurn => "Your turn",
            SessionState::NeedsYou | SessionState::DialogOpen => "Needs you",
            SessionState::Ending => "Ending",
            SessionState::Paused | SessionState::Exited => "Paused",
            SessionState::Interrupted => "Interrupted",
            SessionState::Closed => "Closed",
        }
    }
}

fn running(meta: &Meta, live: &Live) -> SessionState {
    match live.activity {
        Activity::Gone => SessionState::Ending,
        _ if !live.permissions.is_empty() => SessionState::NeedsYou,
        Activity::WaitingPermission | Activity::AsksAtStart => SessionState::NeedsYou,
        Activity::Starting => SessionState::Starting,
        Activity::Working if live.retry.is_some() => SessionState::Retrying,
        Activity::Working => SessionState::Active,
        Activity::DialogOpen => SessionState::DialogOpen,
        // A queued prompt is sent next, so claude does not wait for the user.
        Activity::Idle | Activity::Unknown
            if live.held.iter().any(|held| held.state == HeldState::Waiting) =>
        {
            // If nothing prevents the text from being typed, it is being typed now.
            if live.hold.is_some() { SessionState::Queued } else { SessionState::Active }
        }
        Activity::Unknown => SessionState::Active,
        Activity::Idle if limited(live) => SessionState::RateLimited,
        Activity::Idle if live.failure.is_some() => SessionState::NeedsYou,
        Activity::Idle if opens_with_prompt(meta) => SessionState::Starting,
        Activity::Idle => SessionState::YourTurn,
    }
}

fn limited(live: &Live) -> bool {
    live.failure.as_ref().is_some_and(|failure| failure.kind == FailureKind::RateLimit)
}

/// Whether claude received an opening prompt on its command line and has not started its turn.
fn opens_with_prompt(meta: &Meta) -> bool {
    let has_prompt = meta.bead_id.is_some() || meta.objective.is_some();
    has_prompt && meta.message_count == 0 && !meta.claude_sessions.iter().any(|session| session.prompted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn state(record: Value, live: Value) -> SessionState {
        let mut meta = json!({"id": "5e551000-0000-4000-8000-000000000000", "project_id": "p", "created_at": "2026-01-19T10:00:00Z", "status": "active"});
        meta.as_object_mut().unwrap().extend(record.as_object().unwrap().clone());
        let meta: Meta = serde_json::from_value(meta).unwrap();
        let live: Option<Live> = (!live.is_null()).then(|| {
            let mut whole = json!({"host_pid": 1, "activity": "idle", "hooks_seen": true, "activity_since": "2026-01-19T10:00:00Z"});
            whole.as_object_mut().unwrap().extend(live.as_object().unwrap().clone());
            serde_json::from_value(whole).unwrap()
        });
        SessionState::of(&meta, live.as_ref())
    }

    #[test]
    fn a_finished_turn_is_the_users_turn_and_a_running_one_is_not() {
        let talked = json!({"message_count": 4, "bead_id": "BC-1"});
        assert_eq!(state(talked.clone(), json!({"activity": "idle"})), SessionState::YourTurn);
        assert_eq!(state(talked.clone(), json!({"activity": "working"})), SessionState::Active);
        assert_eq!(state(talked.clone(), json!({"activity": "unknown"})), SessionState::Active);
        assert_eq!(state(talked, Value::Null), SessionState::Starting);
        assert_eq!(
            state(json!({}), json!({})),
            SessionState::YourTurn,
            "no prompt was given: claude waits for one"
        );
    }

    #[test]
    fn it_is_not_the_users_turn_while_a_prompt_waits() {
        let record = json!({"bead_id": "BC-1"});
        assert_eq!(state(record, json!({})), SessionState::Starting);
        let text = |state: &str| json!({"held": [{"id": "h", "text": "go on", "at": "2026-01-19T10:00:00Z", "state": state}]});
        assert_eq!(state(json!({"message_count": 1}), text("waiting")), SessionState::Active);
        assert_eq!(state(json!({"message_count": 1}), text("returned")), SessionState::YourTurn);
        let mut held = text("waiting");
        held["hold"] = "a dialog may be open".into();
        for activity in ["idle", "unknown"] {
            held["activity"] = activity.into();
            assert_eq!(state(json!({"message_count": 1}), held.clone()), SessionState::Queued);
        }
    }

    #[test]
    fn a_question_takes_precedence_over_all_states_but_the_end() {
        let asks = |activity: &str| json!({"activity": activity, "permissions": [{"id": "p", "tool": "Bash", "input": {}, "asked_at": "2026-01-19T10:00:00Z"}]});
        assert_eq!(state(json!({}), asks("working")), SessionState::NeedsYou);
        assert_eq!(state(json!({}), json!({"activity": "asks_at_start"})), SessionState::NeedsYou);
        assert_eq!(state(json!({}), asks("gone")), SessionState::Ending);
        let paused = |reason: &str| state(json!({"status": "paused", "pause_reason": reason}), Value::Null);
        assert_eq!(
            ["user", "exited", "interrupted"].map(paused),
            [SessionState::Paused, SessionState::Exited, SessionState::Interrupted]
        );
    }

    #[test]
    fn a_failed_request_is_retried_before_the_user_is_needed() {
        let talked = json!({"message_count": 4});
        let retry = json!({"activity": "working", "retry": {"attempt": 2, "of": 10}});
        assert_eq!(state(talked.clone(), retry), SessionState::Retrying);
        let failed =
            |kind: &str| json!({"failure": {"kind": kind, "message": "no", "at": "2026-01-19T10:00:00Z"}});
        assert_eq!(state(talked.clone(), failed("rate_limit")), SessionState::RateLimited);
        assert_eq!(state(talked.clone(), failed("login")), SessionState::NeedsYou);
        assert_eq!(state(talked, failed("other")), SessionState::NeedsYou);
    }

    #[test]
    fn the_ui_has_the_same_words() {
        use SessionState as S;
        let ui = include_str!("../../../../../ui/src/words/session.ts");
        for state in [
            S::Draft,
            S::Starting,
            S::Active,
            S::Queued,
            S::Retrying,
            S::RateLimited,
            S::DialogOpen,
            S::YourTurn,
            S::NeedsYou,
            S::Ending,
            S::Paused,
            S::Exited,
            S::Interrupted,
            S::Closed,
        ] {
            let name = serde_json::to_value(state).unwrap();
            let line = format!("{}: \"{}\"", name.as_str().unwrap(), state.word());
            assert!(ui.contains(&line), "ui/src/words/session.ts lacks {line}");
        }
    }
}
