//! Reads files that other programs or people write. The user's files may be symbolic links. A project's files
//! may come from a clone, so links out of the repository are refused.

use bc_store::{file, repository};
use std::{
    io::{self, Read},
    path::Path,
};

/// The maximum size of a settings file outside projects, or of claude's state file, in bytes.
const SETTINGS_MAX: u64 = 64 << 20;

/// The first `most` bytes of a regular file; a project's file must be inside its repository.
pub(crate) fn read_head(path: &Path, of_project: bool, most: u64) -> io::Result<Vec<u8>> {
    if of_project {
        return repository::read_head(path, most);
    }
    let mut bytes = Vec::new();
    file::open_regular(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A settings file as text without its byte order mark; `None` if the file cannot be read, is too large, or
/// is not UTF-8.
pub(crate) fn settings(path: &Path, of_project: bool) -> Option<String> {
    let bytes = match of_project {
        true => repository::read(path, repository::limits::SETTINGS).ok()??,
        false => file::read_at_most(file::open_regular(path).ok()?, SETTINGS_MAX).ok()?,
    };
    let text = String::from_utf8(bytes).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
