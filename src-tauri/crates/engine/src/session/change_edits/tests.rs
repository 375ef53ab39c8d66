//! Tests reverts with undo, commits, pull requests and comments in real repositories.

use super::editor::words_for;
#[cfg(unix)]
use super::publish::pull_request_with;
use crate::{context::now, fixture::Fixture};
use bc_core::{
    ids::SessionId,
    session::{Draft, Event, Meta, PauseReason},
};
use bc_process::run::{Finished, Program};
use bc_wire::{ErrorCode, api::Api, session::*};
use std::{
    fs,
    path::{Path, PathBuf},
};

struct Work {
    fixture: Fixture,
    id: SessionId,
    root: PathBuf,
}

const LINES: usize = 30;

fn numbered(edit: impl Fn(usize) -> String) -> String {
    (1..=LINES).map(edit).collect()
}

impl Work {
    /// A paused session on the branch `work`, with the files `lines.txt`, `gone.txt` and `moved.txt` in its base.
    fn new() -> Work {
        let fixture = Fixture::new();
        let root = fixture.ctx.project.root.clone();
        let id = SessionId(uuid::Uuid::from_u128(7));
        let work = Work { fixture, id, root };
        work.git(&["init", "-q", "-b", "main"]);
        work.git(&["config", "user.name", "Ann"]);
        work.git(&["config", "user.email", "ann@example.invalid"]);
        work.write("lines.txt", &numbered(|n| format!("{n}\n")));
        work.write("gone.txt", "gone\r\nlines\n");
        work.write("moved.txt", &numbered(|n| format!("moved {n}\n")));
        work.write(".gitignore", ".beads/\n");
        work.git(&["add", "-A"]);
        work.git(&["commit", "-q", "-m", "first"]);
        work.git(&["switch", "-q", "-c", "work"]);
        let base = work.git(&["rev-parse", "HEAD"]).out().trim().to_owned();
        let draft = Draft {
            branch: Some("work".parse().unwrap()),
            title: Some("Tidy the lines".into()),
            ..Draft::new(id, "proj-1".parse().unwrap(), now() - chrono::Duration::hours(2))
        };
        let mut meta = Meta::draft(draft);
        meta.cwd = Some(work.root.display().to_string());
        meta.base_commit = Some(base);
        meta.base_branch = Some("main".parse().unwrap());
        meta.transition(Event::Start, now() - chrono::Duration::hours(1)).unwrap();
        meta.transition(Event::Pause(PauseReason::User), now() - chrono::Duration::minutes(30)).unwrap();
        drop(work.fixture.ctx.store.create(&meta).unwrap());
        work
    }

    fn reopened(self) -> Work {
        Work { fixture: self.fixture.reopened(), ..self }
    }

    fn git(&self, args: &[&str]) -> Finished {
        let done = Program::new("git").args(args).cwd(&self.root).env("HOME", &self.root).run().unwrap();
        assert!(done.ok(), "git {args:?}: {}", done.err());
        done
    }

    #[allow(clippy::disallowed_methods)]
    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    fn files(&self) -> Vec<bc_wire::diff::FileDiff> {
        let params = SessionChangesParams { id: self.id, ignore_space: false };
        self.fixture.engine.session_changes(params).unwrap().files
    }

    fn revert(&self, path: &str, hunk: Option<u32>) -> Result<KeptRevert, bc_wire::ApiError> {
        let content = self.files().into_iter().find(|file| file.path == path).and_then(|file| file.content);
        let params = RevertParams { id: self.id, path: path.into(), hunk, content };
        self.fixture.engine.session_revert(params)
    }

    fn undo(&self, revert: &KeptRevert) -> Result<KeptReverts, bc_wire::ApiError> {
        self.fixture.engine.session_undo_revert(RevertRef { id: self.id, revert: revert.revert.clone() })
    }

    fn status(&self) -> String {
        self.git(&["status", "--porcelain"]).out()
    }

    fn index(&self) -> String {
        self.git(&["ls-files", "--stage"]).out()
    }
}

#[test]
fn the_copy_of_a_session_at_an_unknown_place_is_never_changed() {
    let work = Work::new();
    work.write("lines.txt", "three\n");
    let reverted = work.revert("lines.txt", None).unwrap();
    let lock = work.fixture.session_lock(work.id);
    lock.save_meta(&Meta { place: Some("far".into()), ..lock.meta().unwrap() }).unwrap();
    drop(lock);
    let engine = &work.fixture.engine;
    assert_eq!(engine.session_reverts(SessionRef { id: work.id }).unwrap().reverts, []);
    work.write("lines.txt", "four\n");
    let commit = CommitParams { id: work.id, message: "Mine".into(), paths: vec![] };
    let restore = RestoreFilesParams { id: work.id, checkpoint: 1, files: vec![], anyway: true };
    let failed = [
        work.revert("lines.txt", None).unwrap_err(),
        work.undo(&reverted).unwrap_err(),
        engine.session_commit(commit).unwrap_err(),
        engine.session_restore_files(restore).unwrap_err(),
    ];
    for error in failed {
        assert_eq!(error.code, ErrorCode::PlaceNotFound, "{error}");
    }
    let changes = engine.session_changes(SessionChangesParams { id: work.id, ignore_space: false }).unwrap();
    assert_eq!(changes.of, ChangesOf::Branch);
    assert!(changes.notes.iter().any(|note| note.contains("are not shown")), "{:?}", changes.notes);
    assert_eq!(work.read("lines.txt").unwrap(), "four\n");
}

#[test]
fn every_kind_of_change_is_reverted_and_undone_exactly() {
    let work = Work::new();
    work.write("lines.txt", &numbered(|n| if n == 3 { "three\n".into() } else { format!("{n}\n") }));
    work.write("new file.txt", "new\r\n\u{e4}\n");
    work.write("staged.txt", "staged\n");
    work.git(&["add", "staged.txt"]);
    fs::remove_file(work.root.join("gone.txt")).unwrap();
    work.git(&["mv", "moved.txt", "elsewhere.txt"]);
    work.write("elsewhere.txt", &(numbered(|n| format!("moved {n}\n")) + "more\n"));
    let (status, index) = (work.status(), work.index());
    let before: Vec<_> =
        ["lines.txt", "new file.txt", "staged.txt", "gone.txt", "moved.txt", "elsewhere.txt"]
            .map(|path| (path, work.read(path)))
            .to_vec();
    let reverted: Vec<_> = work.files().iter().map(|file| work.revert(&file.path, None).unwrap()).collect();
    assert_eq!(reverted.len(), 5);
    assert_eq!(work.read("lines.txt").unwrap(), numbered(|n| format!("{n}\n")));
    assert_eq!(work.read("gone.txt").unwrap(), "gone\r\nlines\n");
    assert_eq!(
        [work.read("new file.txt"), work.read("staged.txt"), work.read("elsewhere.txt")],
        [None, None, None]
    );
    assert!(work.read("moved.txt").is_some());
    assert_eq!(work.index(), index, "the index is untouched");
    assert_eq!(work.files(), []);
    let work = work.reopened();
    let kept = work.fixture.engine.session_reverts(SessionRef { id: work.id }).unwrap().reverts;
    assert!(kept.len() == 5 && kept.iter().all(|revert| revert.undoable), "{kept:?}");
    for revert in &kept {
        work.undo(revert).unwrap();
    }
    for (path, text) in before {
        assert_eq!(work.read(path), text, "{path}");
    }
    assert_eq!((work.status(), work.index()), (status, index));
    let left = work.fixture.engine.session_reverts(SessionRef { id: work.id }).unwrap();
    assert_eq!(left, KeptReverts::default());
    assert!(work.git(&["for-each-ref", "refs/beads-console"]).out().is_empty());
}

#[test]
fn one_hunk_is_reverted_and_undone() {
    let work = Work::new();
    work.write(
        "lines.txt",
        &numbered(|n| if n == 3 || n == 25 { format!("new {n}\n") } else { format!("{n}\n") }),
    );
    let changed = work.read("lines.txt");
    let revert = work.revert("lines.txt", Some(1)).unwrap();
    let text = work.read("lines.txt").unwrap();
    assert!(text.contains("new 3\n") && text.contains("\n25\n"), "{text}");
    assert!(revert.hunk.as_ref().is_some_and(|head| head.starts_with("@@ -22")), "{revert:?}");
    assert_eq!(work.undo(&revert).unwrap(), KeptReverts::default());
    assert_eq!(work.read("lines.txt"), changed);
    assert_eq!(work.revert("lines.txt", Some(7)).unwrap_err().code, ErrorCode::Usage);
    work.write("added.txt", "x\n");
    assert_eq!(work.revert("added.txt", Some(0)).unwrap_err().code, ErrorCode::FileRefused);
}

#[test]
fn reverts_of_purged_sessions_are_removed() {
    let work = Work::new();
    work.write("lines.txt", "mine\n");
    work.revert("lines.txt", None).unwrap();
    super::forget(&work.fixture.ctx, &[work.id]);
    assert!(work.git(&["for-each-ref", "refs/beads-console"]).out().is_empty());
}

#[test]
fn an_undo_never_overwrites_later_work() {
    let work = Work::new();
    work.write("lines.txt", "mine\n");
    let revert = work.revert("lines.txt", None).unwrap();
    work.write("lines.txt", "later\n");
    let kept = work.fixture.engine.session_reverts(SessionRef { id: work.id }).unwrap().reverts;
    assert!(!kept[0].undoable);
    assert_eq!(work.undo(&revert).unwrap_err().code, ErrorCode::FileRefused);
    assert_eq!(work.read("lines.txt").unwrap(), "later\n");
}

#[test]
fn a_file_that_changed_since_it_was_displayed_is_not_reverted() {
    let work = Work::new();
    work.write("lines.txt", "mine\n");
    let content = work.files()[0].content.clone();
    work.write("lines.txt", "later\n");
    let params = RevertParams { id: work.id, path: "lines.txt".into(), hunk: None, content };
    assert_eq!(work.fixture.engine.session_revert(params).unwrap_err().code, ErrorCode::FileRefused);
    assert_eq!(work.read("lines.txt").unwrap(), "later\n");
    for path in ["../outside", "README", ".git/config", "", "-x"] {
        let params = RevertParams { id: work.id, path: path.into(), hunk: None, content: None };
        assert_eq!(work.fixture.engine.session_revert(params).unwrap_err().code, ErrorCode::Usage, "{path}");
    }
}

#[test]
fn a_folder_in_the_place_of_a_file_keeps_its_files() {
    let work = Work::new();
    fs::remove_file(work.root.join("gone.txt")).unwrap();
    work.write("gone.txt/inside", "mine\n");
    assert_eq!(work.revert("gone.txt", None).unwrap_err().code, ErrorCode::FileRefused);
    assert_eq!(work.read("gone.txt/inside").unwrap(), "mine\n");
    assert!(work.git(&["for-each-ref", "refs/beads-console"]).out().is_empty());
}

#[cfg(unix)]
#[test]
fn links_and_executable_files_are_restored() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let work = Work::new();
    symlink("/etc/passwd", work.root.join("link")).unwrap();
    work.write("run.sh", "#!/bin/sh\n");
    fs::set_permissions(work.root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let reverts = ["link", "run.sh"].map(|path| work.revert(path, None).unwrap());
    assert!(work.root.join("link").symlink_metadata().is_err() && work.read("run.sh").is_none());
    reverts.iter().for_each(|revert| drop(work.undo(revert).unwrap()));
    assert_eq!(fs::read_link(work.root.join("link")).unwrap(), Path::new("/etc/passwd"));
    assert_eq!(work.root.join("run.sh").metadata().unwrap().permissions().mode() & 0o111, 0o111);
}

#[test]
fn chosen_files_are_committed_with_the_message_of_the_user() {
    let work = Work::new();
    work.write("lines.txt", "changed\n");
    work.write("new.txt", "new\n");
    let preview = work.fixture.engine.session_commit_preview(SessionRef { id: work.id }).unwrap();
    assert_eq!(preview.message, "Tidy the lines");
    assert_eq!(
        preview.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["lines.txt", "new.txt"]
    );
    assert_eq!((preview.author.as_deref(), preview.unsigned), (Some("Ann"), false));
    let commit = |message: &str, paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        work.fixture.engine.session_commit(CommitParams { id: work.id, message: message.into(), paths })
    };
    for (message, paths) in [(" \n", &["new.txt"][..]), ("x", &["other.txt"]), ("x\0y", &["new.txt"])] {
        assert_eq!(commit(message, paths).unwrap_err().code, ErrorCode::Usage);
    }
    let done = commit("Tidy: \"quotes\" & $(things)\n\n# Heading\n", &["new.txt"]).unwrap();
    assert_eq!((done.subject.as_str(), done.files), ("Tidy: \"quotes\" & $(things)", 1));
    assert_eq!(
        work.git(&["log", "-1", "--format=%H %B"]).out().trim(),
        format!("{} {}\n\n# Heading", done.hash, done.subject)
    );
    assert_eq!(work.status(), " M lines.txt\n");
    commit("The rest", &[]).unwrap();
    assert_eq!(commit("Nothing", &[]).unwrap_err().code, ErrorCode::Usage);
}

#[test]
fn a_refused_commit_reports_what_git_said() {
    let work = Work::new();
    work.write("lines.txt", "changed\n");
    let lock = work.root.join(".git/index.lock");
    work.write(".git/index.lock", "");
    let params = CommitParams { id: work.id, message: "x".into(), paths: Vec::new() };
    let error = work.fixture.engine.session_commit(params.clone()).unwrap_err();
    assert_eq!(error.code, ErrorCode::GitFailed);
    fs::remove_file(lock).unwrap();
    work.fixture.engine.session_commit(params).unwrap();
}

#[test]
fn lines_around_a_hunk_are_read() {
    let work = Work::new();
    work.write("lines.txt", &numbered(|n| if n == 3 { "three\n".into() } else { format!("{n}\n") }));
    let lines = |from, to| {
        let params = FileLinesParams { id: work.id, path: "lines.txt".into(), from, to };
        work.fixture.engine.session_file_lines(params).unwrap()
    };
    assert_eq!(lines(2, 4), FileLines { lines: ["2", "three", "4"].map(str::to_owned).to_vec(), total: 30 });
    assert_eq!(lines(29, 99).lines, ["29", "30"]);
    assert_eq!(lines(50, 40).lines, Vec::<String>::new());
}

#[test]
fn an_editors_command_gets_the_file_and_no_shell() {
    let words = |setting: &str| words_for(setting, Path::new("/p/a b/$(x).rs"), 12);
    assert_eq!(words("code --goto {file}:{line}").unwrap(), ["code", "--goto", "/p/a b/$(x).rs:12"]);
    assert_eq!(words("'my editor' +{line}").unwrap(), ["my editor", "+12", "/p/a b/$(x).rs"]);
    assert_eq!(words(" ").unwrap_err().code, ErrorCode::EditorMissing);
    assert_eq!(words("'open").unwrap_err().code, ErrorCode::EditorMissing);
}

#[test]
fn comments_stay_until_they_are_removed() {
    let work = Work::new();
    let comment = |id: &str, text: &str| ChangeComment {
        comment: id.into(),
        path: "lines.txt".into(),
        line: 3,
        side: CommentSide::New,
        code: "three".into(),
        text: text.into(),
        sent_at: None,
    };
    let set = |work: &Work, put: Vec<ChangeComment>, remove: &[&str]| {
        let remove = remove.iter().map(|id| (*id).to_owned()).collect();
        work.fixture.engine.session_set_comments(SetCommentsParams { id: work.id, put, remove })
    };
    set(&work, vec![comment("a", "why?"), comment("b", "and this?")], &[]).unwrap();
    let sent = ChangeComment { sent_at: Some(now()), ..comment("a", "why?") };
    set(&work, vec![sent.clone()], &["b"]).unwrap();
    assert_eq!(set(&work, vec![comment("c", " ")], &[]).unwrap_err().code, ErrorCode::Usage);
    let work = work.reopened();
    let all = work.fixture.engine.session_comments(SessionRef { id: work.id }).unwrap().comments;
    assert_eq!((all.len(), &all[0].text, all[0].sent_at.is_some()), (1, &sent.text, true));
    assert_eq!(set(&work, vec![], &["a"]).unwrap(), ChangeComments::default());
}

#[cfg(unix)]
#[test]
fn a_pull_request_is_opened_with_gh() {
    use std::os::unix::fs::PermissionsExt;
    let work = Work::new();
    let remote =
        work.root.parent().unwrap().join(format!("{}-remote.git", work.fixture.folder.path().display()));
    Program::new("git").args(["init", "-q", "--bare"]).arg(&remote).run().unwrap();
    work.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
    work.write("lines.txt", "changed\n");
    let commit = CommitParams { id: work.id, message: "Change the lines".into(), paths: Vec::new() };
    work.fixture.engine.session_commit(commit).unwrap();
    let preview = work.fixture.engine.session_publish_preview(SessionRef { id: work.id }).unwrap();
    assert_eq!(
        (preview.remote.as_deref(), preview.unpushed, preview.uncommitted),
        (Some("origin"), 1, Some(0))
    );
    assert_eq!(preview.base.map(String::from).as_deref(), Some("main"));
    // A script that answers like gh and records its arguments and input.
    let gh = |script: &str| {
        work.write("../gh", &format!("#!/bin/sh\n{script}\n"));
        let gh = work.root.join("../gh");
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
        gh
    };
    let params = PullRequestParams {
        id: work.id,
        title: "Tidy; $(rm -rf .)\nsecond line".into(),
        body: "Body\n\n> quote".into(),
        base: Some("main".parse().unwrap()),
        draft: true,
    };
    let noted = work.root.join(".git/noted");
    let script = format!(
        "printf '%s\\n' \"$@\" > '{0}'; cat >> '{0}'; git config core.hooksPath >> '{0}'; echo https://github.com/a/b/pull/7",
        noted.display()
    );
    let opened = pull_request_with(&gh(&script), &work.fixture.ctx, &params).unwrap();
    assert_eq!(opened, PullRequest { url: "https://github.com/a/b/pull/7".into(), existed: false });
    let noted = fs::read_to_string(noted).unwrap();
    assert!(noted.starts_with("pr\ncreate\n--head\nwork\n--title\nTidy; $(rm -rf .) second line\n--body-file\n-\n--base\nmain\n--draft\n"), "{noted}");
    assert!(noted.ends_with("> quote/dev/null\n"), "{noted}");
    let pushed = Program::new("git").arg("-C").arg(&remote).args(["rev-parse", "work"]).run().unwrap();
    assert_eq!(pushed.out(), work.git(&["rev-parse", "work"]).out());
    let exists = "echo 'a pull request for branch \"work\" into branch \"main\" already exists:' >&2; echo https://github.com/a/b/pull/7 >&2; exit 1";
    assert!(pull_request_with(&gh(exists), &work.fixture.ctx, &params).unwrap().existed);
    let error =
        pull_request_with(&gh("echo 'not logged in' >&2; exit 4"), &work.fixture.ctx, &params).unwrap_err();
    assert!(error.code == ErrorCode::GitFailed && error.message.contains("not logged in"), "{error}");
    fs::remove_dir_all(remote).unwrap();
}
