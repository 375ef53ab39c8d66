//! Tests of merges while a user works in the same repository, of moving and pushing branches, and of diffs.

#[cfg(unix)]
use crate::PushOutcome;
use crate::{Combined, GitError, ObjectId, RefMove, Repo, Spaces, TreeUpdate, fixture::Sandbox};
use bc_core::{
    fleet::{ConflictFile, MergeMethod},
    ids::BranchName,
};
use std::fs;

fn name(text: &str) -> BranchName {
    text.parse().unwrap()
}

fn at(repo: &Repo, branch: &str) -> ObjectId {
    repo.commit_of(&format!("refs/heads/{branch}")).unwrap()
}

/// A repository with `other` checked out. `work` has the additional file `b`, and `main` the additional file
/// `c`.
fn parted() -> Sandbox {
    let sandbox = Sandbox::with_commit();
    sandbox.write("a", "1\n2\n3\n");
    sandbox.commit("a");
    sandbox.run(&["checkout", "-q", "-b", "work"]);
    sandbox.write("b", "new\n");
    sandbox.commit("work: b");
    sandbox.run(&["checkout", "-q", "main"]);
    sandbox.write("c", "new\n");
    sandbox.commit("main: c");
    sandbox.run(&["checkout", "-q", "-b", "other"]);
    sandbox
}

fn conflicting() -> Sandbox {
    let sandbox = parted();
    for (branch, text) in [("work", "1\nwork\n3\n"), ("main", "1\nmain\n3\n")] {
        sandbox.run(&["checkout", "-q", branch]);
        sandbox.write("a", text);
        sandbox.commit(branch);
    }
    sandbox.run(&["checkout", "-q", "other"]);
    sandbox
}

fn merging(sandbox: &Sandbox) -> Repo {
    let path = sandbox.root().with_file_name("merging");
    sandbox.repo().worktree_detached(&path, &at(&sandbox.repo(), "main")).unwrap()
}

fn combined(repo: &Repo, how: MergeMethod) -> Combined {
    repo.combine(how, &at(repo, "work"), &at(repo, "main"), "Merge BC-1: it works").unwrap()
}

/// Everything that a user has in the tree: files, index, HEAD and all references.
fn everything(sandbox: &Sandbox) -> String {
    let said = |args: &[&str]| sandbox.run_any(args).out();
    let files = ["a", "README.md", "mine"].map(|file| fs::read_to_string(sandbox.root().join(file)).ok());
    format!(
        "{files:?}\n{}{}{}{}",
        said(&["status", "--porcelain=v2"]),
        said(&["diff", "--cached"]),
        said(&["symbolic-ref", "HEAD"]),
        said(&["for-each-ref"])
    )
}

#[test]
fn branches_are_merged_while_the_user_has_other_changes() {
    for (how, parents) in [(MergeMethod::Rebase, 1), (MergeMethod::Merge, 2)] {
        let sandbox = parted();
        for (key, value) in [
            ("rebase.updateRefs", "true"),
            ("rebase.autoStash", "true"),
            ("commit.gpgSign", "true"),
            ("gpg.program", "/nowhere/gpg"),
            ("rerere.enabled", "true"),
            ("core.editor", "/nowhere/editor"),
        ] {
            sandbox.run(&["config", key, value]);
        }
        let repo = merging(&sandbox);
        sandbox.write("a", "uncommitted\n");
        sandbox.write("mine", "untracked\n");
        sandbox.write("README.md", "staged\n");
        sandbox.run(&["add", "README.md"]);
        let before = everything(&sandbox);
        let Combined::Clean { commit, .. } = combined(&repo, how) else { panic!("they do not conflict") };
        assert_eq!(everything(&sandbox), before);
        assert!(repo.is_ancestor(&at(&repo, "main"), &commit).unwrap());
        assert!(["a", "b", "c"].iter().all(|file| repo.top_level().join(file).exists()));
        let said = sandbox.run_any(&["rev-list", "--parents", "-n1", commit.as_str()]).out();
        assert_eq!(said.split_whitespace().count(), parents + 1, "{how:?}");
    }
}

#[test]
fn a_conflict_is_reported_per_file_and_leaves_nothing() {
    for how in [MergeMethod::Rebase, MergeMethod::Merge] {
        let sandbox = conflicting();
        let repo = merging(&sandbox);
        let before = everything(&sandbox);
        let Combined::Conflict { files, said } = combined(&repo, how) else { panic!("{how:?} went through") };
        assert_eq!(files, [ConflictFile { path: "a".into(), conflicts: 1 }]);
        assert!(said.contains("CONFLICT (content)") && said.contains(" a"), "{said}");
        assert_eq!(everything(&sandbox), before);
        assert_eq!(repo.head().unwrap().commit.as_deref(), Some(at(&repo, "main").as_str()));
        assert_eq!(repo.status().unwrap().changed, []);
        assert_eq!(fs::read_to_string(repo.top_level().join("a")).unwrap(), "1\nmain\n3\n");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn links_in_conflicts_are_reported_and_not_followed() {
    let sandbox = parted();
    for (branch, leads) in [("work", "/dev/zero"), ("main", "/dev/full")] {
        sandbox.run(&["checkout", "-q", branch]);
        std::os::unix::fs::symlink(leads, sandbox.root().join("link")).unwrap();
        sandbox.commit(branch);
    }
    sandbox.run(&["checkout", "-q", "other"]);
    let repo = merging(&sandbox);
    // Following the links would read from an endless device.
    let Combined::Conflict { files, .. } = combined(&repo, MergeMethod::Merge) else {
        panic!("it went through")
    };
    assert_eq!(files, [ConflictFile { path: "link".into(), conflicts: 1 }]);
}

#[test]
fn leftovers_of_a_kill_are_removed_and_ignored_files_kept() {
    let sandbox = conflicting();
    sandbox.write(".git/info/exclude", "built\n");
    let repo = merging(&sandbox);
    let there = repo.top_level().display().to_string();
    assert!(!sandbox.run_any(&["-C", &there, "rebase", "main", "work"]).ok(), "it stops in the middle");
    sandbox.write("../merging/rest", "of a check\n");
    sandbox.write("../merging/built", "in an hour\n");
    repo.reset_to(&at(&repo, "main")).unwrap();
    assert_eq!(repo.head().unwrap().branch, None);
    assert_eq!(sandbox.run_any(&["-C", &there, "status", "--porcelain"]).out(), "");
    assert!(repo.top_level().join("built").exists() && !repo.top_level().join("rest").exists());
    assert!(sandbox.repo().reset_to(&at(&repo, "main")).is_err(), "never the user's own tree");
    sandbox.run(&["-C", &there, "checkout", "-q", "work"]);
    assert!(repo.reset_to(&at(&repo, "main")).is_err(), "nor a tree with a branch");
    sandbox.run(&["-C", &there, "checkout", "-q", "--detach"]);
    sandbox.repo().worktree_discard(repo.top_level()).unwrap();
    assert!(!repo.top_level().exists());
    let theirs = sandbox.repo().worktree_discard(sandbox.root()).unwrap_err();
    assert!(matches!(theirs, GitError::NotAWorktree { .. }), "{theirs}");
}

#[cfg(unix)]
#[test]
fn no_program_of_the_repository_runs() {
    let sandbox = parted();
    let hooks = [
        "pre-rebase",
        "post-rewrite",
        "post-checkout",
        "post-merge",
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "pre-merge-commit",
        "reference-transaction",
        "pre-push",
        "post-index-change",
    ];
    let ran = sandbox.root().with_file_name("ran");
    for hook in hooks {
        let path = format!(".git/hooks/{hook}");
        sandbox.write(&path, &format!("#!/bin/sh\necho {hook} >> '{}'\n", ran.display()));
        sandbox.make_executable(&path);
    }
    let marks = format!("echo x >> '{}'", ran.display());
    for key in ["core.fsmonitor", "diff.external"] {
        sandbox.run(&["config", key, &marks]);
    }
    fs::remove_file(&ran).ok();
    let repo = merging(&sandbox);
    for how in [MergeMethod::Rebase, MergeMethod::Merge] {
        let Combined::Clean { commit, .. } = combined(&repo, how) else { panic!("they do not conflict") };
        repo.file_diffs(&at(&repo, "main"), &commit, Spaces::Count).unwrap();
    }
    let main = at(&repo, "main");
    let to = repo.commit_of("HEAD").unwrap();
    assert_eq!(repo.move_branch(&name("main"), &main, &to, "landed").unwrap(), RefMove::Done);
    assert!(!ran.exists(), "{}", fs::read_to_string(&ran).unwrap());
}

#[test]
fn a_branch_moves_only_from_its_expected_commit_and_never_while_checked_out() {
    let sandbox = parted();
    let repo = sandbox.repo();
    let (main, work) = (at(&repo, "main"), at(&repo, "work"));
    assert_eq!(repo.move_branch(&name("main"), &work, &work, "x").unwrap(), RefMove::Raced);
    let other = repo.move_branch(&name("other"), &main, &work, "x").unwrap_err();
    assert!(
        matches!(&other, GitError::BranchInUse { worktree, .. } if worktree == sandbox.root()),
        "{other}"
    );
    assert_eq!(repo.move_branch(&name("gone"), &main, &work, "x").unwrap(), RefMove::Raced);
    assert_eq!(repo.move_branch(&name("main"), &main, &work, "landed").unwrap(), RefMove::Done);
    assert_eq!((at(&repo, "main"), at(&repo, "other")), (work.clone(), main));
    assert!(sandbox.run_any(&["reflog", "-1", "main"]).out().contains("landed"));
    sandbox.run(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    assert!(repo.move_branch(&name("alias"), &work, &work, "x").is_err());
}

#[test]
fn a_branch_in_a_rebase_is_in_use() {
    let sandbox = conflicting();
    sandbox.run(&["checkout", "-q", "work"]);
    assert!(!sandbox.run_any(&["rebase", "main"]).ok());
    assert_eq!(sandbox.repo().worktree_using(&name("work")).unwrap().as_deref(), Some(sandbox.root()));
    assert_eq!(sandbox.repo().worktree_using(&name("main")).unwrap(), None);
}

#[test]
fn a_rebase_in_a_linked_worktree_is_detected_for_absolute_and_relative_paths() {
    let sandbox = conflicting();
    let place = sandbox.root().join("beside");
    sandbox.run(&["worktree", "add", "-q", "beside", "work"]);
    assert!(!sandbox.run_any(&["-C", "beside", "rebase", "main"]).ok());
    for leads in [None, Some("gitdir: ../.git/worktrees/beside\n")] {
        if let Some(text) = leads {
            #[allow(clippy::disallowed_methods, reason = "git's own file, as a later git writes it")]
            std::fs::write(place.join(".git"), text).unwrap();
        }
        assert_eq!(sandbox.repo().worktree_using(&name("work")).unwrap().as_deref(), Some(place.as_path()));
        assert_eq!(sandbox.repo().worktree_using(&name("main")).unwrap(), None);
    }
}

#[test]
fn an_updated_tree_keeps_uncommitted_changes_or_is_not_updated() {
    let sandbox = parted();
    let repo = merging(&sandbox);
    let Combined::Clean { commit, .. } = combined(&repo, MergeMethod::Rebase) else { panic!() };
    sandbox.run(&["checkout", "-q", "main"]);
    let (root, main) = (sandbox.root(), name("main"));
    sandbox.write("b", "in the way\n");
    let refused = repo.update_worktree(root, &main, &commit).unwrap();
    assert!(matches!(&refused, TreeUpdate::Refused(said) if said.contains('b')), "{refused:?}");
    assert_eq!(fs::read_to_string(root.join("b")).unwrap(), "in the way\n");
    // Ignored files must survive, too.
    sandbox.write(".git/info/exclude", "b\n");
    let refused = repo.update_worktree(root, &main, &commit).unwrap();
    assert!(matches!(&refused, TreeUpdate::Refused(said) if said.contains('b')), "{refused:?}");
    assert_eq!(fs::read_to_string(root.join("b")).unwrap(), "in the way\n");
    fs::remove_file(root.join("b")).unwrap();
    sandbox.write("a", "uncommitted\n");
    sandbox.write("README.md", "staged\n");
    sandbox.run(&["add", "README.md"]);
    let staged = sandbox.run_any(&["diff", "--cached"]).out();
    assert_eq!(repo.update_worktree(root, &main, &commit).unwrap(), TreeUpdate::Done);
    assert_eq!(at(&repo, "main"), commit);
    assert_eq!(sandbox.run_any(&["diff", "--cached"]).out(), staged);
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "uncommitted\n");
    assert_eq!(fs::read_to_string(root.join("b")).unwrap(), "new\n");
    let elsewhere = repo.update_worktree(root, &name("work"), &commit).unwrap();
    assert!(matches!(elsewhere, TreeUpdate::Refused(_)), "{elsewhere:?}");
}

#[test]
fn unrelated_histories_are_reported() {
    let sandbox = parted();
    sandbox.run(&["checkout", "-q", "--orphan", "island"]);
    sandbox.commit("alone");
    sandbox.run(&["checkout", "-q", "other"]);
    let repo = merging(&sandbox);
    let done = repo.combine(MergeMethod::Rebase, &at(&repo, "island"), &at(&repo, "main"), "m").unwrap();
    assert_eq!(done, Combined::Unrelated);
}

#[test]
fn merging_a_merged_branch_returns_the_target() {
    let sandbox = parted();
    let repo = merging(&sandbox);
    for how in [MergeMethod::Rebase, MergeMethod::Merge] {
        let main = at(&repo, "main");
        let done = repo.combine(how, &at(&repo, "other"), &main, "m").unwrap();
        assert!(matches!(&done, Combined::Clean { commit, .. } if *commit == main), "{done:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_push_adds_to_the_remote_or_reports_the_reason() {
    let sandbox = parted();
    let remote = sandbox.root().with_file_name("remote.git");
    sandbox.run(&["clone", "-q", "--bare", ".", "../remote.git"]);
    sandbox.run(&["remote", "add", "origin", remote.to_str().unwrap()]);
    let repo = merging(&sandbox);
    let main = name("main");
    let Combined::Clean { commit, .. } = combined(&repo, MergeMethod::Rebase) else { panic!() };
    sandbox.write("../remote.git/hooks/pre-receive", "#!/bin/sh\necho main is protected >&2\nexit 1\n");
    sandbox.make_executable("../remote.git/hooks/pre-receive");
    let refused = repo.push_merged("origin", &main, &commit).unwrap();
    assert!(
        matches!(&refused, PushOutcome::Refused(said) if said.contains("main is protected")),
        "{refused:?}"
    );
    fs::remove_file(remote.join("hooks/pre-receive")).unwrap();
    assert_eq!(repo.push_merged("origin", &main, &commit).unwrap(), PushOutcome::Done);
    assert_eq!(repo.push_merged("origin", &main, &commit).unwrap(), PushOutcome::Done, "once more");
    // Another user moves the remote's branch to a commit that the merge result does not contain.
    sandbox.run(&["push", "-q", "--force", "origin", "work:main"]);
    assert_eq!(repo.push_merged("origin", &main, &commit).unwrap(), PushOutcome::Behind);
    assert!(repo.push_merged("nowhere", &main, &commit).is_err());
}

#[test]
fn changes_of_a_branch_are_listed_per_file() {
    let sandbox = Sandbox::with_commit();
    let long = (0..40).map(|n| format!("line {n}\n")).collect::<String>();
    for (file, text) in [("long", long.as_str()), ("old name", long.as_str()), ("gone", "short\n")] {
        sandbox.write(file, text);
    }
    sandbox.commit("before");
    let before = sandbox.repo().commit_of("HEAD").unwrap();
    sandbox.write("long", &long.replace("line 20", "another\ndiff --git a/x b/x"));
    fs::rename(sandbox.root().join("old name"), sandbox.root().join("neuer Näme")).unwrap();
    fs::remove_file(sandbox.root().join("gone")).unwrap();
    sandbox.write("bytes", "\0\u{1}");
    sandbox.commit("after");
    let after = sandbox.repo().commit_of("HEAD").unwrap();
    let diffs = sandbox.repo().file_diffs(&before, &after, Spaces::Count).unwrap();
    let told: Vec<_> = diffs.files.iter().map(|f| (f.path.as_str(), f.letter, f.lines)).collect();
    assert_eq!(
        told,
        [
            ("bytes", 'A', None),
            ("gone", 'D', Some((0, 1))),
            ("long", 'M', Some((2, 1))),
            ("neuer Näme", 'R', Some((0, 0)))
        ]
    );
    assert_eq!(diffs.files[3].from.as_deref(), Some("old name"));
    let hunks = &diffs.files[2].hunks;
    assert!(
        hunks.starts_with("@@ -18,7 +18,8 @@") && hunks.contains("\n-line 20\n+another\n+diff"),
        "{hunks}"
    );
    assert!(diffs.files.iter().all(|file| !file.cut));
}
