//! Writes several files independently, but syncs them together.
//!
//! After a crash, each file has its old or its new content, independently of the others. Do not write files that
//! depend on each other this way.

use super::{FileError, parent_of, syscalls, write_temporary};
use std::{collections::BTreeSet, io, path::Path};

/// A file to write.
#[derive(Debug, Clone, Copy)]
pub struct Put<'a> {
    pub path: &'a Path,
    pub bytes: &'a [u8],
    /// Whether the file must be new. If it already exists, it is left unchanged.
    pub new: bool,
}

/// Writes all files in order. Returns whether each file was written. The written files are on disk when this
/// function returns. On an error, any of the files may have been written.
pub fn put_all(puts: &[Put<'_>]) -> Result<Vec<bool>, FileError> {
    let temporaries: Vec<_> =
        puts.iter().map(|put| write_temporary(put.path, put.bytes)).collect::<Result<_, _>>()?;
    let files: Vec<_> = temporaries.iter().map(syscalls::Temporary::file).collect();
    let synced = syscalls::sync_all(&files);
    for (synced, put) in synced.into_iter().zip(puts) {
        synced.map_err(|source| FileError::Sync { path: put.path.into(), source })?;
    }
    let (mut done, mut failed) = (Vec::with_capacity(puts.len()), None);
    let mut folders = BTreeSet::new();
    for (temporary, put) in temporaries.into_iter().zip(puts) {
        let placed = match put.new {
            true => temporary.put_new(put.path),
            false => temporary.put(put.path),
        };
        match placed {
            Ok(()) => {
                folders.insert(parent_of(put.path));
                done.push(true);
            }
            Err(error) if put.new && error.kind() == io::ErrorKind::AlreadyExists => done.push(false),
            Err(source) => {
                failed = Some(FileError::Rename { path: put.path.into(), source });
                break;
            }
        }
    }
    // Readers rely on every file that has its final name, so sync the folders even if another file failed.
    let synced: Vec<_> = folders.iter().map(|folder| super::sync_dir(folder)).collect();
    failed.map_or(Ok(()), Err)?;
    synced.into_iter().collect::<Result<(), _>>()?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{read, replace};

    fn put<'a>(path: &'a Path, text: &'a str, new: bool) -> Put<'a> {
        Put { path, bytes: text.as_bytes(), new }
    }

    #[test]
    fn existing_files_that_must_be_new_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        replace(&a, b"old").unwrap();
        replace(&c, b"old").unwrap();
        let done = put_all(&[put(&a, "1", false), put(&b, "2", true), put(&c, "3", true)]).unwrap();
        assert_eq!(done, [true, true, false]);
        let said = [&a, &b, &c].map(|path| String::from_utf8(read(path).unwrap().unwrap()).unwrap());
        assert_eq!(said, ["1", "2", "old"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no other files remain");
        assert_eq!(put_all(&[]).unwrap(), Vec::<bool>::new());
    }

    #[test]
    fn a_failed_batch_leaves_no_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("none/b"));
        assert!(put_all(&[put(&a, "1", false), put(&b, "2", false)]).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
