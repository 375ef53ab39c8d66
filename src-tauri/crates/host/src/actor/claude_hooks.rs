//! Routes the events of claude's hooks, and recorded messages, to the parts of the actor.

use super::{SessionActor, lifecycle_hooks::tool_payload};
use crate::{
    client_id::ClientId,
    frame::Frame,
    permissions::ToolCall,
    prompt_state::{Fact, Source},
    protocol::{Happening, TurnFailure},
    recorder::{Displayed, Note, STOPPED},
};
use bc_claude::hooks::{Answer, Event, EventName, Hook, ToolUse};
use bc_claude::transcript::as_pasted;
use bc_core::{
    hooks::HookEvent,
    message::{Message, MessageKind, Role},
};
use bc_git::{NewTurn, PromptPlace};
use bc_hooks::Payload;
use serde_json::json;
use std::time::Instant;

impl SessionActor {
    pub(super) fn on_hook(&mut self, id: ClientId, name: &str, index: usize, frame: &Frame) {
        tracing::debug!(event = name, index, bytes = frame.payload.len(), "hook event");
        let Ok(hook) = Hook::decode(name, &frame.payload) else {
            tracing::warn!(event = name, bytes = frame.payload.len(), "hook event could not be decoded");
            return self.effects.answer_hook(id, Answer::Nothing);
        };
        self.record_status.hooks_seen = true;
        self.status_line.on_hook_mode(&hook, &mut self.effects);
        let now = Instant::now();
        let answer = match &hook.event {
            Event::SessionStart { source } => {
                // Claude runs several SessionStart hooks in parallel; only hook 0 marks the start.
                if index == 0 {
                    self.on_session_start(&hook, source);
                }
                let (work, effects) = (&mut self.bead_work, &mut self.effects);
                self.context_injection.on_start_hook((id, index), source, work, now, effects);
                None
            }
            Event::PreCompact { .. } if is_main(&hook) => {
                self.on_plain_hook(&hook);
                let (work, effects) = (&mut self.bead_work, &mut self.effects);
                let waits = self.context_injection.on_compaction(id, work, now, effects);
                (!waits).then_some(Answer::Nothing)
            }
            Event::UserPromptSubmit { prompt } if is_main(&hook) => {
                self.on_plain_hook(&hook);
                let place = PromptPlace { conversation: hook.conversation, prompt: hook.prompt_id.clone() };
                let turn = NewTurn { prompt: as_pasted(prompt).into_owned(), at: (self.now)(), place };
                let answer = self.context_with_prompt();
                self.checkpoints.answer(id, answer, turn, &mut self.effects);
                None
            }
            Event::PreToolUse(tool) => {
                self.on_plain_hook(&hook);
                let payload = tool_payload(HookEvent::PreToolUse, tool, hook.agent_id.as_ref(), json!({}));
                (!self.lifecycle_hooks.dispatch(payload, Some(id), &mut self.effects))
                    .then_some(Answer::Nothing)
            }
            Event::PermissionRequest { tool, suggestions } => {
                let (prompt, effects) = (&mut self.claude.prompt, &mut self.effects);
                self.permissions.ask(id, call(&hook, tool), suggestions.clone(), prompt, effects);
                self.on_screen_changed();
                None
            }
            _ => {
                self.on_plain_hook(&hook);
                Some(Answer::Nothing)
            }
        };
        self.effects.transcript_changed();
        if let Some(answer) = answer {
            self.effects.answer_hook(id, answer);
        }
    }

    fn on_session_start(&mut self, hook: &Hook, raw_source: &str) {
        let source = match raw_source {
            "clear" => Source::Cleared,
            "compact" => Source::Compacted,
            _ => Source::Started,
        };
        self.failure = None;
        self.claude.prompt.apply(Fact::SessionStarted(source));
        if source != Source::Started {
            self.prompt_queue.on_command_effect(&mut self.claude, &mut self.effects);
        }
        if source != Source::Compacted {
            self.turn_is_over();
        }
        self.record_status.on_conversation(hook, &mut self.effects);
        let conversation = self.record_status.conversation;
        self.context_injection.conversation = conversation;
        self.claude.screen_checks.check_soon(Instant::now());
        self.startup.on_ready(&mut self.effects);
        self.lifecycle_hooks.on_run_begins(raw_source, conversation);
    }

    fn on_plain_hook(&mut self, hook: &Hook) {
        let main = is_main(hook);
        match &hook.event {
            Event::UserPromptSubmit { prompt } => self.on_prompt(prompt, main),
            Event::PreToolUse(tool) => {
                self.status_line.retry_over(&mut self.effects);
                if let Some(tool_use) = &tool.id {
                    self.permissions.tool_started(tool_use, call(hook, tool));
                }
                self.turn_goes_on(main);
            }
            Event::PostToolUse { tool, duration_ms, .. }
            | Event::PostToolUseFailure { tool, duration_ms, .. } => {
                self.bead_work.on_tool_done(tool, &mut self.effects);
                if let Some(payload) = tool_result(hook, tool) {
                    self.lifecycle_hooks.dispatch(payload, None, &mut self.effects);
                }
                if let Some(tool_use) = &tool.id {
                    if let Some(duration_ms) = *duration_ms {
                        self.effects.note(Note::ToolRan { id: tool_use.clone(), duration_ms });
                    }
                    self.permissions.tool_finished(tool_use, &mut self.claude.prompt, &mut self.effects);
                }
                self.turn_goes_on(main);
            }
            Event::Stop { background, .. } if main => {
                self.idle.background = *background;
                self.failure = None;
                self.on_turn_ended(Fact::TurnEnded);
            }
            Event::StopFailure { error, message } if main => {
                let fields = json!({"kind": "turn", "error": error, "message": message});
                let payload = Payload::new(HookEvent::ErrorOccurred, Some(error), fields);
                self.lifecycle_hooks.dispatch(payload, None, &mut self.effects);
                // Older versions of claude report only the failure's name, without a message.
                let message = if message.trim().is_empty() { error } else { message };
                let (error, message) = (error.clone(), message.clone());
                self.failure = Some(TurnFailure { error, message, at: (self.now)() });
                self.on_turn_ended(Fact::TurnEnded);
            }
            Event::SessionEnd { reason } => {
                self.claude.prompt.apply(Fact::SessionEnded);
                self.turn_is_over();
                // The exit of the agent itself is reported to lifecycle hooks after its process has exited.
                if reason == "clear" {
                    self.lifecycle_hooks.on_cleared(self.record_status.conversation);
                }
            }
            Event::Notification { kind, .. } if kind == "idle_prompt" => {
                self.claude.prompt.apply(Fact::IdleNotified)
            }
            Event::PreCompact { trigger } if trigger == "manual" => {
                self.prompt_queue.on_command_effect(&mut self.claude, &mut self.effects);
            }
            Event::MessageDisplay { message_id, index, is_final, delta } => {
                self.status_line.retry_over(&mut self.effects);
                self.effects.note(Note::Displayed(Displayed {
                    message: message_id.clone(),
                    index: *index,
                    text: delta.clone(),
                    subagent: hook.agent_id.clone(),
                    at: (self.now)(),
                }));
                self.effects.publish(Happening::Delta {
                    message_id: message_id.clone(),
                    index: *index,
                    text: delta.clone(),
                    last: *is_final,
                });
            }
            Event::StatusLine(line) => {
                if let (Some(id), Some(cost)) = (hook.conversation, line.cost_usd) {
                    self.effects.note(Note::Cost { id, cost });
                }
                self.status_line.on_status_line(line, &mut self.effects);
            }
            Event::SubagentStart { agent_type } => {
                if let Some(id) = &hook.agent_id {
                    self.permissions.subagent_started(id, agent_type);
                }
            }
            // No part needs these events here; `on_hook` handles session starts and permission requests.
            Event::Stop { .. }
            | Event::StopFailure { .. }
            | Event::Notification { .. }
            | Event::PreCompact { .. }
            | Event::PostCompact { .. }
            | Event::SubagentStop { .. }
            | Event::SessionStart { .. }
            | Event::PermissionRequest { .. }
            | Event::Unknown { .. } => {}
        }
    }

    fn on_prompt(&mut self, prompt: &str, main: bool) {
        if self.claude.prompt.is_between_turns() {
            self.effects.note(Note::TurnBegins);
        }
        self.failure = None;
        self.claude.prompt.apply(Fact::PromptSubmitted);
        self.turn_is_over();
        let written = self.prompt_queue.on_submitted(prompt, &mut self.claude, &mut self.effects);
        self.interrupt.on_turn_began(as_pasted(&written).into_owned(), (self.now)());
        self.claude.screen_checks.on_turn_began();
        self.effects.note(Note::Prompted(prompt.to_owned()));
        if main {
            let payload = Payload::new(HookEvent::UserPromptSubmitted, None, json!({"prompt": prompt}));
            self.lifecycle_hooks.dispatch(payload, None, &mut self.effects);
        }
    }

    fn context_with_prompt(&mut self) -> Answer {
        let mut texts = Vec::new();
        for (event, text) in self.lifecycle_hooks.take_texts() {
            let source = format!("hook {event}");
            self.context_injection.record_with_prompt(&source, &text, &mut self.effects);
            texts.push(text);
        }
        if let Some(text) = self.bead_work.take_reminder(&mut self.effects) {
            self.context_injection.record_with_prompt("reminder", &text, &mut self.effects);
            texts.push(text);
        }
        match texts.is_empty() {
            true => Answer::Nothing,
            false => Answer::Context { event: EventName::UserPromptSubmit, text: texts.join("\n\n") },
        }
    }

    fn turn_goes_on(&mut self, main: bool) {
        // A subagent can work in the background while claude is at its prompt.
        if main {
            self.failure = None;
            self.claude.prompt.apply(Fact::TurnGoesOn);
        }
    }

    /// Called when the main agent's turn has ended with an answer, a failure or an interruption.
    fn on_turn_ended(&mut self, fact: Fact) {
        self.claude.prompt.apply(fact);
        self.turn_is_over();
        self.effects.note(Note::TurnOver);
        self.bead_work.on_turn_over(&mut self.effects);
    }

    /// Handles a recorded message. A tool result or an interruption in it is treated like a hook event,
    /// because a refusal in the terminal triggers no hook.
    pub(super) fn on_message(&mut self, message: Message) {
        let answered = message.tool_calls.iter().flatten().filter(|call| call.output.is_some());
        for tool_use in answered.filter_map(|call| call.id.as_deref()) {
            self.permissions.tool_finished(tool_use, &mut self.claude.prompt, &mut self.effects);
        }
        // The host's own message about a stopped turn and an interruption of an earlier turn do not count.
        let from_claude =
            !message.id.starts_with(STOPPED) && self.interrupt.is_of_this_turn(message.timestamp);
        if message.kind == Some(MessageKind::Interrupted) && message.subagent.is_none() && from_claude {
            self.on_turn_ended(Fact::TurnInterrupted);
        }
        if message.role == Role::Assistant && message.subagent.is_none() {
            self.bead_work.on_assistant_text(&message.content);
        }
        self.effects.publish(Happening::Message { message: Box::new(message) });
    }
}

fn is_main(hook: &Hook) -> bool {
    hook.agent_id.is_none()
}

fn call(hook: &Hook, tool: &ToolUse) -> ToolCall {
    ToolCall {
        prompt: hook.prompt_id.clone(),
        tool: tool.name.clone(),
        input: tool.input.clone(),
        subagent: hook.agent_id.clone(),
    }
}

/// Returns a tool's result or failure for lifecycle hooks. An interruption by the user is not a failure.
fn tool_result(hook: &Hook, tool: &ToolUse) -> Option<Payload> {
    let agent = hook.agent_id.as_ref();
    match &hook.event {
        Event::PostToolUse { response, duration_ms, .. } => {
            let more = json!({"tool_response": response, "duration_ms": duration_ms});
            Some(tool_payload(HookEvent::PostToolUse, tool, agent, more))
        }
        Event::PostToolUseFailure { error, is_interrupt: false, duration_ms, .. } => {
            let more = json!({"kind": "tool", "error": error, "duration_ms": duration_ms});
            Some(tool_payload(HookEvent::ErrorOccurred, tool, agent, more))
        }
        _ => None,
    }
}
