//! Tests with files of real trackers: no data loss, no panic.

use super::{lean_rows::lean_rows, snapshot::Snapshot, view::View};
use crate::{read_only::Source, tracker::ListFilter};
use std::path::{Path, PathBuf};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Checks that a file is read completely and written unchanged. `expect` has the numbers of beads, beads that
/// are not deleted, beads on the board, beads with a
/// parent, open blocking edges, comments, warnings.
fn check(name: &str, expect: [usize; 7]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(sample(name), folder.path().join("issues.jsonl")).unwrap();
    let view = View::new(folder.path().to_owned());
    let bytes = std::fs::read(sample(name)).unwrap();
    let snapshot = Snapshot::parse(&bytes);
    let rows = Snapshot::parse(&bytes).into_rows();
    let board = view.list(&ListFilter::board()).unwrap();
    let found = [
        snapshot.all().count(),
        rows.len(),
        board.beads.len(),
        rows.iter().filter(|row| row.parent.is_some()).count(),
        board.beads.iter().map(|bead| bead.blocked_by.len()).sum(),
        rows.iter().map(|row| row.comments.len()).sum(),
        board.warnings.len(),
    ];
    assert_eq!(found, expect, "{name}");
    for row in rows.iter().step_by(10) {
        assert!(view.show(&row.id).is_ok_and(|detail| detail.bead.id == row.id));
    }
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
    };
    assert!(lines(&bytes) == lines(&snapshot.render()), "{name}: a line changed, or its place");
}

#[test]
fn every_sample_is_read_completely_and_written_unchanged() {
    check("beads/artifact-keeper-issues.jsonl", [183, 183, 183, 97, 19, 0, 0]);
    check("beads/bd-v0.17.0-beads.jsonl", [132, 132, 132, 16, 5, 1, 0]);
    check("beads/bd-v0.47.0-issues-part.jsonl", [214, 176, 142, 28, 0, 2, 0]);
    check("beads/bd-20260126-predolt-issues-part.jsonl", [65, 65, 58, 13, 0, 3, 0]);
    check("beads/bd-v1.0.3-root-export.jsonl", [1, 1, 1, 0, 0, 0, 0]);
    check("beads/tea-rags-dolt-server-v1-issues-part.jsonl", [88, 88, 88, 28, 0, 1, 0]);
    check("beads/br-0.1.12-issues-part.jsonl", [42, 41, 41, 2, 0, 8, 0]);
    check("br-cli/final-issues.jsonl", [8, 7, 7, 1, 0, 1, 0]);
}

#[test]
fn any_bytes_are_read_with_warnings() {
    for name in ["beads/tea-rags-config.yaml", "beads/tea-rags-metadata.json", "br-cli/46-close.err"] {
        let bytes = std::fs::read(sample(name)).unwrap();
        let (rows, warnings) = lean_rows(&bytes);
        let all = Snapshot::parse(&bytes).all().count();
        assert_eq!((all, rows.len(), warnings.is_empty()), (0, 0, false), "{name}");
    }
    let whole = std::fs::read(sample("beads/bd-v1.0.3-root-export.jsonl")).unwrap();
    for end in 0..whole.len() {
        Snapshot::parse(&whole[..end]);
        lean_rows(&whole[..end]);
    }
}
