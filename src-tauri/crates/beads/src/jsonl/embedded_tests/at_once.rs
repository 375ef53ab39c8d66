//! Many threads and processes on one file.
#![allow(clippy::disallowed_methods, reason = "this test binary starts itself as a child")]

use super::{Project, alice};
use crate::{Actor, Environment, ListFilter, NewBead, open};

#[test]
fn one_of_many_concurrent_claims_wins_and_no_change_is_lost() {
    const AT_ONCE: usize = 8;
    let project = Project::new();
    let id = project.make("race");
    let winners = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE)
            .map(|n| {
                let (project, id) = (&project, &id);
                scope.spawn(move || {
                    let actor: Actor = format!("user{n}").parse().unwrap();
                    for i in 0..5 {
                        project.tracker.create(&NewBead::titled(format!("{n}.{i}")), &actor).unwrap();
                        project.tracker.add_comment(id, &format!("{n}.{i}"), &actor).unwrap();
                    }
                    project.tracker.claim(id, &actor).is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(|&won| won).count()
    });
    assert_eq!(winners, 1);
    assert_eq!(project.tracker.list(&ListFilter::board()).unwrap().beads.len(), AT_ONCE * 5 + 1);
    let mut numbers: Vec<String> =
        project.tracker.show(&id).unwrap().comments.into_iter().map(|comment| comment.id).collect();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), AT_ONCE * 5);
}

const CHILD_OF: &str = "BC_BEADS_TEST_CHILD_OF";

#[test]
fn concurrent_processes_lose_no_change() {
    if let Some(root) = std::env::var_os(CHILD_OF) {
        let tracker = open(root.as_ref(), &Environment::default()).unwrap();
        for n in 0..5 {
            tracker.create(&NewBead::titled(format!("{} {n}", std::process::id())), &alice()).unwrap();
        }
        return;
    }
    let project = Project::new();
    let children: Vec<_> = (0..4)
        .map(|_| {
            std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "jsonl::embedded_tests::at_once::concurrent_processes_lose_no_change"])
                .env(CHILD_OF, project.dir.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(project.tracker.list(&ListFilter::board()).unwrap().beads.len(), 20);
}
