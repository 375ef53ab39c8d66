//! Identifies the two contents of a difference by their git object ids, so that a reviewed difference is
//! recognised later. A file keeps its id when it is committed unchanged.

use crate::{file_diff::FileDiff, repo::Repo};
use std::{fs, path::Path};

/// Files longer than this, in bytes, are not hashed; their length and time serve instead.
const READ: u64 = 16 << 20;

/// The old and the new content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ContentIds {
    was: Option<String>,
    is: Option<String>,
    /// The new mode, if it changed.
    mode: Option<String>,
}

impl ContentIds {
    /// Parses the modes, hashes and letter of a raw line: `:100644 100644 1f… 2e… M`.
    pub(crate) fn of_raw(head: &[u8]) -> Option<ContentIds> {
        let mut fields = std::str::from_utf8(head).ok()?.strip_prefix(':')?.split(' ');
        let (old, new) = (fields.next()?, fields.next()?);
        let (was, is) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let gone = fields.next()?.starts_with('D');
        // A file that is only in the working tree has no id in a raw line. A deleted file has the null id,
        // which counts.
        let is = (gone || !is_nothing(&is)).then_some(is);
        let mode = (!gone && !is_nothing(old) && old != new).then(|| new.to_owned());
        Some(ContentIds { was: Some(was), is, mode })
    }

    /// Adds missing ids from the head of a patch, which has them unless only the mode differs.
    pub(crate) fn complete(&mut self, patch: &str) {
        if self.is.is_none() {
            let head = patch.split_once("\n@@").map_or(patch, |(head, _)| head);
            let names = head.lines().find_map(|line| line.strip_prefix("index "));
            let new = names.and_then(|names| names.split(' ').next()?.split_once(".."));
            self.is = new.map(|(_, new)| new.to_owned());
        }
    }

    /// One text for both contents, if both are known.
    pub(crate) fn name(&self) -> Option<String> {
        let was = self.was.as_deref().unwrap_or_default().trim_start_matches('0');
        let mode = self.mode.as_ref().map_or_else(String::new, |mode| format!(" {mode}"));
        self.is.as_ref().map(|is| format!("{was}..{is}{mode}"))
    }
}

fn is_nothing(name: &str) -> bool {
    name.bytes().all(|byte| byte == b'0')
}

impl Repo {
    /// Hashes the working-tree files that have no id yet. Files that git cannot hash stay without one.
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
        let Ok(done) = self.git.read("name files of the tree", self.top_level(), args) else { return };
        let names = done.out();
        if names.lines().count() == plain.len() {
            for (file, name) in plain.into_iter().zip(names.lines()) {
                file.contents.is = Some(name.to_owned());
            }
        }
    }
}

/// The state of a readable file.
enum Stands {
    Plain,
    /// Too long to hash; its length and time.
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
        // Otherwise one unreadable file would leave all without an id.
        return fs::File::open(path).is_ok().then_some(Stands::Plain);
    }
    let changed = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
    Some(Stands::Long(format!("{} bytes of {changed}", meta.len())))
}
