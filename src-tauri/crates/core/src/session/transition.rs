//! Creates a session's [`Meta`] and applies the state machine to it. Other code may copy times, intervals and
//! reasons, but only this module computes them.

use super::{
    Effect, Event, Interval, Meta, Outcome, PauseReason, Refusal, SCHEMA_VERSION, Status, TokenSplit, apply,
    title_from,
};
use crate::{
    Extra, Timestamp,
    ids::{AgentName, BeadId, BranchName, FleetAgentId, ProjectId, SessionId},
    mode::PermissionMode,
};

/// The data of a new session.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// A new UUID.
    pub id: SessionId,
    pub project_id: ProjectId,
    pub created_at: Timestamp,
    pub bead_id: Option<BeadId>,
    pub agent_id: Option<AgentName>,
    /// The user's title; derived from the objective by default.
    pub title: Option<String>,
    pub objective: Option<String>,
    pub branch: Option<BranchName>,
    pub base_commit: Option<String>,
    /// Claude's working folder, absolute.
    pub cwd: Option<String>,
    /// Whether `cwd` is in a linked git worktree.
    pub worktree: bool,
    pub mode: PermissionMode,
    pub model: Option<String>,
    pub actor: Option<String>,
    /// Whether the simulated agent runs instead of claude.
    pub simulated: bool,
    pub fleet_agent: Option<FleetAgentId>,
}

impl Draft {
    /// Creates a draft with only the required fields.
    pub fn new(id: SessionId, project_id: ProjectId, created_at: Timestamp) -> Draft {
        Draft {
            id,
            project_id,
            created_at,
            bead_id: None,
            agent_id: None,
            title: None,
            objective: None,
            branch: None,
            base_commit: None,
            cwd: None,
            worktree: false,
            mode: PermissionMode::default(),
            model: None,
            actor: None,
            simulated: false,
            fleet_agent: None,
        }
    }
}

impl Meta {
    /// Creates a session in the state `draft`.
    pub fn draft(draft: Draft) -> Meta {
        let given = draft.title.filter(|title| !title.trim().is_empty());
        Meta {
            schema_version: SCHEMA_VERSION,
            id: draft.id,
            project_id: draft.project_id,
            bead_id: draft.bead_id,
            agent_id: draft.agent_id,
            status: Status::Draft,
            created_at: draft.created_at,
            started_at: None,
            paused_at: None,
            closed_at: None,
            title: given.or_else(|| title_from(draft.objective.as_deref(), None)),
            objective: draft.objective,
            files_touched: Vec::new(),
            commits: Vec::new(),
            total_tokens: None,
            total_duration_ms: None,
            branch: draft.branch,
            base_commit: draft.base_commit,
            base_branch: None,
            cwd: draft.cwd,
            worktree: draft.worktree,
            mode: draft.mode,
            model: draft.model,
            actor: draft.actor,
            simulated: draft.simulated,
            fleet_agent: draft.fleet_agent,
            runner: None,
            place: None,
            claude_sessions: Vec::new(),
            pause_reason: None,
            close_reason: None,
            active_intervals: Vec::new(),
            last_activated_at: None,
            tokens: TokenSplit::default(),
            cost_usd: None,
            message_count: 0,
            unknown_transcript_lines: 0,
            unknown_kinds: std::collections::BTreeMap::new(),
            extra: Extra::new(),
        }
    }

    /// Sets a missing title from the objective or the first prompt.
    pub fn name_after(&mut self, first_prompt: &str) {
        if self.title.is_none() {
            self.title = title_from(self.objective.as_deref(), Some(first_prompt));
        }
    }

    /// Applies an event and updates the intervals. The caller saves the session first, then performs the
    /// returned effects in order.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the event is not valid in the current state. The session is then unchanged.
    pub fn transition(&mut self, event: Event, now: Timestamp) -> Result<&'static [Effect], Refusal> {
        self.transition_ending(event, now, now)
    }

    /// Pauses an active session whose process died. The active interval ends at the last sign of life, but
    /// not before its start and not after `now`. If the clock was set back to before the start, `now` is
    /// ignored. Without a sign of life, the interval's length is zero.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the session is not active. The session is then unchanged.
    pub fn interrupt(
        &mut self,
        last_alive: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<&'static [Effect], Refusal> {
        let start = self.open_interval().map_or(now, |interval| interval.start);
        let alive = last_alive.unwrap_or(start);
        let end = if now < start { alive } else { alive.min(now) }.max(start);
        self.transition_ending(Event::Pause(PauseReason::Interrupted), now, end)
    }

    /// The active time in milliseconds; an open interval counts up to `now`.
    pub fn active_ms(&self, now: Timestamp) -> u64 {
        let open = self.open_interval().map_or(0, |interval| interval.ms(now));
        self.total_duration_ms.unwrap_or(0).saturating_add(open)
    }

    /// `end` is the end of the active interval that the event closes.
    fn transition_ending(
        &mut self,
        event: Event,
        now: Timestamp,
        end: Timestamp,
    ) -> Result<&'static [Effect], Refusal> {
        let (state, effects) = match apply(self.status, event) {
            Outcome::Accepted { state, effects } => (state, effects),
            Outcome::Refused(refusal) => return Err(refusal),
        };
        self.status = state;
        for effect in effects {
            match effect {
                Effect::OpenInterval => self.open(now),
                Effect::CloseInterval => self.close_interval(end),
                Effect::Launch | Effect::Relaunch | Effect::Stop => {}
            }
        }
        match event {
            Event::Start | Event::Resume => {
                self.started_at.get_or_insert(now);
                self.last_activated_at = Some(now);
                (self.paused_at, self.pause_reason) = (None, None);
            }
            Event::Pause(reason) => (self.paused_at, self.pause_reason) = (Some(end), Some(reason)),
            Event::Close(reason) => {
                self.closed_at = Some(now);
                self.close_reason = Some(reason);
                self.pause_reason = None;
            }
        }
        Ok(effects)
    }

    fn open_interval(&self) -> Option<&Interval> {
        self.active_intervals.last().filter(|interval| interval.end.is_none())
    }

    fn open(&mut self, now: Timestamp) {
        // Another program's file can have an open interval of an inactive session.
        if let Some(start) = self.open_interval().map(|interval| interval.start) {
            self.close_interval(start);
        }
        self.active_intervals.push(Interval { start: now, end: None });
    }

    /// Adds to the total instead of recomputing it, because another program's file can have a total without
    /// intervals.
    fn close_interval(&mut self, end: Timestamp) {
        let Some(interval) = self.active_intervals.last_mut().filter(|interval| interval.end.is_none())
        else {
            return;
        };
        interval.end = Some(end.max(interval.start));
        let ms = interval.ms(end);
        self.total_duration_ms = Some(self.total_duration_ms.unwrap_or(0).saturating_add(ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::CloseReason;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
            + chrono::Duration::minutes(minutes)
    }

    fn draft() -> Meta {
        Meta::draft(Draft::new(SessionId(Uuid::nil()), "proj-1".parse().unwrap(), at(0)))
    }

    const PAUSE: Event = Event::Pause(PauseReason::User);
    const CLOSE: Event = Event::Close(CloseReason::User);

    #[test]
    fn a_drafts_title_defaults_to_the_objective() {
        let titled = |title: Option<&str>, objective: Option<&str>| {
            let draft =
                Draft { title: title.map(Into::into), objective: objective.map(Into::into), ..base() };
            Meta::draft(draft).title
        };
        assert_eq!(titled(Some("Mine"), Some("Other")).as_deref(), Some("Mine"));
        assert_eq!(titled(Some("  "), Some("Make it fast\nnow")).as_deref(), Some("Make it fast"));
        assert_eq!(titled(None, None), None);
    }

    fn base() -> Draft {
        Draft::new(SessionId(Uuid::nil()), "proj-1".parse().unwrap(), at(0))
    }

    #[test]
    fn a_clock_set_back_does_not_shorten_a_crashed_session() {
        let mut meta = draft();
        meta.transition(Event::Start, at(100)).unwrap();
        meta.interrupt(Some(at(160)), at(-400 * 24 * 60)).unwrap();
        assert_eq!(meta.total_duration_ms, Some(60 * 60_000));
    }

    #[test]
    fn the_first_prompt_names_a_session_only_once() {
        let mut meta = draft();
        meta.name_after("fix the tests\nplease");
        meta.name_after("something else");
        assert_eq!(meta.title.as_deref(), Some("fix the tests"));
    }

    #[test]
    fn only_active_time_counts() {
        let mut meta = draft();
        assert_eq!(meta.transition(Event::Start, at(1)).unwrap(), [Effect::OpenInterval, Effect::Launch]);
        meta.transition(PAUSE, at(46)).unwrap();
        assert_eq!((meta.paused_at, meta.pause_reason), (Some(at(46)), Some(PauseReason::User)));
        meta.transition(Event::Resume, at(600)).unwrap();
        assert_eq!((meta.paused_at, meta.pause_reason), (None, None));
        assert_eq!(meta.active_ms(at(605)), 50 * 60_000);
        meta.transition(CLOSE, at(610)).unwrap();
        assert_eq!(meta.total_duration_ms, Some(55 * 60_000));
        assert_eq!((meta.started_at, meta.last_activated_at), (Some(at(1)), Some(at(600))));
        assert_eq!((meta.closed_at, meta.close_reason), (Some(at(610)), Some(CloseReason::User)));
        assert_eq!(meta.active_ms(at(9999)), 55 * 60_000);
    }

    #[test]
    fn a_crash_ends_the_interval_at_the_last_heartbeat() {
        for (last_alive, end) in [(Some(at(30)), 30), (Some(at(-5)), 10), (Some(at(5000)), 1000), (None, 10)]
        {
            let mut meta = draft();
            meta.transition(Event::Start, at(10)).unwrap();
            meta.interrupt(last_alive, at(1000)).unwrap();
            assert_eq!((meta.status, meta.pause_reason), (Status::Paused, Some(PauseReason::Interrupted)));
            assert_eq!(meta.paused_at, Some(at(end)), "last alive {last_alive:?}");
            assert_eq!(meta.active_intervals, [Interval { start: at(10), end: Some(at(end)) }]);
            assert_eq!(meta.total_duration_ms, Some(u64::try_from(end - 10).unwrap() * 60_000));
        }
    }

    #[test]
    fn a_clock_set_back_ends_an_interval_at_its_start() {
        let mut meta = draft();
        meta.transition(Event::Start, at(10)).unwrap();
        meta.transition(PAUSE, at(5)).unwrap();
        assert_eq!(meta.active_intervals, [Interval { start: at(10), end: Some(at(10)) }]);
        assert_eq!(meta.total_duration_ms, Some(0));
    }

    #[test]
    fn closing_a_paused_session_keeps_the_pause_time_but_not_the_reason() {
        let mut meta = draft();
        meta.transition(Event::Start, at(0)).unwrap();
        meta.transition(PAUSE, at(5)).unwrap();
        assert_eq!(meta.transition(CLOSE, at(9)).unwrap(), []);
        assert_eq!((meta.paused_at, meta.pause_reason, meta.closed_at), (Some(at(5)), None, Some(at(9))));
    }

    #[test]
    fn a_total_without_intervals_is_kept_and_added_to() {
        let mut meta = draft();
        (meta.status, meta.total_duration_ms) = (Status::Paused, Some(3_600_000));
        meta.transition(Event::Resume, at(0)).unwrap();
        meta.transition(PAUSE, at(1)).unwrap();
        assert_eq!(meta.total_duration_ms, Some(3_660_000));
    }

    proptest! {
        #[test]
        fn any_sequence_of_events_keeps_the_fields_consistent(
            steps in prop::collection::vec((0u8..5, -10i64..100), 0..30)
        ) {
            let (mut meta, mut minute) = (draft(), 0);
            for (what, pass) in steps {
                minute += pass;
                let (before, now) = (meta.clone(), at(minute));
                let result = match what {
                    0 => meta.transition(Event::Start, now),
                    1 => meta.transition(PAUSE, now),
                    2 => meta.transition(Event::Resume, now),
                    3 => meta.interrupt(Some(at(minute - 3)), now),
                    _ => meta.transition(CLOSE, now),
                };
                if result.is_err() {
                    prop_assert_eq!(&meta, &before);
                }
                let active = meta.status == Status::Active;
                let open = meta.active_intervals.iter().filter(|i| i.end.is_none()).count();
                prop_assert_eq!(open, usize::from(active));
                let ended: Vec<_> = meta.active_intervals.iter().filter(|i| i.end.is_some()).cloned().collect();
                prop_assert!(ended.iter().all(|i| i.end >= Some(i.start)));
                let total = |intervals: &[Interval]| intervals.iter().map(|i| i.ms(now)).sum::<u64>();
                prop_assert_eq!(meta.total_duration_ms.unwrap_or(0), total(&ended));
                prop_assert_eq!(meta.active_ms(now), total(&meta.active_intervals));
                prop_assert_eq!(meta.pause_reason.is_some(), meta.status == Status::Paused);
                prop_assert_eq!(meta.closed_at.is_some(), meta.status == Status::Closed);
                prop_assert_eq!(meta.started_at.is_some(), !meta.active_intervals.is_empty());
                let json = serde_json::to_string(&meta).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Meta>(&json).unwrap(), &meta);
            }
        }
    }
}
