//! Identifies the contents of working-tree files, usually by git's hash.

use crate::{file_diff::FileDiff, repo::Repo};
use std::{fs, path::Path};

/// Files longer than this, in bytes, are not hashed; their length and modification time identify them.
const HASHED_MAX: u64 = 16 << 20;

impl Repo {
    /// Identifies the contents of the working-tree files that have no id yet, usually by git's hash. Files
    /// that git cannot hash stay without an id.
    pub(crate) fn name_contents(&self, files: &mut [FileDiff]) {
        let mut plain: Vec<&mut FileDiff> = Vec::new();
        for file in files.iter_mut().filter(|file| file.contents.is.is_none()) {
            match identification(&self.top_level().join(&file.path)) {
                Some(Identification::Text(text)) => file.contents.is = Some(text),
                Some(Identification::Hash) => plain.push(file),
                None => {}
            }
        }
        if plain.is_empty() {
            return;
        }
        let paths = plain.iter().map(|file| file.path.as_str());
        let args = ["hash-object", "--"].into_iter().chain(paths);
        let Ok(done) = self.git.read("list the tree's files", self.top_level(), args) else { return };
        let names = done.out();
        if names.lines().count() == plain.len() {
            for (file, name) in plain.into_iter().zip(names.lines()) {
                file.contents.is = Some(name.to_owned());
            }
        }
    }
}

/// How to identify the content of a readable file.
enum Identification {
    /// By git's hash.
    Hash,
    /// By this text: the target of a link, or the length and modification time of a file that is too long to
    /// hash.
    Text(String),
}

fn identification(path: &Path) -> Option<Identification> {
    let meta = fs::symlink_metadata(path).ok()?;
    if meta.is_symlink() {
        return Some(Identification::Text(format!("a link to {}", fs::read_link(path).ok()?.display())));
    }
    if !meta.is_file() {
        return None;
    }
    if meta.len() <= HASHED_MAX {
        // Check that the file can be opened: one unreadable file would make git fail for all.
        return fs::File::open(path).is_ok().then_some(Identification::Hash);
    }
    let changed = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
    Some(Identification::Text(format!("{} bytes of {changed}", meta.len())))
}
