//! Whether the file names an id, without having all of it in memory: whoever remembers something new asks, and
//! the pages of a big file take longer to get than to look through.

use bc_core::ids::BeadId;
use memchr::memmem::Finder;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// So many bytes are looked through at a time.
const PIECE: usize = 32 << 10;

/// An id as a line has it.
pub(super) fn needle(id: &BeadId) -> Vec<u8> {
    format!("\"{id}\"").into_bytes()
}

/// Whether any line of the file may be of this id; not where there is no file.
pub(super) fn names(path: &Path, id: &BeadId) -> io::Result<bool> {
    match File::open(path) {
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
        // It may have begun at the end of this piece.
        kept = filled.min(needle.len() - 1);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time, as a file may.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn an_id_is_found_wherever_the_pieces_end() {
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
    fn a_file_that_is_not_there_names_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let id: BeadId = "bc-m1".parse().unwrap();
        assert!(!names(&folder.path().join("none"), &id).unwrap());
        assert!(names(folder.path(), &id).is_err(), "a folder is no file");
    }
}
