//! Finds the lines about a few beads by searching for the bytes of their ids: in a file of ten thousand beads,
//! nearly all lines are skipped unparsed.
//!
//! A result equals that of reading the whole file, unless the JSON escapes an id. If the bead itself is not found,
//! the caller reads the whole file; an escaped id in another bead's line is missed.

use super::snapshot::Snapshot;
use crate::{readiness::MAX_DEPTH, row::Row};
use aho_corasick::AhoCorasick;
use bc_core::ids::BeadId;
use std::collections::BTreeSet;

/// The rows on which a bead's details depend: the bead, its ancestors, and the dependencies and dependents of
/// all these. `None` if the bead is not found.
pub(super) fn around(bytes: &[u8], id: &BeadId) -> Option<Vec<Row>> {
    let mut wanted: BTreeSet<BeadId> = BTreeSet::from([id.clone()]);
    let mut rows = Vec::new();
    for _ in 0..MAX_DEPTH {
        rows = rows_with(bytes, &wanted)?;
        let before = wanted.len();
        let mut at = rows.iter().find(|row| row.id == *id);
        at?;
        for _ in 0..MAX_DEPTH {
            let Some(row) = at else { break };
            wanted.extend(row.depends_on.iter().map(|edge| edge.id.clone()).chain(row.parent.clone()));
            at = row.parent.as_ref().and_then(|parent| rows.iter().find(|row| row.id == *parent));
        }
        if wanted.len() == before {
            break;
        }
    }
    // A neighbour may have duplicates, of which only one names the bead.
    wanted.extend(rows.into_iter().map(|row| row.id));
    rows_with(bytes, &wanted)
}

/// The rows of the lines that contain one of these ids; `None` if the search cannot be prepared.
fn rows_with(bytes: &[u8], ids: &BTreeSet<BeadId>) -> Option<Vec<Row>> {
    let finder = AhoCorasick::new(ids.iter().map(|id| format!("\"{id}\""))).ok()?;
    Some(Snapshot::parse(&lines_with(bytes, &finder)).into_rows())
}

/// The lines with a match, each once.
fn lines_with(bytes: &[u8], finder: &AhoCorasick) -> Vec<u8> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(hit) = finder.find(&bytes[at..]) {
        let (from, to) = (at + hit.start(), at + hit.end());
        let start = bytes[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let end =
            bytes[to..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| to + length);
        found.extend_from_slice(&bytes[start..end]);
        found.push(b'\n');
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{graph::Graph, readiness::Links};
    use serde_json::{Value, json};

    /// Compares each bead's result with the one from the whole file.
    fn same(bytes: &[u8]) {
        let all = Snapshot::parse(bytes).into_rows();
        let now = chrono::DateTime::parse_from_rfc3339("2026-01-01T00:00:00Z").unwrap();
        let detail = |rows: &[Row], id: &BeadId| {
            let graph = Graph::new(rows);
            let row = rows.iter().find(|row| row.id == *id).expect("it is there");
            let mut detail = graph.detail(row, graph.is_ready(row, now));
            detail.links.sort_by(|a, b| (&a.id, &a.kind).cmp(&(&b.id, &b.kind)));
            detail.bead.unblocks.sort();
            detail
        };
        for row in &all {
            let near = around(bytes, &row.id).unwrap_or_else(|| panic!("{} is not found", row.id));
            assert_eq!(detail(&near, &row.id), detail(&all, &row.id));
        }
    }

    fn lines(rows: &[Value]) -> Vec<u8> {
        rows.iter().flat_map(|row| format!("{row}\n").into_bytes()).collect()
    }

    #[test]
    fn every_neighborhood_in_every_sample_matches_the_whole_file() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for name in [
            "beads/artifact-keeper-issues.jsonl",
            "beads/bd-v0.17.0-beads.jsonl",
            "beads/bd-v0.47.0-issues-part.jsonl",
            "beads/tea-rags-dolt-server-v1-issues-part.jsonl",
            "beads/br-0.1.12-issues-part.jsonl",
            "br-cli/final-issues.jsonl",
        ] {
            same(&std::fs::read(data.join(name)).unwrap());
        }
    }

    #[test]
    fn blocked_ancestors_waits_for_and_duplicate_beads_are_included() {
        let needs = |id: &str, kind: &str| json!([{"depends_on_id": id, "type": kind}]);
        same(&lines(&[
            json!({"id": "o"}),
            json!({"id": "e", "dependencies": needs("o", "blocks")}),
            json!({"id": "e.1", "dependencies": needs("e", "parent-child")}),
            json!({"id": "e.1.1", "status": "in_progress", "parent": "e.1"}),
            json!({"id": "s", "status": "closed"}),
            json!({"id": "s.1", "parent": "s", "status": "in_progress"}),
            json!({"id": "w", "dependencies": needs("s", "waits-for")}),
            json!({"id": "t", "updated_at": "2026-01-01T00:00:00Z", "status": "in_progress", "dependencies": needs("o", "blocks")}),
            json!({"id": "t", "updated_at": "2026-01-02T00:00:00Z", "status": "closed"}),
            json!({"id": "x", "dependencies": needs("y", "parent-child")}),
            json!({"id": "y", "dependencies": needs("x", "parent-child")}),
        ]));
        assert!(around(b"{\"id\":\"a\"}", &"b".parse().unwrap()).is_none());
    }
}
