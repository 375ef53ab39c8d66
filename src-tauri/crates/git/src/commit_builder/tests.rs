//! Tests building commits without touching the working tree, and moving, pushing and fetching their branch,
//! in real repositories.

use super::*;
use crate::{PushOutcome, fixture::Sandbox};
use bc_core::ids::BranchName;
use std::{collections::BTreeMap, fs, path::Path};

fn branch() -> BranchName {
    "beads-backup".parse().unwrap()
}

const REF: &str = "refs/heads/beads-backup";

fn files(repo: &Repo, texts: &[(&str, &str)]) -> BTreeMap<String, ObjectId> {
    texts.iter().map(|(path, text)| ((*path).to_owned(), repo.write_blob(text.as_bytes()).unwrap())).collect()
}

fn commit(repo: &Repo, parents: &[ObjectId], texts: &[(&str, &str)]) -> ObjectId {
    repo.commit_folder(parents, "data", &files(repo, texts), "a backup").unwrap()
}

/// Everything that a user would notice: files, index, HEAD, and the output of git status.
fn seen(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut seen = BTreeMap::new();
    let mut folders = vec![sandbox.root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true if name == ".git" => {}
                true => folders.push(path),
                false => {
                    seen.insert(path.display().to_string(), fs::read(&path).unwrap());
                }
            }
        }
    }
    for name in ["HEAD", "index", "logs/HEAD", "FETCH_HEAD", "ORIG_HEAD", "refs/heads/main"] {
        let path = sandbox.root().join(".git").join(name);
        seen.insert(name.to_owned(), fs::read(path).unwrap_or_default());
    }
    let status = sandbox.run_any(&["--no-optional-locks", "status", "--porcelain=v2"]).stdout;
    seen.insert("status".to_owned(), status);
    seen
}

#[test]
fn a_conversation_of_any_length_is_read_back() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let long = "a line of a long conversation\n".repeat((65 << 20) / 30);
    let id = repo.write_blob(long.as_bytes()).unwrap();
    assert!(repo.blob(&id).unwrap() == long.as_bytes());
}

#[test]
fn the_users_tree_and_index_stay_unchanged() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("staged.txt", "staged");
    sandbox.run(&["add", "staged.txt"]);
    sandbox.write("staged.txt", "staged and changed");
    sandbox.write("README.md", "changed");
    sandbox.write("untracked/x.txt", "untracked");
    let before = seen(&sandbox);
    let repo = sandbox.repo();
    let one = commit(&repo, &[], &[("a.jsonl", "1\n"), ("sub/b.jsonl", "2\n")]);
    assert_eq!(repo.move_reference(REF, &one, None).unwrap(), RefMove::Done);
    let two = commit(&repo, std::slice::from_ref(&one), &[("a.jsonl", "3\n")]);
    assert_eq!(repo.move_reference(REF, &two, Some(&one)).unwrap(), RefMove::Done);
    assert_eq!(seen(&sandbox), before);
    let files = repo.files_of(&two, "data").unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.jsonl"]);
    assert_eq!(repo.blob(&files["a.jsonl"]).unwrap(), b"3\n");
    assert_eq!(repo.files_of(&one, "data").unwrap().len(), 2);
    assert!(repo.files_of(&one, "elsewhere").unwrap().is_empty());
    assert!(repo.is_ancestor(&one, &two).unwrap() && !repo.is_ancestor(&two, &one).unwrap());
    assert_eq!(repo.divergence(&two, &one).unwrap(), (1, 0));
}

#[test]
fn other_files_of_the_branch_stay() {
    let sandbox = Sandbox::with_commit();
    sandbox.write("in/data/old.txt", "old");
    sandbox.write("in/other/é \"x\".txt", "kept");
    sandbox.commit("second");
    let repo = sandbox.repo();
    let head = repo.commit_of("HEAD").unwrap();
    let made = repo.commit_folder(&[head], "in/data", &files(&repo, &[("new.txt", "new")]), "x").unwrap();
    let all: Vec<String> = repo.files_of(&made, "").unwrap().into_keys().collect();
    assert_eq!(all, ["README.md", "in/data/new.txt", "in/other/é \"x\".txt"]);
}

#[test]
fn a_branch_is_moved_only_from_its_expected_commit() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    let (one, other) = (commit(&repo, &[], &[("a", "1")]), commit(&repo, &[], &[("a", "2")]));
    assert_eq!(repo.move_reference(REF, &one, None).unwrap(), RefMove::Done);
    assert_eq!(repo.move_reference(REF, &other, None).unwrap(), RefMove::Raced);
    assert_eq!(repo.move_reference(REF, &one, Some(&other)).unwrap(), RefMove::Raced);
    assert_eq!(repo.reference(REF).unwrap(), Some(one));
}

#[test]
fn concurrent_additions_to_a_branch_are_all_kept() {
    let sandbox = Sandbox::with_commit();
    let repo = &sandbox.repo();
    std::thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || {
                loop {
                    let tip = repo.reference(REF).unwrap();
                    let mut all = match &tip {
                        Some(tip) => repo.files_of(tip, "data").unwrap(),
                        None => BTreeMap::new(),
                    };
                    all.extend(files(repo, &[(&format!("file {n}"), &n.to_string())]));
                    let parents: Vec<_> = tip.iter().cloned().collect();
                    let made = repo.commit_folder(&parents, "data", &all, "x").unwrap();
                    if repo.move_reference(REF, &made, tip.as_ref()).unwrap() == RefMove::Done {
                        break;
                    }
                }
            });
        }
    });
    let tip = repo.reference(REF).unwrap().unwrap();
    assert_eq!(repo.files_of(&tip, "data").unwrap().len(), 8);
}

#[test]
fn a_branch_that_is_checked_out_is_refused() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    repo.refuse_checked_out(&branch()).unwrap();
    sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "beads-backup"]);
    let error = repo.refuse_checked_out(&branch()).unwrap_err();
    assert!(matches!(error, GitError::BranchInUse { .. }), "{error}");
}

#[test]
fn backups_work_without_a_git_user_name() {
    let sandbox = Sandbox::with_commit();
    let git = sandbox.git().env("GIT_AUTHOR_NAME", "").env("GIT_COMMITTER_NAME", "");
    let repo = Repo::discover_with(git, sandbox.root()).unwrap();
    let made = commit(&repo, &[], &[("a", "1")]);
    let by = sandbox.run_any(&["log", "-1", "--format=%an", made.as_str()]).out();
    assert_eq!(by.trim(), "Beads Console");
}

fn remote(sandbox: &Sandbox) -> std::path::PathBuf {
    let path = sandbox.root().parent().unwrap().join("remote.git");
    sandbox.run(&["init", "-q", "--bare", path.to_str().unwrap()]);
    sandbox.run(&["remote", "add", "origin", path.to_str().unwrap()]);
    path
}

#[test]
fn a_push_distinguishes_a_newer_remote_from_a_refusal() {
    let sandbox = Sandbox::with_commit();
    let repo = sandbox.repo();
    assert_eq!(repo.remote_for_pushes().unwrap(), None);
    let path = remote(&sandbox);
    assert_eq!(repo.remote_for_pushes().unwrap().as_deref(), Some("origin"));
    assert_eq!(repo.fetch_branch("origin", &branch()).unwrap(), None);
    let one = commit(&repo, &[], &[("a", "1")]);
    let before = seen(&sandbox);
    assert_eq!(repo.push_branch("origin", &branch(), &one).unwrap(), PushOutcome::Done);
    assert_eq!(repo.remote_tip("origin", &branch()).unwrap().as_ref(), Some(&one));
    let other = commit(&repo, &[], &[("a", "2")]);
    assert_eq!(repo.push_branch("origin", &branch(), &other).unwrap(), PushOutcome::Behind);
    assert_eq!(repo.fetch_branch("origin", &branch()).unwrap().as_ref(), Some(&one));
    let both = commit(&repo, &[other, one], &[("a", "3")]);
    assert_eq!(repo.push_branch("origin", &branch(), &both).unwrap(), PushOutcome::Done);
    assert_eq!(seen(&sandbox), before);

    protect(&path);
    let next = commit(&repo, &[both], &[("a", "4")]);
    match repo.push_branch("origin", &branch(), &next).unwrap() {
        PushOutcome::Refused(said) => assert!(said.contains("this branch is protected"), "{said}"),
        other => panic!("{other:?}"),
    }
    fs::remove_dir_all(&path).unwrap();
    assert!(matches!(repo.push_branch("origin", &branch(), &next).unwrap(), PushOutcome::Refused(_)));
    assert!(matches!(repo.fetch_branch("origin", &branch()), Err(GitError::Remote { .. })));
}

/// Makes a remote refuse all pushes.
#[allow(clippy::disallowed_methods, reason = "a fixture makes whatever a server could have")]
fn protect(remote: &Path) {
    let hook = remote.join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\necho this branch is protected\nexit 1\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn no_hook_of_the_repository_runs() {
    let sandbox = Sandbox::with_commit();
    remote(&sandbox);
    for hook in ["pre-push", "reference-transaction", "post-commit", "pre-auto-gc"] {
        sandbox.write(&format!(".git/hooks/{hook}"), "#!/bin/sh\ntouch ran\nexit 1\n");
        sandbox.make_executable(&format!(".git/hooks/{hook}"));
    }
    let repo = sandbox.repo();
    let one = commit(&repo, &[], &[("a", "1")]);
    assert_eq!(repo.move_reference(REF, &one, None).unwrap(), RefMove::Done);
    assert_eq!(repo.push_branch("origin", &branch(), &one).unwrap(), PushOutcome::Done);
    assert!(!sandbox.root().join("ran").exists());
}
