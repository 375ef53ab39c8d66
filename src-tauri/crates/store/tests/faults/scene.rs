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
    pub(crate) desk: TempDir,
}

impl Scene {
    pub(crate) fn of(operation: &'static Operation) -> Scene {
        let desk = folder();
        let root = desk.path().join("0000000");
        fs::create_dir(&root).unwrap();
        (operation.before)(&root).unwrap();
        let before = scan(&root);
        let mut steps = vec![Seen::of(&root)];
        (operation.run)(&root, &mut || steps.push(Seen::of(&root))).unwrap();
        fs::remove_dir_all(&root).unwrap();
        Scene { operation, steps, before, desk }
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
        let (said, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        let is_complete = ended.status.success() && !said.contains(['-', '=']);
        assert!(is_complete && err.is_empty(), "{}, {what}: {said:?} {err}", self.operation.name);
    }

    /// Writes the initial state as real files, and returns their folder.
    pub(crate) fn lay_out(&self, number: usize) -> PathBuf {
        let root = self.desk.path().join(format!("{number:07}"));
        lay_out(&self.before, &root);
        root
    }

    /// Asserts that the folder contains all reported parts, and that the next part is present completely or
    /// not at all. With `index_apart`, the index is not compared, because it may lack a session that could
    /// not be read.
    #[track_caller]
    pub(crate) fn holds(&self, root: &Path, said: &str, index_apart: bool, what: &str) {
        let done = match said.contains('=') {
            true => self.steps.len() - 1,
            false => said.chars().filter(|c| *c == '+').count(),
        };
        let next = (done + 1).min(self.steps.len() - 1);
        let look = |seen: &Seen| {
            let seen = seen.of_any_run();
            if index_apart { seen.without_index() } else { seen }
        };
        let (seen, was, becomes) = (look(&Seen::of(root)), look(&self.steps[done]), look(&self.steps[next]));
        if let Err(why) = seen.is_between(&was, &becomes) {
            panic!("{}, {what}, said {said:?}: {why}\nwas {was:#?}\nis {seen:#?}", self.operation.name);
        }
    }
}
