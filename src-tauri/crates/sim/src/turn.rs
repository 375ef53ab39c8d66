//! One turn, with the hooks, the transcript and the screen in claude's order.

use crate::{
    agent::{Agent, Decision, Note},
    hooks::Verdict,
    permission::{self, Rule},
    plan::{self, Step, Tool},
    tools::{self, Outcome},
    transcript::Usage,
};
use serde_json::{Value, json};
use std::{
    io,
    sync::{Arc, mpsc::sync_channel},
    thread,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Claude's words for a turn that the user interrupted, and for one interrupted during a tool call.
const INTERRUPTED: &str = "[Request interrupted by user]";
const INTERRUPTED_TOOL: &str = "[Request interrupted by user for tool use]";
const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/// Why a turn ended early.
enum Stop {
    /// The user interrupted the turn; the text is for the transcript.
    Interrupted(&'static str),
    Transcript(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Transcript(error)
    }
}

struct Turn<'a> {
    agent: &'a mut Agent,
    prompt: Uuid,
    input: usize,
    last: String,
}

pub(crate) fn run(agent: &mut Agent, text: &str) {
    agent.note(Note::Begins(text.to_owned()));
    let begun = Instant::now();
    let (prompt, input) = (Uuid::new_v4(), text.chars().count() / 4 + 1);
    let mut turn = Turn { agent, prompt, input, last: String::new() };
    match turn.work(text) {
        Ok(()) => {}
        Err(Stop::Interrupted(words)) => {
            // A failure is ignored, because the turn is over in any case.
            let _ = turn.agent.transcript.interrupted(prompt, words);
            turn.agent.note(Note::Says("⎿ Interrupted".to_owned()));
        }
        Err(Stop::Transcript(error)) => {
            turn.agent.note(Note::Says(format!("the transcript could not be written: {error}")));
        }
    }
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let _ = turn.agent.transcript.turn(millis);
    agent.note(Note::Ends);
}

impl Turn<'_> {
    fn work(&mut self, text: &str) -> Result<(), Stop> {
        let answers = self.fire("UserPromptSubmit", "", json!({"prompt": text}));
        if let Some(reason) = answers.iter().find_map(|answer| answer.block()) {
            self.agent.note(Note::Says(format!("a hook refused the prompt: {reason}")));
            return Ok(());
        }
        let mode = self.agent.shared.mode_in_hooks();
        self.agent.transcript.prompt(text, self.prompt, mode)?;
        for context in std::mem::take(&mut self.agent.context) {
            self.agent.transcript.context("SessionStart", &context)?;
        }
        for context in answers.iter().filter_map(|answer| answer.context()) {
            self.agent.transcript.context("UserPromptSubmit", &context)?;
        }
        for step in self.steps(text) {
            self.step(step)?;
            if self.agent.shared.interrupt.requested() {
                return Err(Stop::Interrupted(INTERRUPTED));
            }
        }
        let last = std::mem::take(&mut self.last);
        self.fire("Stop", "", json!({"stop_hook_active": false, "last_assistant_message": last}));
        Ok(())
    }

    fn steps(&self, text: &str) -> Vec<Step> {
        if let Some(lines) = self.agent.shared.flood {
            return vec![Step::Flood(lines)];
        }
        let readme = ["README.md", "README", "readme.md"];
        plan::plan(text, readme.into_iter().find(|name| self.agent.shared.cwd.join(name).is_file()))
    }

    fn step(&mut self, step: Step) -> Result<(), Stop> {
        match step {
            Step::Say(text) => {
                self.agent.note(Note::Says(format!("● {text}")));
                self.say(&message_id(), &text, "end_turn")
            }
            Step::Slow(words) => self.slow(words),
            Step::Hang => {
                self.agent.shared.interrupt.wait(Duration::from_secs(3600), || false);
                Ok(())
            }
            Step::Flood(lines) => self.flood(lines),
            Step::Call { tool, always_ask } => self.call(&tool, always_ask),
        }
    }

    fn say(&mut self, message: &str, text: &str, stop: &str) -> Result<(), Stop> {
        self.answer(message, json!({"type": "text", "text": text}), stop, text)?;
        let display = json!({"message_id": message, "index": 0, "final": true, "delta": text});
        self.fire("MessageDisplay", "", display);
        text.clone_into(&mut self.last);
        Ok(())
    }

    fn slow(&mut self, words: u32) -> Result<(), Stop> {
        let mut text = String::new();
        for n in 0..words {
            let word = format!("word{n} ");
            self.agent.note(Note::Word(word.clone()));
            text.push_str(&word);
            if self.agent.shared.interrupt.wait(Duration::from_millis(100), || false) {
                // As in claude, an incomplete message is not written to the transcript.
                self.agent.note(Note::WordsEnd);
                return Err(Stop::Interrupted(INTERRUPTED));
            }
        }
        self.agent.note(Note::WordsEnd);
        self.say(&message_id(), text.trim_end(), "end_turn")
    }

    fn flood(&mut self, lines: u32) -> Result<(), Stop> {
        for n in 1..=lines {
            if self.agent.shared.interrupt.requested() {
                return Err(Stop::Interrupted(INTERRUPTED));
            }
            let text = format!("simulated line {n} of {lines}");
            self.agent.note(Note::Says(text.clone()));
            self.answer(&message_id(), json!({"type": "text", "text": text}), "end_turn", &text)?;
        }
        self.last = format!("{lines} simulated lines");
        Ok(())
    }

    fn call(&mut self, tool: &Tool, always_ask: bool) -> Result<(), Stop> {
        let (message, call) = (message_id(), format!("toolu_sim_{}", Uuid::new_v4().simple()));
        let input = tool.input(&self.agent.shared.cwd);
        let words = format!("Simulated: {} comes next.", tool.name());
        self.agent.note(Note::Says(format!("● {}", tool.line())));
        self.say(&message, &words, "tool_use")?;
        let block = json!({"type": "tool_use", "id": call, "name": tool.name(), "input": input});
        self.answer(&message, block, "tool_use", &words)?;
        let about = json!({"tool_name": tool.name(), "tool_input": input, "tool_use_id": call});
        match self.permit(tool, always_ask, &about) {
            Decision::Allow => {}
            Decision::Deny(reason) => {
                self.agent.note(Note::Says(format!("  ⎿ refused: {reason}")));
                return self.result(&call, &reason, true, json!(format!("Error: {reason}")));
            }
            Decision::Reject => {
                self.result(&call, REJECTED, true, json!("User rejected tool use"))?;
                return Err(Stop::Interrupted(INTERRUPTED_TOOL));
            }
        }
        let begun = Instant::now();
        let outcome = tools::run(tool, &self.agent.shared);
        let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.after(about, &outcome, millis);
        let first = bc_core::text::cut(outcome.text.lines().next().unwrap_or("(no output)"), 200);
        self.agent.note(Note::Says(format!("  ⎿ {first}")));
        self.result(&call, &outcome.text, outcome.failed, outcome.details)?;
        match outcome.interrupted {
            true => Err(Stop::Interrupted(INTERRUPTED_TOOL)),
            false => Ok(()),
        }
    }

    fn after(&self, mut about: Value, outcome: &Outcome, millis: u64) {
        let subject = about["tool_name"].as_str().unwrap_or_default().to_owned();
        about["duration_ms"] = millis.into();
        if outcome.failed {
            about["error"] = outcome.text.clone().into();
            about["is_interrupt"] = outcome.interrupted.into();
            self.fire("PostToolUseFailure", &subject, about);
        } else {
            about["tool_response"] = outcome.details.clone();
            self.fire("PostToolUse", &subject, about);
        }
    }

    /// Consults the PreToolUse hooks, then the mode, and then the user and the PermissionRequest hooks
    /// concurrently. The first decision counts. As in claude, the hooks keep running after the user's
    /// decision.
    fn permit(&self, tool: &Tool, always_ask: bool, about: &Value) -> Decision {
        let answers = self.fire("PreToolUse", tool.name(), about.clone());
        let verdicts: Vec<Verdict> = answers.iter().filter_map(|answer| answer.before_tool()).collect();
        let denied = verdicts.iter().find_map(|verdict| match verdict {
            Verdict::Deny(reason) => Some(reason.clone()),
            Verdict::Allow | Verdict::Ask => None,
        });
        if let Some(reason) = denied {
            return Decision::Deny(reason);
        }
        let shared = &self.agent.shared;
        match permission::rule(shared.mode(), tool, &shared.cwd) {
            Rule::Refused(reason) => return Decision::Deny(reason.to_owned()),
            _ if always_ask || verdicts.contains(&Verdict::Ask) => {}
            _ if verdicts.contains(&Verdict::Allow) => return Decision::Allow,
            Rule::Allowed => return Decision::Allow,
            Rule::Ask => {}
        }
        self.ask(tool, about)
    }

    fn ask(&self, tool: &Tool, about: &Value) -> Decision {
        let (answer, decisions) = sync_channel(4);
        let question = format!("Simulated agent wants to use {}", tool.line());
        self.agent.note(Note::Asks { question, answer: answer.clone() });
        let (shared, prompt, subject) = (Arc::clone(&self.agent.shared), self.prompt, tool.name());
        let mut fields = about.clone();
        if let Value::Object(fields) = &mut fields {
            // As in claude, the request does not contain the id of its call.
            fields.remove("tool_use_id");
        }
        thread::spawn(move || {
            let answers = shared.fire("PermissionRequest", subject, Some(prompt), fields);
            let decision =
                answers.iter().find_map(|answer| answer.permission()).and_then(|verdict| match verdict {
                    Verdict::Allow => Some(Decision::Allow),
                    Verdict::Deny(reason) => Some(Decision::Deny(reason)),
                    Verdict::Ask => None,
                });
            if let Some(decision) = decision {
                // An error is ignored: the turn may have ended.
                let _ = answer.try_send(decision);
            }
        });
        // If all senders were dropped, the screen's thread has ended.
        let decision = decisions.recv().unwrap_or(Decision::Reject);
        self.agent.note(Note::Answered);
        decision
    }

    fn result(&mut self, call: &str, text: &str, failed: bool, details: Value) -> Result<(), Stop> {
        let mut block = json!({"tool_use_id": call, "type": "tool_result", "content": text});
        if failed {
            block["is_error"] = true.into();
        }
        Ok(self.agent.transcript.result(self.prompt, block, details)?)
    }

    fn fire(&self, event: &str, subject: &str, fields: Value) -> Vec<crate::hooks::Answer> {
        self.agent.shared.fire(event, subject, Some(self.prompt), fields)
    }

    /// Appends a block of a message with this text to the transcript.
    fn answer(&mut self, message: &str, block: Value, stop: &str, text: &str) -> io::Result<()> {
        let usage = Usage { input: self.input, output: text.chars().count() / 4 + 1 };
        self.agent.transcript.answer(message, block, stop, usage)
    }
}

fn message_id() -> String {
    format!("msg_sim_{}", Uuid::new_v4().simple())
}
