//! Computes an agent's observed state, mainly from its session. The status in the agent's file only shows
//! whether the agent is retired or works in another program.

use super::snapshot::FleetSnapshot;
use crate::{context::Context, session};
use bc_core::{
    Timestamp,
    fleet::{AgentIdentity, AgentStatus, HookStatus},
    message::Message,
    session::{Meta, PauseReason, Status, human_duration},
    text::{cut, one_line},
};
use bc_wire::{
    fleet::FleetAgentState,
    session::{Activity, Live, SessionState, SessionView},
};
use std::time::Duration;

/// The maximum length of a reason, in characters.
const REASON_MAX_CHARS: usize = 200;

/// The state of an agent, with its reason, the suggested next step, and the time at which the state began.
pub(super) struct ObservedState {
    pub(super) state: FleetAgentState,
    pub(super) reason: Option<String>,
    pub(super) to_do: Option<&'static str>,
    pub(super) since: Option<Timestamp>,
}

impl ObservedState {
    fn new(state: FleetAgentState, since: Option<Timestamp>) -> ObservedState {
        ObservedState { state, reason: None, to_do: None, since }
    }

    fn because(self, reason: &str, to_do: &'static str) -> ObservedState {
        ObservedState { reason: Some(cut(&one_line(reason), REASON_MAX_CHARS)), to_do: Some(to_do), ..self }
    }

    /// The corresponding status in the agent's file.
    pub(super) fn status(&self) -> AgentStatus {
        use FleetAgentState as S;
        match self.state {
            S::Idle | S::Paused => AgentStatus::Idle,
            S::Starting | S::Working | S::AtPrompt => AgentStatus::Active,
            S::NeedsYou | S::RateLimited | S::Silent | S::Interrupted => AgentStatus::Stalled,
            S::Terminated => AgentStatus::Terminated,
        }
    }
}

/// An agent's observed state, its session, and the session's last message.
pub(super) struct ObservedAgent {
    pub(super) state: ObservedState,
    pub(super) session: Option<SessionView>,
    pub(super) latest: Option<Message>,
}

impl ObservedAgent {
    /// The time of the agent's last activity; `None` if its session is not live.
    pub(super) fn last_heard(&self) -> Option<Timestamp> {
        let live = self.session.as_ref()?.live.as_ref()?;
        Some(last_heard(live, self.latest.as_ref()))
    }

    pub(super) fn identity(&self, agent: &AgentIdentity) -> AgentIdentity {
        let live = self.session.as_ref().filter(|session| session.meta.status == Status::Active);
        // Keep the id of another program's session, which is known only from the agent's record.
        let foreign = agent.session_id.clone().filter(|session| session.ours().is_none());
        let session_id = live.map(|session| session.meta.id.into()).or(foreign);
        AgentIdentity { status: self.state.status(), session_id, ..agent.clone() }
    }
}

/// Observes an agent. If its session is live, this queries the session's host.
pub(super) fn observe(ctx: &Context, snapshot: &FleetSnapshot, agent: &AgentIdentity) -> ObservedAgent {
    let meta = snapshot.session(agent).filter(|_| agent.status != AgentStatus::Terminated);
    let session = meta.map(|meta| session::view_of(ctx, meta.clone()));
    let latest = meta.and_then(|meta| ctx.store.session(meta.id).latest_message());
    let state = match &session {
        _ if agent.status == AgentStatus::Terminated => ObservedState::new(FleetAgentState::Terminated, None),
        _ if snapshot.starting.contains(&agent.id) => ObservedState::new(FleetAgentState::Starting, None),
        Some(session) if session.meta.status != Status::Closed => {
            let quiet = Duration::from_secs(60 * u64::from(snapshot.settings.stalled_minutes));
            session_state(&session.meta, session.live.as_ref(), latest.as_ref(), quiet, snapshot.now)
        }
        _ => state_without_session(snapshot, agent),
    };
    ObservedAgent { state, session, latest }
}

fn state_without_session(snapshot: &FleetSnapshot, agent: &AgentIdentity) -> ObservedState {
    let since = snapshot.hooks.get(&agent.id).map(|hook| hook.last_activity);
    let idle = ObservedState::new(FleetAgentState::Idle, since);
    if let Some(session) = agent.session_id.as_ref().filter(|_| snapshot.is_elsewhere(agent)) {
        let reason = format!("another program reports that it works in session {session}");
        return idle.because(&reason, "If that session has ended, set the status to idle.");
    }
    match snapshot.hook(&agent.id) {
        HookStatus::Empty => idle,
        HookStatus::Completed => {
            idle.because("its work is done but still assigned", "Clear its assignment to give it more work.")
        }
        HookStatus::Pending => idle.because("its assigned work has not started", "Start it."),
        HookStatus::Active => idle.because(
            "its work is marked active, but it has no session",
            "If no other program runs it, start it or clear its assignment.",
        ),
    }
}

fn session_state(
    meta: &Meta,
    live: Option<&Live>,
    latest: Option<&Message>,
    quiet: Duration,
    now: Timestamp,
) -> ObservedState {
    match (meta.status, live) {
        (Status::Active, Some(live)) => {
            live_state(SessionState::of(meta, Some(live)), live, latest, quiet, now)
        }
        (Status::Active, None) => ObservedState::new(FleetAgentState::Interrupted, meta.last_activated_at)
            .because(
                "its session does not answer",
                "It is resumed automatically once; or reassign its work.",
            ),
        _ => paused_state(meta),
    }
}

fn paused_state(meta: &Meta) -> ObservedState {
    let (since, resume) = (meta.paused_at, "Resume it, or reassign its work.");
    let paused = ObservedState::new(FleetAgentState::Paused, since);
    match meta.pause_reason {
        Some(PauseReason::Interrupted) => ObservedState::new(FleetAgentState::Interrupted, since)
            .because("its session died", "It is resumed automatically once; or reassign its work."),
        Some(PauseReason::Exited) => paused.because("claude ended in its session", resume),
        Some(PauseReason::Inactivity) => paused.because("it was idle for too long", resume),
        Some(PauseReason::Superseded) => paused.because("another session took its place", resume),
        Some(PauseReason::User) | None => paused.because("its session is paused", resume),
    }
}

/// The state of an agent with a live session, mostly derived from the session's state ([`SessionState`]).
fn live_state(
    session: SessionState,
    live: &Live,
    latest: Option<&Message>,
    quiet: Duration,
    now: Timestamp,
) -> ObservedState {
    use FleetAgentState as S;
    let since = Some(live.activity_since);
    if let Some(request) = live.permissions.first() {
        let input = request.input.as_object().cloned().unwrap_or_default();
        let wants = format!("wants to use {}: {}", request.tool, bc_core::message::tool_subject(&input));
        return ObservedState::new(S::NeedsYou, Some(request.asked_at))
            .because(&wants, "Allow it or deny it.");
    }
    if let (SessionState::NeedsYou | SessionState::RateLimited, Some(failure)) = (session, &live.failure) {
        let state = if session == SessionState::RateLimited { S::RateLimited } else { S::NeedsYou };
        return ObservedState::new(state, Some(failure.at)).because(
            &failure.message,
            "Tell it to continue when the service is available again, or reassign its work.",
        );
    }
    let needs_you = |reason, to_do| ObservedState::new(S::NeedsYou, since).because(reason, to_do);
    match session {
        SessionState::NeedsYou if live.activity == Activity::AsksAtStart => {
            return needs_you("asks a question at its start", "Answer in its terminal.");
        }
        SessionState::NeedsYou => return needs_you("asks for permission", "Answer in its terminal."),
        SessionState::DialogOpen => {
            return needs_you("a dialog is open in its terminal", "Close it in the terminal.");
        }
        SessionState::Ending => {
            return ObservedState::new(S::Interrupted, since)
                .because("claude ended in its session", "Wait a moment: it is handled automatically.");
        }
        _ => {}
    }
    if let Some(trouble) = live.troubles.first() {
        return needs_you(trouble, "Check its terminal.");
    }
    let heard = last_heard(live, latest);
    let silent = (now - heard).to_std().unwrap_or_default();
    if !quiet.is_zero() && silent >= quiet {
        let silent_ms = u64::try_from(silent.as_millis()).unwrap_or(u64::MAX);
        let reason = format!("no activity for {}", human_duration(silent_ms));
        let to_do = match live.activity {
            Activity::Idle => "It is at its prompt: tell it what to do, or reassign its work.",
            _ => "Check its terminal, interrupt it, or reassign its work.",
        };
        return ObservedState::new(S::Silent, Some(heard)).because(&reason, to_do);
    }
    let state = match session {
        SessionState::Active | SessionState::Retrying => S::Working,
        SessionState::Starting => S::Starting,
        _ => S::AtPrompt,
    };
    ObservedState::new(state, since)
}

fn last_heard(live: &Live, latest: Option<&Message>) -> Timestamp {
    latest.map_or(live.activity_since, |message| message.timestamp.max(live.activity_since))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::Role;
    use bc_wire::session::{FailureKind, PermissionRequest, TurnFailure};

    const QUIET: Duration = Duration::from_secs(15 * 60);

    fn at(minute: u32) -> Timestamp {
        format!("2026-01-19T10:{minute:02}:00Z").parse().unwrap()
    }

    fn live(activity: Activity) -> Live {
        Live {
            host_pid: 1,
            agent_pid: Some(2),
            activity,
            model: None,
            context: None,
            retry: None,
            failure: None,
            start_question: None,
            permissions: Vec::new(),
            held: Vec::new(),
            hooks_seen: true,
            hold: None,
            activity_since: at(0),
            troubles: Vec::new(),
            unreachable_since: None,
        }
    }

    fn said(minute: u32, text: &str) -> Message {
        Message::new("m", Role::Assistant, text, at(minute))
    }

    fn now(live: &Live, latest: Option<&Message>, minute: u32) -> (FleetAgentState, Option<String>) {
        let meta = serde_json::json!({"id": "5e551000-0000-4000-8000-000000000000", "project_id": "p",
            "created_at": at(0), "status": "active", "message_count": 4});
        let meta: Meta = serde_json::from_value(meta).unwrap();
        let observed = live_state(SessionState::of(&meta, Some(live)), live, latest, QUIET, at(minute));
        (observed.state, observed.reason)
    }

    #[test]
    fn an_agent_without_output_is_silent_until_its_next_message() {
        let works = live(Activity::Working);
        assert_eq!(now(&works, None, 14), (FleetAgentState::Working, None));
        let silent = (FleetAgentState::Silent, Some("no activity for 22m".to_owned()));
        assert_eq!(now(&works, None, 22), silent);
        let word = said(20, "still here");
        assert_eq!(now(&works, Some(&word), 22), (FleetAgentState::Working, None));
        assert_eq!(now(&live(Activity::Idle), Some(&word), 22), (FleetAgentState::AtPrompt, None));
    }

    #[test]
    fn the_reason_for_waiting_is_shown() {
        let mut asks = live(Activity::WaitingPermission);
        asks.permissions.push(PermissionRequest {
            id: "p".into(),
            tool: "Bash".into(),
            input: serde_json::json!({"command": "git push"}),
            subagent: None,
            lasting: Vec::new(),
            asked_at: at(3),
        });
        let wants = (FleetAgentState::NeedsYou, Some("wants to use Bash: git push".to_owned()));
        assert_eq!(now(&asks, None, 59), wants);
        assert_eq!(now(&live(Activity::AsksAtStart), None, 1).0, FleetAgentState::NeedsYou);
        let failed = |kind, message: &str| {
            let mut live = live(Activity::Idle);
            live.failure = Some(TurnFailure { kind, message: message.into(), at: at(1), until: None });
            now(&live, None, 2)
        };
        let limit = "5-hour limit reached, resets 3pm";
        let limited = (FleetAgentState::RateLimited, Some(limit.to_owned()));
        assert_eq!(failed(FailureKind::RateLimit, limit), limited);
        assert_eq!(failed(FailureKind::Login, "Invalid API key").0, FleetAgentState::NeedsYou);
    }
}
