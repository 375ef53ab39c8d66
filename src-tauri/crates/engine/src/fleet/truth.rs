//! What is true of an agent, whatever was written of it.

use super::look::Look;
use crate::{engine::Engine, session};
use bc_core::{
    Timestamp,
    fleet::{AgentIdentity, AgentStatus, HookStatus},
    message::{Message, MessageKind},
    session::{Meta, PauseReason, Status, human_duration},
    text::{cut, one_line},
};
use bc_wire::{
    fleet::FleetAgentState,
    session::{Activity, Live, SessionView},
};
use std::time::Duration;

/// The longest reason, in characters.
const REASON: usize = 200;

/// What an agent is about.
pub(super) struct Truth {
    pub(super) state: FleetAgentState,
    pub(super) reason: Option<String>,
    pub(super) to_do: Option<&'static str>,
    pub(super) since: Option<Timestamp>,
}

impl Truth {
    fn of(state: FleetAgentState, since: Option<Timestamp>) -> Truth {
        Truth { state, reason: None, to_do: None, since }
    }

    fn because(self, reason: &str, to_do: &'static str) -> Truth {
        Truth { reason: Some(cut(&one_line(reason), REASON)), to_do: Some(to_do), ..self }
    }

    /// The word of the format for it.
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

/// An agent with its session, and what is true of it.
pub(super) struct Stands {
    pub(super) truth: Truth,
    pub(super) session: Option<SessionView>,
    pub(super) latest: Option<Message>,
}

impl Stands {
    /// When the agent was last heard of, where its session lives.
    pub(super) fn heard(&self) -> Option<Timestamp> {
        let live = self.session.as_ref()?.live.as_ref()?;
        Some(heard(live, self.latest.as_ref()))
    }

    /// The agent's record with what is true of it.
    pub(super) fn identity(&self, agent: &AgentIdentity) -> AgentIdentity {
        let live = self.session.as_ref().filter(|session| session.meta.status == Status::Active);
        AgentIdentity {
            status: self.truth.status(),
            session_id: live.map(|session| session.meta.id),
            ..agent.clone()
        }
    }
}

/// How an agent stands. Asks its session's host, where one lives.
pub(super) fn of(engine: &Engine, look: &Look, agent: &AgentIdentity) -> Stands {
    let meta = look.session(agent).filter(|_| agent.status != AgentStatus::Terminated);
    let session = meta.map(|meta| session::view_of(engine, meta.clone()));
    let latest = meta.and_then(|meta| engine.store.session(meta.id).latest_message());
    let truth = match &session {
        _ if agent.status == AgentStatus::Terminated => Truth::of(FleetAgentState::Terminated, None),
        _ if look.starting.contains(&agent.id) => Truth::of(FleetAgentState::Starting, None),
        Some(session) if session.meta.status != Status::Closed => {
            let quiet = Duration::from_secs(60 * u64::from(look.settings.stalled_minutes));
            of_session(&session.meta, session.live.as_ref(), latest.as_ref(), quiet, look.now)
        }
        _ => without_session(look, agent),
    };
    Stands { truth, session, latest }
}

fn without_session(look: &Look, agent: &AgentIdentity) -> Truth {
    let since = look.hooks.get(&agent.id).map(|hook| hook.last_activity);
    let idle = Truth::of(FleetAgentState::Idle, since);
    match look.hook(&agent.id) {
        HookStatus::Empty | HookStatus::Completed => idle,
        HookStatus::Pending => idle.because("has work that it has not begun", "Start it."),
        HookStatus::Active => idle.because(
            "its hook says that it works, and it has no session here",
            "If no other program runs it, start it, or take its work off its hook.",
        ),
    }
}

fn of_session(
    meta: &Meta,
    live: Option<&Live>,
    latest: Option<&Message>,
    quiet: Duration,
    now: Timestamp,
) -> Truth {
    match (meta.status, live) {
        (Status::Active, Some(live)) => alive(live, latest, quiet, now),
        (Status::Active, None) => Truth::of(FleetAgentState::Interrupted, meta.last_activated_at)
            .because("its session does not answer", "It is resumed by itself, once; or hand its work on."),
        _ => paused(meta),
    }
}

fn paused(meta: &Meta) -> Truth {
    let (since, resume) = (meta.paused_at, "Resume it, or hand its work on.");
    let paused = Truth::of(FleetAgentState::Paused, since);
    match meta.pause_reason {
        Some(PauseReason::Interrupted) => Truth::of(FleetAgentState::Interrupted, since)
            .because("its session died", "It is resumed by itself, once; or hand its work on."),
        Some(PauseReason::Exited) => paused.because("claude ended in its session", resume),
        Some(PauseReason::Inactivity) => paused.because("it sat at its prompt for too long", resume),
        Some(PauseReason::Superseded) => paused.because("another session took its place", resume),
        Some(PauseReason::User) | None => paused.because("its session is paused", resume),
    }
}

fn alive(live: &Live, latest: Option<&Message>, quiet: Duration, now: Timestamp) -> Truth {
    use FleetAgentState as S;
    let since = Some(live.activity_since);
    if let Some(request) = live.permissions.first() {
        let input = request.input.as_object().cloned().unwrap_or_default();
        let wants = format!("wants to use {}: {}", request.tool, bc_core::message::tool_subject(&input));
        return Truth::of(S::NeedsYou, Some(request.asked_at)).because(&wants, "Allow it or deny it.");
    }
    match live.activity {
        Activity::WaitingPermission => {
            return Truth::of(S::NeedsYou, since).because("asks for a permission", "Answer in its terminal.");
        }
        Activity::AsksAtStart => {
            return Truth::of(S::NeedsYou, since)
                .because("asks something before it begins", "Answer in its terminal.");
        }
        Activity::Gone => {
            return Truth::of(S::Interrupted, since)
                .because("claude ended in its session", "Wait a moment: it is looked after.");
        }
        Activity::Starting | Activity::Idle | Activity::Working | Activity::Unknown => {}
    }
    if let Some(failed) = latest.filter(|message| message.kind == Some(MessageKind::ApiError)) {
        let state = if is_limit(&failed.content) { S::RateLimited } else { S::NeedsYou };
        return Truth::of(state, Some(failed.timestamp)).because(
            &failed.content,
            "Tell it to go on when the service answers again, or hand its work on.",
        );
    }
    if let Some(trouble) = live.troubles.first() {
        return Truth::of(S::NeedsYou, since).because(trouble, "Look into its terminal.");
    }
    let heard = heard(live, latest);
    let silent = (now - heard).to_std().unwrap_or_default();
    if !quiet.is_zero() && silent >= quiet {
        let minutes = i64::try_from(silent.as_millis()).unwrap_or(i64::MAX);
        let reason = format!("nothing for {}", human_duration(u64::try_from(minutes).unwrap_or_default()));
        let to_do = match live.activity {
            Activity::Idle => "It is at its prompt: tell it what to do, or hand its work on.",
            _ => "Look into its terminal, interrupt it, or hand its work on.",
        };
        return Truth::of(S::Silent, Some(heard)).because(&reason, to_do);
    }
    let state = match live.activity {
        Activity::Working => S::Working,
        Activity::Starting => S::Starting,
        _ => S::AtPrompt,
    };
    Truth::of(state, since)
}

fn heard(live: &Live, latest: Option<&Message>) -> Timestamp {
    latest.map_or(live.activity_since, |message| message.timestamp.max(live.activity_since))
}

/// Whether what claude said of a failure is that there is too much to do.
fn is_limit(text: &str) -> bool {
    let text = text.to_lowercase();
    ["limit", "overloaded", "429", "529", "too many requests"].iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::Role;
    use bc_wire::session::PermissionRequest;

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
            permissions: Vec::new(),
            held: Vec::new(),
            hooks_seen: true,
            hold: None,
            activity_since: at(0),
            troubles: Vec::new(),
        }
    }

    fn said(minute: u32, kind: Option<MessageKind>, text: &str) -> Message {
        Message { kind, ..Message::new("m", Role::Assistant, text, at(minute)) }
    }

    fn now(live: &Live, latest: Option<&Message>, minute: u32) -> (FleetAgentState, Option<String>) {
        let truth = alive(live, latest, QUIET, at(minute));
        (truth.state, truth.reason)
    }

    #[test]
    fn one_of_whom_nothing_is_heard_is_silent_and_a_word_of_it_is_heard() {
        let works = live(Activity::Working);
        assert_eq!(now(&works, None, 14), (FleetAgentState::Working, None));
        let silent = (FleetAgentState::Silent, Some("nothing for 22m".to_owned()));
        assert_eq!(now(&works, None, 22), silent);
        let word = said(20, None, "still here");
        assert_eq!(now(&works, Some(&word), 22), (FleetAgentState::Working, None));
        assert_eq!(now(&live(Activity::Idle), Some(&word), 22), (FleetAgentState::AtPrompt, None));
    }

    #[test]
    fn what_it_waits_for_is_said() {
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
        let limit = said(1, Some(MessageKind::ApiError), "5-hour limit reached, resets 3pm");
        assert_eq!(now(&live(Activity::Idle), Some(&limit), 2).0, FleetAgentState::RateLimited);
        let broken = said(1, Some(MessageKind::ApiError), "Invalid API key");
        assert_eq!(now(&live(Activity::Idle), Some(&broken), 2).0, FleetAgentState::NeedsYou);
    }
}
