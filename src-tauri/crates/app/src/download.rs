//! Saves a document for the user as a browser does, in a folder and under an unused name.

use crate::save::folder_for_saving;
use bc_store::{FileError, file};
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// The maximum number of documents with the same name in a folder.
const SAME_NAME_MAX: u32 = 1000;

/// Writes a document into a folder, which is created if it is missing, and returns the document's path.
/// Existing files are never replaced: if the name is used, the new file gets a name like `name (1).md`.
pub fn save_download(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, ApiError> {
    let path = Path::new(name);
    let plain = path.file_name().is_some_and(|file| file == path) && !name.contains(['/', '\\', ':', '\0']);
    if !plain {
        let message = format!("{name:?} is not a valid file name");
        return Err(ApiError::new(ErrorCode::Usage, message));
    }
    let folder = folder_for_saving(folder)?;
    for turn in 0..SAME_NAME_MAX {
        let place = folder.join(numbered(path, turn));
        if file::create(&place, content).map_err(|e| refused(&e))? {
            return Ok(place);
        }
    }
    let message = format!("{} already contains {SAME_NAME_MAX} files named {name}", folder.display());
    Err(ApiError::new(ErrorCode::Io, message).hint("move some of them to another folder"))
}

fn numbered(name: &Path, turn: u32) -> String {
    let whole = name.to_string_lossy();
    match (turn, name.file_stem(), name.extension()) {
        (0, ..) => whole.into_owned(),
        (_, Some(stem), Some(end)) => {
            format!("{} ({turn}).{}", stem.to_string_lossy(), end.to_string_lossy())
        }
        _ => format!("{whole} ({turn})"),
    }
}

fn refused(error: &FileError) -> ApiError {
    let code = match error {
        _ if error.is_disk_full() => ErrorCode::DiskFull,
        _ if error.is_read_only() => ErrorCode::ReadOnly,
        _ => ErrorCode::Io,
    };
    ApiError::new(code, format!("{error}: {}", error.io()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_with_the_same_name_are_numbered() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("Downloads");
        let save = |name: &str, text: &str| {
            let place = save_download(&folder, name, text.as_bytes()).expect("it is saved");
            assert_eq!(std::fs::read_to_string(&place).expect("it is there"), text);
            place.file_name().expect("a name").to_string_lossy().into_owned()
        };
        assert_eq!(save("a story.md", "one"), "a story.md");
        assert_eq!(save("a story.md", "two"), "a story (1).md");
        assert_eq!(save("a story.md", "three"), "a story (2).md");
        assert_eq!(save("story", "one"), "story");
        assert_eq!(save("story", "two"), "story (1)");
    }

    #[test]
    fn invalid_file_names_are_refused() {
        let home = tempfile::tempdir().expect("a folder");
        for name in
            ["", ".", "..", "../x.md", "/etc/passwd", "a/b.md", "a\\b.md", "C:x.md", "a\0.md", "a.md/"]
        {
            let error = save_download(home.path(), name, b"x").expect_err(name);
            assert_eq!(error.code, ErrorCode::Usage, "{name}");
        }
        assert_eq!(std::fs::read_dir(home.path()).expect("it is there").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn an_unwritable_folder_is_reported() {
        let home = tempfile::tempdir().expect("a folder");
        let taken = home.path().join("file");
        file::replace(&taken, b"x").expect("it is written");
        let error = save_download(&taken.join("below"), "a.md", b"x").expect_err("it is not a folder");
        assert_eq!(error.code, ErrorCode::Io);
        assert!(error.message.contains(&*taken.to_string_lossy()), "{}", error.message);
    }
}
