//! What a watch tells of, on every system.

use super::*;
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::mpsc::{Receiver, sync_channel},
    time::Duration,
};

const PATIENCE: Duration = Duration::from_secs(30);

fn watched(folder: &Path, depth: Depth) -> (Changes, Receiver<Told>) {
    let (tell, told) = sync_channel(4_096);
    let changes = Changes::start(move |what| tell.send(what).unwrap()).unwrap();
    changes.watch(folder, depth).unwrap();
    (changes, told)
}

/// What is told until this path is told of in this way.
fn until(told: &Receiver<Told>, path: &Path, what: What) -> Vec<Told> {
    // Windows does not say of what came whether it is a folder.
    let what = if cfg!(windows) && what == What::Folder { What::Name } else { what };
    let wanted = Told::Change { path: path.to_owned(), what };
    let mut all = Vec::new();
    while all.last() != Some(&wanted) {
        all.push(told.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {wanted:?} in {all:?}")));
    }
    all
}

fn paths(all: &[Told]) -> BTreeSet<PathBuf> {
    let path = |told: &Told| match told {
        Told::Change { path, .. } => Some(path.clone()),
        Told::Missed => None,
    };
    all.iter().filter_map(path).collect()
}

#[test]
fn what_is_written_renamed_and_removed_is_told_and_what_is_read_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let [one, two, last] = ["one", "two", "last"].map(|name| root.join(name));
    bc_store::file::replace(&one, b"1").unwrap();
    let (_changes, told) = watched(&root, Depth::One);
    for _ in 0..50 {
        assert_eq!(fs::read(&one).unwrap(), b"1");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
    }
    fs::create_dir(&last).unwrap();
    let all = until(&told, &last, What::Folder);
    assert_eq!(paths(&all), BTreeSet::from([last]), "reading is no change");
    bc_store::file::replace(&one, b"2").unwrap();
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
fn folders_that_come_later_are_watched_and_those_that_went_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (_changes, told) = watched(&root, Depth::All);
    let made = root.join("a/b");
    for folder in [root.join("a"), made.clone()] {
        fs::create_dir(&folder).unwrap();
        until(&told, &folder, What::Folder);
    }
    bc_store::file::replace(&made.join("file"), b"1").unwrap();
    until_word_of(&told, &made.join("file"));
    let outside = tempfile::tempdir().unwrap();
    let away = outside.path().join("away");
    fs::rename(root.join("a"), &away).unwrap();
    until(&told, &root.join("a"), What::Name);
    bc_store::file::replace(&away.join("b/file"), b"2").unwrap();
    fs::rename(&away, root.join("back")).unwrap();
    let all = until(&told, &root.join("back"), What::Name);
    assert!(!paths(&all).iter().any(|path| path.starts_with(root.join("a/b"))), "{all:?}");
    bc_store::file::replace(&root.join("back/b/file"), b"3").unwrap();
    until_word_of(&told, &root.join("back/b/file"));
}

/// Waits for any word of the path.
fn until_word_of(told: &Receiver<Told>, wanted: &Path) {
    loop {
        let word = told.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no word of {wanted:?}"));
        if matches!(&word, Told::Change { path, .. } if path == wanted) {
            return;
        }
    }
}

#[test]
fn nobody_is_told_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (changes, told) = watched(&root, Depth::One);
    fs::create_dir(root.join("one")).unwrap();
    until(&told, &root.join("one"), What::Folder);
    drop(changes);
    // Its thread has ended when nobody can tell any more.
    while told.recv_timeout(PATIENCE) != Err(std::sync::mpsc::RecvTimeoutError::Disconnected) {}
}

#[test]
fn what_is_not_there_cannot_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let changes = Changes::start(|_| {}).unwrap();
    assert!(changes.watch(&folder.path().join("none"), Depth::All).is_err());
}

#[cfg(unix)]
#[test]
fn folders_behind_links_are_watched_and_a_link_to_what_is_above_is_no_way_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("inside")).unwrap();
    fs::create_dir(root.join("own")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), root.join("link")).unwrap();
    std::os::unix::fs::symlink(&root, root.join("own/up")).unwrap();
    std::os::unix::fs::symlink(root.join("nowhere"), root.join("broken")).unwrap();
    let (_changes, told) = watched(&root, Depth::All);
    bc_store::file::replace(&elsewhere.path().join("inside/file"), b"1").unwrap();
    until_word_of(&told, &root.join("link/inside/file"));
    bc_store::file::replace(&root.join("own/file"), b"1").unwrap();
    until_word_of(&told, &root.join("own/file"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_came_while_too_much_changed_is_watched() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let mut files = ["one", "two"].map(|name| {
        bc_store::file::replace(&root.join(name), b"").unwrap();
        fs::File::options().append(true).open(root.join(name)).unwrap()
    });
    let (_changes, told) = watched(&root, Depth::All);
    let most: usize =
        fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    // Nobody takes what is told: first that is full, then what the system keeps. Two by turns are never one change.
    for at in 0..most + 40_000 {
        files[at % 2].write_all(b"x").unwrap();
    }
    fs::create_dir(root.join("new")).unwrap();
    while told.recv_timeout(PATIENCE).expect("it was too much") != Told::Missed {}
    bc_store::file::replace(&root.join("new/file"), b"1").unwrap();
    until_word_of(&told, &root.join("new/file"));
}
