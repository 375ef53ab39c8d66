//! Tests the drafts and claims that batched starts leave, and that a failed start does not affect the others.

use super::*;
use crate::fixture::Fixture;
use bc_beads::Actor;
use bc_core::{ids::BranchName, session::Status};
use bc_process::run::Program;
use bc_wire::{ErrorCode, api::Api, bead::*};

/// A project with a commit, the embedded store, and a file in place of the simulated agent.
fn project() -> Fixture {
    let fixture = Fixture::new();
    let root = fixture.ctx.project.root.clone();
    let git = |args: &[&str]| {
        let done = Program::new("git").args(args).cwd(&root).env("HOME", &root).run().unwrap();
        assert!(done.ok(), "{}", done.err());
    };
    git(&["init", "-q", "-b", "main"]);
    let by = ["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"];
    git(&[&by[..], &["commit", "-q", "--allow-empty", "-m", "first"]].concat());
    bc_store::file::replace(&fixture.ctx.project.beads_dir.join("issues.jsonl"), b"").unwrap();
    bc_store::file::replace(&root.join("sim"), b"").unwrap();
    fixture
}

fn bead(fixture: &Fixture, title: &str) -> BeadId {
    let params = BeadCreateParams { title: title.into(), ..BeadCreateParams::default() };
    fixture.engine.bead_create(params).unwrap().bead.bead.id
}

fn wanted(beads: &[&BeadId]) -> Vec<Wanted> {
    let params = |bead: &BeadId| SessionStartParams {
        bead_id: Some(bead.clone()),
        simulated: true,
        folder: FolderChoice::Worktree,
        ..SessionStartParams::default()
    };
    beads.iter().map(|bead| (params(bead), ForFleet::default())).collect()
}

fn claim(fixture: &Fixture, bead: &BeadId, by: &Actor) {
    fixture.ctx.tracker().unwrap().claim(bead, by).unwrap();
}

fn held_by(fixture: &Fixture, bead: &BeadId) -> (BeadStatus, Option<String>) {
    let shown = fixture.ctx.tracker().unwrap().show(bead).unwrap().bead;
    (shown.status, shown.assignee)
}

fn code(drafted: &Result<Drafted, ApiError>) -> Option<ErrorCode> {
    drafted.as_ref().err().map(|error| error.code)
}

#[test]
fn each_session_has_its_draft_and_bead_and_a_refused_start_leaves_nothing() {
    let fixture = project();
    let [one, closed, taken, two] = ["one", "closed", "taken", "two"].map(|title| bead(&fixture, title));
    fixture.engine.bead_close(BeadCloseParams { id: closed.clone(), reason: None, actor: None }).unwrap();
    let bob: Actor = "bob/22222222".parse().unwrap();
    claim(&fixture, &taken, &bob);
    let gone: BeadId = "bc-gone".parse().unwrap();
    let drafted = draft_all(
        &fixture.ctx,
        wanted(&[&one, &closed, &taken, &gone, &two, &one]),
        &mut FoundAgents::default(),
    );
    let refused: Vec<_> = drafted.iter().map(code).collect();
    use ErrorCode as E;
    let again = Some(E::SessionState);
    assert_eq!(refused, [None, Some(E::BeadState), Some(E::BeadClaimed), Some(E::BeadNotFound), None, again]);
    for (drafted, bead) in [(&drafted[0], &one), (&drafted[4], &two)] {
        let drafted = drafted.as_ref().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(fixture.meta(drafted.meta.id).status, Status::Draft);
        assert!(drafted.claimed.is_some(), "the recovery stores have the bead");
        let branch = drafted.meta.branch.as_ref().unwrap();
        let tip = |branch: &str| fixture.ctx.project.repo().unwrap().tip(&branch.parse().unwrap()).unwrap();
        assert_eq!(tip(branch.as_str()), tip("main"));
        assert_eq!(held_by(&fixture, bead), (BeadStatus::InProgress, drafted.meta.actor.clone()));
    }
    assert_eq!(held_by(&fixture, &taken).1.as_deref(), Some(bob.as_str()));
    assert_eq!(fixture.ctx.metas().unwrap().len(), 2, "the others left no draft");
}

#[test]
fn a_bead_that_is_deleted_between_draft_and_claim_is_refused_alone_and_its_draft_is_removed() {
    let fixture = project();
    let [one, two, three] = ["one", "two", "three"].map(|title| bead(&fixture, title));
    let mut drafted = drafts(&fixture.ctx, wanted(&[&one, &two, &three]), &mut FoundAgents::default());
    let bob: Actor = "bob/22222222".parse().unwrap();
    claim(&fixture, &one, &bob);
    fixture.engine.bead_close(BeadCloseParams { id: two.clone(), reason: None, actor: None }).unwrap();
    claim_all(&fixture.ctx, &mut drafted);
    let refused: Vec<_> = drafted.iter().map(code).collect();
    assert_eq!(refused, [Some(ErrorCode::BeadClaimed), Some(ErrorCode::BeadState), None]);
    assert_eq!(held_by(&fixture, &one).1.as_deref(), Some(bob.as_str()));
    assert_eq!(held_by(&fixture, &three).0, BeadStatus::InProgress);
    assert_eq!(fixture.ctx.metas().unwrap().len(), 1);
}

#[test]
fn after_a_kill_before_or_after_the_claims_the_same_beads_can_be_started_again() {
    for claims in [false, true] {
        let fixture = project();
        let [one, two] = ["one", "two"].map(|title| bead(&fixture, title));
        let mut drafted = drafts(&fixture.ctx, wanted(&[&one, &two]), &mut FoundAgents::default());
        if claims {
            claim_all(&fixture.ctx, &mut drafted);
        }
        let left: Vec<SessionId> = drafted
            .into_iter()
            .map(|drafted| drafted.unwrap_or_else(|error| panic!("{error}")).meta.id)
            .collect();
        // Killing the process releases the locks, but the files remain.
        let fixture = fixture.reopened();
        assert!(left.iter().all(|id| fixture.meta(*id).status == Status::Draft));
        let drafted = draft_all(&fixture.ctx, wanted(&[&one, &two]), &mut FoundAgents::default());
        for drafted in drafted {
            let drafted = drafted.unwrap_or_else(|error| panic!("{claims}: {error}"));
            // A bead that an earlier session claimed is claimed when the start continues.
            assert_eq!(drafted.claimed.is_none(), claims);
        }
    }
}

#[test]
fn a_failed_worktree_is_removed_with_the_branch_that_was_created_for_it() {
    let fixture = project();
    let [one, two] = ["one", "two"].map(|title| bead(&fixture, title));
    let drafted = draft_all(&fixture.ctx, wanted(&[&one, &two]), &mut FoundAgents::default());
    let tip = |branch: &BranchName| fixture.ctx.project.repo().unwrap().tip(branch).unwrap();
    for drafted in drafted {
        let drafted = drafted.unwrap_or_else(|error| panic!("{error}"));
        let (id, branch) = (drafted.meta.id, drafted.meta.branch.clone().unwrap());
        assert!(tip(&branch).is_some());
        // A file blocks the worktree's path.
        let place = drafted.workspace.cwd.clone();
        bc_store::file::create_dir(place.parent().unwrap()).unwrap();
        bc_store::file::replace(&place, b"").unwrap();
        start_drafted(&fixture.ctx, drafted).unwrap_err();
        assert_eq!(tip(&branch), None);
        assert!(fixture.ctx.store.session(id).meta().is_err(), "the draft was removed");
    }
    assert_eq!(held_by(&fixture, &one), (BeadStatus::Open, None));
    assert_eq!(held_by(&fixture, &two), (BeadStatus::Open, None));
}

#[test]
fn each_program_is_looked_up_once_even_if_that_fails() {
    let fixture = project();
    let bead = bead(&fixture, "one");
    let mut all = wanted(&[&bead, &bead, &bead]);
    all[1].0.place = Some("no-such-place".into());
    let mut found = FoundAgents::default();
    for _ in 0..2 {
        found.find(&fixture.ctx, &all);
        assert_eq!(found.0.len(), 2);
        assert!(found.of(&all[0].0).unwrap().is_ok());
        assert!(found.of(&all[1].0).unwrap().is_err());
        // A second search would not find the program.
        let _ = bc_store::file::remove(&fixture.ctx.project.root.join("sim"));
    }
}
