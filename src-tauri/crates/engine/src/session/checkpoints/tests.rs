//! Tests the commands for a session's checkpoints: list, compare, restore.

use super::*;
use crate::fixture::Fixture;
use bc_core::{
    ids::SessionId,
    session::{Draft, Event, PauseReason},
};
use bc_git::{NewTurn, PromptPlace};
use bc_process::run::Program;
use bc_wire::api::Api;
use uuid::Uuid;

const WITHIN: Duration = Duration::from_secs(60);

struct Sandbox {
    fixture: Fixture,
    id: SessionId,
}

impl Sandbox {
    /// A paused session in the main tree of a repository with one commit.
    fn new() -> Sandbox {
        let fixture = Fixture::new();
        let id = SessionId(Uuid::from_u128(1));
        let sandbox = Sandbox { fixture, id };
        sandbox.git(&["init", "-q", "-b", "main"]);
        sandbox.write("login.rs", "old\n");
        sandbox.git(&["add", "login.rs"]);
        let by = ["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"];
        sandbox.git(&[&by[..], &["commit", "-q", "-m", "first"]].concat());
        let ctx = &sandbox.fixture.ctx;
        let mut meta = Meta::draft(Draft::new(id, "proj-1".parse().unwrap(), now()));
        meta.cwd = Some(ctx.project.root.display().to_string());
        for event in [Event::Start, Event::Pause(PauseReason::User)] {
            meta.transition(event, now()).unwrap();
        }
        drop(ctx.store.create(&meta).unwrap());
        sandbox
    }

    fn git(&self, args: &[&str]) {
        let root = &self.fixture.ctx.project.root;
        let done = Program::new("git").args(args).cwd(root).env("HOME", root).run().unwrap();
        assert!(done.ok(), "{}", done.err());
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.fixture.ctx.project.root.join(name);
        bc_store::file::replace(&path, text.as_bytes()).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.fixture.ctx.project.root.join(name)).unwrap()
    }

    fn prompt(&self, text: &str) {
        let turn = NewTurn { prompt: text.to_owned(), at: now(), place: PromptPlace::default() };
        let repo = self.fixture.ctx.project.repo().unwrap();
        repo.keep_before_prompt(self.id, &turn, WITHIN).unwrap();
    }

    fn list(&self) -> SessionCheckpoints {
        self.fixture.engine.session_checkpoints(SessionRef { id: self.id }).unwrap()
    }

    fn restore(&self, checkpoint: u32, files: &[&str], anyway: bool) -> Result<FilesRestored, ApiError> {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        let params = RestoreFilesParams { id: self.id, checkpoint, files, anyway };
        self.fixture.engine.session_restore_files(params)
    }
}

#[test]
fn checkpoints_list_the_changes_after_each_prompt() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.list().checkpoints, []);
    sandbox.prompt("one");
    sandbox.prompt("two");
    sandbox.write("login.rs", "new\nmore\n");
    sandbox.prompt("three");
    sandbox.write("other.rs", "x\n");
    let listed = sandbox.list();
    assert!(listed.has_folder && listed.notes.is_empty(), "{:?}", listed.notes);
    let counts = |files, added, removed| Some(CheckpointCounts { files, added, removed });
    let lines: Vec<_> = listed
        .checkpoints
        .iter()
        .map(|line| (line.turns.iter().map(|turn| turn.turn).collect::<Vec<_>>(), line.changed))
        .collect();
    assert_eq!(lines, [(vec![1, 2], counts(1, 2, 1)), (vec![3], counts(1, 1, 0))]);
    assert_eq!(listed.checkpoints[0].branch.as_deref(), Some("main"));
}

#[test]
fn checkpoints_are_compared_with_each_other_and_with_now() {
    let sandbox = Sandbox::new();
    sandbox.prompt("one");
    sandbox.write("login.rs", "new\n");
    sandbox.prompt("two");
    sandbox.write("folder.rs", "x\n");
    let compare = |to| {
        let params = CheckpointCompareParams { id: sandbox.id, from: 1, to, ignore_space: false };
        sandbox.fixture.engine.session_compare(params).unwrap()
    };
    let paths = |changes: &CheckpointChanges| -> Vec<String> {
        changes.files.iter().map(|file| file.path.clone()).collect()
    };
    let between = compare(Some(2));
    assert_eq!((paths(&between), between.uncommitted), (vec!["login.rs".to_owned()], vec![]));
    let now = compare(None);
    assert_eq!(paths(&now), ["folder.rs", "login.rs"]);
    assert_eq!(now.uncommitted, ["folder.rs", "login.rs"]);
    let params = CheckpointCompareParams { id: sandbox.id, from: 1, to: Some(9), ignore_space: false };
    let error = sandbox.fixture.engine.session_compare(params).unwrap_err();
    assert_eq!(error.code, ErrorCode::CheckpointNotFound);
}

#[test]
fn a_restore_is_undone_by_its_checkpoint() {
    let sandbox = Sandbox::new();
    sandbox.prompt("one");
    sandbox.write("login.rs", "new\n");
    let done = sandbox.restore(1, &[], false).unwrap();
    assert_eq!((done.written, sandbox.read("login.rs").as_str()), (vec!["login.rs".to_owned()], "old\n"));
    let listed = sandbox.list();
    let restore = CheckpointRestore { checkpoint: 1, files: vec![] };
    assert_eq!(listed.checkpoints[1].restore, Some(restore));
    assert_eq!(done.reference.as_deref(), Some(listed.checkpoints[1].reference.as_str()));
    let undo = done.undo.unwrap();
    sandbox.restore(undo, &[], false).unwrap();
    assert_eq!(sandbox.read("login.rs"), "new\n");
    assert_eq!(sandbox.restore(undo, &[], false).unwrap().undo, None, "the files are unchanged");
}

#[test]
fn a_restore_on_another_branch_needs_a_confirmation_and_a_path_must_be_inside() {
    let sandbox = Sandbox::new();
    sandbox.prompt("one");
    sandbox.write("login.rs", "new\n");
    sandbox.git(&["switch", "-q", "-c", "other"]);
    let error = sandbox.restore(1, &[], false).unwrap_err();
    assert_eq!(error.code, ErrorCode::ConfirmationNeeded);
    assert!(error.message.contains("other is checked out now, and main was then"), "{}", error.message);
    assert_eq!(sandbox.read("login.rs"), "new\n");
    for path in ["../login.rs", "/etc/passwd", "", "a/../../b", "a\0b"] {
        assert_eq!(sandbox.restore(1, &[path], true).unwrap_err().code, ErrorCode::Usage, "{path:?}");
    }
    assert_eq!(sandbox.restore(1, &["login.rs"], true).unwrap().written, ["login.rs"]);
}

#[test]
fn without_its_folder_checkpoints_are_listed_but_not_restored() {
    let sandbox = Sandbox::new();
    sandbox.prompt("one");
    let ctx = &sandbox.fixture.ctx;
    let lock = sandbox.fixture.session_lock(sandbox.id);
    let mut meta = lock.meta().unwrap();
    meta.cwd = Some(ctx.project.root.join("gone").display().to_string());
    lock.save_meta(&meta).unwrap();
    drop(lock);
    let listed = sandbox.list();
    assert_eq!((listed.checkpoints.len(), listed.has_folder, listed.notes.len()), (1, false, 1));
    assert_eq!(sandbox.restore(1, &[], true).unwrap_err().code, ErrorCode::SessionState);
}
