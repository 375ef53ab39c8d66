//! Reads the standard error of a child.

use std::{
    io::{BufReader, Read},
    process::ChildStderr,
};

/// The limit of kept bytes.
const KEPT_MAX: u64 = 64 << 10;

/// The beginning of a child's standard error. The rest is read and dropped. Returns when the stream ends.
pub(crate) fn first_texts(stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    let mut stderr = BufReader::new(stderr);
    let _ = stderr.by_ref().take(KEPT_MAX).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
