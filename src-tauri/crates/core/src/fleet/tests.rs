//! The transitions of the fleet's entities, and the content of their files.

use super::*;
use crate::{Timestamp, ids::*};
use expect_test::expect;
use proptest::prelude::*;

fn now() -> Timestamp {
    "2026-01-19T10:00:00Z".parse().unwrap()
}

fn agent() -> FleetAgentId {
    FleetAgentId::new(AgentRole::Polecat, 0x12_3456_789a)
}

fn item(bead: &str) -> WorkItem {
    WorkItem::new(bead.parse().unwrap(), "Fix auth bug".into(), "JWT expiry".into(), Priority::P1)
}

#[test]
fn ids_are_of_their_kind_and_ten_hex_digits() {
    assert_eq!(agent().as_str(), "polecat-123456789a");
    assert_eq!(ConvoyId::new(1).as_str(), "convoy-0000000001");
    assert_eq!(MergeRequestId::new(u64::MAX).as_str(), "merge-ffffffffff");
    for bad in ["../x", "-rf", "a/b", "", ".hidden", "a\0b"] {
        assert!(bad.parse::<FleetAgentId>().is_err(), "{bad:?}");
    }
}

#[test]
fn a_hook_with_work_is_written_with_sorted_keys_at_every_depth() {
    let hook = HookState::empty(agent(), now()).with(&item("bead-1"), now()).unwrap();
    expect![[r#"
        {
          "agentId": "polecat-123456789a",
          "lastActivity": "2026-01-19T10:00:00Z",
          "status": "pending",
          "workItem": {
            "assignee": "polecat-123456789a",
            "beadId": "bead-1",
            "description": "JWT expiry",
            "hookStatus": "pending",
            "priority": "P1",
            "status": "hooked",
            "title": "Fix auth bug"
          }
        }
    "#]]
    .assert_eq(&file_text(&hook));
}

#[test]
fn foreign_fields_survive_a_round_trip() {
    let theirs = r#"{"id":"polecat-alpha","role":"polecat","rig":"my-rig","hookId":"hook-polecat-alpha","status":"idle","mood":{"b":1,"a":2}}"#;
    let read: AgentIdentity = serde_json::from_str(theirs).unwrap();
    let text = file_text(&read);
    assert!(text.contains("\"mood\": {\n    \"a\": 2,\n    \"b\": 1\n  }"), "{text}");
    assert_eq!(serde_json::from_str::<AgentIdentity>(&text).unwrap(), read);
}

#[test]
fn an_agent_has_at_most_one_assignment() {
    let hook = HookState::empty(agent(), now()).with(&item("bead-1"), now()).unwrap();
    let refused = hook.with(&item("bead-2"), now()).unwrap_err();
    assert_eq!(refused.to_string(), "polecat-123456789a has bead-1 on its hook");
    let active = hook.activated(now()).unwrap();
    assert!(active.activated(now()).is_err(), "it is already active");
    let (completed, done) = active.completed(now()).unwrap();
    assert_eq!((done.status, completed.work_item.as_ref()), (WorkStatus::Done, None));
    assert!(matches!(completed.with(&item("bead-2"), now()), Err(HookRefused::NotCleared { .. })));
    let cleared = completed.cleared(now());
    assert!(matches!(cleared.with(&done, now()), Err(HookRefused::Over { .. })));
    assert!(cleared.with(&item("bead-2"), now()).is_ok());
}

#[test]
fn an_interrupted_change_of_two_files_is_completed() {
    let hook = HookState::empty(agent(), now()).with(&item("bead-1"), now()).unwrap();
    let held = settled(&item("bead-1"), [&hook]);
    assert_eq!((held.status, held.assignee), (WorkStatus::Hooked, Some(agent())));
    let left = item("bead-1").on_hook(&agent(), HookStatus::Active);
    assert_eq!(settled(&left, []), item("bead-1"));
    let done = item("bead-1").on_hook(&agent(), HookStatus::Completed);
    assert_eq!(settled(&done, []), done);
}

#[test]
fn a_convoy_has_unique_beads_and_their_progress() {
    let ids = ["a", "b", "a", "c"].map(|id| id.parse::<BeadId>().unwrap());
    let convoy = Convoy::new(ConvoyId::new(7), "Sprint 1".into(), ids.to_vec(), now());
    assert_eq!(convoy.bead_ids.len(), 3);
    let far = |bead: &BeadId| match bead.as_str() {
        "a" => Some(WorkStatus::Merged),
        "b" => Some(WorkStatus::InProgress),
        _ => None,
    };
    assert!((convoy.progress_by(far) - 1.0 / 3.0).abs() < 1e-12);
    let none = Convoy::new(ConvoyId::new(8), "empty".into(), Vec::new(), now());
    assert!(none.progress_by(far).abs() < 1e-12);
}

#[test]
fn bead_priorities_map_to_three_classes() {
    let of = [0, 1, 2, 3, 4].map(Priority::of_bead);
    assert_eq!(of, [Priority::P1, Priority::P1, Priority::P2, Priority::P3, Priority::P3]);
}

proptest! {
    /// After any sequence of changes, a hook has work if and only if it is pending or active.
    #[test]
    fn a_hook_has_work_only_while_it_is_pending_or_active(steps in prop::collection::vec(0u8..4, 0..40)) {
        let mut hook = HookState::empty(agent(), now());
        for step in steps {
            hook = match step {
                0 => hook.with(&item("bead-1"), now()).unwrap_or(hook),
                1 => hook.activated(now()).unwrap_or(hook),
                2 => hook.completed(now()).map_or(hook, |(hook, _)| hook),
                _ => hook.cleared(now()),
            };
            let held = matches!(hook.status, HookStatus::Pending | HookStatus::Active);
            prop_assert_eq!(hook.work_item.is_some(), held);
            prop_assert_eq!(hook.holds(&"bead-1".parse().unwrap()), held);
        }
    }
}
