//! The real bd with a Dolt server: the project's own, from the dolt program that BC_TEST_DOLT names, or one
//! that never answers.

use super::{Project, alice, by_id};
use crate::{Close, Environment, ListFilter, NewBead, TrackerError, TrackerKind, open};
use bc_core::bead::BeadStatus;
use std::{path::PathBuf, time::Duration};

/// Ends the project's server after the test, even on failure.
struct Server<'a>(&'a Project);

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let bd = self.0.program(self.0.environment.bd.clone().expect("it is named"));
        let _ = bd.args(["dolt", "stop"]).run();
    }
}

fn project(test: &str) -> Option<Project> {
    let Some(dolt) = std::env::var_os("BC_TEST_DOLT").map(PathBuf::from) else {
        eprintln!("SKIPPED {test}: BC_TEST_DOLT is not set");
        return None;
    };
    let mut project = Project::new(test, "served")?;
    let folder = dolt.parent().expect("BC_TEST_DOLT is an absolute path").to_owned();
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&usual))).unwrap();
    project.environment.variables.push(("PATH".into(), path));
    Some(project)
}

#[test]
#[ignore = "takes long: a Dolt server"]
fn the_real_bd_with_a_server_keeps_the_contract() {
    let Some(project) = project("the_real_bd_with_a_server_keeps_the_contract") else { return };
    let _server = Server(&project);
    project.bd(&["init", "--server", "--prefix", "tp", "--skip-hooks", "--skip-agents", "--quiet"]);
    super::contract::keeps_the_contract(&project);
    crate::contract_tests::one_claim_wins(&|| project.tracker(), 5);
}

#[test]
#[ignore = "takes long: a Dolt server"]
fn the_real_bd_keeps_beads_with_a_server() {
    let Some(project) = project("the_real_bd_keeps_beads_with_a_server") else { return };
    let _server = Server(&project);
    project.bd(&["init", "--server", "--prefix", "tp", "--skip-hooks", "--skip-agents", "--quiet"]);
    let tracker = project.tracker();
    assert_eq!((tracker.kind(), tracker.describe().notice), (TrackerKind::Bd, None));

    let blocker = tracker.create(&NewBead::titled("blocker"), &alice()).unwrap().bead;
    let new = NewBead { blocked_by: vec![blocker.id.clone()], ..NewBead::titled("waits") };
    let waits = tracker.create(&new, &alice()).unwrap().bead;
    assert!(blocker.ready && !waits.ready);
    let board = tracker.list(&ListFilter::board()).unwrap();
    assert_eq!(by_id(&board.beads, &waits.id).blocked_by, vec![blocker.id.clone()]);
    assert_eq!(tracker.ready().unwrap().iter().map(|bead| &bead.id).collect::<Vec<_>>(), [&blocker.id]);

    let mark = || tracker.change_mark().unwrap().expect("the server's files are here");
    let mut last = mark();
    let mut moved = |what: &str| {
        let now = mark();
        assert_ne!(now, last, "{what} is not seen");
        last = now;
    };
    tracker.claim(&blocker.id, &alice()).unwrap();
    moved("a claim");
    tracker.add_comment(&blocker.id, "- a comment", &alice()).unwrap();
    moved("a comment");
    project.bd(&["update", waits.id.as_str(), "--priority=0"]);
    moved("another program's change");
    assert_eq!(tracker.show(&blocker.id).unwrap().comments.len(), 1);
    assert_eq!(tracker.list(&ListFilter::board()).unwrap().beads[0].id, waits.id);
    let closed = tracker.close(&blocker.id, &Close::default(), &alice()).unwrap();
    assert_eq!(closed.status, BeadStatus::Closed);
    moved("a close");
    assert!(tracker.show(&waits.id).unwrap().bead.ready);
    let before = mark();
    tracker.list(&ListFilter::everything()).unwrap();
    tracker.ready().unwrap();
    assert_eq!(mark(), before, "reading is no change");
    crate::facts_check::check(tracker.as_ref());

    // bd starts a stopped server, or reports it as unreachable if it cannot start it.
    project.bd(&["dolt", "stop"]);
    assert_eq!(tracker.list(&ListFilter::board()).unwrap().beads[0].id, waits.id);
    project.bd(&["dolt", "stop"]);
    let mut without_dolt = project.environment.clone();
    without_dolt.variables.push(("PATH".into(), "/usr/bin:/bin".into()));
    without_dolt.timeout = Duration::from_secs(30);
    let error = open(&project.root, &without_dolt).unwrap().list(&ListFilter::board()).unwrap_err();
    assert!(matches!(error, TrackerError::ServerUnreachable { .. }), "{error}");
    assert!(error.to_string().contains("bd dolt start"), "{error}");
}

/// A remote server that accepts connections and never answers.
#[test]
#[ignore = "takes long: bd waits for the server"]
fn a_server_that_never_answers_gives_an_error() {
    let Some(project) = Project::new("a_server_that_never_answers_gives_an_error", "elsewhere") else {
        return;
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    project.put(
        ".beads/metadata.json",
        &format!(
            "{{\"backend\":\"dolt\",\"database\":\"dolt\",\"dolt_mode\":\"server\",\"dolt_database\":\"tp\",\
             \"dolt_server_host\":\"127.0.0.1\",\"dolt_server_port\":{port}}}"
        ),
    );
    let environment = Environment { timeout: Duration::from_secs(20), ..project.environment.clone() };
    let tracker = open(&project.root, &environment).unwrap();
    assert_eq!(tracker.change_mark().unwrap(), None);
    let error = tracker.list(&ListFilter::board()).unwrap_err();
    let expected = matches!(
        error,
        TrackerError::ServerUnreachable { .. } | TrackerError::TimedOut { .. } | TrackerError::Failed { .. }
    );
    assert!(expected, "{error:?}");
    drop(listener);
}
