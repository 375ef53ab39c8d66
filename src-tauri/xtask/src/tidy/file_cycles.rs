//! Checks that the files of a crate do not form a cycle of references.
//!
//! A file's references are its imports, and its inline paths that start with `crate`, `super`, a child
//! module, or an imported module. References are followed through re-exports to the file with the definition.
//! Neither `mod x;` nor a re-export that the file itself does not use is a reference. Tests are excluded.

mod modules;
mod tokens;

use super::source::{SourceFile, Violation};
use modules::{Modules, References};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut broken = Vec::new();
    for root in files.iter().map(|file| file.path.as_str()).filter(|path| is_crate_root(path)) {
        let (folder, _) = root.rsplit_once("/src/").expect("a crate's root is in src");
        let references = Modules::read(root, files).references();
        for cycle in cycles(&references) {
            broken.push(violation(folder, &cycle, &references));
        }
    }
    broken
}

fn is_crate_root(path: &str) -> bool {
    let Some((_, within)) = path.rsplit_once("/src/") else { return false };
    let program =
        within.strip_prefix("bin/").is_some_and(|name| name.ends_with(".rs") && !name.contains('/'));
    matches!(within, "lib.rs" | "main.rs") || program
}

fn violation(folder: &str, cycle: &BTreeSet<String>, references: &References) -> Violation {
    let short = |file: &String| file.strip_prefix(&format!("{folder}/src/")).unwrap_or(file).to_owned();
    let lines = cycle.iter().map(|file| {
        let used: Vec<String> = references[file].intersection(cycle).map(short).collect();
        format!("\n    {} uses {}", short(file), used.join(", "))
    });
    let lines: String = lines.collect();
    let message =
        format!("has a cycle of {} files: move what both sides need to its own file{lines}", cycle.len());
    Violation::new(folder, message)
}

/// Returns the sets of two or more files that all refer to each other, directly or indirectly.
fn cycles(references: &References) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        references.keys().map(|file| (file, reachable(references, file))).collect();
    let mut cycles: Vec<BTreeSet<String>> = Vec::new();
    for (file, below) in reached.iter().filter(|(file, below)| below.contains(**file)) {
        if !cycles.iter().any(|cycle| cycle.contains(*file)) {
            cycles.push(
                below.iter().filter(|other| reached[**other].contains(file)).map(|f| (**f).clone()).collect(),
            );
        }
    }
    cycles
}

/// Returns the files to which a file refers, directly or indirectly.
fn reachable<'a>(references: &'a References, file: &String) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&String> = references[file].iter().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(&references[next]);
        }
    }
    found
}

#[cfg(test)]
mod tests;
