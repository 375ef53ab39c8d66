//! Torn tails: the real program performs an operation, and its last line is cut at every byte, as a kill during
//! the write could leave it. The real program then repeats the operation, and a takeover appends more.

use crate::{
    operations::{ALL, Operation},
    scene::Scene,
    seen::{Going, Seen, take_over},
    tree::{Thing, Tree, lay_out, scan},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

#[test]
fn a_torn_message_loses_no_acknowledged_message() {
    tear(|name| APPENDS.iter().any(|start| name.starts_with(start)) && !name.contains("injection"));
}

#[test]
fn a_torn_injection_loses_no_acknowledged_injection() {
    tear(|name| APPENDS.iter().any(|start| name.starts_with(start)) && name.contains("injection"));
}

/// The prefixes of the names of operations that append lines.
const APPENDS: [&str; 2] = ["append", "write messages"];

/// The distance between cuts, in bytes. Under Wine, a cut takes half a second, because programs start slowly.
const STEP: usize = if cfg!(windows) { 13 } else { 1 };

fn tear(wanted: impl Fn(&str) -> bool) {
    let operations: Vec<_> = ALL.iter().filter(|operation| wanted(operation.name)).collect();
    let mut cuts = 0;
    for operation in &operations {
        cuts += cut_last_line(operation);
    }
    assert!(operations.len() > 1 && cuts > 200 / STEP, "too few cases: {operations:?}, {cuts} cuts");
    println!("COUNTED torn tails of {} operations: {cuts} cuts, 0 lines lost", operations.len());
}

fn cut_last_line(operation: &'static Operation) -> usize {
    let scene = Scene::of(operation);
    let root = scene.lay_out(1);
    scene.complete(&root, "first run");
    let after = scan(&root);
    let (path, whole) = appended(&scene.before, &after);
    let start = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    // The last part wrote the last line, so the program had reported all parts before it.
    let acknowledged = &scene.all_parts()[1..];
    let complete = scene.steps.last().unwrap().of_any_run();
    let is_wanted = |len: &usize| (len - start).is_multiple_of(STEP) || len + 1 == whole.len();
    let lengths: Vec<usize> = (start..whole.len()).filter(is_wanted).collect();
    let cuts = lengths.len();
    for (number, len) in lengths.into_iter().enumerate() {
        let what = format!("{} cut to {len} of {} bytes", path.display(), whole.len());
        let mut torn = after.clone();
        torn.insert(path.clone(), Thing::File(Arc::from(&whole[..len])));
        let root = scene.runs_folder.path().join(format!("{:07}", number + 2));
        lay_out(&torn, &root);
        scene.assert_holds(&root, acknowledged, false, &what);
        scene.complete(&root, &what);
        assert_eq!(Seen::of(&root).of_any_run(), complete, "{}, {what}", operation.name);
        // The takeover also starts from the torn file.
        fs::remove_dir_all(&root).unwrap();
        lay_out(&torn, &root);
        take_over(&root, Going::On);
        fs::remove_dir_all(&root).unwrap();
    }
    cuts
}

/// Returns the file to which the operation appended, and its content.
fn appended(before: &Tree, after: &Tree) -> (PathBuf, Arc<[u8]>) {
    let is_lines = |path: &Path| path.extension().is_some_and(|extension| extension == "jsonl");
    let changed = |(path, thing): (&PathBuf, &Thing)| match thing {
        Thing::File(bytes) if is_lines(path) && before.get(path) != Some(thing) => {
            Some((path.clone(), Arc::clone(bytes)))
        }
        Thing::File(_) | Thing::Folder => None,
    };
    let mut files = after.iter().filter_map(changed);
    let file = files.next().expect("the operation appended a line");
    assert!(files.next().is_none(), "the operation appended to more than one file");
    file
}
