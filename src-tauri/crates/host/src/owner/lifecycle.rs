//! When lifecycle hooks run, and what becomes of what they say.
//!
//! What begins and ends a run of the agent goes step by step: a `/clear` is an end, a fresh look at the
//! files, and a start. Nothing of claude's waits for that, but the host's own end does. A tool's use
//! waits for the hooks that may refuse it; all else runs beside the session. Texts for the agent go
//! with its next prompt.

use super::Owner;
use crate::{
    lifecycle::{HookWord, Job, Lifecycle},
    protocol::{Happening, StopKind},
    server::ClientId,
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

/// How long the hooks of the end may take together.
pub(super) const ENDING: Duration = Duration::from_secs(120);

/// The longest field that a hook is given, in bytes: tools have inputs and results of megabytes.
const FIELD_MAX: usize = 1 << 20;

/// Room in a piece of context for what goes with a prompt besides.
const WITH_A_PROMPT: usize = PIECE_MAX - 1_000;

/// How many texts may wait for a prompt.
const TEXTS_MAX: usize = 64;

/// A step of a run's beginning or end.
enum Step {
    Load,
    Begin { source: String, era: u64 },
    End { reason: &'static str, last: bool },
}

#[derive(Default)]
pub(super) struct Hooked {
    threads: Option<Lifecycle>,
    loaded: Option<Loaded>,
    /// What happened before the files were read.
    early: Vec<(Payload, Option<ClientId>)>,
    steps: VecDeque<Step>,
    /// The run of the step that is under way; `None` within it while files are read.
    step: Option<Option<u64>>,
    /// Whether hooks were told of a start and not of its end.
    begun: bool,
    tickets: u64,
    /// How often the conversation was cleared.
    era: u64,
    /// In which conversation, counted so, each run was asked for: what it says is for that one alone.
    eras: HashMap<u64, u64>,
    /// Who waits for which run.
    asked: HashMap<u64, ClientId>,
    texts: VecDeque<(HookEvent, String)>,
    /// Warnings that were told.
    told: HashSet<String>,
}

impl Hooked {
    pub(super) fn new(threads: Option<Lifecycle>) -> Hooked {
        Hooked { threads, ..Hooked::default() }
    }

    /// Whether hooks run or wait to.
    pub(super) fn is_busy(&self) -> bool {
        self.step.is_some() || !self.steps.is_empty() || self.threads.as_ref().is_some_and(|t| !t.is_idle())
    }

    fn ticket(&mut self, era: u64) -> u64 {
        self.tickets += 1;
        self.eras.insert(self.tickets, era);
        self.tickets
    }
}

impl Owner {
    /// Claude says that a conversation begins.
    pub(super) fn on_run_begins(&mut self, source: &str) {
        if self.hooked.threads.is_none() || source == "compact" {
            return;
        }
        if source == "clear" {
            self.end_for_hooks("clear", false);
            self.hooked.texts.clear();
            self.hooked.era += 1;
        }
        if !self.hooked.begun {
            self.hooked.begun = true;
            let era = self.hooked.era;
            self.hooked.steps.extend([Step::Load, Step::Begin { source: source.to_owned(), era }]);
        }
        self.next_step();
    }

    /// A conversation, or the agent itself, has ended; told once, however often it is said.
    pub(super) fn end_for_hooks(&mut self, reason: &'static str, last: bool) {
        if std::mem::take(&mut self.hooked.begun) {
            self.hooked.steps.push_back(Step::End { reason, last });
            self.next_step();
        }
    }

    /// The agent's process is gone.
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
        self.end_for_hooks(reason, true);
    }

    /// The files are to be read anew.
    pub(super) fn reload_hooks(&mut self) {
        if self.hooked.threads.is_some() {
            self.hooked.steps.push_back(Step::Load);
            self.next_step();
        }
    }

    fn next_step(&mut self) {
        while self.hooked.step.is_none()
            && let Some(step) = self.hooked.steps.pop_front()
        {
            let (payload, is_end, era) = match step {
                Step::Load => {
                    let begun = self.hooked.begun;
                    let reads = self.hooked.threads.as_ref().is_some_and(|threads| threads.load(begun));
                    self.hooked.step = reads.then_some(None);
                    continue;
                }
                Step::Begin { source, era } => {
                    let fields = json!({"source": source, "conversation": self.conversation});
                    (Payload::new(HookEvent::SessionStart, Some(&source), fields), false, era)
                }
                Step::End { reason, last } => {
                    let fields = json!({"reason": reason, "conversation": self.conversation});
                    let payload = Payload::new(HookEvent::SessionEnd, Some(reason), fields);
                    (payload, last, self.hooked.era)
                }
            };
            let hooks = self.hooked.loaded.as_ref().map(|l| l.of(payload.event)).unwrap_or_default();
            if hooks.is_empty() && !is_end {
                continue;
            }
            let ticket = self.hooked.ticket(era);
            let job = Job { ticket, hooks, payload, is_end };
            let runs = self.hooked.threads.as_mut().is_some_and(|threads| threads.now(job));
            self.hooked.step = runs.then_some(Some(ticket));
        }
    }

    /// Something happened that hooks may be for; whether `asker` gets its answer later.
    pub(super) fn tell_hooks(&mut self, payload: Payload, asker: Option<ClientId>) -> bool {
        let hooked = &mut self.hooked;
        if hooked.threads.is_none() {
            return false;
        }
        let Some(loaded) = &hooked.loaded else {
            let waits = asker.is_some();
            hooked.early.push((payload, asker));
            return waits;
        };
        let hooks = loaded.of(payload.event);
        if hooks.is_empty() {
            return false;
        }
        let ticket = hooked.ticket(hooked.era);
        let event = payload.event;
        let job = Job { ticket, hooks, payload, is_end: false };
        let Some(threads) = &mut hooked.threads else { return false };
        let runs = if asker.is_some() { threads.now(job) } else { threads.in_turn(job) };
        match (runs, asker) {
            (true, Some(asker)) => drop(hooked.asked.insert(ticket, asker)),
            (true, None) => {}
            (false, _) => {
                hooked.eras.remove(&ticket);
                self.warn_of_hooks(format!(
                    "a hook for {event} was left out: hooks take longer than what they are for comes"
                ));
            }
        }
        runs && asker.is_some()
    }

    pub(super) fn on_hook_word(&mut self, word: HookWord) {
        match word {
            HookWord::Loaded(loaded) => self.on_hooks_loaded(*loaded),
            HookWord::Ran { ticket, event, outcome, unwritten } => {
                if let Some(error) = unwritten {
                    self.warn_of_hooks(format!("the run of a hook could not be recorded: {error}"));
                }
                self.on_hooks_ran(ticket, event, *outcome);
            }
        }
        self.next_step();
        self.on_work_done();
    }

    fn on_hooks_loaded(&mut self, loaded: Loaded) {
        self.hooked.step = None;
        for warning in loaded.warnings.clone() {
            self.warn_of_hooks(warning);
        }
        self.hooked.loaded = Some(loaded);
        for (payload, asker) in std::mem::take(&mut self.hooked.early) {
            if !self.tell_hooks(payload, asker)
                && let Some(asker) = asker
            {
                self.answer_hook(asker, &Answer::Nothing);
            }
        }
    }

    fn on_hooks_ran(&mut self, ticket: u64, event: HookEvent, outcome: Outcome) {
        if let Some(threads) = &mut self.hooked.threads {
            threads.heard();
        }
        if self.hooked.step == Some(Some(ticket)) {
            self.hooked.step = None;
        }
        for run in &outcome.runs {
            self.on_hook_run(run);
        }
        let still_there = self.hooked.eras.remove(&ticket) == Some(self.hooked.era);
        if still_there && event != HookEvent::SessionEnd {
            let texts = outcome.context.into_iter().map(|text| (event, text));
            self.hooked.texts.extend(texts);
            while self.hooked.texts.len() > TEXTS_MAX {
                self.hooked.texts.pop_front();
            }
        }
        if let Some(asker) = self.hooked.asked.remove(&ticket) {
            let answer = outcome.decision.map_or(Answer::Nothing, |(decision, reason)| {
                let verdict = match decision {
                    HookDecision::Allow => ToolVerdict::Allow,
                    HookDecision::Ask => ToolVerdict::Ask,
                    HookDecision::Deny => ToolVerdict::Deny,
                };
                Answer::Tool {
                    verdict,
                    reason: reason.unwrap_or_else(|| format!("a hook says {}", verdict.as_str())),
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

    /// Tells it once.
    fn warn_of_hooks(&mut self, message: String) {
        if self.hooked.told.insert(message.clone()) {
            self.tell(Happening::Trouble { message });
        }
    }

    /// What hooks have for the agent, for its next prompt; recorded as given.
    pub(super) fn texts_of_hooks(&mut self) -> Vec<String> {
        let mut room = WITH_A_PROMPT;
        let mut texts = Vec::new();
        while let Some((_, text)) = self.hooked.texts.front() {
            // The first one always goes, what does not fit goes with the prompt after.
            if !texts.is_empty() && units(text) > room {
                break;
            }
            let Some((event, text)) = self.hooked.texts.pop_front() else { break };
            room = room.saturating_sub(units(&text) + 1);
            self.record(Reason::Prompt, &format!("hook {event}"), text.clone(), false);
            texts.push(text);
        }
        texts
    }

    /// What the agent is told with a prompt, if anything.
    pub(super) fn word_with_the_prompt(&mut self) -> Answer {
        let mut texts = self.texts_of_hooks();
        if let Some(text) = self.work.reminder() {
            self.save_stores();
            self.record(Reason::Prompt, "reminder", text.clone(), false);
            texts.push(text);
        }
        match texts.is_empty() {
            true => Answer::Nothing,
            false => Answer::Context { event: EventName::UserPromptSubmit, text: texts.join("\n\n") },
        }
    }
}

/// A tool's use, for hooks.
pub(super) fn of_tool(event: HookEvent, tool: &ToolUse, agent: Option<&String>, more: Value) -> Payload {
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

/// The value, or what it was where it is too long.
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
    fn what_is_too_long_is_left_out_and_said_so() {
        let tool = ToolUse { name: "Write".into(), id: None, input: Default::default() };
        let more = json!({"tool_response": "x".repeat(FIELD_MAX), "duration_ms": 5});
        let payload = of_tool(HookEvent::PostToolUse, &tool, None, more);
        assert_eq!(payload.fields["tool_response"]["left_out"], format!("{} bytes", FIELD_MAX + 2));
        assert_eq!((&payload.fields["duration_ms"], payload.reason.as_deref()), (&5.into(), Some("Write")));
    }
}
