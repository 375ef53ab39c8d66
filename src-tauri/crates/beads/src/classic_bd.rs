//! Recognizes the database of a classic bd (before 0.58) by the beginning of the file. Both bd and br name
//! their database `beads.db`, and a clone or copy lacks the files of bd's daemon.

use bc_store::repository::{self, limits};
use std::path::Path;

/// The number of bytes to read. SQLite stores table definitions near the beginning of the file: in a measured
/// database, within the first 66 KB.
const BEGINNING: u64 = 512 << 10;
/// Tables of classic bd that br does not have.
const TABLES: [&[u8]; 2] = [b"CREATE TABLE repo_mtimes", b"CREATE TABLE issue_snapshots"];

/// The name and version of the bd that owns these beads, for a message.
pub(crate) fn owner(beads_dir: &Path) -> String {
    let file = repository::read(&beads_dir.join(".local_version"), limits::POINTER).ok().flatten();
    let version = file.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    let recorded =
        || beginning(&crate::beads_files::database(beads_dir)?).as_deref().and_then(recorded_version);
    match version.filter(|version| is_version(version)).or_else(recorded) {
        Some(version) => format!("bd {version}"),
        None => "a bd before 0.58".to_owned(),
    }
}

pub(crate) fn is_classic(database: &Path) -> bool {
    let Some(bytes) = beginning(database) else { return false };
    TABLES.iter().all(|table| memchr::memmem::find(&bytes, table).is_some())
}

/// The first part of a SQLite database; `None` for other files.
fn beginning(database: &Path) -> Option<Vec<u8>> {
    let bytes = repository::read_head(database, BEGINNING).ok()?;
    bytes.starts_with(b"SQLite format 3\0").then_some(bytes)
}

/// The version of bd: the value of the key `bd_version` in the table `metadata`. `None` if these bytes do not
/// contain it.
fn recorded_version(bytes: &[u8]) -> Option<String> {
    const KEY: &[u8] = b"bd_version";
    memchr::memmem::find_iter(bytes, KEY).find_map(|at| {
        let rest = &bytes[at + KEY.len()..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
        let version = std::str::from_utf8(&rest[..length.min(16)]).ok()?;
        is_version(version).then(|| version.to_owned())
    })
}

fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 3 && parts.iter().all(|part| part.parse::<u16>().is_ok())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
pub(crate) mod tests {
    use super::*;

    /// The beginning of a classic bd's database in SQLite's layout.
    pub(crate) fn database() -> Vec<u8> {
        let mut bytes = b"SQLite format 3\0".to_vec();
        bytes.resize(4096, 0);
        bytes.extend_from_slice(
            b"CREATE TABLE repo_mtimes (\0\0CREATE TABLE issue_snapshots (\0\0\x19bd_version0.49.1\n\0",
        );
        bytes.resize(16384, 0);
        bytes
    }

    #[test]
    fn a_classic_database_is_distinguished_from_brs() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("beads.db");
        let check = |bytes: &[u8], expect: bool| {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(is_classic(&path), expect);
        };
        check(&database(), true);
        check(b"", false);
        check(b"CREATE TABLE repo_mtimes CREATE TABLE issue_snapshots", false);
        check(b"SQLite format 3\0CREATE TABLE issues CREATE TABLE repo_mtimes", false);
        assert!(!is_classic(dir.path()));
    }

    #[test]
    fn the_version_comes_from_the_version_file_or_the_database() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(owner(dir.path()), "a bd before 0.58");
        std::fs::write(dir.path().join("beads.db"), database()).unwrap();
        assert_eq!(owner(dir.path()), "bd 0.49.1");
        std::fs::write(dir.path().join(".local_version"), "0.47.0\n").unwrap();
        assert_eq!(owner(dir.path()), "bd 0.47.0");
        std::fs::write(dir.path().join(".local_version"), "\x1b[2J").unwrap();
        assert_eq!(owner(dir.path()), "bd 0.49.1");
    }
}
