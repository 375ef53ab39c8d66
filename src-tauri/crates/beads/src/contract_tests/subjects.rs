//! Runs the shared checks on the trackers that need no program: the embedded store and the database of a
//! classic bd.

use super::{Subject, one_claim_wins, read_only, writable};
use crate::{Environment, InitChoice, ListFilter, Tracker, TrackerKind, init, open};
use bc_core::{bead::BeadStatus, ids::BeadId};
use std::{fs, path::Path};

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads").join(name)
}

#[test]
fn the_embedded_store_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    init(dir.path(), Some("bc"), InitChoice::Embedded, &Environment::default()).unwrap();
    let open = || open(dir.path(), &Environment::default()).unwrap();
    assert_eq!(open().kind(), TrackerKind::Embedded);
    writable(&Subject { open: &open, longest_title: 2000 });
}

#[test]
fn one_of_two_concurrent_claims_wins_in_the_embedded_store() {
    let dir = tempfile::tempdir().unwrap();
    init(dir.path(), Some("bc"), InitChoice::Embedded, &Environment::default()).unwrap();
    one_claim_wins(&|| open(dir.path(), &Environment::default()).unwrap(), 100);
}

/// The names of a folder's files with their content.
fn files(dir: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

fn classic() -> (tempfile::TempDir, Box<dyn Tracker>) {
    let dir = tempfile::tempdir().unwrap();
    let beads = dir.path().join(".beads");
    fs::create_dir(&beads).unwrap();
    fs::copy(sample("artifact-keeper-classic-part.beads.db"), beads.join("beads.db")).unwrap();
    let tracker = open(dir.path(), &Environment { path: Some("".into()), ..Environment::default() }).unwrap();
    (dir, tracker)
}

#[test]
fn the_database_of_a_classic_bd_is_read_without_changing_its_folder() {
    let (dir, tracker) = classic();
    let before = files(&dir.path().join(".beads"));
    assert_eq!(tracker.kind(), TrackerKind::ReadOnly);
    let notice = tracker.describe().notice.unwrap();
    assert!(notice.contains("bd 0.49.1, whose SQLite database Beads Console only reads"), "{notice}");
    assert!(notice.contains("the current content of beads.db") && notice.contains("bd 1.2.1"), "{notice}");
    read_only(tracker.as_ref());
    assert_eq!(files(&dir.path().join(".beads")), before);
}

#[test]
fn a_classic_bds_readiness_and_events_are_read() {
    let (dir, tracker) = classic();
    let board = tracker.list(&ListFilter::board()).unwrap();
    let with = |status: BeadStatus| board.beads.iter().filter(|bead| bead.status == status).count();
    assert_eq!([with(BeadStatus::Open), with(BeadStatus::InProgress), with(BeadStatus::Closed)], [29, 2, 20]);
    // 29 beads are open, 14 of which are in bd's own table of blocked beads.
    assert_eq!(tracker.ready().unwrap().len(), 15);
    let id: BeadId = "artifact-keeper-01d".parse().unwrap();
    let shown = tracker.show(&id).unwrap();
    assert_eq!(shown.bead.title, "Vagrant: Verify Vagrant Box Catalog spec compliance");
    assert_eq!((shown.bead.priority, shown.bead.labels.as_slice()), (4, &["formats".to_owned()][..]));
    assert_eq!(shown.comments[0].text, "A comment");
    assert_eq!(
        shown.comments[0].created_at.map(|at| at.to_rfc3339()).as_deref(),
        Some("2026-02-07T10:00:00+00:00")
    );
    assert!(shown.bead.parent.is_some() && shown.description.contains("vagrant box add"));
    let events = tracker.events(&"artifact-keeper-75w".parse().unwrap()).unwrap();
    assert!(events.len() >= 5 && events.is_sorted_by_key(|event| event.at), "{events:?}");
    assert!(events.iter().any(|event| event.kind == "dependency" && event.to.is_some()), "{events:?}");
    let all = crate::everything(dir.path(), &Environment::default()).unwrap();
    assert_eq!(all.rows.len(), 51, "a backup has the database's rows");
}

#[test]
fn a_changed_classic_database_is_read_again_and_a_damaged_one_shows_its_last_content() {
    let (dir, tracker) = classic();
    let path = dir.path().join(".beads/beads.db");
    let mark = || crate::change_mark(dir.path(), &Environment::default()).unwrap().unwrap();
    let title = || tracker.list(&ListFilter::board()).unwrap().beads[0].title.clone();
    let (first, content, old) = (mark(), tracker.content(), title());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update issues set title = 'renamed';",
        )
        .unwrap();
    assert!(path.with_extension("db-wal").exists());
    assert_ne!(mark(), first);
    assert_eq!(title(), "renamed");
    assert!(tracker.content() > content && old != "renamed");
    drop(connection);
    fs::write(&path, b"SQLite format 3\0 and then nothing").unwrap();
    let listing = tracker.list(&ListFilter::board()).unwrap();
    assert_eq!(listing.beads[0].title, "renamed");
    assert!(listing.warnings[0].what.contains("its last content is shown"), "{:?}", listing.warnings);
}

#[test]
fn any_bytes_are_a_database_or_an_error() {
    let whole = fs::read(sample("artifact-keeper-classic-part.beads.db")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let beads = dir.path().join(".beads");
    fs::create_dir(&beads).unwrap();
    fs::write(beads.join("daemon.log"), "").unwrap();
    for cut in [0, 15, 100, 4096, 70_000, whole.len() / 2] {
        fs::write(beads.join("beads.db"), &whole[..cut]).unwrap();
        let tracker = open(dir.path(), &Environment::default()).unwrap();
        let notice = tracker.describe().notice.unwrap();
        assert!(notice.contains("SQLite database cannot be read"), "{cut}: {notice}");
    }
    for at in (0..whole.len()).step_by(9_973) {
        let mut broken = whole.clone();
        broken[at..(at + 64).min(whole.len())].fill(0xa5);
        fs::write(beads.join("beads.db"), &broken).unwrap();
        let tracker = open(dir.path(), &Environment::default()).unwrap();
        tracker.list(&ListFilter::board()).unwrap();
    }
}
