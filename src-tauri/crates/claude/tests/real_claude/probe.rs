//! Tests the probe against the real claude.

use crate::lab::Lab;
use bc_claude::probe::{self, Probe};

#[test]
fn the_real_claude_is_ready_and_its_faults_are_reported() {
    let Some(mut lab) = Lab::new("the_real_claude_is_ready_and_its_faults_are_reported") else { return };
    let probe = |lab: &Lab| probe::probe(&lab.env(), lab.sandbox.project());
    let found = probe(&lab);
    assert!(found.is_ready(), "{}", found.message());
    assert_eq!(probe::is_trusted(&lab.places(), lab.sandbox.project()), Some(true));

    lab.sandbox.write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    assert!(matches!(probe(&lab), Probe::HooksDisabled { .. }));
    lab.sandbox.write(".claude/settings.local.json", "{}");

    lab.sandbox.set("ANTHROPIC_API_KEY", "");
    assert!(matches!(probe(&lab), Probe::NotLoggedIn { .. }), "{:?}", probe(&lab));
}
