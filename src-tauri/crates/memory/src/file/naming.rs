//! Checks whether the memories file contains an id. Every new memory needs this check, and loading a large
//! file takes longer than scanning it piece by piece.

use bc_core::ids::BeadId;
use memchr::memmem::Finder;
use std::{
    io::{self, Read},
    path::Path,
};

/// The size of a piece, in bytes.
const PIECE: usize = 32 << 10;

/// An id as written in a line.
pub(super) fn needle(id: &BeadId) -> Vec<u8> {
    format!("\"{id}\"").into_bytes()
}

/// Whether a line of the file may belong to this id; `false` if the file does not exist.
pub(super) fn names(path: &Path, id: &BeadId) -> io::Result<bool> {
    match bc_store::repository::open(path) {
        Ok(file) => holds(file, &needle(id)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn holds(mut bytes: impl Read, needle: &[u8]) -> io::Result<bool> {
    let finder = Finder::new(needle);
    let mut buffer = vec![0; PIECE + needle.len()];
    let mut kept = 0;
    loop {
        let filled = match bytes.read(&mut buffer[kept..]) {
            Ok(0) => return Ok(false),
            Ok(read) => kept + read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if finder.find(&buffer[..filled]).is_some() {
            return Ok(true);
        }
        // A match may start at the end of this piece and continue in the next.
        kept = filled.min(needle.len() - 1);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns only a few bytes per call, as a file can.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn an_id_is_found_across_chunk_boundaries() {
        let id: BeadId = "bc-m1".parse().unwrap();
        for before in [0, 1, PIECE - 3, PIECE, 2 * PIECE + 1] {
            let there = format!("{}{{\"id\":\"bc-m1\"}}", "x".repeat(before));
            let longer = there.replace("bc-m1", "bc-m12");
            for step in [1, 3, 7, usize::MAX] {
                assert!(holds(Slowly(there.as_bytes(), step), &needle(&id)).unwrap(), "{before} {step}");
                assert!(!holds(Slowly(longer.as_bytes(), step), &needle(&id)).unwrap(), "{before} {step}");
            }
        }
        assert!(!holds(&b""[..], &needle(&id)).unwrap());
    }

    #[test]
    fn a_missing_file_has_no_ids() {
        let folder = tempfile::tempdir().unwrap();
        let id: BeadId = "bc-m1".parse().unwrap();
        assert!(!names(&folder.path().join("none"), &id).unwrap());
        assert!(names(folder.path(), &id).is_err(), "a folder is no file");
    }
}
