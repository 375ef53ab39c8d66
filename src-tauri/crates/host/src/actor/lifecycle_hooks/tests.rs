//! Tests lifecycle hooks with runs that only the test finishes: their order, their answers and their texts.

use super::{super::effects::Effect, *};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use uuid::Uuid;

#[derive(Default)]
struct Runs {
    /// `load` with its argument, or a job's event and ticket, in order.
    log: Vec<String>,
    open: usize,
    /// Whether no run is started, as if all threads were in use.
    full: bool,
}

/// Records the requested runs; only the test's replies finish them.
#[derive(Clone, Default)]
struct Recorded(Arc<Mutex<Runs>>);

impl HookRuns for Recorded {
    fn load(&self, begun: bool) -> bool {
        self.0.lock().unwrap().log.push(format!("load {begun}"));
        true
    }

    fn run_in_order(&mut self, job: HookJob) -> bool {
        self.run_now(job)
    }

    fn run_now(&mut self, job: HookJob) -> bool {
        let mut runs = self.0.lock().unwrap();
        if runs.full {
            return false;
        }
        runs.log.push(format!("{} {}", job.payload.event, job.ticket));
        runs.open += 1;
        true
    }

    fn on_reply(&mut self) {
        self.0.lock().unwrap().open -= 1;
    }

    fn is_idle(&self) -> bool {
        self.0.lock().unwrap().open == 0
    }
}

impl Recorded {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().log)
    }
}

const CONVERSATION: ConversationId = ConversationId(Uuid::nil());

fn loaded(events: &[&str]) -> (TempDir, HookReply) {
    let dir = tempfile::tempdir().unwrap();
    let hook = json!([{"type": "command", "bash": "true"}]);
    let hooks: serde_json::Map<String, Value> =
        events.iter().map(|event| ((*event).to_owned(), hook.clone())).collect();
    let file = json!({"version": 1, "hooks": hooks}).to_string();
    bc_store::file::replace(&dir.path().join("hooks.json"), file.as_bytes()).unwrap();
    let places = bc_hooks::Places {
        config: Some(dir.path().to_owned()),
        root: "/none".into(),
        boundary: "/none".into(),
    };
    let loaded = bc_hooks::load(&places);
    assert_eq!(loaded.hooks.len(), events.len(), "{:?}", loaded.warnings);
    (dir, HookReply::Loaded(Box::new(loaded)))
}

fn ran(ticket: u64, event: HookEvent, outcome: Outcome) -> HookReply {
    HookReply::Ran { ticket, event, outcome: Box::new(outcome), unwritten: None }
}

struct Session {
    hooks: LifecycleHooks,
    runs: Recorded,
    effects: Effects,
}

fn session() -> Session {
    let runs = Recorded::default();
    let hooks = LifecycleHooks::new(Some(Box::new(runs.clone())));
    Session { hooks, runs, effects: Effects::default() }
}

impl Session {
    fn reply(&mut self, reply: HookReply) {
        self.hooks.on_reply(reply, CONVERSATION, &mut self.effects);
    }

    fn asks(&mut self, hook: ClientId) -> bool {
        let payload = Payload::new(HookEvent::PreToolUse, Some("Bash"), json!({}));
        self.hooks.dispatch(payload, Some(hook), &mut self.effects)
    }
}

#[test]
fn a_run_loads_the_files_and_then_runs_its_start_hooks_and_at_its_end_the_end_hooks() {
    let mut session = session();
    let (_dir, files) = loaded(&["sessionStart", "sessionEnd"]);
    session.hooks.on_run_begins("startup", CONVERSATION);
    assert_eq!(session.runs.take(), ["load true"]);
    session.hooks.on_agent_ended(None, CONVERSATION);
    session.reply(files);
    let start = session.runs.take();
    assert_eq!(start, [format!("{} 1", HookEvent::SessionStart)]);
    assert!(session.hooks.is_busy());
    session.reply(ran(1, HookEvent::SessionStart, Outcome::default()));
    assert_eq!(session.runs.take(), [format!("{} 2", HookEvent::SessionEnd)]);
    session.reply(ran(2, HookEvent::SessionEnd, Outcome::default()));
    assert!(!session.hooks.is_busy());
    session.hooks.on_agent_ended(None, CONVERSATION);
    assert!(session.runs.take().is_empty(), "an end is reported once per start");
}

#[test]
fn a_tool_call_before_the_files_are_loaded_waits_for_them() {
    let mut session = session();
    let (_dir, files) = loaded(&["sessionStart"]);
    session.hooks.on_run_begins("startup", CONVERSATION);
    assert!(session.asks(7));
    session.reply(files);
    let all = session.effects.take();
    assert!(matches!(&all[..], [Effect::AnswerHook { hook: 7, answer: Answer::Nothing, .. }]), "{all:?}");
}

#[test]
fn a_tool_call_is_denied_if_its_hooks_cannot_be_started() {
    let mut session = session();
    let (_dir, files) = loaded(&["preToolUse"]);
    session.hooks.reload(CONVERSATION);
    session.reply(files);
    session.runs.0.lock().unwrap().full = true;
    assert!(session.asks(7), "the caller must not allow the call");
    let all = session.effects.take();
    let denied = |effect: &Effect| {
        matches!(
            effect,
            Effect::AnswerHook { hook: 7, answer: Answer::Tool { decision: HookDecision::Deny, .. }, .. }
        )
    };
    assert_eq!(all.iter().filter(|effect| denied(effect)).count(), 1, "{all:?}");
}

#[test]
fn a_hooks_decision_answers_the_tool_call() {
    let mut session = session();
    let (_dir, files) = loaded(&["preToolUse"]);
    session.hooks.reload(CONVERSATION);
    session.reply(files);
    assert!(session.asks(7));
    let decision = Some((HookDecision::Deny, Some("no".to_owned())));
    session.reply(ran(1, HookEvent::PreToolUse, Outcome { decision, ..Outcome::default() }));
    let all = session.effects.take();
    let [Effect::AnswerHook { hook: 7, answer: Answer::Tool { decision, reason }, .. }] = &all[..] else {
        panic!("{all:?}");
    };
    assert_eq!((*decision, reason.as_str()), (HookDecision::Deny, "no"));
}

#[test]
fn texts_of_a_cleared_conversation_are_dropped() {
    let mut session = session();
    let (_dir, files) = loaded(&["userPromptSubmitted"]);
    session.hooks.on_run_begins("startup", CONVERSATION);
    session.reply(files);
    let context = |text: &str| Outcome { context: vec![text.to_owned()], ..Outcome::default() };
    let payload = || Payload::new(HookEvent::UserPromptSubmitted, None, json!({}));
    for _ in 0..2 {
        session.hooks.dispatch(payload(), None, &mut session.effects);
    }
    session.reply(ran(1, HookEvent::UserPromptSubmitted, context("old")));
    session.hooks.on_run_begins("clear", CONVERSATION);
    session.reply(ran(2, HookEvent::UserPromptSubmitted, context("also old")));
    assert!(session.hooks.take_texts().is_empty());
}

#[test]
fn oversized_fields_are_replaced_by_their_size() {
    let tool = ToolUse { name: "Write".into(), id: None, input: Default::default() };
    let more = json!({"tool_response": "x".repeat(FIELD_MAX), "duration_ms": 5});
    let payload = tool_payload(HookEvent::PostToolUse, &tool, None, more);
    assert_eq!(payload.fields["tool_response"]["left_out"], format!("{} bytes", FIELD_MAX + 2));
    assert_eq!((&payload.fields["duration_ms"], payload.reason.as_deref()), (&5.into(), Some("Write")));
}
