//! Runs hooks as claude does: through a shell, all hooks of an event concurrently, with JSON on standard
//! input.

use crate::{
    os::shell,
    settings::{Hook, Settings},
};
use serde_json::{Map, Value};
use std::{path::PathBuf, thread};

/// The result of a hook: its exit code and output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// A hook's decision on a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    Deny(String),
    Ask,
}

#[derive(Debug)]
pub(crate) struct Hooks {
    settings: Settings,
    cwd: PathBuf,
}

impl Hooks {
    pub(crate) fn new(settings: Settings, cwd: PathBuf) -> Hooks {
        Hooks { settings, cwd }
    }

    pub(crate) fn any(&self, event: &str, subject: &str) -> bool {
        !self.settings.of(event, subject).is_empty()
    }

    /// Runs all hooks of an event and waits for them. The answers are in the order of the settings.
    pub(crate) fn fire(&self, event: &str, subject: &str, mut fields: Map<String, Value>) -> Vec<Answer> {
        fields.insert("hook_event_name".to_owned(), event.into());
        let input = Value::Object(fields).to_string();
        let hooks = self.settings.of(event, subject);
        thread::scope(|scope| {
            let running: Vec<_> = hooks.iter().map(|hook| scope.spawn(|| self.run(hook, &input))).collect();
            running.into_iter().filter_map(|hook| hook.join().ok()).collect()
        })
    }

    fn run(&self, hook: &Hook, input: &str) -> Answer {
        let program = shell(&hook.command).cwd(&self.cwd).timeout(hook.timeout).stdin(input);
        match program.env("CLAUDE_PROJECT_DIR", &self.cwd).run() {
            Ok(done) => Answer { code: done.code, stdout: done.out(), stderr: done.err() },
            Err(error) => Answer { code: None, stdout: String::new(), stderr: error.to_string() },
        }
    }
}

impl Answer {
    /// The context for the model: `additionalContext`, or an output that is not JSON. `None` if the hook failed
    /// or gives no context.
    pub(crate) fn context(&self) -> Option<String> {
        if self.code != Some(0) {
            return None;
        }
        let text = match self.json() {
            Some(json) => json.pointer("/hookSpecificOutput/additionalContext")?.as_str()?.to_owned(),
            None => self.stdout.trim().to_owned(),
        };
        (!text.is_empty()).then_some(text)
    }

    /// The reason why the hook refuses the prompt or tool, with exit code 2 or a `block` decision. `None` if
    /// the hook does not refuse.
    pub(crate) fn block(&self) -> Option<String> {
        if self.code == Some(2) {
            return Some(self.stderr.trim().to_owned());
        }
        let json = self.json()?;
        let reason = || json.get("reason").and_then(Value::as_str).unwrap_or("a hook refused it").to_owned();
        (json.get("decision").and_then(Value::as_str) == Some("block")).then(reason)
    }

    /// The decision of a PreToolUse hook.
    pub(crate) fn before_tool(&self) -> Option<Verdict> {
        if let Some(reason) = self.block() {
            return Some(Verdict::Deny(reason));
        }
        let json = self.json()?;
        let output = json.get("hookSpecificOutput")?;
        let reason =
            output.get("permissionDecisionReason").and_then(Value::as_str).unwrap_or("a hook refused it");
        match output.get("permissionDecision")?.as_str()? {
            "allow" => Some(Verdict::Allow),
            "deny" => Some(Verdict::Deny(reason.to_owned())),
            "ask" => Some(Verdict::Ask),
            _ => None,
        }
    }

    /// The decision of a PermissionRequest hook. `{}` is no decision and leaves the dialog open.
    pub(crate) fn permission(&self) -> Option<Verdict> {
        let json = self.json().filter(|_| self.code == Some(0))?;
        let decision = json.pointer("/hookSpecificOutput/decision")?;
        let message = decision.get("message").and_then(Value::as_str).unwrap_or("a hook refused it");
        match decision.get("behavior")?.as_str()? {
            "allow" => Some(Verdict::Allow),
            "deny" => Some(Verdict::Deny(message.to_owned())),
            _ => None,
        }
    }

    fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.stdout).ok().filter(Value::is_object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: i32, stdout: &str, stderr: &str) -> Answer {
        Answer { code: Some(code), stdout: stdout.to_owned(), stderr: stderr.to_owned() }
    }

    #[test]
    fn context_is_taken_from_json_or_from_plain_text() {
        let json = r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"beads"}}"#;
        assert_eq!(answer(0, json, "").context().as_deref(), Some("beads"));
        assert_eq!(answer(0, "plain\n", "").context().as_deref(), Some("plain"));
        assert_eq!(answer(0, "{}", "").context(), None);
        assert_eq!(answer(1, "plain", "").context(), None);
    }

    #[test]
    fn the_hooks_output_decides_a_permission() {
        let decision = |text: &str| {
            let json = format!(r#"{{"hookSpecificOutput":{{"decision":{text}}}}}"#);
            answer(0, &json, "").permission()
        };
        assert_eq!(decision(r#"{"behavior":"allow"}"#), Some(Verdict::Allow));
        assert_eq!(decision(r#"{"behavior":"deny","message":"no"}"#), Some(Verdict::Deny("no".into())));
        assert_eq!(answer(0, "{}", "").permission(), None);
    }

    #[test]
    fn exit_code_2_or_a_decision_blocks_a_tool() {
        assert_eq!(answer(2, "", "not here\n").before_tool(), Some(Verdict::Deny("not here".into())));
        let json = r#"{"hookSpecificOutput":{"permissionDecision":"ask"}}"#;
        assert_eq!(answer(0, json, "").before_tool(), Some(Verdict::Ask));
        assert_eq!(answer(0, "", "").before_tool(), None);
    }

    #[cfg(unix)]
    #[test]
    fn hooks_run_through_a_shell_with_their_input() {
        let settings = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cat | tr -d '\n'; echo $((1+1))"}]}]}}"#;
        let hooks = Hooks::new(Settings::read(settings).unwrap(), std::env::temp_dir());
        let answers = hooks.fire("Stop", "", Map::new());
        assert_eq!(answers[0].stdout, "{\"hook_event_name\":\"Stop\"}2\n");
        assert!(!hooks.any("Start", ""));
    }
}
