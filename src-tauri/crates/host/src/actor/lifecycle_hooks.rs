//! Decides when lifecycle hooks run, and handles their results.
//!
//! The start and the end of an agent run are processed step by step: a `/clear` is an end, a reload of the hook
//! files, and a start. Claude does not wait for these hooks, but the host's own end does. A tool call waits for hooks
//! that may refuse it; all other hooks run in parallel to the session. Texts for the agent go out with its next
//! prompt.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    hook_threads::{HookJob, HookReply, HookThreads},
    protocol::{Happening, StopKind},
};
use bc_claude::hooks::{Answer, EventName, PIECE_MAX, ToolUse, ToolVerdict};
use bc_core::{
    hooks::{HookDecision, HookEvent, HookRun},
    recovery::Reason,
    session::{CloseReason, PauseReason},
    text::{cut, one_line, units},
};
use bc_hooks::{Loaded, Outcome, Payload};
use serde_json::{Value, json};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Duration,
};

/// The time limit of all end hooks together.
pub(super) const END_HOOKS_WITHIN: Duration = Duration::from_secs(120);

/// The limit of a field in a hook's payload, in bytes: tool inputs and results can have megabytes.
const FIELD_MAX: usize = 1 << 20;

/// The limit of texts that go out with a prompt, in [`units`]; the rest is for other context.
const PROMPT_CONTEXT_MAX: usize = PIECE_MAX - 1_000;

/// The limit of texts that wait for a prompt.
const TEXTS_MAX: usize = 64;

/// A step of a run's start or end.
enum Step {
    Load,
    Begin { source: String, epoch: u64 },
    End { reason: &'static str, last: bool },
}

#[derive(Default)]
pub(super) struct LifecycleHooks {
    threads: Option<HookThreads>,
    loaded: Option<Loaded>,
    /// Events before the hook files were loaded.
    pending_events: Vec<(Payload, Option<ClientId>)>,
    steps: VecDeque<Step>,
    /// The ticket of the current step's run; `None` inside while files are loaded.
    step: Option<Option<u64>>,
    /// Whether a start was reported to hooks, but not its end.
    begun: bool,
    tickets: u64,
    /// How often the conversation was cleared.
    epoch: u64,
    /// The epoch in which each run was requested: its result is for that conversation only.
    epochs: HashMap<u64, u64>,
    /// The client that waits for each run.
    waiting_clients: HashMap<u64, ClientId>,
    texts: VecDeque<(HookEvent, String)>,
    /// Warnings that were published.
    warned: HashSet<String>,
}

impl LifecycleHooks {
    pub(super) fn new(threads: Option<HookThreads>) -> LifecycleHooks {
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
}

impl SessionActor {
    /// Claude reports the start of a conversation.
    pub(super) fn on_run_begins(&mut self, source: &str) {
        if self.lifecycle_hooks.threads.is_none() || source == "compact" {
            return;
        }
        if source == "clear" {
            self.queue_session_end_hooks("clear", false);
            self.lifecycle_hooks.texts.clear();
            self.lifecycle_hooks.epoch += 1;
        }
        if !self.lifecycle_hooks.begun {
            self.lifecycle_hooks.begun = true;
            let epoch = self.lifecycle_hooks.epoch;
            self.lifecycle_hooks.steps.extend([Step::Load, Step::Begin { source: source.to_owned(), epoch }]);
        }
        self.next_step();
    }

    /// A conversation or the agent has ended; reported once per start.
    pub(super) fn queue_session_end_hooks(&mut self, reason: &'static str, last: bool) {
        if std::mem::take(&mut self.lifecycle_hooks.begun) {
            self.lifecycle_hooks.steps.push_back(Step::End { reason, last });
            self.next_step();
        }
    }

    /// The agent's process has ended.
    pub(super) fn on_agent_gone(&mut self, then: Option<StopKind>) {
        let reason = match then {
            None => "exit",
            Some(StopKind::Pause(PauseReason::User)) => "pause",
            Some(StopKind::Pause(PauseReason::Inactivity)) => "timeout",
            Some(StopKind::Pause(PauseReason::Exited)) => "exit",
            Some(StopKind::Pause(PauseReason::Interrupted)) => "interrupted",
            Some(StopKind::Pause(PauseReason::Superseded)) => "superseded",
            Some(StopKind::Close(CloseReason::User | CloseReason::Abandoned)) => "end",
            Some(StopKind::Close(CloseReason::InReview)) => "in_review",
        };
        self.queue_session_end_hooks(reason, true);
    }

    /// Reloads the hook files.
    pub(super) fn reload_hooks(&mut self) {
        if self.lifecycle_hooks.threads.is_some() {
            self.lifecycle_hooks.steps.push_back(Step::Load);
            self.next_step();
        }
    }

    fn next_step(&mut self) {
        while self.lifecycle_hooks.step.is_none()
            && let Some(step) = self.lifecycle_hooks.steps.pop_front()
        {
            let (payload, is_end, epoch) = match step {
                Step::Load => {
                    let begun = self.lifecycle_hooks.begun;
                    let reads =
                        self.lifecycle_hooks.threads.as_ref().is_some_and(|threads| threads.load(begun));
                    self.lifecycle_hooks.step = reads.then_some(None);
                    continue;
                }
                Step::Begin { source, epoch } => {
                    let fields = json!({"source": source, "conversation": self.conversation});
                    (Payload::new(HookEvent::SessionStart, Some(&source), fields), false, epoch)
                }
                Step::End { reason, last } => {
                    let fields = json!({"reason": reason, "conversation": self.conversation});
                    let payload = Payload::new(HookEvent::SessionEnd, Some(reason), fields);
                    (payload, last, self.lifecycle_hooks.epoch)
                }
            };
            let hooks = self.lifecycle_hooks.loaded.as_ref().map(|l| l.of(payload.event)).unwrap_or_default();
            if hooks.is_empty() && !is_end {
                continue;
            }
            let ticket = self.lifecycle_hooks.ticket(epoch);
            let job = HookJob { ticket, hooks, payload, is_end };
            let runs = self.lifecycle_hooks.threads.as_mut().is_some_and(|threads| threads.run_now(job));
            self.lifecycle_hooks.step = runs.then_some(Some(ticket));
        }
    }

    /// Reports an event to its hooks. Returns whether `asker` gets its answer later.
    pub(super) fn dispatch_to_hooks(&mut self, payload: Payload, asker: Option<ClientId>) -> bool {
        let hooks_state = &mut self.lifecycle_hooks;
        if hooks_state.threads.is_none() {
            return false;
        }
        let Some(loaded) = &hooks_state.loaded else {
            let waits = asker.is_some();
            hooks_state.pending_events.push((payload, asker));
            return waits;
        };
        let hooks = loaded.of(payload.event);
        if hooks.is_empty() {
            return false;
        }
        let ticket = hooks_state.ticket(hooks_state.epoch);
        let event = payload.event;
        let job = HookJob { ticket, hooks, payload, is_end: false };
        let Some(threads) = &mut hooks_state.threads else { return false };
        let runs = if asker.is_some() { threads.run_now(job) } else { threads.run_in_order(job) };
        match (runs, asker) {
            (true, Some(asker)) => drop(hooks_state.waiting_clients.insert(ticket, asker)),
            (true, None) => {}
            (false, _) => {
                hooks_state.epochs.remove(&ticket);
                self.warn_of_hooks(format!(
                    "skipped a hook for {event}: events arrive faster than the hooks run"
                ));
            }
        }
        runs && asker.is_some()
    }

    pub(super) fn on_hook_reply(&mut self, reply: HookReply) {
        match reply {
            HookReply::Loaded(loaded) => self.on_hooks_loaded(*loaded),
            HookReply::Ran { ticket, event, outcome, unwritten } => {
                if let Some(error) = unwritten {
                    self.warn_of_hooks(format!("cannot record a hook's run: {error}"));
                }
                self.on_hooks_ran(ticket, event, *outcome);
            }
        }
        self.next_step();
        self.on_work_done();
    }

    fn on_hooks_loaded(&mut self, loaded: Loaded) {
        self.lifecycle_hooks.step = None;
        for warning in loaded.warnings.clone() {
            self.warn_of_hooks(warning);
        }
        self.lifecycle_hooks.loaded = Some(loaded);
        for (payload, asker) in std::mem::take(&mut self.lifecycle_hooks.pending_events) {
            if !self.dispatch_to_hooks(payload, asker)
                && let Some(asker) = asker
            {
                self.answer_hook(asker, &Answer::Nothing);
            }
        }
    }

    fn on_hooks_ran(&mut self, ticket: u64, event: HookEvent, outcome: Outcome) {
        if let Some(threads) = &mut self.lifecycle_hooks.threads {
            threads.on_reply();
        }
        if self.lifecycle_hooks.step == Some(Some(ticket)) {
            self.lifecycle_hooks.step = None;
        }
        for run in &outcome.runs {
            self.on_hook_run(run);
        }
        let still_there = self.lifecycle_hooks.epochs.remove(&ticket) == Some(self.lifecycle_hooks.epoch);
        if still_there && event != HookEvent::SessionEnd {
            let texts = outcome.context.into_iter().map(|text| (event, text));
            self.lifecycle_hooks.texts.extend(texts);
            while self.lifecycle_hooks.texts.len() > TEXTS_MAX {
                self.lifecycle_hooks.texts.pop_front();
            }
        }
        if let Some(asker) = self.lifecycle_hooks.waiting_clients.remove(&ticket) {
            let answer = outcome.decision.map_or(Answer::Nothing, |(decision, reason)| {
                let verdict = match decision {
                    HookDecision::Allow => ToolVerdict::Allow,
                    HookDecision::Ask => ToolVerdict::Ask,
                    HookDecision::Deny => ToolVerdict::Deny,
                };
                Answer::Tool {
                    verdict,
                    reason: reason.unwrap_or_else(|| format!("a hook decided: {}", verdict.as_str())),
                }
            });
            self.answer_hook(asker, &answer);
        }
    }

    fn on_hook_run(&mut self, run: &HookRun) {
        if let Some(warning) = &run.warning {
            let command = cut(&one_line(&run.command), 80);
            self.warn_of_hooks(format!("the hook `{command}` for {} of {}: {warning}", run.event, run.file));
        }
    }

    /// Publishes a warning once.
    fn warn_of_hooks(&mut self, message: String) {
        if self.lifecycle_hooks.warned.insert(message.clone()) {
            self.publish(Happening::Trouble { message });
        }
    }

    /// Takes the texts of hooks for the agent's next prompt and records them.
    pub(super) fn take_hook_texts(&mut self) -> Vec<String> {
        let mut room = PROMPT_CONTEXT_MAX;
        let mut texts = Vec::new();
        while let Some((_, text)) = self.lifecycle_hooks.texts.front() {
            // The first text always goes out; texts that do not fit go out with the following prompt.
            if !texts.is_empty() && units(text) > room {
                break;
            }
            let Some((event, text)) = self.lifecycle_hooks.texts.pop_front() else { break };
            room = room.saturating_sub(units(&text) + 1);
            self.record_injection(Reason::Prompt, &format!("hook {event}"), text.clone(), false);
            texts.push(text);
        }
        texts
    }

    /// The context that goes out with a prompt, if any.
    pub(super) fn context_with_prompt(&mut self) -> Answer {
        let mut texts = self.take_hook_texts();
        if let Some(text) = self.bead_work.reminder() {
            self.save_stores();
            self.record_injection(Reason::Prompt, "reminder", text.clone(), false);
            texts.push(text);
        }
        match texts.is_empty() {
            true => Answer::Nothing,
            false => Answer::Context { event: EventName::UserPromptSubmit, text: texts.join("\n\n") },
        }
    }
}

/// The payload of a tool call.
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

/// The value, or its size if it is too long.
fn bounded(value: Value) -> Value {
    let bytes = value.to_string().len();
    match bytes > FIELD_MAX {
        true => json!({"left_out": format!("{bytes} bytes")}),
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_fields_are_replaced_by_their_size() {
        let tool = ToolUse { name: "Write".into(), id: None, input: Default::default() };
        let more = json!({"tool_response": "x".repeat(FIELD_MAX), "duration_ms": 5});
        let payload = tool_payload(HookEvent::PostToolUse, &tool, None, more);
        assert_eq!(payload.fields["tool_response"]["left_out"], format!("{} bytes", FIELD_MAX + 2));
        assert_eq!((&payload.fields["duration_ms"], payload.reason.as_deref()), (&5.into(), Some("Write")));
    }
}
