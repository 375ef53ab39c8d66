//! Tests the list of all sessions' hook runs.

use crate::fixture::Fixture;
use bc_core::{
    Extra,
    hooks::{HOOK_RUN_VERSION, HookEvent, HookRun},
    ids::SessionId,
};
use bc_wire::{ErrorCode, api::Api, hooks::*};

fn ran(fixture: &Fixture, id: SessionId, second: i64, event: HookEvent, warning: Option<&str>) {
    let run = HookRun {
        version: HOOK_RUN_VERSION,
        at: chrono::DateTime::from_timestamp(second, 0).unwrap().fixed_offset(),
        event,
        reason: None,
        file: "/p/hooks.json".into(),
        command: format!("./{second}.sh"),
        duration_ms: 12,
        exit: Some(0),
        stdout: "{}".into(),
        stderr: String::new(),
        warning: warning.map(str::to_owned),
        decision: None,
        context_bytes: 0,
        extra: Extra::new(),
    };
    let lock = fixture.session_lock(id);
    lock.hook_run_writer().unwrap().append(&run).unwrap();
}

#[test]
fn runs_of_all_sessions_are_listed_latest_first_and_filtered() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.paused(1, 2), fixture.paused(2, 1));
    ran(&fixture, one, 10, HookEvent::SessionStart, None);
    ran(&fixture, one, 30, HookEvent::SessionEnd, Some("it ended with exit code 3"));
    ran(&fixture, two, 20, HookEvent::SessionStart, None);
    let asked = |params: HookRunsParams| {
        let shown = fixture.engine.hooks_runs(params).unwrap();
        let commands: Vec<String> = shown.runs.iter().map(|of| of.run.command.clone()).collect();
        (commands.join(" "), shown.total)
    };
    let all = HookRunsParams::default;
    assert_eq!(asked(all()), ("./30.sh ./20.sh ./10.sh".into(), 3));
    assert_eq!(asked(HookRunsParams { session: Some(two), ..all() }), ("./20.sh".into(), 1));
    let start = Some(HookEvent::SessionStart);
    assert_eq!(asked(HookRunsParams { event: start, limit: Some(1), ..all() }), ("./20.sh".into(), 2));
    assert_eq!(asked(HookRunsParams { failed: true, ..all() }), ("./30.sh".into(), 1));
    let unknown = HookRunsParams { session: Some(SessionId(uuid::Uuid::from_u128(9))), ..all() };
    assert_eq!(fixture.engine.hooks_runs(unknown).unwrap_err().code, ErrorCode::SessionNotFound);
}
