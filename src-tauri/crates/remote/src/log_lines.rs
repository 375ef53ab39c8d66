//! Reads a log in pieces that contain only whole lines.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// The target size of a read, in bytes. A longer line is read as one piece.
const PIECE: usize = 1 << 20;

/// Returns the next whole lines from an offset, or `None` if the log has none yet. Logs are UTF-8. Other
/// bytes cause an error, so that offsets always match the file.
pub(crate) fn next_lines(file: &mut File, at: u64) -> io::Result<Option<String>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    loop {
        let read = Read::by_ref(file).take(PIECE as u64).read_to_end(&mut bytes)?;
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            bytes.truncate(end + 1);
            return String::from_utf8(bytes).map(Some).map_err(io::Error::other);
        }
        if read == 0 {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_sent_and_a_long_line_is_one_piece() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let long = "x".repeat(3 * PIECE);
        bc_store::file::replace(&path, format!("one\ntwo\n{long}\ntorn").as_bytes()).unwrap();
        let mut file = File::open(&path).unwrap();
        let first = next_lines(&mut file, 0).unwrap().unwrap();
        assert_eq!(first, "one\ntwo\n");
        let second = next_lines(&mut file, first.len() as u64).unwrap().unwrap();
        assert_eq!(second, format!("{long}\n"));
        assert_eq!(next_lines(&mut file, (first.len() + second.len()) as u64).unwrap(), None);
    }
}
