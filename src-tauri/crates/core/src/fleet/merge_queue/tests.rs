//! Tests of the merge queue, and of its invariants under random sequences of changes.

use super::*;
use crate::{
    Timestamp,
    fleet::{MergeRequest, MergeStatus},
    ids::MergeRequestId,
};
use expect_test::expect;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn now() -> Timestamp {
    "2026-01-19T10:00:00Z".parse().unwrap()
}

fn id(n: u8) -> MergeRequestId {
    MergeRequestId::new(u64::from(n))
}

fn trouble() -> MergeTrouble {
    let (text, output) = ("a.rs has conflicts".to_owned(), "CONFLICT (content): a.rs".to_owned());
    let files = vec![ConflictFile { path: "a.rs".into(), conflicts: 2 }];
    MergeTrouble { kind: TroubleKind::Conflict, text, hint: None, files, output, at: now() }
}

fn queue(ids: &[u8]) -> MergeQueue {
    let mut queue = MergeQueue::default();
    ids.iter().for_each(|n| queue.add(id(*n), now()));
    queue
}

fn order(queue: &MergeQueue) -> Vec<MergeRequestId> {
    queue.entries.iter().map(|entry| entry.id.clone()).collect()
}

#[test]
fn requests_are_merged_one_by_one_in_order() {
    let mut queue = queue(&[1, 2, 1]);
    assert_eq!(order(&queue), [id(1), id(2)]);
    assert_eq!(queue.begin(now()).unwrap().id, id(1));
    assert_eq!(queue.begin(now()), None, "another merge is in progress");
    queue.merged(&id(1), "c1".into(), None, now()).unwrap();
    assert_eq!(queue.begin(now()).unwrap().id, id(2));
}

#[test]
fn the_oldest_merged_requests_are_forgotten_and_never_the_last() {
    let mut queue = queue(&[0]);
    queue.begin(now()).unwrap();
    queue.block(&id(0), trouble()).unwrap();
    queue.skip(&id(0)).unwrap();
    let minute = |n: u8| now() + chrono::TimeDelta::minutes(i64::from(n));
    let merge = |queue: &mut MergeQueue, n: u8, at: u8| {
        assert_eq!(queue.begin(minute(at)).unwrap().id, id(n));
        queue.merged(&id(n), "c".into(), None, minute(at)).unwrap();
    };
    for n in 1..=50 {
        queue.add(id(n), now());
        merge(&mut queue, n, n);
    }
    queue.retry(&id(0), false).unwrap();
    merge(&mut queue, 0, 51);
    let left = order(&queue);
    assert_eq!(
        (left.len(), left[0].clone(), left[1].clone()),
        (50, id(0), id(2)),
        "it keeps the first place"
    );
}

#[test]
fn a_stopped_request_blocks_all_behind_it_until_a_decision() {
    let mut queue = queue(&[1, 2, 3]);
    queue.begin(now()).unwrap();
    queue.block(&id(1), trouble()).unwrap();
    assert_eq!((queue.begin(now()), queue.blocked().map(|entry| entry.id.clone())), (None, Some(id(1))));
    queue.skip(&id(1)).unwrap();
    assert_eq!(queue.begin(now()).unwrap().id, id(2));
    assert_eq!(queue.status(queue.entry(&id(1)).unwrap()), MergeStatus::Conflicted);
    queue.merged(&id(2), "c2".into(), None, now()).unwrap();
    queue.retry(&id(1), true).unwrap();
    assert_eq!(queue.begin(now()).unwrap().id, id(1), "it keeps its place");
    assert!(queue.entry(&id(1)).unwrap().follow);
}

#[test]
fn landed_branches_are_not_merged_again() {
    let mut queue = queue(&[1]);
    queue.begin(now()).unwrap();
    let finish = MergeStep::Finish { candidate: "c1".into(), note: None };
    queue.step(&id(1), finish.clone(), now()).unwrap();
    assert_eq!(queue.cancel(&id(1)), Err(QueueRefused::BeingMerged(id(1))));
    queue.block(&id(1), trouble()).unwrap();
    queue.retry(&id(1), false).unwrap();
    assert_eq!(queue.begin(now()).unwrap().step, finish);
}

#[test]
fn a_branch_queued_again_restarts_with_its_current_commits() {
    let mut queue = queue(&[1]);
    queue.begin(now()).unwrap();
    queue.step(&id(1), MergeStep::Finish { candidate: "c1".into(), note: None }, now()).unwrap();
    queue.block(&id(1), trouble()).unwrap();
    queue.again(&id(1), Some("tip".into())).unwrap();
    assert_eq!(queue.entry(&id(1)).unwrap().approved.as_deref(), Some("tip"));
    assert_eq!(queue.begin(now()).unwrap().step, MergeStep::Prepare {});
    queue.block(&id(1), trouble()).unwrap();
    queue.retry(&id(1), false).unwrap();
    assert_eq!(queue.entry(&id(1)).unwrap().approved, None, "a retry is a decision");
}

#[test]
fn the_branchs_commit_is_recorded_before_it_is_merged() {
    let mut queue = queue(&[1]);
    queue.begin(now()).unwrap();
    let source = |queue: &MergeQueue| queue.current.as_ref().unwrap().branch_at.clone();
    queue.step(&id(1), MergeStep::Combine { source: "s".into(), target: "t".into() }, now()).unwrap();
    let text = serde_json::to_string(&queue).unwrap();
    assert_eq!(serde_json::from_str::<MergeQueue>(&text).unwrap(), queue, "the file contains it");
    queue.step(&id(1), MergeStep::Move { target: "t".into(), candidate: "c".into() }, now()).unwrap();
    assert_eq!(source(&queue).as_deref(), Some("s"));
    queue.step(&id(1), MergeStep::Prepare {}, now()).unwrap();
    assert_eq!(source(&queue), None);
}

#[test]
fn requests_merged_by_another_program_are_merged_at_any_step() {
    for skipped in [false, true] {
        let mut queue = queue(&[1]);
        queue.begin(now()).unwrap();
        queue.block(&id(1), trouble()).unwrap();
        if skipped {
            queue.skip(&id(1)).unwrap();
        }
        let (source_branch, target_branch) = ("work".parse().unwrap(), "main".parse().unwrap());
        let (status, bead_id) = (MergeStatus::Merged, "BC-1".parse().unwrap());
        let request = MergeRequest {
            id: id(1),
            source_branch,
            target_branch,
            status,
            bead_id,
            extra: Default::default(),
        };
        queue.adopt(&[request], now());
        assert_eq!(queue.status(queue.entry(&id(1)).unwrap()), MergeStatus::Merged);
    }
}

#[test]
fn a_request_can_be_cancelled_until_the_target_may_have_moved() {
    let mut queue = queue(&[1, 2]);
    queue.begin(now()).unwrap();
    let check = MergeStep::Check { target: "t".into(), candidate: "c".into() };
    queue.step(&id(1), check, now()).unwrap();
    queue.cancel(&id(1)).unwrap();
    let late = MergeStep::Move { target: "t".into(), candidate: "c".into() };
    assert_eq!(queue.step(&id(1), late, now()), Err(QueueRefused::NotBeingMerged(id(1))));
    assert_eq!(queue.begin(now()).unwrap().id, id(2));
}

#[test]
fn after_a_crash_moved_targets_are_finished_and_other_merges_restarted() {
    let (target, candidate) = ("t".to_owned(), "c".to_owned());
    let moving = MergeStep::Move { target: target.clone(), candidate: candidate.clone() };
    let push = MergeStep::Push { candidate: candidate.clone() };
    let check = MergeStep::Check { target, candidate: candidate.clone() };
    let again = MergeStep::Prepare {};
    for now in [TargetNow::HasIt, TargetNow::AsSeen, TargetNow::Other] {
        assert_eq!(check.after_a_crash(now), again);
    }
    assert_eq!(moving.after_a_crash(TargetNow::HasIt), push);
    assert_eq!(moving.after_a_crash(TargetNow::AsSeen), moving);
    assert_eq!(moving.after_a_crash(TargetNow::Other), again);
    assert_eq!(push.after_a_crash(TargetNow::HasIt), push);
    assert_eq!(push.after_a_crash(TargetNow::Other), again, "the target was rewritten meanwhile");
}

#[test]
fn the_file_records_the_step_of_the_request() {
    let mut queue = queue(&[1]);
    queue.begin(now()).unwrap();
    expect![[r#"{"version":1,"paused":false,"entries":[{"id":"merge-0000000001","queued_at":"2026-01-19T10:00:00Z","follow":false,"landed":null,"state":"waiting"}],"current":{"id":"merge-0000000001","step":"prepare","tries":0,"since":"2026-01-19T10:00:00Z"},"worktree":null}"#]]
    .assert_eq(&serde_json::to_value(&queue).unwrap().to_string());
    let later: MergeQueue = serde_json::from_str(r#"{"version":2,"later":1}"#).unwrap();
    assert_eq!(later.readable(), Err(QueueRefused::Later(2)));
}

proptest! {
    /// After any sequence of changes, no request is queued or merged twice, only started requests are merged,
    /// no request overtakes a blocked one, and the file contains the full state.
    #[test]
    fn the_queue_keeps_its_invariants(steps in prop::collection::vec((0u8..11, 0u8..6, 0u8..6), 0..80)) {
        let mut queue = MergeQueue::default();
        let mut merged = BTreeSet::new();
        for (what, one, other) in steps {
            let (one, other) = (id(one), id(other));
            let before = queue.clone();
            let refused = match what {
                0 => { if !merged.contains(&one) { queue.add(one, now()) }; false }
                1 => {
                    let started = queue.begin(now());
                    if let Some(started) = &started {
                        prop_assert!(!before.paused && before.current.is_none() && before.blocked().is_none());
                        let ahead = before.entries.iter().take_while(|entry| entry.id != started.id);
                        for entry in ahead {
                            let over = matches!(entry.state, EntryState::Merged { .. } | EntryState::Skipped { .. });
                            prop_assert!(over, "{entry:?} was overtaken");
                        }
                    }
                    started.is_none()
                }
                2 => queue.step(&one, MergeStep::Move { target: "t".into(), candidate: "c".into() }, now()).is_err(),
                3 => queue.step(&one, MergeStep::Finish { candidate: "c".into(), note: None }, now()).is_err(),
                4 => queue.block(&one, trouble()).is_err(),
                5 => {
                    let done = queue.merged(&one, "c".into(), None, now());
                    if done.is_ok() {
                        prop_assert!(merged.insert(one.clone()), "{} was merged twice", one);
                        prop_assert_eq!(before.current.map(|current| current.id), Some(one));
                    }
                    continue;
                }
                6 => queue.retry(&one, false).is_err(),
                7 => queue.skip(&one).is_err(),
                8 => queue.cancel(&one).is_err(),
                9 => queue.move_before(&one, Some(&other)).is_err(),
                _ => { queue.paused = !queue.paused; false }
            };
            if refused {
                prop_assert_eq!(&queue, &before, "a refused change changes nothing");
            }
            let ids = order(&queue);
            prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
            if let Some(current) = &queue.current {
                let entry = queue.entry(&current.id).expect("it is in the queue");
                let waits = matches!(entry.state, EntryState::Waiting {});
                prop_assert!(waits, "{entry:?}");
            }
            let text = serde_json::to_string(&queue).unwrap();
            prop_assert_eq!(&serde_json::from_str::<MergeQueue>(&text).unwrap(), &queue);
        }
    }
}
