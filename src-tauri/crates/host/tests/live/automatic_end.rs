//! Sessions that end automatically because they are idle for too long, or because their bead is in review.

use crate::support::{Live, TIMEOUT, exe};
use bc_core::{
    bead::BeadStatus,
    session::{CloseReason, PauseReason, Status},
};
use bc_host::{Activity, HELPER_VERSION, HelperReport};
use bc_testkit::wait_until;
use std::{fs, path::PathBuf};

/// Creates a session with this idle limit, in milliseconds.
fn with_idle_limit(ms: u64) -> Live {
    let mut live = Live::new();
    live.spec.idle_ms = Some(ms);
    live
}

fn wait_paused(live: &Live) {
    wait_until("a pause", TIMEOUT, || live.meta().status == Status::Paused);
    assert_eq!(live.meta().pause_reason, Some(PauseReason::Inactivity));
    assert_eq!(live.wait_ended(), Some(0));
}

#[test]
fn only_a_session_that_is_idle_with_nothing_pending_is_paused() {
    const LIMIT: u64 = 1_500;
    // Each of these sessions has waited longer than the session that is paused.
    let asks = with_idle_limit(LIMIT).prompted("ask Bash").started();
    asks.wait_activity(Activity::WaitingPermission);
    let works = with_idle_limit(LIMIT).prompted("slow").started();
    works.wait_activity(Activity::Working);
    let background = with_idle_limit(LIMIT).prompted("background").started();
    background.wait_activity(Activity::Idle);
    let forever = Live::new().prompted("hello").started();
    forever.wait_activity(Activity::Idle);
    let idle = with_idle_limit(LIMIT).prompted("hello").started();
    wait_paused(&idle);
    for live in [&asks, &works, &background, &forever] {
        assert_eq!(live.meta().status, Status::Active, "{:?}", live.status());
    }
    // The next turn ends without a background task, so nothing is pending.
    background.client().send("hello").unwrap();
    wait_paused(&background);
}

#[test]
fn the_limit_can_be_changed_while_the_session_runs() {
    let live = Live::new().prompted("hello").started();
    live.wait_activity(Activity::Idle);
    live.client().idle_after(Some(86_400_000)).unwrap();
    live.client().idle_after(Some(1)).unwrap();
    wait_paused(&live);
}

/// Creates a session on a bead for which the helper reports this state.
fn on_a_bead(status: BeadStatus) -> Live {
    let mut live = Live::new();
    live.spec.console = Some(exe());
    live.spec.bead = Some("BC-1".parse().unwrap());
    set_bead_status(&live, status);
    live
}

#[allow(clippy::disallowed_methods, reason = "the program under test answers with this file")]
fn set_bead_status(live: &Live, status: BeadStatus) {
    let report =
        HelperReport { version: HELPER_VERSION, bead_status: Some(status), ..HelperReport::default() };
    fs::write(live.path().join("report.json"), serde_json::to_vec(&report).unwrap()).unwrap();
}

fn wait_closed(live: &Live) {
    wait_until("a closed session", TIMEOUT, || live.meta().status == Status::Closed);
    assert_eq!(live.meta().close_reason, Some(CloseReason::InReview));
}

#[test]
fn a_bead_in_review_closes_the_session_when_the_turn_is_over() {
    let live = on_a_bead(BeadStatus::InReview).prompted("slow").started();
    live.wait_activity(Activity::Working);
    live.client().beads_changed().unwrap();
    // The queued prompt is sent first, because it was meant for this session.
    live.client().send("one more thing").unwrap();
    wait_until("the helper request", TIMEOUT, || live.path().join("errands.jsonl").exists());
    assert_eq!(live.meta().status, Status::Active);
    live.client().interrupt().unwrap();
    wait_closed(&live);
    let messages: Vec<String> = live.messages().into_iter().map(|m| m.content).collect();
    assert!(messages.contains(&"Reply to: slow".to_owned()), "{messages:?}");
    assert!(messages.contains(&"Reply to: one more thing".to_owned()), "{messages:?}");
}

#[test]
fn a_bead_already_in_review_closes_the_session_only_after_it_moves_there_again() {
    let mut live = on_a_bead(BeadStatus::InReview);
    live.spec.in_review = true;
    let live = live.prompted("hello").started();
    live.wait_activity(Activity::Idle);
    live.client().send("again").unwrap();
    live.wait_recorded("Reply to: again");
    live.wait_activity(Activity::Idle);
    assert_eq!(live.meta().status, Status::Active);
    set_bead_status(&live, BeadStatus::InProgress);
    live.client().send("back to work").unwrap();
    live.wait_recorded("Reply to: back to work");
    live.wait_activity(Activity::Idle);
    let checks = || fs::read_to_string(live.path().join("errands.jsonl")).unwrap_or_default().lines().count();
    wait_until("a check after each turn", TIMEOUT, || checks() >= 3);
    set_bead_status(&live, BeadStatus::InReview);
    live.client().beads_changed().unwrap();
    wait_closed(&live);
}

#[test]
fn a_host_without_an_engine_notices_changes_of_the_trackers_files() {
    let mut live = on_a_bead(BeadStatus::InProgress);
    let tracker: PathBuf = live.path().canonicalize().map(bc_core::paths::plain).unwrap().join("tracker");
    fs::create_dir(&tracker).unwrap();
    live.spec.bead_paths = vec![tracker.clone()];
    let live = live.prompted("hello").started();
    live.wait_activity(Activity::Idle);
    set_bead_status(&live, BeadStatus::InReview);
    #[allow(clippy::disallowed_methods, reason = "the test writes the file as the tracker does")]
    fs::write(tracker.join("manifest"), "changed").unwrap();
    wait_closed(&live);
}
