//! Removes temporary files that killed programs left in the project. Called when the project is opened. An exclude
//! pattern keeps such files out of `git status` until then.

use super::{git_exclude::with_line, project::Project};
use bc_store::{
    FileError,
    file::{self, TEMPORARY_PREFIX},
    repository::{self, limits},
};

/// The project's folders in which this program replaces files. Sessions and the fleet clean up their own folders.
const FOLDERS: [&str; 7] =
    ["", ".beads", ".claude", ".claude/agents", ".claude/skills/beads", ".github", ".github/hooks"];

/// Removes leftover files, and excludes future temporary files from git. Failures are ignored.
pub(crate) fn remove(project: &Project) {
    for folder in FOLDERS {
        file::remove_abandoned(&project.root.join(folder));
    }
    let _ = exclude(project);
}

fn exclude(project: &Project) -> Result<(), FileError> {
    let Some(git) = project.main_tree.as_ref().map(|tree| tree.join(".git")) else { return Ok(()) };
    // If `.git` is a file, as in a submodule, it points to a git folder elsewhere, which is left unchanged.
    if !git.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let path = git.join("info/exclude");
    let text = repository::read(&path, limits::SETTINGS)?.unwrap_or_default();
    let line = format!("{TEMPORARY_PREFIX}*");
    if text.split(|byte| *byte == b'\n').any(|known| known.trim_ascii() == line.as_bytes()) {
        return Ok(());
    }
    file::create_open_dir(&git.join("info"))?;
    file::replace_open(&path, &with_line(text, &line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use std::{
        fs,
        time::{Duration, SystemTime},
    };

    #[test]
    fn leftovers_of_a_killed_program_are_removed_and_ignored_by_git() {
        let fixture = Fixture::new();
        let root = fixture.ctx.project.root.clone();
        let project = Project { main_tree: Some(root.clone()), ..fixture.ctx.project.clone() };
        file::create_open_dir(&root.join(".git/info")).unwrap();
        file::create_open(&root.join(".git/info/exclude"), b"built").unwrap();
        let left: Vec<_> = [".bc-tmp-1", ".beads/.bc-tmp-2"].map(|name| root.join(name)).into();
        for path in &left {
            file::replace(path, b"half").unwrap();
            let file = fs::OpenOptions::new().append(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        }
        for _ in 0..2 {
            remove(&project);
            assert!(left.iter().all(|path| !path.exists()));
            assert_eq!(fs::read_to_string(root.join(".git/info/exclude")).unwrap(), "built\n.bc-tmp-*\n");
        }
    }
}
