//! Identifies the contents of working-tree files, usually by git's hash.

use crate::{file_diff::FileDiff, repo::Repo};
use std::{fs, path::Path};

/// Files longer than this, in bytes, are not hashed; their length and modification time identify them.
const READ: u64 = 16 << 20;

impl Repo {
    /// Identifies the contents of the working-tree files that have no id yet, usually by git's hash. Files
    /// that git cannot hash stay without an id.
    pub(crate) fn name_contents(&self, files: &mut [FileDiff]) {
        let mut plain: Vec<&mut FileDiff> = Vec::new();
        for file in files.iter_mut().filter(|file| file.contents.is.is_none()) {
            match stands(&self.top_level().join(&file.path)) {
                Some(Stands::Long(what)) => file.contents.is = Some(what),
                Some(Stands::Plain) => plain.push(file),
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
enum Stands {
    Plain,
    /// By this string: the target of a link, or the length and modification time of a file that is too long
    /// to hash.
    Long(String),
}

fn stands(path: &Path) -> Option<Stands> {
    let meta = fs::symlink_metadata(path).ok()?;
    if meta.is_symlink() {
        return Some(Stands::Long(format!("a link to {}", fs::read_link(path).ok()?.display())));
    }
    if !meta.is_file() {
        return None;
    }
    if meta.len() <= READ {
        // Check that the file can be opened: one unreadable file would make git fail for all.
        return fs::File::open(path).is_ok().then_some(Stands::Plain);
    }
    let changed = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
    Some(Stands::Long(format!("{} bytes of {changed}", meta.len())))
}
