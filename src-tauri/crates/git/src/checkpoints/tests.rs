//! Tests of checkpoints with the real git.

use super::*;
use crate::{GitError, Repo, fixture::Sandbox};
use bc_core::{Timestamp, ids::SessionId};
use std::{collections::BTreeMap, fs, path::Path, time::Duration};

const WITHIN: Duration = Duration::from_secs(120);

pub(super) fn session() -> SessionId {
    "0197f3b0-0000-7000-8000-000000000001".parse().unwrap()
}

pub(super) fn at() -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
}

pub(super) fn keep(repo: &Repo, prompt: &str) -> Checkpoint {
    keep_state(repo, prompt).checkpoint
}

fn keep_state(repo: &Repo, prompt: &str) -> KeptState {
    let turn = NewTurn { prompt: prompt.to_owned(), at: at(), place: PromptPlace::default() };
    repo.keep_before_prompt(session(), &turn, WITHIN).unwrap()
}

/// Every file of the working tree and of the user's git state: index, HEAD, stash, branches, reflogs.
pub(super) fn users_state(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    fn walk(top: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = bc_core::paths::recorded(path.strip_prefix(top).unwrap());
            let ours = [".git/objects", ".git/refs/beads-console", ".git/beads-console"];
            if ours.contains(&name.as_str()) {
                continue;
            }
            let found = path.symlink_metadata().unwrap();
            if found.is_symlink() {
                all.insert(name, fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes());
            } else if found.is_dir() {
                all.insert(format!("{name}/"), Vec::new());
                walk(top, &path, all);
            } else {
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(sandbox.root(), sandbox.root(), &mut all);
    all
}

pub(super) fn files(sandbox: &Sandbox, checkpoint: &Checkpoint) -> Vec<String> {
    let done = sandbox.run_any(&["ls-tree", "-r", "-z", "--name-only", checkpoint.tree.as_str()]);
    done.out().split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

pub(super) fn content(sandbox: &Sandbox, checkpoint: &Checkpoint, path: &str) -> String {
    let done = sandbox.run_any(&["show", &format!("{}:{path}", checkpoint.commit.as_str())]);
    assert!(done.ok(), "{}", done.err());
    done.out()
}

#[test]
fn a_checkpoint_has_tracked_and_untracked_files_and_changes_nothing_of_the_user() {
    let sandbox = Sandbox::with_commit();
    sandbox.write(".gitignore", "secret\n");
    sandbox.write("gone", "1");
    sandbox.write("staged", "1");
    sandbox.commit("second");
    sandbox.write("stashed", "1");
    sandbox.run(&["add", "stashed"]);
    sandbox.run(&["stash"]);
    sandbox.write("README.md", "edited");
    sandbox.write("staged", "2");
    sandbox.run(&["add", "staged"]);
    sandbox.write("staged", "3");
    sandbox.write("new/ü \"x\"\n.txt", "new");
    sandbox.write("secret", "ignored");
    sandbox.write(".beads/issues.jsonl", "{}");
    fs::remove_file(sandbox.root().join("gone")).unwrap();
    let before = users_state(&sandbox);
    let kept = keep(&sandbox.repo(), "Do it\nwell");
    assert_eq!(users_state(&sandbox), before);
    let mut names = files(&sandbox, &kept);
    names.sort();
    assert_eq!(names, [".gitignore", "README.md", "new/ü \"x\"\n.txt", "staged"]);
    assert_eq!(content(&sandbox, &kept, "README.md"), "edited");
    assert_eq!(content(&sandbox, &kept, "staged"), "3");
    assert_eq!(kept.number, 1);
    assert_eq!(kept.record.uncommitted, 4, "{:?}", kept.record);
    assert_eq!(kept.record.branch.as_deref(), Some("main"));
    assert_eq!(kept.head.unwrap().as_str(), sandbox.repo().head().unwrap().commit.unwrap());
    assert_eq!(kept.record.turns[0].words, "Do it well");
}

#[test]
fn a_checkpoints_record_is_read_from_its_commit() {
    let sandbox = Sandbox::with_commit();
    let kept = keep(&sandbox.repo(), "first \u{1}\u{0} odd");
    assert_eq!(sandbox.repo().checkpoints(session()).unwrap(), std::slice::from_ref(&kept));
    assert_eq!(sandbox.repo().checkpoint(session(), 1).unwrap(), Some(kept));
    assert_eq!(sandbox.repo().checkpoint(session(), 2).unwrap(), None);
    let other: SessionId = "0197f3b0-0000-7000-8000-000000000002".parse().unwrap();
    assert_eq!(sandbox.repo().checkpoints(other).unwrap(), []);
}

#[test]
fn an_unchanged_tree_makes_no_second_checkpoint() {
    let sandbox = Sandbox::with_commit();
    let first = keep_state(&sandbox.repo(), "one");
    let second = keep_state(&sandbox.repo(), "two");
    assert!(first.is_new && !second.is_new);
    let all = sandbox.repo().checkpoints(session()).unwrap();
    assert_eq!(all.len(), 1);
    let turns: Vec<_> = all[0].record.turns.iter().map(|turn| (turn.turn, turn.words.as_str())).collect();
    assert_eq!(turns, [(1, "one"), (2, "two")]);
    sandbox.commit("the same files, another commit");
    assert!(keep_state(&sandbox.repo(), "three").is_new, "its HEAD differs");
    sandbox.write("README.md", "edited");
    let fourth = keep(&sandbox.repo(), "four");
    assert_eq!((fourth.number, fourth.record.turns[0].turn), (3, 4));
}

#[test]
fn uncommitted_work_is_kept_once_until_a_prompt_uses_its_checkpoint() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let work = || repo.keep_work(session(), at(), WITHIN).unwrap();
    assert!(!work(), "everything is committed");
    keep(&repo, "one");
    sandbox.write("new", "first");
    assert!(work() && !work());
    sandbox.write("new", "second");
    assert!(work());
    let all = repo.checkpoints(session()).unwrap();
    assert_eq!(all.iter().map(Checkpoint::is_work).collect::<Vec<_>>(), [false, true]);
    assert_eq!(content(&sandbox, &all[1], "new"), "second");
    let second = keep_state(&repo, "two");
    assert_eq!((second.is_new, second.checkpoint.number), (false, 2));
    assert_eq!(second.checkpoint.record.turns[0].turn, 2);
    assert!(!work(), "the prompt's checkpoint has it");
}

#[test]
fn a_change_right_after_git_add_is_detected() {
    let sandbox = Sandbox::with_commit();
    for text in ["aaaa", "bbbb", "cccc", "dddd"] {
        sandbox.write("same length", text);
        sandbox.run(&["add", "-A"]);
        sandbox.write("same length", "zzzz");
        let kept = keep(&sandbox.repo(), text);
        assert_eq!(content(&sandbox, &kept, "same length"), "zzzz");
    }
}

#[test]
fn a_repository_without_commits_has_checkpoints() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "x");
    let kept = keep(&sandbox.repo(), "start");
    assert_eq!((files(&sandbox, &kept), kept.head), (vec!["file".to_owned()], None));
}

#[test]
fn a_linked_worktree_has_its_own_state_and_shares_the_references() {
    let sandbox = Sandbox::with_commit();
    sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
    sandbox.write("../linked/there", "x");
    let linked = sandbox.repo().at(sandbox.root().join("../linked")).unwrap();
    let kept = keep(&linked, "in the worktree");
    assert_eq!(files(&sandbox, &kept), ["README.md", "there"]);
    assert_eq!(sandbox.repo().checkpoints(session()).unwrap().len(), 1);
    assert!(!sandbox.root().join(".git/beads-console").exists());
    let own = sandbox.root().join(".git/worktrees/linked/beads-console");
    assert_eq!(fs::read_dir(own).unwrap().count(), 0, "no private index stays");
}

#[test]
fn conflicts_are_kept_as_they_are_in_the_tree() {
    let sandbox = Sandbox::with_commit();
    sandbox.run(&["switch", "-qc", "other"]);
    sandbox.write("README.md", "theirs");
    sandbox.commit("theirs");
    sandbox.run(&["switch", "-q", "main"]);
    sandbox.write("README.md", "ours");
    sandbox.commit("ours");
    sandbox.run_any(&["merge", "-q", "other"]);
    let before = users_state(&sandbox);
    let kept = keep(&sandbox.repo(), "resolve");
    assert_eq!(users_state(&sandbox), before);
    assert!(content(&sandbox, &kept, "README.md").contains("<<<<<<<"));
}

#[test]
fn submodules_and_other_repositories_are_left_as_they_are_and_named() {
    let sandbox = Sandbox::with_commit();
    sandbox.run(&["init", "-q", "../library"]);
    sandbox.run(&["-C", "../library", "commit", "-q", "--allow-empty", "-m", "x"]);
    sandbox.run(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../library", "lib"]);
    sandbox.commit("a submodule");
    sandbox.run(&["init", "-q", "inner"]);
    sandbox.write("inner/file", "x");
    sandbox.write("lib/dirty", "x");
    let kept = keep(&sandbox.repo(), "x");
    assert_eq!(kept.record.submodules, 1);
    let inner = LeftOutFile { path: "inner/".into(), why: LeftOutReason::Repository };
    assert_eq!(kept.record.left_out, LeftOut { files: vec![inner], more: 0 });
    assert_eq!(files(&sandbox, &kept), [".gitmodules", "README.md", "lib"]);
}

#[cfg(unix)]
#[test]
fn large_and_unreadable_files_are_left_out_and_named() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with_commit();
    sandbox.write("tracked.bin", "small");
    sandbox.commit("tracked");
    for name in ["tracked.bin", "new.bin"] {
        let path = sandbox.root().join(name);
        let file = fs::OpenOptions::new().create(true).write(true).truncate(true).open(path).unwrap();
        file.set_len((20 << 20) + 1).unwrap();
    }
    sandbox.write("locked", "x");
    fs::set_permissions(sandbox.root().join("locked"), fs::Permissions::from_mode(0o0)).unwrap();
    let kept = keep(&sandbox.repo(), "x");
    let mut left_out: Vec<_> =
        kept.record.left_out.files.iter().map(|file| (file.path.as_str(), file.why)).collect();
    left_out.retain(|(path, _)| *path != "locked");
    assert_eq!(left_out, [("tracked.bin", LeftOutReason::TooLarge), ("new.bin", LeftOutReason::TooLarge)]);
    assert!(!files(&sandbox, &kept).contains(&"tracked.bin".to_owned()), "not with its old content");
}

#[cfg(unix)]
#[test]
fn kinds_of_files_that_change_into_each_other_are_kept() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::with_commit();
    for name in ["to-folder", "to-link", "folder/file", "linked/file"] {
        sandbox.write(name, "x");
    }
    sandbox.commit("files");
    let root = sandbox.root();
    fs::remove_file(root.join("to-folder")).unwrap();
    sandbox.write("to-folder/inside", "x");
    fs::remove_file(root.join("to-link")).unwrap();
    symlink("/etc/passwd", root.join("to-link")).unwrap();
    fs::remove_dir_all(root.join("folder")).unwrap();
    sandbox.write("folder", "a file");
    fs::rename(root.join("linked"), root.join("../elsewhere")).unwrap();
    symlink("../elsewhere", root.join("linked")).unwrap();
    sandbox.write("script", "#!/bin/sh");
    sandbox.make_executable("script");
    let kept = keep(&sandbox.repo(), "x");
    let mut names = files(&sandbox, &kept);
    names.sort();
    assert_eq!(names, ["README.md", "folder", "linked", "script", "to-folder/inside", "to-link"]);
    assert_eq!(content(&sandbox, &kept, "to-link"), "/etc/passwd");
    assert_eq!(content(&sandbox, &kept, "linked"), "../elsewhere");
}

#[test]
fn a_filter_of_the_repository_runs_only_with_permission() {
    let sandbox = Sandbox::with_commit();
    sandbox.write(".gitattributes", "*.bin filter=trap\n");
    sandbox.write("a.bin", "content");
    sandbox.run(&["config", "filter.trap.clean", "touch ../sprung; cat"]);
    let turn = NewTurn { prompt: "x".into(), at: at(), place: PromptPlace::default() };
    let error = sandbox.repo().keep_before_prompt(session(), &turn, WITHIN).unwrap_err();
    assert!(matches!(error, GitError::ProgramsNotAllowed { .. }), "{error}");
    assert!(!sandbox.root().join("../sprung").exists());
}

#[test]
fn only_the_last_checkpoints_are_kept() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let first = keep(&repo, "0");
    // Create the references directly, to imitate many prompts.
    let lines = (2..=205).map(|n| {
        format!("create refs/beads-console/checkpoints/{}/{n:06} {}\n", session(), first.commit.as_str())
    });
    let input: String = lines.collect();
    sandbox.write("../references", &input);
    let done = repo.git().make("test", repo.top_level(), &["update-ref", "--stdin"], input.as_bytes(), &[]);
    assert!(done.unwrap().ok());
    sandbox.write("README.md", "edited");
    assert_eq!(keep(&repo, "last").number, 206);
    let numbers: Vec<u32> = repo.checkpoints(session()).unwrap().iter().map(|kept| kept.number).collect();
    assert_eq!((numbers.len(), numbers[0], numbers[199]), (200, 7, 206));
    repo.delete_checkpoints(session()).unwrap();
    assert_eq!(repo.checkpoints(session()).unwrap(), []);
}

#[test]
fn differences_between_checkpoints_are_counted_at_once() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let one = keep(&repo, "1");
    sandbox.write("README.md", "a\nb\n");
    sandbox.write("new", "x\n");
    sandbox.write("app/.beads/issues.jsonl", "x\n");
    let two = keep(&repo, "2");
    let pairs = [(&one.tree, &two.tree), (&two.tree, &two.tree), (&two.tree, &one.tree)];
    let counts = repo.tree_counts(&pairs).unwrap();
    let expected = |added, removed| FileCount { files: 2, added, removed };
    assert_eq!(counts, [expected(3, 1), FileCount::default(), expected(1, 3)]);
}

#[test]
fn many_untracked_files_are_bounded() {
    bound_untracked(6_000);
}

#[test]
#[ignore = "slow: writes 100,000 files"]
fn a_hundred_thousand_untracked_files_are_bounded() {
    bound_untracked(100_000);
}

fn bound_untracked(count: usize) {
    let sandbox = Sandbox::with_commit();
    sandbox.write("README.md", "edited");
    for n in 0..count {
        if n % 1000 == 0 {
            fs::create_dir_all(sandbox.root().join(format!("many/{}", n / 1000))).unwrap();
        }
        let path = sandbox.root().join(format!("many/{}/{n}", n / 1000));
        fs::OpenOptions::new().create(true).write(true).truncate(true).open(path).unwrap();
    }
    let begun = std::time::Instant::now();
    let kept = keep(&sandbox.repo(), "x");
    println!("COUNTED {count} untracked files: a checkpoint in {} ms", begun.elapsed().as_millis());
    assert_eq!(content(&sandbox, &kept, "README.md"), "edited");
    assert_eq!(files(&sandbox, &kept).len(), 5_001);
    assert_eq!(kept.record.left_out.more as usize, count - 5_000 - 200);
    assert!(kept.record.left_out.files.iter().all(|file| file.why == LeftOutReason::TooMany));
}
