//! Reads a child's standard error.

use std::{
    io::{BufReader, Read},
    process::ChildStderr,
};

/// The maximum number of bytes to keep.
const KEPT_MAX: u64 = 64 << 10;

/// Returns the beginning of a child's standard error after the stream has ended. The rest is read and
/// discarded.
pub(crate) fn read_beginning(stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    let mut stderr = BufReader::new(stderr);
    let _ = stderr.by_ref().take(KEPT_MAX).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
