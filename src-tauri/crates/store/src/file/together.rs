//! Several files written at a time: as if each was written by itself, with the disk waited for once.
//!
//! Each is the old content or the new one after a crash, whatever the others are. Where one must not be there without
//! another, they are not written together.

use super::{FileError, door, parent_of, write_temporary};
use std::{collections::BTreeSet, io, path::Path};

/// A file to be written, and how.
#[derive(Debug, Clone, Copy)]
pub struct Put<'a> {
    /// Where.
    pub path: &'a Path,
    /// What.
    pub bytes: &'a [u8],
    /// Whether it has to be new: one that is there is left as it is.
    pub new: bool,
}

/// Writes them all, in this order; for each whether it was written. When this returns all of them are on disk. On an error
/// any of them may have been written.
pub fn put_all(puts: &[Put<'_>]) -> Result<Vec<bool>, FileError> {
    let temporaries: Vec<_> =
        puts.iter().map(|put| write_temporary(put.path, put.bytes)).collect::<Result<_, _>>()?;
    let files: Vec<_> = temporaries.iter().map(door::Temporary::file).collect();
    let synced = door::sync_all(&files);
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
    // Whoever finds one of them in its place relies on it, whatever became of the others.
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
    fn all_are_written_but_those_that_had_to_be_new_and_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        replace(&a, b"old").unwrap();
        replace(&c, b"old").unwrap();
        let done = put_all(&[put(&a, "1", false), put(&b, "2", true), put(&c, "3", true)]).unwrap();
        assert_eq!(done, [true, true, false]);
        let said = [&a, &b, &c].map(|path| String::from_utf8(read(path).unwrap().unwrap()).unwrap());
        assert_eq!(said, ["1", "2", "old"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left");
        assert_eq!(put_all(&[]).unwrap(), Vec::<bool>::new());
    }

    #[test]
    fn where_one_cannot_be_made_no_temporary_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("none/b"));
        assert!(put_all(&[put(&a, "1", false), put(&b, "2", false)]).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
