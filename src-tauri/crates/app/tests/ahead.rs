//! A project that is opened when the program starts: its beads are listed before the engine is ready, and the
//! engine starts even without a request. This is a separate test program, because it inspects the threads of its
//! process.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bc_app::App;
use bc_bridge::Backend;
use bc_engine::Programs;
use bc_store::file;
use serde_json::{Value, json};
use std::{
    path::Path,
    sync::mpsc::sync_channel,
    thread,
    time::{Duration, Instant},
};

const TIMEOUT: Duration = Duration::from_secs(30);

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        thread::yield_now();
    }
}

fn project(beads: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    bc_engine::init(
        folder.path(),
        bc_wire::project::InitParams { prefix: Some("A".into()), ..Default::default() },
    )
    .unwrap();
    write(folder.path(), beads);
    folder
}

fn write(folder: &Path, beads: &str) {
    file::replace(&folder.join(".beads/issues.jsonl"), beads.as_bytes()).unwrap();
}

fn app() -> App {
    App::new(Programs { console: "beads-console".into(), sim: "beads-console-sim".into() })
}

/// Subscribes to the events. The returned function waits for the first event of this type.
fn subscribe(app: &App, kind: &'static str) -> impl FnOnce() -> Value + use<> {
    let mut feed = app.events(None);
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        while let Some(event) = feed.recv() {
            let event: Value = serde_json::from_str(&event).unwrap();
            if event["event"]["type"] == kind {
                let _ = sender.send(event);
                return;
            }
        }
    });
    move || receiver.recv_timeout(TIMEOUT).unwrap()
}

#[cfg(target_os = "linux")]
fn threads() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).collect()
}

#[test]
fn the_engine_starts_without_a_request_and_a_list_is_ready_at_once() {
    let folder = project("{\"id\":\"A-1\",\"title\":\"One\",\"status\":\"open\"}\n");
    let app = app();
    let changed = subscribe(&app, "beads_changed");
    app.open_ahead(folder.path()).unwrap();
    wait_until("the project has no engine", || folder.path().join(".beads/sessions/engine.json").exists());
    #[cfg(target_os = "linux")]
    for part in ["housekeeper", "fleet", "merger"] {
        wait_until(&format!("there is no thread {part}"), || threads().iter().any(|name| name == part));
    }
    write(folder.path(), "{\"id\":\"A-2\",\"title\":\"Two\",\"status\":\"open\"}\n");
    changed();

    let folder = project("{\"id\":\"A-1\",\"title\":\"One\",\"status\":\"open\"}\n");
    let key = app.open_ahead(folder.path()).unwrap().key.0;
    let changed = subscribe(&app, "beads_changed");
    let list = || app.call("bead.list", Some(&key), json!({})).unwrap()["beads"][0]["id"].clone();
    assert_eq!(list(), "A-1");
    // Clients with the old list get an event, regardless of whether the watch has already started.
    write(folder.path(), "{\"id\":\"A-2\",\"title\":\"Two\",\"status\":\"open\"}\n");
    assert_eq!(changed()["project"], key.as_str());
    assert_eq!(list(), "A-2");
    wait_until("the project has no engine", || folder.path().join(".beads/sessions/engine.json").exists());
}
