//! Handles the events of claude's hooks and answers them.

use super::{Client, SessionActor, lifecycle_hooks::tool_payload};
use crate::{
    client_id::ClientId,
    frame::Frame,
    permissions::ToolCall,
    prompt_state::{Fact, Source},
    protocol::Happening,
    recorder::{Displayed, Note, STOPPED},
};
use bc_claude::hooks::{Answer, Event, Hook, ToolUse};
use bc_claude::transcript::as_pasted;
use bc_core::{
    hooks::HookEvent,
    message::{Message, MessageKind, Role},
};
use bc_hooks::Payload;
use serde_json::json;
use std::path::PathBuf;

impl SessionActor {
    pub(super) fn on_hook(&mut self, id: ClientId, name: &str, index: usize, frame: &Frame) {
        tracing::debug!(event = name, index, bytes = frame.payload.len(), "hook event");
        let Ok(hook) = Hook::decode(name, &frame.payload) else {
            tracing::warn!(event = name, bytes = frame.payload.len(), "hook event could not be decoded");
            return self.answer_hook(id, &Answer::Nothing);
        };
        self.hooks_seen = true;
        self.on_hook_mode(&hook);
        let answer = match &hook.event {
            Event::SessionStart { source } => {
                self.on_session_start(&hook, source, index);
                self.on_start_hook(id, index, source);
                None
            }
            Event::PreCompact { .. } if is_main(&hook) => {
                self.on_plain_hook(&hook);
                (!self.on_compaction(id)).then_some(Answer::Nothing)
            }
            Event::UserPromptSubmit { .. } if is_main(&hook) => {
                self.on_plain_hook(&hook);
                Some(self.context_with_prompt())
            }
            Event::PreToolUse(tool) => {
                self.on_plain_hook(&hook);
                let use_of = tool_payload(HookEvent::PreToolUse, tool, hook.agent_id.as_ref(), json!({}));
                (!self.dispatch_to_hooks(use_of, Some(id))).then_some(Answer::Nothing)
            }
            Event::PermissionRequest { tool, suggestions } => {
                self.on_permission_request(id, call(&hook, tool), suggestions.clone());
                None
            }
            _ => {
                self.on_plain_hook(&hook);
                Some(Answer::Nothing)
            }
        };
        self.recorder.transcript_changed();
        if let Some(answer) = answer {
            self.answer_hook(id, &answer);
        }
    }

    pub(super) fn answer_hook(&self, id: ClientId, answer: &Answer) {
        if let Some(Client { out, .. }) = self.clients.get(&id) {
            out.control(&Frame::control(&answer.to_json()));
            out.close();
        }
    }

    fn on_session_start(&mut self, hook: &Hook, source: &str, index: usize) {
        // Several entries of the same hook run in parallel; only the first one is handled here.
        if index == 0 {
            let raw_source = source;
            let source = match source {
                "clear" => Source::Cleared,
                "compact" => Source::Compacted,
                _ => Source::Started,
            };
            self.prompt.apply(Fact::SessionStarted(source));
            if source != Source::Started {
                self.on_command_effect();
            }
            if source != Source::Compacted {
                self.turn_is_over();
            }
            self.on_conversation(hook);
            self.check_screen_soon();
            self.on_ready();
            self.on_run_begins(raw_source);
        }
    }

    fn on_conversation(&mut self, hook: &Hook) {
        let Some(id) = hook.conversation else { return };
        let transcript = hook.transcript_path.clone();
        if id != self.conversation {
            self.conversation = id;
            self.publish(Happening::Conversation { id });
        }
        self.transcript = transcript.clone().or(self.transcript.take());
        self.note(Note::Conversation { id, transcript: transcript.map(PathBuf::from) });
    }

    fn on_plain_hook(&mut self, hook: &Hook) {
        let main = is_main(hook);
        match &hook.event {
            Event::UserPromptSubmit { prompt } => {
                if self.prompt.is_between_turns() {
                    self.note(Note::TurnBegins);
                }
                self.prompt.apply(Fact::PromptSubmitted);
                self.turn_is_over();
                let written = self.on_prompt_submitted(prompt);
                self.turn_begins_with(as_pasted(&written).into_owned());
                self.note(Note::Prompted(prompt.clone()));
                if main {
                    let fields = json!({"prompt": prompt});
                    self.dispatch_to_hooks(Payload::new(HookEvent::UserPromptSubmitted, None, fields), None);
                }
            }
            Event::PreToolUse(tool) => {
                self.retry_over();
                if let Some(tool_use) = &tool.id {
                    self.permissions.tool_started(tool_use, call(hook, tool));
                }
                self.turn_goes_on(main);
            }
            Event::PostToolUse { tool, duration_ms, .. }
            | Event::PostToolUseFailure { tool, duration_ms, .. } => {
                self.on_tool_done(tool);
                self.dispatch_tool_result(hook, tool);
                if let (Some(tool_use), Some(duration_ms)) = (&tool.id, duration_ms) {
                    self.note(Note::ToolRan { id: tool_use.clone(), duration_ms: *duration_ms });
                }
                if let Some(tool_use) = &tool.id {
                    let withdrawn = self.permissions.tool_finished(tool_use);
                    self.withdraw(withdrawn);
                }
                self.turn_goes_on(main);
            }
            Event::Stop { .. } | Event::StopFailure { .. } if main => {
                if let Event::Stop { background, .. } = hook.event {
                    self.idle.background = background;
                }
                if let Event::StopFailure { error, message } = &hook.event {
                    let fields = json!({"kind": "turn", "error": error, "message": message});
                    self.dispatch_to_hooks(Payload::new(HookEvent::ErrorOccurred, Some(error), fields), None);
                }
                self.prompt.apply(Fact::TurnEnded);
                self.turn_is_over();
                self.note(Note::TurnOver);
                self.on_work_turn_over();
            }
            Event::SessionEnd { reason } => {
                self.prompt.apply(Fact::SessionEnded);
                self.turn_is_over();
                // The agent's own end is reported after its process has ended.
                if reason == "clear" {
                    self.queue_session_end_hooks("clear", false);
                }
            }
            Event::Notification { kind, .. } if kind == "idle_prompt" => {
                self.prompt.apply(Fact::IdleNotified)
            }
            Event::PreCompact { trigger } if trigger == "manual" => self.on_command_effect(),
            Event::MessageDisplay { message_id, index, is_final, delta } => {
                self.retry_over();
                self.note(Note::Displayed(Displayed {
                    message: message_id.clone(),
                    index: *index,
                    text: delta.clone(),
                    subagent: hook.agent_id.clone(),
                    at: (self.now)(),
                }));
                self.publish(Happening::Delta {
                    message_id: message_id.clone(),
                    index: *index,
                    text: delta.clone(),
                    last: *is_final,
                });
            }
            Event::StatusLine(line) => {
                if let (Some(id), Some(cost)) = (hook.conversation, line.cost_usd) {
                    self.note(Note::Cost { id, cost });
                }
                self.on_status_line(line);
            }
            Event::SubagentStart { agent_type } => {
                if let Some(id) = &hook.agent_id {
                    self.permissions.subagent_started(id, agent_type);
                }
            }
            // These events do not concern the prompt; session starts and permission requests are handled elsewhere.
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

    /// Reports a tool's result or failure to lifecycle hooks. An interruption by the user is not an error.
    fn dispatch_tool_result(&mut self, hook: &Hook, tool: &ToolUse) {
        let agent = hook.agent_id.as_ref();
        let payload = match &hook.event {
            Event::PostToolUse { response, duration_ms, .. } => {
                let more = json!({"tool_response": response, "duration_ms": duration_ms});
                tool_payload(HookEvent::PostToolUse, tool, agent, more)
            }
            Event::PostToolUseFailure { error, is_interrupt: false, duration_ms, .. } => {
                let more = json!({"kind": "tool", "error": error, "duration_ms": duration_ms});
                tool_payload(HookEvent::ErrorOccurred, tool, agent, more)
            }
            _ => return,
        };
        self.dispatch_to_hooks(payload, None);
    }

    fn turn_goes_on(&mut self, main: bool) {
        // A subagent may work in the background while claude is at its prompt.
        if main {
            self.prompt.apply(Fact::TurnGoesOn);
        }
    }

    /// No dialog of the main agent can be open.
    pub(super) fn turn_is_over(&mut self) {
        self.retry_over();
        let withdrawn = self.permissions.turn_over();
        self.withdraw(withdrawn);
    }

    /// A message is on disk. Its tool results and its end of a turn count too, because a refusal in the terminal runs
    /// no hook.
    pub(super) fn on_message(&mut self, message: Message) {
        let answered = message.tool_calls.iter().flatten().filter(|call| call.output.is_some());
        let finished: Vec<String> = answered.filter_map(|call| call.id.clone()).collect();
        for tool_use in finished {
            let withdrawn = self.permissions.tool_finished(&tool_use);
            self.withdraw(withdrawn);
        }
        // The actor already knows what its own messages say.
        let from_claude = !message.id.starts_with(STOPPED) && self.is_of_this_turn(message.timestamp);
        if message.kind == Some(MessageKind::Interrupted) && message.subagent.is_none() && from_claude {
            self.prompt.apply(Fact::TurnInterrupted);
            self.turn_is_over();
            self.note(Note::TurnOver);
            self.on_work_turn_over();
        }
        if message.role == Role::Assistant && message.subagent.is_none() {
            self.on_assistant_text(&message.content);
        }
        self.publish(Happening::Message { message: Box::new(message) });
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
