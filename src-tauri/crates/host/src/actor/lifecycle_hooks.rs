//! Decides when lifecycle hooks run, and handles their results.
//!
//! The start and the end of an agent run are processed step by step. A `/clear` is an end, a reload of the
//! hook files, and a start. Claude does not wait for these hooks, but the host waits for them before it
//! exits. A tool call waits for hooks that can deny it; all other hooks run in parallel with the session.
//! Messages for the agent are sent with its next prompt.

use super::effects::Effects;
use crate::{
    client_id::ClientId,
    hook_threads::{HookJob, HookReply, HookRuns},
    protocol::StopKind,
};
use bc_claude::hooks::{Answer, PIECE_MAX, ToolUse};
use bc_core::{
    hooks::{HookDecision, HookEvent},
    ids::ConversationId,
    session::{CloseReason, PauseReason},
    text::{cut, one_line, units},
};
use bc_hooks::{Loaded, Outcome, Payload};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet, VecDeque};

/// The maximum size of a field in a hook's payload, in bytes. Tool inputs and results can be several
/// megabytes.
const FIELD_MAX: usize = 1 << 20;

/// The maximum length of the messages sent with one prompt, in [`units`]. A single longer message is sent
/// alone. The remaining space is reserved for other context.
const PROMPT_CONTEXT_MAX: usize = PIECE_MAX - 1_000;

/// The maximum number of messages that wait for a prompt. The oldest are dropped.
const TEXTS_MAX: usize = 64;

/// A step in the start or the end of an agent run.
enum Step {
    Load,
    Begin { source: String, epoch: u64 },
    End { reason: &'static str, last: bool },
}

#[derive(Default)]
pub(super) struct LifecycleHooks {
    threads: Option<Box<dyn HookRuns>>,
    loaded: Option<Loaded>,
    /// Events that arrived before the hook files were loaded, each with its waiting client.
    pending_events: Vec<(Payload, Option<ClientId>)>,
    steps: VecDeque<Step>,
    /// The current step: `Some(None)` while the files are being loaded, otherwise the ticket of the step's
    /// run.
    step: Option<Option<u64>>,
    /// Whether a start has been reported to hooks without a matching end.
    begun: bool,
    tickets: u64,
    /// The number of times the conversation was cleared.
    epoch: u64,
    /// The epoch in which each run was requested, by ticket. A run's result applies only to that epoch's
    /// conversation.
    epochs: HashMap<u64, u64>,
    /// The clients that wait for a run, by ticket.
    waiting_clients: HashMap<u64, ClientId>,
    texts: VecDeque<(HookEvent, String)>,
    /// The warnings that have already been published.
    warned: HashSet<String>,
}

impl LifecycleHooks {
    pub(super) fn new(threads: Option<Box<dyn HookRuns>>) -> LifecycleHooks {
        LifecycleHooks { threads, ..LifecycleHooks::default() }
    }

    /// Whether hooks are running or queued.
    pub(super) fn is_busy(&self) -> bool {
        self.step.is_some() || !self.steps.is_empty() || self.threads.as_ref().is_some_and(|t| !t.is_idle())
    }

    fn ticket(&mut self, epoch: u64) -> u64 {
        self.tickets += 1;
        self.epochs.insert(self.tickets, epoch);
        self.tickets
    }

    /// Called at claude's SessionStart hook, with its reason: `startup`, `resume`, `clear` or `compact`.
    pub(super) fn on_run_begins(&mut self, source: &str, conversation: ConversationId) {
        if self.threads.is_none() || source == "compact" {
            return;
        }
        if source == "clear" {
            self.queue_session_end("clear", false, conversation);
            self.texts.clear();
            self.epoch += 1;
        }
        if !self.begun {
            self.begun = true;
            let epoch = self.epoch;
            self.steps.extend([Step::Load, Step::Begin { source: source.to_owned(), epoch }]);
        }
        self.next_step(conversation);
    }

    pub(super) fn on_cleared(&mut self, conversation: ConversationId) {
        self.queue_session_end("clear", false, conversation);
    }

    /// Queues the report that a conversation or the agent has ended, at most once per start.
    fn queue_session_end(&mut self, reason: &'static str, last: bool, conversation: ConversationId) {
        if std::mem::take(&mut self.begun) {
            self.steps.push_back(Step::End { reason, last });
            self.next_step(conversation);
        }
    }

    pub(super) fn on_agent_ended(&mut self, then: Option<StopKind>, conversation: ConversationId) {
        let reason = match then {
            None | Some(StopKind::Pause(PauseReason::Exited)) => "exit",
            Some(StopKind::Pause(PauseReason::User)) => "pause",
            Some(StopKind::Pause(PauseReason::Inactivity)) => "timeout",
            Some(StopKind::Pause(PauseReason::Interrupted)) => "interrupted",
            Some(StopKind::Pause(PauseReason::Superseded)) => "superseded",
            Some(StopKind::Close(CloseReason::User | CloseReason::Abandoned)) => "end",
            Some(StopKind::Close(CloseReason::InReview)) => "in_review",
        };
        self.queue_session_end(reason, true, conversation);
    }

    pub(super) fn reload(&mut self, conversation: ConversationId) {
        if self.threads.is_some() {
            self.steps.push_back(Step::Load);
            self.next_step(conversation);
        }
    }

    fn next_step(&mut self, conversation: ConversationId) {
        while self.step.is_none()
            && let Some(step) = self.steps.pop_front()
        {
            let (payload, is_end, epoch) = match step {
                Step::Load => {
                    let loads = self.threads.as_ref().is_some_and(|threads| threads.load(self.begun));
                    self.step = loads.then_some(None);
                    continue;
                }
                Step::Begin { source, epoch } => {
                    let fields = json!({"source": source, "conversation": conversation});
                    (Payload::new(HookEvent::SessionStart, Some(&source), fields), false, epoch)
                }
                Step::End { reason, last } => {
                    let fields = json!({"reason": reason, "conversation": conversation});
                    (Payload::new(HookEvent::SessionEnd, Some(reason), fields), last, self.epoch)
                }
            };
            let hooks = self.loaded.as_ref().map(|l| l.of(payload.event)).unwrap_or_default();
            if hooks.is_empty() && !is_end {
                continue;
            }
            let ticket = self.ticket(epoch);
            let job = HookJob { ticket, hooks, payload, is_end };
            let runs = self.threads.as_mut().is_some_and(|threads| threads.run_now(job));
            self.step = runs.then_some(Some(ticket));
        }
    }

    /// Runs the hooks for an event. Returns whether there is an `asker` that is answered by this part: after
    /// the hooks have run, or with a denial if they cannot be started. Otherwise the caller must answer.
    pub(super) fn dispatch(
        &mut self,
        payload: Payload,
        asker: Option<ClientId>,
        effects: &mut Effects,
    ) -> bool {
        if self.threads.is_none() {
            return false;
        }
        let Some(loaded) = &self.loaded else {
            self.pending_events.push((payload, asker));
            return asker.is_some();
        };
        let hooks = loaded.of(payload.event);
        if hooks.is_empty() {
            return false;
        }
        let ticket = self.ticket(self.epoch);
        let event = payload.event;
        let job = HookJob { ticket, hooks, payload, is_end: false };
        let Some(threads) = &mut self.threads else { return false };
        let runs = if asker.is_some() { threads.run_now(job) } else { threads.run_in_order(job) };
        if runs {
            self.waiting_clients.extend(asker.map(|asker| (ticket, asker)));
            return asker.is_some();
        }
        self.epochs.remove(&ticket);
        self.warn(format!("skipped a hook for {event}: events arrive faster than the hooks run"), effects);
        // The skipped hook could have denied the call, so the call must not run without it.
        if let Some(asker) = asker {
            let reason = "the hooks for this call could not be started; try again later".to_owned();
            effects.answer_hook(asker, Answer::Tool { decision: HookDecision::Deny, reason });
        }
        asker.is_some()
    }

    /// Handles the reply after hooks were loaded or have run.
    pub(super) fn on_reply(&mut self, reply: HookReply, conversation: ConversationId, effects: &mut Effects) {
        match reply {
            HookReply::Loaded(loaded) => self.on_loaded(*loaded, effects),
            HookReply::Ran { ticket, event, outcome, unwritten } => {
                if let Some(error) = unwritten {
                    self.warn(format!("cannot record a hook's run: {error}"), effects);
                }
                self.on_ran(ticket, event, *outcome, effects);
            }
        }
        self.next_step(conversation);
    }

    fn on_loaded(&mut self, loaded: Loaded, effects: &mut Effects) {
        self.step = None;
        for warning in loaded.warnings.clone() {
            self.warn(warning, effects);
        }
        self.loaded = Some(loaded);
        for (payload, asker) in std::mem::take(&mut self.pending_events) {
            if !self.dispatch(payload, asker, effects)
                && let Some(asker) = asker
            {
                effects.answer_hook(asker, Answer::Nothing);
            }
        }
    }

    fn on_ran(&mut self, ticket: u64, event: HookEvent, outcome: Outcome, effects: &mut Effects) {
        if let Some(threads) = &mut self.threads {
            threads.on_reply();
        }
        self.step.take_if(|step| *step == Some(ticket));
        for run in &outcome.runs {
            if let Some(warning) = &run.warning {
                let command = cut(&one_line(&run.command), 80);
                let message = format!("the hook `{command}` for {} of {}: {warning}", run.event, run.file);
                self.warn(message, effects);
            }
        }
        let is_current = self.epochs.remove(&ticket) == Some(self.epoch);
        if is_current && event != HookEvent::SessionEnd {
            self.texts.extend(outcome.context.into_iter().map(|text| (event, text)));
            while self.texts.len() > TEXTS_MAX {
                self.texts.pop_front();
            }
        }
        if let Some(asker) = self.waiting_clients.remove(&ticket) {
            let answer = outcome.decision.map_or(Answer::Nothing, |(decision, reason)| {
                let decided = match decision {
                    HookDecision::Allow => "a hook decided: allow",
                    HookDecision::Ask => "a hook decided: ask",
                    HookDecision::Deny => "a hook decided: deny",
                };
                Answer::Tool { decision, reason: reason.unwrap_or_else(|| decided.to_owned()) }
            });
            effects.answer_hook(asker, answer);
        }
    }

    /// Publishes a warning once.
    fn warn(&mut self, message: String, effects: &mut Effects) {
        if self.warned.insert(message.clone()) {
            effects.publish_trouble(message);
        }
    }

    /// Takes the hooks' messages for the agent's next prompt, each with its event.
    pub(super) fn take_texts(&mut self) -> Vec<(HookEvent, String)> {
        let mut room = PROMPT_CONTEXT_MAX;
        let mut texts = Vec::new();
        // The first message is always sent. Messages that do not fit are sent with a later prompt.
        while let Some((event, text)) =
            self.texts.pop_front_if(|(_, text)| texts.is_empty() || units(text) <= room)
        {
            room = room.saturating_sub(units(&text) + 1);
            texts.push((event, text));
        }
        texts
    }
}

pub(super) fn tool_payload(event: HookEvent, tool: &ToolUse, agent: Option<&String>, more: Value) -> Payload {
    let mut fields = json!({
        "tool_name": tool.name,
        "tool_input": bounded(Value::Object(tool.input.clone())),
        "tool_use_id": tool.id,
        "subagent": agent,
    });
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more.into_iter().map(|(name, value)| (name, bounded(value))));
    }
    Payload::new(event, Some(&tool.name), fields)
}

/// Returns the value, or its size if it is too long.
fn bounded(value: Value) -> Value {
    let bytes = value.to_string().len();
    match bytes > FIELD_MAX {
        true => json!({"left_out": format!("{bytes} bytes")}),
        false => value,
    }
}

#[cfg(test)]
mod tests;
