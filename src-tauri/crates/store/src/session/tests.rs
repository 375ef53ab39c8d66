//! The store's guarantees to its callers: exact formats, isolation of broken sessions, and one writer per
//! session.

use super::{fixture::*, *};
use crate::{FileError, file};
use bc_core::{
    context_pack::{ContextPack, GenerationMethod},
    session::{CloseReason, Event, Meta, PauseReason},
};
use expect_test::expect;
use std::fs;

#[test]
fn the_index_has_exactly_the_specified_keys() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    let mut meta = lock.meta().unwrap();
    meta.bead_id = Some("BC-001".parse().unwrap());
    meta.title = Some("Implement login validation".into());
    meta.objective = Some("not for the index".into());
    meta.transition(Event::Start, at(1)).unwrap();
    meta.transition(Event::Close(CloseReason::User), at(150)).unwrap();
    lock.save_meta(&meta).unwrap();
    fixture.create(2);
    fixture.store.sync_index().unwrap();
    expect![[r#"
        {
          "sessions": [
            {
              "id": "00000000-0000-0000-0000-000000000001",
              "project_id": "proj-1",
              "bead_id": "BC-001",
              "status": "closed",
              "created_at": "2026-01-19T10:01:00-06:00",
              "closed_at": "2026-01-19T12:30:00-06:00",
              "title": "Implement login validation"
            },
            {
              "id": "00000000-0000-0000-0000-000000000002",
              "project_id": "proj-1",
              "status": "draft",
              "created_at": "2026-01-19T10:02:00-06:00"
            }
          ],
          "active_session_id": null
        }
    "#]]
    .assert_eq(&fixture.text("index.json"));
}

#[test]
fn meta_has_the_specified_fields_and_our_additional_ones() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    let mut meta = lock.meta().unwrap();
    meta.transition(Event::Start, at(5)).unwrap();
    meta.transition(Event::Pause(PauseReason::User), at(50)).unwrap();
    lock.save_meta(&meta).unwrap();
    expect![[r#"
        {
          "schema_version": 1,
          "id": "00000000-0000-0000-0000-000000000001",
          "project_id": "proj-1",
          "status": "paused",
          "created_at": "2026-01-19T10:01:00-06:00",
          "started_at": "2026-01-19T10:05:00-06:00",
          "paused_at": "2026-01-19T10:50:00-06:00",
          "files_touched": [],
          "commits": [],
          "total_duration_ms": 2700000,
          "mode": "manual",
          "claude_sessions": [],
          "pause_reason": "user",
          "active_intervals": [
            {
              "start": "2026-01-19T10:05:00-06:00",
              "end": "2026-01-19T10:50:00-06:00"
            }
          ],
          "last_activated_at": "2026-01-19T10:05:00-06:00",
          "tokens": {
            "input": 0,
            "cache_creation": 0,
            "cache_read": 0,
            "output": 0
          },
          "message_count": 0
        }
    "#]]
    .assert_eq(&fixture.text(&format!("{}/meta.json", id(1))));
}

#[test]
fn a_damaged_index_is_rebuilt_to_the_same_bytes() {
    let fixture = Fixture::new();
    for n in [3, 1, 2] {
        fixture.create(n);
    }
    fixture.store.sync_index().unwrap();
    let index = fixture.path("index.json");
    let good = fs::read(&index).unwrap();
    for damage in [
        &b""[..],
        b"{\"sessions\":[]",
        b"not json",
        b"{\"sessions\":[],\"active_session_id\":null}\n",
        b"\0\0\0",
    ] {
        scribble(&index, damage);
        fixture.store.sync_index().unwrap();
        assert_eq!(fs::read(&index).unwrap(), good, "after {damage:?}");
    }
    fs::remove_file(&index).unwrap();
    fixture.store.sync_index().unwrap();
    assert_eq!(fs::read(&index).unwrap(), good);
}

#[cfg(unix)]
#[test]
fn a_correct_index_is_not_rewritten() {
    use std::os::unix::fs::MetadataExt;
    let fixture = Fixture::new();
    fixture.create(1);
    fixture.store.sync_index().unwrap();
    let inode = || fs::metadata(fixture.path("index.json")).unwrap().ino();
    let before = inode();
    fixture.store.sync_index().unwrap();
    assert_eq!(inode(), before);
}

#[test]
fn the_active_session_is_the_one_last_started_or_resumed() {
    let fixture = Fixture::new();
    let active = || fixture.store.sync_index().unwrap().0.active_session_id;
    let step = |lock: &SessionLock, event, minute| {
        let mut meta = lock.meta().unwrap();
        meta.transition(event, at(minute)).unwrap();
        lock.save_meta(&meta).unwrap();
    };
    let (one, two) = (fixture.create(1), fixture.create(2));
    assert_eq!(active(), None);
    step(&one, Event::Start, 10);
    step(&two, Event::Start, 20);
    assert_eq!(active(), Some(id(2)));
    step(&one, Event::Pause(PauseReason::User), 30);
    step(&one, Event::Resume, 40);
    assert_eq!(active(), Some(id(1)));
    step(&one, Event::Close(CloseReason::User), 50);
    assert_eq!(active(), Some(id(2)));
    step(&two, Event::Pause(PauseReason::User), 60);
    assert_eq!(active(), None);
}

#[test]
fn sessions_created_at_the_same_time_are_sorted_by_id() {
    let fixture = Fixture::new();
    for n in [9, 4, 7] {
        fixture.store.create(&Meta { created_at: at(0), ..meta(n) }).unwrap();
    }
    let ids: Vec<_> = fixture.store.list().unwrap().sessions.iter().map(|m| m.id).collect();
    assert_eq!(ids, [id(4), id(7), id(9)]);
}

#[test]
fn broken_sessions_are_reported_and_do_not_affect_others() {
    let fixture = Fixture::new();
    fixture.create(1);
    for (n, content) in [(2, "{\"id\":"), (3, ""), (4, "[]"), (5, "{\"id\":\"x\",\"status\":\"odd\"}")] {
        fixture.create(n);
        scribble(&fixture.path(&format!("{}/meta.json", id(n))), content);
    }
    fs::create_dir(fixture.path(&id(6).to_string())).unwrap();
    fs::create_dir(fixture.path("notes")).unwrap();
    fs::create_dir(fixture.path(".hidden")).unwrap();
    fixture.create(7);
    fs::rename(fixture.path(&id(7).to_string()), fixture.path(&id(8).to_string())).unwrap();

    let listing = fixture.store.list().unwrap();
    assert_eq!(listing.sessions.iter().map(|m| m.id).collect::<Vec<_>>(), [id(1)]);
    let told: Vec<_> = listing
        .problems
        .iter()
        .map(|p| p.to_string().replace(&fixture.path("").display().to_string(), ""))
        .collect();
    expect![[r#"
        [
            "cannot read the session in 00000000-0000-0000-0000-000000000002",
            "cannot read the session in 00000000-0000-0000-0000-000000000003",
            "cannot read the session in 00000000-0000-0000-0000-000000000004",
            "cannot read the session in 00000000-0000-0000-0000-000000000005",
            "cannot read the session in 00000000-0000-0000-0000-000000000006",
            "cannot read the session in 00000000-0000-0000-0000-000000000008",
            "notes is not a session: its name is not a UUID",
        ]
    "#]]
    .assert_debug_eq(&told);
    assert_eq!(fixture.store.sync_index().unwrap().0.sessions.len(), 1);
}

#[test]
fn a_missing_store_has_no_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::at(folder.path());
    assert!(store.list().unwrap().sessions.is_empty());
    assert!(!store.path().exists(), "reading created the folder");
    assert!(matches!(store.session(id(1)).meta(), Err(StoreError::NoSession { .. })));
    assert!(matches!(store.session(id(1)).try_lock(), Err(StoreError::NoSession { .. })));
}

#[test]
fn opening_needs_a_beads_folder_and_keeps_the_store_out_of_git() {
    let folder = tempfile::tempdir().unwrap();
    let error = SessionStore::open(&folder.path().join(".beads")).unwrap_err();
    assert!(matches!(error, FileError::CreateDir { .. }), "{error:?}");
    let fixture = Fixture::new();
    assert_eq!(fixture.text(".gitignore"), "*\n");
    scribble(&fixture.path(".gitignore"), "# mine\n*\n");
    SessionStore::open(fixture.folder.path()).unwrap();
    assert_eq!(fixture.text(".gitignore"), "# mine\n*\n", "the user's own text was replaced");
}

#[test]
fn the_project_id_comes_from_the_tracker_or_is_created_once() {
    let fixture = Fixture::new();
    let trackers = "proj-7".parse().unwrap();
    assert_eq!(fixture.store.project_id(Some(&trackers)).unwrap(), trackers);
    assert!(!fixture.path("project.json").exists());
    let ids: Vec<_> = std::thread::scope(|scope| {
        let asking: Vec<_> =
            (0..4).map(|_| scope.spawn(|| fixture.store.project_id(None).unwrap())).collect();
        asking.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(SessionStore::at(fixture.folder.path()).project_id(None).unwrap(), ids[0]);
    scribble(&fixture.path("project.json"), "{");
    assert!(matches!(fixture.store.project_id(None), Err(StoreError::Broken { .. })));
}

#[test]
fn unknown_fields_of_a_newer_version_survive_saving() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(lock.meta_path()).unwrap()).unwrap();
    json["schema_version"] = 7.into();
    json["mood"] = serde_json::json!({"b": [1], "a": null});
    scribble(&lock.meta_path(), json.to_string());
    let mut meta = lock.meta().unwrap();
    meta.title = Some("changed".into());
    lock.save_meta(&meta).unwrap();
    let saved: serde_json::Value = serde_json::from_slice(&fs::read(lock.meta_path()).unwrap()).unwrap();
    json["title"] = "changed".into();
    assert_eq!(saved, json);
}

#[test]
fn a_session_is_created_completely_and_once() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.path(&format!("{}{}", file::TEMPORARY_PREFIX, id(1)))).unwrap();
    let lock = fixture.create(1);
    assert!(matches!(fixture.store.create(&meta(1)), Err(StoreError::SessionExists { .. })));
    assert!(lock.transcript().unwrap().messages.is_empty());
    assert_eq!(lock.meta().unwrap(), meta(1));
    let mut names: Vec<_> = fs::read_dir(lock.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["host.lock", "messages.jsonl", "meta.json"]);
    assert!(fixture.store.list().unwrap().problems.is_empty());
}

#[test]
fn a_session_has_one_writer_at_a_time() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    let dir = fixture.store.session(id(1));
    assert!(dir.try_lock().unwrap().is_none());
    assert!(matches!(fixture.store.delete(id(1), at(0)), Err(StoreError::InUse { .. })));
    drop(lock);
    assert!(dir.try_lock().unwrap().is_some());
}

#[cfg(unix)]
#[test]
fn an_inherited_lock_outlasts_the_parents() {
    let fixture = Fixture::new();
    let dir = fixture.store.session(id(1));
    let handed = fixture.create(1).into_file();
    assert!(dir.try_lock().unwrap().is_none(), "the open file holds the lock");
    let lock = dir.inherited_lock(handed).unwrap().expect("the file holds the lock");
    lock.save_meta(&meta(1)).unwrap();
    let stranger = fs::File::open(dir.meta_path()).unwrap();
    assert!(dir.inherited_lock(stranger).unwrap().is_none(), "another file holds no lock");
}

#[test]
fn taking_the_lock_removes_leftovers_of_a_crash() {
    let fixture = Fixture::new();
    drop(fixture.create(1));
    let dir = fixture.store.session(id(1));
    let left = dir.path().join(format!("{}abc", file::TEMPORARY_PREFIX));
    scribble(&left, "{");
    dir.try_lock().unwrap();
    assert!(!left.exists());
}

#[test]
fn the_small_files_survive_a_round_trip() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    assert_eq!(lock.outbox().unwrap(), Outbox::default());
    let item = OutboxItem { id: "1".into(), text: "two\nlines".into(), at: at(0), extra: Default::default() };
    let outbox = Outbox { items: vec![item], ..Outbox::default() };
    lock.save_outbox(&outbox).unwrap();
    assert_eq!(lock.outbox().unwrap(), outbox);
    lock.save_outbox(&Outbox::default()).unwrap();
    assert!(!lock.outbox_path().exists());

    assert_eq!(lock.host().unwrap(), None);
    let host = HostInfo::new(4711, 99, "/run/x.sock".into());
    lock.save_host(&host).unwrap();
    assert_eq!(lock.host().unwrap(), Some(host));
    lock.clear_host(1).unwrap();
    assert!(lock.host_path().exists(), "another process's record was removed");
    lock.clear_host(4711).unwrap();
    assert_eq!(lock.host().unwrap(), None);

    assert_eq!(lock.heartbeat().unwrap(), None);
    lock.beat(at(3)).unwrap();
    assert_eq!(lock.heartbeat().unwrap(), Some(at(3)));
    assert_eq!(fs::read_to_string(lock.heartbeat_path()).unwrap(), "2026-01-19T10:03:00-06:00\n");
    scribble(&lock.heartbeat_path(), b"\0\0");
    assert_eq!(lock.heartbeat().unwrap(), None, "damaged content counts as missing");

    assert_eq!(lock.context().unwrap(), None);
    let pack = ContextPack {
        id: "pack".into(),
        created_at: at(0),
        project_id: "proj-1".parse().unwrap(),
        bead_id: None,
        query: None,
        files: vec![],
        symbols: vec![],
        dependencies: vec![],
        config: vec![],
        commits: vec![],
        docs: vec![],
        generation_method: GenerationMethod::Manual,
        total_tokens: 0,
        truncated: false,
    };
    lock.save_context(&pack).unwrap();
    assert_eq!(lock.context().unwrap(), Some(pack));
}

#[test]
fn a_held_text_with_unknown_fields_keeps_them() {
    let fixture = Fixture::new();
    let lock = fixture.create(1);
    let text = r#"{"version":2,"items":[{"id":"1","text":"x","at":"2026-01-19T10:00:00-06:00","soon":true}],"more":1}"#;
    scribble(&lock.outbox_path(), text);
    lock.save_outbox(&lock.outbox().unwrap()).unwrap();
    let saved: serde_json::Value = serde_json::from_slice(&fs::read(lock.outbox_path()).unwrap()).unwrap();
    assert_eq!(saved, serde_json::from_str::<serde_json::Value>(text).unwrap());
}
