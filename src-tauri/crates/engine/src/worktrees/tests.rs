//! Tests loss fingerprints and the measurement of folders.

#[cfg(unix)]
use super::size;
use super::{loss, removal};
use crate::fixture::Fixture;
use bc_process::run::Program;
use bc_store::file;
use bc_wire::{ErrorCode, worktree::*};
#[cfg(unix)]
use std::time::{Duration, Instant};

#[test]
fn consent_to_lose_a_file_does_not_cover_its_later_changes() {
    let fixture = Fixture::new();
    let root = fixture.ctx.project.root.clone();
    let git = |args: &[&str]| {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        assert!(Program::new("git").args(author).args(args).cwd(&root).run().unwrap().ok(), "git {args:?}");
    };
    git(&["init", "-q"]);
    file::replace(&root.join("known.txt"), b"known").unwrap();
    git(&["add", "known.txt"]);
    git(&["commit", "-qm", "first"]);
    git(&["worktree", "add", "-q", "tree", "-b", "x"]);
    let tree = root.join("tree");
    file::replace(&tree.join("known.txt"), b"change").unwrap();
    file::create_dir(&tree.join("notes")).unwrap();
    file::replace(&tree.join("notes/a.txt"), b"note").unwrap();
    let path = tree.display().to_string();
    let seen = || loss::loss(&fixture.ctx, &WorktreeRef { path: path.clone() }).unwrap();
    for changed in ["known.txt", "notes/a.txt"] {
        let before = seen();
        assert_eq!(before.fingerprint, seen().fingerprint, "a query changes nothing");
        file::replace(&tree.join(changed), b"others").unwrap();
        let remove =
            WorktreeRemoveParams { path: path.clone(), force: true, seen: Some(before.fingerprint.clone()) };
        let error = removal::remove(&fixture.ctx, &remove).unwrap_err();
        assert_eq!(error.code, ErrorCode::ConfirmationNeeded, "{changed}: {error}");
        assert_eq!((seen().untracked, seen().uncommitted), (before.untracked, before.uncommitted));
    }
    let remove = WorktreeRemoveParams { path: path.clone(), force: true, seen: Some(seen().fingerprint) };
    removal::remove(&fixture.ctx, &remove).unwrap();
    assert!(!tree.exists());
}

#[test]
#[cfg(unix)]
fn measuring_ignores_link_targets_and_stops_at_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    bc_store::file::replace(&outside.path().join("big"), &[1; 1 << 20]).unwrap();
    bc_store::file::replace(&folder.path().join("small"), &[1; 5000]).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::fs::hard_link(folder.path().join("small"), folder.path().join("again")).unwrap();
    let later = Instant::now() + Duration::from_secs(60);
    let (bytes, counted) = size::of(folder.path(), later);
    assert!(counted && (5000..100_000).contains(&bytes), "{bytes}");
    let (_, counted) = size::of(folder.path(), Instant::now());
    assert!(!counted);
}
