//! Tests restores with the real git.

#[cfg(unix)]
use super::tests::files;
use super::{
    snapshot::LIMITS,
    tests::{at, content, keep, session, users_state},
    *,
};
use crate::{Repo, fixture::Sandbox};
use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

fn restore(repo: &Repo, to: u32, files: &[&str]) -> AppliedRestore {
    let to = repo.checkpoint(session(), to).unwrap().unwrap();
    let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
    repo.restore_checkpoint(session(), &to, &files, at()).unwrap()
}

/// The files of the tree, without git's folder.
fn tree(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    users_state(sandbox).into_iter().filter(|(name, _)| !name.starts_with(".git/")).collect()
}

fn git_state(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    users_state(sandbox).into_iter().filter(|(name, _)| name.starts_with(".git/")).collect()
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.root().join(path)).unwrap()
}

#[test]
fn a_restore_over_uncommitted_changes_keeps_them_and_can_be_undone() {
    let sandbox = Sandbox::with_commit();
    sandbox.write(".gitignore", "ignored\n");
    sandbox.write("deleted later", "old");
    sandbox.commit("second");
    sandbox.write("untracked", "old");
    let repo = sandbox.repo();
    let kept = keep(&repo, "go");
    let old = tree(&sandbox);
    sandbox.write("README.md", "the user's change");
    sandbox.run(&["add", "README.md"]);
    sandbox.write("untracked", "changed");
    sandbox.write("made/by/claude", "new");
    sandbox.write("ignored", "mine");
    fs::remove_file(sandbox.root().join("deleted later")).unwrap();
    let (new, git) = (tree(&sandbox), git_state(&sandbox));
    let done = restore(&repo, kept.number, &[]);
    assert_eq!(git_state(&sandbox), git, "index, HEAD, branches and stash are the same");
    let mut expected = old.clone();
    expected.insert("ignored".into(), b"mine".to_vec());
    assert_eq!(tree(&sandbox), expected);
    assert_eq!(done.written, ["README.md", "deleted later", "untracked"]);
    assert_eq!(done.deleted, ["made/by/claude"]);
    assert_eq!(done.skipped, []);
    let before = done.before.unwrap();
    assert_eq!(content(&sandbox, &before, "README.md"), "the user's change");
    assert_eq!((before.record.restored, before.record.prompts), (Some(1), 1));
    let undone = restore(&repo, before.number, &[]);
    assert_eq!(undone.skipped, []);
    assert_eq!(undone.deleted, ["deleted later"]);
    assert_eq!(tree(&sandbox), new);
    assert_eq!(git_state(&sandbox), git);
}

#[test]
fn single_files_and_folders_are_restored() {
    let sandbox = Sandbox::with_commit();
    for name in ["a", "b", "folder/c", "folder/d", "folder2/e"] {
        sandbox.write(name, "old");
    }
    let repo = sandbox.repo();
    keep(&repo, "go");
    for name in ["a", "b", "folder/c", "folder2/e"] {
        sandbox.write(name, "new");
    }
    let done = restore(&repo, 1, &["a", "folder/", "unknown"]);
    assert_eq!(done.written, ["a", "folder/c"]);
    assert_eq!((read(&sandbox, "b"), read(&sandbox, "folder2/e")), ("new".into(), "new".into()));
    let record = repo.checkpoint(session(), done.before.unwrap().number).unwrap().unwrap().record;
    assert_eq!(record.restored_files, ["a", "folder/", "unknown"]);
    assert_eq!(restore(&repo, 1, &["a"]).before, None, "there is nothing to do");
}

#[cfg(unix)]
#[test]
fn no_restore_leaves_the_folder_through_a_link() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::with_commit();
    sandbox.write("folder/file", "old");
    sandbox.write("ignored/deep/file", "old");
    let repo = sandbox.repo();
    keep(&repo, "go");
    let root = sandbox.root();
    sandbox.write("../outside/file", "outside");
    sandbox.write("../outside/deep/file", "outside");
    fs::remove_dir_all(root.join("folder")).unwrap();
    symlink("../outside", root.join("folder")).unwrap();
    fs::remove_dir_all(root.join("ignored")).unwrap();
    sandbox.write(".gitignore", "ignored\n");
    symlink("../outside", root.join("ignored")).unwrap();
    let done = restore(&repo, 1, &[]);
    assert_eq!(
        (read(&sandbox, "../outside/file"), read(&sandbox, "../outside/deep/file")),
        ("outside".into(), "outside".into())
    );
    assert_eq!(read(&sandbox, "folder/file"), "old", "a link that git does not ignore is replaced");
    assert!(!root.join("folder").is_symlink());
    let skipped: Vec<_> = done.skipped.iter().map(|file| (file.path.as_str(), file.why.as_str())).collect();
    assert_eq!(skipped, [("ignored/deep/file", "its folder is a link")]);
}

#[cfg(unix)]
#[test]
fn links_modes_and_file_kinds_are_restored() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = Sandbox::with_commit();
    let root = sandbox.root();
    symlink("README.md", root.join("link")).unwrap();
    sandbox.write("script", "#!/bin/sh");
    sandbox.make_executable("script");
    sandbox.write("file", "x");
    sandbox.write("folder/file", "x");
    sandbox.commit("all kinds");
    let repo = sandbox.repo();
    keep(&repo, "go");
    let old = tree(&sandbox);
    fs::remove_file(root.join("link")).unwrap();
    sandbox.write("link/inside", "x");
    fs::set_permissions(root.join("script"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::remove_file(root.join("file")).unwrap();
    symlink("/etc/passwd", root.join("file")).unwrap();
    fs::remove_dir_all(root.join("folder")).unwrap();
    sandbox.write("folder", "a file");
    let done = restore(&repo, 1, &[]);
    assert_eq!(done.skipped, []);
    assert_eq!(tree(&sandbox), old);
    assert!(root.join("script").metadata().unwrap().permissions().mode() & 0o100 != 0);
}

#[test]
fn a_rename_that_only_changes_case_is_restored() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("Notes.txt", "x");
    sandbox.commit("notes");
    let repo = sandbox.repo();
    keep(&repo, "go");
    fs::rename(sandbox.root().join("Notes.txt"), sandbox.root().join("notes.txt")).unwrap();
    let done = restore(&repo, 1, &[]);
    assert_eq!((done.written, done.deleted), (vec!["Notes.txt".to_owned()], vec!["notes.txt".to_owned()]));
    let names: Vec<_> = tree(&sandbox).into_keys().collect();
    assert_eq!(names, ["Notes.txt", "README.md"]);
}

#[test]
fn submodules_and_ignored_files_in_the_way_stay() {
    let sandbox = Sandbox::with_commit();
    sandbox.run(&["init", "-q", "../library"]);
    sandbox.run(&["-C", "../library", "commit", "-q", "--allow-empty", "-m", "x"]);
    sandbox.run(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../library", "lib"]);
    sandbox.write("later ignored", "old");
    sandbox.commit("a submodule");
    let repo = sandbox.repo();
    keep(&repo, "go");
    sandbox.run(&["-C", "lib", "commit", "-q", "--allow-empty", "-m", "moved on"]);
    sandbox.write("lib/dirty", "mine");
    sandbox.run(&["rm", "-q", "--cached", "later ignored"]);
    sandbox.write(".gitignore", "later ignored\n");
    sandbox.write("later ignored", "mine");
    let head = sandbox.run_any(&["-C", "lib", "rev-parse", "HEAD"]).out();
    let done = restore(&repo, 1, &[]);
    assert_eq!(done.submodules, 1);
    assert_eq!(sandbox.run_any(&["-C", "lib", "rev-parse", "HEAD"]).out(), head);
    assert_eq!(
        (read(&sandbox, "lib/dirty"), read(&sandbox, "later ignored")),
        ("mine".into(), "mine".into())
    );
    assert_eq!(done.skipped.len(), 1, "{:?}", done.skipped);
    assert_eq!(done.skipped[0].path, "later ignored");
}

#[test]
fn files_beyond_a_checkpoints_limits_are_not_deleted() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let kept = keep(&repo, "go");
    let mut partial = kept.clone();
    partial.record.left_out.more = 7;
    partial.record.left_out.files = vec![LeftOutFile { path: "large".into(), why: LeftOutReason::TooLarge }];
    for name in ["large", "other"] {
        sandbox.write(name, "mine");
    }
    let done = repo.restore_checkpoint(session(), &partial, &[], at()).unwrap();
    assert_eq!((done.before, done.deleted.len(), done.skipped.len()), (None, 0, 2));
    assert_eq!((read(&sandbox, "large"), read(&sandbox, "other")), ("mine".into(), "mine".into()));
}

#[test]
fn a_file_whose_lfs_object_is_missing_stays_as_it_is_and_is_named() {
    let sandbox = Sandbox::with_commit();
    // A filter that fails on checkout, as LFS does if an object is missing.
    sandbox.write("../global", "[filter \"lfs\"]\n\tclean = cat\n\tsmudge = false\n\trequired = true\n");
    let global = sandbox.root().join("../global");
    let repo = Repo::discover_with(sandbox.git().env("GIT_CONFIG_GLOBAL", &global), sandbox.root()).unwrap();
    sandbox.write(".gitattributes", "*.bin filter=lfs\n");
    sandbox.write("model.bin", "old");
    sandbox.write("text", "old");
    keep(&repo, "go");
    sandbox.write("model.bin", "mine");
    sandbox.write("text", "mine");
    let done = restore(&repo, 1, &[]);
    assert_eq!((read(&sandbox, "model.bin"), read(&sandbox, "text")), ("mine".into(), "old".into()));
    let skipped: Vec<&str> = done.skipped.iter().map(|file| file.path.as_str()).collect();
    assert_eq!((done.written, skipped), (vec!["text".to_owned()], vec!["model.bin"]));
}

#[test]
fn filters_that_the_user_has_allowed_apply_in_both_directions() {
    let sandbox = Sandbox::with_commit();
    // A global setting is the user's own, so the filter does not need a permission. The filter imitates LFS
    // with its pointers.
    sandbox.write("../global", "[filter \"upper\"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n");
    let global = sandbox.root().join("../global");
    let repo = Repo::discover_with(sandbox.git().env("GIT_CONFIG_GLOBAL", &global), sandbox.root()).unwrap();
    sandbox.write(".gitattributes", "*.up filter=upper\n");
    sandbox.write("file.up", "content");
    let kept = keep(&repo, "go");
    assert_eq!(content(&sandbox, &kept, "file.up"), "CONTENT");
    sandbox.write("file.up", "changed");
    restore(&repo, 1, &[]);
    assert_eq!(read(&sandbox, "file.up"), "content");
}

#[test]
fn a_checkpoint_of_a_later_version_is_not_restored() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let mut kept = keep(&repo, "go");
    kept.record.version += 1;
    let error = repo.restore_checkpoint(session(), &kept, &[], at()).unwrap_err();
    assert!(matches!(error, RestoreFailure::LaterVersion { number: 1 }), "{error}");
}

#[test]
fn a_file_that_changes_while_a_restore_is_prepared_stops_it() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let kept = keep(&repo, "go");
    sandbox.write("README.md", "claude's");
    let (now, index) = repo.snapshot_with(Instant::now() + Duration::from_secs(60), LIMITS).unwrap();
    let plan = repo.plan(&now, &kept, &[]).unwrap();
    repo.check_unchanged(&index, &plan).unwrap();
    sandbox.write("README.md", "the user's, a moment later");
    let error = repo.check_unchanged(&index, &plan).unwrap_err();
    let RestoreFailure::ChangedMeanwhile { files } = error else { panic!("{error}") };
    assert_eq!(files, ["README.md"]);
}

#[test]
fn a_new_worktree_gets_the_files_of_a_checkpoint() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("deleted", "1");
    sandbox.write("edited", "1");
    sandbox.commit("second");
    let repo = sandbox.repo();
    sandbox.write("edited", "2");
    sandbox.write("new/untracked", "x");
    fs::remove_file(sandbox.root().join("deleted")).unwrap();
    let kept = keep(&repo, "go");
    let head = kept.head.as_ref().unwrap().as_str();
    sandbox.run(&["worktree", "add", "-q", "-b", "fork", "../fork", head]);
    // Imitates a file that the user's settings copy into each new worktree.
    sandbox.write("../fork/copied", "x");
    let fork = repo.at(sandbox.root().join("../fork")).unwrap();
    assert_eq!(fork.fill_from_checkpoint(&kept).unwrap(), []);
    let read = |name: &str| fs::read_to_string(sandbox.root().join("../fork").join(name)).ok();
    assert_eq!(read("edited").as_deref(), Some("2"));
    assert_eq!(read("new/untracked").as_deref(), Some("x"));
    assert_eq!((read("deleted"), read("copied").as_deref()), (None, Some("x")));
    let status = fork.status().unwrap();
    assert_eq!((status.changed.len(), status.untracked.len()), (2, 2), "uncommitted again: {status:?}");
    assert_eq!(fork.checkpoints(session()).unwrap().len(), 1, "no further checkpoint");
}

#[test]
fn the_trackers_files_are_never_restored() {
    let sandbox = Sandbox::with_commit();
    sandbox.write(".beads/issues.jsonl", "old");
    sandbox.commit("beads");
    let repo = sandbox.repo();
    keep(&repo, "go");
    sandbox.write(".beads/issues.jsonl", "new");
    sandbox.run(&["add", "-A"]);
    sandbox.write("README.md", "edited");
    let done = restore(&repo, 1, &[]);
    assert_eq!(done.written, ["README.md"]);
    assert_eq!(read(&sandbox, ".beads/issues.jsonl"), "new");
    assert_eq!(restore(&repo, 1, &[".beads/"]).before, None);
}

#[cfg(unix)]
#[test]
fn a_file_name_that_is_not_utf8_is_restored() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let sandbox = Sandbox::with_commit();
    let path = sandbox.root().join(OsStr::from_bytes(b"odd \xff name"));
    fs::rename(sandbox.root().join("README.md"), &path).unwrap();
    let repo = sandbox.repo();
    let kept = keep(&repo, "go");
    assert_eq!(files(&sandbox, &kept).len(), 1);
    fs::remove_file(&path).unwrap();
    assert_eq!(restore(&repo, 1, &[]).skipped, []);
    assert_eq!(fs::read_to_string(&path).unwrap(), "# A project\n");
}
