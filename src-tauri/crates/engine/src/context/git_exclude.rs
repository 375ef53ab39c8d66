//! Keeps this program's folders out of `git status` by adding them to `.git/info/exclude`. Folders that
//! are already tracked or ignored are skipped.

use super::{
    errors::{file_error, git_error},
    paths::canonical_or_same,
};
use bc_git::Repo;
use bc_store::{FileError, file};
use bc_wire::ApiError;
use std::path::Path;

/// The maximum size of an exclude file that is modified, in bytes.
const LIMIT: u64 = 1 << 20;

/// Adds a new folder to `info/exclude` of the repository that contains `made_in`. Does nothing outside a
/// repository.
pub(crate) fn exclude(made_in: &Path, folder: &Path) -> Result<(), ApiError> {
    let Ok(repo) = Repo::discover(made_in) else { return Ok(()) };
    // Git resolves symbolic links in the repository's top-level path.
    let folder = canonical_or_same(folder);
    let Ok(inside) = folder.strip_prefix(repo.top_level()) else { return Ok(()) };
    let Some(inside) = inside.to_str().filter(|inside| !inside.is_empty()) else { return Ok(()) };
    // A pattern such as `folder/` does not match the path of a folder that does not exist yet, so check a path inside
    // it.
    let known = repo.is_tracked(&folder).map_err(git_error)?
        || repo.is_ignored(&folder.join("x")).map_err(git_error)?;
    if known {
        return Ok(());
    }
    let path = repo.common_dir().join("info/exclude");
    let old = match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() || metadata.len() > LIMIT => return Ok(()),
        Ok(_) => file::read(&path).map_err(file_error)?.unwrap_or_default(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(file_error(FileError::Read { path, source })),
    };
    let new = with_line(old, &pattern(inside));
    if let Some(info) = path.parent() {
        file::create_open_dir(info).map_err(file_error)?;
    }
    file::replace_open(&path, &new).map_err(file_error)
}

/// The pattern that matches exactly this folder of the tree.
fn pattern(inside: &str) -> String {
    let mut pattern = String::from("/");
    for c in inside.chars() {
        if matches!(c, '\\' | '*' | '?' | '[' | ' ') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('/');
    pattern
}

/// The text with another line at its end.
pub(super) fn with_line(mut text: Vec<u8>, line: &str) -> Vec<u8> {
    if text.last().is_some_and(|byte| *byte != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_appended_to_the_existing_ones() {
        let text = |old: &str| String::from_utf8(with_line(old.into(), "/.chipset/")).unwrap();
        assert_eq!(text(""), "/.chipset/\n");
        assert_eq!(text("*.log\n"), "*.log\n/.chipset/\n");
        assert_eq!(text("*.log"), "*.log\n/.chipset/\n");
    }

    #[test]
    fn a_pattern_matches_only_its_folder() {
        assert_eq!(pattern(".chipset/state"), "/.chipset/state/");
        assert_eq!(pattern("a*b [c]?"), r"/a\*b\ \[c]\?/");
    }
}
