//! The access modes of a store's files, and the errors for a user who may not write them.

use super::{fixture::*, *};
#[cfg(target_os = "linux")]
use crate::file;
use std::{fs, os::unix::fs::PermissionsExt};
#[cfg(target_os = "linux")]
use std::{fs::Permissions, path::Path};

#[test]
fn every_file_and_folder_of_a_store_is_private() {
    rustix::process::umask(rustix::fs::Mode::empty());
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    lock.beat(at(0)).unwrap();
    lock.save_host(&HostInfo::new(1, 1, "s".into())).unwrap();
    lock.message_writer().unwrap().0.append(&message(1, "x")).unwrap();
    drop(fixture.create(2));
    fixture.store.delete(id(2), at(0)).unwrap();
    fixture.store.sync_index().unwrap();
    fixture.store.project_id(None).unwrap();
    let mut looked_at = 0;
    let mut folders = vec![fixture.store.path().to_owned()];
    while let Some(folder) = folders.pop() {
        assert_eq!(
            fs::metadata(&folder).unwrap().permissions().mode() & 0o7777,
            0o700,
            "{}",
            folder.display()
        );
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            looked_at += 1;
            if path.is_dir() {
                folders.push(path);
            } else {
                let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
                assert_eq!(mode, 0o600, "{}", path.display());
            }
        }
    }
    assert!(looked_at >= 14, "only {looked_at} entries");
}

/// Runs the closure as an unprivileged user, because root can write anywhere. On Linux, each thread has its
/// own user id.
#[cfg(target_os = "linux")]
fn unprivileged<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let root = rustix::process::geteuid().is_root();
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            if root {
                let other_user = rustix::process::Uid::from_raw(65534);
                rustix::thread::set_thread_res_uid(other_user, other_user, other_user).unwrap();
            }
            run()
        });
        thread.join().unwrap()
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_can_be_read_and_reports_failed_writes() {
    let fixture = Fixture::new();
    drop(fixture.create(1));
    fixture.store.sync_index().unwrap();
    let allow = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    let session = fixture.path(&id(1).to_string());
    for entry in fs::read_dir(&session).unwrap() {
        allow(&entry.unwrap().path(), 0o444);
    }
    for name in ["index.json", "index.lock", ".gitignore"] {
        allow(&fixture.path(name), 0o444);
    }
    for folder in [fixture.folder.path(), fixture.store.path(), &session] {
        allow(folder, 0o555);
    }
    unprivileged(|| {
        let store = SessionStore::open(fixture.folder.path()).unwrap();
        assert_eq!(store.list().unwrap().sessions, [meta(1)]);
        assert!(store.session(id(1)).try_lock().unwrap_err().is_read_only());
        assert!(store.create(&meta(2)).unwrap_err().is_read_only());
        assert!(store.delete(id(1), at(0)).unwrap_err().is_read_only());
        assert!(store.sync_index().unwrap_err().is_read_only());
        assert!(store.project_id(None).unwrap_err().is_read_only());
        assert!(file::replace(&store.path().join("x"), b"").unwrap_err().is_read_only());
        assert!(file::replace(&store.path().join("index.json"), b"").unwrap_err().is_read_only());
        assert!(file::Appender::open(&store.path().join("x")).unwrap_err().is_read_only());
        assert!(file::create_dir(&store.path().join("a/b")).unwrap_err().is_read_only());
    });
    for folder in [fixture.folder.path(), fixture.store.path(), &session] {
        allow(folder, 0o755);
    }
}
