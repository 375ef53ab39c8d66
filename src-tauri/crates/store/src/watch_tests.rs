//! The changes that a watch reports. Most of these tests run on all systems.

use crate::watch::*;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(30);

fn watched(folder: &Path, depth: Depth) -> (FileWatch, Receiver<FileChange>) {
    let (tell, told) = sync_channel(4_096);
    let changes = FileWatch::start(move |what| tell.send(what).unwrap()).unwrap();
    changes.watch(folder, depth).unwrap();
    (changes, told)
}

/// Waits for a change of this kind at this path. Returns all changes up to and including it.
fn until(told: &Receiver<FileChange>, path: &Path, what: What) -> Vec<FileChange> {
    // Windows does not report whether a new path is a folder.
    let what = if cfg!(windows) && what == What::Folder { What::Name } else { what };
    let wanted = FileChange::Changed { path: path.to_owned(), what };
    let mut all = Vec::new();
    while all.last() != Some(&wanted) {
        all.push(told.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no {wanted:?} in {all:?}")));
    }
    all
}

fn paths(all: &[FileChange]) -> BTreeSet<PathBuf> {
    let path = |told: &FileChange| match told {
        FileChange::Changed { path, .. } => Some(path.clone()),
        FileChange::Missed => None,
    };
    all.iter().filter_map(path).collect()
}

#[test]
fn writes_renames_and_removals_are_reported_and_reads_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
    let [one, two, last] = ["one", "two", "last"].map(|name| root.join(name));
    crate::file::replace(&one, b"1").unwrap();
    let (_changes, told) = watched(&root, Depth::One);
    for _ in 0..50 {
        assert_eq!(fs::read(&one).unwrap(), b"1");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
    }
    fs::create_dir(&last).unwrap();
    let all = until(&told, &last, What::Folder);
    assert_eq!(paths(&all), BTreeSet::from([last]), "reading is not reported");
    crate::file::replace(&one, b"2").unwrap();
    until(&told, &one, What::Name);
    let log = fs::File::options().append(true).open(&one).unwrap();
    log.set_len(0).unwrap();
    until(&told, &one, What::Content);
    fs::rename(&one, &two).unwrap();
    until(&told, &two, What::Name);
    fs::remove_file(&two).unwrap();
    until(&told, &two, What::Name);
}

#[test]
fn added_folders_are_watched_and_removed_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
    let (changes, told) = watched(&root, Depth::All);
    let made = root.join("a/b");
    for folder in [root.join("a"), made.clone()] {
        fs::create_dir(&folder).unwrap();
        until(&told, &folder, What::Folder);
    }
    crate::file::replace(&made.join("file"), b"1").unwrap();
    until_word_of(&told, &made.join("file"));
    let outside = tempfile::tempdir().unwrap();
    let away = outside.path().join("away");
    fs::rename(root.join("a"), &away).unwrap();
    until(&told, &root.join("a"), What::Name);
    // The watcher answers a request only after it has handled all earlier changes.
    changes.watch(outside.path(), Depth::One).unwrap();
    crate::file::replace(&away.join("b/file"), b"2").unwrap();
    fs::rename(&away, root.join("back")).unwrap();
    let all = until(&told, &root.join("back"), What::Name);
    assert!(!paths(&all).iter().any(|path| path.starts_with(root.join("a/b"))), "{all:?}");
    crate::file::replace(&root.join("back/b/file"), b"3").unwrap();
    until_word_of(&told, &root.join("back/b/file"));
}

fn until_word_of(told: &Receiver<FileChange>, wanted: &Path) {
    loop {
        let word = told.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no report of {wanted:?}"));
        if matches!(&word, FileChange::Changed { path, .. } if path == wanted) {
            return;
        }
    }
}

#[test]
fn nothing_is_reported_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
    let (changes, told) = watched(&root, Depth::One);
    fs::create_dir(root.join("one")).unwrap();
    until(&told, &root.join("one"), What::Folder);
    drop(changes);
    // The channel disconnects when the watch's thread exits.
    loop {
        match told.recv_timeout(TIMEOUT) {
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("the watch has not ended"),
        }
    }
}

#[test]
fn a_missing_folder_cannot_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let changes = FileWatch::start(|_| {}).unwrap();
    assert!(changes.watch(&folder.path().join("none"), Depth::All).is_err());
}

#[cfg(unix)]
#[test]
fn linked_folders_are_watched_and_link_cycles_terminate() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("inside")).unwrap();
    fs::create_dir(root.join("own")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), root.join("link")).unwrap();
    std::os::unix::fs::symlink(&root, root.join("own/up")).unwrap();
    std::os::unix::fs::symlink(root.join("nowhere"), root.join("broken")).unwrap();
    let (_changes, told) = watched(&root, Depth::All);
    crate::file::replace(&elsewhere.path().join("inside/file"), b"1").unwrap();
    until_word_of(&told, &root.join("link/inside/file"));
    crate::file::replace(&root.join("own/file"), b"1").unwrap();
    until_word_of(&told, &root.join("own/file"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_created_during_an_overflow_is_watched() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
    let mut files = ["one", "two"].map(|name| {
        crate::file::replace(&root.join(name), b"").unwrap();
        fs::File::options().append(true).open(root.join(name)).unwrap()
    });
    let (_changes, told) = watched(&root, Depth::All);
    let most: usize =
        fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    // No thread reads the reports, so the channel fills up, and then the system's queue. Alternate between
    // two paths, so that the system does not merge changes.
    for at in 0..most + 40_000 {
        files[at % 2].write_all(b"x").unwrap();
    }
    fs::create_dir(root.join("new")).unwrap();
    while told.recv_timeout(TIMEOUT).expect("the overflow is reported") != FileChange::Missed {}
    let file = root.join("new/file");
    loop {
        crate::file::replace(&file, b"1").unwrap();
        let wanted = |change: &FileChange| match change {
            FileChange::Changed { path, .. } => *path == file,
            // The rest of the burst may overflow the queue again.
            FileChange::Missed => true,
        };
        let next = || told.recv_timeout(TIMEOUT).expect("the new folder is watched");
        if std::iter::repeat_with(next).find(wanted) != Some(FileChange::Missed) {
            break;
        }
    }
}
