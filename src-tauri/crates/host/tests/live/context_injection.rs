//! Context injection: helper requests, the order of pieces, time limits.

use crate::support::{Live, TIMEOUT, call_hook, exe};
use bc_core::recovery::{Change, Known, Reason, Stores};
use bc_host::{
    Activity, ContextPiece, HELPER_VERSION, HelperReport, HelperRequest, HelperTask, ReminderSettings,
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    fs,
    process::Child,
    thread,
    time::{Duration, Instant},
};

/// A session whose host runs helper requests.
fn live() -> Live {
    let mut live = Live::new();
    live.spec.console = Some(exe());
    live.spec.actor = Some("ann/1a2b3c4d".into());
    live
}

fn answer(child: Child) -> String {
    let out = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn hook(live: &Live, event: &str, more: Value) -> String {
    answer(call_hook(live, event, 0, more))
}

fn clear(live: &Live) -> String {
    hook(live, "SessionStart", json!({"source": "clear"}))
}

/// Sets the helper's report.
#[allow(clippy::disallowed_methods, reason = "the program under test answers with this file")]
fn set_report(live: &Live, report: &HelperReport) {
    fs::write(live.path().join("report.json"), serde_json::to_vec(report).unwrap()).unwrap();
}

/// Makes the helper `hang`, `fail` or be `slow`.
#[allow(clippy::disallowed_methods, reason = "the program under test checks for this file")]
fn mark(live: &Live, how: &str) {
    fs::write(live.path().join(how), "").unwrap();
}

fn report(changes: Vec<Change>) -> HelperReport {
    HelperReport { version: HELPER_VERSION, changes, ..HelperReport::default() }
}

/// The helper requests run so far.
fn helper_requests(live: &Live) -> Vec<HelperRequest> {
    let text = fs::read_to_string(live.path().join("errands.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[track_caller]
fn wait_helper_request(live: &Live, what: &str, condition: impl Fn(&HelperRequest) -> bool) -> HelperRequest {
    wait_for(what, TIMEOUT, || helper_requests(live).into_iter().find(|request| condition(request)))
}

fn injected(live: &Live) -> Vec<(Reason, String, bool)> {
    let all = live.session().injections().unwrap().injections;
    all.into_iter().map(|i| (i.reason, i.text, i.stale)).collect()
}

#[track_caller]
fn wait_injected(live: &Live, expected: (Reason, &str, bool)) {
    let expected = (expected.0, expected.1.to_owned(), expected.2);
    wait_for(&format!("{expected:?}"), TIMEOUT, || injected(live).contains(&expected).then_some(()));
}

#[test]
fn the_launch_block_is_injected_at_the_start_and_a_fresh_one_later() {
    let live = live();
    set_report(&live, &report(vec![Change::Block("fresh".into())]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    live.wait_shown("what to know");
    assert!(!helper_requests(&live).iter().any(|request| request.task == HelperTask::Block));
    assert_eq!(clear(&live), "fresh");
    assert_eq!(hook(&live, "SessionStart", json!({"source": "compact"})), "fresh");
    wait_injected(&live, (Reason::Start, "what to know", false));
    wait_injected(&live, (Reason::Clear, "fresh", false));
    wait_injected(&live, (Reason::Compaction, "fresh", false));
    let request =
        wait_helper_request(&live, "a request for the block", |request| request.task == HelperTask::Block);
    assert_eq!((request.session, request.actor.as_deref()), (live.spec.session, Some("ann/1a2b3c4d")));
    let stores = wait_for("the block in the stores", TIMEOUT, || live.session().recovery().ok());
    assert_eq!(stores.last_block.as_deref(), Some("fresh"));
}

#[test]
fn a_late_block_is_replaced_by_the_last_one_and_marked_stale() {
    let live = live();
    set_report(&live, &report(vec![Change::Block("known".into())]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    assert_eq!(clear(&live), "known");
    mark(&live, "hang");
    let start = Instant::now();
    assert_eq!(clear(&live), "known");
    assert!(start.elapsed() < Duration::from_secs(15), "claude would have waited {:?}", start.elapsed());
    wait_injected(&live, (Reason::Clear, "known", true));
}

#[test]
fn a_failing_helper_only_makes_the_block_stale() {
    let live = live();
    mark(&live, "fail");
    let live = live.started();
    live.wait_activity(Activity::Idle);
    assert_eq!(clear(&live), "what to know");
    wait_injected(&live, (Reason::Clear, "what to know", true));
    let troubles = wait_for("the trouble", TIMEOUT, || {
        Some(live.status().troubles).filter(|troubles| !troubles.is_empty())
    });
    assert!(troubles[0].contains("the helper failed on purpose"), "{troubles:?}");
}

#[test]
fn pieces_requested_in_parallel_are_answered_one_by_one() {
    let mut live = live();
    for n in 1..=3 {
        live.spec.context.push(ContextPiece { source: "context pack".into(), text: format!("piece {n}") });
    }
    set_report(&live, &report(vec![Change::Block("fresh".into())]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    // The hooks do not connect in the order of their indexes.
    let mut hooks: Vec<(usize, Child)> = Vec::new();
    for index in [3, 1, 2, 0] {
        hooks.push((index, call_hook(&live, "SessionStart", index, json!({"source": "clear"}))));
        thread::sleep(Duration::from_millis(30));
    }
    hooks.sort_by_key(|(index, _)| *index);
    for (index, child) in hooks {
        let expected = if index == 0 { "fresh".to_owned() } else { format!("piece {index}") };
        assert_eq!(answer(child), expected);
    }
    wait_injected(&live, (Reason::Clear, "piece 3", false));
    let texts: Vec<String> =
        injected(&live).into_iter().filter(|t| t.0 == Reason::Clear).map(|t| t.1).collect();
    assert_eq!(texts, ["fresh", "piece 1", "piece 2", "piece 3"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_piece_waits_until_claude_has_reaped_the_previous_hook() {
    use std::io::Read;
    let mut live = live();
    for n in 1..=2 {
        live.spec.context.push(ContextPiece { source: "context pack".into(), text: format!("piece {n}") });
    }
    set_report(&live, &report(vec![Change::Block("fresh".into())]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    let mut hooks: Vec<Child> =
        (0..3).map(|index| call_hook(&live, "SessionStart", index, json!({"source": "clear"}))).collect();
    let cleared =
        || injected(&live).into_iter().filter(|t| t.0 == Reason::Clear).map(|t| t.1).collect::<Vec<_>>();
    let texts = ["fresh", "piece 1", "piece 2"];
    for (n, hook) in hooks.iter_mut().enumerate() {
        // The hook prints its output and exits. The test, in claude's place, does not reap it yet.
        let mut printed = String::new();
        hook.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert!(printed.contains(texts[n]), "{printed}");
        wait_injected(&live, (Reason::Clear, texts[n], false));
        // These calls give the host enough time for a premature answer.
        for _ in 0..20 {
            self::hook(&live, "UserPromptSubmit", json!({"prompt": "x"}));
        }
        assert_eq!(cleared(), texts[..=n], "a piece was injected before hook {n} was reaped");
        hook.wait().unwrap();
    }
}

/// Saves recovery stores with a claimed bead and a finished turn.
fn at_work(live: &Live) {
    let mut stores = Stores::default();
    stores.claim(&"a-1".parse().unwrap());
    stores.turn_over();
    let lock = live.session().try_lock().unwrap().unwrap();
    lock.save_recovery(&stores).unwrap();
}

#[test]
fn a_compaction_waits_for_its_checkpoint_if_there_is_one() {
    let live = live();
    at_work(&live);
    set_report(&live, &report(vec![Change::ProgressRecorded]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    let compact = || hook(&live, "PreCompact", json!({"trigger": "manual"}));
    let checkpoints =
        || helper_requests(&live).iter().filter(|e| matches!(e.task, HelperTask::Checkpoint { .. })).count();
    compact();
    assert_eq!(checkpoints(), 1, "the checkpoint was not made before claude continued");
    compact();
    assert_eq!(checkpoints(), 1, "a checkpoint was made without progress");
}

#[test]
fn edits_turns_and_claims_are_recorded() {
    let live = live();
    let known = Known { mark: "m".into(), in_progress: Default::default(), facts: None, comments: 0 };
    set_report(&live, &report(vec![Change::Claimed("a-1".parse().unwrap()), Change::Known(known.into())]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    live.client().beads_changed().unwrap();
    wait_for("the claim", TIMEOUT, || live.session().recovery().ok()?.current_bead);
    let file = live.spec.cwd.join("src/a.rs");
    let tool = json!({"tool_name": "Write", "tool_input": {"file_path": file}, "tool_use_id": "t"});
    hook(&live, "PostToolUse", tool);
    hook(&live, "Stop", json!({"last_assistant_message": "done"}));
    let stores = wait_for("the edit and the turn", TIMEOUT, || {
        live.session().recovery().ok().filter(|stores| stores.checkpoint.turn_index == 1)
    });
    assert!(stores.files(&"a-1".parse().unwrap()).contains("src/a.rs"), "{stores:?}");
    wait_helper_request(&live, "a check at the turn's end", |e| {
        e.task == HelperTask::CheckBeads && e.stores.turns_since() == 1
    });
}

#[test]
fn the_agent_is_reminded_with_a_prompt_when_due() {
    let live = live();
    at_work(&live);
    let commands = bc_core::recovery::Commands { tracker: "bd".into(), reviews: true };
    let reminders = Some(ReminderSettings { commands, remind_after: 2 });
    set_report(&live, &HelperReport { reminders, ..report(vec![]) });
    let live = live.started();
    live.wait_activity(Activity::Idle);
    let prompt = || hook(&live, "UserPromptSubmit", json!({"prompt": "x"}));
    assert_eq!(prompt(), "", "the reminder came too early");
    hook(&live, "Stop", json!({}));
    wait_helper_request(&live, "the check at the turn's end", |e| e.stores.turns_since() == 2);
    let context = wait_for("a reminder", TIMEOUT, || Some(prompt()).filter(|context| !context.is_empty()));
    assert!(
        context.contains("2 turns have gone by on a-1") && context.contains("bd comment a-1"),
        "{context}"
    );
    assert_eq!(prompt(), "", "the reminder was repeated");
    wait_for("the record of the reminder", TIMEOUT, || {
        injected(&live).iter().any(|(reason, ..)| *reason == Reason::Prompt).then_some(())
    });
}

#[test]
fn pending_comments_are_posted_before_the_host_ends() {
    let live = live();
    at_work(&live);
    mark(&live, "slow");
    set_report(&live, &report(vec![Change::ProgressRecorded]));
    let live = live.started();
    live.wait_activity(Activity::Idle);
    live.client().beads_changed().unwrap();
    let then = bc_host::protocol::StopKind::Pause(bc_core::session::PauseReason::User);
    live.client().stop(then).unwrap();
    assert_eq!(live.session().recovery().unwrap().turns_since(), 0, "the host did not wait for the report");
}
