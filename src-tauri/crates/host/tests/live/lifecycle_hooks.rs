//! The user's lifecycle hooks: when they run, their payloads, and the effects of their results.

use crate::support::{Live, TIMEOUT, call_hook, exe};
use bc_core::{
    hooks::{HookEvent, HookRun},
    session::{CloseReason, PauseReason},
};
use bc_hooks::{Facts, Places};
use bc_host::{
    Activity, ClientError, HookSetup,
    protocol::{RefusedCode, StopKind},
};
use bc_testkit::{wait_for, wait_until};
use serde_json::{Value, json};
use std::fs;

/// Creates a session with these hooks, each given as an event and a command.
fn live(hooks: &[(&str, &str)]) -> Live {
    let mut live = Live::new();
    live.spec.console = Some(exe());
    let root = live.spec.project_root.clone();
    let config = live.path().canonicalize().map(bc_core::paths::plain).unwrap().join("config");
    fs::create_dir(&config).unwrap();
    let places = Places { config: Some(config), root: root.clone(), boundary: root.clone() };
    let facts = Facts {
        session_id: Some(live.spec.session.to_string()),
        project: root.display().to_string(),
        ..Facts::default()
    };
    live.spec.hooks = Some(HookSetup { places, facts });
    set(&live, hooks);
    live
}

#[allow(clippy::disallowed_methods, reason = "the user's file, as an editor writes it")]
fn set(live: &Live, hooks: &[(&str, &str)]) {
    let mut all = serde_json::Map::new();
    for (event, bash) in hooks {
        let entry = json!({"type": "command", "bash": bash, "cwd": live.spec.cwd, "timeoutSec": 60});
        all.entry(*event).or_insert_with(|| json!([])).as_array_mut().unwrap().push(entry);
    }
    let file = json!({"version": 1, "hooks": all});
    fs::write(live.path().join("config/hooks.json"), file.to_string()).unwrap();
}

fn hook(live: &Live, event: &str, more: Value) -> Value {
    let out = call_hook(live, event, 0, more).wait_with_output().unwrap();
    serde_json::from_slice(&out.stdout).unwrap()
}

fn runs(live: &Live) -> Vec<HookRun> {
    live.session().hook_runs().unwrap().runs
}

/// Waits until hooks have run for these events in this order.
#[track_caller]
fn wait_runs(live: &Live, expected: &[(HookEvent, Option<&str>)]) -> Vec<HookRun> {
    wait_for(&format!("runs for {expected:?}"), TIMEOUT, || {
        let runs = runs(live);
        let events: Vec<_> = runs.iter().map(|run| (run.event, run.reason.as_deref())).collect();
        (events == expected).then_some(runs.clone())
    })
}

#[allow(clippy::disallowed_methods, reason = "the hook waits for this file")]
fn release(live: &Live) {
    fs::write(live.spec.cwd.join("go"), "").unwrap();
}

const WAITS: &str = "until [ -e go ]; do sleep 0.05; done; cat > start.json; echo '{\"additionalContext\":\"the gate is open\"}'";
const START: (HookEvent, Option<&str>) = (HookEvent::SessionStart, Some("startup"));

#[test]
fn texts_of_start_hooks_are_sent_with_the_next_prompt_without_delaying_it() {
    let live = live(&[("sessionStart", WAITS)]).started();
    live.wait_activity(Activity::Idle);
    let context =
        |answer: Value| answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned);
    assert_eq!(context(hook(&live, "UserPromptSubmit", json!({"prompt": "one"}))), None);
    release(&live);
    wait_runs(&live, &[START]);
    let sent = wait_for("the context", TIMEOUT, || {
        context(hook(&live, "UserPromptSubmit", json!({"prompt": "two"})))
    });
    assert_eq!(sent, "the gate is open");
    assert_eq!(
        context(hook(&live, "UserPromptSubmit", json!({"prompt": "three"}))),
        None,
        "the context was sent twice"
    );
    let recorded = wait_for("the record of the context", TIMEOUT, || {
        live.session().injections().unwrap().injections.into_iter().find(|i| i.source == "hook sessionStart")
    });
    assert_eq!(recorded.text, "the gate is open");
    let payload: Value =
        serde_json::from_slice(&fs::read(live.spec.cwd.join("start.json")).unwrap()).unwrap();
    assert_eq!(payload["session_id"], live.spec.session.to_string());
    assert_eq!((&payload["source"], &payload["event"]), (&"startup".into(), &"sessionStart".into()));
}

/// Ends a session with a slow end hook and returns the reason in the hook's payload.
fn ended(how: impl FnOnce(&Live)) -> String {
    let live = live(&[
        ("sessionStart", "echo '{}'"),
        ("sessionEnd", "sleep 0.5; cat >> end.json; echo >> end.json; echo '{}'"),
    ]);
    let live = live.started();
    live.wait_activity(Activity::Idle);
    wait_runs(&live, &[START]);
    how(&live);
    live.wait_ended();
    // The waiting client gets its reply only after the end hook has run.
    let payload = fs::read_to_string(live.spec.cwd.join("end.json")).unwrap();
    let lines: Vec<Value> = payload.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{payload}");
    let reason = lines[0]["reason"].as_str().unwrap().to_owned();
    wait_runs(&live, &[START, (HookEvent::SessionEnd, Some(&reason))]);
    assert_eq!(live.session().session_end_owed().unwrap(), None);
    reason
}

#[test]
fn every_kind_of_end_is_reported_once_and_awaited() {
    let stop = |kind| move |live: &Live| drop(live.client().stop(kind).unwrap());
    assert_eq!(ended(stop(StopKind::Pause(PauseReason::User))), "pause");
    assert_eq!(ended(stop(StopKind::Pause(PauseReason::Inactivity))), "timeout");
    assert_eq!(ended(stop(StopKind::Close(CloseReason::User))), "end");
    let exits = |live: &Live| drop(live.client().send("exit 0"));
    assert_eq!(ended(exits), "exit");
}

#[test]
fn the_report_of_the_end_is_owed_while_the_agent_runs() {
    let live = live(&[("sessionStart", "echo '{}'")]).started();
    live.wait_activity(Activity::Idle);
    wait_runs(&live, &[START]);
    assert!(live.session().session_end_owed().unwrap().is_some());
}

#[test]
fn no_report_of_the_end_is_owed_without_a_start_or_end_hook() {
    let live = live(&[]).started();
    live.wait_activity(Activity::Idle);
    let tool = || json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    // This call is answered once the hooks are loaded.
    assert_eq!(hook(&live, "PreToolUse", tool()), json!({}));
    assert_eq!(live.session().session_end_owed().unwrap(), None);
    set(&live, &[("sessionEnd", "echo '{}'")]);
    live.client().reload_hooks().unwrap();
    wait_until("the end to be owed", TIMEOUT, || live.session().session_end_owed().unwrap().is_some());
    live.client().stop(StopKind::Close(CloseReason::User)).unwrap();
    wait_runs(&live, &[(HookEvent::SessionEnd, Some("end"))]);
    assert_eq!(live.session().session_end_owed().unwrap(), None);
}

#[test]
fn a_clear_is_an_end_and_a_start_with_reloaded_hooks() {
    let both = [("sessionStart", "echo '{\"additionalContext\":\"old\"}'"), ("sessionEnd", "echo '{}'")];
    let live = live(&both).started();
    live.wait_activity(Activity::Idle);
    wait_runs(&live, &[START]);
    set(&live, &[("sessionStart", "echo '{\"additionalContext\":\"new\"}'")]);
    hook(&live, "SessionEnd", json!({"reason": "clear"}));
    hook(&live, "SessionStart", json!({"source": "clear"}));
    let cleared = wait_runs(
        &live,
        &[START, (HookEvent::SessionEnd, Some("clear")), (HookEvent::SessionStart, Some("clear"))],
    );
    assert!(cleared[2].command.contains("new"), "{:?}", cleared[2]);
    let sent = wait_for("the new context alone", TIMEOUT, || {
        let answer = hook(&live, "UserPromptSubmit", json!({"prompt": "x"}));
        answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
    });
    assert_eq!(sent, "new");
}

#[test]
fn a_reload_reads_a_changed_file() {
    let live = live(&[]).started();
    live.wait_activity(Activity::Idle);
    let tool = || json!({"tool_name": "Bash", "tool_input": {"command": "rm x"}, "tool_use_id": "t"});
    wait_for("a session whose hooks are read", TIMEOUT, || {
        (hook(&live, "PreToolUse", tool()) == json!({})).then_some(())
    });
    let deny =
        r#"grep -q 'rm x' && echo '{"permissionDecision":"deny","permissionDecisionReason":"not that"}'"#;
    set(&live, &[("preToolUse", deny)]);
    assert_eq!(hook(&live, "PreToolUse", tool()), json!({}));
    live.client().reload_hooks().unwrap();
    let answer = wait_for("the refusal", TIMEOUT, || {
        Some(hook(&live, "PreToolUse", tool())).filter(|answer| *answer != json!({}))
    });
    let output = &answer["hookSpecificOutput"];
    assert_eq!(
        (&output["permissionDecision"], &output["permissionDecisionReason"]),
        (&"deny".into(), &"not that".into())
    );
}

#[test]
fn hooks_run_for_tools_prompts_and_errors() {
    let keep = "cat >> payloads.jsonl; echo >> payloads.jsonl; echo '{}'";
    let all = ["userPromptSubmitted", "postToolUse", "errorOccurred"].map(|event| (event, keep));
    let live = live(&all).started();
    live.wait_activity(Activity::Idle);
    let tool = |more: Value| {
        let mut tool = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
        tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tool
    };
    hook(&live, "UserPromptSubmit", json!({"prompt": "do it"}));
    hook(&live, "PostToolUse", tool(json!({"tool_response": "ok", "duration_ms": 5})));
    hook(&live, "PostToolUseFailure", tool(json!({"error": "it broke"})));
    hook(&live, "PostToolUseFailure", tool(json!({"error": "stopped", "is_interrupt": true})));
    hook(&live, "StopFailure", json!({"error": "rate_limit", "last_assistant_message": "later"}));
    wait_runs(
        &live,
        &[
            (HookEvent::UserPromptSubmitted, None),
            (HookEvent::PostToolUse, Some("Bash")),
            (HookEvent::ErrorOccurred, Some("Bash")),
            (HookEvent::ErrorOccurred, Some("rate_limit")),
        ],
    );
    let payloads = fs::read_to_string(live.spec.cwd.join("payloads.jsonl")).unwrap();
    let payloads: Vec<Value> = payloads.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(payloads[0]["prompt"], "do it");
    assert_eq!(
        (&payloads[1]["tool_response"], &payloads[1]["tool_input"]["command"]),
        (&"ok".into(), &"ls".into())
    );
    assert_eq!((&payloads[2]["kind"], &payloads[2]["error"]), (&"tool".into(), &"it broke".into()));
    assert_eq!((&payloads[3]["kind"], &payloads[3]["error"]), (&"turn".into(), &"rate_limit".into()));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the hook waits for this file")]
fn a_text_sent_while_a_session_ends_is_refused_and_not_saved() {
    let live = live(&[("sessionEnd", "until [ -e go ]; do sleep 0.02; done")]).started();
    live.wait_activity(Activity::Idle);
    let mut client = live.client();
    let stop = std::thread::spawn(move || client.stop(StopKind::Pause(PauseReason::User)));
    wait_until("the end to begin", TIMEOUT, || live.status().stopping);
    let refused = live.client().send("too late").unwrap_err();
    assert!(matches!(&refused, ClientError::Refused(why) if why.code == RefusedCode::State), "{refused}");
    assert_eq!(live.session().outbox().unwrap().items, []);
    fs::File::create(live.spec.cwd.join("go")).unwrap();
    stop.join().unwrap().unwrap();
    live.wait_ended();
}
