//! The needs of a session: its permission requests and troubles, and the need of its state
//! ([`SessionState`]).

use bc_core::{
    Timestamp,
    message::{Message, Role, tool_subject},
    question::{self, ASKS, PLANS},
    text::{cut, one_line, visible},
};
use bc_wire::session::*;

/// The maximum length of a need's text or title, in characters.
const TEXT: usize = 300;

pub(super) fn line(text: &str) -> String {
    cut(&one_line(text), TEXT)
}

/// All needs of this session. `latest` reads its last message.
pub(super) fn needs(view: &SessionView, latest: impl FnOnce() -> Option<Message>) -> Vec<Need> {
    let mut found = Vec::new();
    let Some(live) = &view.live else {
        if view.state == SessionState::Interrupted
            && let Some(since) = view.meta.paused_at
        {
            found.push(need(view, "interrupted", NeedKind::Error, since, "The session was interrupted."));
        }
        return found;
    };
    found.extend(live.permissions.iter().map(|request| asked(view, request)));
    let since = live.activity_since;
    let own = match view.state {
        // The permission requests are listed above.
        SessionState::NeedsYou if !live.permissions.is_empty() => None,
        SessionState::NeedsYou | SessionState::RateLimited if live.failure.is_some() => {
            live.failure.as_ref().map(|failure| failed(view, failure))
        }
        SessionState::NeedsYou => Some(match live.start_question {
            Some(StartQuestion::Login) => {
                need(view, "start", NeedKind::Login, since, "Claude asks for a login.")
            }
            Some(StartQuestion::Trust) => {
                need(view, "start", NeedKind::Trust, since, "Claude asks whether to trust the folder.")
            }
            None => need(view, "start", NeedKind::Dialog, since, "Claude asks a question in its terminal."),
        }),
        SessionState::DialogOpen => {
            Some(need(view, "dialog", NeedKind::Dialog, since, "A dialog is open in Claude's terminal."))
        }
        SessionState::YourTurn => {
            let said = latest().filter(|message| message.role == Role::Assistant);
            let text = said.map(|message| last_line(&message.content)).unwrap_or_default();
            Some(need(view, "turn", NeedKind::Turn, since, &text))
        }
        _ => None,
    };
    found.extend(own);
    found.extend(live.troubles.iter().map(|trouble| {
        let mut need = need(view, "trouble", NeedKind::Error, since, trouble);
        // The id excludes the time of claude's last activity, so that the same trouble stays one need.
        need.id = format!("trouble:{}:{}", view.meta.id, line(trouble));
        need
    }));
    found
}

fn asked(view: &SessionView, request: &PermissionRequest) -> Need {
    let input = request.input.as_object().cloned().unwrap_or_default();
    let kind = match request.tool.as_str() {
        ASKS => NeedKind::Question,
        PLANS => NeedKind::Plan,
        _ => NeedKind::Permission,
    };
    let text = match kind {
        NeedKind::Question => {
            question::questions(&request.tool, &input).first().map(|one| one.text.clone()).unwrap_or_default()
        }
        NeedKind::Plan => {
            let plan = input.get("plan").and_then(serde_json::Value::as_str).unwrap_or_default();
            let title = plan.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            title.trim_start_matches(['#', ' ']).to_owned()
        }
        _ => {
            let command = input.get("command").and_then(serde_json::Value::as_str).map(visible);
            format!("{}: {}", request.tool, command.unwrap_or_else(|| tool_subject(&input)))
        }
    };
    Need {
        id: request.id.clone(),
        request: Some(request.clone()),
        ..need(view, "request", kind, request.asked_at, &text)
    }
}

fn failed(view: &SessionView, failure: &TurnFailure) -> Need {
    let kind = match failure.kind {
        FailureKind::RateLimit => NeedKind::Limit,
        FailureKind::Login => NeedKind::Login,
        FailureKind::Other => NeedKind::Error,
    };
    Need { until: failure.until, ..need(view, "failure", kind, failure.at, &failure.message) }
}

fn need(view: &SessionView, what: &str, kind: NeedKind, since: Timestamp, text: &str) -> Need {
    let meta = &view.meta;
    let title = [&meta.title, &meta.objective].into_iter().flatten().map(|text| line(text));
    Need {
        id: format!("{what}:{}:{}", meta.id, since.timestamp_millis()),
        kind,
        session: Some(meta.id),
        bead: meta.bead_id.clone(),
        title: title.into_iter().find(|title| !title.is_empty()).unwrap_or_else(|| "Untitled session".into()),
        text: line(text),
        since,
        until: None,
        request: None,
        merge: None,
    }
}

/// The last non-empty line of claude's answer, which usually states the user's next step.
fn last_line(content: &str) -> String {
    content.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const AT: &str = "2026-01-19T10:00:00Z";

    fn found(live: Value) -> Vec<(NeedKind, String)> {
        let mut whole = json!({"host_pid": 1, "activity": "idle", "hooks_seen": true, "activity_since": AT});
        whole.as_object_mut().unwrap().extend(live.as_object().unwrap().clone());
        let live: Live = serde_json::from_value(whole).unwrap();
        let meta = json!({"id": "5e551000-0000-4000-8000-000000000000", "project_id": "p", "created_at": AT,
            "status": "active", "message_count": 4, "title": "Login"});
        let meta = serde_json::from_value(meta).unwrap();
        let view = SessionView {
            state: SessionState::of(&meta, Some(&live)),
            live: Some(live),
            duration_ms: 0,
            meta,
        };
        let said = Message::new("m", Role::Assistant, "Done.\n\nShall I push?\n", AT.parse().unwrap());
        needs(&view, || Some(said)).into_iter().map(|need| (need.kind, need.text)).collect()
    }

    fn request(tool: &str, input: Value) -> Value {
        json!({"id": tool, "tool": tool, "input": input, "asked_at": AT})
    }

    #[test]
    fn each_open_request_is_listed_and_the_turn_is_not() {
        let requests = [
            request("Bash", json!({"command": "git push"})),
            request("AskUserQuestion", json!({"questions": [{"question": "Which?", "options": []}]})),
            request("ExitPlanMode", json!({"plan": "\n# Move it\n\n1. a"})),
        ];
        let expected = [
            (NeedKind::Permission, "Bash: git push"),
            (NeedKind::Question, "Which?"),
            (NeedKind::Plan, "Move it"),
        ];
        let found = found(json!({"activity": "waiting_permission", "permissions": requests}));
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
    }

    #[test]
    fn one_state_is_one_need() {
        let check = |live: Value, kind, text: &str| assert_eq!(found(live), [(kind, text.to_owned())]);
        check(json!({}), NeedKind::Turn, "Shall I push?");
        let failed = |kind: &str| json!({"failure": {"kind": kind, "message": "no", "at": AT}});
        check(failed("rate_limit"), NeedKind::Limit, "no");
        check(failed("login"), NeedKind::Login, "no");
        check(failed("other"), NeedKind::Error, "no");
        let start = |question: &str| json!({"activity": "asks_at_start", "start_question": question});
        check(start("trust"), NeedKind::Trust, "Claude asks whether to trust the folder.");
        check(start("login"), NeedKind::Login, "Claude asks for a login.");
        check(json!({"activity": "dialog_open"}), NeedKind::Dialog, "A dialog is open in Claude's terminal.");
        check(json!({"activity": "working", "troubles": ["disk full"]}), NeedKind::Error, "disk full");
        assert!(found(json!({"activity": "working"})).is_empty());
    }
}
