//! An operation's initial state and its states without faults, and a run of the real program without faults.

use crate::{
    folder,
    operations::Operation,
    program,
    seen::Seen,
    tree::{Tree, lay_out, scan},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// An operation, and its effect without faults.
pub(crate) struct Scene {
    pub(crate) operation: &'static Operation,
    /// The states before the operation and after each completed part.
    pub(crate) steps: Vec<Seen>,
    pub(crate) before: Tree,
    /// The folder that contains the folder of each run.
    pub(crate) runs_folder: TempDir,
}

impl Scene {
    pub(crate) fn of(operation: &'static Operation) -> Scene {
        let runs_folder = folder();
        let root = runs_folder.path().join("0000000");
        fs::create_dir(&root).unwrap();
        (operation.before)(&root).unwrap();
        let before = scan(&root);
        let mut steps = vec![Seen::of(&root)];
        (operation.run)(&root, &mut || steps.push(Seen::of(&root))).unwrap();
        fs::remove_dir_all(&root).unwrap();
        Scene { operation, steps, before, runs_folder }
    }

    /// Returns the program's output if all parts complete.
    pub(crate) fn all_parts(&self) -> String {
        "+".repeat(self.steps.len() - 1)
    }

    /// Performs the operation in a folder with the real program, without faults. On a retry, the program may
    /// have fewer parts to complete.
    #[track_caller]
    pub(crate) fn complete(&self, root: &Path, what: &str) {
        let ended = program().args(["once", self.operation.name]).arg(root).output().unwrap();
        let (output, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        let is_complete = ended.status.success() && !output.contains(['-', '=']);
        assert!(is_complete && err.is_empty(), "{}, {what}: {output:?} {err}", self.operation.name);
    }

    /// Writes the initial state as real files, and returns their folder.
    pub(crate) fn lay_out(&self, number: usize) -> PathBuf {
        let root = self.runs_folder.path().join(format!("{number:07}"));
        lay_out(&self.before, &root);
        root
    }

    /// Asserts that the folder contains all reported parts, and that the next part is present completely or
    /// not at all. With `ignore_index`, the index is not compared, because it may lack a session that could
    /// not be read.
    #[track_caller]
    pub(crate) fn assert_holds(&self, root: &Path, output: &str, ignore_index: bool, what: &str) {
        let done = match output.contains('=') {
            true => self.steps.len() - 1,
            false => output.chars().filter(|c| *c == '+').count(),
        };
        let next = (done + 1).min(self.steps.len() - 1);
        let comparable = |seen: &Seen| {
            let seen = seen.of_any_run();
            if ignore_index { seen.without_index() } else { seen }
        };
        let (seen, was, becomes) =
            (comparable(&Seen::of(root)), comparable(&self.steps[done]), comparable(&self.steps[next]));
        if let Err(why) = seen.is_between(&was, &becomes) {
            panic!("{}, {what}, printed {output:?}: {why}\nwas {was:#?}\nis {seen:#?}", self.operation.name);
        }
    }
}
