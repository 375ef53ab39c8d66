//! Edits in real files: in an edited line, only the edited fields change; all other lines stay identical.

use super::{Project, alice};
use crate::{FieldChanges, ListFilter};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

fn at(text: &str) -> Option<Option<bc_core::Timestamp>> {
    Some(Some(bc_core::Timestamp::parse_from_rfc3339(text).unwrap()))
}

/// Changes of all fields of a bead, each with the keys that it may change in the bead's line.
fn edits(parent: &BeadId) -> Vec<(FieldChanges, Vec<&'static str>)> {
    let none = FieldChanges::default;
    vec![
        (FieldChanges { title: Some("Edited 日本".into()), ..none() }, vec!["title"]),
        (FieldChanges { description: Some("- [ ] a\n".into()), ..none() }, vec!["description"]),
        (FieldChanges { design: Some(String::new()), ..none() }, vec!["design"]),
        (FieldChanges { acceptance_criteria: Some("x".into()), ..none() }, vec!["acceptance_criteria"]),
        (FieldChanges { notes: Some("n".into()), ..none() }, vec!["notes"]),
        (FieldChanges { priority: Some(3), ..none() }, vec!["priority"]),
        (FieldChanges { issue_type: Some("chore".into()), ..none() }, vec!["issue_type"]),
        (FieldChanges { assignee: Some(Some("joe".into())), ..none() }, vec!["assignee"]),
        (FieldChanges { assignee: Some(None), ..none() }, vec!["assignee"]),
        (FieldChanges { add_labels: vec!["edited".into()], ..none() }, vec!["labels"]),
        (FieldChanges { due: at("2031-01-02T00:00:00Z"), ..none() }, vec!["due_at"]),
        (FieldChanges { defer: at("2031-01-02T00:00:00Z"), ..none() }, vec!["defer_until"]),
        (FieldChanges { estimated_minutes: Some(Some(15)), ..none() }, vec!["estimated_minutes"]),
        (FieldChanges { external_ref: Some(Some("gh-1".into())), ..none() }, vec!["external_ref"]),
        (
            FieldChanges { status: Some(BeadStatus::Blocked), ..none() },
            vec!["status", "closed_at", "close_reason", "labels"],
        ),
        (
            FieldChanges { parent: Some(Some(parent.clone())), ..none() },
            vec!["parent", "dependencies", "dependency_count"],
        ),
    ]
}

/// The lines of a file. Lines of beads that occur twice are left out, because a write moves the newer line to
/// the end.
fn lines(text: &[u8]) -> Vec<(Option<String>, Vec<u8>)> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let id = |line: &[u8]| {
        let map: Map<String, Value> = serde_json::from_slice(line).ok()?;
        map.get("id")?.as_str().map(str::to_owned)
    };
    let all: Vec<_> = lines.map(|line| (id(line), line.to_vec())).collect();
    let mut count: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for (id, _) in &all {
        *count.entry(id.clone()).or_default() += 1;
    }
    all.into_iter().filter(|(id, _)| id.is_none() || count[id] == 1).collect()
}

fn map(line: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(line).unwrap()
}

/// Checks that a change of one bead changes only these keys and `updated_at` in its line, keeps the order of
/// the other keys, and changes no other line.
fn check(before: &[u8], after: &[u8], id: &BeadId, keys: &[&str], what: &str) {
    let (before, after) = (lines(before), lines(after));
    assert_eq!(before.len(), after.len(), "{what}");
    for (was, is) in before.iter().zip(&after) {
        if was.0.as_deref() != Some(id.as_str()) {
            assert!(was == is, "{what}: the line of {:?} changed", was.0);
            continue;
        }
        let (was, is) = (map(&was.1), map(&is.1));
        let kept = |map: &Map<String, Value>| -> Vec<(String, Value)> {
            let kept = map.iter().filter(|(key, _)| *key != "updated_at" && !keys.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        assert_eq!(kept(&was), kept(&is), "{what}: fields and their order");
    }
}

fn round_trip(file: &Path) {
    let project = Project::new();
    project.put(fs::read(file).unwrap());
    let tracker = &project.tracker;
    let text = || fs::read(project.file()).unwrap();
    let all = tracker.list(&ListFilter::everything()).unwrap().beads;
    let known: Vec<Option<String>> = lines(&text()).into_iter().map(|(id, _)| id).collect();
    let unique = |id: &BeadId| known.contains(&Some(id.to_string()));
    let ids: Vec<BeadId> = all.iter().map(|bead| bead.id.clone()).filter(unique).collect();
    let parent = tracker.create(&crate::NewBead::titled("a new parent"), &alice()).unwrap().bead.id;
    let edits = edits(&parent);
    // Spread the edits over the file's beads. In a small file, one bead gets several edits.
    for (n, (change, keys)) in edits.iter().enumerate() {
        let id = &ids[n * ids.len() / edits.len()];
        let before = text();
        let what = format!("{} {id} {keys:?}", file.display());
        tracker.update(id, change, None, &alice()).unwrap_or_else(|error| panic!("{what}: {error}"));
        check(&before, &text(), id, keys, &what);
    }
    // Deleting and restoring a bead gives the same file, except for the time of the change.
    let id = &ids[ids.len() / 2];
    let other = tracker.create(&crate::NewBead::titled("another"), &alice()).unwrap().bead.id;
    let before = text();
    tracker.delete(id, &alice()).unwrap();
    check(
        &before,
        &text(),
        id,
        &["status", "original_status", "original_type", "deleted_at", "deleted_by"],
        "deleted",
    );
    tracker.undelete(id, &alice()).unwrap();
    check(&before, &text(), id, &[], "restored");
    tracker.add_dependency(id, &other, "discovered-from", &alice()).unwrap();
    tracker.remove_dependency(id, &other, &alice()).unwrap();
    check(&before, &text(), id, &["dependencies"], "linked and unlinked");
}

fn samples(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect()
}

#[test]
fn an_edit_of_any_field_of_any_sample_leaves_the_rest_unchanged() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads");
    let mut files = samples(&data);
    // The variable names a folder with the complete files from which the samples were taken.
    if let Some(more) = std::env::var_os("BC_TEST_BEADS_FILES") {
        files.extend(
            samples(Path::new(&more))
                .into_iter()
                .filter(|path| !path.ends_with("br-0.1.12-interactions.jsonl")),
        );
    }
    assert!(files.len() >= 7);
    files.iter().for_each(|file| round_trip(file));
}
